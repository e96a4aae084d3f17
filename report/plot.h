// report/plot.h - a curve over time, drawn as SVG inside a page.
//
//     SomPlot plot = {.title = SOM_STR("margin"), .unit = SOM_STR("mm"), .scale = 1000,
//                     .times = times, .values = margins, .count = n, .limit = 0};
//     som_plot_print(&plot, &page);
//
// Values that are not finite are gaps in the curve. However many samples there are, the curve has
// at most a few points for each pixel, and keeps every extreme. The limit is a dashed line, spans
// of time that matter are shaded. Colours come from the page's style sheet (classes plot-...).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// From t0 to t1, seconds.
typedef struct SomPlotSpan {
    double t0, t1;
} SomPlotSpan;

typedef struct SomPlot {
    SomStr title;
    SomStr unit;  // of the axis
    double scale; // from the values to the unit; 0: 1
    const double *times;
    const double *values;
    int count;
    double limit; // in the values' own unit; NAN: none
    const SomPlotSpan *spans;
    int span_count;
} SomPlot;

// Nothing but a sentence if no value is finite.
void som_plot_print(const SomPlot *plot, SomText *out);

// Steps of an axis that people like to read: 1, 2 or 5 times a power of ten, about `count` of them
// from low to high. 1 for what is no range.
double som_plot_step(double low, double high, int count);

#ifdef __cplusplus
}
#endif
