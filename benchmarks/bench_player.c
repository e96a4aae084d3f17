// SPDX-License-Identifier: Apache-2.0
// The player: how many starts and ends of actions in a second, and what a tick costs. The unit says
// whether the target is met: 5 million events a second, 2 microseconds for a tick of a robot of 72
// DoFs with 20 active actions. Compiling 100,000 actions has a second.

#include "base/memory.h"
#include "behaviors/graph_builder.h"
#include "benchmarks/bench.h"
#include "player/player.h"

#include <assert.h>

typedef struct Scene {
    SomActionGraph *graph;
    SomPlayer *player;
    void *memory;
    double positions[72];
    SomSenses senses;
} Scene;

static SomGraphBuilder *begin(int dofs) {
    SomGraphBuilder *builder = som_graph_builder_create();
    for (int i = 0; i < dofs; i++) {
        som_graph_builder_add_symbol(builder, SOM_SYMBOL_DOF, SOM_STR("tilt"));
    }
    return builder;
}

static void finish(Scene *scene, SomGraphBuilder *builder) {
    SomDiagnostics *diags = som_diagnostics_create();
    scene->graph = som_graph_builder_finish(builder, diags);
    assert(scene->graph != NULL);
    som_diagnostics_destroy(diags);
    som_graph_builder_destroy(builder);
    size_t size = som_player_size(scene->graph, 0);
    scene->memory = som_alloc(size);
    scene->player = som_player_init(scene->memory, size, scene->graph, 0, NULL);
    scene->senses = (SomSenses){.positions = scene->positions};
}

static void end(Scene *scene) {
    som_free(scene->memory);
    som_action_graph_destroy(scene->graph);
}

// ---- events

// Positions that are reached at once, in `width` branches.
static void build_short_actions(Scene *scene, int width, int count) {
    SomGraphBuilder *builder = begin(72);
    som_graph_builder_open(builder, SOM_NODE_PARALLEL, (SomSpan){0}, SOM_STR(""));
    for (int i = 0; i < width; i++) {
        som_graph_builder_open(builder, SOM_NODE_SERIES, (SomSpan){0}, SOM_STR(""));
        for (int k = 0; k < count / width; k++) {
            SomAction action = som_action(SOM_ACTION_POSITION, i % 72, 0.01);
            action.timeout = 3;
            som_graph_builder_add_action(builder, &action, (SomSpan){0}, SOM_STR(""));
        }
        som_graph_builder_close(builder);
    }
    som_graph_builder_close(builder);
    finish(scene, builder);
}

static void play_all(SomBench *bench, void *context) {
    Scene *scene = context;
    som_player_reset(scene->player);
    while (som_player_step(scene->player, 0.01, &scene->senses) == SOM_PLAYER_RUNNING) {
    }
    som_bench_keep(bench, som_player_time(scene->player));
}

static void measure_events(SomBench *bench, int width) {
    Scene scene = {0};
    int count = 100000;
    build_short_actions(&scene, width, count);
    double seconds = som_bench_seconds(bench, play_all, &scene);
    double rate = 2 * count / seconds / 1e6;
    som_bench_value(bench, "events", width, seconds, rate,
                    rate >= 5 ? "million events/s (target 5: met)"
                              : "million events/s (target 5: missed)");
    end(&scene);
}

// ---- ticks

#define TICKS 1000

static void tick(SomBench *bench, void *context) {
    Scene *scene = context;
    for (int i = 0; i < TICKS; i++) {
        som_player_step(scene->player, 0.001, &scene->senses);
    }
    som_bench_keep(bench, som_player_time(scene->player));
}

// Twenty actions that never arrive; half of them test a condition.
static void build_waiting_actions(Scene *scene) {
    SomGraphBuilder *builder = begin(72);
    som_graph_builder_open(builder, SOM_NODE_PARALLEL, (SomSpan){0}, SOM_STR(""));
    for (int i = 0; i < 20; i++) {
        SomAction action = som_action(SOM_ACTION_POSITION, i, 1);
        if (i % 2 == 0) {
            SomInstruction program[] = {{.kind = SOM_INSTRUCTION_POSITION, .index = i},
                                        {.kind = SOM_INSTRUCTION_NUMBER, .value = 0.5},
                                        {.kind = SOM_INSTRUCTION_GREATER},
                                        {.kind = SOM_INSTRUCTION_ELAPSED},
                                        {.kind = SOM_INSTRUCTION_NUMBER, .value = 1e9},
                                        {.kind = SOM_INSTRUCTION_GREATER},
                                        {.kind = SOM_INSTRUCTION_OR}};
            action.until = som_graph_builder_add_condition(builder, program, 7);
        }
        som_graph_builder_add_action(builder, &action, (SomSpan){0}, SOM_STR(""));
    }
    som_graph_builder_close(builder);
    finish(scene, builder);
}

static void measure_ticks(SomBench *bench) {
    Scene scene = {0};
    build_waiting_actions(&scene);
    double seconds = som_bench_seconds(bench, tick, &scene) / TICKS;
    som_bench_value(bench, "tick", 20, seconds, seconds * 1e6,
                    seconds < 2e-6 ? "us (target 2: met)" : "us (target 2: missed)");
    end(&scene);
}

// ---- compiling

static void compile(SomBench *bench, void *context) {
    (void)context;
    Scene scene = {0};
    build_short_actions(&scene, 100, 100000);
    som_bench_keep(bench, scene.graph->node_count);
    end(&scene);
}

void som_bench_player(SomBench *bench) {
    measure_events(bench, 1);
    measure_events(bench, 20);
    measure_events(bench, 1000);
    measure_ticks(bench);
    double seconds = som_bench_seconds(bench, compile, NULL);
    som_bench_value(bench, "compile", 100000, seconds, seconds,
                    seconds < 1 ? "s (target 1: met)" : "s (target 1: missed)");
}
