// behaviors/condition_text.h - conditions of a compiled behavior as text.
//
//     som_graph_condition_print(graph, graph->nodes[node].until, &words); // contact(foot) or
//                                                                         // elapsed > 5

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// In infix order, with brackets where one operation is inside another.
void som_graph_condition_print(const SomActionGraph *graph, int32_t condition, SomText *out);

// The same of a part of one that is a value: its instructions from the first up to the end.
void som_graph_instructions_print(const SomActionGraph *graph, int32_t first, int32_t end,
                                  SomText *out);

#ifdef __cplusplus
}
#endif
