// behaviors/action_text.h - an action of a compiled behavior in words: "head.bend to -45deg".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// The node is an action; the graph is one of the design.
void som_action_print(const SomConfiguration *design, const SomActionGraph *graph, int32_t node,
                      SomText *out);

#ifdef __cplusplus
}
#endif
