// SPDX-License-Identifier: Apache-2.0
#include "report/curve.h"

#include <math.h>

// ---- samples

// The first sample that is not before `time`. A time that is not finite is before nothing, so that
// what stands around it is never left out.
static int first_from(const SomCurve *curve, double time) {
    int low = 0, high = curve->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (curve->times[middle] < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The first sample after `time`.
static int first_after(const SomCurve *curve, double time) {
    int low = 0, high = curve->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (curve->times[middle] > time) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

double som_curve_at(const SomCurve *curve, double time) {
    int next = first_from(curve, time);
    if (next == curve->count) {
        return NAN;
    }
    double after = som_curve_value(curve, next);
    if (curve->times[next] == time) {
        return isfinite(after) ? after : (double)NAN;
    }
    if (next == 0) {
        return NAN;
    }
    double before = som_curve_value(curve, next - 1), t0 = curve->times[next - 1];
    double value = before + (after - before) * ((time - t0) / (curve->times[next] - t0));
    return isfinite(value) ? value : (double)NAN;
}

// ---- ranges and axes

SomRange som_range_empty(void) {
    return (SomRange){INFINITY, -INFINITY};
}

void som_range_widen(SomRange *range, double value) {
    if (isfinite(value)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

void som_range_pad(SomRange *range) {
    double room = (range->high - range->low) * 0.06;
    room = fmax(room, fmax(fabs(range->high), fabs(range->low)) * 1e-6);
    room = room > 0 ? room : 1;
    range->low -= room;
    range->high += room;
}

void som_curve_measure(const SomCurve *curve, SomRange *values) {
    for (int i = 0; i < curve->count; i++) {
        som_range_widen(values, som_curve_value(curve, i));
    }
}

double som_axis_step(double low, double high, int count) {
    double raw = (high - low) / (count > 0 ? count : 1);
    if (!(raw > 0) || !isfinite(raw)) {
        return 1;
    }
    double step = 1;
    while (step > raw) {
        step /= 10;
    }
    while (step * 10 <= raw) {
        step *= 10;
    }
    if (step == 0) {
        return raw; // below all powers of ten
    }
    return step * (raw / step > 5 ? 10 : raw / step > 2 ? 5 : raw / step > 1 ? 2 : 1);
}

// ---- drawing

typedef struct Walk {
    const SomCurve *curve;
    const SomCurveWindow *window;
    SomCurvePen pen;
    void *context;
    bool is_down, has_gap;
    double time; // of the last point
} Walk;

static void visit(Walk *w, int sample) {
    double value = som_curve_value(w->curve, sample), time = w->curve->times[sample];
    if (!isfinite(value) || !isfinite(time)) {
        w->has_gap = true;
        return;
    }
    bool is_joined = w->is_down && !(w->has_gap && time - w->time > w->window->bridge);
    w->pen(w->context, time, value, is_joined);
    w->is_down = true;
    w->has_gap = false;
    w->time = time;
}

// Of the samples of one column of pixels: the first, the lowest, the highest and the last, in the
// order of time; a gap if one is in it.
static void visit_column(Walk *w, int first, int end) {
    int low = first, high = first, gap = -1;
    double lowest = som_curve_value(w->curve, first), highest = lowest;
    for (int i = first; i < end; i++) {
        double value = som_curve_value(w->curve, i);
        gap = isfinite(value) ? gap : i;
        if (value < lowest || !isfinite(lowest)) {
            low = i;
            lowest = value;
        }
        if (value > highest || !isfinite(highest)) {
            high = i;
            highest = value;
        }
    }
    int picked[5] = {first, low, high, gap, end - 1};
    int last = -1;
    for (int round = 0; round < 5; round++) {
        int next = end;
        for (int k = 0; k < 5; k++) {
            next = picked[k] > last && picked[k] < next ? picked[k] : next;
        }
        if (next == end) {
            break;
        }
        visit(w, next);
        last = next;
    }
}

static double column_of(const SomCurveWindow *window, double time) {
    return floor(window->columns * ((time - window->t0) / (window->t1 - window->t0)));
}

void som_curve_walk(const SomCurve *curve, const SomCurveWindow *window, SomCurvePen pen,
                    void *context) {
    Walk w = {.curve = curve, .window = window, .pen = pen, .context = context};
    int first = first_from(curve, window->t0), end = first_after(curve, window->t1);
    first = first > 0 ? first - 1 : 0;
    end = end < curve->count ? end + 1 : end;
    for (int i = first; i < end;) {
        double column = column_of(window, curve->times[i]);
        int next = i + 1;
        while (next < end && column_of(window, curve->times[next]) == column) {
            next++;
        }
        visit_column(&w, i, next);
        i = next;
    }
}
