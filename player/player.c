// SPDX-License-Identifier: Apache-2.0
// Memory, ticks and the calls of the host. player_flow.c walks the tree, player_command.c commands.

#include "player/player.h"

#include "player/player_internal.h"

// ---- memory

// Hands out pieces of the host's memory, or only counts them.
typedef struct Pieces {
    unsigned char *memory; // NULL: count
    size_t used;
} Pieces;

#define PIECE_ALIGNMENT 8

static void *take(Pieces *pieces, size_t count, size_t size) {
    size_t bytes = count * size; // counts are at most SOM_GRAPH_MOST, sizes below 64
    void *piece = pieces->memory == NULL ? NULL : pieces->memory + pieces->used;
    pieces->used += (bytes + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

static int32_t count_action_nodes(const SomActionGraph *graph) {
    int32_t count = 0;
    for (int32_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].kind == SOM_NODE_ACTION;
    }
    return count;
}

// The arrays of a player, with the counts it already has.
static void take_arrays(SomPlayer *p, Pieces *pieces) {
    size_t nodes = (size_t)p->graph->node_count, actions = (size_t)p->action_nodes;
    size_t dofs = (size_t)p->graph->symbol_count[SOM_SYMBOL_DOF];
    size_t docks = (size_t)p->graph->symbol_count[SOM_SYMBOL_DOCK];
    p->start = take(pieces, nodes, sizeof *p->start);
    p->end = take(pieces, nodes, sizeof *p->end);
    p->target = take(pieces, nodes, sizeof *p->target);
    p->counter = take(pieces, nodes, sizeof *p->counter);
    p->reason = take(pieces, nodes, sizeof *p->reason);
    p->active = take(pieces, actions, sizeof *p->active);
    p->merged = take(pieces, actions, sizeof *p->merged);
    p->fresh = take(pieces, actions, sizeof *p->fresh);
    p->skip = take(pieces, actions, sizeof *p->skip);
    p->fate = take(pieces, actions, sizeof *p->fate);
    p->points = take(pieces, dofs, sizeof *p->points);
    p->halted = take(pieces, dofs, sizeof *p->halted);
    p->owner = take(pieces, dofs + docks, sizeof *p->owner);
    p->first_on = take(pieces, dofs + docks, sizeof *p->first_on);
    p->docks = take(pieces, docks, sizeof *p->docks);
    p->halted_docks = take(pieces, docks, sizeof *p->halted_docks);
    p->events = take(pieces, (size_t)p->most_events, sizeof *p->events);
}

static bool is_sane(int32_t count) {
    return 0 <= count && count <= SOM_GRAPH_MOST;
}

static int32_t event_room(int32_t most_events, int32_t action_nodes) {
    return most_events > 0 && most_events <= 2 * SOM_GRAPH_MOST ? most_events
                                                                : 2 * action_nodes + 8;
}

size_t som_player_size(const SomActionGraph *graph, int32_t most_events) {
    if (!is_sane(graph->node_count) || (graph->node_count > 0 && graph->nodes == NULL) ||
        !is_sane(graph->symbol_count[SOM_SYMBOL_DOF]) ||
        !is_sane(graph->symbol_count[SOM_SYMBOL_DOCK])) {
        return 0;
    }
    SomPlayer counted = {0};
    counted.graph = graph;
    counted.action_nodes = count_action_nodes(graph);
    counted.most_events = event_room(most_events, counted.action_nodes);
    Pieces pieces = {NULL, 0};
    take(&pieces, 1, sizeof(SomPlayer));
    take_arrays(&counted, &pieces);
    return pieces.used;
}

SomPlayer *som_player_init(void *memory, size_t size, const SomActionGraph *graph,
                           int32_t most_events, SomGraphFault *fault) {
    SomGraphFault ignored;
    fault = fault == NULL ? &ignored : fault;
    *fault = som_graph_check(graph);
    if (fault->kind != SOM_GRAPH_FAULT_NONE) {
        return NULL;
    }
    if (memory == NULL || (uintptr_t)memory % PIECE_ALIGNMENT != 0 ||
        size < som_player_size(graph, most_events)) {
        fault->kind = SOM_GRAPH_FAULT_MEMORY;
        return NULL;
    }
    Pieces pieces = {memory, 0};
    SomPlayer *p = take(&pieces, 1, sizeof *p);
    SomPlayer empty = {0};
    *p = empty;
    p->graph = graph;
    p->action_nodes = count_action_nodes(graph);
    p->most_events = event_room(most_events, p->action_nodes);
    take_arrays(p, &pieces);
    som_player_reset(p);
    return p;
}

void som_player_reset(SomPlayer *p) {
    const SomSetPoint nothing = {0, 0, 0, SOM_SET_NOTHING};
    int32_t dofs = p->graph->symbol_count[SOM_SYMBOL_DOF];
    int32_t docks = p->graph->symbol_count[SOM_SYMBOL_DOCK];
    for (int32_t i = 0; i < p->graph->node_count; i++) {
        p->start[i] = p->end[i] = p->target[i] = (double)NAN;
        p->counter[i] = 0;
        p->reason[i] = SOM_END_NOT_YET;
    }
    for (int32_t i = 0; i < dofs; i++) {
        p->points[i] = p->halted[i] = nothing;
    }
    for (int32_t i = 0; i < docks; i++) {
        p->docks[i] = p->halted_docks[i] = SOM_DOCK_LEAVE;
    }
    for (int32_t i = 0; i < dofs + docks; i++) {
        p->owner[i] = SOM_NONE;
    }
    p->active_count = p->fresh_count = p->event_count = p->lost_events = 0;
    p->time = p->carry = 0;
    p->conflict.resource = p->conflict.first = p->conflict.second = SOM_NONE;
    p->status = SOM_PLAYER_READY;
    p->is_halted = false;
}

// ---- a tick

double som_tick_length(double dt) {
    if (!(dt > 0) || !isfinite(dt)) {
        return 0;
    }
    return dt < SOM_MAX_TICK ? dt : SOM_MAX_TICK;
}

// Adds with the rounding error carried along, so that a million ticks of a millisecond are a
// thousand seconds.
static void advance(SomPlayer *p, double dt) {
    double length = som_tick_length(dt);
    if (!(length > 0)) {
        return;
    }
    double step = length - p->carry;
    double sum = p->time + step;
    p->carry = (sum - p->time) - step;
    p->time = sum;
}

static const SomSenses nothing_sensed = {.height = (double)NAN, .tilt = (double)NAN};

static const SomSenses *senses_or_none(const SomSenses *senses) {
    return senses == NULL ? &nothing_sensed : senses;
}

// Which of the actions have ended, before any parent hears of it.
static bool test_actions(SomPlayer *p) {
    bool is_any = false;
    for (int32_t i = 0; i < p->active_count; i++) {
        int32_t node = p->active[i];
        p->skip[i] = i + 1;
        p->fate[i] = FATE_RUNS;
        if (p->graph->actions[p->graph->nodes[node].index].kind == SOM_ACTION_FOLLOW) {
            som_player_follow(p, node);
        }
        SomEndReason reason = som_player_test(p, node);
        if (reason != SOM_END_NOT_YET) {
            p->fate[i] = FATE_ENDED;
            som_player_end_action(p, node, reason);
            is_any = true;
        }
    }
    return is_any;
}

// What still runs and what has started, both in the order of the graph.
static void merge(SomPlayer *p) {
    int32_t count = 0, fresh = 0;
    for (int32_t i = 0; i < p->active_count; i++) {
        if (p->fate[i] != FATE_RUNS) {
            continue;
        }
        while (fresh < p->fresh_count && p->fresh[fresh] < p->active[i] &&
               count < p->action_nodes) {
            p->merged[count++] = p->fresh[fresh++];
        }
        if (count < p->action_nodes) {
            p->merged[count++] = p->active[i];
        }
    }
    while (fresh < p->fresh_count && count < p->action_nodes) {
        p->merged[count++] = p->fresh[fresh++];
    }
    int32_t *old = p->active;
    p->active = p->merged;
    p->merged = old;
    p->active_count = count;
    p->fresh_count = 0;
}

static void tick(SomPlayer *p, double dt, const SomSenses *senses) {
    bool is_done = false;
    p->senses = senses_or_none(senses);
    p->event_count = p->lost_events = 0;
    p->is_changed = p->is_passing;
    if (p->status == SOM_PLAYER_READY) {
        is_done = som_player_start_root(p);
    } else {
        advance(p, dt);
        if (test_actions(p)) {
            for (int32_t i = 0; i < p->active_count && !is_done; i++) {
                if (p->fate[i] == FATE_ENDED) {
                    p->fate[i] = FATE_GONE;
                    is_done = som_player_propagate(p, p->active[i]);
                }
            }
        }
    }
    if (p->is_changed) {
        merge(p);
        som_player_find_conflict(p);
    }
    p->senses = NULL;
    if (is_done) {
        p->status = SOM_PLAYER_COMPLETED;
    } else if (p->status == SOM_PLAYER_READY) {
        p->status = SOM_PLAYER_RUNNING;
    }
}

// ---- halting

static void halt(SomPlayer *p, const SomSenses *senses) {
    p->senses = senses_or_none(senses);
    for (int32_t i = 0; i < p->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        p->halted[i] = som_player_halted_point(p, i);
    }
    for (int32_t i = 0; i < p->graph->symbol_count[SOM_SYMBOL_DOCK]; i++) {
        p->halted_docks[i] = SOM_DOCK_LEAVE;
    }
    p->senses = NULL;
    p->is_halted = true;
}

void som_player_pause(SomPlayer *p, const SomSenses *senses) {
    if (p->status == SOM_PLAYER_RUNNING) {
        p->status = SOM_PLAYER_PAUSED;
        halt(p, senses);
    }
}

void som_player_resume(SomPlayer *p) {
    if (p->status == SOM_PLAYER_PAUSED) {
        p->status = SOM_PLAYER_RUNNING;
        p->is_halted = false;
    }
}

void som_player_cancel(SomPlayer *p, const SomSenses *senses) {
    if (p->status == SOM_PLAYER_COMPLETED || p->status == SOM_PLAYER_CANCELLED) {
        return;
    }
    p->event_count = p->lost_events = 0;
    p->senses = senses_or_none(senses);
    for (int32_t i = 0; i < p->active_count; i++) {
        som_player_end_action(p, p->active[i], SOM_END_CANCELLED);
    }
    p->active_count = 0;
    p->conflict.resource = p->conflict.first = p->conflict.second = SOM_NONE;
    halt(p, senses);
    p->status = SOM_PLAYER_CANCELLED;
}

SomPlayerStatus som_player_step(SomPlayer *p, double dt, const SomSenses *senses) {
    switch (p->status) {
    case SOM_PLAYER_READY:
    case SOM_PLAYER_RUNNING:
        tick(p, dt, senses);
        break;
    case SOM_PLAYER_PAUSED:
        if (!p->is_halted) {
            halt(p, senses);
        }
        p->event_count = p->lost_events = 0;
        break;
    case SOM_PLAYER_COMPLETED:
    case SOM_PLAYER_CANCELLED:
        p->event_count = p->lost_events = 0;
        break;
    }
    return p->status;
}

SomPlayerStatus som_player_single_step(SomPlayer *p, double dt, const SomSenses *senses) {
    if (p->status != SOM_PLAYER_PAUSED) {
        return som_player_step(p, dt, senses);
    }
    p->is_halted = false;
    tick(p, dt, senses);
    return p->status;
}

// ---- what the host sees

SomPlayerStatus som_player_status(const SomPlayer *p) {
    return p->status;
}

double som_player_time(const SomPlayer *p) {
    return p->time;
}

const SomSetPoint *som_player_set_points(const SomPlayer *p) {
    return p->is_halted ? p->halted : p->points;
}

const uint8_t *som_player_dock_commands(const SomPlayer *p) {
    return p->is_halted ? p->halted_docks : p->docks;
}

const int32_t *som_player_active(const SomPlayer *p, int32_t *count) {
    *count = p->active_count;
    return p->active;
}

const SomPlayerEvent *som_player_events(const SomPlayer *p, int32_t *count, int32_t *lost) {
    *count = p->event_count;
    if (lost != NULL) {
        *lost = p->lost_events;
    }
    return p->events;
}

SomPlayerRun som_player_run(const SomPlayer *p, int32_t node) {
    SomPlayerRun run = {(double)NAN, (double)NAN, (double)NAN, 0, SOM_END_NOT_YET};
    if (0 <= node && node < p->graph->node_count) {
        run.start = p->start[node];
        run.end = p->end[node];
        run.target = p->target[node];
        run.passes = p->graph->nodes[node].kind == SOM_NODE_REPEAT ? p->counter[node] : 0;
        run.reason = (SomEndReason)p->reason[node];
    }
    return run;
}

SomPlayerConflict som_player_conflict(const SomPlayer *p) {
    return p->conflict;
}

const char *som_end_reason_word(SomEndReason reason) {
    static const char *const words[SOM_END_REASONS] = {"running", "done", "duration", "timeout",
                                                       "cancelled"};
    return words[reason];
}
