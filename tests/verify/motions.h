// tests/verify/motions.h - random motions of mechanisms, and what links do between samples.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/compose/designs.h"
#include "verify/certificate.h"

// A motion with memory of its own.
typedef struct TestMotion {
    SomMotion motion;
    double *times;
    double *values;
} TestMotion;

// Samples every 10 ms from the posture; DoF that move (some of `moving`) wander at up to `speed`,
// at times standing still.
TestMotion test_random_motion(SomTestRandom *random, const SomMechanism *m, const double *start,
                              int samples, double moving, double speed);
// From one posture to another, straight.
TestMotion test_straight_motion(const SomMechanism *m, const double *from, const double *to,
                                int samples, double seconds);
void test_motion_free(TestMotion *motion);

// World poses of all links at a place between samples.
void test_place_at(const SomMechanism *m, const SomMotion *motion, double place, SomPose *links);
