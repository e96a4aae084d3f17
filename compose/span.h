// compose/span.h - which connections of modules make a tree, and which close loops.
//
//     int *tree = som_arena_new(&arena, int, module_count);
//     int pieces = som_configuration_span(modules, module_count, connections, connection_count,
//                                         base, tree);
//
// The tree is breadth first from the base, connections in the order they were written. What does
// not hang on the base is spanned likewise from its first module, piece after piece.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets `connection` of all modules (-1 where a piece begins), `is_closure` of all connections and
// the modules of `tree`, from the base outwards. Returns the number of pieces.
int som_configuration_span(SomModule *modules, int module_count, SomConnection *connections,
                           int connection_count, int base, int *tree);

#ifdef __cplusplus
}
#endif
