// verify/witness.h - what shows that two shapes are apart, or that they touch.
//
//     SomWitness witness = som_witness(&arm, arm_pose, &wheel, wheel_pose);
//     if (witness.is_apart) {
//         // normal . x < offset for all points x of the arm, > offset for all of the wheel
//     } else {
//         // witness.point belongs to both
//     }
//
// A reader need not trust the search that found it: a plane is checked with one support of each
// shape, a point with one look at each. Both shapes are convex: of compounds, ask for each pair of
// parts. The point lies in both but for rounding, a trillionth of their size; of shapes that
// overlap by less than a ten millionth of it, which is as exact as distances are, but for so much.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/distance.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomWitness {
    bool is_apart;
    SomVec3 normal; // of a plane that parts them, of length 1, from a to b; in the world
    double offset;
    SomVec3 point;   // of both, where they touch; in the world
    double distance; // that of space/distance.h
} SomWitness;

SomWitness som_witness(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b);

#ifdef __cplusplus
}
#endif
