// SPDX-License-Identifier: Apache-2.0
// Conflicts: for each DoF, the actions that command it and the lowest common ancestors of
// neighbours among them form a small tree; going up that tree, each node knows whether all commands
// below it are the same, and if not, two that differ. O(n log n) for all of them.

#include "behaviors/graph_builder.h"
#include "behaviors/static_checks.h"

#include <stdlib.h>

bool som_static_is_same_command(const SomAction *a, const SomAction *b) {
    // a trajectory that starts later is elsewhere, a relative way starts where the other ends
    if (a->kind != b->kind || a->target != b->target || a->kind == SOM_ACTION_RELATIVE ||
        a->kind == SOM_ACTION_FOLLOW) {
        return false;
    }
    bool has_value = a->kind == SOM_ACTION_POSITION || a->kind == SOM_ACTION_VELOCITY;
    return !has_value || (a->value == b->value && a->speed == b->speed);
}

// What lies below a node of the small tree.
typedef struct Summary {
    int32_t node;
    int32_t first;     // an action
    int32_t second;    // one with another command, or SOM_NONE: all are the same
    bool has_conflict; // of this node, found already
} Summary;

typedef struct Search {
    const SomActionGraph *graph;
    SomStaticConflicts *conflicts;
    int32_t resource;
    SOM_ARRAY(Summary) stack; // nodes above one another
} Search;

static bool is_same(const SomActionGraph *g, int32_t a, int32_t b) {
    return som_static_is_same_command(&g->actions[g->nodes[a].index],
                                      &g->actions[g->nodes[b].index]);
}

// A summary of one branch joins that of the node above it.
static void join(Search *s, Summary *into, const Summary *branch) {
    if (into->first == SOM_NONE) {
        into->first = branch->first;
        into->second = branch->second;
        return;
    }
    int32_t a = into->first, b = branch->first;
    bool differ = !is_same(s->graph, a, b);
    if (!differ && into->second != SOM_NONE) {
        a = into->second;
        differ = true;
    } else if (!differ && branch->second != SOM_NONE) {
        b = branch->second;
        differ = true;
    }
    if (!differ) {
        return;
    }
    into->second = into->second == SOM_NONE ? (a == into->first ? b : a) : into->second;
    uint8_t kind = s->graph->nodes[into->node].kind;
    bool is_parallel = kind == SOM_NODE_PARALLEL || kind == SOM_NODE_ANY;
    if (is_parallel && !into->has_conflict) {
        into->has_conflict = true;
        SomStaticConflict conflict = {into->node, s->resource, a, b, 0};
        som_array_push(&s->conflicts->found, conflict);
    }
}

// Closes all nodes of the stack below `node`.
static void close_below(Search *s, int32_t node) {
    while (s->stack.count > 1 && s->stack.data[s->stack.count - 2].node >= node) {
        Summary branch = s->stack.data[--s->stack.count];
        join(s, &s->stack.data[s->stack.count - 1], &branch);
    }
    Summary *top = &s->stack.data[s->stack.count - 1];
    if (top->node > node) {
        Summary above = {node, SOM_NONE, SOM_NONE, false}, branch = *top;
        join(s, &above, &branch);
        *top = above;
    }
}

// The actions of one resource in the order of the graph, with the lowest node that is above each of
// them and the one before.
static void search(Search *s, const int32_t *actions, const int32_t *common, int count) {
    s->stack.count = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            close_below(s, common[i]);
        }
        Summary leaf = {actions[i], actions[i], SOM_NONE, false};
        som_array_push(&s->stack, leaf);
    }
    if (count > 0) {
        close_below(s, 0);
    }
}

// Which node is the lowest above this action and the last one of its resource: of the nodes above
// this action, the last that begins before the other.
static int32_t lowest_above(const int32_t *path, int depth, int32_t other) {
    int low = 0, high = depth - 1;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (path[middle] <= other) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return path[low];
}

typedef struct Sorted {
    int32_t *begin; // by resource, and one more: where its actions are
    int32_t *actions;
    int32_t *common;
} Sorted;

static int32_t resource_of(const SomActionGraph *g, int32_t node) {
    return g->nodes[node].kind == SOM_NODE_ACTION
               ? som_graph_resource(g, &g->actions[g->nodes[node].index])
               : SOM_NONE;
}

// One walk, with the path from the root to where it is.
static void sort_actions(const SomActionGraph *g, int32_t resources, Sorted *sorted) {
    for (int32_t i = 0; i < g->node_count; i++) {
        int32_t resource = resource_of(g, i);
        if (resource != SOM_NONE) {
            sorted->begin[resource + 1]++;
        }
    }
    for (int32_t i = 0; i < resources; i++) {
        sorted->begin[i + 1] += sorted->begin[i];
    }
    int32_t *path = som_alloc((SOM_GRAPH_MOST_DEPTH + 1) * sizeof *path);
    int32_t *used = som_alloc(((size_t)resources + 1) * sizeof *used);
    int depth = 0;
    for (int32_t i = 0; i < g->node_count; i++) {
        while (depth > 0 && path[depth - 1] != g->nodes[i].parent) {
            depth--;
        }
        path[depth++] = i;
        int32_t resource = resource_of(g, i);
        if (resource != SOM_NONE) {
            int32_t place = sorted->begin[resource] + used[resource]++;
            sorted->actions[place] = i;
            sorted->common[place] = place == sorted->begin[resource]
                                        ? 0
                                        : lowest_above(path, depth, sorted->actions[place - 1]);
        }
    }
    som_free(path);
    som_free(used);
}

// ---- causes

// The statements of the user that conflict; inside one of them, the node round both commands.
typedef struct Key {
    SomSpan second, first, around;
    int index; // of the conflict
} Key;

static int compare_causes(const Key *a, const Key *b) {
    int order = som_span_compare(a->second, b->second);
    order = order != 0 ? order : som_span_compare(a->first, b->first);
    return order != 0 ? order : som_span_compare(a->around, b->around);
}

static int compare_keys(const void *left, const void *right) {
    const Key *a = left, *b = right;
    int order = compare_causes(a, b);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static Key key_of(const SomActionGraph *graph, const SomStaticConflict *conflict, int index) {
    SomSpan spans[2];
    som_graph_user_spans(graph, conflict->first, conflict->second, spans);
    Key key = {spans[1], spans[0], {0}, index};
    if (som_span_compare(key.second, key.first) == 0) {
        key.around = som_graph_span(graph, conflict->node);
    }
    return key;
}

// Finds equal keys by sorting; then numbers them in the order of the conflicts.
void som_static_find_causes(const SomActionGraph *graph, SomStaticConflicts *conflicts) {
    int count = conflicts->found.count;
    Key *keys = som_alloc(((size_t)count + 1) * sizeof *keys);
    int *first = som_alloc(((size_t)count + 1) * sizeof *first); // conflict of the same cause
    for (int i = 0; i < count; i++) {
        keys[i] = key_of(graph, &conflicts->found.data[i], i);
    }
    if (count > 1) {
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    }
    for (int i = 0; i < count; i++) {
        bool is_same =
            i > 0 && keys[i].second.source1 != 0 && compare_causes(&keys[i - 1], &keys[i]) == 0;
        first[keys[i].index] = is_same ? first[keys[i - 1].index] : keys[i].index;
    }
    int32_t causes = 0;
    for (int i = 0; i < count; i++) {
        conflicts->found.data[i].cause =
            first[i] == i ? causes++ : conflicts->found.data[first[i]].cause;
    }
    som_free(keys);
    som_free(first);
}

void som_static_order_by_cause(const SomStaticConflicts *conflicts, int *order) {
    int count = conflicts->found.count;
    const SomStaticConflict *all = conflicts->found.data;
    int *next = som_alloc(((size_t)count + 1) * sizeof *next); // place of the next one, by cause
    for (int i = 0; i < count; i++) {
        next[all[i].cause + 1]++; // causes are numbered from 0, and no more than conflicts
    }
    for (int i = 0; i < count; i++) {
        next[i + 1] += next[i];
    }
    for (int i = 0; i < count; i++) {
        order[next[all[i].cause]++] = i;
    }
    som_free(next);
}

void som_static_conflicts(const SomActionGraph *graph, SomStaticConflicts *conflicts) {
    int32_t resources = graph->symbol_count[SOM_SYMBOL_DOF] + graph->symbol_count[SOM_SYMBOL_DOCK];
    size_t nodes = (size_t)graph->node_count;
    Sorted sorted = {som_alloc(((size_t)resources + 2) * sizeof *sorted.begin),
                     som_alloc(nodes * sizeof *sorted.actions),
                     som_alloc(nodes * sizeof *sorted.common)};
    sort_actions(graph, resources, &sorted);
    Search s = {.graph = graph, .conflicts = conflicts};
    for (s.resource = 0; s.resource < resources; s.resource++) {
        int32_t begin = sorted.begin[s.resource];
        search(&s, sorted.actions + begin, sorted.common + begin,
               sorted.begin[s.resource + 1] - begin);
    }
    som_static_find_causes(graph, conflicts);
    som_array_free(&s.stack);
    som_free(sorted.begin);
    som_free(sorted.actions);
    som_free(sorted.common);
}
