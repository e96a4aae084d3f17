// render/support_sign.h - what a robot stands on: the polygon on the ground and its margin.
//
//     SomSupportSign sign = {corners, count, below_center, true};
//     som_scene_add_support(&scene, &sign);
//
// The polygon of the contacts, filled and seen through, and the shortest way from the point below
// the centre of mass to its border, which is the margin: green, amber where the margin is less than
// a quarter of that in the polygon's middle, red where the robot tips over. Robots that stand on a
// line or a point get that line or point. What is drawn was found by who calls.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSupportSign {
    const SomVec3 *corners; // in order
    int count;
    SomVec3 ground;   // below the centre of mass
    bool is_standing; // else red
} SomSupportSign;

// Nothing without corners. False if something was skipped.
bool som_scene_add_support(SomScene *scene, const SomSupportSign *sign);

// Where a way to the border of the polygon ends that is as short as can be; `ground` itself without
// corners.
SomVec3 som_support_sign_nearest(const SomVec3 *corners, int count, SomVec3 ground);

#ifdef __cplusplus
}
#endif
