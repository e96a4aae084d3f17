// SPDX-License-Identifier: Apache-2.0
// Tests for space/shape.c and space/shape_ray.c.

#include "space/shape.h"
#include "tests/space/shapes.h"

static const SomShapeKind all_kinds[] = {SOM_SHAPE_BOX,     SOM_SHAPE_CYLINDER, SOM_SHAPE_SPHERE,
                                         SOM_SHAPE_CAPSULE, SOM_SHAPE_HULL,     SOM_SHAPE_COMPOUND};

// A random point of the shape, by rejection from its bounds.
static SomVec3 point_inside(SomTestRandom *random, const SomShape *shape) {
    SomBounds b = som_shape_bounds(shape, som_pose_identity());
    for (;;) {
        double x = som_test_uniform(random, b.low.x, b.high.x);
        double y = som_test_uniform(random, b.low.y, b.high.y);
        double z = som_test_uniform(random, b.low.z, b.high.z);
        if (som_shape_contains(shape, som_vec3(x, y, z))) {
            return som_vec3(x, y, z);
        }
    }
}

START_TEST(support_is_in_the_shape_and_nothing_is_farther) {
    SomTestRandom random = {1};
    for (int i = 0; i < som_test_count(300, 20000); i++) {
        SomShape shape = random_shape(&random, all_kinds[i % 6]);
        SomVec3 d = random_direction(&random);
        SomVec3 farthest = som_shape_support(&shape, d);
        ck_assert(som_shape_contains(&shape, som_vec3_scale(1 - 1e-12, farthest)) ||
                  shape.kind == SOM_SHAPE_HULL || shape.kind == SOM_SHAPE_COMPOUND);
        for (int k = 0; k < 20; k++) {
            SomVec3 p = point_inside(&random, &shape);
            ck_assert_double_le(som_vec3_dot(p, d), som_vec3_dot(farthest, d) + 1e-12);
        }
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(bounds_and_ball_hold_the_shape_tightly) {
    SomTestRandom random = {2};
    for (int i = 0; i < som_test_count(300, 20000); i++) {
        SomShape shape = random_shape(&random, all_kinds[i % 6]);
        SomPose pose = random_pose(&random, 2);
        SomBounds bounds = som_shape_bounds(&shape, pose);
        SomBall ball = som_shape_ball(&shape);
        SomVec3 touched = bounds.low; // becomes the greatest coordinates seen
        for (int k = 0; k < 100; k++) {
            SomVec3 local = som_shape_support(&shape, random_direction(&random));
            double from_center = som_vec3_length(som_vec3_sub(local, ball.center));
            ck_assert_double_le(from_center, ball.radius + 1e-12);
            SomVec3 p = som_pose_apply(pose, local);
            ck_assert(p.x >= bounds.low.x - 1e-12 && p.x <= bounds.high.x + 1e-12);
            ck_assert(p.y >= bounds.low.y - 1e-12 && p.y <= bounds.high.y + 1e-12);
            ck_assert(p.z >= bounds.low.z - 1e-12 && p.z <= bounds.high.z + 1e-12);
            touched.x = fmax(touched.x, p.x);
        }
        // some support comes near the side, so the bounds are no looser than they must be
        ck_assert_double_ge(touched.x, bounds.high.x - 0.25 * (bounds.high.x - bounds.low.x));
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(a_ray_stops_where_the_shape_begins) {
    SomTestRandom random = {3};
    int hits = 0;
    for (int i = 0; i < som_test_count(2000, 100000); i++) {
        SomShape shape = random_shape(&random, all_kinds[i % 6]);
        SomVec3 origin = som_vec3_scale(4, random_direction(&random));
        SomVec3 target = random_vec3(&random, -0.6, 0.6);
        SomVec3 direction = som_vec3_sub(target, origin);
        SomRayHit hit = {-1, {0, 0, 0}};
        bool is_hit = som_shape_cast_ray(&shape, origin, direction, &hit);
        // march along the ray: nothing before the hit is inside, just behind it is
        double first = -1;
        for (int k = 0; k <= 400 && first < 0; k++) {
            double t = 2.0 * k / 400;
            SomVec3 p = som_vec3_add(origin, som_vec3_scale(t, direction));
            first = som_shape_contains(&shape, p) ? t : first;
        }
        if (first >= 0) {
            ck_assert(is_hit);
            ck_assert_double_le(hit.distance, first + 1e-12);
        }
        if (is_hit) {
            hits++;
            SomVec3 at = som_vec3_add(origin, som_vec3_scale(hit.distance, direction));
            ck_assert(
                !som_shape_contains(&shape, som_vec3_add(at, som_vec3_scale(1e-9, hit.normal))));
            ck_assert(fabs(som_vec3_length(hit.normal) - 1) < 1e-12);
            ck_assert_double_le(som_vec3_dot(hit.normal, direction), 1e-12);
            SomVec3 inward = som_vec3_add(at, som_vec3_scale(-1e-7, hit.normal));
            bool grazes = som_vec3_dot(hit.normal, direction) > -1e-3;
            ck_assert(grazes || som_shape_contains(&shape, inward));
        }
        som_shape_free(&shape);
    }
    ck_assert_int_gt(hits, 300);
}
END_TEST

START_TEST(rays_from_inside_and_away_hit_nothing) {
    SomTestRandom random = {4};
    for (int i = 0; i < 5; i++) {
        SomShape shape = random_shape(&random, all_kinds[i]);
        SomRayHit hit;
        SomVec3 inside = point_inside(&random, &shape);
        ck_assert(!som_shape_cast_ray(&shape, inside, som_vec3(1, 0.1, 0), &hit));
        ck_assert(!som_shape_cast_ray(&shape, som_vec3(5, 0, 0), som_vec3(1, 0, 0), &hit));
        som_shape_free(&shape);
    }
}
END_TEST

START_TEST(sizes_that_no_solid_has_are_reported_each) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSpan none = {0};
    SomShape shape;
    ck_assert(!som_shape_box(&shape, som_vec3(0, -1, nan("")), none, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 3);
    ck_assert(!som_shape_cylinder(&shape, HUGE_VAL, 1e7, none, diags));
    ck_assert(!som_shape_sphere(&shape, -0.1, none, diags));
    ck_assert(!som_shape_capsule(&shape, 0.1, 0, none, diags));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 7);
    SomVec3 flat[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    ck_assert(!som_shape_hull(&shape, flat, 4, none, diags));
    som_shape_free(&shape); // a failure leaves nothing to free, and freeing it is fine
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    ck_assert(som_str_equal(entries[1].message, SOM_STR("the y side of a box cannot be -1 m")));
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_copy_of_a_compound_is_its_own) {
    SomTestRandom random = {5};
    SomShape shape = random_shape(&random, SOM_SHAPE_COMPOUND);
    SomShape copy = som_shape_copy(&shape);
    SomVec3 d = random_direction(&random);
    SomVec3 before = som_shape_support(&shape, d);
    som_shape_free(&shape);
    SomVec3 after = som_shape_support(&copy, d);
    ck_assert(before.x == after.x && before.y == after.y && before.z == after.z);
    som_shape_free(&copy);
}
END_TEST

SOM_SUITE("space/shape", support_is_in_the_shape_and_nothing_is_farther,
          bounds_and_ball_hold_the_shape_tightly, a_ray_stops_where_the_shape_begins,
          rays_from_inside_and_away_hit_nothing, sizes_that_no_solid_has_are_reported_each,
          a_copy_of_a_compound_is_its_own)
