// SPDX-License-Identifier: Apache-2.0
// Distances that paper and pencil give.

#include "space/distance.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

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

START_TEST(spheres_have_the_distance_of_their_centres) {
    SomShape a = sphere(0.5), b = sphere(0.25);
    SomPose at = som_pose_translation(som_vec3(0, 3, 4));
    SomDistance d = som_shape_distance(&a, som_pose_identity(), &b, at);
    ck_assert_double_eq_tol(d.distance, 4.25, 1e-15);
    ck_assert_double_eq_tol(d.point_a.y, 0.3, 1e-15);
    ck_assert_double_eq_tol(d.point_b.z, 3.8, 1e-15);
    d = som_shape_distance(&a, at, &b, at); // any direction is good
    ck_assert_double_eq_tol(d.distance, -0.75, 1e-15);
    ck_assert_double_eq_tol(som_vec3_length(d.normal), 1, 1e-15);
}
END_TEST

START_TEST(capsules_have_the_distance_of_their_segments) {
    SomShape a = capsule(0.1, 2), b = capsule(0.2, 1);
    // crossed, one over the other
    SomPose over = {som_rotation_x(SOM_PI / 2), {0.5, 0.1, 0.2}};
    SomDistance d = som_shape_distance(&a, som_pose_identity(), &b, over);
    ck_assert_double_eq_tol(d.distance, 0.2, 1e-15);
    ck_assert_double_eq_tol(d.normal.x, 1, 1e-15);
    // in one line
    d = som_shape_distance(&a, som_pose_identity(), &b, som_pose_translation(som_vec3(0, 0, 2)));
    ck_assert_double_eq_tol(d.distance, 0.2, 1e-15);
    // axes crossing: out sideways
    over.position = som_vec3(0, 0, 0.3);
    d = som_shape_distance(&a, som_pose_identity(), &b, over);
    ck_assert_double_eq_tol(d.distance, -0.3, 1e-15);
    ck_assert_double_eq_tol(fabs(d.normal.x), 1, 1e-12);
    // the same capsule twice
    d = som_shape_distance(&a, over, &a, over);
    ck_assert_double_eq_tol(d.distance, -0.2, 1e-15);
}
END_TEST

START_TEST(spheres_leave_boxes_and_cylinders_by_the_nearest_side) {
    SomShape ball = sphere(0.1), crate = box(2, 4, 6), drum = cylinder(2, 2);
    SomPose at = som_pose_translation(som_vec3(0.2, -1.9, 1));
    SomDistance d = som_shape_distance(&crate, som_pose_identity(), &ball, at);
    ck_assert_double_eq_tol(d.distance, -0.2, 1e-15);
    ck_assert_double_eq(d.normal.y, -1);
    d = som_shape_distance(&ball, at, &crate, som_pose_identity());
    ck_assert_double_eq(d.normal.y, 1);
    at.position = som_vec3(1.5, 2, 3.25); // over an edge
    d = som_shape_distance(&crate, som_pose_identity(), &ball, at);
    ck_assert_double_eq_tol(d.distance, sqrt(0.3125) - 0.1, 1e-15);
    at.position = som_vec3(0, 1.5, -0.25);
    d = som_shape_distance(&drum, som_pose_identity(), &ball, at);
    ck_assert_double_eq_tol(d.distance, -0.6, 1e-15);
    ck_assert_double_eq(d.normal.y, 1);
    at.position = som_vec3(3, 4, 3); // off the rim
    d = som_shape_distance(&drum, som_pose_identity(), &ball, at);
    ck_assert_double_eq_tol(d.distance, sqrt(13) - 0.1, 1e-15);
}
END_TEST

START_TEST(parallel_boxes_and_cylinders_have_the_distance_of_their_faces) {
    SomShape a = box(1, 2, 3), b = cylinder(0.5, 1);
    SomPose beside = som_pose_translation(som_vec3(3, 0.1, 0.2));
    SomDistance d = som_shape_distance(&a, som_pose_identity(), &a, beside);
    ck_assert_double_eq_tol(d.distance, 2, 1e-15);
    ck_assert_double_eq_tol(d.normal.x, 1, 1e-15);
    d = som_shape_distance(&a, som_pose_identity(), &b, beside);
    ck_assert_double_eq_tol(d.distance, 2, 1e-12);
    d = som_shape_distance(&b, som_pose_identity(), &b, beside);
    ck_assert_double_eq_tol(d.distance, sqrt(9.01) - 1, 1e-12);
    SomPose above = som_pose_translation(som_vec3(0.2, 0.1, 1.25));
    d = som_shape_distance(&b, som_pose_identity(), &b, above);
    ck_assert_double_eq_tol(d.distance, 0.25, 1e-15);
    ck_assert_double_eq_tol(d.normal.z, 1, 1e-15);
    // the same box in itself leaves by its thinnest side, the same cylinder by its side or end
    d = som_shape_distance(&a, beside, &a, beside);
    ck_assert_double_eq_tol(d.distance, -1, 1e-15);
    d = som_shape_distance(&b, beside, &b, beside);
    ck_assert_double_eq_tol(d.distance, -1, 1e-15);
}
END_TEST

SOM_SUITE("space/distance_forms", spheres_have_the_distance_of_their_centres,
          capsules_have_the_distance_of_their_segments,
          spheres_leave_boxes_and_cylinders_by_the_nearest_side,
          parallel_boxes_and_cylinders_have_the_distance_of_their_faces)
