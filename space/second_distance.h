// space/second_distance.h - the distance of two posed solids by libccd: a second opinion on
// space/distance.h.
//
//     SomSecondSolid arm = {arm_parts, 2, arm_pose}, wheel = {wheel_parts, 1, wheel_pose};
//     SomSecondDistance other = som_second_distance(arm, wheel, 0.02);
//     if (ours < other.low - tolerance || ours > other.high + tolerance) ... one of the two is
//     wrong
//
// Only the figures of the shapes are shared with space/distance.h: their supports are written
// separately here, and libccd does the search. The signed distance is at least `low`: a direction
// that libccd tried separates the shapes by that much, or leaves no more overlap. It is at most
// `high`: shapes grown by that much intersect according to libccd's GJK, or the polytope of its EPA
// has that depth. The bounds differ by at most SOM_SECOND_PRECISION of the size of the shapes, with
// two exceptions: coaxial cylinders that overlap, of which a hundredth of the size may stay open,
// and pairs for which libccd finds no answer in any of a few turned frames. Shapes farther apart
// than `limit` only get `low`.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the sum of the radii of both shapes.
#define SOM_SECOND_PRECISION 2e-7

// Convex shapes, each with its pose in the solid; at least one.
typedef struct SomSecondSolid {
    const SomShapePart *parts;
    int part_count;
    SomPose pose;
} SomSecondSolid;

typedef struct SomSecondDistance {
    double low, high; // metres, negative where they overlap; NAN for a pose that is not finite
    long work;        // points of shapes that were compared
} SomSecondDistance;

// The least over pairs of parts.
SomSecondDistance som_second_distance(SomSecondSolid a, SomSecondSolid b, double limit);

// A ball around all parts, and how far they reach in a direction of length 1, in the world.
SomBall som_second_ball(SomSecondSolid solid);
double som_second_reach(SomSecondSolid solid, SomVec3 direction);

#ifdef __cplusplus
}
#endif
