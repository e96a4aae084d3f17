// studio/simulate_data.h - a run under physics as a timeline shows it: its actions as they went,
// what happened, and what was predicted beside what came.
//
//     SomRunData *made = som_run_data_create(record);      // which must outlive it
//     som_timeline_set_data(timeline, &made->data);
//     som_run_data_destroy(made);
//
// Rows are the actions that ran, under the behavior they are of, in the order in which they began.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "studio/physics_trace.h"
#include "studio/timeline_data.h"

typedef struct SomRunData {
    SomTimelineData data;
    SOM_ARRAY(SomTimelineRow) rows;
    SOM_ARRAY(SomTimelineBar) bars;
    SOM_ARRAY(SomTimelineBand) bands;
    SOM_ARRAY(SomTimelineTrack) tracks;
    SomArena arena;
} SomRunData;

SomRunData *som_run_data_create(const SomPhysicsRecord *record); // NULL or one that ran
// Of a run that goes on, and will until then as far as is known.
SomRunData *som_run_data_create_live(const SomPhysicsTrace *trace, double expected);
void som_run_data_destroy(SomRunData *data); // NULL is allowed
