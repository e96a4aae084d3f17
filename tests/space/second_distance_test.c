// SPDX-License-Identifier: Apache-2.0
// libccd against space/distance.h: both must give the same distances.

#include "space/distance.h"
#include "space/second_distance.h"
#include "tests/space/shapes.h"

#include <math.h>

// Metres, or a millionth of the size of shapes that are larger.
#define TOLERANCE 1e-6

typedef enum Arrangement {
    ANYWHERE,
    ALIGNED,
    ALIGNED_AND_TURNED,
    NEARLY_TOUCHING,
    INSIDE
} Arrangement;

#define ARRANGEMENTS 5

// ---- random pairs

static SomShape scaled_shape(SomTestRandom *random, SomShapeKind kind, double scale) {
    SomShape shape = random_shape(random, kind);
    if (kind != SOM_SHAPE_HULL) {
        shape.half = som_vec3_scale(scale, shape.half);
        shape.radius *= scale;
        shape.half_length *= scale;
        return shape;
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomVec3 points[64];
    int count = shape.hull->vertex_count;
    for (int i = 0; i < count; i++) {
        points[i] = som_vec3_scale(scale, shape.hull->vertices[i]);
    }
    som_shape_free(&shape);
    ck_assert(som_shape_hull(&shape, points, count, (SomSpan){0}, diags));
    som_diagnostics_destroy(diags);
    return shape;
}

// Right angles only, and often the same coordinates.
static SomPose aligned_pose(SomTestRandom *random, double reach) {
    static const SomVec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    SomMat3 rotation = som_mat3_identity();
    for (int i = 0; i < 3; i++) {
        double angle = acos(0) * som_test_int(random, 0, 3);
        rotation = som_mat3_multiply(rotation, som_rotation_exp(som_vec3_scale(angle, axes[i])));
    }
    SomVec3 p = random_vec3(random, -reach, reach);
    bool is_x = som_test_int(random, 0, 1) == 1, is_y = som_test_int(random, 0, 1) == 1;
    return (SomPose){rotation, som_vec3(is_x ? p.x : 0, is_y ? p.y : 0, p.z)};
}

static SomSecondDistance second_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                                         SomPose pose_b, double limit) {
    SomShapePart parts[] = {{*a, som_pose_identity()}, {*b, som_pose_identity()}};
    bool is_many_a = a->kind == SOM_SHAPE_COMPOUND, is_many_b = b->kind == SOM_SHAPE_COMPOUND;
    SomSecondSolid solid_a = {is_many_a ? a->parts : &parts[0], is_many_a ? a->part_count : 1,
                              pose_a};
    SomSecondSolid solid_b = {is_many_b ? b->parts : &parts[1], is_many_b ? b->part_count : 1,
                              pose_b};
    return som_second_distance(solid_a, solid_b, limit);
}

typedef struct Pair {
    SomShape a, b;
    SomPose pose_a, pose_b;
} Pair;

static void touch_nearly(Pair *pair, SomTestRandom *random, double size) {
    SomDistance d = som_shape_distance(&pair->a, pair->pose_a, &pair->b, pair->pose_b);
    double gap = size * pow(10, som_test_uniform(random, -9, -2));
    gap *= som_test_int(random, -1, 1);
    SomVec3 move = som_vec3_scale(gap - d.distance, d.normal);
    pair->pose_b.position = som_vec3_add(pair->pose_b.position, move);
}

static Pair random_pair(SomTestRandom *random, int index) {
    bool is_scaled = som_test_int(random, 0, 3) == 0;
    double scale_a = is_scaled ? pow(10, som_test_uniform(random, -3, 2)) : 1;
    double scale_b = is_scaled ? pow(10, som_test_uniform(random, -3, 2)) : 1;
    double size = scale_a + scale_b;
    Pair pair = {.a = scaled_shape(random, (SomShapeKind)(index % 5), scale_a),
                 .b = scaled_shape(random, (SomShapeKind)(index / 5 % 5), scale_b),
                 .pose_a = random_pose(random, 0.4 * size),
                 .pose_b = random_pose(random, 0.4 * size)};
    SomPose world = random_pose(random, 1);
    switch ((Arrangement)(index / 25 % ARRANGEMENTS)) {
    case ANYWHERE:
        break;
    case ALIGNED:
    case ALIGNED_AND_TURNED:
        pair.pose_a = aligned_pose(random, 0.3 * size);
        pair.pose_b = aligned_pose(random, 0.3 * size);
        if (index / 25 % ARRANGEMENTS == ALIGNED_AND_TURNED) {
            pair.pose_a = som_pose_compose(world, pair.pose_a);
            pair.pose_b = som_pose_compose(world, pair.pose_b);
        }
        break;
    case NEARLY_TOUCHING:
        touch_nearly(&pair, random, size);
        break;
    case INSIDE:
        pair.pose_b.position = pair.pose_a.position;
        if (som_test_int(random, 0, 1) == 1) {
            pair.pose_b = pair.pose_a;
        }
        break;
    }
    return pair;
}

// What space/distance.h does not promise: the shortest way of a hull out of a much larger cylinder.
static double lack_of(const Pair *pair, double radius_a, double radius_b) {
    bool is_hull_a = pair->a.kind == SOM_SHAPE_HULL && pair->b.kind == SOM_SHAPE_CYLINDER;
    bool is_hull_b = pair->b.kind == SOM_SHAPE_HULL && pair->a.kind == SOM_SHAPE_CYLINDER;
    double small = fmin(radius_a, radius_b), large = fmax(radius_a, radius_b);
    return (is_hull_a || is_hull_b) && large > 100 * small ? small : 0;
}

START_TEST(libccd_agrees_on_random_pairs_of_all_kinds) {
    SomTestRandom random = {21};
    int count = som_test_count(1000, 100000), open = 0, touching = 0;
    for (int i = 0; i < count; i++) {
        Pair pair = random_pair(&random, i);
        double radius_a = som_shape_ball(&pair.a).radius, radius_b = som_shape_ball(&pair.b).radius;
        double ours = som_shape_distance(&pair.a, pair.pose_a, &pair.b, pair.pose_b).distance;
        SomSecondDistance other =
            second_distance(&pair.a, pair.pose_a, &pair.b, pair.pose_b, HUGE_VAL);
        double tolerance = TOLERANCE * fmax(1, radius_a + radius_b);
        double lack = lack_of(&pair, radius_a, radius_b);
        ck_assert_msg(other.low - tolerance - lack <= ours && ours <= other.high + tolerance,
                      "pair %d, %s and %s: %.12g is not between %.12g and %.12g", i,
                      som_shape_kind_name(pair.a.kind), som_shape_kind_name(pair.b.kind), ours,
                      other.low, other.high);
        open += other.high - other.low > tolerance;
        touching += ours < 0;
        som_shape_free(&pair.a);
        som_shape_free(&pair.b);
    }
    // coaxial cylinders
    ck_assert_int_le(open, count / 50);
    ck_assert(touching > count / 4 && touching < 3 * count / 4);
}
END_TEST

// ---- cases

static SomShape box(double x, double y, double z) {
    return (SomShape){.kind = SOM_SHAPE_BOX, .half = {x / 2, y / 2, z / 2}};
}

static SomShape round_shape(SomShapeKind kind, double radius, double length) {
    return (SomShape){.kind = kind, .radius = radius, .half_length = length / 2};
}

static void is_at(const SomShape *a, const SomShape *b, SomVec3 position, double distance) {
    SomPose pose = som_pose_translation(position);
    SomSecondDistance d = second_distance(a, som_pose_identity(), b, pose, HUGE_VAL);
    ck_assert_double_le(fabs(d.low - distance), TOLERANCE);
    ck_assert_double_le(fabs(d.high - distance), TOLERANCE);
}

START_TEST(known_distances_and_depths_are_found) {
    SomShape cube = box(1, 1, 1), ball = round_shape(SOM_SHAPE_SPHERE, 0.5, 0);
    SomShape rod = round_shape(SOM_SHAPE_CAPSULE, 0.1, 2),
             can = round_shape(SOM_SHAPE_CYLINDER, 0.5, 1);
    is_at(&cube, &cube, som_vec3(1, 0, 0), 0);
    is_at(&cube, &cube, som_vec3(1.25, 0.3, 0), 0.25);
    is_at(&cube, &cube, som_vec3(0.75, 0, 0), -0.25);
    is_at(&cube, &cube, som_vec3(0, 0, 0), -1);
    is_at(&cube, &cube, som_vec3(4, 5, 0.5), 5);
    is_at(&ball, &ball, som_vec3(0, 0, 0), -1);
    is_at(&ball, &ball, som_vec3(0, 1.5, 0), 0.5);
    is_at(&cube, &ball, som_vec3(0.2, 0, 0), -0.8);
    is_at(&rod, &rod, som_vec3(0, 0, 0.3), -0.2);
    is_at(&rod, &rod, som_vec3(1, 0, 0.5), 0.8);
    is_at(&can, &can, som_vec3(0, 0, 1), 0);
    is_at(&can, &cube, som_vec3(0.9, 0, 0.3), -0.1);
    is_at(&can, &can, som_vec3(2, 0, 0), 1);
}
END_TEST

START_TEST(compounds_are_as_near_as_their_nearest_parts) {
    SomShape cube = box(1, 1, 1);
    SomShapePart parts[] = {{cube, som_pose_translation(som_vec3(-3, 0, 0))},
                            {cube, som_pose_translation(som_vec3(3, 0, 0))}};
    SomShape two = som_shape_compound(parts, 2);
    is_at(&two, &cube, som_vec3(3.75, 0, 0), -0.25);
    is_at(&two, &cube, som_vec3(0, 0, 0), 2);
    is_at(&cube, &two, som_vec3(1, 0, 0), 1);
    SomBall ball = som_second_ball((SomSecondSolid){two.parts, 2, som_pose_identity()});
    ck_assert_double_ge(ball.radius + ball.center.x, 3.5);
    ck_assert_double_ge(ball.radius - ball.center.x, 3.5);
    som_shape_free(&two);
}
END_TEST

START_TEST(shapes_beyond_the_limit_have_a_lower_bound_only) {
    SomShape cube = box(1, 1, 1);
    SomPose far = som_pose_translation(som_vec3(3, 0.2, 0.1));
    SomSecondDistance d = second_distance(&cube, som_pose_identity(), &cube, far, 0.1);
    ck_assert_double_gt(d.low, 0.1);
    ck_assert_double_le(d.low, 2 + TOLERANCE);
    ck_assert(isinf(d.high));
}
END_TEST

START_TEST(poses_that_are_no_numbers_have_no_distance) {
    SomShape cube = box(1, 1, 1);
    SomPose nowhere = som_pose_translation(som_vec3(0, (double)NAN, 0));
    SomSecondDistance d = second_distance(&cube, nowhere, &cube, som_pose_identity(), HUGE_VAL);
    ck_assert(isnan(d.low) && isnan(d.high));
}
END_TEST

START_TEST(balls_and_reaches_hold_their_shapes) {
    SomTestRandom random = {3};
    for (int i = 0; i < 60; i++) {
        SomShape shape = random_shape(&random, (SomShapeKind)(i % 5));
        SomShapePart part = {shape, random_pose(&random, 1)};
        SomSecondSolid solid = {&part, 1, random_pose(&random, 1)};
        SomPose pose = som_pose_compose(solid.pose, part.pose);
        SomBall ball = som_second_ball(solid);
        for (int k = 0; k < 50; k++) {
            SomVec3 direction = random_direction(&random);
            SomVec3 own = som_shape_support(&shape, som_pose_rotate_inverse(pose, direction));
            SomVec3 point = som_pose_apply(pose, own);
            double away = som_vec3_length(som_vec3_sub(point, ball.center));
            ck_assert_double_le(away, ball.radius + 1e-12);
            double reach = som_second_reach(solid, direction);
            ck_assert_double_le(fabs(reach - som_vec3_dot(point, direction)), 1e-12);
        }
        som_shape_free(&shape);
    }
}
END_TEST

SOM_SUITE("space/second_distance", libccd_agrees_on_random_pairs_of_all_kinds,
          known_distances_and_depths_are_found, compounds_are_as_near_as_their_nearest_parts,
          shapes_beyond_the_limit_have_a_lower_bound_only,
          poses_that_are_no_numbers_have_no_distance, balls_and_reaches_hold_their_shapes)
