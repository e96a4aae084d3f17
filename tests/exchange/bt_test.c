// Behavior trees: what is written is read back as the same graph.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "behaviors/compile.h"
#include "exchange/bt.h"
#include "exchange/xml.h"
#include "player/graph_text.h"
#include "tests/compose/texts.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/library_exports.h"
#include "tests/exchange/tree_import.h"

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
    SomText added = som_test_import_tree(path, text, choice, som_text_str(&xml), &code, &words);
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
    "        wait timeout 0.7s, wait during 2s timeout 1s,\n"
    "        hold m[2], hold m[1].bend, to pose up timeout 1s)\n"
    "    behavior courses = parallel(m[1].tilt follow 20deg*sin(360deg*t/2s) during 4s,\n"
    "        m[2].tilt follow [0s: 0deg, 1s: 0.4rad, 2.5s: -3deg] within 3deg,\n"
    "        m[3].tilt follow [1s: 5deg] until reached timeout 9s)\n"
    "    behavior docks = series(connect grip, disconnect grip timeout 2s, connect m[1].R to "
    "m[3].R,\n"
    "        connect grip until docked(grip) or elapsed > 3s)\n"
    "    behavior lists = any(series(one, one(20deg), one), parallel(m[2].tilt to 3deg, wait 1s), "
    "wait 2s)\n"
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

static int count_of(const char *text, const char *piece) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at += strlen(piece)) {
        count++;
    }
    return count;
}

START_TEST(equal_trees_are_shared) {
    SomText xml = written(som_test_small_design, "series(key, key(6deg), key(5deg), key)");
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"key\"/>"), 3);
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"key_2\"/>"), 1);
    ck_assert_int_eq(count_of(xml.data, "<BehaviorTree "), 3);
    ck_assert_ptr_nonnull(strstr(xml.data, "main_tree_to_execute=\"main\""));
    som_text_free(&xml);
    // what does the same under two names is two trees
    xml = written("use \"smores.m3l\"\nconfig Two {\n    part a : SMORES\n"
                  "    behavior x = a.bend to 1deg\n    behavior y = a.bend to 1deg\n}\n",
                  "series(x, y, x)");
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"x\"/>"), 2);
    ck_assert_int_eq(count_of(xml.data, "<SubTree ID=\"y\"/>"), 1);
    som_text_free(&xml);
    // an apostrophe is nothing for an ID
    xml = written("use \"smores.m3l\"\nconfig Two {\n    part a : SMORES\n"
                  "    behavior \"it's\" = a.bend to 1deg\n}\n",
                  "\"it's\"");
    ck_assert_ptr_nonnull(strstr(xml.data, "main_tree_to_execute=\"it_s\""));
    som_text_free(&xml);
    // a behavior may be called like a node of BehaviorTree.CPP, a tree may not
    xml = written(som_test_small_design, "Sleep");
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
    som_text_add(&text, (SomStr){som_test_small_design, strlen(som_test_small_design) - 2});
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

SOM_SUITE("exchange/bt", every_behavior_of_the_library_returns, all_that_behaviors_say_returns,
          equal_trees_are_shared, deep_behaviors_are_cut)
