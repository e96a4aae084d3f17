// SPDX-License-Identifier: Apache-2.0
// A row for each action: its name, and a bar for each time that it ran. However many there are,
// only those that are seen are drawn.
#include "studio/timeline_internal.h"

#include <math.h>

#define INDENT 12
#define MARGIN 8
#define BAR 14      // pixels of a bar that holds no others
#define HOLDER 6    // of one that does
#define LEAST_BAR 3 // pixels of width
#define SIGN 16     // pixels that a sign at the end takes
#define SLACK 3     // pixels beside a bar that still are its

static int height(const SomTimeline *t) {
    return t->model->data.row_count * SOM_TIMELINE_ROW;
}

// Does it hold the rows below it?
static bool is_holder(const SomTimeline *t, int row) {
    const SomTimelineData *data = &t->model->data;
    return row + 1 < data->row_count && data->rows[row + 1].depth > data->rows[row].depth;
}

// ---- drawing

typedef struct Look {
    GdkRGBA color;
    const char *sign; // at its end, for who cannot tell the colours; NULL: none
} Look;

static Look look_of(const SomPaint *paint, SomTimelineEnd end) {
    switch (end) {
    case SOM_TIMELINE_TIMED_OUT:
        return (Look){paint->warning, "!"};
    case SOM_TIMELINE_CUT_OFF:
        return (Look){som_paint_fade(paint->ink, 0.45), "|"};
    case SOM_TIMELINE_FAILED:
        return (Look){paint->error, "×"};
    case SOM_TIMELINE_RUNNING:
        return (Look){paint->accent, "…"};
    case SOM_TIMELINE_PLANNED:
    case SOM_TIMELINE_ENDS:
        break;
    }
    return (Look){paint->accent, NULL};
}

static void draw_bar(SomTimeline *t, const SomPaint *paint, const SomTimelineBar *bar,
                     double middle) {
    double x0 = fmax(som_timeline_part_x(t, bar->t0), t->title_width - MARGIN);
    double x1 = fmin(som_timeline_part_x(t, bar->t1),
                     t->title_width + 2 * SOM_TIMELINE_EDGE + t->scale.width + MARGIN);
    double width = fmax(x1 - x0 - 1, LEAST_BAR);
    bool holds = is_holder(t, bar->row);
    double tall = holds ? HOLDER : BAR;
    Look look = look_of(paint, bar->end);
    som_paint_rounded(paint, som_paint_fade(look.color, holds ? 0.4 : 0.75), x0, middle - tall / 2,
                      width, tall, 4);
    if (look.sign != NULL && !holds && width >= SIGN) {
        som_paint_words(paint, som_str(look.sign), paint->ground, x0 + width - SIGN, middle, SIGN,
                        SOM_PAINT_BOLD | SOM_PAINT_CENTER | SOM_PAINT_SMALL);
    }
}

// Bars that would lie on the pixels of those before are not drawn.
static void draw_bars(SomTimeline *t, const SomPaint *paint, int row, double middle) {
    double end = t->scale.left + t->scale.span, drawn = -INFINITY;
    double pixel = som_timeline_pixel(&t->scale), edge = SOM_TIMELINE_EDGE * pixel;
    for (int i = t->model->row_begins[row]; i < t->model->row_begins[row + 1]; i++) {
        const SomTimelineBar *bar = &t->model->data.bars[i];
        bool is_seen = bar->t1 >= t->scale.left - edge && bar->t0 <= end + edge;
        if (is_seen && bar->t1 - drawn >= pixel) {
            draw_bar(t, paint, bar, middle);
            drawn = bar->t1;
        }
    }
}

static void draw_title(SomTimeline *t, const SomPaint *paint, int row, double middle) {
    const SomTimelineRow *r = &t->model->data.rows[row];
    double x = MARGIN + fmin(INDENT * r->depth, t->title_width / 2);
    som_paint_words(paint, r->title, is_holder(t, row) ? paint->ink : paint->soft, x, middle,
                    t->title_width - MARGIN - x, row == t->marked ? SOM_PAINT_BOLD : 0);
}

static void draw(SomTimeline *t, const SomPaint *paint, double top, double width, double tall) {
    int first = (int)(top / SOM_TIMELINE_ROW), count = t->model->data.row_count;
    int end = MIN((int)((top + tall) / SOM_TIMELINE_ROW) + 1, count);
    if (first <= t->marked && t->marked < end) {
        som_paint_rectangle(paint, som_paint_fade(paint->accent, 0.14), 0,
                            t->marked * SOM_TIMELINE_ROW - top, width, SOM_TIMELINE_ROW);
    }
    som_timeline_draw_times(t, paint, tall);
    for (int row = first; row < end; row++) {
        draw_title(t, paint, row, (row + 0.5) * SOM_TIMELINE_ROW - top);
    }
    graphene_rect_t times =
        GRAPHENE_RECT_INIT((float)t->title_width, 0, (float)(width - t->title_width), (float)tall);
    gtk_snapshot_push_clip(paint->snapshot, &times);
    for (int row = first; row < end; row++) {
        draw_bars(t, paint, row, (row + 0.5) * SOM_TIMELINE_ROW - top);
    }
    gtk_snapshot_pop(paint->snapshot);
}

// ---- what is there

static int find(const SomTimeline *t, double x, double y) {
    (void)x;
    int row = (int)floor(y / SOM_TIMELINE_ROW);
    return row < t->model->data.row_count ? row : -1;
}

static void choose(SomTimeline *t, int row) {
    som_timeline_set_marked(t, row);
    som_timeline_emit(t, "row-chosen", row);
}

void som_timeline_add_bar(SomText *words, const SomTimelineBar *bar) {
    som_timeline_add_span(words, bar->t0, bar->t1);
    som_text_printf(words, ", %s", som_timeline_end_words(bar->end));
}

static void tell(const SomTimeline *t, double x, double y, SomText *words) {
    int row = find(t, x, y);
    if (row < 0) {
        return;
    }
    double slack = SLACK * som_timeline_pixel(&t->scale);
    int bar = x < t->title_width
                  ? -1
                  : som_timeline_model_bar_at(t->model, row, som_timeline_part_time(t, x), slack);
    if (bar >= 0 || x < t->title_width) {
        som_text_add(words, t->model->data.rows[row].title);
    }
    if (bar >= 0) {
        som_text_add(words, SOM_STR("\n"));
        som_timeline_add_bar(words, &t->model->data.bars[bar]);
    }
}

const SomTimelinePartKind som_timeline_rows_kind = {
    "rows", GTK_ACCESSIBLE_ROLE_GROUP, height, draw, find, choose, tell};

double som_timeline_y_of_row(SomTimeline *t, int row) {
    return som_timeline_y_in(t, t->rows, (row + 0.5) * SOM_TIMELINE_ROW);
}
