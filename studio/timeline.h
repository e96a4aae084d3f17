// studio/timeline.h - what happens when in a motion: a ruler to scrub on, findings as bands, a row
// of bars for each action, and curves of what the user chose.
//
//     GtkWidget *timeline = som_timeline_new(head);        // studio/playhead.h; must outlive it
//     som_timeline_set_data(SOM_TIMELINE(timeline), &data); // studio/timeline_data.h; copied
//     g_signal_connect(timeline, "band-chosen", G_CALLBACK(on_band), panel); // (timeline, int,
//     panel) g_signal_connect(timeline, "row-chosen", G_CALLBACK(on_row), panel);   // (timeline,
//     int, panel) som_timeline_set_marked(SOM_TIMELINE(timeline), row);
//
// The playhead's duration is its owner's to set. Choosing a band does not move the playhead: who
// listens does. What is seen and which tracks are shown stays when there are new data. Data that
// are made anew all the time (a run that goes on) may be set for every frame.
//
// Keys: Left, Right, Home, End move the playhead, with Ctrl to where an action begins or ends; + -
// 0 zoom; Up, Down mark rows; N, Shift+N go from band to band, Enter chooses; Space plays.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/playhead.h"
#include "studio/timeline_data.h"

#include <gtk/gtk.h>

#define SOM_TYPE_TIMELINE (som_timeline_get_type())
G_DECLARE_FINAL_TYPE(SomTimeline, som_timeline, SOM, TIMELINE, GtkWidget)

GtkWidget *som_timeline_new(SomPlayhead *head);

void som_timeline_set_data(SomTimeline *timeline, const SomTimelineData *data);
// The same with data that are made ready, as of a long motion in a thread. Borrowed until there are
// others, or it is not asked to show anything: NULL.
void som_timeline_set_model(SomTimeline *timeline, const SomTimelineModel *model);

// The row that stands out, and is scrolled to; -1: none. Does not emit "row-chosen".
void som_timeline_set_marked(SomTimeline *timeline, int row);
int som_timeline_marked(SomTimeline *timeline);

// The band that stands out; -1: none. Does not emit "band-chosen".
void som_timeline_set_band(SomTimeline *timeline, int band);
int som_timeline_band(SomTimeline *timeline);

// Greyed: it is of a motion that is not what the text says any more.
void som_timeline_set_stale(SomTimeline *timeline, bool is_stale);

// ---- which tracks are shown

void som_timeline_show_track(SomTimeline *timeline, int track, bool is_shown);
bool som_timeline_shows_track(SomTimeline *timeline, int track);

// ---- what is seen, for tests and pictures

void som_timeline_zoom(SomTimeline *timeline, double t0, double t1); // seconds; 0, 0: all
double som_timeline_last_seen(SomTimeline *timeline);
// Pixels of the widget: where a time is, and the middle of a row, a band, or a track that is shown;
// -1 if it is not seen.
double som_timeline_x_of(SomTimeline *timeline, double time);
double som_timeline_y_of_row(SomTimeline *timeline, int row);
double som_timeline_y_of_band(SomTimeline *timeline, int band);
double som_timeline_y_of_track(SomTimeline *timeline, int track);
