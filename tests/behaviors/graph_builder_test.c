// SPDX-License-Identifier: Apache-2.0
// Tests for behaviors/graph_builder.c.

#include "base/codes/behaviors_codes.h"
#include "base/memory.h"
#include "behaviors/graph_builder.h"
#include "player/player.h"
#include "tests/suite.h"

#include <time.h>

typedef struct Built {
    SomGraphBuilder *builder;
    SomDiagnostics *diags;
    SomActionGraph *graph;
} Built;

static const SomStr source = {"series(a to 1, repeat 2 hold a)", 31};

static Built begin(void) {
    Built b = {som_graph_builder_create(), som_diagnostics_create(), NULL};
    som_diagnostics_add_source(b.diags, SOM_STR("walk.som"), source);
    som_graph_builder_add_symbol(b.builder, SOM_SYMBOL_DOF, SOM_STR("a"));
    return b;
}

static void finish(Built *b) {
    b->graph = som_graph_builder_finish(b->builder, b->diags);
}

static void end(Built *b) {
    som_action_graph_destroy(b->graph);
    som_graph_builder_destroy(b->builder);
    som_diagnostics_destroy(b->diags);
}

static SomSpan at(uint32_t begin_at, uint32_t end_at) {
    return (SomSpan){1, begin_at, end_at};
}

static void expect(const Built *b, SomCode code, uint32_t begin_at) {
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(b->diags, &count);
    ck_assert_ptr_null(b->graph);
    ck_assert_int_ge(count, 1);
    ck_assert_int_eq(kept[0].code, code);
    ck_assert_uint_eq(kept[0].span.begin, begin_at);
}

START_TEST(a_graph_keeps_places_and_paths) {
    Built b = begin();
    som_graph_builder_open(b.builder, SOM_NODE_SERIES, at(0, 31), SOM_STR(""));
    SomAction action = som_action(SOM_ACTION_POSITION, 0, 1);
    ck_assert_int_eq(som_graph_builder_add_action(b.builder, &action, at(7, 13), SOM_STR("leg[2]")),
                     1);
    som_graph_builder_add_action(b.builder, &action, at(7, 13), SOM_STR("leg[2]"));
    som_graph_builder_close(b.builder);
    finish(&b);
    ck_assert_ptr_nonnull(b.graph);
    ck_assert_int_eq(b.graph->node_count, 3);
    ck_assert_str_eq(som_graph_path(b.graph, 1), "leg[2]");
    ck_assert_str_eq(som_graph_path(b.graph, 0), "");
    ck_assert_uint_eq(som_graph_span(b.graph, 2).begin, 7);
    ck_assert_str_eq(som_graph_name(b.graph, SOM_SYMBOL_DOF, 0), "a");
    end(&b);
}
END_TEST

START_TEST(a_repetition_of_nothing_is_refused) {
    Built b = begin();
    som_graph_builder_open_repeat(b.builder, 2, SOM_NONE, at(15, 30), SOM_STR(""));
    SomAction hold = som_action(SOM_ACTION_HOLD, 0, 0);
    som_graph_builder_add_action(b.builder, &hold, at(24, 30), SOM_STR(""));
    som_graph_builder_close(b.builder);
    finish(&b);
    expect(&b, SOM_REPEAT_WITHOUT_DURATION, 15);
    end(&b);
}
END_TEST

START_TEST(all_faults_are_reported_with_their_places) {
    Built b = begin();
    som_graph_builder_open(b.builder, SOM_NODE_SERIES, at(0, 31), SOM_STR(""));
    SomAction action = som_action(SOM_ACTION_POSITION, 0, 1);
    action.tolerance = 0;
    som_graph_builder_add_action(b.builder, &action, at(7, 8), SOM_STR(""));
    action = som_action(SOM_ACTION_WAIT, 0, 0);
    action.duration = -1;
    som_graph_builder_add_action(b.builder, &action, at(9, 10), SOM_STR(""));
    SomKeyframe frames[] = {{1, 0}, {1, 0}};
    action = som_action(SOM_ACTION_FOLLOW, 0, 0);
    action.first_keyframe = som_graph_builder_add_keyframes(b.builder, frames, 2);
    action.keyframe_count = 2;
    som_graph_builder_add_action(b.builder, &action, at(11, 12), SOM_STR(""));
    SomInstruction program[80];
    for (int i = 0; i < 79; i++) {
        program[i].kind = i < 40 ? SOM_INSTRUCTION_TIME : SOM_INSTRUCTION_ADD;
    }
    action = som_action(SOM_ACTION_WAIT, 0, 0);
    action.until = som_graph_builder_add_condition(b.builder, program, 79);
    som_graph_builder_add_action(b.builder, &action, at(13, 14), SOM_STR(""));
    som_graph_builder_close(b.builder);
    finish(&b);
    expect(&b, SOM_ACTION_VALUE, 7);
    int count;
    const SomDiagnostic *kept = som_diagnostics_get(b.diags, &count);
    ck_assert_int_eq(count, 4);
    ck_assert_int_eq(kept[1].code, SOM_ACTION_VALUE);
    ck_assert_uint_eq(kept[1].span.begin, 9);
    ck_assert_int_eq(kept[2].code, SOM_FOLLOW_TIMES);
    ck_assert_int_eq(kept[3].code, SOM_CONDITION_TOO_DEEP);
    ck_assert_uint_eq(kept[3].span.begin, 13);
    end(&b);
}
END_TEST

START_TEST(too_deep_nesting_is_refused) {
    Built b = begin();
    for (int i = 0; i <= SOM_GRAPH_MOST_DEPTH; i++) {
        som_graph_builder_open(b.builder, SOM_NODE_SERIES, at(0, 6), SOM_STR(""));
    }
    for (int i = 0; i <= SOM_GRAPH_MOST_DEPTH; i++) {
        som_graph_builder_close(b.builder);
    }
    finish(&b);
    expect(&b, SOM_GRAPH_TOO_LARGE, 0);
    end(&b);
}
END_TEST

START_TEST(too_many_nodes_are_refused) {
    Built b = begin();
    som_graph_builder_open(b.builder, SOM_NODE_SERIES, at(0, 6), SOM_STR(""));
    for (int i = 0; i < SOM_GRAPH_MOST; i++) {
        som_graph_builder_open(b.builder, SOM_NODE_SERIES, at(0, 6), SOM_STR(""));
        som_graph_builder_close(b.builder);
    }
    som_graph_builder_close(b.builder);
    finish(&b);
    expect(&b, SOM_GRAPH_TOO_LARGE, 0);
    end(&b);
}
END_TEST

// Parallel in series in parallel …, 1,000 deep, 100 actions at each level.
static void add_levels(SomGraphBuilder *builder, int depth, int actions) {
    SomAction wait = som_action(SOM_ACTION_WAIT, 0, 0);
    wait.duration = 0.001;
    for (int i = 0; i < depth; i++) {
        som_graph_builder_open(builder, i % 2 ? SOM_NODE_SERIES : SOM_NODE_PARALLEL, (SomSpan){0},
                               SOM_STR(""));
        for (int k = 0; k < actions; k++) {
            som_graph_builder_add_action(builder, &wait, (SomSpan){0}, SOM_STR("s[1].head"));
        }
    }
    for (int i = 0; i < depth; i++) {
        som_graph_builder_close(builder);
    }
}

START_TEST(a_hundred_thousand_actions_a_thousand_deep_compile_and_play) {
    Built b = begin();
    clock_t before = clock();
    add_levels(b.builder, 1000, 100);
    finish(&b);
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    ck_assert_ptr_nonnull(b.graph);
    ck_assert_int_eq(b.graph->action_count, 100000);
    ck_assert_double_lt(seconds, 1);
    size_t size = som_player_size(b.graph, 0);
    void *memory = som_alloc(size);
    SomPlayer *player = som_player_init(memory, size, b.graph, 0, NULL);
    SomSenses senses = {0};
    int ticks = 1, starts = 0;
    while (som_player_step(player, 0.001, &senses) == SOM_PLAYER_RUNNING) {
        int32_t count;
        const SomPlayerEvent *events = som_player_events(player, &count, NULL);
        for (int i = 0; i < count; i++) {
            starts += !events[i].is_end;
        }
        ticks++;
    }
    ck_assert_int_eq(starts, 100000);
    ck_assert_int_eq(ticks, 50001); // 500 series of 100 waits each
    som_free(memory);
    end(&b);
}
END_TEST

SOM_SUITE("behaviors/graph_builder", a_graph_keeps_places_and_paths,
          a_repetition_of_nothing_is_refused, all_faults_are_reported_with_their_places,
          too_deep_nesting_is_refused, too_many_nodes_are_refused,
          a_hundred_thousand_actions_a_thousand_deep_compile_and_play)
