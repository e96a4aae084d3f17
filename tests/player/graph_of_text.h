// tests/player/graph_of_text.h - graphs written as text, for tests.
//
//     TestGraph g = test_graph("series position 0 1 at 1 3 4 wait during 1 end");
//     ... g.graph ...
//     test_graph_free(&g);
//
// There are two DoF, "hip" and "knee", a contact "foot", an input "light" and a dock "arm". `at 1`
// is a place in the first source.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"

typedef struct TestGraph {
    SomActionGraph graph;
    void *memory;
} TestGraph;

// Fails the test if the text is not a graph.
TestGraph test_graph(const char *tree);
void test_graph_free(TestGraph *graph);
