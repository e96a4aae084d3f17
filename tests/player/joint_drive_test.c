// SPDX-License-Identifier: Apache-2.0
// Tests for player/joint_drive.c.

#include "player/joint_drive.h"
#include "tests/suite.h"

static const SomJointDriveModel model = {.servo = {.most_speed = 2, .most_acceleration = 20}};

static SomSetPoint to(double value) {
    return (SomSetPoint){.kind = SOM_SET_POSITION, .value = value};
}

START_TEST(a_motor_that_does_as_it_is_told_follows_the_servo) {
    SomJointDrive drive = som_joint_drive_at(0);
    SomServo servo = som_servo_at(0);
    SomSetPoint point = to(1);
    double position = 0, worst = 0;
    for (int i = 0; i < 2000; i++) {
        position += 0.001 * som_joint_drive_step(&model, &drive, &point, position, 0.001);
        som_servo_step(&model.servo, &servo, &point, 0.001);
        worst = fmax(worst, fabs(position - servo.position));
    }
    ck_assert_double_le(worst, 0.0021); // one step at full speed
    ck_assert_double_eq_tol(position, 1, 1e-9);
}
END_TEST

START_TEST(a_blocked_joint_stores_nothing_up) {
    SomJointDrive drive = som_joint_drive_at(0);
    SomSetPoint point = to(3);
    for (int i = 0; i < 5000; i++) { // blocked for five seconds
        som_joint_drive_step(&model, &drive, &point, 0, 0.001);
    }
    ck_assert_double_le(drive.reference.position, 0.1);
    point = to(-1); // and at once it can go back
    double position = 0;
    for (int i = 0; i < 100; i++) {
        position += 0.001 * som_joint_drive_step(&model, &drive, &point, position, 0.001);
    }
    ck_assert_double_lt(position, 0);
}
END_TEST

START_TEST(what_was_never_commanded_keeps_its_place) {
    SomJointDrive drive = som_joint_drive_at(0.5);
    SomSetPoint nothing = {0};
    ck_assert_double_eq(som_joint_drive_step(&model, &drive, &nothing, 0.5, 0.001), 0);
    ck_assert_double_gt(som_joint_drive_step(&model, &drive, &nothing, 0.45, 0.001), 0.5);
}
END_TEST

START_TEST(commands_are_bounded_whatever_is_sensed) {
    SomJointDrive drive = som_joint_drive_at(0);
    SomSetPoint spin = {.kind = SOM_SET_VELOCITY, .value = 100};
    const double sensed[] = {0, 1e9, -1e300, NAN, INFINITY, 0};
    for (int i = 0; i < 6; i++) {
        double speed = som_joint_drive_step(&model, &drive, &spin, sensed[i], 0.001);
        ck_assert(fabs(speed) <= 3);
    }
}
END_TEST

SOM_SUITE("player/joint_drive", a_motor_that_does_as_it_is_told_follows_the_servo,
          a_blocked_joint_stores_nothing_up, what_was_never_commanded_keeps_its_place,
          commands_are_bounded_whatever_is_sensed)
