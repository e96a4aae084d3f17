// exchange/adjacency.h - which edges of a graph each of its nodes has.
//
//     SomAdjacency adjacency;
//     som_adjacency_begin(&adjacency, nodes, edges);
//     … adjacency.ends[2 * i] = a, adjacency.ends[2 * i + 1] = b; …
//     som_adjacency_end(&adjacency);
//     for (int i = adjacency.first[node]; i < adjacency.first[node + 1]; i++) {
//         … adjacency.list[i] …                              // an edge of the node
//     }
//     som_adjacency_free(&adjacency);
//
// Edges of a node are in the order of their numbers.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomAdjacency {
    int nodes, edges;
    int *ends; // two an edge
    int *first;
    int *list;
} SomAdjacency;

void som_adjacency_begin(SomAdjacency *adjacency, int nodes, int edges);
void som_adjacency_end(SomAdjacency *adjacency);
void som_adjacency_free(SomAdjacency *adjacency);

#ifdef __cplusplus
}
#endif
