// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/compile_input.c, behaviors/input_settings.c and inputs of player/graph.c.

#include "behaviors/compile.h"
#include "behaviors/explorer.h"
#include "behaviors/prediction.h"
#include "player/graph_text.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static const char *const seeker =
    "use \"smores.m3l\"\n"
    "config Eye is SMORES {\n"
    "    input light : number = [0s: 0, 1s: 1]\n"
    "    behavior wake = wait until input(light) > 0.5 timeout 3s\n"
    "}\n"
    "config Seeker {\n"
    "    part eye : Eye\n"
    "    part body : SMORES\n"
    "    connect eye.B to body.T\n"
    "    let top = 2\n"
    "    input bright : number = 0..top\n"
    "    input ready : condition = [0s: false, 0.5s: true]\n"
    "    input slope : angle = 30deg\n"
    "    input far : length = topic \"/far\"\n"
    "    input open : count\n"
    "    behavior ask = choose(input(bright) > 1: body.tilt to 10deg, else: wait 0.1s)\n"
    "    behavior above = choose(input(bright) > 5: body.tilt to 10deg, else: wait 0.1s)\n"
    "    behavior known = choose(input(slope) > 1deg: body.tilt to 10deg, else: wait 0.1s)\n"
    "    behavior go = wait until input(ready) timeout 2s\n"
    "    behavior all = wait until input(ready) and input(slope) > 1deg and input(far) > 1m and\\\n"
    "        input(open) > 2 and input(eye.light) > 0.5 and input(bright) > 0 timeout 1s\n"
    "}\n";

typedef struct Compiled {
    TestDesign design;
    SomConfiguration *configuration;
    SomInputSettings settings;
    SomActionGraph *graph;
} Compiled;

// `setting` may be NULL.
static Compiled compile(const char *call, const char *setting) {
    Compiled c = {.design = test_design(seeker)};
    c.configuration = test_compose(&c.design, "Seeker");
    if (setting != NULL) {
        som_input_settings_add(&c.settings, SOM_STR("given"), som_str(setting), c.design.diags);
    }
    SomCompileDef def = {.workspace = c.design.workspace,
                         .configuration = c.configuration,
                         .diags = c.design.diags,
                         .inputs = &c.settings};
    c.graph = som_compile_call(&def, som_str(call));
    return c;
}

static void discard(Compiled *c) {
    som_action_graph_destroy(c->graph);
    som_configuration_destroy(c->configuration);
    test_design_free(&c->design);
    som_input_settings_free(&c->settings);
}

static double duration_of(const char *call, const char *setting) {
    Compiled c = compile(call, setting);
    ck_assert_msg(c.graph != NULL, "%s: %s", call, test_diagnostics(&c.design));
    SomPrediction prediction = {0};
    som_prediction_play(&(SomPredictionDef){.graph = c.graph}, &prediction, c.design.diags);
    double duration = prediction.duration;
    som_prediction_free(&prediction);
    discard(&c);
    return duration;
}

START_TEST(a_prediction_reads_the_sources) {
    ck_assert_double_eq_tol(duration_of("go", NULL), 0.5, 1e-9);
    ck_assert_double_eq_tol(duration_of("eye.wake", NULL), 0.51, 1e-9);
    ck_assert_double_eq_tol(duration_of("eye.wake", "eye.light=0.6"), 0.01, 1e-9);
    ck_assert_double_eq_tol(duration_of("eye.wake", "eye.light=[0s: 0, 0.1s: 1, 0.2s: 0]"), 0.06,
                            1e-9);
    ck_assert_double_eq_tol(duration_of("eye.wake", "eye.light=0"), 3, 1e-9);
    ck_assert_double_eq_tol(duration_of("go", "ready=[0s: true]"), 0.01, 1e-9);
    ck_assert_double_eq_tol(duration_of("ask", NULL), 0.1, 1e-9); // the smaller value
}
END_TEST

static int branches_of(const char *call, const char *setting) {
    Compiled c = compile(call, setting);
    ck_assert_ptr_nonnull(c.graph);
    SomAssumptions assumed = {0};
    SomExplorer *explorer = som_explorer_create(c.graph, &assumed);
    int branch, count = 0;
    while ((branch = som_explorer_next(explorer)) >= 0) {
        SomPrediction prediction = {0};
        som_prediction_play(
            &(SomPredictionDef){.graph = c.graph, .explorer = explorer, .branch = branch},
            &prediction, c.design.diags);
        som_prediction_free(&prediction);
        count++;
    }
    som_explorer_destroy(explorer);
    discard(&c);
    return count;
}

START_TEST(a_range_is_explored_and_what_is_known_is_not) {
    ck_assert_int_eq(branches_of("ask", NULL), 2);
    ck_assert_int_eq(branches_of("ask", "bright=0..1"), 1);
    ck_assert_int_eq(branches_of("ask", "bright=1.5..9"), 1);
    ck_assert_int_eq(branches_of("ask", "bright=0.5..1.001"), 2);
    ck_assert_int_eq(branches_of("ask", "bright=1"), 1);
    ck_assert_int_eq(branches_of("above", NULL), 1);
    ck_assert_int_eq(branches_of("above", "bright=3..8"), 2);
    ck_assert_int_eq(branches_of("known", NULL), 1);
    ck_assert_int_eq(branches_of("known", "slope=0deg..10deg"), 2);
}
END_TEST

START_TEST(a_graph_keeps_its_sources_as_text) {
    Compiled c = compile("all", NULL);
    ck_assert_ptr_nonnull(c.graph);
    char text[4000], again[4000];
    size_t length = som_graph_text_write(c.graph, text, sizeof text);
    ck_assert_uint_lt(length, sizeof text);
    static const char *const lines[] = {
        "input \"ready\" steps ( 0 0 0.5 1 )\n",   "input \"slope\" constant ",
        "input \"far\" topic \"/far\"\n",          "input \"open\"\n",
        "input \"eye.light\" table ( 0 0 1 1 )\n", "input \"bright\" range 0 2\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_msg(strstr(text, lines[i]) != NULL, "%s is not in %s", lines[i], text);
    }
    SomActionGraph read;
    double memory[2000];
    size_t needed;
    SomGraphFault fault = som_graph_text_read(text, length, memory, sizeof memory, &read, &needed);
    ck_assert_int_eq(fault.kind, SOM_GRAPH_FAULT_NONE);
    som_graph_text_write(&read, again, sizeof again);
    ck_assert_str_eq(again, text);
    ck_assert_double_eq_tol(som_graph_input(&read, 4, 0.25), 0.25, 1e-15);
    ck_assert_double_eq(som_graph_input(&read, 0, 0.49), 0);
    ck_assert_double_eq(som_graph_input(&read, 0, 0.5), 1);
    ck_assert_double_eq(som_graph_input_end(&read, 0), 0.5);
    ck_assert_str_eq(som_graph_topic(&read, 2), "/far");
    ck_assert_str_eq(som_graph_topic(&read, 3), "");
    discard(&c);
}
END_TEST

START_TEST(wrong_sources_of_a_graph_are_refused) {
    static const char *const wrong[] = {
        "constant",    "constant x",        "range 1",        "range 2 1", "table",     "table ( )",
        "table ( 0 )", "table ( 1 0 1 0 )", "steps ( -1 0 )", "topic x",   "topic \"a", "ramp 0 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SomText text = {0};
        som_text_printf(&text, "somite-graph 1\ninput \"a\" %s\nwait until ( input 0 )\n",
                        wrong[i]);
        SomActionGraph read;
        double memory[500];
        size_t needed;
        SomGraphFault fault =
            som_graph_text_read(text.data, text.length, memory, sizeof memory, &read, &needed);
        ck_assert_msg(fault.kind != SOM_GRAPH_FAULT_NONE, "%s", wrong[i]);
        ck_assert_msg(fault.line == 2 || fault.line == 3, "%s: line %d", wrong[i], fault.line);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(what_is_not_declared_or_has_no_source_is_a_warning) {
    Compiled c = compile("series(wait until input(open) > 1 timeout 1s, "
                         "wait until input(dark) > 1 timeout 1s)",
                         NULL);
    ck_assert_ptr_nonnull(c.graph);
    ck_assert_str_eq(test_codes(&c.design), "15:11 3513, 1:64 3512");
    discard(&c);
    c = compile("wait until input(dark) > 1 timeout 1s", "dark=3");
    ck_assert_str_eq(test_codes(&c.design), "");
    ck_assert_double_eq(som_graph_input(c.graph, 0, 0), 3);
    discard(&c);
    c = compile("wait until input(leg.x) > 1 timeout 1s", NULL);
    ck_assert_str_eq(test_codes(&c.design), "1:18 2015");
    discard(&c);
    c = compile("wait until input(body.x) > 1 timeout 1s", NULL);
    ck_assert_str_eq(test_codes(&c.design), "1:18 2032");
    discard(&c);
    c = compile("wait until input(far) > 1 timeout 1s", NULL);
    ck_assert_str_eq(test_codes(&c.design), "1:23 2030");
    discard(&c);
}
END_TEST

SOM_SUITE("compile_input", a_prediction_reads_the_sources,
          a_range_is_explored_and_what_is_known_is_not, a_graph_keeps_its_sources_as_text,
          wrong_sources_of_a_graph_are_refused, what_is_not_declared_or_has_no_source_is_a_warning)
