// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_reached.h"

#include "behaviors/prediction.h"

typedef struct Walk {
    const SomActionGraph *graph;
    const SomEnding *endings;
    SomDuration *durations; // NULL: no `any` needs them
    SomStaticReached reached;
    bool *is_closed; // of a series: a child never ends; of an `any`: one may end at once
} Walk;

// The child of an `any` that ends before all others can; SOM_NONE if that is not certain.
static int32_t winner_of(const Walk *w, int32_t any) {
    const SomGraphNode *nodes = w->graph->nodes;
    int32_t winner = SOM_NONE;
    double first = (double)INFINITY, others = (double)INFINITY;
    for (int32_t child = any + 1; child < nodes[any].end; child = nodes[child].end) {
        if (winner == SOM_NONE || w->durations[child].most < first) {
            winner = child;
            first = w->durations[child].most;
        }
    }
    for (int32_t child = any + 1; child < nodes[any].end; child = nodes[child].end) {
        double least = w->durations[child].least;
        others = child != winner && least < others ? least : others;
    }
    return first < others ? winner : SOM_NONE;
}

// Of a child, when those before it have been looked at.
static SomCertainty certainty_of(const Walk *w, int32_t node) {
    const SomGraphNode *nodes = w->graph->nodes;
    int32_t parent = nodes[node].parent;
    if (parent == SOM_NONE) {
        return SOM_REACHED_ALWAYS;
    }
    SomCertainty around = w->reached.certainty[parent];
    bool is_first = node == parent + 1;
    switch ((SomNodeKind)nodes[parent].kind) {
    case SOM_NODE_SERIES:
        return !w->is_closed[parent] && (is_first || around == SOM_REACHED_ALWAYS)
                   ? around
                   : SOM_REACHED_PERHAPS;
    case SOM_NODE_PARALLEL:
        return around;
    case SOM_NODE_ANY:
        if (w->reached.winner[parent] == node) {
            return around;
        }
        return around == SOM_REACHED_PERHAPS || w->is_closed[parent] ? SOM_REACHED_PERHAPS
                                                                     : SOM_REACHED_AT_ONCE;
    case SOM_NODE_CHOOSE:
        return is_first && (nodes[node].guard == SOM_NONE ||
                            som_static_constant(w->graph, nodes[node].guard) == 1)
                   ? around
                   : SOM_REACHED_PERHAPS;
    case SOM_NODE_REPEAT:
        return nodes[parent].index == 0 ? SOM_REACHED_PERHAPS : around;
    case SOM_NODE_ACTION:
    case SOM_NODE_KINDS:
        break;
    }
    return SOM_REACHED_PERHAPS;
}

static void enter(Walk *w, int32_t node) {
    const SomGraphNode *nodes = w->graph->nodes;
    int32_t parent = nodes[node].parent;
    w->reached.certainty[node] = certainty_of(w, node);
    w->reached.winner[node] = SOM_NONE;
    if (parent != SOM_NONE && nodes[parent].kind == SOM_NODE_SERIES) {
        w->is_closed[parent] |= w->endings[node] == SOM_NEVER_ENDS;
    }
    if (nodes[node].kind == SOM_NODE_ANY) {
        w->reached.winner[node] = winner_of(w, node);
        for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
            w->is_closed[node] |= nodes[child].is_instant; // the others may never be sent
        }
    }
}

SomStaticReached som_static_reached(const SomStaticDef *def, const SomEnding *endings) {
    const SomActionGraph *g = def->graph;
    Walk w = {.graph = g, .endings = endings};
    w.reached.certainty = som_alloc((size_t)g->node_count * sizeof *w.reached.certainty);
    w.reached.winner = som_alloc((size_t)g->node_count * sizeof *w.reached.winner);
    w.is_closed = som_alloc((size_t)g->node_count * sizeof *w.is_closed);
    SomStaticDef timed = *def;
    timed.tick = def->tick > 0 ? def->tick : SOM_PREDICTION_TICK;
    for (int32_t i = 0; i < g->node_count && w.durations == NULL; i++) {
        w.durations = g->nodes[i].kind == SOM_NODE_ANY ? som_static_durations(&timed) : NULL;
    }
    for (int32_t i = 0; i < g->node_count; i++) {
        enter(&w, i);
    }
    som_free(w.is_closed);
    som_free(w.durations);
    return w.reached;
}

void som_static_reached_free(SomStaticReached *reached) {
    som_free(reached->certainty);
    som_free(reached->winner);
}

double som_static_passes(const SomActionGraph *graph, const SomEnding *endings,
                         const SomStaticReached *reached, int32_t repeat) {
    const SomGraphNode *n = &graph->nodes[repeat];
    bool is_left = n->until != SOM_NONE && som_static_constant(graph, n->until) != 0;
    if (reached->certainty[repeat] != SOM_REACHED_ALWAYS || is_left ||
        endings[repeat + 1] == SOM_NEVER_ENDS) {
        return n->index == 0 ? 0 : 1;
    }
    if (n->index == SOM_FOREVER) {
        return endings[repeat + 1] == SOM_ENDS ? (double)INFINITY : 1;
    }
    return n->index;
}
