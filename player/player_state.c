// SPDX-License-Identifier: Apache-2.0
// Players that do the same from now on: copies, and how to know others.

#include "player/fingerprint.h"
#include "player/player_internal.h"

#include <string.h>

// ---- a copy

bool som_player_copy(SomPlayer *p, const SomPlayer *from) {
    const SomActionGraph *g = from->graph;
    if (p->graph != g || p->most_events != from->most_events) {
        return false;
    }
    size_t nodes = (size_t)g->node_count, actions = (size_t)from->action_nodes;
    size_t dofs = (size_t)g->symbol_count[SOM_SYMBOL_DOF];
    size_t docks = (size_t)g->symbol_count[SOM_SYMBOL_DOCK];
    SomPlayer own = *p;
    *p = *from;
#define SOM_OWN(array, count)                                                                      \
    p->array = own.array;                                                                          \
    memcpy(p->array, from->array, (count) * sizeof *p->array);
    SOM_OWN(start, nodes)
    SOM_OWN(end, nodes)
    SOM_OWN(target, nodes)
    SOM_OWN(counter, nodes)
    SOM_OWN(reason, nodes)
    SOM_OWN(active, actions)
    SOM_OWN(merged, actions)
    SOM_OWN(fresh, actions)
    SOM_OWN(skip, actions)
    SOM_OWN(fate, actions)
    SOM_OWN(points, dofs)
    SOM_OWN(halted, dofs)
    SOM_OWN(owner, dofs + docks)
    SOM_OWN(first_on, dofs + docks)
    SOM_OWN(docks, docks)
    SOM_OWN(halted_docks, docks)
    SOM_OWN(events, (size_t)from->most_events)
#undef SOM_OWN
    return true;
}

// ---- a fingerprint

#define GRAIN 1e-9 // numbers are rounded to it

uint64_t som_fingerprint_add(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
}

uint64_t som_fingerprint_add_number(uint64_t hash, double value) {
    double grains = floor(value / GRAIN + 0.5);
    if (fabs(grains) < 9e15) {
        return som_fingerprint_add(hash, (uint64_t)(int64_t)grains);
    }
    uint64_t bits; // beyond what rounding keeps, and what is no number
    memcpy(&bits, &value, sizeof bits);
    return som_fingerprint_add(hash, bits);
}

static bool reads(const SomPlayer *p, int32_t condition, SomInstructionKind kind) {
    if (condition == SOM_NONE) {
        return false;
    }
    const SomCondition *c = &p->graph->conditions[condition];
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        if (p->graph->instructions[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static bool reads_time(const SomPlayer *p) {
    for (int32_t i = 0; i < p->graph->instruction_count; i++) {
        if (p->graph->instructions[i].kind == SOM_INSTRUCTION_TIME) {
            return true;
        }
    }
    return false;
}

// Inputs change with the time of the behavior until their tables are over.
static bool follows_tables(const SomPlayer *p) {
    for (int32_t i = 0; i < p->graph->symbol_count[SOM_SYMBOL_INPUT]; i++) {
        if (p->time < som_graph_input_end(p->graph, i)) {
            return true;
        }
    }
    return false;
}

// How long the action has run, as far as that matters: -1 if it does not.
static double elapsed_of(const SomPlayer *p, int32_t node, const SomAction *action) {
    double elapsed = p->time - p->start[node];
    if (action->duration < SOM_NO_TIME || action->timeout < SOM_NO_TIME ||
        reads(p, action->until, SOM_INSTRUCTION_ELAPSED)) {
        return elapsed;
    }
    if (action->kind == SOM_ACTION_FOLLOW) {
        double last = p->graph->keyframes[action->first_keyframe + action->keyframe_count - 1].time;
        return elapsed < last ? elapsed : last;
    }
    return -1;
}

// Of a set-point or target: it counts from the origin if it is a position.
static double from_origin(double value, bool is_position, const double *origins, int32_t dof) {
    return is_position && origins != NULL ? value - origins[dof] : value;
}

static uint64_t mix_action(const SomPlayer *p, uint64_t hash, int32_t node, const double *origins) {
    const SomAction *action = &p->graph->actions[p->graph->nodes[node].index];
    int32_t resource = som_graph_resource(p->graph, action);
    hash = som_fingerprint_add(hash, (uint64_t)node);
    hash = som_fingerprint_add_number(hash, elapsed_of(p, node, action));
    bool is_position = action->kind <= SOM_ACTION_HOLD && action->kind != SOM_ACTION_VELOCITY;
    hash = som_fingerprint_add_number(
        hash, from_origin(p->target[node], is_position, origins, action->target));
    return som_fingerprint_add(hash, resource != SOM_NONE && p->owner[resource] == node);
}

// The nodes above an action: how many children run, how many passes are over.
static uint64_t mix_parents(const SomPlayer *p, uint64_t hash, int32_t node) {
    const SomGraphNode *nodes = p->graph->nodes;
    for (int32_t i = nodes[node].parent; i != SOM_NONE; i = nodes[i].parent) {
        bool counts = nodes[i].kind == SOM_NODE_PARALLEL ||
                      (nodes[i].kind == SOM_NODE_REPEAT && nodes[i].index != SOM_FOREVER);
        hash = som_fingerprint_add(hash, counts ? (uint64_t)p->counter[i] : 0);
        if (nodes[i].kind == SOM_NODE_REPEAT && reads(p, nodes[i].until, SOM_INSTRUCTION_ELAPSED)) {
            hash = som_fingerprint_add_number(hash, p->time - p->start[i]);
        }
    }
    return hash;
}

uint64_t som_player_fingerprint(const SomPlayer *p, const double *origins) {
    uint64_t hash = som_fingerprint_add(som_fingerprint_add(0, (uint64_t)p->status), p->is_passing);
    if (p->status != SOM_PLAYER_COMPLETED && (reads_time(p) || follows_tables(p))) {
        hash = som_fingerprint_add_number(hash, p->time);
    }
    for (int32_t i = 0; i < p->active_count; i++) {
        hash = mix_parents(p, mix_action(p, hash, p->active[i], origins), p->active[i]);
    }
    const SomSetPoint *points = som_player_set_points(p);
    for (int32_t i = 0; i < p->graph->symbol_count[SOM_SYMBOL_DOF]; i++) {
        hash = som_fingerprint_add(hash, points[i].kind);
        bool is_position = points[i].kind == SOM_SET_POSITION;
        double value = from_origin(points[i].value, is_position, origins, i);
        hash = som_fingerprint_add_number(som_fingerprint_add_number(hash, value), points[i].speed);
        hash = som_fingerprint_add_number(hash, points[i].tolerance);
    }
    const uint8_t *docks = som_player_dock_commands(p);
    for (int32_t i = 0; i < p->graph->symbol_count[SOM_SYMBOL_DOCK]; i++) {
        hash = som_fingerprint_add(hash, docks[i]);
    }
    return hash;
}
