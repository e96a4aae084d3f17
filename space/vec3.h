// space/vec3.h - points and directions: three doubles, passed by value. Metres where it matters.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <math.h>

typedef struct SomVec3 {
    double x, y, z;
} SomVec3;

static inline SomVec3 som_vec3(double x, double y, double z) {
    SomVec3 v = {x, y, z};
    return v;
}

static inline SomVec3 som_vec3_add(SomVec3 a, SomVec3 b) {
    return som_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline SomVec3 som_vec3_sub(SomVec3 a, SomVec3 b) {
    return som_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline SomVec3 som_vec3_scale(double s, SomVec3 a) {
    return som_vec3(s * a.x, s * a.y, s * a.z);
}

static inline double som_vec3_dot(SomVec3 a, SomVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline SomVec3 som_vec3_cross(SomVec3 a, SomVec3 b) {
    return som_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double som_vec3_length(SomVec3 a) {
    return sqrt(som_vec3_dot(a, a));
}
