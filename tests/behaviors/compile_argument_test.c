// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/compile_argument.c and behaviors/parameter_places.c: joints and parts as
// parameters, and lets that name them.

#include "behaviors/behavior_samples.h"
#include "behaviors/compile.h"
#include "behaviors/parameter_places.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <string.h>

#define DEG (SOM_PI / 180)

static const char *const quad =
    "use \"smores.m3l\"\n"
    "config Leg {\n"
    "    part hip, foot : SMORES\n"
    "    connect hip.B to foot.T\n"
    "    let knee = foot.tilt\n"
    "    pose bent { knee = 20deg }\n"
    "    behavior kick(j: joint) = j to 10deg\n"
    "}\n"
    "config Quad {\n"
    "    part body : SMORES\n"
    "    part leg[2] : Leg\n"
    "    connect body.L to leg[1].hip.T\n"
    "    connect body.R to leg[2].hip.T\n"
    "    let front = leg[1]\n"
    "    let knee = front.knee\n"
    "    pose up { knee = 30deg; leg[2].knee = 40deg }\n"
    "    start up\n"
    "    behavior step(j: joint, a: angle = 5deg) = series(j to a, wait until j > 2*a timeout 1s)\n"
    "    behavior twice(j: hinge = knee) = series(step(j), step(a = 7deg, j = j))\n"
    "    behavior wave(l: Leg) = parallel(l.knee to 10deg, l to pose bent, hold l)\n"
    "    behavior turn(m: SMORES) = m.left spin 10deg/s during 1s\n"
    "    behavior all = parallel(for i in 1..2: step(leg[i].knee))\n"
    "}\n";

typedef struct Compiled {
    TestDesign design;
    SomConfiguration *configuration;
    SomActionGraph *graph;
} Compiled;

static Compiled compile(const char *call) {
    Compiled c = {.design = test_design(quad)};
    c.configuration = test_compose(&c.design, "Quad");
    SomCompileDef def = {
        .workspace = c.design.workspace, .configuration = c.configuration, .diags = c.design.diags};
    c.graph = som_compile_call(&def, som_str(call));
    return c;
}

static void discard(Compiled *c) {
    som_action_graph_destroy(c->graph);
    som_configuration_destroy(c->configuration);
    test_design_free(&c->design);
}

static void assert_target(const Compiled *c, int action, const char *dof, double degrees) {
    ck_assert_msg(c->graph != NULL, "nothing was compiled");
    ck_assert_int_lt(action, c->graph->action_count);
    const SomAction *a = &c->graph->actions[action];
    ck_assert_str_eq(som_graph_name(c->graph, SOM_SYMBOL_DOF, a->target), dof);
    ck_assert_double_eq_tol(a->value, degrees * DEG, 1e-12);
}

START_TEST(one_behavior_moves_the_joint_of_each_call) {
    Compiled c = compile("all");
    assert_target(&c, 0, "leg[1].foot.bend", -5); // tilt counts the other way round
    assert_target(&c, 2, "leg[2].foot.bend", -5);
    discard(&c);
    c = compile("series(step(body.bend), twice, twice(leg[2].hip.tilt))");
    assert_target(&c, 0, "body.bend", 5);
    assert_target(&c, 2, "leg[1].foot.bend", -5);
    assert_target(&c, 4, "leg[1].foot.bend", -7);
    assert_target(&c, 6, "leg[2].hip.bend", -5);
    discard(&c);
}
END_TEST

START_TEST(a_part_is_given_with_all_it_has) {
    Compiled c = compile("series(wave(front), wave(leg[2]), turn(body), front.kick(leg[2].knee))");
    assert_target(&c, 0, "leg[1].foot.bend", -10);
    assert_target(&c, 1, "leg[1].foot.bend", -20);
    const SomAction *actions = c.graph->actions;
    int count = c.graph->action_count;
    ck_assert_str_eq(som_graph_name(c.graph, SOM_SYMBOL_DOF, actions[count - 2].target),
                     "body.left");
    assert_target(&c, count - 1, "leg[2].foot.bend", -10);
    discard(&c);
}
END_TEST

START_TEST(lets_name_joints_in_poses_and_of_parts) {
    Compiled c = compile("series(leg[2].knee to 3deg, knee to 4deg until knee > 1deg)");
    assert_target(&c, 0, "leg[2].foot.bend", -3);
    assert_target(&c, 1, "leg[1].foot.bend", -4);
    const SomConfiguration *q = c.configuration;
    int first = som_configuration_find_dof(q, SOM_STR("leg[1].foot.bend"), NULL);
    int second = som_configuration_find_dof(q, SOM_STR("leg[2].foot.bend"), NULL);
    ck_assert_double_eq_tol(q->start[first], -30 * DEG, 1e-12);
    ck_assert_double_eq_tol(q->start[second], -40 * DEG, 1e-12);
    discard(&c);
}
END_TEST

START_TEST(what_does_not_fit_is_reported_at_the_call) {
    static const struct {
        const char *call, *codes;
    } cases[] = {{"step(body)", "1:6 2039"},
                 {"step(leg[1])", "1:6 2039"},
                 {"step(5deg)", "1:6 2039"},
                 {"step", "1:1 2034"},
                 {"twice(body.left)", "1:7 2039"},
                 {"wave(body)", "1:6 2039"},
                 {"wave(knee)", "1:6 2039"},
                 {"wave(leg)", "1:6 2017"},
                 {"wave(leg[3])", "1:9 2016"},
                 {"turn(leg[1])", "1:6 2039"},
                 {"turn(m = leg[1].foot.tilt)", "1:10 2039"},
                 {"step(body.blend)", "1:11 2019"},
                 {"step(knee, knee)", "1:12 2032"},
                 {"step(knee.x)", "1:11 2015"},
                 {"step(front[1])", "1:11 2017"},
                 {"step(knee, j = knee)", "1:12 2034"},
                 {"step(knee, 3mm)", "1:12 2030"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compiled c = compile(cases[i].call);
        ck_assert_ptr_null(c.graph);
        ck_assert_msg(strcmp(test_codes(&c.design), cases[i].codes) == 0, "%s: %s", cases[i].call,
                      test_codes(&c.design));
        discard(&c);
    }
}
END_TEST

START_TEST(an_error_in_the_behavior_is_reported_where_the_joint_is_given) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A is SMORES {\n"
                                    "    behavior step(j: joint) = j to 3mm\n"
                                    "    behavior go = series(step(tilt), step(left))\n"
                                    "}\n");
    SomConfiguration *c = test_compose(&design, "");
    som_compile_check(
        &(SomCompileDef){.workspace = design.workspace, .configuration = c, .diags = design.diags});
    ck_assert_str_eq(test_codes(&design), "4:26 2034, 4:38 2034");
    ck_assert_ptr_nonnull(strstr(test_diagnostics(&design), "'j' is declared here"));
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(places_that_fit_are_listed) {
    Compiled c = compile("hold");
    SomCompileDef def = {
        .workspace = c.design.workspace, .configuration = c.configuration, .diags = c.design.diags};
    static const struct {
        const char *behavior, *places, *sample;
    } cases[] = {
        {"twice", "", "twice"},
        {"wave", "leg[1] leg[2] ", "wave(leg[1])"},
        {"turn", "body leg[1].hip leg[1].foot leg[2].hip leg[2].foot ", "turn(body)"},
        {"leg[2].kick", "", "leg[2].kick(leg[2].hip."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int count,
            behavior = som_configuration_find_behavior(c.configuration, som_str(cases[i].behavior));
        SomText all = {0}, path = {0}, sample = {0};
        SomParameterPlaces places = {.configuration = c.configuration,
                                     .parameter = som_compile_parameters(&def, behavior, &count)};
        while (som_parameter_places_next(&places, &path)) {
            som_text_printf(&all, "%s ", path.data);
        }
        som_behavior_print_sample(&def, behavior, &sample);
        ck_assert_msg(*cases[i].places == '\0' || strcmp(all.data, cases[i].places) == 0, "%s",
                      all.data);
        ck_assert_msg(strncmp(sample.data, cases[i].sample, strlen(cases[i].sample)) == 0, "%s",
                      sample.data);
        som_text_free(&all);
        som_text_free(&path);
        som_text_free(&sample);
    }
    discard(&c);
}
END_TEST

SOM_SUITE("compile_argument", one_behavior_moves_the_joint_of_each_call,
          a_part_is_given_with_all_it_has, lets_name_joints_in_poses_and_of_parts,
          what_does_not_fit_is_reported_at_the_call,
          an_error_in_the_behavior_is_reported_where_the_joint_is_given, places_that_fit_are_listed)
