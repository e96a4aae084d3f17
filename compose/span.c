// SPDX-License-Identifier: Apache-2.0

#include "compose/span.h"

#include "base/memory.h"

// Connections at each module: list[first[m]] to before list[first[m + 1]], as written.
static void list_connections(const SomConnection *connections, int count, int module_count,
                             int *first, int *list) {
    for (int i = 0; i < count; i++) {
        first[connections[i].module_a + 1]++;
        first[connections[i].module_b + 1]++;
    }
    for (int i = 0; i < module_count; i++) {
        first[i + 1] += first[i];
    }
    int *next = som_alloc(sizeof *next * (size_t)(module_count + 1));
    memcpy(next, first, sizeof *next * (size_t)module_count);
    for (int i = 0; i < count; i++) {
        list[next[connections[i].module_a]++] = i;
        list[next[connections[i].module_b]++] = i;
    }
    som_free(next);
}

// One tree or more in the making.
typedef struct Spanning {
    SomModule *modules;
    int module_count;
    SomConnection *connections;
    int *first, *list; // connections at each module
    bool *is_reached;
    int *tree;
    int count; // of modules in the tree
} Spanning;

static void span_piece(Spanning *s, int root) {
    int at = s->count;
    s->tree[s->count++] = root;
    s->is_reached[root] = true;
    s->modules[root].connection = -1;
    for (; at < s->count; at++) {
        int module = s->tree[at];
        for (int k = s->first[module]; k < s->first[module + 1]; k++) {
            SomConnection *c = &s->connections[s->list[k]];
            int other = c->module_a == module ? c->module_b : c->module_a;
            if (!s->is_reached[other]) {
                s->is_reached[other] = true;
                c->is_closure = false;
                s->modules[other].connection = s->list[k];
                s->tree[s->count++] = other;
            }
        }
    }
}

int som_configuration_span(SomModule *modules, int module_count, SomConnection *connections,
                           int connection_count, const SomRoots *roots, int *tree) {
    Spanning s = {.modules = modules,
                  .module_count = module_count,
                  .connections = connections,
                  .first = som_alloc(sizeof *s.first * (size_t)(module_count + 2)),
                  .list = som_alloc(sizeof *s.list * (size_t)(2 * connection_count + 1)),
                  .is_reached = som_alloc(sizeof *s.is_reached * (size_t)(module_count + 1)),
                  .tree = tree};
    list_connections(connections, connection_count, module_count, s.first, s.list);
    for (int i = 0; i < connection_count; i++) {
        connections[i].is_closure = true;
    }
    int pieces = 0;
    for (int i = 0; i < roots->count + module_count; i++) {
        int root = i < roots->count ? roots->modules[i] : i - roots->count;
        if (!s.is_reached[root]) {
            span_piece(&s, root);
            pieces++;
        }
    }
    som_free(s.first);
    som_free(s.list);
    som_free(s.is_reached);
    return pieces;
}
