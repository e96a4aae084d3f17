// player/servo.h - models of a joint's servo: where a joint goes under a set-point, without
// physics.
//
//     SomServoModel model = {.kind = SOM_SERVO_BOUNDED, .most_speed = 2, .most_acceleration = 10};
//     SomServo servo = som_servo_at(0.3);
//     som_servo_step(&model, &servo, &set_points[dof], 0.01);
//     servo.position, servo.speed ...
//
// A bounded servo goes to a position as fast as its speed and acceleration allow and stops there
// without overshooting; its motion is computed exactly, so that it does not depend on the tick. The
// laboratory servo follows the control law of the SMORES simulator, step by step of a millisecond;
// nearer than 1e-7 it is at its target.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/player.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomServoKind {
    SOM_SERVO_BOUNDED,
    SOM_SERVO_LABORATORY, // v = clip(7.5 e + 0.75 (e - last e), 0.8 x 2.4086 rad/s) each
                          // millisecond
} SomServoKind;

// Zero is a servo that is anywhere at once.
typedef struct SomServoModel {
    double most_speed;        // radian or metre a second; 0: no bound
    double most_acceleration; // these per second; 0: no bound
    double low;               // the joint stops here …
    double high;              // … and there; not if low >= high
    uint8_t kind;             // SomServoKind
} SomServoModel;

typedef struct SomServo {
    double position;
    double speed;      // signed
    double last_error; // of the laboratory law
    bool has_error;
} SomServo;

SomServo som_servo_at(double position);

// `point` as the player gives it; NULL or nothing: the joint comes to rest.
void som_servo_step(const SomServoModel *model, SomServo *servo, const SomSetPoint *point,
                    double dt);

// Seconds a bounded servo at rest takes for a way. 0 if it has no bound of speed.
double som_servo_duration(const SomServoModel *model, double way, double speed);

#ifdef __cplusplus
}
#endif
