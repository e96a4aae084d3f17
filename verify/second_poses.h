// verify/second_poses.h - where the links of a robot are, found separately from
// compose/mechanism.h: module by module, by the forward kinematics of module types and the
// transforms of connections.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// World poses of all links, in the order of the mechanism. One value per DoF.
void som_second_poses(const SomMechanism *mechanism, const double *values, SomPose *links);

// The centre of mass of the links in these poses, without loose pieces.
SomVec3 som_second_com(const SomMechanism *mechanism, const SomPose *links);

#ifdef __cplusplus
}
#endif
