// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include "base/number.h"
#include "report/page.h"

#include <math.h>

// The drawing, in its own pixels: the curve lies inside these margins.
enum { WIDTH = 760, HEIGHT = 200, LEFT = 64, RIGHT = 12, TOP = 26, BOTTOM = 28 };
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
    step = som_plot_step(d->time.low, d->time.high, 8);
    for (double k = ceil(d->time.low / step); k * step <= d->time.high; k++) {
        open_words(d, "middle", x_of(d, k * step), HEIGHT - BOTTOM + 16);
        som_text_rounded(d->out, k == 0 ? 0 : k * step, 6);
        close_words(d);
    }
    open_words(d, "start", LEFT, TOP - 10);
    som_page_text(d->out, d->plot->title);
    if (d->plot->unit.length > 0) {
        som_text_add(d->out, SOM_STR(" ["));
        som_page_text(d->out, d->plot->unit);
        som_text_add_char(d->out, ']', 1);
    }
    close_words(d);
    open_words(d, "end", WIDTH - RIGHT, HEIGHT - 1);
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

static void add_point(Drawing *d, int sample, bool *is_open) {
    double value = d->plot->values[sample] * d->scale;
    if (!isfinite(value) || !isfinite(d->plot->times[sample])) {
        *is_open = false;
        return;
    }
    som_text_add_char(d->out, *is_open ? 'L' : 'M', 1);
    add_pixel(d->out, x_of(d, d->plot->times[sample]));
    som_text_add_char(d->out, ' ', 1);
    add_pixel(d->out, y_of(d, value));
    *is_open = true;
}

// Of the samples of one column of pixels: the first, the lowest, the highest and the last, in the
// order of time; a gap if one is in it.
static void add_column(Drawing *d, int first, int end, bool *is_open) {
    int low = first, high = first, gap = -1;
    for (int i = first; i < end; i++) {
        double value = d->plot->values[i];
        gap = isfinite(value) ? gap : i;
        low = value < d->plot->values[low] || !isfinite(d->plot->values[low]) ? i : low;
        high = value > d->plot->values[high] || !isfinite(d->plot->values[high]) ? i : high;
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
        add_point(d, next, is_open);
        last = next;
    }
}

static void add_curve(Drawing *d) {
    const SomPlot *plot = d->plot;
    bool is_open = false;
    som_text_add(d->out, SOM_STR("<path class=\"plot-curve\" d=\""));
    for (int i = 0; i < plot->count;) {
        double column = floor(x_of(d, plot->times[i]));
        int end = i + 1;
        while (end < plot->count && floor(x_of(d, plot->times[end])) == column) {
            end++;
        }
        add_column(d, i, end, &is_open);
        i = end;
    }
    som_text_add(d->out, SOM_STR("\"/>\n"));
}

void som_plot_print(const SomPlot *plot, SomText *out) {
    Drawing d = {plot,
                 plot->scale != 0 ? plot->scale : 1,
                 {INFINITY, -INFINITY},
                 {INFINITY, -INFINITY},
                 out};
    for (int i = 0; i < plot->count; i++) {
        if (isfinite(plot->values[i] * d.scale)) {
            widen(&d.time, plot->times[i]);
            widen(&d.value, plot->values[i] * d.scale);
        }
    }
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
    add_curve(&d);
    som_text_add(out, SOM_STR("</svg>\n"));
}
