// modules/m3l_format.h - the canonical text of an M3L file.
//
//     SomText out = {0};
//     if (som_m3l_format(tree, &out)) { ... }
//
// One definition begins each line. What fits on a line of SOM_M3L_WIDTH characters stays on it;
// else its sub-definitions and then its attributes fill lines that are indented by four. A module,
// a connection and a robot stand apart by an empty line; other empty lines are kept, of several
// one. All comments are kept where they are: behind what they followed, or on lines of their own.
// Formatting what was formatted changes nothing, and the meaning never changes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_M3L_WIDTH 100

// Adds the text to `out`. False, and nothing is added, if the tree has a syntax error.
bool som_m3l_format(const SomSyntax *tree, SomText *out);

#ifdef __cplusplus
}
#endif
