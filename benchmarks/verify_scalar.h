// benchmarks/verify_scalar.h - one sample at a time in plain C: what a good engineer writes by
// hand round a collision library. It is a peer, and what the libraries without kinematics stand on.
//
//     SomVerifyScalar *s = som_verify_scalar_create(workload);
//     som_verify_scalar_place(s, sample);
//     int count = som_verify_scalar_pairs(s, 0, &pairs); // boxes along the axes of the world touch
//     double margin = som_verify_scalar_margin(s, 1e-3);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchmarks/verify_workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomVerifyPair {
    int a, b;
} SomVerifyPair;

typedef struct SomVerifyScalar SomVerifyScalar;

SomVerifyScalar *som_verify_scalar_create(const SomVerifyWorkload *workload);
void som_verify_scalar_destroy(SomVerifyScalar *scalar);

// Forward kinematics of all links.
void som_verify_scalar_place(SomVerifyScalar *scalar, const double *values);
const SomPose *som_verify_scalar_frames(const SomVerifyScalar *scalar);

// Tested pairs of links whose tight bounds come nearer than `gap`, by sweep and prune along the
// longest axis. The order of the last call is kept, so that motion costs little sorting.
int som_verify_scalar_pairs(SomVerifyScalar *scalar, double gap, const SomVerifyPair **pairs);

// The signed distance of the centre of mass from the edge of the support polygon, whose points are
// the features of shapes within `tolerance` of the lowest.
double som_verify_scalar_margin(SomVerifyScalar *scalar, double tolerance);

#ifdef __cplusplus
}
#endif
