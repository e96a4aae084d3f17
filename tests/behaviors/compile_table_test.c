// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/compile_table.c.

#include "base/file.h"
#include "behaviors/action_text.h"
#include "behaviors/compile.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DEG (SOM_PI / 180)

static const char *const chain = "use \"smores.m3l\"\n"
                                 "config Two { part left, right : Chain; connect left.m[1].L to "
                                 "right.m[1].L }\n"
                                 "config Chain {\n"
                                 "    part m[2] : SMORES\n"
                                 "    connect m[1].B to m[2].T\n"
                                 "    behavior walk = follow \"tables/walk.csv\" timeout 9s\n"
                                 "}\n"
                                 "config Odd {\n"
                                 "    part \"left-front\"[2] : SMORES\n"
                                 "    part \"x.y, \\\"z\\\"\", \"two words\" : SMORES\n"
                                 "    connect \"left-front\"[1].B to \"left-front\"[2].T\n"
                                 "    connect \"left-front\"[2].B to \"x.y, \\\"z\\\"\".T\n"
                                 "    connect \"x.y, \\\"z\\\"\".B to \"two words\".T\n"
                                 "    behavior walk = follow \"tables/walk.csv\" timeout 9s\n"
                                 "}\n";

typedef struct Followed {
    char folder[64];
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
    SomActionGraph *graph;
    SomText text;
} Followed;

static void save(const Followed *f, const char *name, const char *text) {
    char path[100];
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    ck_assert(som_file_save(path, som_str(text), f->diags));
}

// A design in a folder of its own, with a table beside it.
static Followed compile(const char *table, const char *choice, const char *call) {
    Followed f = {.folder = "/tmp/somite-table-XXXXXX", .diags = som_diagnostics_create()};
    ck_assert_ptr_nonnull(mkdtemp(f.folder));
    char path[100];
    snprintf(path, sizeof path, "%s/tables", f.folder);
    ck_assert(som_file_make_folder(path, f.diags));
    save(&f, "tables/walk.csv", table);
    save(&f, "a.som", chain);
    snprintf(path, sizeof path, "%s/a.som", f.folder);
    f.workspace = som_workspace_create(som_str(test_library), f.diags);
    int file = som_workspace_open(f.workspace, som_str(path));
    f.configuration = som_configuration_compose(f.workspace, file, som_str(choice), f.diags);
    ck_assert_ptr_nonnull(f.configuration);
    SomCompileDef def = {
        .workspace = f.workspace, .configuration = f.configuration, .diags = f.diags};
    f.graph = som_compile_call(&def, som_str(call));
    som_diagnostics_sort(f.diags);
    som_diagnostics_print(f.diags, 0, &f.text);
    return f;
}

static void discard(Followed *f) {
    static const char *const names[] = {"/tables/walk.csv", "/tables", "/a.som", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s%s", f->folder, names[i]);
        remove(path);
    }
    som_text_free(&f->text);
    som_action_graph_destroy(f->graph);
    som_configuration_destroy(f->configuration);
    som_workspace_destroy(f->workspace);
    som_diagnostics_destroy(f->diags);
}

START_TEST(each_column_is_a_trajectory) {
    Followed f = compile("# made by hand\r\n"
                         "t [ms], m[1].tilt [deg], m[2].left\r\n"
                         "\r\n"
                         "0, 0, 1.5\r\n"
                         "500, 30,\r\n"
                         "1000, -10, 2\r\n",
                         "Chain", "walk");
    ck_assert_ptr_nonnull(f.graph);
    ck_assert_int_eq(f.graph->action_count, 2);
    const SomAction *tilt = &f.graph->actions[0], *left = &f.graph->actions[1];
    ck_assert_str_eq(som_graph_name(f.graph, SOM_SYMBOL_DOF, tilt->target), "m[1].bend");
    ck_assert_int_eq(tilt->kind, SOM_ACTION_FOLLOW);
    ck_assert_int_eq(tilt->keyframe_count, 3);
    ck_assert_int_eq(left->keyframe_count, 2); // nothing at 500 ms
    ck_assert_double_eq(tilt->timeout, 9);
    const SomKeyframe *frames = f.graph->keyframes + tilt->first_keyframe;
    ck_assert_double_eq_tol(frames[1].time, 0.5, 1e-12);
    ck_assert_double_eq_tol(frames[1].value, -30 * DEG, 1e-12); // tilt is bend the other way round
    frames = f.graph->keyframes + left->first_keyframe;
    ck_assert_double_eq(frames[1].time, 1);
    ck_assert_double_eq(fabs(frames[1].value), 2);
    discard(&f);
}
END_TEST

// As the column calls it, with the convention of that name.
START_TEST(actions_have_the_names_of_their_columns) {
    Followed f = compile("t,m[1].tilt [deg],m[2].bend\n0,0,0\n1,120,0.5\n", "Two", "left.walk");
    ck_assert_ptr_nonnull(f.graph);
    SomAlias alias;
    int32_t first = 0;
    while (f.graph->nodes[first].kind != SOM_NODE_ACTION) {
        first++;
    }
    ck_assert_str_eq(som_graph_joint_name(f.graph, first, &alias), "left.m[1].tilt");
    ck_assert_double_eq(alias.sign, -1);
    ck_assert_str_eq(som_graph_joint_name(f.graph, first + 1, &alias), "left.m[2].bend");
    ck_assert_double_eq(alias.sign, 1);
    discard(&f);
}
END_TEST

START_TEST(tables_of_spreadsheets_are_understood) {
    Followed f =
        compile("\xEF\xBB\xBFtime (ms),m[1].bend (deg)\r\n0,0\r\n500,30\r\n", "Chain", "walk");
    ck_assert_ptr_nonnull(f.graph);
    const SomKeyframe *last = &f.graph->keyframes[f.graph->actions[0].first_keyframe + 1];
    ck_assert_double_eq_tol(last->time, 0.5, 1e-12);
    ck_assert_double_eq_tol(last->value, 30 * DEG, 1e-12);
    discard(&f);
}
END_TEST

START_TEST(joints_are_those_of_the_part) {
    Followed f = compile("t,m[2].bend\n0,0\n1,0.5\n", "Two", "right.walk");
    ck_assert_ptr_nonnull(f.graph);
    ck_assert_str_eq(som_graph_name(f.graph, SOM_SYMBOL_DOF, f.graph->actions[0].target),
                     "right.m[2].bend");
    discard(&f);
}
END_TEST

START_TEST(mistakes_have_their_places_in_the_table) {
    static const struct {
        const char *table;
        const char *place;
        const char *words;
    } cases[] = {
        {"", "a.som:6", "the table is empty"},
        {"# nothing\n\n", "a.som:6", "the table is empty"},
        {"x,m[1].bend\n0,1\n", "walk.csv:1:1", "the first column is 't', the time"},
        {"t\n0\n", "walk.csv:1:1", "the table has no joints"},
        {"t [deg],m[1].bend\n0,1\n", "walk.csv:1:1", "expected a unit of a time, found 'deg'"},
        {"t,m[1].bned\n0,1\n", "walk.csv:1:3", "did you mean 'm[1].bend'?"},
        {"t,m[1].bend [dge]\n0,1\n", "walk.csv:1:14", "'dge' is not a unit"},
        {"t,m[1].bend [mm]\n0,1\n", "walk.csv:1:3", "expected a unit of an angle, found 'mm'"},
        {"t,m[1].bend,m[1].tilt\n0,1,1\n", "walk.csv:1:13", "two columns are of 'm[1].tilt'"},
        {"t,m[1].bend,m[2].bend\n0,1,\n", "walk.csv:1:13", "this column has no values"},
        {"t,m[1].bend\n0,1\n1,x\n", "walk.csv:3:3", "'x' is not a number"},
        {"t,m[1].bend\n0,1\n1,nan\n", "walk.csv:3:3", "'nan' is not a number"},
        {"t,m[1].bend\n0,1e999\n", "walk.csv:2:3", "'1e999' is not a number"},
        {"t,m[1].bend\n-1,1\n", "walk.csv:2:1", "times begin at 0 or later"},
        {"t,m[1].bend\n0,1\n0,2\n", "walk.csv:3:1", "times rise from line to line"},
        {"t,m[1].bend\n0,1,2\n", "walk.csv:2:5", "the table has only 2 columns"},
        {"t,m[1].bend,m[2].bend\n0,1\n", "walk.csv:2:1", "this line has 2 columns instead of 3"},
        {"t,m[1].bend\n,1\n", "walk.csv:2:1", "'' is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Followed f = compile(cases[i].table, "Chain", "walk");
        ck_assert_ptr_null(f.graph);
        ck_assert_int_eq(som_diagnostics_error_count(f.diags), 1);
        ck_assert_msg(strstr(f.text.data, cases[i].place) != NULL, "%s", f.text.data);
        ck_assert_msg(strstr(f.text.data, cases[i].words) != NULL, "%s", f.text.data);
        ck_assert_ptr_nonnull(strstr(f.text.data, i < 10 ? "SOM3510" : "SOM3511"));
        discard(&f);
    }
}
END_TEST

START_TEST(all_bad_lines_are_named_but_not_thousands) {
    SomText table = {0};
    som_text_add(&table, SOM_STR("t,m[1].bend\n"));
    for (int i = 0; i < 1000; i++) {
        som_text_printf(&table, "%d,?\n", i);
    }
    Followed f = compile(table.data, "Chain", "walk");
    ck_assert_int_eq(som_diagnostics_error_count(f.diags), 20);
    ck_assert_ptr_nonnull(strstr(f.text.data, "walk.csv:21:"));
    discard(&f);
    som_text_free(&table);
}
END_TEST

START_TEST(a_table_is_read_once_and_lies_beside_the_design) {
    Followed f = compile("t,m[1].bend\n0,0\n1,1\n", "Chain", "series(walk, walk)");
    ck_assert_ptr_nonnull(f.graph);
    ck_assert_int_eq(f.graph->action_count, 2);
    discard(&f);
    f = compile("t,m[1].bend\n0,?\n", "Chain", "series(walk, walk)");
    ck_assert_int_eq(som_diagnostics_error_count(f.diags), 1); // not twice
    discard(&f);
    f = compile("", "Chain", "follow \"tables\"");
    ck_assert_ptr_null(f.graph);
    ck_assert_msg(strstr(f.text.data, "SOM3509") != NULL, "%s", f.text.data);
    discard(&f);
}
END_TEST

// As `somite play --csv` calls them, and as they are called in behaviors.
START_TEST(columns_of_odd_names_are_found) {
    Followed f = compile("t,left-front[1].bend\n0,0\n", "Odd", "walk");
    SomText header = {0};
    ck_assert_ptr_nonnull(f.graph);
    int count = f.graph->symbol_count[SOM_SYMBOL_DOF];
    som_text_add(&header, SOM_STR("t"));
    for (int i = 0; i < count; i++) {
        som_text_add(&header, SOM_STR(","));
        som_column_print(som_graph_name(f.graph, SOM_SYMBOL_DOF, i), &header);
    }
    som_text_add(&header, SOM_STR("\n0"));
    for (int i = 0; i < count; i++) {
        som_text_printf(&header, ",%d", i);
    }
    discard(&f);
    f = compile(header.data, "Odd", "walk");
    ck_assert_msg(f.graph != NULL, "%s\n%s", header.data, f.text.data);
    ck_assert_int_eq(f.graph->action_count, 16);
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(f.graph->actions[i].target, i);
    }
    discard(&f);
    f = compile("t,\"left-front\"[2].tilt [deg],\"\"\"x.y, \\\"\"z\\\"\"\"\".tilt [deg]\",\"two "
                "words\".left\n"
                "0,90,45,1\n",
                "Odd", "walk");
    ck_assert_msg(f.graph != NULL, "%s", f.text.data);
    ck_assert_double_eq_tol(f.graph->keyframes[0].value, -90 * DEG, 1e-12);
    ck_assert_double_eq_tol(f.graph->keyframes[1].value, -45 * DEG, 1e-12);
    ck_assert_double_eq(f.graph->keyframes[2].value, 1);
    discard(&f);
    som_text_free(&header);
}
END_TEST

SOM_SUITE("compile_table", each_column_is_a_trajectory, actions_have_the_names_of_their_columns,
          columns_of_odd_names_are_found, tables_of_spreadsheets_are_understood,
          joints_are_those_of_the_part, mistakes_have_their_places_in_the_table,
          all_bad_lines_are_named_but_not_thousands,
          a_table_is_read_once_and_lies_beside_the_design)
