// SPDX-License-Identifier: Apache-2.0
// Numbers of seconds, and below them the findings that have a time.
#include "base/number.h"
#include "studio/timeline_internal.h"

#include <math.h>

#define NUMBERS 96    // pixels between two numbers, about
#define SMALL_STEPS 5 // from one number to the next
#define LEAST_BAND 6  // pixels: a moment is a band, too
#define MARGIN 2      // between bands

static int height(const SomTimeline *t) {
    return SOM_TIMELINE_RULER + MAX(t->model->lane_count, 1) * SOM_TIMELINE_LANE + 4;
}

double som_timeline_step(const SomTimeline *t) {
    double count = fmax(t->scale.width / NUMBERS, 1);
    return som_axis_step(t->scale.left, t->scale.left + t->scale.span, (int)count);
}

static void draw_numbers(SomTimeline *t, const SomPaint *paint) {
    double step = som_timeline_step(t), end = t->scale.left + t->scale.span;
    double small = step / SMALL_STEPS;
    for (double k = ceil(t->scale.left / small); k * small <= end * (1 + 1e-9); k++) {
        bool is_numbered = fmod(k, SMALL_STEPS) == 0;
        double x = som_timeline_part_x(t, k * small), length = is_numbered ? 8 : 4;
        som_paint_rectangle(paint, is_numbered ? paint->soft : som_paint_fade(paint->ink, 0.3),
                            round(x), SOM_TIMELINE_RULER - length, 1, length);
        if (is_numbered) {
            SomText words = {0};
            som_text_rounded(&words, k == 0 ? 0 : k * small, 6);
            som_text_add(&words, SOM_STR(" s"));
            som_paint_words(paint, som_text_str(&words), paint->soft, x - NUMBERS / 2.0, 11,
                            NUMBERS, SOM_PAINT_SMALL | SOM_PAINT_CENTER);
            som_text_free(&words);
        }
    }
}

typedef struct Place {
    double x, y, width;
} Place;

static Place place_of(const SomTimeline *t, int band) {
    const SomTimelineBand *b = &t->model->data.bands[band];
    double x0 = som_timeline_part_x(t, b->t0), x1 = som_timeline_part_x(t, b->t1);
    double width = fmax(x1 - x0, LEAST_BAND);
    return (Place){(x0 + x1 - width) / 2,
                   SOM_TIMELINE_RULER + MARGIN + t->model->lanes[band] * SOM_TIMELINE_LANE, width};
}

static void draw_band(SomTimeline *t, const SomPaint *paint, int band) {
    Place place = place_of(t, band);
    const SomTimelineBand *b = &t->model->data.bands[band];
    GdkRGBA color = som_paint_severity(paint, b->severity);
    double tall = SOM_TIMELINE_LANE - 2 * MARGIN;
    bool is_current = band == t->band;
    if (is_current) {
        som_paint_rounded(paint, paint->ink, place.x - 2, place.y - 2, place.width + 4, tall + 4,
                          6);
        som_paint_rounded(paint, paint->ground, place.x - 1, place.y - 1, place.width + 2, tall + 2,
                          5);
    }
    som_paint_rounded(paint, som_paint_fade(color, is_current ? 0.55 : 0.3), place.x, place.y,
                      place.width, tall, 4);
    som_paint_rectangle(paint, color, place.x, place.y + 3, 2, tall - 6);
    double left = fmax(place.x, t->title_width) + 6;
    som_paint_words(paint, b->words, paint->ink, left, place.y + tall / 2,
                    place.x + place.width - 4 - left, SOM_PAINT_SMALL);
}

static void draw(SomTimeline *t, const SomPaint *paint, double top, double width, double tall) {
    (void)top;
    graphene_rect_t times =
        GRAPHENE_RECT_INIT((float)t->title_width, 0, (float)(width - t->title_width), (float)tall);
    gtk_snapshot_push_clip(paint->snapshot, &times);
    draw_numbers(t, paint);
    for (int i = 0; i < t->model->data.band_count; i++) {
        if (i != t->band) {
            draw_band(t, paint, i);
        }
    }
    if (t->band >= 0) { // over the others
        draw_band(t, paint, t->band);
    }
    gtk_snapshot_pop(paint->snapshot);
    som_paint_rectangle(paint, paint->line, 0, tall - 1, width, 1);
    som_paint_rectangle(paint, paint->line, t->title_width - 1, 0, 1, tall);
}

// The last one is drawn over the others.
static int find(const SomTimeline *t, double x, double y) {
    int found = -1;
    for (int i = 0; i < t->model->data.band_count && x >= t->title_width; i++) {
        Place place = place_of(t, i);
        bool is_there = place.x - 1 <= x && x <= place.x + place.width + 1 && place.y <= y &&
                        y < place.y + SOM_TIMELINE_LANE;
        found = is_there && (found < 0 || found != t->band) ? i : found;
    }
    return found;
}

static void choose(SomTimeline *t, int band) {
    som_timeline_set_band(t, band);
    som_timeline_emit(t, "band-chosen", band);
}

static void tell(const SomTimeline *t, double x, double y, SomText *words) {
    int band = find(t, x, y);
    if (band >= 0) {
        const SomTimelineBand *b = &t->model->data.bands[band];
        som_text_add(words, b->words);
        som_text_add(words, SOM_STR("\n"));
        som_timeline_add_span(words, b->t0, b->t1);
    }
}

const SomTimelinePartKind som_timeline_ruler_kind = {
    "ruler", GTK_ACCESSIBLE_ROLE_SLIDER, height, draw, find, choose, tell};

double som_timeline_y_of_band(SomTimeline *t, int band) {
    return place_of(t, band).y + (SOM_TIMELINE_LANE - 2 * MARGIN) / 2.0;
}
