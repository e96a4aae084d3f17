// SPDX-License-Identifier: Apache-2.0
// Tests for player/servo.c.

#include "player/servo.h"
#include "tests/suite.h"

#include <float.h>

static SomSetPoint to(double value, double speed) {
    return (SomSetPoint){.kind = SOM_SET_POSITION, .value = value, .speed = speed};
}

// Seconds until it is there, or -1.
static double arrival(const SomServoModel *model, double target, double tolerance, double tick) {
    SomServo servo = som_servo_at(0);
    SomSetPoint point = to(target, 0);
    for (int i = 1; i * tick < 60; i++) {
        som_servo_step(model, &servo, &point, tick);
        if (fabs(target - servo.position) < tolerance) {
            return i * tick;
        }
    }
    return -1;
}

START_TEST(the_laboratory_law_takes_its_published_times) {
    SomServoModel model = {.kind = SOM_SERVO_LABORATORY};
    // (D - 0.2569) / 1.92688 + ln(0.2569 / 0.08) / 7.5, in whole milliseconds
    ck_assert_double_eq_tol(arrival(&model, 1.2109, 0.08, 0.001), 0.651, 1e-9);
    ck_assert_double_eq_tol(arrival(&model, 6.28318530718, 0.08, 0.001), 3.283, 1e-9);
    ck_assert_double_eq_tol(arrival(&model, -0.5, 0.08, 0.001), 0.282, 1e-9);
    SomServo servo = som_servo_at(0);
    SomSetPoint point = to(6.28318530718, 0);
    for (int i = 0; i < 444; i++) {
        som_servo_step(&model, &servo, &point, 0.01); // steps of a millisecond inside
    }
    ck_assert_double_eq_tol(servo.position, 6.283172070908, 1e-9);
}
END_TEST

START_TEST(a_bounded_servo_keeps_its_bounds_and_does_not_overshoot) {
    SomTestRandom random = {41};
    int wrong = 0;
    for (int i = 0; i < som_test_count(3000, 100000); i++) {
        SomServoModel model = {.most_speed = som_test_uniform(&random, 0.1, 3),
                               .most_acceleration = som_test_uniform(&random, 0.5, 20)};
        double target = som_test_uniform(&random, -3, 3),
               tick = som_test_uniform(&random, 0.001, 0.1);
        SomServo servo = som_servo_at(0);
        SomSetPoint point = to(target, 0);
        double before = 0, needed = som_servo_duration(&model, target, 0), t = 0;
        for (; servo.position != target && t < needed + 1; t += tick) {
            som_servo_step(&model, &servo, &point, tick);
            wrong += fabs(servo.speed) > model.most_speed * (1 + 1e-9);
            wrong +=
                fabs(servo.speed - before) > model.most_acceleration * tick * (1 + 1e-9) + 1e-9;
            wrong += (target - servo.position) * target < -1e-9;
            before = servo.speed;
        }
        wrong += fabs(t - needed) > tick + 1e-6 || servo.speed != 0;
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

// From any speed, with targets that change on the way: the same at every tick.
START_TEST(a_bounded_motion_does_not_depend_on_the_tick) {
    SomTestRandom random = {43};
    double worst = 0;
    for (int i = 0; i < som_test_count(1000, 50000); i++) {
        SomServoModel model = {.most_speed = som_test_uniform(&random, 0.5, 3),
                               .most_acceleration = som_test_uniform(&random, 0.5, 10)};
        SomServo coarse = som_servo_at(0), fine = coarse;
        for (int leg = 0; leg < 5; leg++) {
            SomSetPoint point = to(som_test_uniform(&random, -2, 2), leg % 2 ? 0.7 : 0);
            if (leg == 3) {
                point = (SomSetPoint){.kind = SOM_SET_VELOCITY,
                                      .value = som_test_uniform(&random, -4, 4)};
            }
            for (int k = 0; k < 5; k++) {
                som_servo_step(&model, &coarse, &point, 0.1);
                for (int f = 0; f < 10; f++) {
                    som_servo_step(&model, &fine, &point, 0.01);
                }
                double off = fabs(coarse.position - fine.position);
                worst = off > worst ? off : worst;
            }
        }
    }
    ck_assert_double_lt(worst, 1e-6);
}
END_TEST

START_TEST(without_bounds_it_is_there_at_once) {
    SomServoModel model = {0};
    SomServo servo = som_servo_at(0);
    SomSetPoint point = to(5, 0);
    som_servo_step(&model, &servo, &point, 0.001);
    ck_assert_double_eq(servo.position, 5);
    point.speed = 2; // but at the speed of the set-point
    point.value = 6;
    som_servo_step(&model, &servo, &point, 0.25);
    ck_assert_double_eq_tol(servo.position, 5.5, 1e-12);
    ck_assert_double_eq(servo.speed, 2);
    ck_assert_double_eq(som_servo_duration(&model, 3, 2), 1.5);
    ck_assert_double_eq(som_servo_duration(&model, 3, 0), 0);
}
END_TEST

START_TEST(velocities_are_bounded_and_limits_stop) {
    SomServoModel model = {.most_speed = 2, .low = -1, .high = 1};
    SomServo servo = som_servo_at(0);
    SomSetPoint point = {.kind = SOM_SET_VELOCITY, .value = -10};
    som_servo_step(&model, &servo, &point, 0.25);
    ck_assert_double_eq(servo.speed, -2);
    ck_assert_double_eq(servo.position, -0.5);
    som_servo_step(&model, &servo, &point, 1);
    ck_assert_double_eq(servo.position, -1);
    ck_assert_double_eq(servo.speed, 0);
    som_servo_step(&model, &servo, NULL, 1);
    som_servo_step(&model, &servo, &point, (double)NAN);
    ck_assert_double_eq(servo.position, -1);
}
END_TEST

START_TEST(ticks_of_any_length_leave_it_finite) {
    const double ticks[] = {DBL_MAX, 0.01, 1e300, DBL_MAX, DBL_MIN};
    const SomSetPoint points[] = {to(3, 0),
                                  {.kind = SOM_SET_VELOCITY, .value = 1e9},
                                  to(-1e9, 1e-9),
                                  {.kind = SOM_SET_VELOCITY, .value = -1e9}};
    for (int kind = 0; kind < 4; kind++) {
        SomServoModel model = {.kind = kind / 2 == 0 ? SOM_SERVO_BOUNDED : SOM_SERVO_LABORATORY,
                               .most_acceleration = kind % 2 == 0 ? 0 : 2};
        SomServo servo = som_servo_at(0);
        for (int i = 0; i < 20; i++) {
            som_servo_step(&model, &servo, &points[i % 4], ticks[i % 5]);
            ck_assert_msg(isfinite(servo.position) && isfinite(servo.speed), "%d: %d", kind, i);
        }
    }
}
END_TEST

SOM_SUITE("player/servo", the_laboratory_law_takes_its_published_times,
          a_bounded_servo_keeps_its_bounds_and_does_not_overshoot,
          a_bounded_motion_does_not_depend_on_the_tick, without_bounds_it_is_there_at_once,
          velocities_are_bounded_and_limits_stop, ticks_of_any_length_leave_it_finite)
