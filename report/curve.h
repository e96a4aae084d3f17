// report/curve.h - values over time, and what of them is worth drawing.
//
//     SomCurve curve = {.times = times, .values = heights, .count = n};
//     SomRange range = som_range_empty();
//     som_curve_measure(&curve, &range);
//     som_curve_walk(&curve, &(SomCurveWindow){0, 10, .columns = 400}, line_to, &drawing);
//     double value = som_curve_at(&curve, 1.25);
//
// Values that are not finite are gaps in a curve. However many samples there are, a walk visits at
// most a few for each column of pixels, and every extreme among them. Pages and windows draw alike.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomCurve {
    SomStr name;         // in a legend; empty: it needs none
    const double *times; // ascending
    const double *values;
    int stride; // from one value to the next; 0: 1
    int count;
} SomCurve;

static inline double som_curve_value(const SomCurve *curve, int sample) {
    return curve->values[(size_t)sample * (size_t)(curve->stride > 0 ? curve->stride : 1)];
}

// Linear between samples; NAN before the first, after the last and in a gap.
double som_curve_at(const SomCurve *curve, double time);

// ---- ranges and axes

typedef struct SomRange {
    double low, high; // empty if low > high
} SomRange;

SomRange som_range_empty(void);
void som_range_widen(SomRange *range, double value); // by what is finite
// With room above and below; what is constant gets some, too.
void som_range_pad(SomRange *range);

// The range of its values is added.
void som_curve_measure(const SomCurve *curve, SomRange *values);

// Steps of an axis that people like to read: 1, 2 or 5 times a power of ten, about `count` of them
// from low to high. 1 for what is no range.
double som_axis_step(double low, double high, int count);

// ---- drawing

// What is seen of a curve: times from t0 to t1 on so many columns of pixels.
typedef struct SomCurveWindow {
    double t0, t1;
    int columns;
    double bridge; // seconds; a shorter gap is only a sample that nobody took
} SomCurveWindow;

// A point of the line; not joined: the line begins anew here.
typedef void (*SomCurvePen)(void *context, double time, double value, bool is_joined);

// With the next sample before and after the window, so that lines reach its edges.
void som_curve_walk(const SomCurve *curve, const SomCurveWindow *window, SomCurvePen pen,
                    void *context);

#ifdef __cplusplus
}
#endif
