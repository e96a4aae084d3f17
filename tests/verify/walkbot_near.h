// tests/verify/walkbot_near.h - two legs of a Walkbot whose hips are 0.2 m apart, swinging toward
// each other: Fig. 10 of Tosun, Jing, Kress-Gazit and Yim, "Computer-aided Compositional Design and
// Verification for Modular Robots".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/compose/texts.h"
#include "tests/verify/motions.h"

extern const char *const walkbot_near_text;

typedef struct WalkbotNear {
    TestDesign design;
    SomConfiguration *c;
    SomMechanism *m;
    TestMotion t; // in one second, straight
} WalkbotNear;

WalkbotNear walkbot_near(void);
void walkbot_near_free(WalkbotNear *near);
