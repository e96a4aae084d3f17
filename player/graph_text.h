// player/graph_text.h - a compiled graph as plain text: what a simulator's plugin or a
// microcontroller loads. docs/semantics.md describes the form.
//
//     size_t needed;
//     som_graph_text_read(text, length, NULL, 0, &graph, &needed);        // how much memory?
//     fault = som_graph_text_read(text, length, memory, needed, &graph, &needed);
//     if (fault.kind != SOM_GRAPH_FAULT_NONE) ... fault.line, som_graph_fault_words(fault.kind)
//
// Any bytes get an answer: the graph, checked by som_graph_check, or a fault with its line. Nothing
// is allocated; the text is not needed afterwards. Printing what was read and reading that again
// gives the same graph, bit by bit.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_GRAPH_TEXT_VERSION 1

// Reads into `memory`, aligned for double. *needed is the memory this text takes, known as soon as
// the fault is none or SOM_GRAPH_FAULT_MEMORY.
SomGraphFault som_graph_text_read(const char *text, size_t length, void *memory, size_t size,
                                  SomActionGraph *graph, size_t *needed);

// Writes a checked graph and a terminator, as far as they fit; returns the length without it, as
// snprintf does. `buffer` may be NULL if `size` is 0.
size_t som_graph_text_write(const SomActionGraph *graph, char *buffer, size_t size);

// The words of the text form.
const char *som_node_word(SomNodeKind kind);
const char *som_action_word(SomActionKind kind);
const char *som_symbol_word(SomSymbolKind kind);

#ifdef __cplusplus
}
#endif
