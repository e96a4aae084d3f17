// SPDX-License-Identifier: Apache-2.0
#include "tests/player/graph_of_text.h"

#include "base/memory.h"
#include "base/text.h"
#include "player/graph_text.h"
#include "tests/suite.h"

TestGraph test_graph(const char *tree) {
    TestGraph read = {0};
    SomText text = {0};
    som_text_printf(&text,
                    "somite-graph 1 dof \"hip\" dof \"knee\" contact \"foot\" input \"light\" "
                    "dock \"arm\" %s",
                    tree);
    size_t needed;
    som_graph_text_read(text.data, text.length, NULL, 0, &read.graph, &needed);
    read.memory = som_alloc(needed + 1);
    SomGraphFault fault =
        som_graph_text_read(text.data, text.length, read.memory, needed, &read.graph, &needed);
    ck_assert_msg(fault.kind == SOM_GRAPH_FAULT_NONE, "%s: %s", tree,
                  som_graph_fault_words(fault.kind));
    som_text_free(&text);
    return read;
}

void test_graph_free(TestGraph *read) {
    som_free(read->memory);
}
