// SPDX-License-Identifier: Apache-2.0
// A distance comes with its proof: points of the shapes so far apart show that it is not more, and
// a direction along which the shapes are so far apart that it is not less. Most tests check that
// proof; the others ask independent methods: projections to and fro, and directions on a sphere.

#include "base/diagnostic.h"
#include "space/distance.h"
#include "tests/space/shapes.h"

#include <stddef.h>

static SomShape box(double x, double y, double z) {
    return (SomShape){.kind = SOM_SHAPE_BOX, .half = som_vec3(x / 2, y / 2, z / 2)};
}

static SomShape cylinder(double radius, double length) {
    return (SomShape){.kind = SOM_SHAPE_CYLINDER, .radius = radius, .half_length = length / 2};
}

static SomShape sphere(double radius) {
    return (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = radius};
}

static SomShape capsule(double radius, double length) {
    return (SomShape){.kind = SOM_SHAPE_CAPSULE, .radius = radius, .half_length = length / 2};
}

static SomShape hull(const SomVec3 *points, int count) {
    SomShape shape;
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_shape_hull(&shape, points, count, (SomSpan){0}, diags));
    som_diagnostics_destroy(diags);
    return shape;
}

static SomMat3 random_rotation(SomTestRandom *random) {
    return random_pose(random, 0).rotation;
}

// Of any kind but compounds, with sizes drawn by `size`.
static SomShape sized_shape(SomTestRandom *random, SomShapeKind kind,
                            double (*size)(SomTestRandom *)) {
    double x = size(random), y = size(random), z = size(random);
    switch (kind) {
    case SOM_SHAPE_BOX:
        return box(x, y, z);
    case SOM_SHAPE_CYLINDER:
        return cylinder(x, y);
    case SOM_SHAPE_SPHERE:
        return sphere(x);
    case SOM_SHAPE_CAPSULE:
        return capsule(x, y);
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomVec3 points[40];
    int count = som_test_int(random, 8, 40);
    // as flat as hulls may be, and then some
    double least = 1e-5 * fmax(x, fmax(y, z));
    x = fmax(x, least);
    y = fmax(y, least);
    z = fmax(z, least);
    for (int i = 0; i < count; i++) {
        SomVec3 d = random_direction(random);
        points[i] = som_vec3(x * d.x, y * d.y, z * d.z);
    }
    return hull(points, count);
}

static double up_to_a_metre(SomTestRandom *random) {
    return som_test_uniform(random, 0.1, 1);
}

// Plates, rods and flat discs.
static double thin_or_not(SomTestRandom *random) {
    return som_test_int(random, 0, 2) == 0 ? 1e-6 : som_test_int(random, 1, 2) * 0.5;
}

static double of_three_sizes(SomTestRandom *random) {
    static const double sizes[] = {0.001, 0.1, 10};
    return sizes[som_test_int(random, 0, 2)];
}

static double of_any_size(SomTestRandom *random) {
    return pow(10, som_test_uniform(random, -6, 6));
}

static double size_of(const SomShape *a, const SomShape *b) {
    return som_shape_ball(a).radius + som_shape_ball(b).radius;
}

// How far the shapes are apart along a unit direction.
static double apart_along(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                          SomVec3 n) {
    SomVec3 back = som_vec3_scale(-1, n);
    SomVec3 top = som_pose_apply(pose_a, som_shape_support(a, som_pose_rotate_inverse(pose_a, n)));
    SomVec3 low =
        som_pose_apply(pose_b, som_shape_support(b, som_pose_rotate_inverse(pose_b, back)));
    return som_vec3_dot(n, som_vec3_sub(low, top));
}

// How far a point is from a shape or its surface, without the code under test: by supports alone.
static double outside_by(const SomShape *shape, SomPose pose, SomVec3 point, SomVec3 n) {
    SomVec3 q = som_pose_apply_inverse(pose, point), m = som_pose_rotate_inverse(pose, n);
    return som_vec3_dot(m, som_vec3_sub(q, som_shape_support(shape, m)));
}

// Whether the point is in the shape but for `slack`.
static bool is_in(const SomShape *shape, SomPose pose, SomVec3 point, double slack) {
    SomShape grown = *shape;
    grown.half = som_vec3_add(shape->half, som_vec3(slack, slack, slack));
    grown.radius += slack;
    if (shape->kind == SOM_SHAPE_CYLINDER) {
        grown.half_length += slack;
    }
    SomVec3 q = som_pose_apply_inverse(pose, point);
    if (shape->kind != SOM_SHAPE_HULL) {
        return som_shape_contains(&grown, q);
    }
    for (int i = 0; i < shape->hull->plane_count; i++) {
        SomPlane plane = shape->hull->planes[i];
        if (som_vec3_dot(plane.normal, q) > plane.offset + slack) {
            return false;
        }
    }
    return true;
}

typedef struct Tolerance {
    double distance, points; // in sizes of the shapes
} Tolerance;

// Everything that a distance promises, but that an overlap is not shallower another way.
static SomDistance check_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                                  SomPose pose_b, Tolerance tolerance) {
    SomDistance d = som_shape_distance(a, pose_a, b, pose_b);
    double size = size_of(a, b);
    double near = tolerance.distance * size, slack = tolerance.points * size;
    ck_assert(isfinite(d.distance));
    ck_assert_double_le(fabs(som_vec3_length(d.normal) - 1), 1e-12);
    ck_assert_double_le(fabs(apart_along(a, pose_a, b, pose_b, d.normal) - d.distance), near);
    SomVec3 way = som_vec3_sub(d.point_b, d.point_a);
    SomVec3 rest = som_vec3_sub(way, som_vec3_scale(d.distance, d.normal));
    ck_assert_double_le(som_vec3_length(rest), slack);
    ck_assert(is_in(a, pose_a, d.point_a, slack));
    ck_assert(is_in(b, pose_b, d.point_b, slack));
    SomVec3 back = som_vec3_scale(-1, d.normal);
    ck_assert_double_le(fabs(outside_by(a, pose_a, d.point_a, d.normal)), slack);
    ck_assert_double_le(fabs(outside_by(b, pose_b, d.point_b, back)), slack);
    if (fabs(d.distance) > 1e-9 * size) {
        ck_assert(som_shape_touch(a, pose_a, b, pose_b, NULL) == (d.distance <= 0));
    }
    SomDistance turned = som_shape_distance(b, pose_b, a, pose_a);
    ck_assert_double_le(fabs(turned.distance - d.distance), near);
    return d;
}

// Nor do many directions show a shorter way out.
static void check_depth(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                        SomDistance d, double tolerance, SomTestRandom *random) {
    if (d.distance > 0) {
        return;
    }
    for (int i = 0; i < 60; i++) {
        SomVec3 n = random_direction(random);
        if (i % 2 == 0) { // near the one found
            n = som_vec3_add(d.normal, som_vec3_scale(pow(10, -0.2 * i), n));
            n = som_vec3_scale(1 / som_vec3_length(n), n);
        }
        double apart = apart_along(a, pose_a, b, pose_b, n);
        ck_assert_double_le(apart - d.distance, tolerance * size_of(a, b));
    }
    SomVec3 out = som_vec3_scale(-d.distance + 1e-6 * size_of(a, b), d.normal);
    pose_b.position = som_vec3_add(pose_b.position, out);
    ck_assert(!som_shape_touch(a, pose_a, b, pose_b, NULL));
}

static bool is_round(const SomShape *shape) {
    return shape->kind == SOM_SHAPE_CYLINDER;
}

static Tolerance tolerance_of(const SomShape *a, const SomShape *b) {
    return is_round(a) || is_round(b) ? (Tolerance){1e-7, 1e-5} : (Tolerance){1e-9, 1e-7};
}

START_TEST(every_pair_of_kinds_proves_its_distance) {
    SomTestRandom random = {1};
    int count = som_test_count(40, 4000);
    for (int k = 0; k < 25 * count; k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(k / 5 % 5));
        SomPose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 1);
        if (k % 3 == 0) {
            pose_b.rotation = pose_a.rotation; // parallel faces, edges and axes
        }
        Tolerance tolerance = tolerance_of(&a, &b);
        SomDistance d = check_distance(&a, pose_a, &b, pose_b, tolerance);
        check_depth(&a, pose_a, &b, pose_b, d, tolerance.distance, &random);
        som_shape_free(&a);
        som_shape_free(&b);
    }
}
END_TEST

// Moves b so that it touches a at their farthest points along some direction, and on by `gap`.
static SomVec3 bring_together(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                              SomVec3 n, double gap) {
    SomVec3 back = som_vec3_scale(-1, n);
    SomVec3 top = som_pose_apply(pose_a, som_shape_support(a, som_pose_rotate_inverse(pose_a, n)));
    SomVec3 low =
        som_pose_rotate(pose_b, som_shape_support(b, som_pose_rotate_inverse(pose_b, back)));
    return som_vec3_add(som_vec3_sub(top, low), som_vec3_scale(gap, n));
}

static SomMat3 quarter_turn(int which) {
    SomMat3 r = {{{0}}};
    for (int i = 0; i < 3; i++) {
        r.m[i][(i + which) % 3] = 1;
    }
    return r;
}

// Touching, nearly so, concentric and nearly so, axes aligned and not.
static void place_awkwardly(SomTestRandom *random, int k, const SomShape *a, SomPose *pose_a,
                            const SomShape *b, SomPose *pose_b) {
    double size = size_of(a, b);
    *pose_a = (SomPose){random_rotation(random), {0, 0, 0}};
    *pose_b = *pose_a;
    if (k % 4 == 0) {
        pose_a->rotation = som_mat3_identity();
        pose_b->rotation = quarter_turn(som_test_int(random, 0, 2));
    } else if (k % 4 < 3) {
        pose_b->rotation = random_rotation(random);
    }
    SomVec3 n = k % 3 == 0 ? som_vec3(0, 0, 1) : random_direction(random);
    double near = size * pow(10, som_test_uniform(random, -14, -3));
    switch (k % 5) {
    case 0:
        break; // concentric
    case 1:
        pose_b->position = som_vec3_scale(near, n);
        break;
    case 2:
        pose_b->position = bring_together(a, *pose_a, b, *pose_b, n, 0);
        break;
    default:
        near = k % 2 == 0 ? near : -near;
        pose_b->position = bring_together(a, *pose_a, b, *pose_b, n, near);
        break;
    }
}

static void check_awkward_places(uint64_t seed, double (*size)(SomTestRandom *), int cases,
                                 Tolerance flat, Tolerance round) {
    SomTestRandom random = {seed};
    for (int k = 0; k < cases; k++) {
        int kinds = som_test_int(&random, 0, 24);
        SomShape a = sized_shape(&random, (SomShapeKind)(kinds % 5), size);
        SomShape b = sized_shape(&random, (SomShapeKind)(kinds / 5), size);
        SomPose pose_a, pose_b;
        place_awkwardly(&random, k, &a, &pose_a, &b, &pose_b);
        Tolerance tolerance = is_round(&a) || is_round(&b) ? round : flat;
        SomDistance d = check_distance(&a, pose_a, &b, pose_b, tolerance);
        check_depth(&a, pose_a, &b, pose_b, d, tolerance.distance, &random);
        som_shape_free(&a);
        som_shape_free(&b);
    }
}

START_TEST(touching_and_concentric_shapes_prove_theirs) {
    check_awkward_places(2, up_to_a_metre, som_test_count(2000, 100000), (Tolerance){1e-9, 1e-7},
                         (Tolerance){1e-7, 1e-4});
}
END_TEST

START_TEST(plates_rods_and_discs_prove_theirs) {
    check_awkward_places(3, thin_or_not, som_test_count(2000, 100000), (Tolerance){1e-7, 1e-5},
                         (Tolerance){2e-6, 1e-4});
}
END_TEST

// Twelve orders of magnitude between a rod's length and its width are more than rounding allows
// for; what is promised still holds to a ten thousandth.
START_TEST(tiny_and_huge_shapes_prove_theirs) {
    check_awkward_places(4, of_any_size, som_test_count(2000, 100000), (Tolerance){1e-5, 1e-3},
                         (Tolerance){1e-4, 1e-2});
}
END_TEST

static SomVec3 project(const SomShape *shape, SomPose pose, SomVec3 point) {
    SomVec3 p = som_pose_apply_inverse(pose, point);
    double r = sqrt(p.x * p.x + p.y * p.y);
    double z = fmax(-shape->half_length, fmin(shape->half_length, p.z));
    SomVec3 q;
    if (shape->kind == SOM_SHAPE_BOX) {
        q = som_vec3(fmax(-shape->half.x, fmin(shape->half.x, p.x)),
                     fmax(-shape->half.y, fmin(shape->half.y, p.y)),
                     fmax(-shape->half.z, fmin(shape->half.z, p.z)));
    } else if (shape->kind == SOM_SHAPE_CYLINDER) {
        double in = r > shape->radius ? shape->radius / r : 1;
        q = som_vec3(in * p.x, in * p.y, z);
    } else {
        SomVec3 way = som_vec3(p.x, p.y, p.z - z);
        double length = som_vec3_length(way);
        double in = length > shape->radius ? shape->radius / length : 1;
        q = som_vec3_add(som_vec3(0, 0, z), som_vec3_scale(in, way));
    }
    return som_pose_apply(pose, q);
}

START_TEST(round_shapes_have_the_distance_projections_find) {
    SomTestRandom random = {6};
    int count = som_test_count(300, 10000), apart = 0;
    for (int k = 0; k < count; k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 4));
        SomShape b = random_shape(&random, SOM_SHAPE_CYLINDER);
        SomPose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 1.5);
        SomDistance d = som_shape_distance(&a, pose_a, &b, pose_b);
        if (d.distance > 0.01) {
            SomVec3 p = pose_a.position, q = pose_b.position;
            double change = 1;
            for (int i = 0; i < 200000 && change > 1e-12; i++) {
                SomVec3 last = p;
                q = project(&b, pose_b, p);
                p = project(&a, pose_a, q);
                change = som_vec3_length(som_vec3_sub(p, last));
            }
            ck_assert_double_eq_tol(d.distance, som_vec3_length(som_vec3_sub(q, p)), 1e-7);
            apart++;
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
    ck_assert_int_gt(apart, count / 4);
}
END_TEST

START_TEST(moving_both_changes_nothing) {
    SomTestRandom random = {7};
    int count = som_test_count(500, 20000);
    for (int k = 0; k < count; k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(k / 5 % 5));
        SomPose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 1);
        SomPose move = random_pose(&random, 10);
        double here = som_shape_distance(&a, pose_a, &b, pose_b).distance;
        double there = som_shape_distance(&a, som_pose_compose(move, pose_a), &b,
                                          som_pose_compose(move, pose_b))
                           .distance;
        ck_assert_double_eq_tol(here, there, is_round(&a) || is_round(&b) ? 1e-7 : 1e-12);
        som_shape_free(&a);
        som_shape_free(&b);
    }
}
END_TEST

// 0, and from 1e-13 to 0.1 either way.
static double gap_at(int i) {
    return i == 0 ? 0 : i < 0 ? -pow(10, -13 - 0.2 * i) : pow(10, -13 + 0.2 * i);
}

// No step changes the distance by more than its own length.
START_TEST(distance_is_continuous_through_contact) {
    SomTestRandom random = {8};
    int count = som_test_count(100, 4000);
    for (int k = 0; k < count; k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(k / 5 % 5));
        SomPose pose_a = {random_rotation(&random), {0, 0, 0}}, pose_b = pose_a;
        if (k % 2 == 0) {
            pose_b.rotation = random_rotation(&random);
        }
        SomVec3 n = random_direction(&random);
        double last = 0, slack = (is_round(&a) || is_round(&b) ? 2e-8 : 1e-9) * size_of(&a, &b);
        for (int i = -60; i <= 60; i++) {
            pose_b.position = bring_together(&a, pose_a, &b, pose_b, n, gap_at(i));
            double now = som_shape_distance(&a, pose_a, &b, pose_b).distance;
            double step = gap_at(i) - gap_at(i - 1);
            ck_assert(i == -60 || fabs(now - last) <= step + slack);
            ck_assert(i != 0 || fabs(now) <= slack);
            last = now;
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
}
END_TEST

START_TEST(a_cache_changes_only_the_time) {
    SomTestRandom random = {9};
    for (int k = 0; k < som_test_count(100, 4000); k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(k / 5 % 5));
        SomPose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 2);
        SomDistanceCache cache = {0}, touch_cache = {0};
        for (int i = 0; i < 20; i++) {
            pose_b.position.x -= 0.1;
            double plain = som_shape_distance(&a, pose_a, &b, pose_b).distance;
            double cached =
                som_shape_distance_within(&a, pose_a, &b, pose_b, HUGE_VAL, &cache).distance;
            ck_assert_double_eq_tol(plain, cached, 1e-7);
            if (fabs(plain) > 1e-7) {
                ck_assert(som_shape_touch(&a, pose_a, &b, pose_b, &touch_cache) == (plain <= 0));
            }
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
}
END_TEST

START_TEST(beyond_the_limit_is_a_lower_bound) {
    SomTestRandom random = {10};
    int beyond = 0, count = som_test_count(1000, 40000);
    for (int k = 0; k < count; k++) {
        SomShape a = random_shape(&random, (SomShapeKind)(k % 5));
        SomShape b = random_shape(&random, (SomShapeKind)(k / 5 % 5));
        SomPose pose_a = random_pose(&random, 0.2), pose_b = random_pose(&random, 1);
        double limit = som_test_uniform(&random, -0.2, 1);
        double exact = som_shape_distance(&a, pose_a, &b, pose_b).distance;
        SomDistance d = som_shape_distance_within(&a, pose_a, &b, pose_b, limit, NULL);
        ck_assert_double_le(d.distance, exact + 1e-7);
        if (exact <= limit) {
            ck_assert_double_eq_tol(d.distance, exact, 1e-12);
        } else {
            ck_assert_double_ge(d.distance, limit - 1e-7);
            ck_assert_double_ge(apart_along(&a, pose_a, &b, pose_b, d.normal), d.distance - 1e-7);
            beyond++;
        }
        som_shape_free(&a);
        som_shape_free(&b);
    }
    ck_assert_int_gt(beyond, count / 5);
}
END_TEST

START_TEST(compounds_have_the_distance_of_their_nearest_parts) {
    SomTestRandom random = {11};
    for (int k = 0; k < som_test_count(200, 8000); k++) {
        SomShapePart parts[2][3];
        SomShape whole[2];
        SomPose poses[2] = {random_pose(&random, 0.2), random_pose(&random, 3)};
        for (int s = 0; s < 2; s++) {
            for (int i = 0; i < 3; i++) {
                SomShapeKind kind = (SomShapeKind)som_test_int(&random, 0, 3);
                parts[s][i] = (SomShapePart){random_shape(&random, kind), random_pose(&random, 1)};
            }
            whole[s] = som_shape_compound(parts[s], 3);
        }
        double least = HUGE_VAL;
        for (int i = 0; i < 9; i++) {
            const SomShapePart *p = &parts[0][i % 3], *q = &parts[1][i / 3];
            least = fmin(least, som_shape_distance(&p->shape, som_pose_compose(poses[0], p->pose),
                                                   &q->shape, som_pose_compose(poses[1], q->pose))
                                    .distance);
        }
        SomDistanceCache cache = {.part_a = 2, .part_b = 1};
        SomDistance d = som_shape_distance(&whole[0], poses[0], &whole[1], poses[1]);
        ck_assert_double_eq_tol(d.distance, least, 1e-12);
        SomVec3 way = som_vec3_sub(d.point_b, d.point_a);
        ck_assert_double_eq_tol(som_vec3_length(way), fabs(least), 1e-5);
        d = som_shape_distance_within(&whole[0], poses[0], &whole[1], poses[1], HUGE_VAL, &cache);
        ck_assert_double_eq_tol(d.distance, least, 1e-7);
        if (fabs(least) > 1e-7) {
            ck_assert(som_shape_touch(&whole[0], poses[0], &whole[1], poses[1], &cache) ==
                      (least <= 0));
        }
        som_shape_free(&whole[0]);
        som_shape_free(&whole[1]);
    }
}
END_TEST

START_TEST(far_away_is_finite) {
    SomShape shapes[] = {box(1, 1, 1), cylinder(1, 1), sphere(1), capsule(1, 1)};
    const double far[] = {1e9, 1e50, 1e99, 1e101, 1e200, 1e308};
    for (int i = 0; i < 16 * 6; i++) {
        const SomShape *a = &shapes[i % 4], *b = &shapes[i / 4 % 4];
        SomPose at = som_pose_translation(som_vec3(0.6 * far[i / 16], 0, -0.8 * far[i / 16]));
        SomDistance d = som_shape_distance(a, som_pose_identity(), b, at);
        ck_assert_double_eq_tol(d.distance / far[i / 16], 1, 1e-8);
        ck_assert_double_eq_tol(d.normal.x, 0.6, 1e-8);
        ck_assert(!som_shape_touch(a, som_pose_identity(), b, at, NULL));
        SomPose past = som_pose_translation(som_vec3(-1.7e308, 0, 0));
        ck_assert(isfinite(som_shape_distance(a, past, b, at).distance));
    }
}
END_TEST

// Faces square to the search have many farthest points, and most of them do not help it on.
START_TEST(aligned_boxes_and_cylinders_are_exact_close_by) {
    SomTestRandom random = {12};
    for (int k = 0; k < som_test_count(4000, 40000); k++) {
        SomShape a = sized_shape(&random, SOM_SHAPE_BOX, of_three_sizes);
        SomShape b = sized_shape(&random, SOM_SHAPE_CYLINDER, of_three_sizes);
        SomPose pose_a = som_pose_identity(), pose_b = {quarter_turn(k % 3), {0, 0, 0}};
        double near = size_of(&a, &b) * pow(10, som_test_uniform(&random, -14, -3));
        SomVec3 n = random_direction(&random);
        pose_b.position = bring_together(&a, pose_a, &b, pose_b, n, near);
        check_distance(&a, pose_a, &b, pose_b, (Tolerance){1e-9, 1e-6});
    }
}
END_TEST

SOM_SUITE("space/distance", every_pair_of_kinds_proves_its_distance,
          touching_and_concentric_shapes_prove_theirs, plates_rods_and_discs_prove_theirs,
          tiny_and_huge_shapes_prove_theirs, round_shapes_have_the_distance_projections_find,
          moving_both_changes_nothing, distance_is_continuous_through_contact,
          a_cache_changes_only_the_time, beyond_the_limit_is_a_lower_bound,
          compounds_have_the_distance_of_their_nearest_parts, far_away_is_finite,
          aligned_boxes_and_cylinders_are_exact_close_by)
