// SPDX-License-Identifier: Apache-2.0
#include "player/servo.h"

SomServo som_servo_at(double position) {
    SomServo servo = {0, 0, 0, false};
    servo.position = position;
    return servo;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

// The bound of speed of this way; infinite without one.
static double bound_of(const SomServoModel *model, double speed) {
    double most = model->most_speed > 0 ? model->most_speed : (double)INFINITY;
    return speed > 0 ? smaller(most, speed) : most;
}

// Constant acceleration for some time.
static void glide(SomServo *s, double acceleration, double seconds) {
    s->position += s->speed * seconds + 0.5 * acceleration * seconds * seconds;
    s->speed += acceleration * seconds;
}

// ---- to a velocity

static void speed_up(SomServo *s, double speed, double acceleration, double dt) {
    double difference = speed - s->speed;
    double seconds = acceleration > 0 ? fabs(difference) / acceleration : 0;
    if (seconds >= dt) {
        glide(s, difference < 0 ? -acceleration : acceleration, dt);
        return;
    }
    s->position += 0.5 * (s->speed + speed) * seconds + speed * (dt - seconds);
    s->speed = speed;
}

// ---- to a position

// Without a bound of acceleration: a straight line.
static void go_straight(SomServo *s, double target, double most, double dt) {
    double way = target - s->position;
    if (fabs(way) <= most * dt) {
        s->position = target;
        s->speed = 0;
    } else {
        s->speed = way < 0 ? -most : most;
        s->position += s->speed * dt;
    }
}

// One stretch of constant acceleration of the fastest way; returns the seconds that are left. In
// the direction in which it must go, the way is `way`, the speed `v`: it speeds up to a peak, where
// the way to stop is the way that is left, or to `most`, goes on at that, and brakes.
static double go_stretch(SomServo *s, double target, double most, double a, double left) {
    double stop = s->position + s->speed * fabs(s->speed) / (2 * a);
    double off = target - stop; // rounding alone must not turn it round
    bool must_brake =
        fabs(off) <= 1e-11 * (1 + fabs(target)) && s->speed * (target - s->position) >= 0;
    double sign = must_brake ? (s->speed < 0 ? -1 : 1) : off < 0 ? -1 : 1;
    double way = (target - s->position) * sign, v = s->speed * sign;
    double peak = sqrt(a * way + 0.5 * v * v > 0 ? a * way + 0.5 * v * v : 0);
    double goal = smaller(peak, most), slack = 1e-12 * (1 + goal);
    if (!must_brake && v > most + slack) { // faster than it may: brake to the bound
        double seconds = smaller(left, (v - most) / a);
        glide(s, -a * sign, seconds);
        return left - seconds;
    }
    if (!must_brake && v < goal - slack) {
        double seconds = smaller(left, (goal - v) / a);
        glide(s, a * sign, seconds);
        return left - seconds;
    }
    double braking = v * v / (2 * a);
    if (!must_brake && peak > most && way - braking > 1e-12 * (1 + way)) {
        double seconds = smaller(left, (way - braking) / v);
        glide(s, 0, seconds);
        return left - seconds;
    }
    double seconds = v > 0 ? v / a : 0;
    if (seconds > left) {
        glide(s, -a * sign, left);
        return 0;
    }
    s->position = target;
    s->speed = 0;
    return 0;
}

static void go_to(SomServo *s, double target, double most, double acceleration, double dt) {
    if (!(acceleration > 0)) {
        go_straight(s, target, most, dt);
        return;
    }
    double left = dt;
    for (int i = 0; i < 8 && left > 0; i++) { // turn round, slow down, speed up, go on, brake
        if (s->position == target && s->speed == 0) {
            return;
        }
        left = go_stretch(s, target, most, acceleration, left);
    }
}

double som_servo_duration(const SomServoModel *model, double way, double speed) {
    double most = bound_of(model, speed), a = model->most_acceleration;
    way = fabs(way);
    if (!(a > 0)) {
        return isfinite(most) ? way / most : 0;
    }
    double peak = sqrt(a * way);
    return peak <= most ? 2 * peak / a : way / most + most / a;
}

// ---- the laboratory's law

#define LAW_STEP 0.001
#define LAW_GAIN 7.5
#define LAW_DAMPING 0.75 // for the change of the error in one step
#define LAW_SPEED (0.8 * 2.4086)
#define LAW_NEAR 1e-7 // radian; nearer, the joint is there

static void follow_law(SomServo *s, double target, double most, double dt) {
    double count = floor(dt / LAW_STEP + 0.5);
    int steps = count < 1 ? 1 : count > 1000000 ? 1000000 : (int)count;
    double step = dt / steps;
    most = smaller(most, LAW_SPEED);
    for (int i = 0; i < steps; i++) {
        double error = target - s->position;
        if (fabs(error) < LAW_NEAR) {
            s->position = target;
            s->speed = s->last_error = 0;
            s->has_error = true;
            return;
        }
        double change = s->has_error ? error - s->last_error : 0;
        double speed = LAW_GAIN * error + LAW_DAMPING * change;
        s->speed = speed > most ? most : speed < -most ? -most : speed;
        s->position += s->speed * step;
        s->last_error = error;
        s->has_error = true;
    }
}

// ---- all of them

static void stop_at_limits(const SomServoModel *model, SomServo *s) {
    if (model->low >= model->high) {
        return;
    }
    if (s->position > model->high || s->position < model->low) {
        s->position = s->position > model->high ? model->high : model->low;
        s->speed = 0;
    }
}

void som_servo_step(const SomServoModel *model, SomServo *s, const SomSetPoint *point, double dt) {
    dt = som_tick_length(dt);
    if (!(dt > 0)) {
        return;
    }
    bool is_lab = model->kind == SOM_SERVO_LABORATORY;
    double acceleration = is_lab ? 0 : model->most_acceleration;
    if (point != NULL && point->kind == SOM_SET_POSITION && isfinite(point->value)) {
        double most = bound_of(model, point->speed);
        if (is_lab) {
            follow_law(s, point->value, most, dt);
        } else {
            go_to(s, point->value, most, acceleration, dt);
        }
    } else {
        bool is_moving = point != NULL && point->kind == SOM_SET_VELOCITY && isfinite(point->value);
        double most = bound_of(model, 0), speed = is_moving ? point->value : 0;
        s->has_error = false;
        speed_up(s, speed > most ? most : speed < -most ? -most : speed, acceleration, dt);
    }
    stop_at_limits(model, s);
}
