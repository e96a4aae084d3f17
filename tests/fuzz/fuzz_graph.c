// SPDX-License-Identifier: Apache-2.0
// Fuzz target: compiled graphs made of any bytes are refused or played, and then as the slow
// reference interpreter plays them.
//
// The input fills the arrays of a graph, each in memory of its exact size. Facts: whatever passes
// som_graph_check plays 40 ticks within bounds and equals the reference in every tick; its text
// reads back to a graph with the same text; pausing and cancelling halts; the static checks and the
// prediction come to an end, and bounds of durations are bounds.

#include "base/codes/behaviors_codes.h"
#include "base/memory.h"
#include "behaviors/prediction.h"
#include "behaviors/static_checks.h"
#include "player/graph_text.h"
#include "tests/player/random_graph.h"
#include "tests/player/reference_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
    const uint8_t *data;
    size_t size, at;
} Input;

static void require(bool fact, const char *what) {
    if (!fact) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static int byte(Input *in) {
    return in->at < in->size ? in->data[in->at++] : 0;
}

static double number(Input *in) {
    static const double odd[] = {0, 0.1, 0.3, 1, -1, 1e9, 1e300, -0.0};
    int b = byte(in);
    return b < 8 ? odd[b] : b < 16 ? (double)INFINITY : b == 16 ? (double)NAN : (b - 128) * 0.25;
}

// Mostly an index below `count`.
static int32_t pick(Input *in, int32_t count) {
    int b = byte(in);
    return b > 250 || count == 0 ? b - 253 : b % count;
}

// ---- arrays

static SomAction make_action(Input *in, const SomActionGraph *g) {
    SomAction a = som_action((SomActionKind)(byte(in) % (SOM_ACTION_KINDS + 1)), 0, 0);
    bool is_dock = a.kind == SOM_ACTION_CONNECT || a.kind == SOM_ACTION_DISCONNECT;
    a.target = pick(in, g->symbol_count[is_dock ? SOM_SYMBOL_DOCK : SOM_SYMBOL_DOF]);
    int flags = byte(in);
    a.value = number(in);
    a.speed = flags & 1 ? number(in) : 0;
    a.tolerance = flags & 2 ? number(in) : 0.3;
    a.duration = flags & 4 ? fabs(number(in)) : SOM_NO_TIME;
    a.timeout = flags & 8 ? fabs(number(in)) : SOM_NO_TIME;
    a.until = flags & 16 ? pick(in, g->condition_count) : SOM_NONE;
    if (a.kind == SOM_ACTION_FOLLOW) {
        a.first_keyframe = pick(in, g->keyframe_count);
        a.keyframe_count = 1 + byte(in) % 4;
    }
    return a;
}

// Mostly a tree: each node goes below the last one that can have children, or above.
static void make_nodes(Input *in, SomActionGraph *g, SomGraphNode *nodes) {
    int32_t open = SOM_NONE;
    for (int32_t i = 0; i < g->node_count; i++) {
        int b = byte(in);
        for (int up = b / 32; up > 5 && open > 0; up--) {
            nodes[open].end = i;
            open = nodes[open].parent;
        }
        SomGraphNode n = {open, i + 1, 0, SOM_NONE, SOM_NONE, (uint8_t)(b % 8), 0};
        n.kind = n.kind > SOM_NODE_ACTION ? SOM_NODE_ACTION : n.kind;
        if (i == 0 && n.kind == SOM_NODE_ACTION && g->node_count > 1) {
            n.kind = SOM_NODE_PARALLEL;
        }
        n.index = n.kind == SOM_NODE_ACTION   ? pick(in, g->action_count)
                  : n.kind == SOM_NODE_REPEAT ? byte(in) % 4 - 1
                                              : 0;
        n.until =
            n.kind == SOM_NODE_REPEAT && byte(in) % 2 ? pick(in, g->condition_count) : SOM_NONE;
        n.guard = open != SOM_NONE && nodes[open].kind == SOM_NODE_CHOOSE && byte(in) % 2
                      ? pick(in, g->condition_count)
                      : SOM_NONE;
        if (open != SOM_NONE && nodes[open].kind == SOM_NODE_REPEAT && open + 1 < i) {
            nodes[open].end = i; // a repetition has one child
            open = nodes[open].parent;
            n.parent = open;
        }
        nodes[i] = n;
        open = n.kind == SOM_NODE_ACTION ? open : i;
    }
    for (; open != SOM_NONE; open = nodes[open].parent) {
        nodes[open].end = g->node_count;
    }
    if (byte(in) > 240) { // not a tree at all
        nodes[byte(in) % g->node_count].parent = pick(in, g->node_count);
        nodes[byte(in) % g->node_count].end = pick(in, g->node_count);
    }
}

static void make_program(Input *in, SomInstruction *instructions, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        instructions[i] =
            (SomInstruction){.value = number(in),
                             .index = byte(in) % 3,
                             .kind = (uint8_t)(byte(in) % (SOM_INSTRUCTION_KINDS + 1))};
    }
}

static void *room(int32_t count, size_t size) {
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static void make(Input *in, SomActionGraph *g) {
    *g = (SomActionGraph){
        .symbol_count = {1 + byte(in) % 4, byte(in) % 4, byte(in) % 4, byte(in) % 4},
        .node_count = 1 + byte(in) % 64,
        .action_count = byte(in) % 32,
        .keyframe_count = byte(in) % 6,
        .condition_count = byte(in) % 6};
    g->instruction_count = g->condition_count * 3;
    SomGraphNode *nodes = room(g->node_count, sizeof *nodes);
    SomAction *actions = room(g->action_count, sizeof *actions);
    SomKeyframe *frames = room(g->keyframe_count, sizeof *frames);
    SomCondition *conditions = room(g->condition_count, sizeof *conditions);
    SomInstruction *instructions = room(g->instruction_count, sizeof *instructions);
    for (int32_t i = 0; i < g->keyframe_count; i++) {
        frames[i] = (SomKeyframe){i * 0.2 + 0.1 * (byte(in) % 3), number(in)};
    }
    make_program(in, instructions, g->instruction_count);
    for (int32_t i = 0; i < g->condition_count; i++) {
        conditions[i] = (SomCondition){i * 3, 1 + byte(in) % 3};
    }
    for (int32_t i = 0; i < g->action_count; i++) {
        actions[i] = make_action(in, g);
    }
    make_nodes(in, g, nodes);
    g->nodes = nodes;
    g->actions = actions;
    g->keyframes = frames;
    g->conditions = conditions;
    g->instructions = instructions;
    SomActionGraph unmarked = *g;
    SomGraphFaultKind fault = som_graph_check(&unmarked).kind;
    if (fault == SOM_GRAPH_FAULT_NONE || fault == SOM_GRAPH_FAULT_INSTANT) { // it is a tree
        som_graph_mark_instant(nodes, g->node_count, actions, g->action_count);
    }
}

static void discard(SomActionGraph *g) {
    free((void *)g->nodes);
    free((void *)g->actions);
    free((void *)g->keyframes);
    free((void *)g->conditions);
    free((void *)g->instructions);
}

// ---- facts

static void check_text(const SomActionGraph *g) {
    size_t length = som_graph_text_write(g, NULL, 0), needed;
    char *text = malloc(length + 1), *again = malloc(length + 1);
    som_graph_text_write(g, text, length + 1);
    SomActionGraph read;
    som_graph_text_read(text, length, NULL, 0, &read, &needed);
    void *memory = malloc(needed > 0 ? needed : 1);
    SomGraphFault fault = som_graph_text_read(text, length, memory, needed, &read, &needed);
    require(fault.kind == SOM_GRAPH_FAULT_NONE, "the text of a graph is not read");
    require(som_graph_text_write(&read, again, length + 1) == length &&
                memcmp(text, again, length) == 0,
            "the text changed");
    free(memory);
    free(text);
    free(again);
}

static void play(const SomActionGraph *g, uint64_t seed) {
    size_t size = som_player_size(g, REFERENCE_MOST_EVENTS);
    void *memory = malloc(size);
    SomPlayer *player = som_player_init(memory, size, g, REFERENCE_MOST_EVENTS, NULL);
    require(player != NULL, "a graph that passes is not played");
    Reference *reference = malloc(sizeof *reference);
    reference_init(reference, g);
    SomTestRandom random = {seed};
    RandomSenses senses;
    for (int t = 0; t < 40 && !reference->is_done; t++) {
        random_senses(&random, &senses);
        som_player_step(player, 0.1, &senses.senses);
        reference_tick(reference, som_player_time(player), &senses.senses);
        const char *wrong = reference_difference(reference, player);
        require(wrong == NULL, wrong);
    }
    som_player_pause(player, &senses.senses);
    som_player_single_step(player, 0.1, &senses.senses);
    som_player_step(player, 0.1, NULL);
    som_player_cancel(player, &senses.senses);
    int32_t active;
    som_player_active(player, &active);
    require(active == 0, "something still runs");
    free(reference);
    free(memory);
}

static void check_statically(const SomActionGraph *g) {
    SomServoModel servos[4] = {{.most_speed = 1, .most_acceleration = 4, .low = -2, .high = 2},
                               {.most_speed = 2},
                               {.kind = SOM_SERVO_LABORATORY}};
    SomDiagnostics *diags = som_diagnostics_create();
    SomStaticDef def = {.graph = g, .servos = servos, .tick = 0.05};
    som_static_check(&def, diags);
    SomDuration *durations = som_static_durations(&def);
    for (int32_t i = 0; i < g->node_count; i++) {
        require(durations[i].least >= 0 && durations[i].least <= durations[i].most + 1e-9,
                "bounds are the wrong way round");
    }
    SomPredictionDef play = {.graph = g, .servos = servos, .tick = 0.05, .most_time = 3};
    SomPrediction prediction = {0};
    bool is_finished = som_prediction_play(&play, &prediction, diags);
    bool has_conflict = som_diagnostics_has(diags, SOM_GRAPH_CONFLICT);
    require(has_conflict || prediction.conflict.resource == SOM_NONE,
            "a conflict that was not foreseen");
    require(!is_finished || has_conflict ||
                (prediction.duration >= durations[0].least - 1e-6 &&
                 prediction.duration <= durations[0].most + 1e-6),
            "a duration out of bounds");
    som_prediction_free(&prediction);
    som_free(durations);
    som_diagnostics_destroy(diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input in = {data, size, 0};
    SomActionGraph graph;
    make(&in, &graph);
    if (som_graph_check(&graph).kind == SOM_GRAPH_FAULT_NONE) {
        check_text(&graph);
        check_statically(&graph);
        play(&graph, (uint64_t)byte(&in));
    }
    discard(&graph);
    return 0;
}
