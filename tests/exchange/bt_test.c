// Behavior trees: what is written is read back as the same graph; trees of others; what is refused.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "behaviors/compile.h"
#include "exchange/bt.h"
#include "exchange/xml.h"
#include "player/graph_text.h"
#include "tests/compose/texts.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/library_exports.h"

// ---- there and back

// The text form without places in the source, which differ.
static SomText graph_text(const SomActionGraph *graph) {
    SomActionGraph bare = *graph;
    bare.places = NULL;
    size_t length = som_graph_text_write(&bare, NULL, 0);
    char *buffer = som_alloc(length + 1);
    som_graph_text_write(&bare, buffer, length + 1);
    SomText text = {0};
    som_text_add(&text, (SomStr){buffer, length});
    som_free(buffer);
    return text;
}

// Imports trees into a design; the text, empty after errors, which are the *code.
static SomText import_tree(SomStr path, SomStr design, SomStr config, SomStr tree, SomCode *code,
                           SomText *words) {
    const SomStr paths[] = {path, SOM_STR("tree.xml")};
    const SomStr contents[] = {design, tree};
    SomImportOptions options = {.library = som_test_library_root(), .config = config};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    SomText text = {0};
    bool fine = som_import_texts(paths, contents, 2, &options, &texts, &result, diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    *code = count > 0 ? all[0].code : 0;
    if (words != NULL) {
        som_diagnostics_print(diags, 0, words);
    }
    if (fine) {
        som_text_add(&text, som_text_str(&result.som));
        som_imported_free(&result);
    }
    ck_assert_int_eq(fine, som_diagnostics_error_count(diags) == 0);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return text;
}

static SomText main_tree(SomStr xml) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomXml *read = som_xml_read(xml, 0, diags);
    ck_assert_ptr_nonnull(read);
    SomText id = {0};
    som_text_add(&id, som_xml_attribute(read, read->first_root, SOM_STR("main_tree_to_execute")));
    ck_assert_uint_gt(id.length, 0);
    som_xml_destroy(read);
    som_diagnostics_destroy(diags);
    return id;
}

// Writes a behavior, reads it into the same design, and compiles what was added.
static void go_and_return(SomStr path, SomStr text, const SomConfiguration *design, SomStr choice,
                          const SomActionGraph *graph, SomStr call) {
    SomText xml = {0}, words = {0};
    SomCode code;
    som_bt_write(&(SomBtDef){.graph = graph, .design = design, .call = call}, &xml);
    SomText added = import_tree(path, text, choice, som_text_str(&xml), &code, &words);
    ck_assert_msg(added.length > 0 && code == 0, "%.*s: %s\n%s", SOM_STR_ARG(call), words.data,
                  xml.data);
    SomText id = main_tree(som_text_str(&xml));
    som_text_add(&id, SOM_STR("_2")); // since the behavior itself has that name
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_test_library_root(), diags);
    int file = som_workspace_open_text(workspace, path, som_text_str(&added));
    SomConfiguration *again = som_configuration_compose(workspace, file, choice, diags);
    ck_assert_ptr_nonnull(again);
    int behavior = som_configuration_find_behavior(again, som_text_str(&id));
    if (behavior < 0) { // of a call that is no name
        id.length -= 2;
        behavior = som_configuration_find_behavior(again, som_text_str(&id));
    }
    ck_assert_msg(behavior >= 0, "%s\n%s", id.data, added.data);
    SomCompileDef def = {.workspace = workspace, .configuration = again, .diags = diags};
    SomActionGraph *returned = som_compile_behavior(&def, behavior);
    ck_assert_ptr_nonnull(returned);
    SomText before = graph_text(graph), after = graph_text(returned);
    ck_assert_msg(som_str_equal(som_text_str(&before), som_text_str(&after)), "%.*s\n%s\n%s",
                  SOM_STR_ARG(call), before.data, after.data);
    som_text_free(&before);
    som_text_free(&after);
    som_action_graph_destroy(returned);
    som_configuration_destroy(again);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    som_text_free(&id);
    som_text_free(&added);
    som_text_free(&words);
    som_text_free(&xml);
}

static bool needs_arguments(const SomParameter *params, int count) {
    for (int i = 0; i < count; i++) {
        if (params[i].otherwise == 0) {
            return true;
        }
    }
    return false;
}

// All behaviors of a config that need no arguments; how many.
static int check_config(SomWorkspace *workspace, int file, SomStr choice, SomDiagnostics *diags) {
    const SomDesignFile *f = som_workspace_file(workspace, file);
    SomConfiguration *design = som_configuration_compose(workspace, file, choice, diags);
    SomText words = {0};
    som_diagnostics_print(diags, 0, &words);
    ck_assert_msg(design != NULL, "%s", words.data);
    som_text_free(&words);
    SomCompileDef def = {.workspace = workspace, .configuration = design, .diags = diags};
    int count = 0, params;
    for (int i = 0; i < design->behavior_count; i++) {
        const SomParameter *first = som_compile_parameters(&def, i, &params);
        if (design->behaviors[i].part != 0 || needs_arguments(first, params)) {
            continue;
        }
        SomActionGraph *graph = som_compile_behavior(&def, i);
        ck_assert_ptr_nonnull(graph);
        go_and_return(f->path, f->text, design, choice, graph, design->behaviors[i].path);
        som_action_graph_destroy(graph);
        count++;
    }
    som_configuration_destroy(design);
    return count;
}

START_TEST(every_behavior_of_the_library_returns) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    SomArena arena = {0};
    const SomStr *names;
    int count = 0;
    int files = som_file_list(test_library_configs, SOM_STR(".som"), &arena, &names, diags);
    for (int i = 0; i < files; i++) {
        int file = som_workspace_open(workspace, som_str_slice(names[i], 0, names[i].length - 4));
        const SomDesignFile *f = som_workspace_file(workspace, file);
        for (int k = 0; k < f->config_count; k++) {
            if (!needs_arguments(f->configs[k].params, f->configs[k].param_count)) {
                count += check_config(workspace, file, f->configs[k].name, diags);
            }
        }
    }
    ck_assert_int_ge(count, 30);
    som_arena_free(&arena);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
}
END_TEST

// All that a behavior can say.
static const char rich[] =
    "use \"smores.m3l\"\n"
    "config Rich {\n"
    "    part m[3], \"odd name\" : SMORES\n"
    "    connect m[i].B to m[i+1].T for i in 1..2\n"
    "    connect m[3].B to \"odd name\".T\n"
    "    dock grip: m[1].L to m[3].L open\n"
    "    dock m[1].R to m[3].R open\n"
    "    pose up { m[1].bend = 10deg; m[2].tilt = 0.3rad }\n"
    "    behavior one(a: angle = 7deg) = m[1].tilt to a\n"
    "    behavior moves = series(m[1].tilt to 30deg within 1deg at 20deg/s timeout 2.5s,\n"
    "        m[1].left by -90deg, m[2].right spin 40deg/s during 0.123s, m[2].bend to 1deg hold,\n"
    "        \"odd name\".tilt to 3deg during 2s until reached, wait 0.5s, wait 1.00001s, hold,\n"
    "        hold m[2], hold m[1].bend, to pose up timeout 1s)\n"
    "    behavior courses = parallel(m[1].tilt follow 20deg*sin(360deg*t/2s) during 4s,\n"
    "        m[2].tilt follow [0s: 0deg, 1s: 0.4rad, 2.5s: -3deg] within 3deg,\n"
    "        m[3].tilt follow [1s: 5deg] until reached timeout 9s)\n"
    "    behavior docks = series(connect grip, disconnect grip timeout 2s, connect m[1].R to "
    "m[3].R,\n"
    "        connect grip until docked(grip) or elapsed > 3s)\n"
    "    behavior lists = any(series(one, one(20deg), one), parallel(one(3deg), wait 1s), wait "
    "2s)\n"
    "    behavior empty = series(series(), parallel(), any(), parallel(for i in 1..0: one), wait "
    "1s)\n"
    "    behavior repeats = series(repeat 3: one, repeat 0: one, repeat until contact(m[1]): one,\n"
    "        repeat until time > 3s: series(one, wait 1s), any(repeat forever: one, wait 9s))\n"
    "    behavior choices = choose(m[1].tilt > 3deg: one, effort(m[2].bend) >= 1Nm: hold,\n"
    "        else: series(one, wait 1s))\n"
    "    behavior choice = choose(input(light) < 3: one, not contact(m[3].LeftWheel): series())\n"
    "    behavior limited = series(one timeout 1s, series(one) during 3s until height > 10cm,\n"
    "        series(one timeout 1s) timeout 2s, hold during 1s)\n"
    "    behavior conditions = series(\n"
    "        wait until -m[1].tilt/elapsed > 3deg/s and (speed(m[1].left) < 0.1rad/s or true),\n"
    "        wait until abs(m[1].bend - m[2].bend) < min(5deg, m[3].bend, 9deg) timeout 1s,\n"
    "        wait until 2*elapsed*elapsed > 3s*1s timeout 1s,\n"
    "        wait until not (bodyTilt > 0.2rad) == docked(grip) timeout 1s,\n"
    "        wait until elapsed*(40deg/s) > m[1].bend or 1/elapsed < 3Hz timeout 1s,\n"
    "        wait until height*height*speed(m[1].left) < 0.5m*0.5m*3deg/s timeout 1s,\n"
    "        wait until height/m[1].bend > -2m/3rad timeout 1s,\n"
    "        m[1].tilt to 9deg until error < 1deg or (reached and elapsed > 1s),\n"
    "        wait until input(\"a b\") + 1 > 2*input(light) - input(light)*0.5 timeout 1s)\n"
    "    behavior outer = lists\n"
    "    behavior Sequence = one\n"
    "    behavior root = series(one)\n"
    "    behavior many = series(for i in 1..12: one(i*1deg), one(3deg))\n"
    "}\n";

START_TEST(all_that_behaviors_say_returns) {
    const SomStr texts[] = {som_str(rich), som_str(test_hostile_design)};
    for (int i = 0; i < 2; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
        int file = som_workspace_open_text(workspace, SOM_STR("rich.som"), texts[i]);
        int count = check_config(workspace, file, SOM_STR(""), diags);
        ck_assert_int_eq(count, i == 0 ? 15 : 1);
        som_workspace_destroy(workspace);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

// ---- what is written

// A call of the rich design as XML.
static SomText written(const char *design, const char *call) {
    TestDesign made = test_design(design);
    SomConfiguration *configuration = test_compose(&made, "");
    SomCompileDef def = {
        .workspace = made.workspace, .configuration = configuration, .diags = made.diags};
    SomActionGraph *graph = som_compile_call(&def, som_str(call));
    ck_assert_msg(graph != NULL, "%s", test_diagnostics(&made));
    SomText xml = {0};
    som_bt_write(&(SomBtDef){.graph = graph, .design = configuration, .call = som_str(call)}, &xml);
    som_action_graph_destroy(graph);
    som_configuration_destroy(configuration);
    test_design_free(&made);
    return xml;
}

static const char small[] = "use \"smores.m3l\"\n"
                            "config Small {\n"
                            "    part a, b : SMORES\n"
                            "    connect a.B to b.T\n"
                            "    dock grip: a.L to b.L open\n"
                            "    behavior key(p: angle = 5deg) = a.bend to p during 1s\n"
                            "    behavior Sleep = key\n"
                            "}\n";

static int count_of(const char *text, const char *piece) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at += strlen(piece)) {
        count++;
    }
    return count;
}

START_TEST(equal_trees_are_shared) {
    SomText xml = written(small, "series(key, key(6deg), key(5deg), key)");
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"key\"/>"), 3);
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"key_2\"/>"), 1);
    ck_assert_int_eq(count_of(xml.data, "<BehaviorTree "), 3);
    ck_assert_ptr_nonnull(strstr(xml.data, "main_tree_to_execute=\"main\""));
    som_text_free(&xml);
    // a behavior may be called like a node of BehaviorTree.CPP, a tree may not
    xml = written(small, "Sleep");
    ck_assert_ptr_nonnull(strstr(xml.data, "main_tree_to_execute=\"Sleep_tree\""));
    som_text_free(&xml);
}
END_TEST

// BehaviorTree.CPP wants no tree deeper than 256, our reader of XML none deeper than 200.
START_TEST(deep_behaviors_are_cut) {
    SomText call = {0}, text = {0};
    for (int i = 0; i < 120; i++) {
        som_text_add(&call, i % 2 > 0 ? SOM_STR("series(") : SOM_STR("choose(a.bend > 1deg: "));
    }
    som_text_add(&call, SOM_STR("a.bend to 0deg"));
    som_text_add_char(&call, ')', 120);
    som_text_add(&text, (SomStr){small, strlen(small) - 2});
    som_text_printf(&text, "    behavior deep = %s\n}\n", call.data);
    SomText xml = written(text.data, "deep");
    int depth = 0, most = 0;
    for (const char *at = xml.data; *at != '\0'; at++) {
        if (at[0] == '\n' || at == xml.data) {
            depth = (int)strspn(at + 1, " ") / 2;
            most = depth > most ? depth : most;
        }
    }
    ck_assert_int_lt(most, 100);
    ck_assert_int_eq(count_of(xml.data, "<BehaviorTree "), 3);
    som_text_free(&xml);
    SomDiagnostics *diags = som_diagnostics_create();
    SomWorkspace *workspace = som_workspace_create(som_str(test_library), diags);
    int file = som_workspace_open_text(workspace, SOM_STR("deep.som"), som_text_str(&text));
    SomConfiguration *design = som_configuration_compose(workspace, file, SOM_STR(""), diags);
    SomCompileDef def = {.workspace = workspace, .configuration = design, .diags = diags};
    SomActionGraph *graph = som_compile_call(&def, SOM_STR("deep"));
    go_and_return(SOM_STR("deep.som"), som_text_str(&text), design, SOM_STR(""), graph,
                  SOM_STR("deep"));
    som_action_graph_destroy(graph);
    som_configuration_destroy(design);
    som_workspace_destroy(workspace);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    som_text_free(&call);
}
END_TEST

// ---- trees of others

#define TREE(nodes)                                                                                \
    "<root BTCPP_format=\"4\"><BehaviorTree ID=\"t\">" nodes "</BehaviorTree></root>"
#define A "<MoveTo joint=\"a.bend\" target=\"0\"/>"
#define B "<MoveTo joint=\"b.tilt\" target=\"1\"/>"
#define C "<Check condition=\"height &gt; 1m\"/>"

START_TEST(trees_of_others_are_read) {
    static const struct {
        const char *tree, *written;
    } cases[] = {
        {TREE("<Sequence>" A B "</Sequence>"), "series(a.bend to 0deg, b.tilt to 1rad)"},
        {TREE("<Control ID=\"Sequence\"><Action ID=\"Wait\" during=\"1.5\"/></Control>"),
         "t = series(wait 1.5s)"},
        {TREE("<SequenceWithMemory>" A "</SequenceWithMemory>"), "t = series(a.bend to 0deg)"},
        {TREE("<Parallel>" A B "</Parallel>"), "t = parallel(a.bend to 0deg, b.tilt to 1rad)"},
        {TREE("<Parallel success_count=\"2\">" A B "</Parallel>"), "t = parallel(a.bend to 0deg"},
        {TREE("<Parallel success_count=\"1\" failure_count=\"-1\">" A B "</Parallel>"),
         "t = any(a"},
        {TREE("<ParallelAll max_failures=\"1\">" A C "</ParallelAll>"),
         "t = parallel(a.bend to 0deg, series())"},
        {TREE("<Fallback><Sequence>" C A "</Sequence>" B "</Fallback>"),
         "t = choose(height > 1m: a.bend to 0deg, else: b.tilt to 1rad)"},
        {TREE("<Fallback>" C A "</Fallback>"),
         "t = choose(height > 1m: series(), else: a.bend to 0deg)"},
        {TREE("<Fallback><Sequence>" C A B "</Sequence><AlwaysSuccess/></Fallback>"),
         "t = choose(height > 1m: series(a.bend to 0deg, b.tilt to 1rad))"},
        {TREE("<IfThenElse>" C A B "</IfThenElse>"),
         "t = choose(height > 1m: a.bend to 0deg, else: b.tilt to 1rad)"},
        {TREE("<IfThenElse><Inverter>" C "</Inverter>" A "</IfThenElse>"),
         "t = choose(not (height > 1m): a.bend to 0deg)"},
        {TREE("<Sequence>" A C B C "</Sequence>"),
         "a.bend to 0deg, choose(height > 1m: series(b.tilt to 1rad, choose(height > 1m: "
         "series()))))"},
        {TREE("<Repeat num_cycles=\"3\">" A "</Repeat>"), "t = repeat 3: a.bend to 0deg"},
        {TREE("<Repeat num_cycles=\"-1\">" A "</Repeat>"), "t = repeat forever: a.bend to 0deg"},
        {TREE("<RetryUntilSuccessful num_attempts=\"-1\"><Sequence>" A C "</Sequence>"
              "</RetryUntilSuccessful>"),
         "t = repeat until height > 1m: a.bend to 0deg"},
        {TREE("<RetryUntilSuccessful num_attempts=\"-1\">" C "</RetryUntilSuccessful>"),
         "t = wait until height > 1m"},
        {TREE("<RetryUntilSuccessful num_attempts=\"5\">" A "</RetryUntilSuccessful>"),
         "t = a.bend to 0deg"},
        {TREE("<Timeout msec=\"1500\">" A "</Timeout>"), "t = a.bend to 0deg timeout 1500ms"},
        {TREE("<Sequence><ForceSuccess><Timeout msec=\"20\"><Sequence>" A
              "</Sequence></Timeout></ForceSuccess>" B "</Sequence>"),
         "t = series(any(series(a.bend to 0deg), wait 20ms), b.tilt to 1rad)"},
        {TREE("<Parallel success_count=\"1\">" A "<Wait timeout=\"1\"/></Parallel>"),
         "t = any(a.bend to 0deg, wait until false timeout 1s)"},
        {TREE("<Delay delay_msec=\"250\">" A "</Delay>"), "t = series(wait 250ms, a.bend to 0deg)"},
        {TREE("<Sleep msec=\"40000\"/>"), "t = wait 40s"},
        {TREE("<key/>"), "t = key"},
        {TREE("<SubTree ID=\"key\"/>"), "t = key"},
        {TREE("<Sequence name=\"x\" _uid=\"3\">" A "</Sequence>"), "t = series(a.bend to 0deg)"},
        {TREE("<Hold joints=\"a.bend;b.bend\"/>"), "t = parallel(hold a.bend, hold b.bend)"},
        {TREE("<Hold joints=\"b.tilt\"/>"), "t = hold b.bend"},
        {TREE("<Connect dock=\"grip\" timeout=\"3\"/>"), "t = connect grip timeout 3s"},
        {TREE("<MoveBy joint=\"a.left\" by=\"-0.5\" speed=\"0.25\" tolerance=\"0.01\" "
              "until=\"reached or height > 1m\" during=\"\"/>"),
         "t = a.left by -0.5rad within 0.01rad at 0.25rad/s until reached or height > 1m"},
        {TREE("<Spin joint=\"a.left\" speed=\"2\" during=\"0.5\"/>"),
         "a.left spin 2rad/s during 0.5s"},
        {TREE("<Follow joint=\"a.left\" times=\"0;1.5\" values=\"0;-2\"/>"),
         "t = a.left follow [0s: 0deg, 1.5s: -2rad]"},
        {"<root><BehaviorTree ID=\"u\"><SubTree ID=\"key\"/></BehaviorTree><BehaviorTree "
         "ID=\"key\">" A "</BehaviorTree></root>",
         "behavior u = key_2\n    behavior key_2 = a.bend to 0deg\n"},
        {"<root><BehaviorTree>" A "</BehaviorTree><TreeNodesModel><X/></TreeNodesModel></root>",
         "behavior tree = a.bend to 0deg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomText words = {0};
        SomText text = import_tree(SOM_STR("small.som"), som_str(small), (SomStr){0},
                                   som_str(cases[i].tree), &code, &words);
        ck_assert_msg(code == 0 && text.length > 0, "%s: %s", cases[i].tree, words.data);
        ck_assert_msg(strstr(text.data, cases[i].written) != NULL, "%s\n%s", cases[i].tree,
                      text.data);
        // nothing else has changed
        ck_assert_int_eq(strncmp(text.data, small, strlen(small) - 2), 0);
        som_text_free(&text);
        som_text_free(&words);
    }
}
END_TEST

// Each with the words that the place of the report begins with, in the tree.
static const struct {
    const char *tree;
    SomCode code;
    const char *at;
} refusals[] = {
    {"<root BTCPP_format=\"3\"><BehaviorTree>" A "</BehaviorTree></root>", SOM_BT_VERSION, "3"},
    {"<root/>", SOM_BT_STRUCTURE, "<root"},
    {"<root/><root/>", SOM_BT_STRUCTURE, "<root"},
    {"<root><include path=\"x.xml\"/></root>", SOM_BT_STRUCTURE, "<include"},
    {"<root><BehaviorTree ID=\"t\"/></root>", SOM_BT_STRUCTURE, "<BehaviorTree"},
    {TREE(A B), SOM_BT_STRUCTURE, "<BehaviorTree"},
    {"<root><BehaviorTree ID=\"t\">" A "</BehaviorTree><BehaviorTree ID=\"t\">" B
     "</BehaviorTree></root>",
     SOM_BT_STRUCTURE, "<BehaviorTree ID=\"t\"><MoveTo joint=\"b"},
    {"<root><BehaviorTree ID=\"a&#10;b\">" A "</BehaviorTree></root>", SOM_BT_STRUCTURE, "<Behav"},
    {TREE("<Sequence/>"), SOM_BT_STRUCTURE, "<Sequence"},
    {TREE("<Repeat num_cycles=\"1\">" A B "</Repeat>"), SOM_BT_STRUCTURE, "<Repeat"},
    {TREE("<Wait>" A "</Wait>"), SOM_BT_STRUCTURE, "<Wait"},
    {TREE("<Action/>"), SOM_BT_STRUCTURE, "<Action"},
    {TREE("<IfThenElse>" C "</IfThenElse>"), SOM_BT_STRUCTURE, "<IfThenElse"},
    {TREE("<IfThenElse>" A B "</IfThenElse>"), SOM_BT_NOT_SERIES_PARALLEL, "<MoveTo"},
    {TREE("<ReactiveSequence>" C A "</ReactiveSequence>"), SOM_BT_NOT_SERIES_PARALLEL, "<Reactive"},
    {TREE("<WhileDoElse>" C A "</WhileDoElse>"), SOM_BT_NOT_SERIES_PARALLEL, "<While"},
    {TREE("<Fallback>" A B "</Fallback>"), SOM_BT_NOT_SERIES_PARALLEL, "<MoveTo"},
    {TREE("<Inverter>" A "</Inverter>"), SOM_BT_NOT_SERIES_PARALLEL, "<Inverter"},
    {TREE("<Parallel success_count=\"2\">" A B A "</Parallel>"), SOM_BT_NOT_SERIES_PARALLEL,
     "<Par"},
    {TREE("<RetryUntilSuccessful num_attempts=\"3\"><Sequence>" A C "</Sequence>"
          "</RetryUntilSuccessful>"),
     SOM_BT_NOT_SERIES_PARALLEL, "<Retry"},
    {TREE("<AlwaysFailure/>"), SOM_BT_NOT_SERIES_PARALLEL, "<AlwaysF"},
    {TREE("<Script code=\"x:=1\"/>"), SOM_BT_BLACKBOARD_USED, "<Script"},
    {TREE("<Switch2 variable=\"{x}\">" A B "</Switch2>"), SOM_BT_BLACKBOARD_USED, "<Switch"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"{goal}\"/>"), SOM_BT_BLACKBOARD_USED, "{goal}"},
    {TREE("<Wait _skipIf=\"a==1\"/>"), SOM_BT_BLACKBOARD_USED, "a==1"},
    {TREE("<SubTree ID=\"key\" p=\"3\"/>"), SOM_BT_BLACKBOARD_USED, "3\"/>"},
    {TREE("<OpenDoor/>"), SOM_BT_NODE_UNKNOWN, "<OpenDoor"},
    {TREE("<Action ID=\"MoveToo\"/>"), SOM_BT_NODE_UNKNOWN, "<Action"},
    {TREE("<SubTree ID=\"u\"/>"), SOM_BT_TREE_UNKNOWN, "<SubTree"},
    {TREE("<SubTree ID=\"t\"/>"), SOM_BT_RECURSION, "<SubTree"},
    {"<root><BehaviorTree ID=\"t\"><Sequence>" A "<SubTree ID=\"u\"/></Sequence></BehaviorTree>"
     "<BehaviorTree ID=\"u\"><SubTree ID=\"t\"/></BehaviorTree></root>",
     SOM_BT_RECURSION, "<SubTree ID=\"t\""},
    {TREE("<Sequence><Timeout msec=\"9\">" A "</Timeout>" B "</Sequence>"), SOM_BT_MAY_FAIL,
     "<Time"},
    {TREE("<Repeat num_cycles=\"2\">" C "</Repeat>"), SOM_BT_MAY_FAIL, "<Check"},
    {TREE("<Parallel>" A "<Timeout msec=\"9\">" B "</Timeout></Parallel>"), SOM_BT_MAY_FAIL,
     "<Time"},
    {TREE("<RetryUntilSuccessful num_attempts=\"-1\"><Sequence><Timeout msec=\"9\">" A
          "</Timeout>" C "</Sequence></RetryUntilSuccessful>"),
     SOM_BT_MAY_FAIL, "<Time"},
    {"<root><BehaviorTree ID=\"t\"><Sequence><SubTree ID=\"u\"/>" A "</Sequence></BehaviorTree>"
     "<BehaviorTree ID=\"u\"><Timeout msec=\"2\">" B "</Timeout></BehaviorTree></root>",
     SOM_BT_MAY_FAIL, "<SubTree"},
    {TREE("<MoveTo target=\"1\"/>"), SOM_BT_VALUE, "<MoveTo"},
    {TREE("<MoveTo joint=\"a.bend\"/>"), SOM_BT_VALUE, "<MoveTo"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"30deg\"/>"), SOM_BT_VALUE, "30deg"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"1e12\"/>"), SOM_BT_VALUE, "1e12"},
    {TREE("<MoveTo joint=\"a.bend\" target=\"0\" timeout=\"-1\"/>"), SOM_BT_VALUE, "-1"},
    {TREE("<Repeat>" A "</Repeat>"), SOM_BT_VALUE, "<Repeat"},
    {TREE("<Repeat num_cycles=\"2.5\">" A "</Repeat>"), SOM_BT_VALUE, "2.5"},
    {TREE("<Parallel success_threshold=\"1\">" A "</Parallel>"), SOM_BT_VALUE, "1\">"},
    {TREE("<Check condition=\"\"/>"), SOM_BT_VALUE, NULL},
    {TREE("<Wait until=\"true) , wait until (true\"/>"), SOM_BT_VALUE, "true)"},
    {TREE("<Wait until=\"height &gt; 1m timeout 3s\"/>"), SOM_BT_VALUE, "height"},
    {TREE("<Wait until=\"true # x\"/>"), SOM_BT_VALUE, "true #"},
    {TREE("<Follow joint=\"a.bend\" times=\"0;1\" values=\"0\"/>"), SOM_BT_VALUE, "0;1"},
    {TREE("<Follow joint=\"a.bend\" times=\"0\" values=\"0;1\"/>"), SOM_BT_VALUE, "0\" v"},
    {TREE("<Follow joint=\"a.bend\" times=\"1;0\" values=\"0;1\"/>"), SOM_BT_VALUE, "1;0"},
    {TREE("<Follow joint=\"a.bend\"/>"), SOM_BT_VALUE, "<Follow"},
    {TREE("<Hold/>"), SOM_BT_VALUE, "<Hold"},
    {TREE("<Wait/>"), SOM_BT_VALUE, "<Wait"},
    {TREE("<Timeout msec=\"3\"><Wait/></Timeout>"), SOM_BT_VALUE, "<Wait"},
    // what the compiler says is said of the node or port it comes from
    {TREE("<Wait until=\"height &gt; 3deg\"/>"), SOM_WRONG_DIMENSION, "height"},
    {TREE("<Sequence>" A "<Wait until=\"contact(x)\"/></Sequence>"), SOM_UNKNOWN_PART,
     "contact(x)"},
    {TREE("<Wait until=\"reached\"/>"), SOM_CONDITION_NOT_SENSED, "reached"},
    {TREE("<MoveTo joint=\"c.bend\" target=\"0\"/>"), SOM_UNKNOWN_JOINT, "c.bend"},
    {TREE("<MoveTo joint=\"a.bend to 0deg, a.bend\" target=\"0\"/>"), SOM_UNKNOWN_JOINT,
     "a.bend to"},
    {TREE("<Hold joints=\"a.bend;nothing\"/>"), SOM_UNKNOWN_JOINT, "a.bend;"},
    {TREE("<Connect dock=\"grab\"/>"), SOM_UNKNOWN_DOCK, "grab"},
    {TREE("<Repeat num_cycles=\"2\"><Hold joints=\"a.bend\"/></Repeat>"),
     SOM_REPEAT_WITHOUT_DURATION, "<Repeat"},
    {"<root><BehaviorTree></root>", SOM_XML_SYNTAX, NULL},
};

START_TEST(what_has_no_meaning_is_refused) {
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        SomCode code;
        SomText words = {0}, column = {0};
        SomText text = import_tree(SOM_STR("small.som"), som_str(small), (SomStr){0},
                                   som_str(refusals[i].tree), &code, &words);
        ck_assert_msg(text.length == 0 && code == refusals[i].code, "%s: %d %s", refusals[i].tree,
                      (int)code, words.data);
        if (refusals[i].at != NULL) {
            const char *at = strstr(refusals[i].tree, refusals[i].at);
            ck_assert_ptr_nonnull(at);
            som_text_printf(&column, "tree.xml:1:%d: error", (int)(at - refusals[i].tree) + 1);
            ck_assert_msg(strstr(words.data, column.data) != NULL, "%s: %s\n%s", refusals[i].tree,
                          column.data, words.data);
        }
        som_text_free(&words);
        som_text_free(&column);
    }
}
END_TEST

START_TEST(what_is_left_out_is_said) {
    SomCode code;
    SomText words = {0};
    SomText text = import_tree(
        SOM_STR("small.som"), som_str(small), (SomStr){0},
        som_str("<root><Note/><BehaviorTree ID=\"t\"><Sequence><Wait colour=\"1\" timeout=\"1\"/>"
                "<Wait colour=\"2\" during=\"1\"/></Sequence></BehaviorTree></root>"),
        &code, &words);
    ck_assert_ptr_nonnull(strstr(words.data, "'Note' is no tree"));
    ck_assert_ptr_nonnull(strstr(words.data, "'colour' of 'Wait' means nothing here and was left "
                                             "out (2 times) [SOM5991]"));
    ck_assert_uint_gt(text.length, 0);
    ck_assert_int_eq(code, SOM_IMPORT_ELEMENT_IGNORED);
    som_text_free(&text);
    som_text_free(&words);
    ck_assert_int_eq(SOM_BT_ATTRIBUTE_IGNORED, 5991);
}
END_TEST

// Each tree runs the next one twice.
START_TEST(trees_do_not_explode) {
    SomText tree = {0}, words = {0};
    SomCode code;
    som_text_add(&tree, SOM_STR("<root>"));
    for (int i = 0; i < 60; i++) {
        som_text_printf(&tree,
                        "<BehaviorTree ID=\"t%d\"><Sequence><SubTree ID=\"t%d\"/>"
                        "<SubTree ID=\"t%d\"/></Sequence></BehaviorTree>",
                        i, i + 1, i + 1);
    }
    som_text_add(&tree, SOM_STR("<BehaviorTree ID=\"t60\">" A "</BehaviorTree></root>"));
    SomText text = import_tree(SOM_STR("small.som"), som_str(small), (SomStr){0},
                               som_text_str(&tree), &code, &words);
    ck_assert_int_eq(code, SOM_BT_TOO_MUCH);
    ck_assert_uint_eq(text.length, 0);
    som_text_clear(&tree);
    som_text_add(&tree, SOM_STR("<root>"));
    for (int i = 0; i < 2001; i++) {
        som_text_printf(&tree, "<BehaviorTree ID=\"t%d\">" A "</BehaviorTree>", i);
    }
    som_text_add(&tree, SOM_STR("</root>"));
    text = import_tree(SOM_STR("small.som"), som_str(small), (SomStr){0}, som_text_str(&tree),
                       &code, NULL);
    ck_assert_int_eq(code, SOM_BT_TOO_MUCH);
    som_text_free(&tree);
    som_text_free(&words);
}
END_TEST

START_TEST(trees_need_a_design) {
    SomCode code;
    ck_assert_int_eq(som_test_refusal("t.xml", SOM_STR(TREE(A))), SOM_BT_NO_ROBOT);
    ck_assert_int_eq(som_test_refusal("small.som", som_str(small)), SOM_BT_DESIGN_ALONE);
    SomText text = import_tree(SOM_STR("small.som"), SOM_STR("config X { part a : Nothing }\n"),
                               (SomStr){0}, SOM_STR(TREE(A)), &code, NULL);
    ck_assert(text.length == 0 && code == SOM_UNKNOWN_CONFIG);
    // one that is imported beside them will do
    static const char robot[] =
        "<configuration><modules><module><name>a</name><position>0 0 0.05 0 0 0</position></module>"
        "</modules><connections/></configuration>";
    text = import_tree(SOM_STR("robot.conf"), som_str(robot), (SomStr){0}, SOM_STR(TREE(A)), &code,
                       NULL);
    ck_assert_int_eq(code, 0);
    ck_assert_ptr_nonnull(
        strstr(text.data, "    # From tree.xml.\n    behavior t = a.bend to 0deg\n}"));
    som_text_free(&text);
}
END_TEST

SOM_SUITE("exchange/bt", every_behavior_of_the_library_returns, all_that_behaviors_say_returns,
          equal_trees_are_shared, deep_behaviors_are_cut, trees_of_others_are_read,
          what_has_no_meaning_is_refused, what_is_left_out_is_said, trees_do_not_explode,
          trees_need_a_design)
