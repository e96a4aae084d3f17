// behaviors/static_endings.h - which nodes of a compiled behavior end, whatever is sensed.
//
//     SomEnding *endings = som_static_endings(graph);
//     if (endings[node] == SOM_NEVER_ENDS) ... nothing after it is played
//     som_free(endings);
//
// A joint counts as one that arrives. What depends on a condition ends if time alone fulfils it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomEnding { SOM_ENDS, SOM_MAY_END, SOM_NEVER_ENDS } SomEnding;

// One per node; the caller frees it with som_free.
SomEnding *som_static_endings(const SomActionGraph *graph);

// 1 or 0 for a condition that is just a number, -1 for one that depends on something.
int som_static_constant(const SomActionGraph *graph, int32_t condition);

#ifdef __cplusplus
}
#endif
