// SPDX-License-Identifier: Apache-2.0
#include "space/pose.h"

#include "space/trigonometry.h"

#include <stdbool.h>
#include <stddef.h>

// Below this angle the closed forms of b, c and d lose digits and their series are exact.
#define SMALL_ANGLE 1e-2

// I + f K + g K^2 for K = [theta]x
static SomMat3 combine(double f, double g, SomVec3 t) {
    double xx = t.x * t.x, yy = t.y * t.y, zz = t.z * t.z;
    double xy = g * (t.x * t.y), xz = g * (t.x * t.z), yz = g * (t.y * t.z);
    SomMat3 r = {{{1 - g * (yy + zz), xy - f * t.z, xz + f * t.y},
                  {xy + f * t.z, 1 - g * (xx + zz), yz - f * t.x},
                  {xz - f * t.y, yz + f * t.x, 1 - g * (xx + yy)}}};
    return r;
}

// (1 - cos n)/n^2
static double cosine_coefficient(double n, double n2) {
    if (n < SMALL_ANGLE) {
        return 0.5 * (1 - n2 / 12 * (1 - n2 / 30 * (1 - n2 / 56)));
    }
    double s = som_sin(0.5 * n);
    return 2 * s * s / n2;
}

SomMat3 som_rotation_exp(SomVec3 theta) {
    double n2 = som_vec3_dot(theta, theta), n = sqrt(n2);
    double a = n < SMALL_ANGLE ? 1 - n2 / 6 * (1 - n2 / 20 * (1 - n2 / 42)) : som_sin(n) / n;
    return combine(a, cosine_coefficient(n, n2), theta);
}

SomMat3 som_rotation_left_jacobian(SomVec3 theta) {
    double n2 = som_vec3_dot(theta, theta), n = sqrt(n2);
    double c = n < SMALL_ANGLE ? 1.0 / 6 * (1 - n2 / 20 * (1 - n2 / 42 * (1 - n2 / 72)))
                               : (n - som_sin(n)) / (n * n2);
    return combine(cosine_coefficient(n, n2), c, theta);
}

SomMat3 som_rotation_left_jacobian_inverse(SomVec3 theta) {
    double n2 = som_vec3_dot(theta, theta), n = sqrt(n2);
    double d;
    if (n < SMALL_ANGLE) {
        d = 1.0 / 12 * (1 + n2 / 60 * (1 + n2 / 42 * (1 + n2 / 40)));
    } else {
        double s, c;
        som_sincos(0.5 * n, &s, &c);
        d = (1 - 0.5 * n * c / s) / n2;
    }
    return combine(-0.5, d, theta);
}

SomMat3 som_rotation_x(double angle) {
    double s, c;
    som_sincos(angle, &s, &c);
    SomMat3 r = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    return r;
}

SomMat3 som_rotation_y(double angle) {
    double s, c;
    som_sincos(angle, &s, &c);
    SomMat3 r = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    return r;
}

SomMat3 som_rotation_z(double angle) {
    double s, c;
    som_sincos(angle, &s, &c);
    SomMat3 r = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    return r;
}

static bool is_negative_half(SomQuat q) {
    if (q.w != 0) {
        return q.w < 0;
    }
    double first = q.x != 0 ? q.x : q.y != 0 ? q.y : q.z;
    return first < 0;
}

// Shepperd: divide by the largest of the four components, so nothing cancels.
SomQuat som_quat_from_rotation(SomMat3 r) {
    double xx = r.m[0][0], yy = r.m[1][1], zz = r.m[2][2];
    double trace = xx + yy + zz;
    SomQuat q;
    if (trace >= xx && trace >= yy && trace >= zz) {
        q.w = 1 + trace;
        q.x = r.m[2][1] - r.m[1][2];
        q.y = r.m[0][2] - r.m[2][0];
        q.z = r.m[1][0] - r.m[0][1];
    } else if (xx >= yy && xx >= zz) {
        q.x = 1 + xx - yy - zz;
        q.y = r.m[1][0] + r.m[0][1];
        q.z = r.m[2][0] + r.m[0][2];
        q.w = r.m[2][1] - r.m[1][2];
    } else if (yy >= zz) {
        q.y = 1 + yy - zz - xx;
        q.z = r.m[2][1] + r.m[1][2];
        q.x = r.m[0][1] + r.m[1][0];
        q.w = r.m[0][2] - r.m[2][0];
    } else {
        q.z = 1 + zz - xx - yy;
        q.x = r.m[0][2] + r.m[2][0];
        q.y = r.m[1][2] + r.m[2][1];
        q.w = r.m[1][0] - r.m[0][1];
    }
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double scale = is_negative_half(q) ? -1 / length : 1 / length;
    SomQuat unit = {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
    return unit;
}

SomMat3 som_quat_to_rotation(SomQuat q) {
    double length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    double s = length2 > 0 ? 2 / length2 : 0;
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    SomMat3 r = {{{1 - (yy + zz), xy - wz, xz + wy},
                  {xy + wz, 1 - (xx + zz), yz - wx},
                  {xz - wy, yz + wx, 1 - (xx + yy)}}};
    return r;
}

// The roll is what is left when the yaw is taken away, so that the three agree also where the pitch
// is a right angle and the first two mean the same; the yaw is 0 there, but for rounding.
void som_rotation_to_rpy(SomMat3 rotation, double rpy[3]) {
    double(*r)[3] = rotation.m;
    bool is_upright = fabs(r[1][0]) < 1e-15 && fabs(r[0][0]) < 1e-15;
    double yaw = is_upright ? 0 : som_atan2(r[1][0], r[0][0]), s, c;
    som_sincos(yaw, &s, &c);
    rpy[0] = som_atan2(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1]);
    rpy[1] = som_atan2(-r[2][0], c * r[0][0] + s * r[1][0]);
    rpy[2] = yaw;
}

SomMat3 som_rotation_from_rpy(double roll, double pitch, double yaw) {
    SomMat3 level = som_mat3_multiply(som_rotation_z(yaw), som_rotation_y(pitch));
    return som_mat3_multiply(level, som_rotation_x(roll));
}

SomMat3 som_rotation_normalise(SomMat3 almost) {
    return som_quat_to_rotation(som_quat_from_rotation(almost));
}

static double round_to_whole(double x) {
    return floor(x + 0.5);
}

// The representative of theta (of size n about the unit `axis`) that continues from `near`.
static SomVec3 continue_turns(SomVec3 theta, double n, SomVec3 axis, SomVec3 near) {
    double size = som_vec3_length(near);
    if (!isfinite(size)) {
        return theta;
    }
    if (n < 1e-6) {
        if (size <= SOM_PI) {
            return theta;
        }
        // Close to full turns the axis is lost in rounding: keep the old one if what lies across it
        // may be rounding. If it is more, the result must turn about the axis of `r`: at full turns
        // exp forgets what is added across the axis.
        SomVec3 old = som_vec3_scale(1 / size, near);
        double along = som_vec3_dot(theta, old);
        SomVec3 across = som_vec3_sub(theta, som_vec3_scale(along, old));
        if (som_vec3_length(across) < 1e-12) {
            double turns = round_to_whole((size - along) / (2 * SOM_PI));
            return som_vec3_scale(along + 2 * SOM_PI * turns, old);
        }
    }
    double turns = round_to_whole((som_vec3_dot(near, axis) - n) / (2 * SOM_PI));
    return turns == 0 ? theta : som_vec3_scale(n + 2 * SOM_PI * turns, axis);
}

SomVec3 som_rotation_log(SomMat3 r, const SomVec3 *near) {
    SomQuat q = som_quat_from_rotation(r);
    SomVec3 v = som_vec3(q.x, q.y, q.z);
    double length = som_vec3_length(v);
    double n = 2 * som_atan2(length, q.w);
    // theta/v tends to 2/w where atan2(|v|, w)/|v| is 0/0; w is 1 there
    double ratio = length < 1e-8 ? 2 / q.w : n / length;
    SomVec3 theta = som_vec3_scale(ratio, v);
    if (near == NULL) {
        return theta;
    }
    SomVec3 axis = length > 0 ? som_vec3_scale(1 / length, v) : v;
    return continue_turns(theta, n, axis, *near);
}

double som_rotation_distance(SomMat3 a, SomMat3 b) {
    SomQuat q = som_quat_from_rotation(som_mat3_multiply(som_mat3_transpose(a), b));
    return 2 * som_atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), q.w);
}

SomPose som_pose_from_coordinates(const double y[6]) {
    SomPose pose = {som_rotation_exp(som_vec3(y[3], y[4], y[5])), som_vec3(y[0], y[1], y[2])};
    return pose;
}

void som_pose_to_coordinates(SomPose pose, const double *near, double y[6]) {
    SomVec3 near_theta = {0, 0, 0};
    if (near != NULL) {
        near_theta = som_vec3(near[3], near[4], near[5]);
    }
    SomVec3 theta = som_rotation_log(pose.rotation, near != NULL ? &near_theta : NULL);
    y[0] = pose.position.x;
    y[1] = pose.position.y;
    y[2] = pose.position.z;
    y[3] = theta.x;
    y[4] = theta.y;
    y[5] = theta.z;
}

double som_pose_distance(SomPose a, SomPose b) {
    double way = som_vec3_length(som_vec3_sub(a.position, b.position));
    double turn = som_rotation_distance(a.rotation, b.rotation);
    return way >= turn || isnan(way) ? way : turn;
}

SomPose som_pose_interpolate(SomPose a, SomPose b, double s) {
    SomVec3 turn =
        som_rotation_log(som_mat3_multiply(som_mat3_transpose(a.rotation), b.rotation), NULL);
    SomVec3 way = som_vec3_sub(b.position, a.position);
    SomPose pose = {som_mat3_multiply(a.rotation, som_rotation_exp(som_vec3_scale(s, turn))),
                    som_vec3_add(a.position, som_vec3_scale(s, way))};
    return pose;
}
