// command/motion.h - a behavior of a design, compiled, checked and played without physics: what
// verbs with --behavior share.
//
//     SomPlayed motion;
//     if (som_command_move(command, design, &posture, "walk", (SomPredictionDef){0}, &motion)) {
//         motion.prediction.duration ...
//     }
//     som_played_free(&motion);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/compile.h"
#include "behaviors/prediction.h"
#include "command/design.h"

#define SOM_OPTION_BEHAVIOR                                                                        \
    {                                                                                              \
        .name = "behavior", .value = "B",                                                          \
        .help = "the behavior, with arguments: 'drive(70mm/s, 2s)'", .letter = 'b'                 \
    }

#define SOM_OPTION_FORCE                                                                           \
    {                                                                                              \
        .name = "force", .help = "run a behavior that has errors; the outcome says so",            \
        .needs = "behavior"                                                                        \
    }

#define SOM_OPTION_SERVO                                                                           \
    {                                                                                              \
        .name = "servo", .value = "LAW",                                                           \
        .help = "how joints move: bounded, or lab, the law of the SMORES lab"                      \
    }

#define SOM_LAB_TICK 0.001      // second
#define SOM_LAB_REST_SPEED 1e-4 // radian a second; slower, a joint of the lab rests

typedef struct SomPlayed {
    SomActionGraph *graph;
    SomServoModel *servos; // one a DoF
    SomPrediction prediction;
    int ignored_errors; // of the behavior, because of --force
} SomPlayed;

// Compiles the behavior, or any action, that `text` is, reports what the static checks find, and
// plays it from the posture by the law --servo says; graph, servos and initial values of `def` are
// filled in. False after errors. To be freed either way.
bool som_command_move(SomCommand *command, const SomConfiguration *design,
                      const SomPosture *posture, const char *text, SomPredictionDef def,
                      SomPlayed *motion);
void som_played_free(SomPlayed *motion);

// Whether --servo says lab; complains if it says what nobody knows.
bool som_command_is_lab(SomCommand *command);
