// player/joint_drive.h - drives one joint of a moving robot after the player's set-points: gives
// the speed that the motor should have now.
//
//     SomJointDriveModel model = {.servo = servos[dof], .gain = 20};
//     SomJointDrive drive = som_joint_drive_at(sensed);
//     double speed = som_joint_drive_step(&model, &drive, &set_points[dof], sensed, 0.001);
//
// A reference goes the way of the servo's model (player/servo.h); the motor follows it, faster the
// farther behind it is. A joint that something holds back does not store up the way it has missed:
// the reference waits for it. A joint that was never commanded keeps its place, as geared motors
// do.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/servo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomJointDriveModel {
    SomServoModel servo;
    double gain;     // speed for each radian or metre behind the reference, 1/s; 0: 20
    double most_lag; // the reference is never farther ahead, radian or metre; 0: 0.1
} SomJointDriveModel;

typedef struct SomJointDrive {
    SomServo reference;
} SomJointDrive;

SomJointDrive som_joint_drive_at(double position);

// The speed to command for the next `dt` seconds. What is sensed may be no number: then it is 0.
double som_joint_drive_step(const SomJointDriveModel *model, SomJointDrive *drive,
                            const SomSetPoint *point, double sensed, double dt);

#ifdef __cplusplus
}
#endif
