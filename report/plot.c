// SPDX-License-Identifier: Apache-2.0
#include "report/plot.h"

#include "base/number.h"
#include "report/page.h"

#include <math.h>

// The drawing, in its own pixels: the curve lies inside these margins.
enum { WIDTH = 420, HEIGHT = 190, LEFT = 46, RIGHT = 10, TOP = 28, BOTTOM = 30 };
enum { COLUMNS = WIDTH - LEFT - RIGHT };

typedef struct Drawing {
    const SomPlot *plot;
    double scale;
    SomRange time, value; // of the axes; value in the unit of the axis
    SomText *out;
} Drawing;

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
    double step = som_axis_step(d->value.low, d->value.high, 4);
    for (double k = ceil(d->value.low / step); k * step <= d->value.high; k++) {
        double y = y_of(d, k * step);
        add_line(d, "plot-grid", LEFT, y, WIDTH - RIGHT, y);
        open_words(d, "end", LEFT - 6, y + 4);
        som_text_rounded(d->out, k == 0 ? 0 : k * step, 6);
        close_words(d);
    }
    step = som_axis_step(d->time.low, d->time.high, 6);
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

// Where the path is.
typedef struct Pen {
    Drawing *drawing;
    bool is_down;
} Pen;

static void add_point(void *context, double time, double value, bool is_joined) {
    Pen *pen = context;
    Drawing *d = pen->drawing;
    if (!is_joined && pen->is_down) {
        som_text_add(d->out, SOM_STR("h0")); // a dot if it stands alone
    }
    som_text_add_char(d->out, is_joined ? 'L' : 'M', 1);
    add_pixel(d->out, x_of(d, time));
    som_text_add_char(d->out, ' ', 1);
    add_pixel(d->out, y_of(d, value * d->scale));
    pen->is_down = true;
}

static void add_curve(Drawing *d, const SomCurve *curve, int which) {
    Pen pen = {d, false};
    SomCurveWindow window = {d->time.low, d->time.high, COLUMNS, d->plot->bridge};
    som_text_printf(d->out, "<path class=\"plot-curve%s\" d=\"", which == 0 ? "" : " plot-other");
    som_curve_walk(curve, &window, add_point, &pen);
    som_text_add(d->out, pen.is_down ? SOM_STR("h0\"/>\n") : SOM_STR("\"/>\n"));
}

// Names of curves above the right end, each in the colour of its curve.
static void add_legend(Drawing *d) {
    const SomCurve *curves = d->plot->curves;
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
        const SomCurve *curve = &d->plot->curves[k];
        for (int i = 0; i < curve->count; i++) {
            double value = som_curve_value(curve, i) * d->scale;
            if (isfinite(value)) {
                som_range_widen(&d->time, curve->times[i]);
                som_range_widen(&d->value, value);
            }
        }
    }
}

void som_plot_print(const SomPlot *plot, SomText *out) {
    Drawing d = {plot, plot->scale != 0 ? plot->scale : 1, som_range_empty(), som_range_empty(),
                 out};
    measure(&d);
    if (!(d.time.low <= d.time.high)) {
        som_text_add(out, SOM_STR("<p class=\"soft\">"));
        som_page_text(out, plot->title);
        som_text_add(out, SOM_STR(": no values</p>\n"));
        return;
    }
    som_range_widen(&d.value, plot->limit * d.scale);
    som_range_pad(&d.value);
    if (d.time.low == d.time.high) {
        som_range_pad(&d.time);
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
