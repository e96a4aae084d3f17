// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes are read as a graph or refused with a line, never out of bounds.
//
// Facts: too little memory is refused, the memory that was asked for does; what was read passes
// som_graph_check, plays, and has a text that reads back to the same text.

#include "player/graph_text.h"
#include "player/player.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static void play(const SomActionGraph *graph) {
    size_t size = som_player_size(graph, 0);
    void *memory = malloc(size);
    SomPlayer *player = som_player_init(memory, size, graph, 0, NULL);
    require(player != NULL);
    for (int i = 0; i < 20; i++) {
        som_player_step(player, 0.25, NULL);
    }
    som_player_cancel(player, NULL);
    free(memory);
}

static void write_again(const SomActionGraph *graph) {
    size_t length = som_graph_text_write(graph, NULL, 0), needed;
    char *text = malloc(length + 1), *again = malloc(length + 1);
    require(som_graph_text_write(graph, text, length + 1) == length);
    SomActionGraph read;
    require(som_graph_text_read(text, length, NULL, 0, &read, &needed).kind ==
            SOM_GRAPH_FAULT_MEMORY);
    void *memory = malloc(needed);
    require(som_graph_text_read(text, length, memory, needed, &read, &needed).kind ==
            SOM_GRAPH_FAULT_NONE);
    require(som_graph_text_write(&read, again, length + 1) == length);
    require(memcmp(text, again, length) == 0);
    free(memory);
    free(text);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size > 0 ? size : 1); // of its exact size, for the sanitizer
    if (size > 0) {
        memcpy(text, data, size);
    }
    SomActionGraph graph;
    size_t needed;
    SomGraphFault fault = som_graph_text_read(text, size, NULL, 0, &graph, &needed);
    require(fault.kind != SOM_GRAPH_FAULT_NONE);
    if (fault.kind == SOM_GRAPH_FAULT_MEMORY) {
        void *memory = malloc(needed);
        require(som_graph_text_read(text, size, memory, needed - 1, &graph, &needed).kind ==
                SOM_GRAPH_FAULT_MEMORY);
        fault = som_graph_text_read(text, size, memory, needed, &graph, &needed);
        if (fault.kind == SOM_GRAPH_FAULT_NONE) {
            require(som_graph_check(&graph).kind == SOM_GRAPH_FAULT_NONE);
            write_again(&graph);
            play(&graph);
        } else {
            require(fault.line >= 1);
        }
        free(memory);
    } else {
        require(fault.line >= 1);
    }
    free(text);
    return 0;
}
