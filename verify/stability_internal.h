// verify/stability_internal.h - a standing robot, for stability.c and settling.c only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "verify/stability.h"

struct SomStanding {
    const SomMechanism *m;
    SomVec3 down;
    bool has_steps;
    SomContactFinder *finder;
    SomSupportWork work;
    SomPose *links;
    SOM_ARRAY(SomVec3) points;
};

void som_standing_place(SomStanding *standing, const double *values);
// Of the links as they are placed.
SomStance som_standing_measure_placed(SomStanding *standing);
