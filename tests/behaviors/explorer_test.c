// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/explorer.c and behaviors/sensor_values.c.

#include "behaviors/explorer.h"
#include "behaviors/graph_builder.h"
#include "behaviors/sensor_values.h"
#include "tests/player/graph_of_text.h"
#include "tests/player/random_graph.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define TICK 0.1
#define MOST_TIME 12
#define MOST_BRANCHES 300

static const SomServoModel bounded[] = {{.most_speed = 1}, {.most_speed = 2}};
// so that no joint is exactly as far from its target as counts as arrived
static const SomServoModel uneven[] = {{.most_speed = 1.0371}, {.most_speed = 1.9137}};

// All motions of a graph, as far as they are explored.
typedef struct Explored {
    SomExplorer *explorer;
    SomPrediction motions[MOST_BRANCHES];
    int count;
    bool is_whole; // all of them, each to its end
} Explored;

static Explored *explore(const SomActionGraph *graph, const SomServoModel *servos) {
    static const char source[100] = "";
    Explored *e = som_alloc(sizeof *e);
    SomAssumptions assumed = {0};
    e->explorer = som_explorer_create(graph, &assumed);
    SomDiagnostics *diags = som_diagnostics_create();
    som_diagnostics_add_source(diags, SOM_STR("x.som"), (SomStr){source, sizeof source});
    SomPredictionDef def = {.graph = graph,
                            .servos = servos,
                            .explorer = e->explorer,
                            .tick = TICK,
                            .most_time = MOST_TIME};
    e->is_whole = true;
    int branch = 0;
    while (e->count < MOST_BRANCHES && (branch = som_explorer_next(e->explorer)) >= 0) {
        def.branch = branch;
        SomPrediction *motion = &e->motions[e->count++];
        som_prediction_play(&def, motion, diags);
        e->is_whole = e->is_whole && !motion->is_cut;
    }
    e->is_whole = e->is_whole && branch < 0 && som_explorer_is_exact(e->explorer) &&
                  som_explorer_count(e->explorer) == e->count;
    som_diagnostics_destroy(diags);
    return e;
}

static void discard(Explored *e) {
    for (int i = 0; i < e->count; i++) {
        som_prediction_free(&e->motions[i]);
    }
    som_explorer_destroy(e->explorer);
    som_free(e);
}

// Branches of a graph, all of which are known.
static int count_branches(const char *tree) {
    TestGraph read = test_graph(tree);
    Explored *e = explore(&read.graph, bounded);
    ck_assert_msg(e->is_whole, "%s", tree);
    int count = e->count;
    discard(e);
    test_graph_free(&read);
    return count;
}

START_TEST(what_asks_no_sensor_has_one_branch) {
    ck_assert_int_eq(count_branches("series position 0 0.5 wait during 1 end"), 1);
}
END_TEST

START_TEST(both_ways_of_a_choice_are_branches) {
    ck_assert_int_eq(count_branches("choose position 0 0.5 when ( contact 0 ) "
                                    "position 1 0.5 end"),
                     2);
    // one sensor is one thing for the whole tick
    ck_assert_int_eq(count_branches("choose position 0 0.5 when ( contact 0 ) "
                                    "position 1 0.5 when ( contact 0 not ) end"),
                     2);
    ck_assert_int_eq(count_branches("choose position 0 0.5 when ( input 0 number 1 > ) "
                                    "position 1 0.5 when ( input 0 number -1 < ) "
                                    "wait during 1 end"),
                     3);
}
END_TEST

START_TEST(a_wait_at_rest_may_end_at_any_tick_and_goes_on_alike) {
    ck_assert_int_eq(count_branches("series wait until ( contact 0 ) timeout 5 position 0 1 end"),
                     1);
    ck_assert_int_eq(count_branches("series wait until ( contact 0 ) position 0 1 end"), 2);
}
END_TEST

START_TEST(a_move_may_end_at_every_tick) {
    // 0.5 at 1 per second, ticks of 0.1: it goes on for four more ticks, or arrives
    int count =
        count_branches("series position 0 0.5 until ( contact 0 ) timeout 3 position 1 0.5 end");
    ck_assert_int_ge(count, 5);
    ck_assert_int_le(count, 7);
}
END_TEST

START_TEST(what_repeats_itself_ends_where_it_does) {
    TestGraph read = test_graph("repeat forever series position 0 0.5 within 0.001 "
                                "position 0 0 within 0.001 end end");
    Explored *e = explore(&read.graph, bounded);
    const SomPrediction *motion = &e->motions[0];
    ck_assert(e->is_whole && e->count == 1 && motion->returns && motion->return_branch == 0);
    ck_assert_double_eq_tol(motion->duration - motion->return_time, 1, 1e-9);
    discard(e);
    test_graph_free(&read);
    // each pass goes farther
    read = test_graph("repeat forever relative 0 0.3 within 0.001 end");
    e = explore(&read.graph, bounded);
    ck_assert(!e->is_whole && e->motions[0].is_cut && !e->motions[0].returns);
    discard(e);
    test_graph_free(&read);
    // the behavior knows what time it is
    read = test_graph("repeat forever wait until ( time number 1000 > ) during 1 end");
    e = explore(&read.graph, bounded);
    ck_assert(!e->is_whole);
    discard(e);
    test_graph_free(&read);
}
END_TEST

START_TEST(a_choice_in_an_endless_repetition_is_two_branches) {
    ck_assert_int_le(count_branches("repeat forever choose "
                                    "series when ( contact 0 ) position 0 0.5 within 0.001 "
                                    "position 0 0 within 0.001 end "
                                    "series position 1 0.5 within 0.001 position 1 0 within 0.001 "
                                    "end end end"),
                     6);
}
END_TEST

START_TEST(comparisons_with_what_is_not_known_turn_out_either_way) {
    ck_assert_int_eq(count_branches("choose position 0 0.5 when ( input 0 effort 0 > ) end"), 2);
    ck_assert_int_eq(
        count_branches("choose position 0 0.5 when ( input 0 effort 0 * number 0.5 > ) end"), 2);
    // two that contradict each other count as any two
    ck_assert_int_eq(count_branches("choose position 0 0.5 when ( input 0 effort 0 > ) "
                                    "position 1 0.5 when ( input 0 effort 0 <= ) end"),
                     3);
    TestGraph read = test_graph("choose position 0 0.5 when ( input 0 effort 0 > ) end");
    Explored *e = explore(&read.graph, bounded);
    SomText text = {0};
    som_explorer_print(e->explorer, NULL, 1, &text);
    ck_assert_msg(som_str_ends_with(som_text_str(&text), SOM_STR(" holds at 0 s")), "%s",
                  text.data);
    som_text_free(&text);
    discard(e);
    test_graph_free(&read);
}
END_TEST

START_TEST(a_truth_that_is_computed_is_not_known) {
    TestGraph read = test_graph("choose position 0 0.5 when ( input 0 effort 0 + ) end");
    Explored *e = explore(&read.graph, bounded);
    ck_assert(!som_explorer_is_exact(e->explorer) && !e->is_whole);
    discard(e);
    test_graph_free(&read);
}
END_TEST

START_TEST(branches_are_named_by_what_is_otherwise) {
    TestGraph read = test_graph("series wait during 0.5 choose position 0 0.5 when ( contact 0 ) "
                                "position 1 0.5 end end");
    Explored *e = explore(&read.graph, bounded);
    SomText text = {0};
    som_explorer_print(e->explorer, NULL, 1, &text);
    ck_assert_str_eq(text.data, "'foot' touches at 0.5 s");
    som_text_free(&text);
    discard(e);
    test_graph_free(&read);
}
END_TEST

static void check_values(const char *condition, int sensor_kind, int expected) {
    SomText tree = {0};
    som_text_printf(&tree, "choose wait during 1 when ( %s ) end", condition);
    TestGraph read = test_graph(tree.data);
    SomAssumptions assumed = {0};
    SomSensorValues *values = som_sensor_values_create(&read.graph, &assumed);
    SomInstruction in = {.kind = (uint8_t)sensor_kind};
    int count, sensor = som_sensor_find(values, &in);
    const double *all = som_sensor_values_of(values, sensor, &count);
    ck_assert_msg(count == expected && all[0] == 0 && som_sensor_is_known(values, sensor), "%s: %d",
                  condition, count);
    som_sensor_values_destroy(values);
    test_graph_free(&read);
    som_text_free(&tree);
}

START_TEST(there_is_one_value_for_each_way) {
    check_values("contact 0", SOM_INSTRUCTION_CONTACT, 2);
    check_values("effort 0 number 1 >", SOM_INSTRUCTION_EFFORT, 2);
    check_values("effort 0 abs number 1 >", SOM_INSTRUCTION_EFFORT, 2);
    check_values("effort 0 number 1 == effort 0 number 2 > or", SOM_INSTRUCTION_EFFORT, 3);
    check_values("tilt number 0.1 >", SOM_INSTRUCTION_TILT, 2);
    check_values("tilt number 0 <", SOM_INSTRUCTION_TILT, 1); // never
    check_values("input 0", SOM_INSTRUCTION_INPUT, 2);
    check_values("input 0 number 0 > not", SOM_INSTRUCTION_INPUT, 2);
}
END_TEST

// ---- an oracle: whatever the sensors are from tick to tick, the explorer was there

typedef struct Trace {
    SomTestRandom *random;
    double known[64]; // of this tick, by instruction and index
    bool is_known[64];
} Trace;

static double draw_sensor(void *context, const SomInstruction *what) {
    static const double values[] = {-2, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 2};
    Trace *trace = context;
    int at = (what->kind * 8 + what->index) % 64;
    if (!trace->is_known[at]) {
        trace->is_known[at] = true;
        double value = values[som_test_int(trace->random, 0, 10)];
        value = what->kind == SOM_INSTRUCTION_CONTACT ? value > 0 : value;
        trace->known[at] = what->kind == SOM_INSTRUCTION_TILT ? fabs(value) : value;
    }
    return trace->known[at];
}

// Whether a motion was in this posture with these actions.
static bool was_there(const Explored *e, const double *positions, const int32_t *active,
                      int32_t count) {
    for (int i = 0; i < e->count; i++) {
        const SomPrediction *m = &e->motions[i];
        for (int k = 0; k < m->times.count; k++) {
            int actions;
            const int32_t *own = som_prediction_active(m, k, &actions);
            const double *at = m->positions.data + 2 * k;
            if (actions == count && fabs(at[0] - positions[0]) < 1e-6 &&
                fabs(at[1] - positions[1]) < 1e-6 &&
                (count == 0 || memcmp(own, active, sizeof *own * (size_t)count) == 0)) {
                return true;
            }
        }
    }
    return false;
}

static void follow_trace(const SomActionGraph *graph, const Explored *e, SomTestRandom *random) {
    size_t size = som_player_size(graph, 0);
    void *memory = som_alloc(size);
    SomPlayer *player = som_player_init(memory, size, graph, 0, NULL);
    SomServo servos[2] = {som_servo_at(0), som_servo_at(0)};
    SomDockDriver driver = {0};
    SomDockModel model = {0};
    bool is_slow = som_test_int(random, 0, 1) == 1; // sensors seldom change
    Trace trace = {.random = random};
    for (int i = 0; i < 60; i++) {
        double positions[2] = {servos[0].position, servos[1].position};
        double speeds[2] = {servos[0].speed, servos[1].speed};
        uint8_t docks[1] = {driver.state};
        SomSenses senses = {.positions = positions,
                            .speeds = speeds,
                            .docks = docks,
                            .ask = draw_sensor,
                            .context = &trace};
        if (!is_slow || som_test_int(random, 0, 9) == 0) {
            memset(trace.is_known, 0, sizeof trace.is_known);
        }
        SomPlayerStatus status = som_player_step(player, TICK, &senses);
        int32_t count;
        const int32_t *active = som_player_active(player, &count);
        ck_assert(was_there(e, positions, active, count));
        if (status == SOM_PLAYER_COMPLETED) {
            break;
        }
        for (int k = 0; k < 2; k++) {
            som_servo_step(&uneven[k], &servos[k], &som_player_set_points(player)[k], TICK);
        }
        som_dock_driver_step(&model, &driver, (SomDockCommand)som_player_dock_commands(player)[0],
                             0, TICK);
    }
    som_free(memory);
}

// States that differ by rounding count as one; whether a joint is exactly somewhere is not the
// same in both.
static bool is_about_sensors(const SomActionGraph *graph) {
    for (int32_t i = 0; i < graph->instruction_count; i++) {
        SomInstructionKind kind = (SomInstructionKind)graph->instructions[i].kind;
        if (kind == SOM_INSTRUCTION_POSITION || kind == SOM_INSTRUCTION_SPEED ||
            kind == SOM_INSTRUCTION_ERROR || kind == SOM_INSTRUCTION_ELAPSED ||
            kind == SOM_INSTRUCTION_TIME) {
            return false;
        }
    }
    return true;
}

START_TEST(whatever_sensors_are_the_explorer_was_there) {
    SomTestRandom random = {7};
    RandomGraphDef def = {.dofs = 2, .docks = 1, .contacts = 2, .inputs = 1, .most_actions = 6};
    int graphs = som_test_count(20000, 500000), whole = 0, branching = 0;
    for (int i = 0; i < graphs; i++) {
        SomActionGraph *graph = random_graph(&random, &def);
        Explored *e = is_about_sensors(graph) ? explore(graph, uneven) : som_alloc(sizeof *e);
        whole += e->is_whole;
        branching += e->is_whole && e->count > 1;
        for (int k = 0; e->is_whole && k < 12; k++) {
            follow_trace(graph, e, &random);
        }
        discard(e);
        som_action_graph_destroy(graph);
    }
    ck_assert_int_gt(whole, graphs / 10);
    ck_assert_int_gt(branching, graphs / 400);
}
END_TEST

SOM_SUITE("behaviors/explorer", what_asks_no_sensor_has_one_branch,
          both_ways_of_a_choice_are_branches, a_wait_at_rest_may_end_at_any_tick_and_goes_on_alike,
          a_move_may_end_at_every_tick, what_repeats_itself_ends_where_it_does,
          a_choice_in_an_endless_repetition_is_two_branches,
          comparisons_with_what_is_not_known_turn_out_either_way,
          a_truth_that_is_computed_is_not_known, branches_are_named_by_what_is_otherwise,
          there_is_one_value_for_each_way, whatever_sensors_are_the_explorer_was_there)
