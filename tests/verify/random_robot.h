// tests/verify/random_robot.h - mechanisms made of random links, without any text: all kinds of
// shapes, joints that turn, slide or are fixed, several modules, any scale.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "tests/suite.h"

typedef struct RandomRobot {
    SomConfiguration configuration; // only what mechanisms are asked for
    SomMechanism mechanism;
} RandomRobot;

// Sizes of shapes are about `scale` metres.
RandomRobot *random_robot(SomTestRandom *random, int modules, double scale);
void random_robot_free(RandomRobot *robot);

// Values of a batch: eight steps of a motion, or eight postures that have nothing in common.
void random_values(SomTestRandom *random, const SomMechanism *mechanism, bool is_motion,
                   double scale, double *values);
