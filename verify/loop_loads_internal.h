// verify/loop_loads_internal.h - how closed loops share what they carry, for statics.c only.
//
// A loop is cut where the tree leaves it open; the wrench in the cut is unknown and chosen so that
// the sum of squares of what all joints and connections of the loops carry is the least: forces,
// and moments there, divided by the size of the loops. That is how equally elastic joints share it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "space/twist.h"

typedef struct SomLoopLoads SomLoopLoads;

// Which DoF are part of a closed loop, one entry each, false before.
void som_loop_loads_mark(const SomMechanism *mechanism, bool *is_in_loop);

SomLoopLoads *som_loop_loads_create(const SomMechanism *mechanism);
void som_loop_loads_destroy(SomLoopLoads *loads); // NULL is allowed

// Adds what the cuts carry to that of every link (verify/statics.c), about the world's origin.
void som_loop_loads_solve(SomLoopLoads *loads, const SomPose *links, SomWrench *carried);

// What acts on link b of a closure, about the world's origin.
SomWrench som_loop_loads_closure(const SomLoopLoads *loads, int closure);
