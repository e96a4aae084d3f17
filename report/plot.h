// report/plot.h - curves over time, drawn as SVG inside a page.
//
//     SomPlot plot = {.title = SOM_STR("margin"), .unit = SOM_STR("mm"), .scale = 1000,
//                     .curves = {{.times = times, .values = margins, .count = n}}, .limit = 0};
//     som_plot_print(&plot, &page);
//
// Curves are thinned as report/curve.h says; what stands between gaps alone is a dot. The limit is
// a dashed line, spans of time that matter are shaded. Colours come from the page's style sheet
// (classes plot-...); curves with names have a legend.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "report/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

// From t0 to t1, seconds.
typedef struct SomPlotSpan {
    double t0, t1;
} SomPlotSpan;

#define SOM_PLOT_CURVES 2

typedef struct SomPlot {
    SomStr title;
    SomStr unit;                      // of the axis
    double scale;                     // from the values to the unit; 0: 1
    SomCurve curves[SOM_PLOT_CURVES]; // the first is drawn over the second
    double limit;                     // in the values' own unit; NAN: none
    double bridge;                    // seconds; a shorter gap is only a sample that nobody took
    const SomPlotSpan *spans;
    int span_count;
} SomPlot;

// Nothing but a sentence if no value is finite.
void som_plot_print(const SomPlot *plot, SomText *out);

#ifdef __cplusplus
}
#endif
