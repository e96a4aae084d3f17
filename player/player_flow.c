// SPDX-License-Identifier: Apache-2.0
// How starting and ending goes through the tree, without recursion.
//
// In one tick every list stays in the order of the graph: actions that ended are passed on in that
// order, and what one of them starts lies below a node that contains it and none of the later ones
// (a later one below that node would still run, or the node is an `any` and takes it away). So what
// starts is appended to `fresh`, and what an `any` takes away is the tail of it.

#include "player/player_internal.h"

// ---- cancelling

static int32_t place_of(const SomPlayer *p, int32_t node) {
    int32_t low = 0, high = p->active_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (p->active[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Every action below `node` ends. A stretch that was cancelled before in this tick is leapt over,
// so that nested `any`s cost no more than one.
static void cancel_below(SomPlayer *p, int32_t node) {
    int32_t first = place_of(p, node), end = p->graph->nodes[node].end;
    int32_t place = first;
    while (place < p->active_count && p->active[place] < end) {
        if (p->fate[place] == FATE_RUNS) {
            som_player_end_action(p, p->active[place], SOM_END_CANCELLED);
        }
        p->fate[place] = FATE_GONE;
        place = p->skip[place];
    }
    if (first < p->active_count) {
        p->skip[first] = place > first ? place : p->skip[first];
    }
    int32_t kept = p->fresh_count;
    while (kept > 0 && p->fresh[kept - 1] >= node) {
        kept--;
    }
    for (int32_t i = kept; i < p->fresh_count; i++) {
        som_player_end_action(p, p->fresh[i], SOM_END_CANCELLED);
    }
    p->fresh_count = kept;
}

// ---- starting

static bool start_action(SomPlayer *p, int32_t node) {
    som_player_begin_action(p, node);
    if (p->graph->actions[p->graph->nodes[node].index].kind == SOM_ACTION_HOLD) {
        som_player_end_action(p, node, SOM_END_DONE);
        return true;
    }
    if (p->fresh_count < p->action_nodes) {
        p->fresh[p->fresh_count++] = node;
    }
    return false;
}

static int32_t chosen_branch(const SomPlayer *p, int32_t node) {
    const SomGraphNode *nodes = p->graph->nodes;
    for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        if (nodes[child].guard == SOM_NONE || som_player_holds(p, nodes[child].guard, node)) {
            return child;
        }
    }
    return SOM_NONE;
}

// Starts the node itself; returns the child to go on with, or SOM_NONE, and then whether it ended.
static int32_t enter(SomPlayer *p, int32_t node, bool *is_done) {
    const SomGraphNode *n = &p->graph->nodes[node];
    *is_done = true;
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
    case SOM_NODE_ANY:
    case SOM_NODE_PARALLEL:
        p->counter[node] = 0;
        return node + 1 < n->end ? node + 1 : SOM_NONE;
    case SOM_NODE_REPEAT:
        p->counter[node] = 0;
        p->start[node] = p->time;
        p->end[node] = (double)NAN;
        p->reason[node] = SOM_END_NOT_YET;
        if (n->index == 0) {
            p->end[node] = p->time;
            p->reason[node] = SOM_END_DONE;
            return SOM_NONE;
        }
        return node + 1;
    case SOM_NODE_CHOOSE:
        p->start[node] = p->time;
        return chosen_branch(p, node);
    case SOM_NODE_ACTION:
        *is_done = start_action(p, node);
        return SOM_NONE;
    case SOM_NODE_KINDS:
        break;
    }
    return SOM_NONE;
}

// A child has started, and ended at once or not. Returns the next child to start, or SOM_NONE, and
// then whether the node has ended.
static int32_t go_on(SomPlayer *p, int32_t node, int32_t child, bool *is_done) {
    const SomGraphNode *nodes = p->graph->nodes;
    int32_t next = nodes[child].end < nodes[node].end ? nodes[child].end : SOM_NONE;
    switch ((SomNodeKind)nodes[node].kind) {
    case SOM_NODE_SERIES:
        return *is_done ? next : SOM_NONE;
    case SOM_NODE_PARALLEL:
        p->counter[node] += !*is_done;
        if (next == SOM_NONE) {
            *is_done = p->counter[node] == 0;
        }
        return next;
    case SOM_NODE_ANY:
        if (*is_done) {
            cancel_below(p, node);
            return SOM_NONE;
        }
        return next;
    case SOM_NODE_REPEAT: // what is repeated takes time: som_graph_check
    case SOM_NODE_CHOOSE:
    case SOM_NODE_ACTION:
    case SOM_NODE_KINDS:
        break;
    }
    return SOM_NONE;
}

// Starts everything below `top` that starts now; returns whether all of it ended at once.
static bool start_below(SomPlayer *p, int32_t top) {
    bool is_done;
    int32_t node = top;
    for (;;) {
        int32_t next = enter(p, node, &is_done);
        while (next == SOM_NONE) {
            if (node == top) {
                return is_done;
            }
            int32_t parent = p->graph->nodes[node].parent;
            next = go_on(p, parent, node, &is_done);
            node = parent;
        }
        node = next;
    }
}

// ---- ending

// The body of a repetition has ended. Returns whether the repetition has.
static bool end_pass(SomPlayer *p, int32_t node) {
    const SomGraphNode *n = &p->graph->nodes[node];
    if (p->counter[node] < INT32_MAX) {
        p->counter[node]++;
    }
    bool is_last = n->index != SOM_FOREVER && p->counter[node] >= n->index;
    if (is_last || (n->until != SOM_NONE && som_player_holds(p, n->until, node))) {
        p->end[node] = p->time;
        p->reason[node] = SOM_END_DONE;
        return true;
    }
    return start_below(p, node + 1);
}

// The child, which ran since an earlier tick, has ended. Returns whether the node has.
static bool end_child(SomPlayer *p, int32_t node, int32_t child) {
    const SomGraphNode *nodes = p->graph->nodes;
    switch ((SomNodeKind)nodes[node].kind) {
    case SOM_NODE_SERIES:
        for (int32_t next = nodes[child].end; next < nodes[node].end; next = nodes[next].end) {
            if (!start_below(p, next)) {
                return false;
            }
        }
        return true;
    case SOM_NODE_PARALLEL:
        return --p->counter[node] <= 0;
    case SOM_NODE_ANY:
        cancel_below(p, node);
        return true;
    case SOM_NODE_REPEAT:
        return end_pass(p, node);
    case SOM_NODE_CHOOSE:
    case SOM_NODE_ACTION:
    case SOM_NODE_KINDS:
        break;
    }
    return true;
}

bool som_player_propagate(SomPlayer *p, int32_t node) {
    int32_t parent = p->graph->nodes[node].parent;
    while (parent != SOM_NONE) {
        if (!end_child(p, parent, node)) {
            return false;
        }
        node = parent;
        parent = p->graph->nodes[node].parent;
    }
    return true;
}

bool som_player_start_root(SomPlayer *p) {
    return start_below(p, 0);
}
