// SPDX-License-Identifier: Apache-2.0
#include "space/pose.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <stddef.h>

static double matrix_difference(SomMat3 a, SomMat3 b) {
    double worst = 0;
    for (int i = 0; i < 9; i++) {
        double d = fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]);
        worst = d <= worst ? worst : d;
    }
    return worst;
}

static double pose_difference(SomPose a, SomPose b) {
    double way = som_vec3_length(som_vec3_sub(a.position, b.position));
    double turn = matrix_difference(a.rotation, b.rotation);
    return way > turn ? way : turn;
}

static void raise_to(double *worst, double error) {
    if (!(error <= *worst)) {
        *worst = error;
    }
}

static SomVec3 random_direction(SomTestRandom *random) {
    double x = som_test_normal(random), y = som_test_normal(random), z = som_test_normal(random);
    SomVec3 v = som_vec3(x, y, z);
    return som_vec3_scale(1 / som_vec3_length(v), v);
}

static SomPose random_pose(SomTestRandom *random) {
    SomVec3 turn = som_vec3_scale(som_test_uniform(random, 0, SOM_PI), random_direction(random));
    SomPose pose = {som_rotation_exp(turn), som_vec3_scale(10, random_direction(random))};
    return pose;
}

// From a billionth of a radian on as often as from 0 to `most`.
static SomVec3 random_turn(SomTestRandom *random, double most) {
    double size = som_test_uniform(random, 0, most);
    if (som_test_int(random, 0, 1) == 0) {
        size = pow(10, som_test_uniform(random, -9, 0));
    }
    return som_vec3_scale(size, random_direction(random));
}

// The first six are parallel to an axis of the frame.
static const SomVec3 axes[] = {{1, 0, 0},     {0, 1, 0},      {0, 0, 1},
                               {-1, 0, 0},    {0, -1, 0},     {0, 0, -1},
                               {0.6, 0, 0.8}, {0, -0.6, 0.8}, {2.0 / 3, -1.0 / 3, 2.0 / 3},
                               {1, 1e-9, 0},  {1, 0, 1e-17}};
static const int axis_count = sizeof axes / sizeof *axes;

static const double angles[] = {0,
                                1e-300,
                                1e-160,
                                1e-20,
                                1e-12,
                                0.99e-8,
                                1e-8,
                                1.01e-8,
                                0.99e-6,
                                1.01e-6,
                                1e-4,
                                0.99e-2,
                                1e-2,
                                1.01e-2,
                                1,
                                SOM_PI / 2,
                                2,
                                2 * SOM_PI / 3,
                                3,
                                SOM_PI - 1e-6,
                                SOM_PI - 1e-8,
                                SOM_PI - 1e-12,
                                SOM_PI - 1e-15,
                                SOM_PI};
static const int angle_count = sizeof angles / sizeof *angles;

START_TEST(exp_of_log_is_identity_for_random_poses) {
    SomTestRandom random = {1};
    double worst = 0;
    for (int i = 0; i < som_test_count(20000, 5000000); i++) {
        SomPose pose = random_pose(&random);
        double y[6];
        som_pose_to_coordinates(pose, NULL, y);
        raise_to(&worst, pose_difference(som_pose_from_coordinates(y), pose));
        ck_assert_double_le(som_vec3_length(som_vec3(y[3], y[4], y[5])), SOM_PI + 1e-15);
    }
    ck_assert_double_le(worst, 3e-15);
}
END_TEST

START_TEST(exp_of_log_is_identity_at_special_angles) {
    double worst = 0;
    for (int i = 0; i < axis_count; i++) {
        for (int k = 0; k < angle_count; k++) {
            SomMat3 r = som_rotation_exp(som_vec3_scale(angles[k], axes[i]));
            SomMat3 back = som_rotation_exp(som_rotation_log(r, NULL));
            raise_to(&worst, matrix_difference(back, r));
        }
    }
    ck_assert_double_le(worst, 2e-15);
}
END_TEST

START_TEST(log_of_exp_is_identity) {
    for (int i = 0; i < axis_count; i++) {
        for (int k = 0; angles[k] <= 3; k++) {
            SomVec3 theta = som_vec3_scale(angles[k], axes[i]);
            SomVec3 back = som_rotation_log(som_rotation_exp(theta), NULL);
            double error = som_vec3_length(som_vec3_sub(back, theta));
            // about one axis of the frame even relative to its size
            ck_assert_double_le(error, i < 6 ? 2e-15 * angles[k] : 2e-15);
        }
    }
    SomTestRandom random = {2};
    double worst = 0;
    for (int i = 0; i < som_test_count(20000, 5000000); i++) {
        SomVec3 theta = random_turn(&random, 3.14);
        SomVec3 back = som_rotation_log(som_rotation_exp(theta), NULL);
        raise_to(&worst, som_vec3_length(som_vec3_sub(back, theta)));
    }
    ck_assert_double_le(worst, 5e-15);
}
END_TEST

START_TEST(half_turns_come_back_about_either_end_of_their_axis) {
    SomMat3 half = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}; // exactly pi about z
    SomVec3 near = som_vec3(0, 0, -3);
    ck_assert(som_rotation_log(half, NULL).z == SOM_PI);
    ck_assert(som_rotation_log(half, &near).z == -SOM_PI);
}
END_TEST

START_TEST(a_slow_turn_is_followed_through_many_revolutions) {
    for (int i = 0; i < axis_count; i++) {
        SomVec3 unit = som_vec3_scale(1 / som_vec3_length(axes[i]), axes[i]);
        SomVec3 near = {0, 0, 0};
        double worst = 0, worst_rotation = 0;
        for (int step = 1; step <= 20000; step++) { // almost five turns, then back by as much
            double angle = (step <= 10000 ? step : 20000 - step) * 0.003;
            SomVec3 theta = som_vec3_scale(angle, unit);
            SomMat3 r = som_rotation_exp(theta);
            near = som_rotation_log(r, &near);
            raise_to(&worst, som_vec3_length(som_vec3_sub(near, theta)));
            raise_to(&worst_rotation, matrix_difference(som_rotation_exp(near), r));
        }
        // close to full turns the axis is known to 1e-16 over what is left of the turn
        ck_assert_double_le(worst, 1e-11);
        ck_assert_double_le(worst_rotation, 1e-14);
    }
}
END_TEST

START_TEST(a_revolute_beyond_half_a_turn_comes_back) {
    SomVec3 near = som_vec3(0, 0, 3.4);
    SomVec3 back = som_rotation_log(som_rotation_z(3.5), &near);
    ck_assert(back.x == 0 && back.y == 0);
    ck_assert_double_le(fabs(back.z - 3.5), 1e-15);
}
END_TEST

START_TEST(full_turns_are_kept_where_the_axis_is_lost) {
    const double left[] = {0, 1e-300, 1e-16, 1e-12, 1e-9, 1e-7, 0.99e-6, 1.01e-6, 1e-3};
    double worst = 0, worst_along = 0;
    for (int i = 0; i < axis_count; i++) {
        SomVec3 unit = som_vec3_scale(1 / som_vec3_length(axes[i]), axes[i]);
        for (int k = 0; k < 2 * (int)(sizeof left / sizeof *left); k++) {
            for (int turns = -3; turns <= 3; turns++) {
                double rest = k % 2 == 0 ? left[k / 2] : -left[k / 2];
                SomMat3 r = som_rotation_exp(som_vec3_scale(rest, unit));
                SomVec3 near = som_vec3_scale(2 * SOM_PI * turns - 0.01, unit);
                SomVec3 log = som_rotation_log(r, &near);
                raise_to(&worst, matrix_difference(som_rotation_exp(log), r));
                double along = som_vec3_dot(log, unit);
                raise_to(&worst_along, fabs(along - (2 * SOM_PI * turns + rest)));
            }
        }
    }
    ck_assert_double_le(worst, 1e-14);
    ck_assert_double_le(worst_along, 1e-13);
}
END_TEST

START_TEST(a_small_turn_across_full_turns_is_not_lost) {
    SomVec3 near = som_vec3(0, 0, 2 * SOM_PI);
    SomMat3 r = som_rotation_x(5e-7);
    SomVec3 log = som_rotation_log(r, &near);
    ck_assert_double_le(matrix_difference(som_rotation_exp(log), r), 1e-14);
}
END_TEST

START_TEST(a_near_value_that_is_no_number_is_ignored) {
    SomVec3 near = som_vec3(0, (double)NAN, 0);
    ck_assert_double_le(fabs(som_rotation_log(som_rotation_z(1), &near).z - 1), 1e-15);
    near = som_vec3(0, 0, 1e308);
    ck_assert_double_le(fabs(som_rotation_log(som_rotation_z(1), &near).z - 1), 1e-15);
}
END_TEST

START_TEST(left_jacobian_times_its_inverse_is_identity) {
    SomTestRandom random = {3};
    double worst = 0, worst_beyond = 0;
    for (int i = 0; i < som_test_count(20000, 2000000); i++) {
        SomVec3 theta = random_turn(&random, 6);
        SomMat3 product = som_mat3_multiply(som_rotation_left_jacobian(theta),
                                            som_rotation_left_jacobian_inverse(theta));
        double error = matrix_difference(product, som_mat3_identity());
        // its condition grows like 1/(2 pi - n)
        raise_to(som_vec3_length(theta) <= SOM_PI ? &worst : &worst_beyond, error);
    }
    ck_assert_double_le(worst, 3e-15);
    ck_assert_double_le(worst_beyond, 1e-13);
}
END_TEST

START_TEST(left_jacobian_is_the_derivative_of_exp) {
    SomTestRandom random = {4};
    const double h = 1e-5;
    double worst = 0;
    for (int i = 0; i < 5000; i++) {
        SomVec3 theta = random_turn(&random, 9);
        SomVec3 rate = random_direction(&random);
        SomVec3 omega = som_mat3_apply(som_rotation_left_jacobian(theta), rate);
        SomMat3 after = som_rotation_exp(som_vec3_add(theta, som_vec3_scale(h, rate)));
        SomMat3 before = som_rotation_exp(som_vec3_sub(theta, som_vec3_scale(h, rate)));
        SomMat3 turned = som_mat3_multiply(after, som_mat3_transpose(before));
        SomVec3 measured = som_vec3_scale(0.5 / h, som_rotation_log(turned, NULL));
        raise_to(&worst, som_vec3_length(som_vec3_sub(measured, omega)));
    }
    ck_assert_double_le(worst, 2e-10);
}
END_TEST

START_TEST(series_and_closed_forms_meet) {
    SomVec3 unit = som_vec3(0.6, 0, 0.8);
    SomVec3 a = som_vec3_scale(0.01 * (1 - 1e-13), unit);
    SomVec3 b = som_vec3_scale(0.01 * (1 + 1e-13), unit);
    SomMat3 inverse = som_rotation_left_jacobian_inverse(a);
    ck_assert_double_le(matrix_difference(som_rotation_exp(a), som_rotation_exp(b)), 3e-15);
    ck_assert_double_le(
        matrix_difference(som_rotation_left_jacobian(a), som_rotation_left_jacobian(b)), 3e-15);
    ck_assert_double_le(matrix_difference(inverse, som_rotation_left_jacobian_inverse(b)), 3e-15);
}
END_TEST

START_TEST(quaternions_and_rotations_are_two_ways_to_say_the_same) {
    SomTestRandom random = {5};
    double worst = 0;
    for (int i = 0; i < som_test_count(20000, 2000000); i++) {
        SomMat3 r = random_pose(&random).rotation;
        SomQuat q = som_quat_from_rotation(r);
        ck_assert(q.w >= 0);
        raise_to(&worst, fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1));
        raise_to(&worst, matrix_difference(som_quat_to_rotation(q), r));
        SomQuat longer = {-3 * q.x, -3 * q.y, -3 * q.z, -3 * q.w};
        raise_to(&worst, matrix_difference(som_quat_to_rotation(longer), r));
    }
    ck_assert_double_le(worst, 2e-15);
    SomQuat zero = {0, 0, 0, 0};
    ck_assert(matrix_difference(som_quat_to_rotation(zero), som_mat3_identity()) == 0);
}
END_TEST

START_TEST(normalising_removes_what_a_printed_matrix_lost) {
    SomTestRandom random = {6};
    for (int i = 0; i < 1000; i++) {
        SomMat3 r = random_pose(&random).rotation, noisy = r;
        for (int k = 0; k < 9; k++) {
            noisy.m[k / 3][k % 3] += som_test_uniform(&random, -1e-6, 1e-6);
        }
        SomMat3 clean = som_rotation_normalise(noisy);
        SomMat3 product = som_mat3_multiply(clean, som_mat3_transpose(clean));
        ck_assert_double_le(matrix_difference(product, som_mat3_identity()), 2e-15);
        ck_assert_double_le(som_rotation_distance(clean, r), 6e-6);
    }
}
END_TEST

START_TEST(poses_form_a_group) {
    SomTestRandom random = {7};
    double worst = 0;
    for (int i = 0; i < 5000; i++) {
        SomPose a = random_pose(&random), b = random_pose(&random), c = random_pose(&random);
        SomPose ab = som_pose_compose(a, b);
        raise_to(&worst, pose_difference(som_pose_compose(ab, c),
                                         som_pose_compose(a, som_pose_compose(b, c))));
        SomPose one = som_pose_compose(a, som_pose_invert(a));
        raise_to(&worst, pose_difference(one, som_pose_identity()));
        raise_to(&worst, pose_difference(som_pose_relative(a, ab), b));

        SomVec3 p = random_direction(&random);
        SomVec3 images[3][2] = {{som_pose_apply(a, som_pose_apply(b, p)), som_pose_apply(ab, p)},
                                {som_pose_apply_inverse(a, som_pose_apply(a, p)), p},
                                {som_pose_rotate_inverse(a, som_pose_rotate(a, p)), p}};
        for (int k = 0; k < 3; k++) {
            raise_to(&worst, som_vec3_length(som_vec3_sub(images[k][0], images[k][1])));
        }
    }
    ck_assert_double_le(worst, 2e-14);
}
END_TEST

START_TEST(turns_about_the_axes_are_exponentials) {
    double worst = 0;
    for (int i = 0; i < 100; i++) {
        double a = -7 + 0.14 * i;
        SomMat3 x = som_rotation_exp(som_vec3(a, 0, 0)), y = som_rotation_exp(som_vec3(0, a, 0));
        SomMat3 z = som_rotation_exp(som_vec3(0, 0, a));
        raise_to(&worst, matrix_difference(som_rotation_x(a), x));
        raise_to(&worst, matrix_difference(som_rotation_y(a), y));
        raise_to(&worst, matrix_difference(som_rotation_z(a), z));
    }
    ck_assert_double_le(worst, 1e-15);
    SomVec3 y = som_mat3_apply(som_rotation_z(SOM_PI / 2), som_vec3(1, 0, 0));
    ck_assert_double_le(som_vec3_length(som_vec3_sub(y, som_vec3(0, 1, 0))), 1e-16);
}
END_TEST

// Also with pitches of a right angle, exactly and almost.
START_TEST(roll_pitch_and_yaw_come_back) {
    SomTestRandom random = {12};
    double worst = 0;
    for (int i = 0; i < 3000; i++) {
        double near = i % 3 == 0 ? 0 : pow(10, som_test_uniform(&random, -17, 0));
        double pitch = i % 2 == 0 ? SOM_PI / 2 - near : som_test_uniform(&random, -1.6, 1.6);
        SomMat3 r = som_rotation_from_rpy(som_test_uniform(&random, -4, 4), pitch,
                                          som_test_uniform(&random, -4, 4));
        double rpy[3];
        som_rotation_to_rpy(r, rpy);
        raise_to(&worst, matrix_difference(som_rotation_from_rpy(rpy[0], rpy[1], rpy[2]), r));
    }
    ck_assert_double_le(worst, 3e-15);
    // x, then y, then z, about axes that stay
    SomVec3 v = som_mat3_apply(som_rotation_from_rpy(SOM_PI / 2, 0, SOM_PI / 2), som_vec3(0, 1, 0));
    ck_assert_double_le(som_vec3_length(som_vec3_sub(v, som_vec3(0, 0, 1))), 1e-15);
}
END_TEST

START_TEST(interpolation_is_even) {
    SomTestRandom random = {8};
    double worst = 0;
    for (int i = 0; i < 1000; i++) {
        SomPose a = random_pose(&random), b = random_pose(&random);
        raise_to(&worst, som_pose_distance(som_pose_interpolate(a, b, 0), a));
        raise_to(&worst, som_pose_distance(som_pose_interpolate(a, b, 1), b));
        SomPose third = som_pose_interpolate(a, b, 1.0 / 3);
        double turn = som_rotation_distance(a.rotation, b.rotation);
        double way = som_vec3_length(som_vec3_sub(b.position, a.position));
        SomVec3 gone = som_vec3_sub(third.position, a.position);
        raise_to(&worst, fabs(som_rotation_distance(a.rotation, third.rotation) - turn / 3));
        raise_to(&worst, fabs(som_rotation_distance(third.rotation, b.rotation) - turn * 2 / 3));
        raise_to(&worst, fabs(som_vec3_length(gone) - way / 3));
    }
    ck_assert_double_le(worst, 1e-14);
}
END_TEST

START_TEST(distance_is_the_larger_of_way_and_turn) {
    SomPose a = som_pose_identity();
    SomPose b = {som_rotation_x(0.25), {0.125, 0, 0}};
    ck_assert_double_le(fabs(som_pose_distance(a, b) - 0.25), 1e-16);
    b.position = som_vec3(0, 2, 0);
    ck_assert_double_eq(som_pose_distance(a, b), 2);
    b.position = a.position;
    b.rotation = som_rotation_y(1e-13); // an arc cosine of the trace would give 0
    ck_assert_double_le(fabs(som_pose_distance(a, b) - 1e-13), 1e-28);
    b.position.x = (double)NAN;
    ck_assert(isnan(som_pose_distance(a, b)));
}
END_TEST

SOM_SUITE("space/pose", exp_of_log_is_identity_for_random_poses,
          exp_of_log_is_identity_at_special_angles, log_of_exp_is_identity,
          half_turns_come_back_about_either_end_of_their_axis,
          a_slow_turn_is_followed_through_many_revolutions,
          a_revolute_beyond_half_a_turn_comes_back, full_turns_are_kept_where_the_axis_is_lost,
          a_small_turn_across_full_turns_is_not_lost, a_near_value_that_is_no_number_is_ignored,
          left_jacobian_times_its_inverse_is_identity, left_jacobian_is_the_derivative_of_exp,
          series_and_closed_forms_meet, quaternions_and_rotations_are_two_ways_to_say_the_same,
          normalising_removes_what_a_printed_matrix_lost, poses_form_a_group,
          turns_about_the_axes_are_exponentials, roll_pitch_and_yaw_come_back,
          interpolation_is_even, distance_is_the_larger_of_way_and_turn)
