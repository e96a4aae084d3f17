// SPDX-License-Identifier: Apache-2.0
#include "space/twist.h"
#include "tests/suite.h"

#include <math.h>

static SomVec3 random_vector(SomTestRandom *random) {
    double x = som_test_normal(random), y = som_test_normal(random), z = som_test_normal(random);
    return som_vec3(x, y, z);
}

static SomPose random_pose(SomTestRandom *random) {
    SomVec3 turn = random_vector(random), position = random_vector(random);
    SomPose pose = {som_rotation_exp(turn), position};
    return pose;
}

static SomTwist random_twist(SomTestRandom *random) {
    SomVec3 angular = random_vector(random), linear = random_vector(random);
    SomTwist twist = {angular, linear};
    return twist;
}

static SomWrench random_wrench(SomTestRandom *random) {
    SomVec3 moment = random_vector(random), force = random_vector(random);
    SomWrench wrench = {moment, force};
    return wrench;
}

// A heap of point masses has an inertia that is right by definition.
static SomInertia random_inertia(SomTestRandom *random) {
    SomInertia sum = {0};
    for (int i = 0; i < 6; i++) {
        double mass = som_test_uniform(random, 0.1, 2);
        SomInertia point = {.mass = mass, .center = random_vector(random)};
        sum = som_inertia_add(sum, point);
    }
    return sum;
}

static double vector_difference(SomVec3 a, SomVec3 b) {
    return som_vec3_length(som_vec3_sub(a, b));
}

static double twist_difference(SomTwist a, SomTwist b) {
    return vector_difference(a.angular, b.angular) + vector_difference(a.linear, b.linear);
}

static double wrench_difference(SomWrench a, SomWrench b) {
    return vector_difference(a.moment, b.moment) + vector_difference(a.force, b.force);
}

static double inertia_difference(SomInertia a, SomInertia b) {
    double worst = fabs(a.mass - b.mass) + vector_difference(a.center, b.center);
    for (int i = 0; i < 9; i++) {
        worst += fabs(a.moments.m[i / 3][i % 3] - b.moments.m[i / 3][i % 3]);
    }
    return worst;
}

START_TEST(power_is_the_same_in_every_frame) {
    SomTestRandom random = {1};
    for (int i = 0; i < 10000; i++) {
        SomPose pose = random_pose(&random);
        SomTwist twist = random_twist(&random);
        SomWrench wrench = random_wrench(&random);
        double power = som_wrench_power(wrench, twist);
        double moved =
            som_wrench_power(som_wrench_transform(pose, wrench), som_twist_transform(pose, twist));
        ck_assert_double_le(fabs(power - moved), 2e-13);
    }
}
END_TEST

START_TEST(the_adjoint_of_a_composition_is_the_composition_of_adjoints) {
    SomTestRandom random = {2};
    for (int i = 0; i < 10000; i++) {
        SomPose a = random_pose(&random), b = random_pose(&random);
        SomPose ab = som_pose_compose(a, b);
        SomTwist twist = random_twist(&random);
        SomWrench wrench = random_wrench(&random);
        SomTwist twice = som_twist_transform(a, som_twist_transform(b, twist));
        ck_assert_double_le(twist_difference(som_twist_transform(ab, twist), twice), 2e-13);
        SomWrench wrench_twice = som_wrench_transform(a, som_wrench_transform(b, wrench));
        ck_assert_double_le(wrench_difference(som_wrench_transform(ab, wrench), wrench_twice),
                            2e-13);
    }
}
END_TEST

START_TEST(the_inverse_undoes_a_transform) {
    SomTestRandom random = {3};
    for (int i = 0; i < 10000; i++) {
        SomPose a = random_pose(&random);
        SomTwist twist = random_twist(&random);
        SomWrench wrench = random_wrench(&random);
        SomTwist back = som_twist_transform_inverse(a, som_twist_transform(a, twist));
        ck_assert_double_le(twist_difference(back, twist), 1e-13);
        SomWrench wrench_back = som_wrench_transform_inverse(a, som_wrench_transform(a, wrench));
        ck_assert_double_le(wrench_difference(wrench_back, wrench), 1e-13);
        SomTwist other = som_twist_transform(som_pose_invert(a), twist);
        ck_assert_double_le(twist_difference(som_twist_transform_inverse(a, twist), other), 1e-13);
    }
}
END_TEST

START_TEST(a_twist_moves_points_as_the_body_does) {
    SomTestRandom random = {4};
    const double h = 1e-5;
    for (int i = 0; i < 1000; i++) {
        SomTwist twist = random_twist(&random);
        SomVec3 point = random_vector(&random);
        SomVec3 rate = som_vec3_add(twist.linear, som_vec3_cross(twist.angular, point));
        SomVec3 after = som_pose_apply(som_twist_exp(som_twist_scale(h, twist)), point);
        SomVec3 before = som_pose_apply(som_twist_exp(som_twist_scale(-h, twist)), point);
        SomVec3 measured = som_vec3_scale(0.5 / h, som_vec3_sub(after, before));
        ck_assert_double_le(vector_difference(measured, rate), 1e-8);
    }
}
END_TEST

START_TEST(screws_about_one_axis_add_up) {
    SomTestRandom random = {5};
    for (int i = 0; i < 1000; i++) {
        SomTwist twist = random_twist(&random);
        SomPose half = som_twist_exp(som_twist_scale(0.5, twist));
        SomPose whole = som_twist_exp(twist);
        ck_assert_double_le(som_pose_distance(som_pose_compose(half, half), whole), 2e-14);
    }
}
END_TEST

START_TEST(log_of_a_screw_is_its_twist) {
    SomTestRandom random = {6};
    for (int i = 0; i < 10000; i++) {
        SomPose pose = random_pose(&random);
        SomPose back = som_twist_exp(som_twist_log(pose));
        ck_assert_double_le(som_pose_distance(back, pose), 2e-14);
        SomTwist small = som_twist_scale(0.3, random_twist(&random));
        ck_assert_double_le(twist_difference(som_twist_log(som_twist_exp(small)), small), 2e-14);
    }
}
END_TEST

START_TEST(point_masses_have_the_inertia_of_the_definition) {
    SomTestRandom random = {7};
    for (int i = 0; i < 1000; i++) {
        SomInertia sum = {0};
        SomVec3 first = {0, 0, 0};
        SomMat3 second = {0};
        for (int k = 0; k < 5; k++) {
            SomInertia point = {.mass = som_test_uniform(&random, 0.1, 2)};
            point.center = random_vector(&random);
            SomVec3 c = point.center;
            sum = som_inertia_add(sum, point);
            first = som_vec3_add(first, som_vec3_scale(point.mass, c));
            second.m[0][0] += point.mass * (c.y * c.y + c.z * c.z);
            second.m[1][2] -= point.mass * c.y * c.z;
        }
        ck_assert_double_le(vector_difference(som_vec3_scale(sum.mass, sum.center), first), 1e-13);
        SomMat3 about = som_inertia_about_origin(sum);
        ck_assert_double_le(fabs(about.m[0][0] - second.m[0][0]), 1e-12);
        ck_assert_double_le(fabs(about.m[2][1] - second.m[1][2]), 1e-12);
    }
}
END_TEST

START_TEST(momentum_transforms_like_a_wrench_and_energy_is_invariant) {
    SomTestRandom random = {8};
    for (int i = 0; i < 1000; i++) {
        SomPose pose = random_pose(&random);
        SomInertia inertia = random_inertia(&random);
        SomTwist twist = random_twist(&random);
        SomInertia moved = som_inertia_transform(pose, inertia);
        SomTwist moved_twist = som_twist_transform(pose, twist);
        SomWrench momentum = som_inertia_momentum(inertia, twist);
        SomWrench moved_momentum = som_inertia_momentum(moved, moved_twist);
        double scale = som_vec3_length(momentum.moment) + 100;
        ck_assert_double_le(wrench_difference(som_wrench_transform(pose, momentum), moved_momentum),
                            1e-14 * scale);
        double energy = som_wrench_power(momentum, twist);
        ck_assert(energy > 0);
        ck_assert_double_le(fabs(som_wrench_power(moved_momentum, moved_twist) - energy),
                            1e-13 * (energy + 100));
        ck_assert(moved.moments.m[0][1] == moved.moments.m[1][0]);
    }
}
END_TEST

START_TEST(adding_inertias_does_not_depend_on_order_or_frame) {
    SomTestRandom random = {9};
    for (int i = 0; i < 1000; i++) {
        SomInertia a = random_inertia(&random), b = random_inertia(&random);
        SomPose pose = random_pose(&random);
        SomInertia sum = som_inertia_add(a, b);
        ck_assert_double_le(inertia_difference(sum, som_inertia_add(b, a)), 1e-12);
        SomInertia moved_sum =
            som_inertia_add(som_inertia_transform(pose, a), som_inertia_transform(pose, b));
        ck_assert_double_le(inertia_difference(moved_sum, som_inertia_transform(pose, sum)), 1e-11);
    }
    SomInertia nothing = {0};
    ck_assert(inertia_difference(som_inertia_add(nothing, nothing), nothing) == 0);
}
END_TEST

SOM_SUITE("space/twist", power_is_the_same_in_every_frame,
          the_adjoint_of_a_composition_is_the_composition_of_adjoints,
          the_inverse_undoes_a_transform, a_twist_moves_points_as_the_body_does,
          screws_about_one_axis_add_up, log_of_a_screw_is_its_twist,
          point_masses_have_the_inertia_of_the_definition,
          momentum_transforms_like_a_wrench_and_energy_is_invariant,
          adding_inertias_does_not_depend_on_order_or_frame)
