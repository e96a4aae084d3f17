// SPDX-License-Identifier: Apache-2.0
// Fuzz target: the distance of any two shapes in any poses is proven by what comes with it.
//
// The bytes are two shapes and their poses, from thin to thick, aligned and not, touching and not.
// The distance is finite and the normal of length 1; along the normal the shapes are so far apart;
// the points are so far apart and in the shapes; no direction tried is a shorter way out of an
// overlap; the other way round, with a limit and with a cache the distance is the same; shapes
// touch where the distance is not positive, but for a narrow band. Depths of hulls in cylinders are
// only promised to a part of the smaller shape.

#include "space/distance.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// In sizes of the shapes; the unit tests ask for more where it is promised.
#define TOLERANCE 1e-5

typedef struct Bytes {
    const uint8_t *data;
    size_t left;
} Bytes;

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static int next(Bytes *bytes) {
    if (bytes->left == 0) {
        return 0;
    }
    bytes->left--;
    return *bytes->data++;
}

// From 1 mm to 10 m, often one of few.
static double next_size(Bytes *bytes) {
    static const double sizes[] = {0.001, 0.01, 0.1, 1, 10, 0.5, 0.25, 2};
    int byte = next(bytes);
    return byte < 64 ? sizes[byte % 8] : sizes[byte % 5] * (1 + next(bytes) / 256.0);
}

// Exact for small numbers, so that faces and edges meet exactly.
static double next_number(Bytes *bytes) {
    int byte = next(bytes) - 128;
    return byte % 4 == 0 ? byte / 64.0 : byte / 100.0 + next(bytes) * 1e-9;
}

static SomVec3 next_vec3(Bytes *bytes) {
    double x = next_number(bytes), y = next_number(bytes), z = next_number(bytes);
    return som_vec3(x, y, z);
}

static bool next_shape(Bytes *bytes, SomShape *shape, SomDiagnostics *diags) {
    SomShapeKind kind = (SomShapeKind)(next(bytes) % 5);
    double x = next_size(bytes), y = next_size(bytes), z = next_size(bytes);
    switch (kind) {
    case SOM_SHAPE_BOX:
        return som_shape_box(shape, som_vec3(x, y, z), (SomSpan){0}, diags);
    case SOM_SHAPE_CYLINDER:
        return som_shape_cylinder(shape, x, y, (SomSpan){0}, diags);
    case SOM_SHAPE_SPHERE:
        return som_shape_sphere(shape, x, (SomSpan){0}, diags);
    case SOM_SHAPE_CAPSULE:
        return som_shape_capsule(shape, x, y, (SomSpan){0}, diags);
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomVec3 points[24];
    int count = 4 + next(bytes) % 21;
    for (int i = 0; i < count; i++) {
        SomVec3 p = next_vec3(bytes);
        points[i] = som_vec3(x * p.x, y * p.y, z * p.z);
    }
    return som_shape_hull(shape, points, count, (SomSpan){0}, diags);
}

static SomPose next_pose(Bytes *bytes) {
    SomQuat q = {next_number(bytes), next_number(bytes), next_number(bytes), next_number(bytes)};
    SomPose pose = {som_quat_to_rotation(q), {0, 0, 0}};
    double scale = next_size(bytes);
    pose.position = som_vec3_scale(scale, next_vec3(bytes));
    return pose;
}

static double apart_along(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                          SomVec3 n) {
    SomVec3 back = som_vec3_scale(-1, n);
    SomVec3 top = som_pose_apply(pose_a, som_shape_support(a, som_pose_rotate_inverse(pose_a, n)));
    SomVec3 low =
        som_pose_apply(pose_b, som_shape_support(b, som_pose_rotate_inverse(pose_b, back)));
    return som_vec3_dot(n, som_vec3_sub(low, top));
}

static bool is_hull_in_cylinder(const SomShape *a, const SomShape *b) {
    return a->kind == SOM_SHAPE_HULL && b->kind == SOM_SHAPE_CYLINDER;
}

static void check_pair(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b) {
    SomBall ball_a = som_shape_ball(a), ball_b = som_shape_ball(b);
    double size = ball_a.radius + ball_b.radius + som_vec3_length(ball_a.center) +
                  som_vec3_length(ball_b.center);
    double near = TOLERANCE * size, shortest = near;
    if (is_hull_in_cylinder(a, b) || is_hull_in_cylinder(b, a)) {
        shortest += 0.1 * fmin(ball_a.radius, ball_b.radius);
    }
    SomDistance d = som_shape_distance(a, pose_a, b, pose_b);
    require(isfinite(d.distance));
    require(fabs(som_vec3_length(d.normal) - 1) <= 1e-12);
    require(fabs(apart_along(a, pose_a, b, pose_b, d.normal) - d.distance) <= near);
    SomVec3 way = som_vec3_sub(d.point_b, d.point_a);
    way = som_vec3_sub(way, som_vec3_scale(d.distance, d.normal));
    require(som_vec3_length(way) <= 100 * near);
    for (int i = 0; i < 27 && d.distance < 0; i++) {
        SomVec3 n = som_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        double length = som_vec3_length(n);
        require(length == 0 || apart_along(a, pose_a, b, pose_b, som_vec3_scale(1 / length, n)) <=
                                   d.distance + shortest);
    }
    double same = d.distance < 0 ? shortest : near;
    require(fabs(som_shape_distance(b, pose_b, a, pose_a).distance - d.distance) <= same);
    SomDistanceCache cache = {{0, 0, 1}, -1, 7, 0, 0};
    for (int i = 0; i < 2; i++) {
        double cached = som_shape_distance_within(a, pose_a, b, pose_b, HUGE_VAL, &cache).distance;
        require(fabs(cached - d.distance) <= same);
    }
    require(som_shape_distance_within(a, pose_a, b, pose_b, 0.01, NULL).distance <=
            d.distance + same);
    if (fabs(d.distance) > near) {
        require(som_shape_touch(a, pose_a, b, pose_b, NULL) == (d.distance <= 0));
        require(som_shape_touch(a, pose_a, b, pose_b, &cache) == (d.distance <= 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes bytes = {data, size};
    SomDiagnostics *diags = som_diagnostics_create();
    SomShape a = {.kind = SOM_SHAPE_SPHERE}, b = a;
    if (next_shape(&bytes, &a, diags) && next_shape(&bytes, &b, diags)) {
        SomPose pose_a = next_pose(&bytes), pose_b = next_pose(&bytes);
        check_pair(&a, pose_a, &b, pose_b);
        // and where they touch along the line of their middles
        SomDistance d = som_shape_distance(&a, pose_a, &b, pose_b);
        pose_b.position = som_vec3_sub(pose_b.position, som_vec3_scale(d.distance, d.normal));
        check_pair(&a, pose_a, &b, pose_b);
    }
    som_shape_free(&a);
    som_shape_free(&b);
    som_diagnostics_destroy(diags);
    return 0;
}
