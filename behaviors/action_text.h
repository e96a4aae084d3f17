// behaviors/action_text.h - an action of a compiled behavior in words, with the name and sign that
// are written: "head.tilt to 45deg"; and
// the name of a DoF as a column of a table.

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

// As player/trace_text.h has it: of a path, the quotes that are not needed are left out.
void som_column_print(const char *path, SomText *out);

// The other way: a path, with quotes where names need them.
void som_column_read(SomStr name, SomText *path);

#ifdef __cplusplus
}
#endif
