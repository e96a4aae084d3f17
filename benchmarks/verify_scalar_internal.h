// benchmarks/verify_scalar_internal.h - what the two halves of the scalar peer share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "benchmarks/verify_scalar.h"

typedef struct SomVerifyBounds {
    double low[3], high[3];
} SomVerifyBounds;

typedef SOM_ARRAY(SomVec3) SomVerifyPoints;

struct SomVerifyScalar {
    const SomVerifyWorkload *workload;
    SomPose *frames;
    SomVerifyBounds *bounds;
    int *order; // of links along the axis of the last sweep
    SOM_ARRAY(SomVerifyPair) pairs;
    double *lowest; // point of each link
    SomVerifyPoints points, hull;
};
