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

int som_configuration_span(SomModule *modules, int module_count, SomConnection *connections,
                           int connection_count, int base, int *tree) {
    int *first = som_alloc(sizeof *first * (size_t)(module_count + 2));
    int *list = som_alloc(sizeof *list * (size_t)(2 * connection_count + 1));
    bool *is_reached = som_alloc(sizeof *is_reached * (size_t)module_count);
    list_connections(connections, connection_count, module_count, first, list);
    for (int i = 0; i < connection_count; i++) {
        connections[i].is_closure = true;
    }
    int count = 0, pieces = 0, next_root = 0;
    for (int root = base; root < module_count; root = next_root) {
        int at = count;
        pieces++;
        tree[count++] = root;
        is_reached[root] = true;
        modules[root].connection = -1;
        for (; at < count; at++) {
            int module = tree[at];
            for (int k = first[module]; k < first[module + 1]; k++) {
                SomConnection *c = &connections[list[k]];
                int other = c->module_a == module ? c->module_b : c->module_a;
                if (!is_reached[other]) {
                    is_reached[other] = true;
                    c->is_closure = false;
                    modules[other].connection = list[k];
                    tree[count++] = other;
                }
            }
        }
        while (next_root < module_count && is_reached[next_root]) {
            next_root++;
        }
    }
    som_free(first);
    som_free(list);
    som_free(is_reached);
    return pieces;
}
