// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/static_checks.c, static_conflicts.c and static_durations.c.

#include "base/codes/behaviors_codes.h"
#include "behaviors/graph_builder.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"
#include "tests/player/graph_of_text.h"
#include "tests/player/random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- conflicts

static bool is_below(const SomActionGraph *g, int32_t node, int32_t above) {
    return above <= node && node < g->nodes[above].end;
}

// Every pair of actions, every node: slow and plain. Sets one bit for each node and resource.
static void compare_all(const SomActionGraph *g, bool *found, int32_t resources) {
    for (int32_t v = 0; v < g->node_count; v++) {
        if (g->nodes[v].kind != SOM_NODE_PARALLEL && g->nodes[v].kind != SOM_NODE_ANY) {
            continue;
        }
        for (int32_t a = v + 1; a < g->nodes[v].end; a++) {
            for (int32_t b = a + 1; b < g->nodes[v].end; b++) {
                if (g->nodes[a].kind != SOM_NODE_ACTION || g->nodes[b].kind != SOM_NODE_ACTION) {
                    continue;
                }
                const SomAction *x = &g->actions[g->nodes[a].index];
                const SomAction *y = &g->actions[g->nodes[b].index];
                int32_t resource = som_graph_resource(g, x);
                bool is_one_branch = false;
                for (int32_t c = v + 1; c < g->nodes[v].end; c = g->nodes[c].end) {
                    is_one_branch = is_one_branch || (is_below(g, a, c) && is_below(g, b, c));
                }
                if (!is_one_branch && resource != SOM_NONE &&
                    resource == som_graph_resource(g, y) && !som_static_is_same_command(x, y)) {
                    found[v * resources + resource] = true;
                }
            }
        }
    }
}

static bool is_witness(const SomActionGraph *g, const SomStaticConflict *c) {
    bool is_apart = true;
    for (int32_t k = c->node + 1; k < g->nodes[c->node].end; k = g->nodes[k].end) {
        is_apart = is_apart && !(is_below(g, c->first, k) && is_below(g, c->second, k));
    }
    const SomAction *x = &g->actions[g->nodes[c->first].index];
    const SomAction *y = &g->actions[g->nodes[c->second].index];
    return is_apart && is_below(g, c->first, c->node) && is_below(g, c->second, c->node) &&
           som_graph_resource(g, x) == c->resource && som_graph_resource(g, y) == c->resource &&
           !som_static_is_same_command(x, y);
}

static void conflicts_equal_brute_force(bool is_plain, int rounds, int *total) {
    SomTestRandom random = {61};
    RandomGraphDef def = {.dofs = 5,
                          .docks = 2,
                          .contacts = 2,
                          .inputs = 2,
                          .most_actions = 40,
                          .is_plain = is_plain};
    int wrong = 0;
    for (int i = 0; i < rounds; i++) {
        def.dofs = som_test_int(&random, 1, 8);
        SomActionGraph *g = random_graph(&random, &def);
        int32_t resources = g->symbol_count[SOM_SYMBOL_DOF] + g->symbol_count[SOM_SYMBOL_DOCK];
        bool *found = calloc((size_t)(g->node_count * resources), sizeof *found);
        compare_all(g, found, resources);
        SomStaticConflicts conflicts = {0};
        som_static_conflicts(g, &conflicts);
        for (int k = 0; k < conflicts.found.count; k++) {
            const SomStaticConflict *c = &conflicts.found.data[k];
            bool *expected = &found[c->node * resources + c->resource];
            wrong += !*expected || !is_witness(g, c);
            *expected = false; // each once
        }
        for (int32_t k = 0; k < g->node_count * resources; k++) {
            wrong += found[k];
        }
        *total += conflicts.found.count;
        som_array_free(&conflicts.found);
        free(found);
        som_action_graph_destroy(g);
    }
    ck_assert_int_eq(wrong, 0);
}

START_TEST(conflicts_of_random_trees_equal_brute_force) {
    int total = 0, rounds = som_test_count(3000, 50000);
    conflicts_equal_brute_force(true, rounds, &total);
    ck_assert_int_gt(total, rounds);
}
END_TEST

START_TEST(conflicts_of_all_kinds_of_nodes_equal_brute_force) {
    int total = 0, rounds = som_test_count(3000, 50000);
    conflicts_equal_brute_force(false, rounds, &total);
    ck_assert_int_gt(total, rounds / 2);
}
END_TEST

// "S(a0 P(b1 a2))" as a graph.
static SomActionGraph *tree_of(const char *text) {
    SomGraphBuilder *b = som_graph_builder_create();
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 8; i++) {
        som_graph_builder_add_symbol(b, SOM_SYMBOL_DOF, SOM_STR("x"));
    }
    for (; *text != '\0'; text++) {
        if ('a' <= *text && *text <= 'h') {
            SomAction a = som_action(SOM_ACTION_POSITION, *text - 'a', text[1] - '0');
            som_graph_builder_add_action(b, &a, (SomSpan){0}, SOM_STR(""));
            text++;
        } else if (*text == ')') {
            som_graph_builder_close(b);
        } else if (*text != ' ' && *text != '(') {
            som_graph_builder_open(b,
                                   *text == 'S'   ? SOM_NODE_SERIES
                                   : *text == 'P' ? SOM_NODE_PARALLEL
                                   : *text == 'Y' ? SOM_NODE_ANY
                                                  : SOM_NODE_CHOOSE,
                                   (SomSpan){0}, SOM_STR(""));
        }
    }
    SomActionGraph *graph = som_graph_builder_finish(b, diags);
    ck_assert_ptr_nonnull(graph);
    som_diagnostics_destroy(diags);
    som_graph_builder_destroy(b);
    return graph;
}

static int compare_conflicts(const void *a, const void *b) {
    const SomStaticConflict *x = a, *y = b;
    return x->node != y->node ? x->node - y->node : x->resource - y->resource;
}

START_TEST(forty_trees_have_the_conflicts_that_are_written_down) {
    static const struct {
        const char *tree;
        const char *conflicts;
    } cases[] = {
#define CONFLICT_TREE(tree, conflicts) {tree, conflicts},
#include "tests/behaviors/conflict_trees.inc"
#undef CONFLICT_TREE
    };
    ck_assert_uint_eq(sizeof cases / sizeof *cases, 40);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomActionGraph *g = tree_of(cases[i].tree);
        SomStaticConflicts conflicts = {0};
        som_static_conflicts(g, &conflicts);
        if (conflicts.found.count > 0) {
            qsort(conflicts.found.data, (size_t)conflicts.found.count, sizeof *conflicts.found.data,
                  compare_conflicts);
        }
        char text[512] = "";
        size_t length = 0;
        for (int k = 0; k < conflicts.found.count; k++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%d%c",
                                       k > 0 ? " " : "", conflicts.found.data[k].node,
                                       'a' + conflicts.found.data[k].resource);
        }
        ck_assert_str_eq(text, cases[i].conflicts);
        som_array_free(&conflicts.found);
        som_action_graph_destroy(g);
    }
}
END_TEST

// ---- reports

typedef struct Checked {
    TestGraph read;
    SomDiagnostics *diags;
} Checked;

// Every node of the text is marked by its place in it: `at 1 N N+1` gives the node N as its place.
static Checked check(const char *tree, const SomServoModel *servos) {
    Checked c = {test_graph(tree), som_diagnostics_create()};
    static const char source[100] = "";
    som_diagnostics_add_source(c.diags, SOM_STR("x.som"), (SomStr){source, sizeof source});
    SomStaticDef def = {.graph = &c.read.graph, .servos = servos};
    som_static_check(&def, c.diags);
    return c;
}

// "SOM3002@1 SOM3004@2": codes and places.
static void expect(const char *tree, const SomServoModel *servos, const char *expected) {
    Checked c = check(tree, servos);
    char text[500] = "";
    size_t length = 0;
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(c.diags, &count);
    for (int i = 0; i < count; i++) {
        if (kept[i].kind == SOM_DIAGNOSTIC_REPORT) {
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "%sSOM%d@%u",
                                 length > 0 ? " " : "", (int)kept[i].code, kept[i].span.begin);
        }
    }
    ck_assert_msg(strcmp(text, expected) == 0, "%s: %s instead of %s", tree, text, expected);
    som_diagnostics_destroy(c.diags);
    test_graph_free(&c.read);
}

START_TEST(conflicts_are_reported_at_both_places) {
    Checked c = check("parallel at 1 1 2 position 0 1 at 1 3 4 position 0 2 at 1 5 6 end", NULL);
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(c.diags, &count);
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(kept[0].code, SOM_GRAPH_CONFLICT);
    ck_assert_uint_eq(kept[0].span.begin, 5);
    ck_assert_uint_eq(kept[1].span.begin, 3);
    ck_assert_uint_eq(kept[2].span.begin, 1);
    som_diagnostics_destroy(c.diags);
    test_graph_free(&c.read);
}
END_TEST

START_TEST(actions_that_never_end_are_found) {
    expect("wait at 1 1 2", NULL, "SOM3002@1");
    expect("velocity 0 1 at 1 1 2", NULL, "SOM3002@1");
    expect("wait until ( number 0 ) at 1 1 2", NULL, "SOM3002@1");
    expect("wait until ( number 1 ) at 1 1 2", NULL, "");
    expect("wait until ( contact 0 ) at 1 1 2", NULL, "SOM3003@1");
    // time goes on, whatever is sensed
    expect("wait until ( elapsed number 2 > ) at 1 1 2", NULL, "");
    expect("wait until ( contact 0 time number 2 >= or ) at 1 1 2", NULL, "");
    expect("wait until ( elapsed number 2 < not ) at 1 1 2", NULL, "");
    expect("repeat forever until ( elapsed number 2 > ) wait during 1 end", NULL, "");
    expect("wait until ( contact 0 elapsed number 2 > and ) at 1 1 2", NULL, "SOM3003@1");
    expect("wait until ( elapsed number 2 == ) at 1 1 2", NULL, "SOM3003@1");
    expect("wait until ( elapsed position 0 > ) at 1 1 2", NULL, "SOM3003@1");
    expect("wait until ( contact 0 ) timeout 3 at 1 1 2", NULL, "");
    expect("connect 0 at 1 1 2", NULL, "SOM3003@1");
    expect("position 0 1", NULL, "");
    expect("any velocity 0 1 wait during 1 end", NULL, "");
    expect("any velocity 0 1 at 1 1 2 wait until ( contact 0 ) at 1 2 3 end", NULL, "SOM3003@2");
    expect("any velocity 0 1 at 1 1 2 wait at 1 2 3 end", NULL, "SOM3002@1 SOM3002@2");
    expect("any series velocity 0 1 end wait during 1 end", NULL, "");
    expect("repeat forever wait during 1 end", NULL, "");
    expect("repeat forever until ( contact 0 ) wait during 1 end", NULL, "");
}
END_TEST

START_TEST(what_is_never_played_is_found) {
    expect("series repeat forever at 1 1 2 wait during 1 end wait during 1 at 1 3 4 end", NULL,
           "SOM3004@3");
    expect("series repeat forever until ( number 0 ) wait during 1 end wait during 1 at 1 3 4 end",
           NULL, "SOM3004@3");
    expect("series repeat forever until ( contact 0 ) wait during 1 end wait during 1 end", NULL,
           "");
    expect("series repeat 0 at 1 1 2 wait during 1 at 1 5 6 end wait during 1 at 1 3 4 end", NULL,
           "SOM3004@5");
    expect("series wait at 1 1 2 wait during 1 at 1 3 4 wait during 1 at 1 7 8 end", NULL,
           "SOM3002@1 SOM3004@3");
    expect("choose wait during 1 wait during 2 at 1 3 4 end", NULL, "SOM3004@3");
    expect("choose wait during 1 when ( number 0 ) at 1 3 4 wait during 2 end", NULL, "SOM3004@3");
    expect("choose wait during 1 when ( contact 0 ) wait during 2 end", NULL, "");
}
END_TEST

START_TEST(limits_are_checked) {
    const SomServoModel servos[2] = {{.low = -1, .high = 1, .most_speed = 2}};
    expect("position 0 1", servos, "");
    expect("position 0 1.1 at 1 1 2", servos, "SOM3005@1");
    expect("position 0 -1.1 at 1 1 2", servos, "SOM3005@1");
    expect("position 1 100", servos, "");
    expect("relative 0 2.5 at 1 1 2", servos, "SOM3005@1");
    expect("relative 0 -2", servos, "");
    expect("position 0 1 speed 2.5 at 1 1 2", servos, "SOM3006@1");
    expect("velocity 0 -3 during 1 at 1 1 2", servos, "SOM3006@1");
    expect("follow 0 ( 0 0 1 0.9 1.1 1.2 ) at 1 1 2", servos, "SOM3005@1");
    expect("follow 0 ( 0 0 1 0.9 1.1 0.5 ) at 1 1 2", servos, "SOM3006@1");
    expect("follow 0 ( 0 0 1 0.9 ) at 1 1 2", servos, "");
}
END_TEST

START_TEST(messages_name_the_joint_and_the_limit) {
    const SomServoModel servos[2] = {{.low = -1, .high = 1, .most_speed = 2}};
    Checked c = check("position 0 1.5 speed 3", servos);
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(c.diags, &count);
    char text[200];
    snprintf(text, sizeof text, "%.*s", SOM_STR_ARG(kept[0].message));
    ck_assert_str_eq(text, "'hip' is sent to 1.5, its limit is 1");
    snprintf(text, sizeof text, "%.*s", SOM_STR_ARG(kept[1].message));
    ck_assert_str_eq(text, "'hip' is to move at 3/s, its limit is 2/s");
    som_diagnostics_destroy(c.diags);
    test_graph_free(&c.read);
}
END_TEST

// ---- durations

static void expect_duration(const char *tree, double least, double most) {
    const SomServoModel servos[] = {{.most_speed = 2}, {.most_speed = 1}};
    const double initial[] = {0, 0};
    Checked c = check(tree, NULL);
    SomStaticDef def = {.graph = &c.read.graph, .servos = servos, .initial = initial};
    SomDuration *d = som_static_durations(&def);
    ck_assert_msg(fabs(d[0].least - least) < 1e-9 || d[0].least == least, "%s: least %g", tree,
                  d[0].least);
    ck_assert_msg(fabs(d[0].most - most) < 1e-9 || d[0].most == most, "%s: most %g", tree,
                  d[0].most);
    som_free(d);
    som_diagnostics_destroy(c.diags);
    test_graph_free(&c.read);
}

START_TEST(durations_are_bounded) {
    const double never = (double)INFINITY;
    expect_duration("position 0 4 within 0.1", 1.95, 2);
    expect_duration("position 0 4 within 0.1 timeout 1", 1, 1);
    expect_duration("position 0 4 within 0.1 speed 1", 3.9, 4);
    expect_duration("series position 0 4 within 0.1 position 0 0 within 0.1 end", 3.85, 4.05);
    expect_duration("parallel position 0 4 within 0.1 position 1 1 within 0.1 end", 1.95, 2);
    expect_duration("series wait during 1 wait timeout 2 end", 3, 3);
    expect_duration("any wait during 1 wait until ( contact 0 ) end", 0, 1);
    expect_duration("choose wait during 1 when ( contact 0 ) wait during 3 end", 1, 3);
    expect_duration("choose wait during 1 when ( contact 0 ) end", 0, 1);
    // after a choice the joint may have come by either branch
    expect_duration("series choose position 0 1 within 0.1 when ( contact 0 ) "
                    "position 0 5 within 0.1 end position 0 2 within 0.1 end",
                    0, 4.05);
    expect_duration("repeat 3 wait during 1 end", 3, 3);
    expect_duration("repeat forever wait during 1 end", never, never);
    expect_duration("repeat 5 until ( contact 0 ) wait during 1 end", 1, 5);
    expect_duration("repeat forever until ( contact 0 ) wait during 1 end", 1, never);
    expect_duration("wait", never, never);
    expect_duration("hold 0", 0, 0);
    expect_duration("series end", 0, 0);
    expect_duration("follow 0 ( 0 0 1 2 ) within 0.1", 1, 2.1);
    expect_duration("repeat 2 series position 0 4 within 0.1 position 0 0 within 0.1 end end", 3.8,
                    8.2);
}
END_TEST

// Plays it; returns how many runs of actions last less or more than they should.
static int runs_out_of_bounds(const SomStaticDef *def, const double *initial, int *runs) {
    SomPredictionDef play = {.graph = def->graph,
                             .servos = def->servos,
                             .initial = initial,
                             .tick = def->tick,
                             .most_time = 20,
                             .assumed = {.contact = true, .height = 0.5, .tilt = -0.5}};
    SomPrediction prediction = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    static const char source[400] = "";
    som_diagnostics_add_source(diags, SOM_STR("random.som"), (SomStr){source, sizeof source});
    bool is_finished = som_prediction_play(&play, &prediction, diags);
    SomDuration *bounds = som_static_durations(def);
    double *start = som_alloc((size_t)def->graph->node_count * sizeof *start);
    int wrong = 0;
    for (int i = 0; i < prediction.events.count; i++) {
        const SomPredictionEvent *e = &prediction.events.data[i];
        if (!e->is_end) {
            start[e->node] = e->time;
            continue;
        }
        double lasted = e->time - start[e->node];
        wrong += lasted > bounds[e->node].most + 1e-6;
        wrong += e->reason != SOM_END_CANCELLED && lasted < bounds[e->node].least - 1e-6;
        (*runs)++;
    }
    if (is_finished) {
        wrong += prediction.duration > bounds[0].most + 1e-6 ||
                 prediction.duration < bounds[0].least - 1e-6;
    }
    som_free(start);
    som_free(bounds);
    som_prediction_free(&prediction);
    som_diagnostics_destroy(diags);
    return wrong;
}

START_TEST(played_durations_are_within_their_bounds) {
    SomTestRandom random = {67};
    RandomGraphDef def = {.dofs = 8, .docks = 3, .contacts = 2, .inputs = 2, .most_actions = 14};
    int wrong = 0, runs = 0, graphs = som_test_count(1500, 50000);
    for (int i = 0; i < graphs; i++) {
        SomActionGraph *g = random_graph(&random, &def);
        SomServoModel servos[8] = {{0}};
        double initial[8];
        for (int d = 0; d < 8; d++) {
            servos[d].kind = i % 3 == 0 ? SOM_SERVO_LABORATORY : SOM_SERVO_BOUNDED;
            servos[d].most_speed = som_test_uniform(&random, 0.5, 3);
            servos[d].most_acceleration = i % 3 == 1 ? som_test_uniform(&random, 1, 20) : 0;
            initial[d] = som_test_uniform(&random, -1, 1);
        }
        SomStaticDef checked = {
            .graph = g, .servos = servos, .initial = i % 2 ? initial : NULL, .tick = 0.01};
        if (!random_graph_has_conflicts(g)) {
            wrong += runs_out_of_bounds(&checked, initial, &runs);
        }
        som_action_graph_destroy(g);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(runs, graphs);
}
END_TEST

SOM_SUITE("behaviors/static_checks", conflicts_of_random_trees_equal_brute_force,
          conflicts_of_all_kinds_of_nodes_equal_brute_force,
          forty_trees_have_the_conflicts_that_are_written_down,
          conflicts_are_reported_at_both_places, actions_that_never_end_are_found,
          what_is_never_played_is_found, limits_are_checked,

          messages_name_the_joint_and_the_limit, durations_are_bounded,
          played_durations_are_within_their_bounds)
