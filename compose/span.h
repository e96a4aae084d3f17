// compose/span.h - which connections of modules make trees, one a piece, and which close loops.
//
//     int *tree = som_arena_new(&arena, int, module_count);
//     int pieces = som_configuration_span(modules, module_count, connections, connection_count,
//                                         &(SomRoots){roots, root_count}, tree);
//
// Each tree is breadth first from its root, connections in the order they were written. Roots are
// taken in turn, without those that another one has reached; what hangs on none of them is spanned
// from its first module, piece after piece.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomRoots {
    const int *modules;
    int count;
} SomRoots;

// Sets `connection` of all modules (-1 where a piece begins), `is_closure` of all connections and
// the modules of `tree`, piece after piece, each from its root outwards. Returns the number of
// pieces.
int som_configuration_span(SomModule *modules, int module_count, SomConnection *connections,
                           int connection_count, const SomRoots *roots, int *tree);

#ifdef __cplusplus
}
#endif
