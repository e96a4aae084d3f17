// SPDX-License-Identifier: Apache-2.0
// A common point is a way to write the origin as a mean of differences a - b of points of both: the
// same mean of the points a is the same mean of the points b. It is found as the point nearest to
// the origin among all differences (P. Wolfe, "Finding the nearest point in a polytope", 1976).

#include "verify/witness.h"

#include <assert.h>
#include <math.h>

#define MAX_CORNERS 4
#define MAX_STEPS 100

// Nearer to the origin than this part of the shapes' size is the origin.
#define ORIGIN 1e-15

// How far points of a surface are moved inwards, as parts of the way to the middle.
#define LEAST_WAY 1e-15
#define MOST_WAY 0.1

typedef struct Corner {
    SomVec3 w; // a - b, in the frame of a
    SomVec3 a;
    double weight;
} Corner;

// The nearest point so far is the mean of its corners.
typedef struct Nearest {
    const SomShape *a, *b;
    SomPose pose; // of b, seen from a
    Corner corners[MAX_CORNERS];
    int count;
} Nearest;

static Corner support(const Nearest *n, SomVec3 d) {
    SomVec3 back = som_pose_rotate_inverse(n->pose, som_vec3_scale(-1, d));
    SomVec3 a = som_shape_support(n->a, d);
    SomVec3 b = som_pose_apply(n->pose, som_shape_support(n->b, back));
    return (Corner){som_vec3_sub(a, b), a, 0};
}

static SomVec3 mean(const Nearest *n) {
    SomVec3 v = {0, 0, 0};
    for (int i = 0; i < n->count; i++) {
        v = som_vec3_add(v, som_vec3_scale(n->corners[i].weight, n->corners[i].w));
    }
    return v;
}

// Solves m x = 1 for all rows; false if there is no one solution.
static bool solve(double m[MAX_CORNERS][MAX_CORNERS + 1], int n, double *x) {
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i + 1; r < n; r++) {
            best = fabs(m[r][i]) > fabs(m[best][i]) ? r : best;
        }
        if (!(fabs(m[best][i]) > 0)) {
            return false;
        }
        for (int k = 0; k <= n; k++) {
            double kept = m[i][k];
            m[i][k] = m[best][k];
            m[best][k] = kept;
        }
        for (int r = i + 1; r < n; r++) {
            double part = m[r][i] / m[i][i];
            for (int k = i; k <= n; k++) {
                m[r][k] -= part * m[i][k];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = m[i][n];
        for (int k = i + 1; k < n; k++) {
            x[i] -= m[i][k] * x[k];
        }
        x[i] /= m[i][i];
    }
    return true;
}

// Weights, some of them perhaps negative, of the point of the corners' plane that is nearest to the
// origin: those that (scale^2 + w w^T) maps to ones, made to sum to one.
static bool find_weights(const Nearest *n, double scale, double *weights) {
    double m[MAX_CORNERS][MAX_CORNERS + 1];
    for (int i = 0; i < n->count; i++) {
        for (int k = 0; k < n->count; k++) {
            m[i][k] = scale * scale + som_vec3_dot(n->corners[i].w, n->corners[k].w);
        }
        m[i][n->count] = 1;
    }
    double sum = 0;
    if (!solve(m, n->count, weights)) {
        return false;
    }
    for (int i = 0; i < n->count; i++) {
        sum += weights[i];
    }
    for (int i = 0; i < n->count; i++) {
        weights[i] /= sum;
    }
    return isfinite(sum) && sum > 0;
}

// Goes towards the point of the corners' plane until a weight is zero, and leaves its corner out;
// again with those that are left, until the point lies among them.
static bool come_nearer(Nearest *n, double scale) {
    for (;;) {
        double weights[MAX_CORNERS];
        if (!find_weights(n, scale, weights)) {
            return false;
        }
        double way = 1;
        int out = -1;
        for (int i = 0; i < n->count; i++) {
            double old = n->corners[i].weight;
            if (weights[i] <= 0 && old / (old - weights[i]) <= way) {
                way = old / (old - weights[i]);
                out = i;
            }
        }
        for (int i = 0; i < n->count; i++) {
            double *weight = &n->corners[i].weight;
            *weight += way * (weights[i] - *weight);
        }
        if (out < 0) {
            return true;
        }
        n->corners[out] = n->corners[--n->count];
        if (n->count == 0) {
            return false;
        }
    }
}

// A point of a, seen from it, and how far from there a point of b is.
static SomVec3 find_common(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                           double *gap) {
    Nearest n = {.a = a, .b = b, .pose = som_pose_relative(pose_a, pose_b)};
    n.corners[0] = support(&n, som_vec3(1, 0, 0));
    n.corners[0].weight = 1;
    n.count = 1;
    double scale = som_shape_ball(a).radius + som_shape_ball(b).radius;
    SomVec3 point = n.corners[0].a;
    *gap = INFINITY;
    for (int step = 0; step < MAX_STEPS; step++) {
        SomVec3 v = mean(&n);
        double length = som_vec3_length(v);
        if (length < *gap) {
            *gap = length;
            point = som_vec3(0, 0, 0);
            for (int i = 0; i < n.count; i++) {
                point = som_vec3_add(point, som_vec3_scale(n.corners[i].weight, n.corners[i].a));
            }
            point = som_vec3_sub(point, som_vec3_scale(0.5, v));
        }
        if (length <= ORIGIN * scale || n.count == MAX_CORNERS) {
            break;
        }
        n.corners[n.count++] = support(&n, som_vec3_scale(-1, v));
        if (!come_nearer(&n, scale)) {
            break;
        }
    }
    return point;
}

static bool is_common(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                      SomVec3 point) {
    return som_shape_contains(a, som_pose_apply_inverse(pose_a, point)) &&
           som_shape_contains(b, som_pose_apply_inverse(pose_b, point));
}

// Well inside: the mean of all corners of a hull, the origin of other shapes.
static SomVec3 inner_point(const SomShape *shape) {
    SomVec3 sum = {0, 0, 0};
    int count = shape->kind == SOM_SHAPE_HULL ? shape->hull->vertex_count : 0;
    for (int i = 0; i < count; i++) {
        sum = som_vec3_add(sum, som_vec3_scale(1.0 / count, shape->hull->vertices[i]));
    }
    return sum;
}

// Points of the surface of one shape that lie in the other are in both but for rounding: a little
// way towards the middle they are.
static bool go_in(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                  SomVec3 *point) {
    SomVec3 middle = som_pose_apply(pose_a, inner_point(a));
    SomVec3 way = som_vec3_sub(middle, *point);
    for (double part = LEAST_WAY; part < MOST_WAY; part *= 10) {
        SomVec3 inner = som_vec3_add(*point, som_vec3_scale(part, way));
        if (is_common(a, pose_a, b, pose_b, inner)) {
            *point = inner;
            return true;
        }
    }
    return false;
}

static double height_of(const SomShape *shape, SomPose pose, SomVec3 n) {
    SomVec3 local = som_shape_support(shape, som_pose_rotate_inverse(pose, n));
    return som_vec3_dot(n, som_pose_apply(pose, local));
}

// Of the plane in the middle of the gap.
static double offset_between(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                             SomVec3 n) {
    return 0.5 * (height_of(a, pose_a, n) - height_of(b, pose_b, som_vec3_scale(-1, n)));
}

SomWitness som_witness(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b) {
    assert(a->kind != SOM_SHAPE_COMPOUND && b->kind != SOM_SHAPE_COMPOUND);
    SomDistance d = som_shape_distance(a, pose_a, b, pose_b);
    SomVec3 middle = som_vec3_scale(0.5, som_vec3_add(d.point_a, d.point_b));
    SomWitness witness = {.is_apart = d.distance > 0,
                          .normal = d.normal,
                          .offset = offset_between(a, pose_a, b, pose_b, d.normal),
                          .point = middle,
                          .distance = d.distance};
    if (witness.is_apart || is_common(a, pose_a, b, pose_b, middle)) {
        return witness;
    }
    if (go_in(a, pose_a, b, pose_b, &d.point_a)) {
        witness.point = d.point_a;
    } else if (go_in(b, pose_b, a, pose_a, &d.point_b)) {
        witness.point = d.point_b;
    } else {
        // of shapes that barely touch, the middle of their nearest points may still be better
        double gap;
        SomVec3 common = find_common(a, pose_a, b, pose_b, &gap);
        if (gap <= -d.distance) {
            witness.point = som_pose_apply(pose_a, common);
        }
    }
    return witness;
}
