// Pictures of behaviors: well-formed, with everything in its box, bounded, always the same.

// SPDX-License-Identifier: Apache-2.0

#include "behaviors/compile.h"
#include "behaviors/condition_text.h"
#include "exchange/graph_svg.h"
#include "exchange/graph_words.h"
#include "exchange/xml.h"
#include "tests/exchange/lab_files.h"

#include <math.h>
#include <stdlib.h>

static const char design[] =
    "use \"smores.m3l\"\n"
    "config A {\n"
    "    part \"a<&>\\\"b\", c : SMORES\n"
    "    connect \"a<&>\\\"b\".B to c.T\n"
    "    behavior up = parallel(c.bend to 40deg, c.left spin 1rad/s during 1s)\n"
    "}\n";

static SomText draw(const char *behavior, bool with_times) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_test_library_root(), diags);
    int file = som_workspace_open_text(workspace, SOM_STR("a.som"), som_str(design));
    SomConfiguration *composed = som_configuration_compose(workspace, file, SOM_STR(""), diags);
    ck_assert(composed != NULL);
    SomCompileDef compile = {.workspace = workspace, .configuration = composed, .diags = diags};
    SomActionGraph *graph = som_compile_call(&compile, som_str(behavior));
    SomText svg = {0};
    if (graph == NULL) {
        som_diagnostics_print(diags, 0, &svg);
        ck_abort_msg("%s", svg.data);
    }
    SomPrediction played = {0};
    if (with_times) {
        som_prediction_play(&(SomPredictionDef){.graph = graph, .most_time = 5, .is_excerpt = true},
                            &played, diags);
    }
    SomGraphSvgDef def = {.graph = graph,
                          .design = composed,
                          .prediction = with_times ? &played : NULL,
                          .title = som_str(behavior)};
    som_graph_svg(&def, &svg);
    SomText again = {0};
    som_graph_svg(&def, &again);
    ck_assert(som_str_equal(som_text_str(&svg), som_text_str(&again)));
    som_text_free(&again);
    som_prediction_free(&played);
    som_action_graph_destroy(graph);
    som_configuration_destroy(composed);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    return svg;
}

// ---- everything is in its box

typedef struct Rect {
    int x, y, width, height;
} Rect;

static int number_of(const SomXml *xml, int node, const char *name) {
    SomStr text = som_xml_attribute(xml, node, som_str(name));
    return text.length > 0 ? atoi(text.data) : 0;
}

static Rect rect_of(const SomXml *xml, int node) {
    return (Rect){number_of(xml, node, "x"), number_of(xml, node, "y"),
                  number_of(xml, node, "width"), number_of(xml, node, "height")};
}

static bool contains(Rect a, Rect b) {
    return a.x <= b.x && a.y <= b.y && b.x + b.width <= a.x + a.width &&
           b.y + b.height <= a.y + a.height;
}

static bool overlaps(Rect a, Rect b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static Rect text_rect(const SomXml *xml, int node) {
    SomStr style = som_xml_attribute(xml, node, SOM_STR("class"));
    bool is_large = som_str_equal(style, SOM_STR("label"));
    int size = is_large ? 12 : 10;
    int width = (int)ceil(0.602 * size * som_text_columns(xml->nodes[node].text));
    Rect rect = {number_of(xml, node, "x"), number_of(xml, node, "y") - size, width, size};
    rect.x -= som_str_ends_with(style, SOM_STR("right")) ? width : 0;
    return rect;
}

// Boxes lie in each other or apart, and hold their texts and strips. Returns how many there are.
static int check_picture(const SomText *svg) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a.svg"), som_text_str(svg));
    SomXml *xml = som_xml_read(som_text_str(svg), source1, diags);
    ck_assert(xml != NULL);
    int root = som_xml_child(xml, SOM_XML_TOP, SOM_STR("svg"));
    Rect whole = {0, 0, number_of(xml, root, "width"), number_of(xml, root, "height")};
    SOM_ARRAY(Rect) boxes = {0};
    bool fine = true;
    for (int group = som_xml_child(xml, root, SOM_STR("g")); group >= 0;
         group = som_xml_next(xml, group, SOM_STR("g"))) {
        int first = som_xml_child(xml, group, SOM_STR("rect"));
        Rect box = rect_of(xml, first);
        fine = fine && contains(whole, box);
        for (int i = 0; i < boxes.count; i++) {
            fine = fine && (contains(boxes.data[i], box) || !overlaps(boxes.data[i], box));
        }
        som_array_push(&boxes, box);
        for (int i = som_xml_next(xml, first, SOM_STR("rect")); i >= 0;
             i = som_xml_next(xml, i, SOM_STR("rect"))) {
            fine = fine && contains(box, rect_of(xml, i));
        }
        Rect before = {0};
        for (int i = som_xml_child(xml, group, SOM_STR("text")); i >= 0;
             i = som_xml_next(xml, i, SOM_STR("text"))) {
            Rect text = text_rect(xml, i);
            fine = fine && contains(box, text) && !overlaps(before, text);
            before = text;
        }
    }
    ck_assert_msg(fine, "%s", svg->data);
    int count = boxes.count;
    som_array_free(&boxes);
    som_xml_destroy(xml);
    som_diagnostics_destroy(diags);
    return count;
}

START_TEST(everything_is_in_its_box) {
    static const struct {
        const char *behavior;
        int boxes;
    } cases[] = {
        {"c.bend to 10deg", 1},
        {"up", 3},
        {"series(up, wait 1s, parallel(up))", 8},
        {"any(repeat 3: up, wait until effort(c.bend) > 2Nm and not (elapsed < 1s or time > 9s))",
         6},
        {"choose(c.bend > 1rad: series(up, up), input(light) > 2: hold, else: wait 1s)", 18},
        {"series(\"a<&>\\\"b\".bend to 12.3456789deg, \"a<&>\\\"b\".left follow [0s: 0deg, 1s: "
         "9deg])",
         3},
        {"repeat until abs(c.bend) >= 0.5rad: series(c.bend by 0.2rad at 1rad/s, c.left by 1rad)",
         4},
        {"series(for i in 1..3: parallel(c.bend to 0.1rad*i, c.left to 1rad, c.right to 2rad))",
         13},
        {"series()", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int with_times = 0; with_times < 2; with_times++) {
            SomText svg = draw(cases[i].behavior, with_times != 0);
            int boxes = check_picture(&svg);
            ck_assert_msg(boxes == cases[i].boxes, "%s: %d boxes", cases[i].behavior, boxes);
            som_text_free(&svg);
        }
    }
}
END_TEST

START_TEST(names_and_times_are_written) {
    SomText svg = draw("series(\"a<&>\\\"b\".bend to 40deg during 1s, repeat 2: up)", true);
    static const char *const pieces[] = {
        ">&quot;a&lt;&amp;&gt;\\&quot;b&quot;.bend to 40deg</text>",
        ">0 to 1 s</text>",
        ">repeat 2</text>",
        ">up</text>",
        ">c.left spin 57.296deg/s</text>",
        ">1 to 3 s, 2 times</text>",
        ">3 actions, 3 s</text>"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        bool has = strstr(svg.data, pieces[i]) != NULL;
        ck_assert_msg(has, "%s\n%s", pieces[i], svg.data);
    }
    som_text_free(&svg);
    svg = draw("repeat forever: up", true);
    ck_assert(strstr(svg.data, " s and more</text>") != NULL);
    ck_assert(strstr(svg.data, "repeat forever") != NULL);
    som_text_free(&svg);
    svg = draw("choose(input(light) > 2: up, else: wait 1s)", true);
    ck_assert(strstr(svg.data, ">if input(light) &gt; 2, up</text>") != NULL);
    ck_assert(strstr(svg.data, ">not played</text>") != NULL);
    som_text_free(&svg);
}
END_TEST

START_TEST(large_graphs_are_folded) {
    static const char *const large[] = {
        "series(for i in 1..10000: c.bend to 0.0001rad*i)",
        "parallel(for i in 1..100: series(for k in 1..100: wait 1s))",
        "series(for i in 1..20: parallel(for k in 1..20: series(for l in 1..20: up)))",
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        SomText svg = draw(large[i], i == 0);
        ck_assert_int_le(check_picture(&svg), SOM_SVG_MOST_BOXES);
        ck_assert_int_lt((int)svg.length, 400000);
        ck_assert(strstr(svg.data, "more actions</text>") != NULL ||
                  strstr(svg.data, "actions</text>") != NULL);
        som_text_free(&svg);
    }
    SomText folded = draw("any(for i in 1..30: any(for k in 1..30: any(wait 1s, wait 2s)))", false);
    ck_assert_ptr_nonnull(strstr(folded.data, ">2 actions</text>"));
    ck_assert_ptr_null(strstr(folded.data, "parallel of"));
    som_text_free(&folded);
    SomText nested = {0}; // as deep as the language allows
    for (int i = 0; i < 120; i++) {
        som_text_add(&nested, SOM_STR("series(wait 1s, parallel(wait 1s, "));
    }
    som_text_add(&nested, SOM_STR("up"));
    som_text_add_char(&nested, ')', 240);
    SomText svg = draw(nested.data, true);
    check_picture(&svg);
    som_text_free(&svg);
    som_text_free(&nested);
}
END_TEST

START_TEST(texts_are_cut_and_escaped) {
    static const struct {
        SomStr text;
        int columns;
        const char *cut;
    } cases[] = {{{"abcdef", 6}, 6, "abcdef"},
                 {{"abcdefg", 7}, 6, "abcde…"},
                 {{"ééééééé", 14}, 3, "éé…"},
                 {{"日本語日本語", 18}, 6, "日本…"},
                 {{"a\xff", 2}, 2, "a\xff"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText out = {0};
        som_text_add_cut(&out, cases[i].text, cases[i].columns);
        ck_assert_str_eq(out.data, cases[i].cut);
        som_text_free(&out);
    }
    SomText out = {0};
    som_xml_escape(&out, (SomStr){"<\x01>\xff&\"é\n\0", 10});
    ck_assert_str_eq(out.data, "&lt;\xef\xbf\xbd&gt;\xef\xbf\xbd&amp;&quot;é\n\xef\xbf\xbd");
    som_text_free(&out);
}
END_TEST

SOM_SUITE("exchange/graph_svg", everything_is_in_its_box, names_and_times_are_written,
          large_graphs_are_folded, texts_are_cut_and_escaped)
