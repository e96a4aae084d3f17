// SPDX-License-Identifier: Apache-2.0
// Curves of the tracks that are shown, one below the other. Each is drawn once as a picture, until
// another piece of time is seen or the data are new: while a motion plays nothing of it is.
#include "base/number.h"
#include "studio/timeline_internal.h"

#include <math.h>

#define MARGIN 8
#define ABOVE 8   // free in a plot
#define AXIS 46   // pixels of the numbers of an axis
#define STEPS 3   // of an axis, about
#define CURVE 1.6 // width of its line

static int height(const SomTimeline *t) {
    return t->shown.count * SOM_TIMELINE_PLOT;
}

double som_timeline_plot_y(const SomTimeline *t, int track, double value) {
    SomRange range = t->model->ranges[track];
    double share = (value - range.low) / (range.high - range.low);
    return SOM_TIMELINE_PLOT - ABOVE - share * (SOM_TIMELINE_PLOT - 2 * ABOVE);
}

GdkRGBA som_timeline_curve_color(const SomPaint *paint, int curve) {
    return curve == SOM_TIMELINE_PREDICTED ? paint->accent : paint->other;
}

// ---- the picture of a plot

typedef struct Pen {
    const SomTimeline *timeline;
    int track;
    cairo_t *cairo;
} Pen;

static void line_to(void *context, double time, double value, bool is_joined) {
    Pen *pen = context;
    const SomTimeline *t = pen->timeline;
    double x = som_timeline_part_x(t, time) - t->title_width;
    double y = som_timeline_plot_y(t, pen->track, value * t->model->data.tracks[pen->track].scale);
    if (is_joined) {
        cairo_line_to(pen->cairo, x, y);
    } else {
        cairo_move_to(pen->cairo, x, y);
        cairo_line_to(pen->cairo, x, y); // a dot if it stands alone
    }
}

static void draw_curve(Pen *pen, const SomPaint *paint, int which, int columns) {
    const SomTimeline *t = pen->timeline;
    const SomTimelineTrack *track = &t->model->data.tracks[pen->track];
    double edge = SOM_TIMELINE_EDGE * som_timeline_pixel(&t->scale);
    SomCurveWindow window = {t->scale.left - edge, t->scale.left + t->scale.span + edge, columns,
                             track->bridge};
    GdkRGBA color = som_timeline_curve_color(paint, which);
    som_curve_walk(&track->curves[which], &window, line_to, pen);
    gdk_cairo_set_source_rgba(pen->cairo, &color);
    cairo_set_line_width(pen->cairo, CURVE);
    cairo_set_dash(pen->cairo, NULL, 0, 0);
    cairo_stroke(pen->cairo);
}

static void draw_limits(Pen *pen, const SomPaint *paint, double width) {
    const SomTimelineTrack *track = &pen->timeline->model->data.tracks[pen->track];
    GdkRGBA color = som_paint_fade(paint->error, 0.8);
    gdk_cairo_set_source_rgba(pen->cairo, &color);
    cairo_set_line_width(pen->cairo, 1);
    cairo_set_dash(pen->cairo, (const double[]){5, 4}, 2, 0);
    for (int i = 0; i < track->limit_count; i++) {
        double y =
            floor(som_timeline_plot_y(pen->timeline, pen->track, track->limits[i] * track->scale)) +
            0.5;
        cairo_move_to(pen->cairo, 0, y);
        cairo_line_to(pen->cairo, width, y);
    }
    cairo_stroke(pen->cairo);
}

// In as many pixels as the screen has for it.
static GdkTexture *picture_of(const SomTimeline *t, const SomPaint *paint, int track, int width) {
    int scale = gtk_widget_get_scale_factor(paint->widget);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width * scale, SOM_TIMELINE_PLOT * scale);
    cairo_surface_set_device_scale(surface, scale, scale);
    Pen pen = {t, track, cairo_create(surface)};
    cairo_set_line_join(pen.cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(pen.cairo, CAIRO_LINE_CAP_ROUND);
    draw_limits(&pen, paint, width);
    for (int k = 0; k < SOM_TIMELINE_CURVES; k++) {
        draw_curve(&pen, paint, k, width * scale);
    }
    cairo_destroy(pen.cairo);
    cairo_surface_flush(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    g_autoptr(GBytes) bytes = g_bytes_new_with_free_func(
        cairo_image_surface_get_data(surface), stride * (size_t)(SOM_TIMELINE_PLOT * scale),
        (GDestroyNotify)cairo_surface_destroy, surface);
    return gdk_memory_texture_new(width * scale, SOM_TIMELINE_PLOT * scale, GDK_MEMORY_DEFAULT,
                                  bytes, stride);
}

void som_timeline_drop_pictures(SomTimeline *t) {
    for (int i = 0; i < t->shown.count; i++) {
        g_clear_object(&t->shown.data[i].texture);
    }
}

// ---- drawing

static void draw_axis(const SomTimeline *t, const SomPaint *paint, int track, double top,
                      double width) {
    SomRange range = t->model->ranges[track];
    double step = som_axis_step(range.low, range.high, STEPS);
    for (double k = ceil(range.low / step); k * step <= range.high; k++) {
        double y = top + som_timeline_plot_y(t, track, k * step);
        som_paint_rectangle(paint, som_paint_fade(paint->ink, k == 0 ? 0.18 : 0.07), t->title_width,
                            round(y), width - t->title_width, 1);
        SomText words = {0};
        som_text_rounded(&words, k == 0 ? 0 : k * step, 6);
        som_paint_words(paint, som_text_str(&words), paint->soft, t->title_width - AXIS, y,
                        AXIS - MARGIN, SOM_PAINT_SMALL | SOM_PAINT_RIGHT);
        som_text_free(&words);
    }
}

static void draw_plot(SomTimeline *t, const SomPaint *paint, SomTimelineShown *shown, double top,
                      double width) {
    const SomTimelineTrack *track = &t->model->data.tracks[shown->track];
    draw_axis(t, paint, shown->track, top, width);
    som_paint_words(paint, track->title, paint->ink, MARGIN, top + 16,
                    t->title_width - AXIS - MARGIN, SOM_PAINT_PLAIN);
    int columns = (int)ceil(width - t->title_width);
    if (columns < 1) {
        return;
    }
    if (shown->texture == NULL) {
        shown->texture = picture_of(t, paint, shown->track, columns);
    }
    gtk_snapshot_append_texture(
        paint->snapshot, shown->texture,
        &GRAPHENE_RECT_INIT((float)t->title_width, (float)top, (float)columns, SOM_TIMELINE_PLOT));
    som_paint_rectangle(paint, paint->line, 0, top + SOM_TIMELINE_PLOT - 1, width, 1);
}

static void draw(SomTimeline *t, const SomPaint *paint, double top, double width, double tall) {
    int first = (int)(top / SOM_TIMELINE_PLOT);
    som_timeline_draw_times(t, paint, tall);
    for (int i = first; i < t->shown.count && i * SOM_TIMELINE_PLOT < top + tall; i++) {
        draw_plot(t, paint, &t->shown.data[i], i * SOM_TIMELINE_PLOT - top, width);
    }
}

// ---- what is there

static int find(const SomTimeline *t, double x, double y) {
    (void)t;
    (void)x;
    (void)y;
    return -1; // time goes where it is pressed
}

static void choose(SomTimeline *t, int found) {
    (void)t;
    (void)found;
}

// The name, which may be cut, and what the lines are. Values are shown without waiting.
static void tell(const SomTimeline *t, double x, double y, SomText *words) {
    int plot = (int)floor(y / SOM_TIMELINE_PLOT); // a drag may have left it
    if (x < t->title_width && plot >= 0 && plot < t->shown.count) {
        const SomTimelineTrack *track = &t->model->data.tracks[t->shown.data[plot].track];
        som_text_add(words, track->title);
        for (int i = 0; i < track->limit_count; i++) {
            som_text_add(words, i == 0 ? SOM_STR("\nlimit ") : SOM_STR(" and "));
            som_timeline_add_value(words, t, t->shown.data[plot].track,
                                   track->limits[i] * track->scale);
        }
    }
}

const SomTimelinePartKind som_timeline_plots_kind = {
    "plots", GTK_ACCESSIBLE_ROLE_GROUP, height, draw, find, choose, tell};

static int shown_index(const SomTimeline *t, int track) {
    for (int i = 0; i < t->shown.count; i++) {
        if (t->shown.data[i].track == track) {
            return i;
        }
    }
    return -1;
}

bool som_timeline_shows_track(SomTimeline *t, int track) {
    return shown_index(t, track) >= 0;
}

double som_timeline_y_of_track(SomTimeline *t, int track) {
    int index = shown_index(t, track);
    return index < 0 ? -1 : som_timeline_y_in(t, t->plots, (index + 0.5) * SOM_TIMELINE_PLOT);
}
