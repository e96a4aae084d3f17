// tests/exchange/placed_text.h - imported text, composed, placed and played.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/prediction.h"
#include "compose/mechanism.h"
#include "compose/workspace.h"
#include "exchange/import.h"
#include "tests/suite.h"

typedef struct SomTestPlaced {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPosture posture;
    SomPose *links;
} SomTestPlaced;

// Composes the first configuration of a text as it starts. Fails the test if there is an error.
SomTestPlaced som_test_place_text(SomStr text);
SomTestPlaced som_test_place_config(SomStr text, SomStr config); // one that is not the first
// The same of an import that gave module types, too.
SomTestPlaced som_test_place_imported(const SomImported *result);
SomPose som_test_pose_of(const SomTestPlaced *placed, const char *path);
void som_test_free_placed(SomTestPlaced *placed);

// Plays a behavior with the servos of the module types, sampled at every tick. Fails the test if it
// cannot be compiled or does not end.
SomPrediction som_test_play(SomTestPlaced *placed, const char *behavior, double tick);

// The same with joints that are at once where they are sent.
SomPrediction som_test_play_exactly(SomTestPlaced *placed, const char *behavior, double tick);

// The position of a joint then, with the sign and zero of the name it is called by.
double som_test_joint_at(const SomTestPlaced *placed, const SomPrediction *prediction, double time,
                         const char *joint);
