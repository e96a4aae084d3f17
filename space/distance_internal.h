// space/distance_internal.h - the parts of space/distance.h: two convex shapes in the frame of the
// first.
//
// Spheres and capsules are points and segments ("cores") with a radius round them, which the caller
// adds; everything here is about cores. The set D = A - B of differences of points holds the
// origin where cores overlap, and its point nearest to the origin is the distance of cores apart.
// The support of D in direction n, a number h(n), bounds both: the signed distance is the largest
// of all -h(n).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/distance.h"

typedef struct SomConvexPair {
    const SomShape *a, *b;
    SomMat3 rotation; // of b, seen from a
    SomVec3 position;
    int vertex_a, vertex_b; // where the search in hulls starts
} SomConvexPair;

// A point of D, and the point of A in it; that of B is a - w.
typedef struct SomDifference {
    SomVec3 w, a;
} SomDifference;

// Points of the two cores with point_b = point_a + distance normal, in the frame of a.
typedef struct SomNearest {
    double distance;
    SomVec3 point_a, point_b, normal;
} SomNearest;

typedef enum SomGjkEnd {
    SOM_GJK_APART,  // nearest points found
    SOM_GJK_TOUCH,  // overlap, or too close to tell the direction
    SOM_GJK_UNSURE, // very close, but not how much and where
    SOM_GJK_FAR,    // a lower bound of the distance is above `far`
    SOM_GJK_CLOSE,  // the distance is at most `close`
} SomGjkEnd;

static inline SomVec3 som_core_support(const SomShape *shape, SomVec3 d, int *vertex) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return som_vec3(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y),
                        copysign(shape->half.z, d.z));
    case SOM_SHAPE_CYLINDER: {
        double length = sqrt(d.x * d.x + d.y * d.y);
        double scale = length > 0 ? shape->radius / length : 0;
        return som_vec3(scale * d.x, scale * d.y, copysign(shape->half_length, d.z));
    }
    case SOM_SHAPE_CAPSULE:
        return som_vec3(0, 0, copysign(shape->half_length, d.z));
    case SOM_SHAPE_HULL:
        *vertex = som_hull_support(shape->hull, d, *vertex);
        return shape->hull->vertices[*vertex];
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return som_vec3(0, 0, 0);
}

// How far the shape reaches round its core.
static inline double som_core_margin(const SomShape *shape) {
    return shape->kind == SOM_SHAPE_SPHERE || shape->kind == SOM_SHAPE_CAPSULE ? shape->radius : 0;
}

// The point of D farthest in direction d.
static inline SomDifference som_pair_support(SomConvexPair *pair, SomVec3 d) {
    SomVec3 back = som_mat3_apply_transposed(pair->rotation, som_vec3_scale(-1, d));
    SomVec3 a = som_core_support(pair->a, d, &pair->vertex_a);
    SomVec3 b = som_core_support(pair->b, back, &pair->vertex_b);
    b = som_vec3_add(som_mat3_apply(pair->rotation, b), pair->position);
    return (SomDifference){som_vec3_sub(a, b), a};
}

// Not fmax, a call that takes as long as the rest of a step.
static inline double som_larger(double a, double b) {
    return a > b ? a : b;
}

static inline SomVec3 som_vec3_column(SomMat3 m, int i) {
    return som_vec3(m.m[0][i], m.m[1][i], m.m[2][i]);
}

// About how large a core is; of hulls, it may be much less.
double som_core_size(const SomShape *shape);

// The nearest points of the cores, starting in direction `axis` (from a to b, not 0). `nearest` is
// written whatever the end; after FAR its distance is the bound, after TOUCH it is of no use.
SomGjkEnd som_gjk(SomConvexPair *pair, SomVec3 axis, double far, double close, SomNearest *nearest);

// Exact distances of points and segments to cores other than hulls; false for other pairs.
bool som_distance_form(const SomConvexPair *pair, SomNearest *nearest);

// The least h(n) and its n, for cores that overlap, touch or nearly do.
double som_penetration(SomConvexPair *pair, SomVec3 *normal);
