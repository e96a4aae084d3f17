// SPDX-License-Identifier: Apache-2.0
// Keys of a timeline, whichever part of it has the focus.
#include "studio/timeline_internal.h"

#include <math.h>

#define STEPS 100 // of Left and Right, over what is seen
#define ZOOM 1.5

typedef void (*Run)(SomTimeline *timeline, int direction);

static void go(SomTimeline *t, int direction) {
    double step = som_axis_step(0, t->scale.span, STEPS);
    som_playhead_seek(t->head, som_playhead_time(t->head) + direction * step);
}

static void go_to_edge(SomTimeline *t, int direction) {
    som_playhead_seek(t->head,
                      som_timeline_model_edge(t->model, som_playhead_time(t->head), direction));
}

static void go_to_end(SomTimeline *t, int direction) {
    som_playhead_seek(t->head, direction < 0 ? 0 : t->model->data.duration);
}

// About the playhead, if it is seen.
static void zoom(SomTimeline *t, int direction) {
    if (direction == 0) {
        som_timeline_scale_fit(&t->scale);
    } else {
        double x = som_timeline_x(&t->scale, som_playhead_time(t->head));
        bool is_seen = 0 <= x && x <= t->scale.width;
        som_timeline_scale_zoom(&t->scale, direction > 0 ? ZOOM : 1 / ZOOM,
                                is_seen ? x : t->scale.width / 2);
    }
    som_timeline_rescaled(t);
}

static void shift(SomTimeline *t, int direction) {
    som_timeline_scale_shift(&t->scale, direction * t->scale.span / 4);
    som_timeline_rescaled(t);
}

static void mark(SomTimeline *t, int direction) {
    int last = t->model->data.row_count - 1;
    int row = CLAMP(t->marked < 0 && direction > 0 ? 0 : t->marked + direction, 0, last);
    if (last >= 0 && row != t->marked) {
        som_timeline_rows_kind.choose(t, row);
    }
}

static void go_to_band(SomTimeline *t, int direction) {
    som_timeline_set_band(t, som_timeline_model_next_band(t->model, t->band, direction));
}

static void choose_band(SomTimeline *t, int unused) {
    (void)unused;
    if (t->band >= 0) {
        som_timeline_ruler_kind.choose(t, t->band);
    }
}

static void play(SomTimeline *t, int unused) {
    (void)unused;
    som_playhead_toggle(t->head);
}

static const struct Key {
    const char *keys; // with blanks between
    Run run;
    int direction;
} keys[] = {
    {"Left KP_Left", go, -1},
    {"Right KP_Right", go, 1},
    {"<Control>Left", go_to_edge, -1},
    {"<Control>Right", go_to_edge, 1},
    {"<Shift>Left", shift, -1},
    {"<Shift>Right", shift, 1},
    {"Home KP_Home", go_to_end, -1},
    {"End KP_End", go_to_end, 1},
    {"plus <Shift>plus equal KP_Add", zoom, 1},
    {"minus KP_Subtract", zoom, -1},
    {"0 KP_0", zoom, 0},
    {"Up KP_Up", mark, -1},
    {"Down KP_Down", mark, 1},
    {"n", go_to_band, 1},
    {"<Shift>n", go_to_band, -1},
    {"Return KP_Enter", choose_band, 0},
    {"space", play, 0},
};

static gboolean on_key(GtkWidget *widget, GVariant *which, gpointer unused) {
    (void)unused;
    const struct Key *key = &keys[g_variant_get_int32(which)];
    key->run(SOM_TIMELINE(widget), key->direction);
    return TRUE;
}

void som_timeline_bind_keys(GtkWidgetClass *klass) {
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_auto(GStrv) names = g_strsplit(keys[i].keys, " ", -1);
        for (int k = 0; names[k] != NULL; k++) {
            guint key;
            GdkModifierType state;
            gtk_accelerator_parse(names[k], &key, &state);
            gtk_widget_class_add_binding(klass, key, state, on_key, "i", (int)i);
        }
    }
}
