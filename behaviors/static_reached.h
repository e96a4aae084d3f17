// behaviors/static_reached.h - which nodes of a compiled behavior are played for certain, and how
// often.
//
//     SomStaticReached reached = som_static_reached(def, endings);
//     if (reached.certainty[node] == SOM_REACHED_ALWAYS) ... it runs in every motion that ends
//     som_static_reached_free(&reached);
//
// Certain means in every motion that does not wait for ever: an action that may never end is taken
// to end, except in an endless repetition, which may be waiting for something that never comes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/static_checks.h"
#include "behaviors/static_endings.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomCertainty {
    SOM_REACHED_PERHAPS, // depends on a condition, or on what ends first
    SOM_REACHED_AT_ONCE, // starts with the `any` around it, which may cut it off
    SOM_REACHED_ALWAYS,
} SomCertainty;

// By node. Both arrays are the result's own.
typedef struct SomStaticReached {
    SomCertainty *certainty;
    int32_t *winner; // of an `any`: the child that certainly ends first, or SOM_NONE
} SomStaticReached;

SomStaticReached som_static_reached(const SomStaticDef *def, const SomEnding *endings);
void som_static_reached_free(SomStaticReached *reached);

// The passes that a repetition certainly makes; infinite if it goes on for ever.
double som_static_passes(const SomActionGraph *graph, const SomEnding *endings,
                         const SomStaticReached *reached, int32_t repeat);

#ifdef __cplusplus
}
#endif
