// space/pose.h - rotations and rigid transforms.
//
// A pose maps coordinates of a child frame to its parent: x -> R x + t. Poses compose left to right
// from the parent down:
//
//     SomPose world_of_tool = som_pose_compose(world_of_arm, arm_of_tool);
//     SomVec3 tip = som_pose_apply(world_of_tool, som_vec3(0, 0, 0.1));
//     double y[6];
//     som_pose_to_coordinates(world_of_tool, last_y, y); // stays near last_y, through full turns
//
// The six coordinates y = (t, theta) mean Trans(t) Rot(exp theta): a plain translation and a
// rotation vector, not the screw logarithm. Everything is a value and nothing fails: numbers that
// are not finite go in and come out. Matrices are trusted to be rotations; after thousands of
// compositions, som_rotation_normalise. All results are the same bits on every machine.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomMat3 {
    double m[3][3]; // rows
} SomMat3;

typedef struct SomPose {
    SomMat3 rotation;
    SomVec3 position;
} SomPose;

typedef struct SomQuat {
    double x, y, z, w;
} SomQuat;

// exp [theta]x: the turn by |theta| about theta's direction, of any size.
SomMat3 som_rotation_exp(SomVec3 theta);

// The rotation vector: |theta| <= pi, or with `near` (NULL is allowed) the one of its 2 pi
// representatives that continues from `near`. Its exponential is `r` again either way.
SomVec3 som_rotation_log(SomMat3 r, const SomVec3 *near);

SomMat3 som_rotation_x(double angle);
SomMat3 som_rotation_y(double angle);
SomMat3 som_rotation_z(double angle);

// J of omega = J(theta) theta', where omega is the angular velocity seen from the parent: R' =
// [omega]x R. The inverse is singular at multiples of 2 pi but 0, where it is not finite or huge.
SomMat3 som_rotation_left_jacobian(SomVec3 theta);
SomMat3 som_rotation_left_jacobian_inverse(SomVec3 theta);

// Roll, pitch and yaw, as SDF and URDF have them: about the fixed axes x, y and z, one after the
// other. Where the pitch is a right angle the three still agree.
void som_rotation_to_rpy(SomMat3 r, double rpy[3]);
SomMat3 som_rotation_from_rpy(double roll, double pitch, double yaw);

// w >= 0; of the two with w = 0, the one whose first component that is not zero is positive.
SomQuat som_quat_from_rotation(SomMat3 r);
SomMat3 som_quat_to_rotation(SomQuat q); // of any length but 0, which gives the identity

// A rotation close to a matrix that is almost one.
SomMat3 som_rotation_normalise(SomMat3 almost);

// The angle in [0, pi] of the turn between two rotations.
double som_rotation_distance(SomMat3 a, SomMat3 b);

SomPose som_pose_from_coordinates(const double y[6]);
void som_pose_to_coordinates(SomPose pose, const double *near, double y[6]); // near: NULL allowed

// The larger of the way in metres and the angle in radians between two poses.
double som_pose_distance(SomPose a, SomPose b);

// From a (s = 0) to b (s = 1), straight and by the shortest turn, both at constant speed.
SomPose som_pose_interpolate(SomPose a, SomPose b, double s);

static inline SomMat3 som_mat3_identity(void) {
    SomMat3 m = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return m;
}

static inline SomMat3 som_mat3_multiply(SomMat3 a, SomMat3 b) {
    SomMat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return c;
}

static inline SomMat3 som_mat3_transpose(SomMat3 a) {
    SomMat3 c = {{{a.m[0][0], a.m[1][0], a.m[2][0]},
                  {a.m[0][1], a.m[1][1], a.m[2][1]},
                  {a.m[0][2], a.m[1][2], a.m[2][2]}}};
    return c;
}

static inline SomVec3 som_mat3_apply(SomMat3 a, SomVec3 v) {
    return som_vec3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                    a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                    a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

// a^T v; for a rotation, its inverse applied.
static inline SomVec3 som_mat3_apply_transposed(SomMat3 a, SomVec3 v) {
    return som_vec3(a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                    a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                    a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z);
}

static inline SomPose som_pose_identity(void) {
    SomPose pose = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};
    return pose;
}

static inline SomPose som_pose_translation(SomVec3 position) {
    SomPose pose = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, position};
    return pose;
}

static inline SomPose som_pose_compose(SomPose a, SomPose b) {
    SomPose pose = {som_mat3_multiply(a.rotation, b.rotation),
                    som_vec3_add(som_mat3_apply(a.rotation, b.position), a.position)};
    return pose;
}

static inline SomPose som_pose_invert(SomPose a) {
    SomPose pose = {som_mat3_transpose(a.rotation),
                    som_vec3_scale(-1, som_mat3_apply_transposed(a.rotation, a.position))};
    return pose;
}

// a^-1 b: where b is, seen from a.
static inline SomPose som_pose_relative(SomPose a, SomPose b) {
    SomPose pose = {som_mat3_multiply(som_mat3_transpose(a.rotation), b.rotation),
                    som_mat3_apply_transposed(a.rotation, som_vec3_sub(b.position, a.position))};
    return pose;
}

static inline SomVec3 som_pose_apply(SomPose a, SomVec3 point) {
    return som_vec3_add(som_mat3_apply(a.rotation, point), a.position);
}

static inline SomVec3 som_pose_apply_inverse(SomPose a, SomVec3 point) {
    return som_mat3_apply_transposed(a.rotation, som_vec3_sub(point, a.position));
}

static inline SomVec3 som_pose_rotate(SomPose a, SomVec3 direction) {
    return som_mat3_apply(a.rotation, direction);
}

static inline SomVec3 som_pose_rotate_inverse(SomPose a, SomVec3 direction) {
    return som_mat3_apply_transposed(a.rotation, direction);
}

#ifdef __cplusplus
}
#endif
