// space/twist.h - velocities, forces and inertias of rigid bodies.
//
// A twist is the motion of a body seen in a frame: its angular velocity and the velocity of the
// body's point at the frame's origin. A wrench is a moment about that origin and a force. An
// inertia is a mass, its centre and the moments about the centre along the frame's axes.
//
//     SomTwist in_parent = som_twist_transform(parent_of_child, in_child);
//     SomWrench reaction = som_wrench_transform(parent_of_child, push);
//     double watts = som_wrench_power(reaction, in_parent); // the same in every frame
//
// Everything is a value; nothing fails.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomTwist {
    SomVec3 angular, linear;
} SomTwist;

typedef struct SomWrench {
    SomVec3 moment, force;
} SomWrench;

typedef struct SomInertia {
    double mass;
    SomVec3 center;
    SomMat3 moments; // about the centre, symmetric
} SomInertia;

// exp of a twist that lasts a unit of time: a screw motion; and its twist of the shortest turn.
SomPose som_twist_exp(SomTwist twist);
SomTwist som_twist_log(SomPose pose);

// The same inertia seen in the frame that `pose` leads to.
SomInertia som_inertia_transform(SomPose pose, SomInertia inertia);

// Two bodies glued together, both seen in one frame.
SomInertia som_inertia_add(SomInertia a, SomInertia b);

// The momentum of a body that moves by `twist`, a wrench times seconds.
SomWrench som_inertia_momentum(SomInertia inertia, SomTwist twist);

// The moments about the frame's origin instead of the centre (Steiner).
SomMat3 som_inertia_about_origin(SomInertia inertia);

static inline SomTwist som_twist_scale(double s, SomTwist a) {
    SomTwist t = {som_vec3_scale(s, a.angular), som_vec3_scale(s, a.linear)};
    return t;
}

// From the child's frame to the parent's: the adjoint of the pose.
static inline SomTwist som_twist_transform(SomPose pose, SomTwist a) {
    SomVec3 angular = som_pose_rotate(pose, a.angular);
    SomVec3 lever = som_vec3_cross(pose.position, angular);
    SomTwist t = {angular, som_vec3_add(som_pose_rotate(pose, a.linear), lever)};
    return t;
}

// From the parent's frame to the child's.
static inline SomTwist som_twist_transform_inverse(SomPose pose, SomTwist a) {
    SomVec3 linear = som_vec3_sub(a.linear, som_vec3_cross(pose.position, a.angular));
    SomTwist t = {som_pose_rotate_inverse(pose, a.angular), som_pose_rotate_inverse(pose, linear)};
    return t;
}

// From the child's frame to the parent's: the inverse transpose of the adjoint.
static inline SomWrench som_wrench_transform(SomPose pose, SomWrench a) {
    SomVec3 force = som_pose_rotate(pose, a.force);
    SomVec3 lever = som_vec3_cross(pose.position, force);
    SomWrench w = {som_vec3_add(som_pose_rotate(pose, a.moment), lever), force};
    return w;
}

// From the parent's frame to the child's: the transpose of the adjoint.
static inline SomWrench som_wrench_transform_inverse(SomPose pose, SomWrench a) {
    SomVec3 moment = som_vec3_sub(a.moment, som_vec3_cross(pose.position, a.force));
    SomWrench w = {som_pose_rotate_inverse(pose, moment), som_pose_rotate_inverse(pose, a.force)};
    return w;
}

static inline double som_wrench_power(SomWrench wrench, SomTwist twist) {
    return som_vec3_dot(wrench.moment, twist.angular) + som_vec3_dot(wrench.force, twist.linear);
}

#ifdef __cplusplus
}
#endif
