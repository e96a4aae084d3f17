// SPDX-License-Identifier: Apache-2.0
#include "player/joint_drive.h"

#define DEFAULT_GAIN 20.0
#define DEFAULT_LAG 0.1
#define HASTE 1.5 // how much faster than its bound a joint may catch up

SomJointDrive som_joint_drive_at(double position) {
    SomJointDrive drive;
    drive.reference = som_servo_at(position);
    return drive;
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

double som_joint_drive_step(const SomJointDriveModel *model, SomJointDrive *drive,
                            const SomSetPoint *point, double sensed, double dt) {
    double gain = model->gain > 0 ? model->gain : DEFAULT_GAIN;
    double lag = model->most_lag > 0 ? model->most_lag : DEFAULT_LAG;
    double most = model->servo.most_speed > 0 ? HASTE * model->servo.most_speed : (double)INFINITY;
    SomServo *reference = &drive->reference;
    if (!isfinite(sensed)) {
        return 0;
    }
    som_servo_step(&model->servo, reference, point, dt);
    double ahead = clamp(reference->position, sensed - lag, sensed + lag);
    if (ahead != reference->position) { // it waits
        reference->position = ahead;
        reference->speed = 0;
    }
    return clamp(reference->speed + gain * (reference->position - sensed), -most, most);
}
