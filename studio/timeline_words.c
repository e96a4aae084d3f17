// SPDX-License-Identifier: Apache-2.0
// What a timeline says in words, on screen and to who does not see it; and the lines of its times.
#include "base/number.h"
#include "studio/timeline_internal.h"

#include <math.h>

#define MOST_NAMED 4 // actions that are told to run

void som_timeline_draw_times(SomTimeline *t, const SomPaint *paint, double height) {
    double step = som_timeline_step(t), end = t->scale.left + t->scale.span;
    for (int i = 0; i < t->model->data.band_count; i++) {
        const SomTimelineBand *band = &t->model->data.bands[i];
        double x0 = fmax(som_timeline_part_x(t, band->t0), t->title_width);
        double x1 = som_timeline_part_x(t, band->t1);
        if (band->t1 >= t->scale.left && band->t0 <= end && x1 >= t->title_width) {
            GdkRGBA color = som_paint_severity(paint, band->severity);
            som_paint_rectangle(paint, som_paint_fade(color, i == t->band ? 0.2 : 0.1), x0, 0,
                                fmax(x1 - x0, 2), height);
        }
    }
    for (double k = ceil(t->scale.left / step); k * step <= end * (1 + 1e-9); k++) {
        som_paint_rectangle(paint, som_paint_fade(paint->ink, 0.06),
                            round(som_timeline_part_x(t, k * step)), 0, 1, height);
    }
    som_paint_rectangle(paint, paint->line, t->title_width - 1, 0, 1, height);
}

// ---- numbers

void som_timeline_add_seconds(SomText *out, double seconds) {
    som_text_fixed(out, seconds, 2);
    som_text_add(out, SOM_STR(" s"));
}

void som_timeline_add_span(SomText *out, double t0, double t1) {
    if (t1 - t0 >= 0.005) {
        som_text_fixed(out, t0, 2);
        som_text_add(out, SOM_STR("–"));
    }
    som_timeline_add_seconds(out, t1);
}

void som_timeline_add_value(SomText *out, const SomTimeline *t, int track, double value) {
    SomRange range = t->model->ranges[track];
    SomStr unit = t->model->data.tracks[track].unit;
    double digits = 2 - floor(log10(range.high - range.low));
    som_text_fixed(out, value, (int)fmin(fmax(digits, 0), 6));
    if (unit.length > 0) {
        som_text_add(out, som_str_equal(unit, SOM_STR("°")) ? SOM_STR("") : SOM_STR(" "));
        som_text_add(out, unit);
    }
}

// ---- for who does not see it

static void add_running(const SomTimeline *t, SomText *words) {
    double time = som_playhead_time(t->head);
    int named = 0;
    for (int row = 0; row < t->model->data.row_count && named < MOST_NAMED; row++) {
        if (som_timeline_model_bar_at(t->model, row, time, 0) >= 0) {
            som_text_add(words, named == 0 ? SOM_STR("; running: ") : SOM_STR(", "));
            som_text_add(words, t->model->data.rows[row].title);
            named++;
        }
    }
}

static void add_band(const SomTimeline *t, SomText *words) {
    if (t->band >= 0) {
        const SomTimelineBand *band = &t->model->data.bands[t->band];
        som_text_printf(words, "Finding %d of %d: %.*s, ", t->band + 1, t->model->data.band_count,
                        SOM_STR_ARG(band->words));
        som_timeline_add_span(words, band->t0, band->t1);
        som_text_add(words, SOM_STR(". "));
    } else if (t->model->data.band_count > 0) {
        som_text_printf(words, "Findings: %d. ", t->model->data.band_count);
    }
}

static void add_marked(const SomTimeline *t, SomText *words) {
    if (t->marked >= 0) {
        som_text_printf(words, "%.*s", SOM_STR_ARG(t->model->data.rows[t->marked].title));
        for (int i = t->model->row_begins[t->marked]; i < t->model->row_begins[t->marked + 1];
             i++) {
            som_text_add(words, SOM_STR("; "));
            som_timeline_add_bar(words, &t->model->data.bars[i]);
            if (i - t->model->row_begins[t->marked] + 1 == MOST_NAMED) {
                break;
            }
        }
    } else {
        som_text_printf(words, "%d actions", t->model->data.row_count);
    }
}

// While it plays it would be read all the time.
void som_timeline_describe(SomTimeline *t) {
    if (som_playhead_is_playing(t->head)) {
        return;
    }
    SomText value = {0}, bands = {0}, actions = {0};
    som_timeline_add_seconds(&value, som_playhead_time(t->head));
    add_running(t, &value);
    add_band(t, &bands);
    add_marked(t, &actions);
    gtk_accessible_update_property(GTK_ACCESSIBLE(t->ruler), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, t->model->data.duration,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, som_playhead_time(t->head),
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, value.data,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   bands.length > 0 ? bands.data : "No findings", -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(t->rows), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   actions.data, -1);
    som_text_free(&value);
    som_text_free(&bands);
    som_text_free(&actions);
}
