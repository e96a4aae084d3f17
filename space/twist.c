// SPDX-License-Identifier: Apache-2.0
#include "space/twist.h"

#include <stddef.h>

SomPose som_twist_exp(SomTwist twist) {
    SomPose pose = {som_rotation_exp(twist.angular),
                    som_mat3_apply(som_rotation_left_jacobian(twist.angular), twist.linear)};
    return pose;
}

SomTwist som_twist_log(SomPose pose) {
    SomVec3 turn = som_rotation_log(pose.rotation, NULL);
    SomTwist twist = {turn,
                      som_mat3_apply(som_rotation_left_jacobian_inverse(turn), pose.position)};
    return twist;
}

// moments + mass (|d|^2 I - d d^T)
static SomMat3 add_steiner(SomMat3 moments, double mass, SomVec3 d) {
    double xx = mass * d.x * d.x, yy = mass * d.y * d.y, zz = mass * d.z * d.z;
    double xy = mass * d.x * d.y, xz = mass * d.x * d.z, yz = mass * d.y * d.z;
    SomMat3 m = {{{moments.m[0][0] + (yy + zz), moments.m[0][1] - xy, moments.m[0][2] - xz},
                  {moments.m[1][0] - xy, moments.m[1][1] + (xx + zz), moments.m[1][2] - yz},
                  {moments.m[2][0] - xz, moments.m[2][1] - yz, moments.m[2][2] + (xx + yy)}}};
    return m;
}

SomInertia som_inertia_transform(SomPose pose, SomInertia inertia) {
    SomMat3 r = pose.rotation;
    SomMat3 turned =
        som_mat3_multiply(som_mat3_multiply(r, inertia.moments), som_mat3_transpose(r));
    SomInertia result = {inertia.mass, som_pose_apply(pose, inertia.center), turned};
    for (int i = 0; i < 3; i++) { // exactly symmetric
        for (int j = 0; j < i; j++) {
            double mean = 0.5 * (turned.m[i][j] + turned.m[j][i]);
            result.moments.m[i][j] = result.moments.m[j][i] = mean;
        }
    }
    return result;
}

SomInertia som_inertia_add(SomInertia a, SomInertia b) {
    SomInertia sum = {a.mass + b.mass, a.center, a.moments};
    for (int i = 0; i < 9; i++) {
        sum.moments.m[i / 3][i % 3] += b.moments.m[i / 3][i % 3];
    }
    if (sum.mass != 0) {
        // from a's centre, so that a body far from the origin loses no digits
        SomVec3 d = som_vec3_sub(b.center, a.center);
        double share = b.mass / sum.mass;
        sum.center = som_vec3_add(a.center, som_vec3_scale(share, d));
        sum.moments = add_steiner(sum.moments, a.mass * share, d);
    }
    return sum;
}

SomWrench som_inertia_momentum(SomInertia inertia, SomTwist twist) {
    SomVec3 velocity = som_vec3_add(twist.linear, som_vec3_cross(twist.angular, inertia.center));
    SomVec3 linear = som_vec3_scale(inertia.mass, velocity);
    SomVec3 spin = som_mat3_apply(inertia.moments, twist.angular);
    SomWrench momentum = {som_vec3_add(spin, som_vec3_cross(inertia.center, linear)), linear};
    return momentum;
}

SomMat3 som_inertia_about_origin(SomInertia inertia) {
    return add_steiner(inertia.moments, inertia.mass, inertia.center);
}
