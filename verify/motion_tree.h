// verify/motion_tree.h - a motion of a mechanism between its samples: where two links are seen from
// each other at any time, and how far they can have moved.
//
//     SomMotionTree *tree = som_motion_tree_create(mechanism, solids, &motion);
//     SomMotionPath path = som_motion_path(tree, a, b);
//     som_motion_values(tree, &path, 12.5, values);      // half-way between samples 12 and 13
//     som_motion_poses(tree, &path, values, &pose_a, &pose_b, NULL);
//     double moved = som_motion_bound(path.arms, path.count, values, others);
//     som_motion_tree_destroy(tree);
//
// A motion is samples of all DoF; between two samples every DoF moves linearly in time. Joints that
// never move in it are no joints here, so that only those which move two links against each other
// count: a body that both hang on does not loosen the bound.
//
// The bound: when joint j turns by x, all that hangs on it moves by no more than x * arm, where the
// arm is the largest distance of a point of the link from the axis in any posture of the motion; by
// which of the two links moves it is the same, so the shorter arm counts. Nothing moves where a
// link is round about the axis. So the signed distance of two links changes by no more than the sum
// of arm * |change of value| over the joints between them. Within a tick that sum is convex in
// time: it is largest at an end.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "verify/link_solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomMotion {
    const double *times;  // of each sample, ascending; NULL: one sample at time 0
    const double *values; // dof_count for each sample
    int sample_count;
    int dof_count;
} SomMotion;

// Values beyond are no values of joints: nothing is said about a motion from there on.
#define SOM_MOTION_MOST_VALUE 1e9

// How many samples of the motion, from the first, have values that are numbers of sane size.
int som_motion_sane_samples(const SomMotion *motion);

// The time of a place between samples, 12.5 say, and back.
double som_motion_time(const SomMotion *motion, double place);

// A joint that moves.
typedef struct SomMotionJoint {
    int dof;
    int up; // the next one towards the base, -1 if there is none
    int depth;
    bool slides;
    double sign;
    SomPose before;       // the frame that it moves = up's frame * before * M(value)
    SomVec3 origin, axis; // in the world at the first sample
    double range;         // of a sliding one: how far it goes from where it is at first
    double gap;           // between its origin and up's, at most
} SomMotionJoint;

typedef struct SomMotionLink {
    int joint;     // the next towards the base that moves, -1 if none does
    SomPose pose;  // seen from the frame that it moves, or in the world
    SomPose place; // in the world at the first sample
    double reach;  // from the joint's origin
    double arm;    // from its axis
} SomMotionLink;

typedef struct SomMotionTree {
    const SomMechanism *mechanism;
    const SomMotion *motion;
    const SomLinkSolid *const *solids; // of each link
    const SomMotionJoint *joints;      // every one behind its up
    const int *dofs;                   // of the joints
    int joint_count;
    const SomMotionLink *links;
    SomArena arena;
} SomMotionTree;

// The motion's values must be sane, and there must be a sample.
SomMotionTree *som_motion_tree_create(const SomMechanism *mechanism,
                                      const SomLinkSolid *const *solids, const SomMotion *motion);
void som_motion_tree_destroy(SomMotionTree *tree); // NULL is allowed

// The joints that move between two links: first those from a towards the base, then from b.
typedef struct SomMotionPath {
    int link_a, link_b;
    int *joints;
    double *arms; // metres a radian, or 1
    int count, count_a;
} SomMotionPath;

// Link b may be -1: the world, in which a moves; then all arms are those of a.
int som_motion_path_count(const SomMotionTree *tree, int link_a, int link_b);
// With memory for the count.
void som_motion_path(const SomMotionTree *tree, int link_a, int link_b, int *joints, double *arms,
                     SomMotionPath *path);

// Values of the joints of a path at a place in the motion.
void som_motion_values(const SomMotionTree *tree, const SomMotionPath *path, double place,
                       double *values);
// Of both links in a frame that no joint of the path moves, and the axes of its joints; NULL is
// allowed.
void som_motion_poses(const SomMotionTree *tree, const SomMotionPath *path, const double *values,
                      SomPose *pose_a, SomPose *pose_b, SomVec3 *axes);
// What counts of each arm for a gap along a direction, at those axes.
void som_motion_weights(const SomMotionTree *tree, const SomMotionPath *path, const SomVec3 *axes,
                        SomVec3 direction, double *weights);

static inline double som_motion_bound(const double *arms, int count, const double *from,
                                      const double *to) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += arms[i] * fabs(to[i] - from[i]);
    }
    return sum;
}

// The first sample from `first` to `last` at which the bound from given values is above `most`,
// last
// + 1 if there is none.
int som_motion_first_beyond(const SomMotionTree *tree, const SomMotionPath *path,
                            const double *arms, const double *from, double most, int first,
                            int last);

// How far any point of each link can move in the world from a sample to the next.
void som_motion_steps(const SomMotionTree *tree, int sample, double *steps);

#ifdef __cplusplus
}
#endif
