// space/distance.h - how far two posed shapes are from each other, and whether they touch.
//
//     SomDistance gap = som_shape_distance(&arm, arm_pose, &wheel, wheel_pose);
//     if (gap.distance < 0) {
//         // moving the wheel by -gap.distance along gap.normal parts them
//     }
//     bool hit = som_shape_touch(&arm, arm_pose, &wheel, wheel_pose, NULL);
//
// The distance is signed: that of the nearest points of shapes apart, and minus the shortest way
// that parts them of shapes that overlap. It is exact to a billionth of the size of flat shapes and
// to a ten millionth of that of round ones, either way round; beyond a thousand to one between
// sizes rounding takes its share, at a million to one about a millionth. Only a hull deep in a much
// larger cylinder may be told a way out longer than the shortest by a part of the hull's size. Of
// compounds it is the least over pairs of parts. Convex shapes need no memory, any finite pose does
// in a bounded number of steps, and results are the same bits on every machine.
//
// A cache is for one pair of shapes in motion: it only saves time (zero is empty).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomDistance {
    double distance;          // negative where they overlap
    SomVec3 point_a, point_b; // on the surfaces, |distance| apart; in the world, like the normal
    SomVec3 normal;           // of length 1: point_b = point_a + distance normal
} SomDistance;

typedef struct SomDistanceCache {
    SomVec3 axis;           // from a to b, in a's frame
    int part_a, part_b;     // the pair of parts of compounds it is about
    int vertex_a, vertex_b; // of hulls
} SomDistanceCache;

SomDistance som_shape_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                               SomPose pose_b);

// The same, saving time where shapes are farther apart than `limit`: a distance above it is only a
// lower bound, the normal of convex shapes then parts them by so much, and the points are some of
// the shapes. `cache` may be NULL.
SomDistance som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                      SomPose pose_b, double limit, SomDistanceCache *cache);

// Whether the distance is not positive; several times faster. Shapes less than a billionth of their
// size apart may be found touching.
bool som_shape_touch(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                     SomDistanceCache *cache);

#ifdef __cplusplus
}
#endif
