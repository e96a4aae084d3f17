// simulate/dock_loads_internal.h - what the docks of a simulation carry, beside what they hold.
//
//     SomDockLoads *loads = som_dock_loads_create(model);
//     if (som_dock_loads_step(loads, weld, state, links, dt)) ...   // it breaks
//     som_dock_loads_reset(loads, weld);                             // it has just closed
//     som_dock_loads_destroy(loads);
//
// Loads count as means over SOM_DOCK_MEAN, so that the jolt of a step breaks nothing.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/engine.h"

// Seconds over which the load of a dock is a mean.
#define SOM_DOCK_MEAN 0.02
// Seconds after closing in which faces pull each other into place and nothing breaks.
#define SOM_DOCK_SETTLES 0.2

typedef struct SomDockLoads SomDockLoads;

SomDockLoads *som_dock_loads_create(const SomBodyModel *model);
void som_dock_loads_destroy(SomDockLoads *loads); // NULL is allowed

// A step of a dock's weld that holds; `links` of the mechanism, in the world. True if it carries
// more than its connectors hold.
bool som_dock_loads_step(SomDockLoads *loads, int weld, const SomEngineState *now,
                         const SomPose *links, double dt);
void som_dock_loads_reset(SomDockLoads *loads, int weld);
