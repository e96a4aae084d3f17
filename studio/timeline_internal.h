// studio/timeline_internal.h - what the parts of a timeline share: its state, and how each part
// draws, finds and tells what it has at a place.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "base/text.h"
#include "studio/timeline.h"
#include "studio/timeline_paint.h"
#include "studio/timeline_scale.h"

// Pixels.
#define SOM_TIMELINE_RULER 30 // the ruler itself
#define SOM_TIMELINE_LANE 20  // of bands, below it
#define SOM_TIMELINE_ROW 24
#define SOM_TIMELINE_PLOT 76
#define SOM_TIMELINE_EDGE 12 // free at both ends of the time

// A track that is shown, with the picture of its curves, which is made when it is seen.
typedef struct SomTimelineShown {
    int track;
    GdkTexture *texture; // NULL: not made yet
} SomTimelineShown;

struct _SomTimeline {
    GtkWidget parent_instance;
    SomPlayhead *head;
    const SomTimelineModel *model;
    SomTimelineModel *own_model; // NULL: what is shown is borrowed
    SomTimelineScale scale;
    double title_width; // pixels at the left for names
    GtkWidget *overlay; // holds all
    GtkWidget *ruler, *rows, *plots, *cursor;
    GtkWidget *rows_window, *plots_window, *paned; // what scrolls them, and stands around both
    GtkWidget *scrollbar, *chooser, *empty;
    GtkAdjustment *shift; // of the scroll bar below
    SOM_ARRAY(SomTimelineShown) shown;
    GHashTable *choices; // of the user: names of tracks to whether they are shown
    int marked, band;    // -1: none
    int split;           // where the paned was put by us; -1: the user has moved it
    bool is_stale;
    GtkWidget *hovered; // the part under the pointer; NULL: none
    double hover_x, hover_y;
};

// ---- parts: ruler, rows, plots

// Places are pixels of all that the part has, of which it may show a piece.
typedef struct SomTimelinePartKind {
    const char *css_class;
    GtkAccessibleRole role;
    int (*height)(const SomTimeline *timeline);
    // What lies from `top` on, in `width` by `height` pixels.
    void (*draw)(SomTimeline *timeline, const SomPaint *paint, double top, double width,
                 double height);
    // What can be chosen there; -1: nothing, and time goes there.
    int (*find)(const SomTimeline *timeline, double x, double y);
    void (*choose)(SomTimeline *timeline, int found);
    // In a tooltip; nothing is written where there is nothing to tell.
    void (*tell)(const SomTimeline *timeline, double x, double y, SomText *words);
} SomTimelinePartKind;

extern const SomTimelinePartKind som_timeline_ruler_kind; // timeline_ruler.c
extern const SomTimelinePartKind som_timeline_rows_kind;  // timeline_rows.c
extern const SomTimelinePartKind som_timeline_plots_kind; // timeline_plots.c

GtkWidget *som_timeline_part_new(SomTimeline *timeline, const SomTimelinePartKind *kind);
double som_timeline_part_top(GtkWidget *part); // the first pixel that it shows
void som_timeline_part_reveal(GtkWidget *part, double top, double height);
void som_timeline_part_changed(GtkWidget *part); // it has another height

// The line at the playhead's time, and what is told of that time and of the pointer's: all that
// changes while a motion plays.
GtkWidget *som_timeline_cursor_new(SomTimeline *timeline);

// ---- what they share

// Pixels of a part.
double som_timeline_part_x(const SomTimeline *timeline, double time);
double som_timeline_part_time(const SomTimeline *timeline, double x);

// Lines at the steps of time, and stripes where findings are.
void som_timeline_draw_times(SomTimeline *timeline, const SomPaint *paint, double height);
double som_timeline_step(const SomTimeline *timeline); // seconds between numbers of the ruler

// A pixel of a part, as one of the timeline; -1 if it is not seen.
double som_timeline_y_in(SomTimeline *timeline, GtkWidget *part, double y);

void som_timeline_add_seconds(SomText *out, double seconds);    // "1.25 s"
void som_timeline_add_span(SomText *out, double t0, double t1); // "1.20–1.60 s"
void som_timeline_add_bar(SomText *out, const SomTimelineBar *bar);
// A value with its unit, and as many digits as its plot can show.
void som_timeline_add_value(SomText *out, const SomTimeline *timeline, int track, double value);
GdkRGBA som_timeline_curve_color(const SomPaint *paint, int curve);
// The pixel of a value in the plot of its track, from the plot's top.
double som_timeline_plot_y(const SomTimeline *timeline, int track, double value);

// ---- changes

void som_timeline_rescaled(SomTimeline *timeline); // another piece of time is seen
void som_timeline_drop_pictures(SomTimeline *timeline);
void som_timeline_emit(SomTimeline *timeline, const char *signal, int which);
void som_timeline_bind_keys(GtkWidgetClass *klass); // timeline_keys.c
void som_timeline_describe(SomTimeline *timeline);  // for who does not see it
