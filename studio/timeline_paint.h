// studio/timeline_paint.h - colours, shapes and words for what a timeline draws by itself.
//
//     SomPaint paint = som_paint_begin(widget, snapshot);
//     som_paint_rounded(&paint, paint.accent, x, y, 80, 14, 4);
//     som_paint_words(&paint, title, paint.soft, x, middle, 120, SOM_PAINT_SMALL);
//
// Colours are those of the style in use, light, dark or of high contrast.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic_code.h"
#include "base/str.h"

#include <gtk/gtk.h>

typedef struct SomPaint {
    GtkWidget *widget;
    GtkSnapshot *snapshot;
    GdkRGBA ink, soft, line; // words, words beside them, what divides
    GdkRGBA accent, other;   // what is predicted, what is simulated
    GdkRGBA error, warning;
    GdkRGBA ground; // what all is drawn on
} SomPaint;

typedef enum SomPaintStyle {
    SOM_PAINT_PLAIN = 0,
    SOM_PAINT_SMALL = 1,
    SOM_PAINT_BOLD = 2,
    SOM_PAINT_RIGHT = 4,  // the words end at x + width
    SOM_PAINT_CENTER = 8, // their middle is at x + width / 2
} SomPaintStyle;

SomPaint som_paint_begin(GtkWidget *widget, GtkSnapshot *snapshot); // the snapshot may be NULL
GdkRGBA som_paint_fade(GdkRGBA color, double opacity);
GdkRGBA som_paint_severity(const SomPaint *paint, SomSeverity severity);

void som_paint_rectangle(const SomPaint *paint, GdkRGBA color, double x, double y, double width,
                         double height);
void som_paint_rounded(const SomPaint *paint, GdkRGBA color, double x, double y, double width,
                       double height, double radius);

// One line in `width` pixels, with its middle at y; what does not fit ends with "…". Returns the
// pixels that it takes.
double som_paint_words(const SomPaint *paint, SomStr words, GdkRGBA color, double x, double y,
                       double width, unsigned style);
double som_paint_measure(const SomPaint *paint, SomStr words, unsigned style);
