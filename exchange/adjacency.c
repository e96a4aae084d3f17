// SPDX-License-Identifier: Apache-2.0

#include "exchange/adjacency.h"

#include "base/memory.h"

void som_adjacency_begin(SomAdjacency *adjacency, int nodes, int edges) {
    *adjacency = (SomAdjacency){
        .nodes = nodes,
        .edges = edges,
        .ends = som_alloc((2 * (size_t)edges + 1) * sizeof(int)),
        .first = som_alloc(((size_t)nodes + 2) * sizeof(int)),
        .list = som_alloc((2 * (size_t)edges + 1) * sizeof(int)),
    };
}

void som_adjacency_end(SomAdjacency *adjacency) {
    int *first = adjacency->first, count = 2 * adjacency->edges;
    for (int i = 0; i < count; i++) {
        first[adjacency->ends[i] + 2]++;
    }
    for (int i = 2; i <= adjacency->nodes; i++) {
        first[i] += first[i - 1];
    }
    for (int i = 0; i < count; i++) { // moves each beginning to its end, where the next begins
        adjacency->list[first[adjacency->ends[i] + 1]++] = i / 2;
    }
}

void som_adjacency_free(SomAdjacency *adjacency) {
    som_free(adjacency->ends);
    som_free(adjacency->first);
    som_free(adjacency->list);
}
