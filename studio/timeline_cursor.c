// SPDX-License-Identifier: Apache-2.0
// What changes for every frame of a motion: the line at its time, which actions run, the values
// then, and those under the pointer. It lies over all else, which is not drawn anew.
#include "studio/timeline_internal.h"

#include <math.h>

#define MARGIN 8
#define CHIP 18 // pixels of height of words on a ground of their own
#define HANDLE 10

#define SOM_TYPE_TIMELINE_CURSOR (som_timeline_cursor_get_type())
G_DECLARE_FINAL_TYPE(SomTimelineCursor, som_timeline_cursor, SOM, TIMELINE_CURSOR, GtkWidget)

struct _SomTimelineCursor {
    GtkWidget parent_instance;
    SomTimeline *timeline;
};

G_DEFINE_FINAL_TYPE(SomTimelineCursor, som_timeline_cursor, GTK_TYPE_WIDGET)

// A part, as it lies on the cursor's pixels.
typedef struct View {
    double y, height, top; // top: the first pixel of all it has that is seen
} View;

static bool view_of(const SomTimeline *t, GtkWidget *part, View *view) {
    graphene_rect_t bounds;
    if (!gtk_widget_get_mapped(part) || !gtk_widget_compute_bounds(part, t->cursor, &bounds)) {
        return false;
    }
    *view =
        (View){(double)bounds.origin.y, (double)bounds.size.height, som_timeline_part_top(part)};
    return true;
}

static void push_view(const SomTimeline *t, const SomPaint *paint, const View *view) {
    int width = gtk_widget_get_width(t->cursor);
    gtk_snapshot_push_clip(
        paint->snapshot, &GRAPHENE_RECT_INIT(0, (float)view->y, (float)width, (float)view->height));
}

// Words on a ground, at x but inside the widget.
static void draw_chip(const SomTimeline *t, const SomPaint *paint, SomStr words, GdkRGBA ground,
                      GdkRGBA ink, double x, double y) {
    double width = som_paint_measure(paint, words, SOM_PAINT_SMALL) + 2 * MARGIN;
    x = fmin(fmax(x, t->title_width), gtk_widget_get_width(t->cursor) - width);
    som_paint_rounded(paint, ground, x, y, width, CHIP, CHIP / 2.0);
    som_paint_words(paint, words, ink, x + MARGIN, y + CHIP / 2.0, width, SOM_PAINT_SMALL);
}

// ---- at the playhead

// A dot before the name of each action that runs then.
static void draw_running(const SomTimeline *t, const SomPaint *paint, double time) {
    View view;
    if (!view_of(t, t->rows, &view)) {
        return;
    }
    push_view(t, paint, &view);
    int first = (int)(view.top / SOM_TIMELINE_ROW);
    int end = MIN((int)((view.top + view.height) / SOM_TIMELINE_ROW) + 1, t->model->data.row_count);
    for (int row = first; row < end; row++) {
        if (som_timeline_model_bar_at(t->model, row, time, 0) >= 0) {
            double y = view.y + row * SOM_TIMELINE_ROW - view.top;
            som_paint_rounded(paint, paint->accent, -2, y + 4, 5, SOM_TIMELINE_ROW - 8, 2);
        }
    }
    gtk_snapshot_pop(paint->snapshot);
}

static void draw_values(const SomTimeline *t, const SomPaint *paint, double time) {
    View view;
    if (!view_of(t, t->plots, &view)) {
        return;
    }
    push_view(t, paint, &view);
    double x = som_timeline_part_x(t, time);
    for (int i = (int)(view.top / SOM_TIMELINE_PLOT);
         i < t->shown.count && i * SOM_TIMELINE_PLOT < view.top + view.height; i++) {
        int track = t->shown.data[i].track;
        double y = view.y + i * SOM_TIMELINE_PLOT - view.top, line = y + 36;
        for (int k = 0; k < SOM_TIMELINE_CURVES; k++) {
            double value = som_timeline_track_value(&t->model->data.tracks[track], k, time);
            if (isnan(value)) {
                continue;
            }
            GdkRGBA color = som_timeline_curve_color(paint, k);
            SomText words = {0};
            som_timeline_add_value(&words, t, track, value);
            som_paint_rounded(paint, color, MARGIN, line - 3, 6, 6, 3);
            som_paint_words(paint, som_text_str(&words), paint->ink, MARGIN + 12, line,
                            t->title_width - MARGIN - 60, SOM_PAINT_SMALL);
            som_text_free(&words);
            line += 18;
            if (x >= t->title_width) {
                double dot = y + som_timeline_plot_y(t, track, value);
                som_paint_rounded(paint, paint->ground, x - 4, dot - 4, 8, 8, 4);
                som_paint_rounded(paint, color, x - 3, dot - 3, 6, 6, 3);
            }
        }
    }
    gtk_snapshot_pop(paint->snapshot);
}

static void draw_line(const SomTimeline *t, const SomPaint *paint, double time) {
    double x = round(som_timeline_part_x(t, time));
    double width = gtk_widget_get_width(t->cursor), height = gtk_widget_get_height(t->cursor);
    if (x < t->title_width || x > width) {
        return;
    }
    som_paint_rectangle(paint, paint->ink, x, CHIP, 1, height - CHIP);
    SomText words = {0};
    som_timeline_add_seconds(&words, time);
    double half = som_paint_measure(paint, som_text_str(&words), SOM_PAINT_SMALL) / 2 + MARGIN;
    draw_chip(t, paint, som_text_str(&words), paint->ink, paint->ground, x - half, 2);
    som_text_free(&words);
}

// ---- under the pointer

static int plot_at(const SomTimeline *t, double y) {
    int plot = (int)floor(y / SOM_TIMELINE_PLOT);
    return 0 <= plot && plot < t->shown.count ? plot : -1;
}

static void add_values(SomText *words, const SomTimeline *t, int track, double time) {
    static const char *const names[SOM_TIMELINE_CURVES] = {"predicted", "simulated"};
    const SomTimelineTrack *of = &t->model->data.tracks[track];
    for (int k = 0; k < SOM_TIMELINE_CURVES; k++) {
        double value = som_timeline_track_value(of, k, time);
        if (!isnan(value)) {
            bool is_one = of->curves[1 - k].count == 0;
            som_text_printf(words, "  %s%s", is_one ? "" : names[k], is_one ? "" : " ");
            som_timeline_add_value(words, t, track, value);
        }
    }
}

static void draw_hover(const SomTimeline *t, const SomPaint *paint) {
    View view;
    if (t->hovered == NULL || t->hovered == t->rows || t->hover_x < t->title_width ||
        !view_of(t, t->hovered, &view)) {
        return;
    }
    double time = som_timeline_part_time(t, t->hover_x);
    int plot = t->hovered == t->plots ? plot_at(t, t->hover_y + view.top) : -1;
    bool is_on_ruler = t->hovered == t->ruler && t->hover_y < SOM_TIMELINE_RULER;
    if (plot < 0 && !is_on_ruler) {
        return;
    }
    SomText words = {0};
    som_timeline_add_seconds(&words, time);
    if (plot >= 0) {
        add_values(&words, t, t->shown.data[plot].track, time);
    }
    double x = round(t->hover_x), y = is_on_ruler ? 2 : view.y + t->hover_y - CHIP - MARGIN;
    som_paint_rectangle(paint, som_paint_fade(paint->ink, 0.25), x, view.y, 1, view.height);
    draw_chip(t, paint, som_text_str(&words), paint->ground, paint->ink, x + MARGIN,
              fmax(y, view.y));
    som_text_free(&words);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
    const SomTimeline *t = SOM_TIMELINE_CURSOR(widget)->timeline;
    SomPaint paint = som_paint_begin(widget, snapshot);
    double time = som_playhead_time(t->head);
    draw_running(t, &paint, time);
    draw_line(t, &paint, time);
    draw_values(t, &paint, time);
    draw_hover(t, &paint);
}

static void som_timeline_cursor_class_init(SomTimelineCursorClass *klass) {
    GTK_WIDGET_CLASS(klass)->snapshot = snapshot;
}

static void som_timeline_cursor_init(SomTimelineCursor *cursor) {
    gtk_widget_set_can_target(GTK_WIDGET(cursor), FALSE);
    gtk_widget_set_overflow(GTK_WIDGET(cursor), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *som_timeline_cursor_new(SomTimeline *timeline) {
    SomTimelineCursor *cursor = g_object_new(SOM_TYPE_TIMELINE_CURSOR, "accessible-role",
                                             GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
    cursor->timeline = timeline;
    return GTK_WIDGET(cursor);
}
