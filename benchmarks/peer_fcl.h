// benchmarks/peer_fcl.h - FCL's distance and collision of two primitive shapes, for comparison.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPeerFcl SomPeerFcl;

SomPeerFcl *som_peer_fcl_box(SomVec3 size);
SomPeerFcl *som_peer_fcl_cylinder(double radius, double length);
void som_peer_fcl_destroy(SomPeerFcl *peer);

double som_peer_fcl_distance(const SomPeerFcl *a, const SomPose *pose_a, const SomPeerFcl *b,
                             const SomPose *pose_b);
int som_peer_fcl_touch(const SomPeerFcl *a, const SomPose *pose_a, const SomPeerFcl *b,
                       const SomPose *pose_b);

#ifdef __cplusplus
}
#endif
