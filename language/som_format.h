// language/som_format.h - the canonical text of a .som file.
//
//     SomText out = {0};
//     if (som_som_format(tree, &out)) { ... }
//
// One statement a line, bodies indented by four blanks. What fits on a line of SOM_SOM_WIDTH
// characters stays on it; else lists break between their members, then long expressions and
// clauses. A pose that was written on one line stays there if it fits. Configs stand apart by an
// empty line; other empty lines between statements are kept, of several one. All comments are kept
// where they are: behind what they followed, or on lines of their own. Formatting what was
// formatted changes nothing, and the tree stays the same but for separators (';', and ',' behind
// the last member).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SOM_WIDTH 100

// Adds the text to `out`. False, and nothing is added, if the tree has a syntax error.
bool som_som_format(const SomSyntax *tree, SomText *out);

#ifdef __cplusplus
}
#endif
