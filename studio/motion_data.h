// studio/motion_data.h - a motion as a timeline shows it: actions in actions as rows, their runs as
// bars, findings as bands, and tracks of the body, the joints and what they hold.
//
//     SomMotionData *data = som_motion_data_create(&(SomMotionDataDef){
//         .mechanism = mechanism, .graph = graph, .prediction = &prediction, .found = found});
//     som_timeline_set_model(timeline, data->model);       // borrows it
//     int32_t node = data->nodes[row];                     // of the graph
//     som_motion_data_destroy(data);
//
// All is copied, which may take a while for long motions: not in the main loop. Nothing here knows
// of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/timeline_data.h"
#include "verify/verify.h"

// More are left out.
#define SOM_MOTION_MOST_ROWS 20000

// Groups of tracks.
#define SOM_MOTION_BODY "body"
#define SOM_MOTION_JOINTS "joints"
#define SOM_MOTION_LOADS "torques"

typedef struct SomMotionDataDef {
    const SomMechanism *mechanism;
    const SomActionGraph *graph;
    const SomPrediction *prediction;
    const SomVerification *found; // of the prediction; NULL: nothing is known yet
    SomStr title;                 // of the whole behavior
} SomMotionDataDef;

typedef struct SomMotionData {
    SomTimelineModel *model;
    const int32_t *nodes; // one a row
    const int *findings;  // one a band: of found->findings
    int unlisted;         // rows that were left out
    SomArena arena;
} SomMotionData;

SomMotionData *som_motion_data_create(const SomMotionDataDef *def);
void som_motion_data_destroy(SomMotionData *data); // NULL is allowed

// The row of a node, or of the nearest one round it that has one; -1: none.
int som_motion_data_row_of(const SomMotionData *data, const SomActionGraph *graph, int32_t node);
