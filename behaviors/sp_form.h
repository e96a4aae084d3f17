// behaviors/sp_form.h - from "this before that" to series and parallel composition.
//
//     SomOrder orders[] = {{0, 2}, {1, 2}};                       // 0 and 1 before 2
//     SomSpForm form = {0};
//     if (som_sp_form_find(3, orders, 2, &labels, &form, diags)) {  // series(parallel(0, 1), 2)
//         for (int i = 0; i < form.nodes.count; i++) ... form.nodes.data[i] ...
//     }
//     som_sp_form_free(&form);
//
// The form orders exactly the same pairs as the dependencies and all that follow from them;
// dependencies that follow from others do not matter. Not every order has such a form: it has none
// exactly if four actions depend on each other like the letter N, and these are then named: a and b
// come before c, b comes before d, and no other two of them are ordered. A cycle is named as well.
// The result does not depend on the order of the dependencies. A hundred thousand actions with some
// dependencies each take tens of milliseconds, and memory in proportion; nothing recurses.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"
#include "player/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SP_MOST_ACTIONS 1000000

typedef struct SomOrder {
    int before;
    int after;
} SomOrder;

// How reports name the actions and where they mark them; either may be NULL.
typedef struct SomOrderLabels {
    const SomStr *names;
    const SomSpan *spans;
} SomOrderLabels;

// In the order of a depth-first walk, as the nodes of a SomActionGraph.
typedef struct SomSpNode {
    SomNodeKind kind; // series, parallel or action
    int parent;       // -1 for the root
    int end;          // one after the last node below
    int action;       // -1 unless an action
} SomSpNode;

typedef struct SomSpForm {
    SOM_ARRAY(SomSpNode) nodes;
} SomSpForm;

// False, and a report, if there is none. `form` is empty before. `labels` may be NULL.
bool som_sp_form_find(int action_count, const SomOrder *orders, int order_count,
                      const SomOrderLabels *labels, SomSpForm *form, SomDiagnostics *diags);
void som_sp_form_free(SomSpForm *form);

#ifdef __cplusplus
}
#endif
