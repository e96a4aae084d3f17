// benchmarks/peer_kdl.h - Orocos KDL's Levenberg-Marquardt inverse kinematics of a serial arm.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/pose.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPeerKdl SomPeerKdl;

// A chain of hinges, each turning about its z: the first stands at the base, after[i] is where the
// next one, or the tip, stands in hinge i. `weight` is that of radians beside metres in what is
// made small; 0.01 is KDL's own. What it calls solved is within `tolerance` metres and radians.
SomPeerKdl *som_peer_kdl_create(const SomPose *after, int count, double tolerance, double weight);
void som_peer_kdl_destroy(SomPeerKdl *peer);

// From `start` to a posture that reaches the target, in `result`; false if KDL says it failed.
bool som_peer_kdl_solve(SomPeerKdl *peer, SomPose target, const double *start, double *result);

#ifdef __cplusplus
}
#endif
