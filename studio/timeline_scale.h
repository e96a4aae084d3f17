// studio/timeline_scale.h - where times are on the pixels of a timeline, and what part is seen.
//
//     SomTimelineScale scale = {0};
//     som_timeline_scale_set(&scale, duration, width);      // all of it is seen
//     som_timeline_scale_zoom(&scale, 2, x);                // what is at x stays there
//     double x = som_timeline_x(&scale, 1.25);
//
// Pixels count from where time begins to be drawn. What is seen stays inside the duration.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

#define SOM_TIMELINE_LEAST_SPAN 0.005 // seconds that are seen at least

typedef struct SomTimelineScale {
    double duration; // more than 0
    double width;    // pixels
    double left;     // seconds at pixel 0
    double span;     // seconds that are seen
} SomTimelineScale;

// Another duration or width. What was seen stays, all stays all.
void som_timeline_scale_set(SomTimelineScale *scale, double duration, double width);

bool som_timeline_scale_is_whole(const SomTimelineScale *scale); // all is seen
void som_timeline_scale_fit(SomTimelineScale *scale);            // all is seen
void som_timeline_scale_zoom(SomTimelineScale *scale, double factor, double x);
void som_timeline_scale_shift(SomTimelineScale *scale, double seconds);
// Shifts so that the time is seen, if it is not: as a page is turned.
bool som_timeline_scale_reveal(SomTimelineScale *scale, double time);

double som_timeline_x(const SomTimelineScale *scale, double time);
double som_timeline_time(const SomTimelineScale *scale, double x); // inside the duration
double som_timeline_pixel(const SomTimelineScale *scale);          // seconds
