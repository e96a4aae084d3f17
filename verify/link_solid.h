// verify/link_solid.h - the solid of a link, as the checks measure it: its convex parts, balls
// round them, and how far two of them are apart.
//
//     SomLinkSolid arm = som_link_solid(&type->links[0], &arena);
//     SomDistance gap = som_solid_distance(&arm, &arm_pose, &wheel, &wheel_pose, 0.02, &cache);
//
// Distances are those of space/distance.h, the least over pairs of parts: negative where they
// overlap, and above the limit only a lower bound.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "modules/module_type.h"
#include "space/distance.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomLinkSolid {
    const SomShapePart *parts; // borrowed from the type
    const SomBall *balls;      // of each part, in the link's frame
    int part_count;            // 0: the link has no solid
    SomBall ball;              // round all of it
    double thickness;          // the least width of a part along an axis of its own
} SomLinkSolid;

SomLinkSolid som_link_solid(const SomModuleLink *link, SomArena *arena);

// The ball of a solid in a pose.
static inline SomBall som_solid_ball(const SomLinkSolid *solid, const SomPose *pose) {
    SomBall ball = {som_pose_apply(*pose, solid->ball.center), solid->ball.radius};
    return ball;
}

// Both must have parts. The cache is for this pair of solids in motion; NULL is allowed.
SomDistance som_solid_distance(const SomLinkSolid *a, const SomPose *pose_a, const SomLinkSolid *b,
                               const SomPose *pose_b, double limit, SomDistanceCache *cache);

// Which parts of two solids are not measured against each other: of each part of the first, one of
// each part of the second. NULL: all are.
typedef const bool *SomPartPairs;

static inline bool som_part_pair_is_in(SomPartPairs pairs, const SomLinkSolid *b, int part_a,
                                       int part_b) {
    return pairs != NULL && pairs[part_a * b->part_count + part_b];
}

// The same without some pairs of parts; at least one pair must be left.
SomDistance som_solid_distance_except(const SomLinkSolid *a, const SomPose *pose_a,
                                      const SomLinkSolid *b, const SomPose *pose_b, double limit,
                                      SomDistanceCache *cache, SomPartPairs except);

// One part of a solid.
SomLinkSolid som_solid_part(const SomLinkSolid *solid, int part);

// How far a posed solid reaches in a direction.
double som_solid_height(const SomLinkSolid *solid, const SomPose *pose, SomVec3 direction);

// How wide a gap is between them along a direction of length 1 from a to b: a lower bound of their
// distance, negative if planes across it do not part them.
double som_solid_gap(const SomLinkSolid *a, const SomPose *pose_a, const SomLinkSolid *b,
                     const SomPose *pose_b, SomVec3 direction);

// How far the turning of the solid about an axis through a point moves points of its surface to
// where no other point of it was, for each radian: no more than this. Zero if it is round about it.
double som_solid_arm(const SomLinkSolid *solid, SomVec3 point, SomVec3 axis);

#ifdef __cplusplus
}
#endif
