// SPDX-License-Identifier: Apache-2.0
// Random graphs: the player against the slow reference interpreter, tick by tick, and properties of
// pausing and cancelling.

#include "base/memory.h"
#include "behaviors/graph_builder.h"
#include "tests/player/random_graph.h"
#include "tests/player/reference_player.h"

#include <stdlib.h>
#include <string.h>

static const RandomGraphDef usual = {
    .dofs = 3, .docks = 2, .contacts = 2, .inputs = 2, .most_actions = 40};

typedef struct Played {
    SomActionGraph *graph;
    SomPlayer *player;
    void *memory;
} Played;

static Played play(SomActionGraph *graph) {
    Played p = {graph, NULL, NULL};
    size_t size = som_player_size(graph, 4096);
    p.memory = som_alloc(size);
    p.player = som_player_init(p.memory, size, graph, 4096, NULL);
    ck_assert_ptr_nonnull(p.player);
    return p;
}

static void stop(Played *p) {
    som_action_graph_destroy(p->graph);
    som_free(p->memory);
}

START_TEST(player_equals_the_reference) {
    SomTestRandom random = {7};
    int graphs = som_test_count(2000, 100000), ticks = 0, ends = 0, conflicts = 0;
    Reference *r = som_alloc(sizeof *r);
    for (int g = 0; g < graphs; g++) {
        RandomGraphDef def = usual;
        def.most_actions = som_test_int(&random, 1, 40);
        Played p = play(random_graph(&random, &def));
        reference_init(r, p.graph);
        ck_assert_int_le(p.graph->node_count, REFERENCE_MOST);
        const char *wrong = NULL;
        for (int t = 0; t < 60 && wrong == NULL && !r->is_done; t++, ticks++) {
            RandomSenses senses;
            random_senses(&random, &senses);
            som_player_step(p.player, 0.1, &senses.senses);
            reference_tick(r, som_player_time(p.player), &senses.senses);
            wrong = reference_difference(r, p.player);
            conflicts += som_player_conflict(p.player).resource != SOM_NONE;
        }
        ck_assert_msg(wrong == NULL, "graph %d: %s differ at %g s", g, wrong == NULL ? "" : wrong,
                      som_player_time(p.player));
        ends += r->is_done;
        stop(&p);
    }
    som_free(r);
    ck_assert_int_gt(ticks, graphs * 4);
    ck_assert_int_gt(ends, graphs / 3);
    ck_assert_int_gt(conflicts, graphs / 4);
}
END_TEST

// Everything the host can see.
static uint64_t look(const SomPlayer *player) {
    uint64_t hash = 1469598103934665603u;
    int32_t count;
    const int32_t *active = som_player_active(player, &count);
    const SomSetPoint *points = som_player_set_points(player);
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uint64_t)active[i]) * 1099511628211u;
    }
    for (int i = 0; i < usual.dofs; i++) {
        uint64_t bits;
        memcpy(&bits, &points[i].value, sizeof bits);
        hash = (hash ^ bits ^ points[i].kind) * 1099511628211u;
    }
    for (int i = 0; i < usual.docks; i++) {
        hash = (hash ^ som_player_dock_commands(player)[i]) * 1099511628211u;
    }
    return hash ^ (uint64_t)som_player_status(player);
}

START_TEST(a_pause_changes_nothing_but_the_time_of_the_host) {
    SomTestRandom random = {11};
    int graphs = som_test_count(300, 10000), wrong = 0, moving = 0;
    for (int g = 0; g < graphs; g++) {
        SomActionGraph *graph = random_graph(&random, &usual);
        Played a = play(graph), b = play(graph);
        for (int t = 0; t < 40; t++) {
            RandomSenses senses, other;
            random_senses(&random, &senses);
            som_player_step(a.player, 0.1, &senses.senses);
            som_player_step(b.player, 0.1, &senses.senses);
            wrong += look(a.player) != look(b.player);
            if (som_test_int(&random, 0, 3) == 0 &&
                som_player_status(b.player) == SOM_PLAYER_RUNNING) {
                som_player_pause(b.player, &senses.senses);
                wrong += som_player_status(b.player) != SOM_PLAYER_PAUSED;
                double time = som_player_time(b.player);
                for (int i = 0; i < 3; i++) {
                    random_senses(&random, &other);
                    som_player_step(b.player, 0.1, &other.senses);
                    for (int d = 0; d < usual.dofs; d++) {
                        const SomSetPoint *point = &som_player_set_points(b.player)[d];
                        moving += point->kind == SOM_SET_VELOCITY && point->value != 0;
                    }
                }
                wrong += som_player_time(b.player) != time;
                som_player_resume(b.player);
                wrong += look(a.player) != look(b.player);
            }
        }
        som_free(b.memory);
        stop(&a);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(moving, 0);
}
END_TEST

START_TEST(cancelling_halts_everything_and_ends_every_action) {
    SomTestRandom random = {13};
    int graphs = som_test_count(500, 20000), wrong = 0, cancelled = 0;
    for (int g = 0; g < graphs; g++) {
        Played p = play(random_graph(&random, &usual));
        RandomSenses senses;
        for (int t = som_test_int(&random, 0, 12); t >= 0; t--) {
            random_senses(&random, &senses);
            som_player_step(p.player, 0.1, &senses.senses);
        }
        int32_t before, after, events;
        som_player_active(p.player, &before);
        if (som_test_int(&random, 0, 1)) {
            som_player_pause(p.player, &senses.senses);
        }
        bool is_over = som_player_status(p.player) == SOM_PLAYER_COMPLETED;
        som_player_cancel(p.player, &senses.senses);
        som_player_active(p.player, &after);
        som_player_events(p.player, &events, NULL);
        wrong += after != 0 || (!is_over && events != before);
        wrong +=
            som_player_status(p.player) != (is_over ? SOM_PLAYER_COMPLETED : SOM_PLAYER_CANCELLED);
        for (int d = 0; d < usual.dofs && !is_over; d++) {
            const SomSetPoint *point = &som_player_set_points(p.player)[d];
            bool is_still = point->kind == SOM_SET_NOTHING ||
                            (point->kind == SOM_SET_VELOCITY && point->value == 0) ||
                            (point->kind == SOM_SET_POSITION &&
                             fabs(point->value - senses.positions[d]) < 0.31);
            wrong += !is_still;
        }
        uint64_t seen = look(p.player);
        random_senses(&random, &senses);
        som_player_step(p.player, 0.1, &senses.senses);
        wrong += look(p.player) != seen;
        cancelled += !is_over;
        stop(&p);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(cancelled, graphs / 4);
}
END_TEST

START_TEST(single_steps_play_the_same) {
    SomTestRandom random = {17};
    int wrong = 0;
    for (int g = 0; g < 200; g++) {
        SomActionGraph *graph = random_graph(&random, &usual);
        Played a = play(graph), b = play(graph);
        for (int t = 0; t < 30; t++) {
            RandomSenses senses;
            random_senses(&random, &senses);
            som_player_step(a.player, 0.1, &senses.senses);
            som_player_single_step(b.player, 0.1, &senses.senses);
            bool is_over = som_player_status(b.player) == SOM_PLAYER_COMPLETED;
            wrong += som_player_time(a.player) != som_player_time(b.player) ||
                     is_over != (som_player_status(a.player) == SOM_PLAYER_COMPLETED);
            wrong += is_over && look(a.player) != look(b.player);
            som_player_pause(b.player, &senses.senses);
        }
        som_free(b.memory);
        stop(&a);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(a_reset_player_plays_the_same_again) {
    SomTestRandom random = {19};
    int wrong = 0;
    for (int g = 0; g < 200; g++) {
        Played p = play(random_graph(&random, &usual));
        uint64_t seen[20];
        for (int round = 0; round < 2; round++) {
            SomTestRandom same = {(uint64_t)g};
            for (int t = 0; t < 20; t++) {
                RandomSenses senses;
                random_senses(&same, &senses);
                som_player_step(p.player, 0.1, &senses.senses);
                wrong += round == 1 && seen[t] != look(p.player);
                seen[t] = look(p.player);
            }
            som_player_reset(p.player);
        }
        stop(&p);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

// Pinned: a change of this number is a change of what robots do.
START_TEST(behaviors_play_the_same_with_every_compiler) {
    SomTestRandom random = {29};
    uint64_t hash = 1;
    for (int g = 0; g < 200; g++) {
        Played p = play(random_graph(&random, &usual));
        for (int t = 0; t < 30; t++) {
            RandomSenses senses;
            random_senses(&random, &senses);
            som_player_step(p.player, 0.1, &senses.senses);
            hash = (hash ^ look(p.player)) * 1099511628211u;
        }
        stop(&p);
    }
    ck_assert_uint_eq(hash, 2503380092862816573u);
}
END_TEST

// One action ends a thousand nested `any`s with fifty branches each, all in one tick.
START_TEST(nested_cancellations_cost_no_more_than_their_actions) {
    SomGraphBuilder *builder = som_graph_builder_create();
    SomDiagnostics *diags = som_diagnostics_create();
    SomAction endless = som_action(SOM_ACTION_WAIT, 0, 0), brief = endless;
    brief.duration = 0.1;
    for (int i = 0; i < 1000; i++) {
        som_graph_builder_open(builder, SOM_NODE_ANY, (SomSpan){0}, SOM_STR(""));
        for (int k = 0; k < 50; k++) {
            som_graph_builder_add_action(builder, &endless, (SomSpan){0}, SOM_STR(""));
        }
    }
    som_graph_builder_add_action(builder, &brief, (SomSpan){0}, SOM_STR(""));
    for (int i = 0; i < 1000; i++) {
        som_graph_builder_close(builder);
    }
    SomActionGraph *graph = som_graph_builder_finish(builder, diags);
    size_t size = som_player_size(graph, 0);
    void *memory = som_alloc(size);
    SomPlayer *player = som_player_init(memory, size, graph, 0, NULL);
    SomSenses senses = {0};
    for (int round = 0; round < 20; round++) {
        int32_t count;
        som_player_step(player, 0.1, &senses);
        som_player_events(player, &count, NULL);
        ck_assert_int_eq(count, 50001);
        ck_assert_int_eq(som_player_step(player, 0.1, &senses), SOM_PLAYER_COMPLETED);
        som_player_events(player, &count, NULL);
        ck_assert_int_eq(count, 50001);
        som_player_reset(player);
    }
    som_free(memory);
    som_action_graph_destroy(graph);
    som_graph_builder_destroy(builder);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("player/player_random", player_equals_the_reference,
          a_pause_changes_nothing_but_the_time_of_the_host,
          cancelling_halts_everything_and_ends_every_action, single_steps_play_the_same,
          a_reset_player_plays_the_same_again, behaviors_play_the_same_with_every_compiler,
          nested_cancellations_cost_no_more_than_their_actions)
