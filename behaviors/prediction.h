// behaviors/prediction.h - what a behavior does if every servo does as its model says: the motion
// without physics.
//
//     SomPredictionDef def = {.graph = graph, .servos = servos, .tick = 0.01};
//     SomPrediction prediction = {0};
//     som_prediction_play(&def, &prediction, diags);
//     for (int i = 0; i < prediction.times.count; i++) ...
//         prediction.times.data[i], prediction.positions.data[i * prediction.dof_count + dof] ...
//     som_prediction_free(&prediction);
//
// The player steps as everywhere else; at each tick it senses where the servos are, then they move
// for one tick. What kinematics cannot know (contacts, efforts, height, tilt, the user's inputs) is
// what `assumed` says, and every condition that was tested and asked for it is reported with a
// note. With its design, docks close only if their connectors are in reach.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/stop.h"
#include "compose/configuration.h"
#include "player/dock_driver.h"
#include "player/servo.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_PREDICTION_TICK 0.01 // seconds

// Answers to what is not known. Zero: no contact, no effort, upright on the ground, inputs are what
// their sources say (player/graph.h), else 0.
typedef struct SomAssumptions {
    bool contact;
    double effort;
    double height;
    double tilt;
    const double *inputs; // one an input, or NULL
} SomAssumptions;

typedef struct SomExplorer SomExplorer; // behaviors/explorer.h

// Zero is the default for all but the graph.
typedef struct SomPredictionDef {
    const SomActionGraph *graph;
    const SomServoModel *servos;    // one a DoF; NULL: they are anywhere at once
    const double *initial;          // positions, one a DoF; NULL: zero
    const SomConfiguration *design; // if its DoF and docks are the graph's; NULL: see below
    const uint8_t *docks;           // without a design: SomDockState, one a dock; NULL: open
    SomDockModel dock;              // likewise, of all of them; partners are always in reach
    SomAssumptions assumed;
    SomExplorer *explorer; // not NULL: a branch of it is played, instead of what is assumed
    int branch;
    double tick;       // seconds; 0: SOM_PREDICTION_TICK
    double most_time;  // seconds; 600. Then it is not finished
    bool is_excerpt;   // the caller looks no farther than most_time: that it goes on is no warning
    double rest_speed; // at its end, go on until joints are slower and docks rest; 0: do not
    // seconds between samples; every tick. Of a part of a tick there are as many samples in each
    // that none are farther apart, on straight lines between those of the ticks
    double sample_time;
    int most_kept;       // numbers in all samples; 16 million. Beyond, every second one is dropped
    const SomStop *stop; // NULL: nobody stops it
} SomPredictionDef;

typedef struct SomPredictionEvent {
    double time;
    int32_t node;
    bool is_end;
    SomEndReason reason;
    double target; // of a start: the set-point that the player sent, as a relative move gives it
} SomPredictionEvent;

// A dock has closed or opened.
typedef struct SomPredictionDock {
    double time;
    int32_t dock;
    bool is_closed;
} SomPredictionDock;

// Zero is empty.
typedef struct SomPrediction {
    SomPlayerStatus status; // completed, or still running
    double duration;        // until it ended or the prediction stopped
    double rest_time;       // when joints and docks rested, if asked for; else the duration
    bool is_cut;            // it had not ended, or joints did not rest, when the time was over
    // it goes on as this branch of the explorer does from a time on, at which it was in the same
    // state as this motion is at its end
    bool returns;
    int return_branch;
    double return_time;
    int dof_count;
    // samples: one at the first tick, one at the last, and between
    SOM_ARRAY(double) times;
    SOM_ARRAY(double) positions; // dof_count for each sample
    SOM_ARRAY(int32_t) active;   // nodes of the actions that run, sample after sample …
    SOM_ARRAY(int) active_end;   // … up to here
    SOM_ARRAY(SomPredictionEvent) events;
    SOM_ARRAY(SomPredictionDock) docks;
    SomPlayerConflict conflict; // the first; resource SOM_NONE: there was none
    double conflict_time;
} SomPrediction;

// False if it did not finish, which is reported as a warning.
bool som_prediction_play(const SomPredictionDef *def, SomPrediction *prediction,
                         SomDiagnostics *diags);
void som_prediction_free(SomPrediction *prediction);

// The active actions of a sample; NULL if there are none.
const int32_t *som_prediction_active(const SomPrediction *prediction, int sample, int *count);

// Positions at a time, on the straight way between two samples; before the first and after the last
// those of these. `values` has dof_count numbers.
void som_prediction_at(const SomPrediction *prediction, double time, double *values);

#ifdef __cplusplus
}
#endif
