// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include "base/number.h"
#include "report/page.h"

#include <math.h>

// The drawing, in its own pixels: the curve lies inside these margins.
enum { WIDTH = 420, HEIGHT = 190, LEFT = 46, RIGHT = 10, TOP = 28, BOTTOM = 30 };
enum { COLUMNS = WIDTH - LEFT - RIGHT };

typedef struct Range {
    double low, high;
} Range;

typedef struct Drawing {
    const SomPlot *plot;
    double scale;
    Range time, value; // of the axes; value in the unit of the axis
    SomText *out;
} Drawing;

double som_plot_step(double low, double high, int count) {
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

static void widen(Range *range, double value) {
    if (isfinite(value)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

// A range with room above and below; what is constant gets some, too.
static void pad(Range *range) {
    double room = (range->high - range->low) * 0.06;
    room = fmax(room, fmax(fabs(range->high), fabs(range->low)) * 1e-6);
    room = room > 0 ? room : 1;
    range->low -= room;
    range->high += room;
}

static double x_of(const Drawing *d, double time) {
    double share = (time - d->time.low) / (d->time.high - d->time.low);
    return LEFT + COLUMNS * fmin(fmax(share, 0), 1);
}

static double y_of(const Drawing *d, double value) {
    double share = (value - d->value.low) / (d->value.high - d->value.low);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmin(fmax(share, 0), 1);
}

// A coordinate to a tenth of a pixel.
static void add_pixel(SomText *out, double pixel) {
    som_text_number(out, round(pixel * 10) / 10);
}

static void add_line(Drawing *d, const char *class_name, double x1, double y1, double x2,
                     double y2) {
    som_text_printf(d->out, "<line class=\"%s\" x1=\"", class_name);
    add_pixel(d->out, x1);
    som_text_add(d->out, SOM_STR("\" y1=\""));
    add_pixel(d->out, y1);
    som_text_add(d->out, SOM_STR("\" x2=\""));
    add_pixel(d->out, x2);
    som_text_add(d->out, SOM_STR("\" y2=\""));
    add_pixel(d->out, y2);
    som_text_add(d->out, SOM_STR("\"/>\n"));
}

static void open_words(Drawing *d, const char *anchor, double x, double y) {
    som_text_printf(d->out, "<text class=\"plot-words\" text-anchor=\"%s\" x=\"", anchor);
    add_pixel(d->out, x);
    som_text_add(d->out, SOM_STR("\" y=\""));
    add_pixel(d->out, y);
    som_text_add(d->out, SOM_STR("\">"));
}

static void close_words(Drawing *d) {
    som_text_add(d->out, SOM_STR("</text>\n"));
}

static void add_axes(Drawing *d) {
    double step = som_plot_step(d->value.low, d->value.high, 4);
    for (double k = ceil(d->value.low / step); k * step <= d->value.high; k++) {
        double y = y_of(d, k * step);
        add_line(d, "plot-grid", LEFT, y, WIDTH - RIGHT, y);
        open_words(d, "end", LEFT - 6, y + 4);
        som_text_rounded(d->out, k == 0 ? 0 : k * step, 6);
        close_words(d);
    }
    step = som_plot_step(d->time.low, d->time.high, 6);
    for (double k = ceil(d->time.low / step); k * step <= d->time.high; k++) {
        open_words(d, "middle", x_of(d, k * step), HEIGHT - BOTTOM + 13);
        som_text_rounded(d->out, k == 0 ? 0 : k * step, 6);
        close_words(d);
    }
    som_text_printf(d->out, "<text class=\"plot-title\" x=\"4\" y=\"%d\">", TOP - 10);
    som_page_text(d->out, d->plot->title);
    if (d->plot->unit.length > 0) {
        som_text_add(d->out, SOM_STR(" ["));
        som_page_text(d->out, d->plot->unit);
        som_text_add_char(d->out, ']', 1);
    }
    close_words(d);
    open_words(d, "end", WIDTH - RIGHT, HEIGHT - 3);
    som_text_add(d->out, SOM_STR("time [s]"));
    close_words(d);
}

static void add_spans(Drawing *d) {
    for (int i = 0; i < d->plot->span_count; i++) {
        SomPlotSpan span = d->plot->spans[i];
        if (span.t0 <= span.t1) {
            double left = x_of(d, span.t0), right = x_of(d, span.t1);
            som_text_add(d->out, SOM_STR("<rect class=\"plot-span\" x=\""));
            add_pixel(d->out, left);
            som_text_printf(d->out, "\" y=\"%d\" width=\"", TOP);
            add_pixel(d->out, fmax(right - left, 2));
            som_text_printf(d->out, "\" height=\"%d\"/>\n", HEIGHT - TOP - BOTTOM);
        }
    }
}

static double value_of(const SomPlotCurve *curve, int sample) {
    return curve->values[(size_t)sample * (size_t)(curve->stride > 0 ? curve->stride : 1)];
}

// The end of the curve so far.
typedef struct Pen {
    bool is_down, has_gap;
    double time; // of the last point
} Pen;

static void add_point(Drawing *d, const SomPlotCurve *curve, int sample, Pen *pen) {
    double value = value_of(curve, sample) * d->scale, time = curve->times[sample];
    if (!isfinite(value) || !isfinite(time)) {
        pen->has_gap = true;
        return;
    }
    bool goes_on = pen->is_down && !(pen->has_gap && time - pen->time > d->plot->bridge);
    if (!goes_on && pen->is_down) {
        som_text_add(d->out, SOM_STR("h0")); // a dot if it stands alone
    }
    som_text_add_char(d->out, goes_on ? 'L' : 'M', 1);
    add_pixel(d->out, x_of(d, time));
    som_text_add_char(d->out, ' ', 1);
    add_pixel(d->out, y_of(d, value));
    *pen = (Pen){true, false, time};
}

// Of the samples of one column of pixels: the first, the lowest, the highest and the last, in the
// order of time; a gap if one is in it.
static void add_column(Drawing *d, const SomPlotCurve *curve, int first, int end, Pen *pen) {
    int low = first, high = first, gap = -1;
    for (int i = first; i < end; i++) {
        double value = value_of(curve, i);
        gap = isfinite(value) ? gap : i;
        low = value < value_of(curve, low) || !isfinite(value_of(curve, low)) ? i : low;
        high = value > value_of(curve, high) || !isfinite(value_of(curve, high)) ? i : high;
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
        add_point(d, curve, next, pen);
        last = next;
    }
}

static void add_curve(Drawing *d, const SomPlotCurve *curve, int which) {
    Pen pen = {0};
    som_text_printf(d->out, "<path class=\"plot-curve%s\" d=\"", which == 0 ? "" : " plot-other");
    for (int i = 0; i < curve->count;) {
        double column = floor(x_of(d, curve->times[i]));
        int end = i + 1;
        while (end < curve->count && floor(x_of(d, curve->times[end])) == column) {
            end++;
        }
        add_column(d, curve, i, end, &pen);
        i = end;
    }
    som_text_add(d->out, pen.is_down ? SOM_STR("h0\"/>\n") : SOM_STR("\"/>\n"));
}

// Names of curves above the right end, each in the colour of its curve.
static void add_legend(Drawing *d) {
    const SomPlotCurve *curves = d->plot->curves;
    if (curves[0].name.length == 0) {
        return;
    }
    som_text_printf(d->out, "<text class=\"plot-words\" text-anchor=\"end\" x=\"%d\" y=\"%d\">",
                    WIDTH - RIGHT, TOP - 10);
    for (int i = 0; i < SOM_PLOT_CURVES && curves[i].name.length > 0; i++) {
        som_text_printf(d->out, "<tspan class=\"plot-name%s\"> \xe2\x80\x94 ",
                        i == 0 ? "" : " plot-other");
        som_page_text(d->out, curves[i].name);
        som_text_add(d->out, SOM_STR("</tspan>"));
    }
    close_words(d);
}

static void measure(Drawing *d) {
    for (int k = 0; k < SOM_PLOT_CURVES; k++) {
        const SomPlotCurve *curve = &d->plot->curves[k];
        for (int i = 0; i < curve->count; i++) {
            double value = value_of(curve, i) * d->scale;
            if (isfinite(value)) {
                widen(&d->time, curve->times[i]);
                widen(&d->value, value);
            }
        }
    }
}

void som_plot_print(const SomPlot *plot, SomText *out) {
    Drawing d = {plot,
                 plot->scale != 0 ? plot->scale : 1,
                 {INFINITY, -INFINITY},
                 {INFINITY, -INFINITY},
                 out};
    measure(&d);
    if (!(d.time.low <= d.time.high)) {
        som_text_add(out, SOM_STR("<p class=\"soft\">"));
        som_page_text(out, plot->title);
        som_text_add(out, SOM_STR(": no values</p>\n"));
        return;
    }
    widen(&d.value, plot->limit * d.scale);
    pad(&d.value);
    if (d.time.low == d.time.high) {
        pad(&d.time);
    }
    som_text_printf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                    WIDTH, HEIGHT);
    som_page_text(out, plot->title);
    som_text_add(out, SOM_STR("\">\n"));
    add_spans(&d);
    add_axes(&d);
    if (isfinite(plot->limit)) {
        double y = y_of(&d, plot->limit * d.scale);
        add_line(&d, "plot-limit", LEFT, y, WIDTH - RIGHT, y);
    }
    for (int i = SOM_PLOT_CURVES - 1; i >= 0; i--) {
        if (plot->curves[i].count > 0) {
            add_curve(&d, &plot->curves[i], i);
        }
    }
    add_legend(&d);
    som_text_add(out, SOM_STR("</svg>\n"));
}
