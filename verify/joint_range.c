// SPDX-License-Identifier: Apache-2.0
#include "verify/joint_range.h"

#include "space/trigonometry.h"

#include <math.h>

// Distances that are measured at most, each of every two parts.
#define MAX_WORK 2000

// Values that are looked at first: most overlaps that grow are found there.
#define FIRST_LOOKS 8

typedef struct Range {
    const SomModuleJoint *joint;
    const SomLinkSolid *parent, *child;
    double touch, deepest;
    double arm; // metres that the child moves for each unit of the joint, at most
    int work;   // that is left
    bool is_apart;
    SomDistanceCache cache;
} Range;

static double distance_at(Range *r, double value, double limit) {
    SomPose zero = som_pose_identity(), moved = som_module_joint_motion(r->joint, value);
    r->work -= r->parent->part_count * r->child->part_count;
    double distance =
        som_solid_distance(r->parent, &zero, r->child, &moved, limit, &r->cache).distance;
    r->is_apart = r->is_apart || distance > r->touch;
    return distance;
}

// Whether they are never deeper than they may be between two values.
static bool stays_within(Range *r, double low, double high) {
    double half = 0.5 * (high - low), reach = r->arm * half;
    if (r->work <= 0) {
        return false;
    }
    double distance = distance_at(r, low + half, r->touch + reach);
    if (distance < -r->deepest) {
        return false;
    }
    bool is_shallow = distance - reach >= -r->deepest;
    bool is_together = r->is_apart || distance + reach <= r->touch;
    return (is_shallow && is_together) ||
           (stays_within(r, low, low + half) && stays_within(r, low + half, high));
}

static double arm_of(const Range *r) {
    const SomModuleJoint *joint = r->joint;
    if (joint->type == SOM_JOINT_PRISMATIC) {
        return 1;
    }
    SomVec3 axis = som_pose_rotate(joint->frame, som_vec3(0, 0, 1));
    return fmin(som_solid_arm(r->parent, joint->frame.position, axis),
                som_solid_arm(r->child, joint->frame.position, axis));
}

SomJointOverlap som_joint_overlap(const SomModuleJoint *joint, const SomLinkSolid *parent,
                                  const SomLinkSolid *child, double touch, double deepest) {
    Range r = {.joint = joint,
               .parent = parent,
               .child = child,
               .touch = touch,
               .deepest = deepest,
               .work = MAX_WORK};
    double low = fmin(joint->low, 0), high = fmax(joint->high, 0);
    if (joint->type != SOM_JOINT_PRISMATIC && !(high - low < 2 * SOM_PI)) {
        low = -SOM_PI;
        high = SOM_PI;
    }
    if (!isfinite(low) || !isfinite(high)) {
        return SOM_OVERLAP_UNPROVEN;
    }
    r.arm = arm_of(&r);
    for (int i = 0; r.arm > 0 && i <= FIRST_LOOKS; i++) {
        if (distance_at(&r, low + (high - low) * i / FIRST_LOOKS, touch) < -deepest) {
            return SOM_OVERLAP_UNPROVEN;
        }
    }
    return !stays_within(&r, low, high) ? SOM_OVERLAP_UNPROVEN
           : r.is_apart                 ? SOM_OVERLAP_ENDS
                                        : SOM_OVERLAP_LASTS;
}
