// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/static_limits.c, static_set_points.c and static_reached.c.

#include "base/number.h"
#include "behaviors/graph_builder.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"
#include "tests/player/graph_of_text.h"
#include "tests/player/random_graph.h"

#include <math.h>

// With both joints at 0 at first, each text names the excesses of relative moves as
// "NODE: FROM TO RUN NEAREST", with '~' before a set-point that is only a bound.
static void expect_excesses(const char *tree, bool is_start_known, const char *expected) {
    const SomServoModel servos[] = {{.low = -1, .high = 1, .most_speed = 2}, {.most_speed = 1}};
    const double start[] = {0, 0};
    TestGraph read = test_graph(tree);
    SomStaticDef def = {
        .graph = &read.graph, .servos = servos, .initial = is_start_known ? start : NULL};
    SomStaticExcesses excesses = {0};
    som_static_excesses(&def, &excesses);
    SomText text = {0};
    som_text_add(&text, SOM_STR(""));
    for (int i = 0; i < excesses.found.count; i++) {
        const SomStaticExcess *e = &excesses.found.data[i];
        som_text_printf(&text, "%s%d: %s", i > 0 ? ", " : "", e->node, e->is_exact ? "" : "~");
        const double values[] = {e->from, e->to, e->run};
        for (int k = 0; k < 3; k++) {
            som_text_rounded(&text, values[k], 6);
            som_text_add(&text, k < 2 ? SOM_STR(" ") : SOM_STR(""));
        }
        if (!isnan(e->nearest)) {
            som_text_add(&text, SOM_STR(" "));
            som_text_rounded(&text, e->nearest, 6);
        }
    }
    ck_assert_msg(som_str_equal(som_text_str(&text), som_str(expected)), "%s: %s instead of %s",
                  tree, text.data, expected);
    som_text_free(&text);
    som_array_free(&excesses.found);
    test_graph_free(&read);
}

START_TEST(ways_are_added_up) {
    expect_excesses("series relative 0 0.5 relative 0 0.5 end", true, "");
    expect_excesses("series relative 0 0.5 relative 0 0.6 at 1 3 4 end", true, "2: 0.5 1.1 1 0.5");
    expect_excesses("series position 0 0.8 relative 0 0.3 at 1 3 4 end", true, "2: 0.8 1.1 1 0.2");
    expect_excesses("series relative 0 0.5 position 0 0 relative 0 0.6 end", true, "");
    expect_excesses("series relative 0 -0.9 relative 0 1.8 end", true, "");
    expect_excesses("series relative 1 50 relative 1 50 end", true, "");
    // what begins beyond only goes on; what comes back and leaves again does not
    expect_excesses("series relative 0 1.5 relative 0 0.5 relative 0 -1.5 relative 0 1 end", true,
                    "1: 0 1.5 1, 4: 0.5 1.5 1");
    // one statement of two actions
    expect_excesses("series relative 0 0.6 at 1 3 4 relative 0 0.6 at 1 3 4 end", true,
                    "2: 0.6 1.2 1 0.5");
}
END_TEST

START_TEST(ways_of_repetitions_are_multiplied) {
    expect_excesses("repeat 5 relative 0 0.2 end", true, "");
    expect_excesses("repeat 6 relative 0 0.2 at 1 3 4 end", true, "1: 1 1.2 6 0.166");
    expect_excesses("repeat 2147483647 relative 0 0.2 at 1 3 4 end", true, "1: 1 1.2 6");
    expect_excesses("repeat 1000000 repeat 1000000 relative 0 1e-9 at 1 3 4 end end", true,
                    "2: 1.00005 1.00005 1000050000");
    expect_excesses("repeat 3 repeat 4 relative 0 -0.1 at 1 3 4 end end", true,
                    "2: -1 -1.1 11 -0.083");
    expect_excesses("repeat 9 series relative 0 0.5 at 1 3 4 relative 0 -0.4 at 1 5 6 end end",
                    true, "2: 0.6 1.1 7 0.466");
    expect_excesses("repeat 3 series position 0 0 repeat 5 relative 0 0.25 at 1 3 4 end end end",
                    true, "4: 1 1.25 5 0.2");
    // from the second pass on it begins where the first one ended
    expect_excesses("repeat 3 series relative 0 0.6 at 1 3 4 position 0 0.5 end end", true,
                    "2: 0.5 1.1 2 0.5");
    expect_excesses("repeat 0 relative 0 1.5 end", true, "");
    expect_excesses("repeat forever series relative 0 0.1 relative 0 0.2 relative 0 -0.3 end end",
                    true, "");
    expect_excesses("repeat forever relative 0 0.3 at 1 3 4 end", true, "1: 0.9 1.2 4");
    expect_excesses(
        "repeat forever series relative 0 0.3 at 1 3 4 relative 0 -0.2 at 1 5 6 end end", true,
        "2: 0.8 1.1 9 0.2");
    expect_excesses("repeat forever relative 1 0.3 end", true, "");
}
END_TEST

START_TEST(ways_that_something_decides_are_not_claimed) {
    static const char *const silent[] = {
        "repeat 5 choose relative 0 0.5 when ( contact 0 ) relative 0 -0.5 end end",
        "choose series when ( contact 0 ) relative 0 0.8 relative 0 0.8 end end",
        "series choose relative 0 0.8 when ( contact 0 ) end relative 0 0.8 end",
        "repeat 20 until ( contact 0 ) relative 0 0.2 end",
        "repeat forever until ( elapsed number 2 > ) relative 0 0.2 end",
        "any repeat 20 relative 0 0.2 end wait until ( contact 0 ) end",
        "series any relative 0 0.9 wait until ( contact 0 ) end relative 0 0.9 end",
        "series velocity 0 1 during 1 relative 0 0.9 end",
        "series relative 0 0.9 timeout 0.1 hold 0 relative 0 0.9 end",
        "series follow 0 ( 0 0 1 0.9 ) timeout 0.5 relative 0 0.5 end",
        "series wait at 1 3 4 repeat 9 relative 0 0.9 end end",
        "repeat 9 series relative 0 0.9 wait end end",
        "repeat forever series relative 0 0.2 wait until ( contact 0 ) end end",
        "parallel relative 0 0.9 relative 0 0.9 end",
        "any series relative 0 0.9 relative 0 0.9 end hold 1 end",
    };
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        expect_excesses(silent[i], true, "");
    }
    expect_excesses("relative 0 1.5", false, "");
    expect_excesses("repeat 3 relative 0 0.9 end", false, "1: ~0.8 1.7 3");
    expect_excesses("relative 0 2.1", false, "0: ~-1 1.1 1");
    expect_excesses("choose relative 0 -2.1 when ( contact 0 ) end", true, "1: ~1 -1.1 0");
    // decided, or decided in time
    expect_excesses("series choose relative 0 0.8 end relative 0 0.8 end", true, "3: 0.8 1.6 1");
    expect_excesses("series choose relative 0 0.8 when ( contact 0 ) relative 0 0.6 end "
                    "relative 0 0.5 end",
                    true, "4: ~0.6 1.1 1");
    expect_excesses("any repeat 6 relative 0 0.2 end wait during 60 end", true, "2: 1 1.2 6");
    expect_excesses("series follow 0 ( 0 0 1 0.9 ) during 1 relative 0 0.5 end", true,
                    "2: 0.9 1.4 1");
    expect_excesses("series wait until ( contact 0 ) repeat 6 relative 0 0.2 end end", true,
                    "3: 1 1.2 6");
    expect_excesses("parallel repeat forever relative 0 0.3 end wait during 1 end", true,
                    "2: 0.9 1.2 4");
}
END_TEST

// ---- random graphs

// Whether that run of the node, or any if it is not known, sent its joint there.
static bool was_sent(const SomPrediction *p, const SomStaticExcess *e) {
    double run = 0;
    for (int i = 0; i < p->events.count; i++) {
        const SomPredictionEvent *event = &p->events.data[i];
        bool is_start = event->node == e->node && !event->is_end;
        run += is_start;
        if (is_start && (run == e->run || e->run == 0) && fabs(event->target - e->to) < 1e-9) {
            return true;
        }
    }
    return false;
}

START_TEST(excesses_that_are_claimed_come_true_in_every_motion) {
    SomTestRandom random = {71};
    RandomGraphDef def = {.dofs = 3, .docks = 1, .contacts = 2, .inputs = 2, .most_actions = 20};
    int wrong = 0, claims = 0, graphs = som_test_count(4000, 200000);
    static const char source[400] = "";
    for (int i = 0; i < graphs; i++) {
        SomActionGraph *g = random_graph(&random, &def);
        SomServoModel servos[3] = {{0}};
        double initial[3];
        for (int d = 0; d < 3; d++) {
            servos[d] = (SomServoModel){.low = -0.75, .high = 0.75, .most_speed = 3};
            initial[d] = 0.25 * som_test_int(&random, -3, 3);
        }
        SomStaticDef checked = {.graph = g, .servos = servos, .initial = initial, .tick = 0.01};
        SomStaticExcesses excesses = {0};
        som_static_excesses(&checked, &excesses);
        SomDiagnostics *diags = som_diagnostics_create();
        som_diagnostics_add_source(diags, SOM_STR("random.som"), (SomStr){source, sizeof source});
        SomPrediction p = {0};
        bool is_played =
            excesses.found.count > 0 && !random_graph_has_conflicts(g) &&
            som_prediction_play(&(SomPredictionDef){.graph = g,
                                                    .servos = servos,
                                                    .initial = initial,
                                                    .tick = checked.tick,
                                                    .most_time = 20,
                                                    .assumed = {.contact = i % 2 == 0}},
                                &p, diags);
        for (int k = 0; is_played && k < excesses.found.count; k++) {
            const SomStaticExcess *e = &excesses.found.data[k];
            claims += e->is_exact;
            wrong += e->is_exact && !was_sent(&p, e);
        }
        som_prediction_free(&p);
        som_diagnostics_destroy(diags);
        som_array_free(&excesses.found);
        som_action_graph_destroy(g);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(claims, graphs / 100);
}
END_TEST

SOM_SUITE("behaviors/static_limits", ways_are_added_up, ways_of_repetitions_are_multiplied,
          ways_that_something_decides_are_not_claimed,
          excesses_that_are_claimed_come_true_in_every_motion)
