// behaviors/text_names.h - the names that nodes of one kind begin with, collected once and found in
// logarithmic time.
//
//     SomTextNames runs = {0};
//     som_text_names_collect(&runs, tree, body, SOM_SOM_RUN);
//     bool is_run = som_text_names_has(&runs, SOM_STR("walk"));
//     som_text_names_free(&runs);
//
// Names are borrowed from the text of the tree.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

// Zero is empty.
typedef struct SomTextNames {
    SOM_ARRAY(SomStr) names; // sorted
} SomTextNames;

// Of all nodes of a kind inside `node`, with the text of their first child.
void som_text_names_collect(SomTextNames *names, const SomSyntax *tree, SomNode node, int kind);
// Likewise with the last name of the place that is their first child, if it has several.
void som_text_names_collect_members(SomTextNames *names, const SomSyntax *tree, SomNode node,
                                    int kind);
bool som_text_names_has(const SomTextNames *names, SomStr name);
void som_text_names_free(SomTextNames *names);

#ifdef __cplusplus
}
#endif
