// studio/timeline_data.h - what a timeline shows, as plain data: actions with their runs, findings
// with a time, and curves.
//
//     SomTimelineRow rows[] = {{.title = SOM_STR("step"), .depth = 0}};
//     SomTimelineBar bars[] = {{.t0 = 0, .t1 = 1.5, .row = 0, .end = SOM_TIMELINE_PLANNED}};
//     SomTimelineBand bands[] = {{1.2, 1.6, 1.4, SOM_ERROR, SOM_STR("two feet collide")}};
//     SomTimelineTrack tracks[] = {{.title = SOM_STR("height"), .unit = SOM_STR("mm"), .scale =
//     1000,
//                                   .curves = {{.times = times, .values = heights, .count = n}},
//                                   .is_shown = true}};
//     SomTimelineData data = {.duration = 4, .rows = rows, .row_count = 1, ...};
//     som_timeline_set_data(timeline, &data);       // studio/timeline.h; it is copied
//
// Zero is nothing of all. Times are seconds. Bars may be in any order, and a row may have many.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic_code.h"
#include "report/curve.h"

// How an action ended.
typedef enum SomTimelineEnd {
    SOM_TIMELINE_PLANNED,   // as it should
    SOM_TIMELINE_TIMED_OUT, // its time-out ran out first
    SOM_TIMELINE_CUT_OFF,   // by another branch, or because the run was ended
    SOM_TIMELINE_FAILED,
    SOM_TIMELINE_RUNNING, // it had not ended when the motion did
    SOM_TIMELINE_ENDS,
} SomTimelineEnd;

const char *som_timeline_end_words(SomTimelineEnd end); // "ended as planned"

typedef struct SomTimelineRow {
    SomStr title;
    int depth; // of what it lies in; 0: in nothing
} SomTimelineRow;

typedef struct SomTimelineBar {
    double t0, t1;
    int row;
    SomTimelineEnd end;
} SomTimelineBar;

typedef struct SomTimelineBand {
    double t0, t1;
    double at; // the worst moment, where one wants to look
    SomSeverity severity;
    SomStr words;
} SomTimelineBand;

enum { SOM_TIMELINE_PREDICTED, SOM_TIMELINE_SIMULATED, SOM_TIMELINE_CURVES };
#define SOM_TIMELINE_LIMITS 2

typedef struct SomTimelineTrack {
    SomStr title; // with the group it is one of its kind: a choice of tracks is kept by both
    SomStr group; // "joints", "body", ...
    SomStr unit;
    double scale;                         // from values to the unit; 0: 1
    SomCurve curves[SOM_TIMELINE_CURVES]; // predicted, simulated; a count of 0: there is none
    double bridge;                        // seconds; a shorter gap in a curve is no gap
    double limits[SOM_TIMELINE_LIMITS];   // as values are
    int limit_count;
    bool is_shown; // until the user chooses
} SomTimelineTrack;

typedef struct SomTimelineData {
    double duration;
    const SomTimelineRow *rows;
    int row_count;
    const SomTimelineBar *bars;
    int bar_count;
    const SomTimelineBand *bands;
    int band_count;
    const SomTimelineTrack *tracks;
    int track_count;
} SomTimelineData;

// ---- a copy that can be asked

// Bars are sorted by row and start, each band has a lane, the range of each track is known.
typedef struct SomTimelineModel {
    SomTimelineData data;  // what is copied
    const int *row_begins; // of the bars of each row, and where the last ends
    const int *lanes;      // of each band: bands that overlap stand one below the other
    int lane_count;
    const SomRange *ranges; // of each track in its unit: values and limits, with room around
    struct SomArena *memory;
} SomTimelineModel;

#define SOM_TIMELINE_MOST_LANES 4 // bands that overlap more often than that share the last one

SomTimelineModel *som_timeline_model_create(const SomTimelineData *data);
void som_timeline_model_destroy(SomTimelineModel *model); // NULL is allowed

// The bar of the row at that time, or within `slack` seconds of it; -1 if none.
int som_timeline_model_bar_at(const SomTimelineModel *model, int row, double time, double slack);

// The nearest start or end of a bar strictly before (direction -1) or after (1) `time`; the ends of
// all if there is none.
double som_timeline_model_edge(const SomTimelineModel *model, double time, int direction);

// The band that begins next after another one, or before it; the first, or the last, comes after
// the end and where `current` is -1. -1 if there is none.
int som_timeline_model_next_band(const SomTimelineModel *model, int current, int direction);

// The value of a curve at a time, in the track's unit; NAN if there is none.
double som_timeline_track_value(const SomTimelineTrack *track, int curve, double time);
