// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/prediction_docks.c and for docks in behaviors.

#include "behaviors/compile.h"
#include "behaviors/prediction_docks.h"
#include "behaviors/static_checks.h"
#include "tests/compose/texts.h"

#include <math.h>
#include <stdio.h>

static const char *const ring =
    "use \"smores.m3l\"\n"
    "config Ring(n: count = 6) {\n"
    "    part m[n] : SMORES\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    dock ends: m[n].B to m[1].T open\n"
    "    dock side: m[i].L to m[i+2].L open for i in 2..2\n"
    "    dock m[1].L to m[2].L open\n"
    "    behavior bow = parallel(for i in 1..n: m[i].tilt to 360deg/n within 1deg)\n"
    "    behavior curl = series(bow, connect ends)\n"
    "}\n"
    "config Two {\n"
    "    part r : Ring\n"
    "    behavior b = series(r.curl, choose(docked(r.ends): wait 1s, else: wait 2s))\n"
    "}\n";

// Faces that take three seconds to close and two to open.
static const char *const atron = "use \"atron.m3l\"\n"
                                 "config Pair {\n"
                                 "    part a, b : ATRON\n"
                                 "    dock grip: a to b as 1 closed\n"
                                 "}\n";

static const char *const arms = "use \"smores.m3l\"\n"
                                "config Arms {\n"
                                "    part a, b, load : SMORES\n"
                                "    connect a.B to b.B at 0deg\n"
                                "    dock hang: b.T to load.T at 0deg closed\n"
                                "    dock other: b.T to load.B open\n"
                                "}\n";

typedef struct Played {
    TestDesign design;
    SomConfiguration *configuration;
    SomActionGraph *graph;
    SomPrediction motion;
} Played;

static Played play(const char *text, const char *choice, const char *call) {
    Played p = {.design = test_design(text)};
    p.configuration = test_compose(&p.design, choice);
    SomCompileDef def = {
        .workspace = p.design.workspace, .configuration = p.configuration, .diags = p.design.diags};
    p.graph = som_compile_call(&def, som_str(call));
    ck_assert_msg(p.graph != NULL, "%s: %s", call, test_diagnostics(&p.design));
    SomServoModel *servos = som_compile_servos(p.configuration);
    som_static_check(&(SomStaticDef){.graph = p.graph, .servos = servos}, p.design.diags);
    SomPredictionDef prediction = {.graph = p.graph,
                                   .servos = servos,
                                   .initial = p.configuration->start,
                                   .design = p.configuration,
                                   .most_time = 60};
    som_prediction_play(&prediction, &p.motion, p.design.diags);
    som_free(servos);
    return p;
}

static void discard(Played *p) {
    som_prediction_free(&p->motion);
    som_action_graph_destroy(p->graph);
    som_configuration_destroy(p->configuration);
    test_design_free(&p->design);
}

static bool says(Played *p, const char *words) {
    return strstr(test_diagnostics(&p->design), words) != NULL;
}

START_TEST(a_ring_closes_where_its_ends_meet) {
    Played p = play(ring, "", "curl");
    ck_assert_str_eq(test_codes(&p.design), "");
    ck_assert_int_eq(p.motion.status, SOM_PLAYER_COMPLETED);
    ck_assert_int_eq(p.motion.docks.count, 1);
    ck_assert(p.motion.docks.data[0].is_closed);
    ck_assert_double_gt(p.motion.docks.data[0].time, 0.3);
    ck_assert_double_eq(p.motion.docks.data[0].time, p.motion.duration);
    discard(&p);
}
END_TEST

START_TEST(behaviors_of_parts_use_their_docks) {
    Played p = play(ring, "Two", "b");
    ck_assert_str_eq(test_codes(&p.design), "");
    ck_assert_double_lt(p.motion.duration, 2); // docked: one second more, not two
    ck_assert_str_eq(som_graph_name(p.graph, SOM_SYMBOL_DOCK, 0), "r.ends");
    discard(&p);
}
END_TEST

START_TEST(a_dock_out_of_reach_waits_in_vain_and_says_why) {
    Played p = play(ring, "", "connect ends timeout 2s");
    ck_assert_double_eq_tol(p.motion.duration, 2, 1e-9);
    ck_assert_int_eq(p.motion.docks.count, 0);
    ck_assert_str_eq(test_codes(&p.design), "1:1 3033");
    ck_assert(says(&p, "'ends' does not close: 'm[6].B' and 'm[1].T' are 600 mm and 0 deg away"));
    ck_assert(says(&p, "[SOM3033]"));
    discard(&p);
    p = play(ring, "", "connect ends"); // the time-out of its type
    ck_assert_double_eq_tol(p.motion.duration, 5, 1e-9);
    discard(&p);
    p = play(ring, "", "repeat 5: connect ends timeout 1s"); // said once
    ck_assert_str_eq(test_codes(&p.design), "1:11 3033");
    discard(&p);
    p = play(arms, "", "connect other timeout 1s");
    ck_assert(says(&p, "'other' does not close: dock 'hang' holds one of its connectors"));
    discard(&p);
    p = play(ring, "", "connect ends until docked(ends)");
    ck_assert_str_eq(test_codes(&p.design), "1:1 3033");
    discard(&p);
}
END_TEST

START_TEST(faces_take_their_time) {
    Played p = play(atron, "", "series(disconnect grip, wait 1s, connect grip)");
    ck_assert_str_eq(test_codes(&p.design), "");
    ck_assert_int_eq(p.motion.docks.count, 2);
    ck_assert_double_eq_tol(p.motion.docks.data[0].time, 2, 1e-9);
    ck_assert(!p.motion.docks.data[0].is_closed);
    ck_assert_double_eq_tol(p.motion.docks.data[1].time, 2 + 1 + 3, 1e-9);
    ck_assert_double_eq_tol(p.motion.duration, 6, 1e-9);
    discard(&p);
    p = play(atron, "", "series(disconnect grip, connect grip timeout 1s)");
    ck_assert(says(&p, "'grip' does not close: it takes 3 s"));
    discard(&p);
}
END_TEST

START_TEST(what_is_let_go_must_be_met_again) {
    // the load stays behind while b tilts away, and is in reach when b is back
    Played p = play(arms, "",
                    "series(disconnect hang, b.tilt to 45deg within 1deg, connect hang timeout 1s, "
                    "b.tilt to 0deg within 1deg, connect hang timeout 2s)");
    ck_assert_str_eq(test_codes(&p.design), "1:54 3033");
    ck_assert_int_eq(p.motion.docks.count, 2);
    ck_assert(p.motion.docks.data[1].is_closed);
    discard(&p);
}
END_TEST

START_TEST(a_closed_ring_that_is_bent_is_torn) {
    Played p = play(ring, "", "series(curl, m[3].tilt to 0deg)");
    ck_assert_str_eq(test_codes(&p.design), "1:1 3034");
    ck_assert(says(&p, "is torn open by") && says(&p, "[SOM3034]"));
    discard(&p);
    p = play(ring, "", "series(curl, disconnect ends, m[3].tilt to 0deg)");
    ck_assert_str_eq(test_codes(&p.design), "");
    discard(&p);
}
END_TEST

START_TEST(docks_are_named_by_name_number_or_connectors) {
    Played p = play(ring, "",
                    "parallel(connect m[1].T to m[6].B timeout 1s, connect side[2] timeout 1s, "
                    "connect m[2].L to m[1].L timeout 1s)");
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(p.graph->actions[i].target, i);
        ck_assert_int_eq(p.graph->actions[i].kind, SOM_ACTION_CONNECT);
    }
    ck_assert_str_eq(som_graph_name(p.graph, SOM_SYMBOL_DOCK, 1), "side[2]");
    ck_assert_str_eq(som_graph_name(p.graph, SOM_SYMBOL_DOCK, 2), "m[1].L to m[2].L");
    discard(&p);
}
END_TEST

START_TEST(a_dock_cannot_close_and_open_at_once) {
    Played p = play(ring, "", "parallel(connect ends, series(wait 1s, disconnect ends))");
    ck_assert(says(&p, "dock 'ends' is commanded differently by two actions"));
    discard(&p);
}
END_TEST

START_TEST(names_of_docks_are_checked_before_they_are_played) {
    TestDesign design = test_design("use \"smores.m3l\"\n"
                                    "config A {\n"
                                    "    part a, b : SMORES\n"
                                    "    connect a.T to b.B\n"
                                    "    dock grip: a.L to b.L open\n"
                                    "    behavior late(t: time) = series(wait t, connect gripp)\n"
                                    "}\n");
    som_workspace_check(design.workspace, design.file);
    ck_assert_str_eq(test_codes(&design), "6:53 3508");
    ck_assert_ptr_nonnull(strstr(test_diagnostics(&design), "did you mean 'grip'?"));
    test_design_free(&design);
}
END_TEST

SOM_SUITE("prediction_docks", a_ring_closes_where_its_ends_meet, behaviors_of_parts_use_their_docks,
          a_dock_out_of_reach_waits_in_vain_and_says_why, faces_take_their_time,
          what_is_let_go_must_be_met_again, a_closed_ring_that_is_bent_is_torn,
          docks_are_named_by_name_number_or_connectors, a_dock_cannot_close_and_open_at_once,
          names_of_docks_are_checked_before_they_are_played)
