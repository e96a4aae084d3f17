// compose/identity.h - whether two designs are the same configuration: equal connective structure.
//
// The identity of a configuration is its graph: modules, which are interchangeable within a type,
// and connections with their connectors, rolls and gaps. Names, parts, poses and bases do not
// count. As a connector holds one connection, what one module corresponds to decides the rest:
// candidates for the first are found by refining colours, and each is followed through the graph.
//
//     if (som_configuration_hash(a) == som_configuration_hash(b)) {
//         int *map = som_alloc(sizeof *map * (size_t)a->module_count);
//         bool is_same = som_configuration_match(a, b, map); // module i of a is map[i] of b
//     }
//
// Types count as equal by name, so that designs of different workspaces can be compared. Turns of
// a connector that look the same by its symmetry are not taken for equal.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rolls are told apart from this on, in radians; gaps likewise, in metres.
#define SOM_SAME_TURN 1e-4
#define SOM_SAME_GAP 1e-5

bool som_configuration_same_structure(const SomConfiguration *a, const SomConfiguration *b);

// The same, with a correspondence of their modules. `map` may be NULL.
bool som_configuration_match(const SomConfiguration *a, const SomConfiguration *b, int *map);

// Equal for equal structures, and hardly ever for different ones; the same on every machine.
uint64_t som_configuration_hash(const SomConfiguration *configuration);

#ifdef __cplusplus
}
#endif
