// player/dock_load.h - what a dock carries while it holds, against what its connectors can hold.
//
//     SomDockLoad dock = {0};                                     // it has just closed
//     if (som_dock_load_step(&limits, &dock, &load, &child, dt)) ...   // it breaks
//
// Loads count as means over SOM_DOCK_MEAN, so that the jolt of one step breaks nothing.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/body_place.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_DOCK_MEAN 0.02   // seconds over which a load is a mean
#define SOM_DOCK_SETTLES 0.2 // seconds after closing in which faces align and nothing breaks

// Zero: no limit is known. Face and direction are in the frame of the child.
typedef struct SomDockLimits {
    double tension; // newton, along `outward`
    double shear;   // newton, across it
    double bending; // newton metre, about the middle of the face
    double face[3];
    double outward[3]; // of length 1: out of the child's connector, to the parent
} SomDockLimits;

typedef struct SomDockLoad {
    double means[3]; // tension, shear, bending
    double since;    // it closed, seconds
} SomDockLoad;

// `load` is what the dock puts on the child. True if it carries more than its connectors hold.
bool som_dock_load_step(const SomDockLimits *limits, SomDockLoad *dock, const SomBodyLoad *load,
                        const SomBodyPlace *child, double dt);

#ifdef __cplusplus
}
#endif
