// SPDX-License-Identifier: Apache-2.0
#include "studio/timeline.h"

#include "studio/timeline_internal.h"
#include "studio/track_chooser.h"
#include "studio/widgets.h"

#include <math.h>

#define TITLES 0.24 // of the width, for names
#define LEAST_TITLES 120
#define MOST_TITLES 220
#define ZOOM 1.25 // of a step of the wheel

G_DEFINE_FINAL_TYPE(SomTimeline, som_timeline, GTK_TYPE_WIDGET)

void som_timeline_emit(SomTimeline *t, const char *signal, int which) {
    g_signal_emit_by_name(t, signal, which);
}

// ---- places

double som_timeline_part_x(const SomTimeline *t, double time) {
    return t->title_width + SOM_TIMELINE_EDGE + som_timeline_x(&t->scale, time);
}

double som_timeline_part_time(const SomTimeline *t, double x) {
    return som_timeline_time(&t->scale, x - t->title_width - SOM_TIMELINE_EDGE);
}

double som_timeline_y_in(SomTimeline *t, GtkWidget *part, double y) {
    double top = som_timeline_part_top(part), in_x, in_y;
    if (!gtk_widget_get_mapped(part) || y < top || y > top + gtk_widget_get_height(part) ||
        !gtk_widget_translate_coordinates(part, GTK_WIDGET(t), 0, y - top, &in_x, &in_y)) {
        return -1;
    }
    return in_y;
}

double som_timeline_x_of(SomTimeline *t, double time) {
    return som_timeline_part_x(t, time);
}

// ---- what is seen

static void redraw(SomTimeline *t) {
    GtkWidget *all[] = {t->ruler, t->rows, t->plots, t->cursor};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        gtk_widget_queue_draw(all[i]);
    }
}

static void on_shifted(SomTimeline *t) {
    double left = gtk_adjustment_get_value(t->shift);
    if (left != t->scale.left) {
        som_timeline_scale_shift(&t->scale, left - t->scale.left);
        som_timeline_rescaled(t);
    }
}

void som_timeline_rescaled(SomTimeline *t) {
    const SomTimelineScale *s = &t->scale;
    gtk_adjustment_configure(t->shift, s->left, 0, s->duration, s->span / 10, s->span * 0.9,
                             s->span);
    gtk_widget_set_visible(t->scrollbar, !som_timeline_scale_is_whole(s));
    som_timeline_drop_pictures(t);
    redraw(t);
}

void som_timeline_zoom(SomTimeline *t, double t0, double t1) {
    som_timeline_scale_fit(&t->scale);
    if (t1 > t0) {
        double span = fmax(t1 - t0, SOM_TIMELINE_LEAST_SPAN);
        som_timeline_scale_zoom(&t->scale, t->scale.duration / span, 0);
        som_timeline_scale_shift(&t->scale, t0 - t->scale.left);
    }
    som_timeline_rescaled(t);
}

double som_timeline_last_seen(SomTimeline *t) {
    return t->scale.left + t->scale.span;
}

static gboolean on_wheel(GtkEventControllerScroll *wheel, double dx, double dy, SomTimeline *t) {
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(wheel));
    if ((state & GDK_CONTROL_MASK) != 0) {
        double x = t->hovered != NULL ? t->hover_x - t->title_width - SOM_TIMELINE_EDGE
                                      : t->scale.width / 2;
        som_timeline_scale_zoom(&t->scale, pow(ZOOM, -dy), x);
    } else if ((state & GDK_SHIFT_MASK) != 0 || dx != 0) {
        som_timeline_scale_shift(&t->scale, (dx != 0 ? dx : dy) * t->scale.span / 10);
    } else {
        return FALSE;
    }
    som_timeline_rescaled(t);
    return TRUE;
}

// ---- the playhead

static void on_head(void *context, unsigned changes) {
    SomTimeline *t = context;
    if ((changes & SOM_PLAYHEAD_TIME) != 0) {
        if (som_timeline_scale_reveal(&t->scale, som_playhead_time(t->head))) {
            som_timeline_rescaled(t);
        }
        gtk_widget_queue_draw(t->cursor);
    }
    som_timeline_describe(t);
}

// ---- data

static void share_room(SomTimeline *t) {
    gtk_widget_set_visible(t->rows_window, t->model->data.row_count > 0);
    gtk_widget_set_visible(t->plots_window, t->shown.count > 0);
    gtk_widget_set_visible(t->empty, t->model->data.row_count == 0 && t->shown.count == 0);
    som_timeline_part_changed(t->rows);
    som_timeline_part_changed(t->plots);
    gtk_widget_queue_allocate(GTK_WIDGET(t));
}

// By its name, which stays when there are new data.
static char *key_of(const SomTimelineTrack *track) {
    return g_strdup_printf("%.*s/%.*s", SOM_STR_ARG(track->group), SOM_STR_ARG(track->title));
}

// What the user chose, and else what is to be shown by itself, in the order of the tracks.
static void follow_choice(SomTimeline *t) {
    som_timeline_drop_pictures(t);
    t->shown.count = 0;
    for (int i = 0; i < t->model->data.track_count; i++) {
        const SomTimelineTrack *track = &t->model->data.tracks[i];
        gpointer choice = NULL;
        bool is_chosen = false;
        if (g_hash_table_size(t->choices) > 0) {
            g_autofree char *key = key_of(track);
            is_chosen = g_hash_table_lookup_extended(t->choices, key, NULL, &choice);
        }
        if (is_chosen ? GPOINTER_TO_INT(choice) != 0 : track->is_shown) {
            som_array_push(&t->shown, ((SomTimelineShown){i, NULL}));
        }
    }
}

// `own`: the same, if it is ours.
static void show_model(SomTimeline *t, const SomTimelineModel *model, SomTimelineModel *own) {
    som_timeline_model_destroy(t->own_model);
    t->model = model;
    t->own_model = own;
    follow_choice(t);
    t->marked = t->marked < model->data.row_count ? t->marked : -1;
    t->band = t->band < model->data.band_count ? t->band : -1;
    som_timeline_scale_set(&t->scale, t->model->data.duration, t->scale.width);
    som_timeline_rescaled(t);
    share_room(t);
    gtk_widget_queue_resize(t->ruler);
    som_track_chooser_set(t->chooser, t);
    som_timeline_describe(t);
}

void som_timeline_set_data(SomTimeline *t, const SomTimelineData *data) {
    SomTimelineModel *own = som_timeline_model_create(data);
    show_model(t, own, own);
}

void som_timeline_set_model(SomTimeline *t, const SomTimelineModel *model) {
    if (model != NULL) {
        show_model(t, model, NULL);
    } else {
        som_timeline_set_data(t, &(SomTimelineData){0});
    }
}

void som_timeline_show_track(SomTimeline *t, int track, bool is_shown) {
    g_hash_table_insert(t->choices, key_of(&t->model->data.tracks[track]),
                        GINT_TO_POINTER(is_shown ? 1 : 0));
    follow_choice(t);
    share_room(t);
    gtk_widget_queue_draw(t->cursor);
}

// ---- what stands out

void som_timeline_set_marked(SomTimeline *t, int row) {
    t->marked = row < t->model->data.row_count ? row : -1;
    if (t->marked >= 0) {
        som_timeline_part_reveal(t->rows, row * SOM_TIMELINE_ROW, SOM_TIMELINE_ROW);
    }
    gtk_widget_queue_draw(t->rows);
    som_timeline_describe(t);
    g_object_notify(G_OBJECT(t), "marked");
}

int som_timeline_marked(SomTimeline *t) {
    return t->marked;
}

void som_timeline_set_band(SomTimeline *t, int band) {
    t->band = band < t->model->data.band_count ? band : -1;
    if (t->band >= 0 && som_timeline_scale_reveal(&t->scale, t->model->data.bands[band].t0)) {
        som_timeline_rescaled(t);
    }
    gtk_widget_queue_draw(t->ruler);
    som_timeline_describe(t);
}

int som_timeline_band(SomTimeline *t) {
    return t->band;
}

void som_timeline_set_stale(SomTimeline *t, bool is_stale) {
    gtk_widget_set_opacity(t->overlay, is_stale ? 0.5 : 1);
}

// ---- layout

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline) {
    gtk_widget_measure(SOM_TIMELINE(widget)->overlay, orientation, for_size, minimum, natural,
                       minimum_baseline, natural_baseline);
}

// Rows have what they need, but leave room for plots.
static void split(SomTimeline *t, int height) {
    int room = height - som_timeline_ruler_kind.height(t);
    int plots = MIN(som_timeline_plots_kind.height(t), MAX(room / 2, SOM_TIMELINE_PLOT));
    int rows = MAX(MIN(som_timeline_rows_kind.height(t) + 2, room - plots), SOM_TIMELINE_ROW);
    if (t->split >= 0 && gtk_paned_get_position(GTK_PANED(t->paned)) != t->split && t->split > 0) {
        t->split = -1; // moved by the user
    }
    if (t->split >= 0 && rows != t->split) {
        t->split = rows;
        gtk_paned_set_position(GTK_PANED(t->paned), rows);
    }
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    SomTimeline *t = SOM_TIMELINE(widget);
    double titles = round(fmin(fmax(TITLES * width, LEAST_TITLES), MOST_TITLES));
    double times = width - titles - 2 * SOM_TIMELINE_EDGE;
    if (titles != t->title_width || times != t->scale.width) {
        t->title_width = titles;
        som_timeline_scale_set(&t->scale, t->model->data.duration, times);
        som_timeline_drop_pictures(t);
        redraw(t);
        gtk_widget_set_size_request(t->chooser, (int)titles - 12, -1);
    }
    split(t, height);
    gtk_widget_size_allocate(t->overlay, &(GtkAllocation){0, 0, width, height}, baseline);
}

// ---- life

static void dispose(GObject *object) {
    SomTimeline *t = SOM_TIMELINE(object);
    if (t->head != NULL) {
        som_playhead_unlisten(t->head, on_head, t);
        t->head = NULL;
    }
    som_timeline_drop_pictures(t);
    g_clear_pointer(&t->overlay, gtk_widget_unparent);
    g_clear_object(&t->shift);
    G_OBJECT_CLASS(som_timeline_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    SomTimeline *t = SOM_TIMELINE(object);
    som_timeline_model_destroy(t->own_model);
    som_array_free(&t->shown);
    g_hash_table_unref(t->choices);
    G_OBJECT_CLASS(som_timeline_parent_class)->finalize(object);
}

enum { MARKED = 1 };

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    (void)id;
    (void)spec;
    g_value_set_int(value, SOM_TIMELINE(object)->marked);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    (void)id;
    (void)spec;
    som_timeline_set_marked(SOM_TIMELINE(object), g_value_get_int(value));
}

static void som_timeline_class_init(SomTimelineClass *klass) {
    GObjectClass *object = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    object->dispose = dispose;
    object->finalize = finalize;
    object->get_property = get_property;
    object->set_property = set_property;
    g_object_class_install_property(
        object, MARKED,
        g_param_spec_int("marked", NULL, NULL, -1, G_MAXINT, -1,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS));
    widget->measure = measure;
    widget->size_allocate = size_allocate;
    static const char *const signals[] = {"band-chosen", "row-chosen"};
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
        g_signal_new(signals[i], G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                     G_TYPE_NONE, 1, G_TYPE_INT);
    }
    gtk_widget_class_set_css_name(widget, "timeline");
    gtk_widget_class_set_accessible_role(widget, GTK_ACCESSIBLE_ROLE_GROUP);
    som_timeline_bind_keys(widget);
}

static GtkWidget *scrolled(GtkWidget *part) {
    GtkWidget *window = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(window), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(window), part);
    gtk_widget_set_vexpand(window, TRUE);
    return window;
}

static GtkWidget *arrange(SomTimeline *t) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    t->paned = gtk_paned_new(GTK_ORIENTATION_VERTICAL);
    gtk_paned_set_start_child(GTK_PANED(t->paned), t->rows_window);
    gtk_paned_set_end_child(GTK_PANED(t->paned), t->plots_window);
    gtk_paned_set_shrink_start_child(GTK_PANED(t->paned), FALSE);
    gtk_paned_set_shrink_end_child(GTK_PANED(t->paned), FALSE);
    gtk_widget_set_vexpand(t->paned, TRUE);
    gtk_box_append(GTK_BOX(box), t->ruler);
    gtk_box_append(GTK_BOX(box), t->paned);
    gtk_box_append(GTK_BOX(box), t->scrollbar);
    return box;
}

static void som_timeline_init(SomTimeline *t) {
    t->marked = t->band = -1;
    t->choices = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    t->model = t->own_model = som_timeline_model_create(&(SomTimelineData){0});
    som_timeline_scale_set(&t->scale, 1, 1);
    t->shift = g_object_ref_sink(gtk_adjustment_new(0, 0, 1, 0.1, 0.9, 1));
    t->ruler = som_timeline_part_new(t, &som_timeline_ruler_kind);
    t->rows = som_timeline_part_new(t, &som_timeline_rows_kind);
    t->plots = som_timeline_part_new(t, &som_timeline_plots_kind);
    t->rows_window = scrolled(t->rows);
    t->plots_window = scrolled(t->plots);
    t->scrollbar = gtk_scrollbar_new(GTK_ORIENTATION_HORIZONTAL, t->shift);
    gtk_widget_set_visible(t->scrollbar, FALSE);
    t->cursor = som_timeline_cursor_new(t);
    t->chooser = som_track_chooser_new(t);
    t->empty = gtk_label_new("Nothing to show yet");
    gtk_widget_add_css_class(t->empty, "dim-label");
    t->overlay = gtk_overlay_new();
    gtk_overlay_set_child(GTK_OVERLAY(t->overlay), arrange(t));
    gtk_overlay_add_overlay(GTK_OVERLAY(t->overlay), t->empty);
    gtk_overlay_add_overlay(GTK_OVERLAY(t->overlay), t->cursor);
    gtk_overlay_add_overlay(GTK_OVERLAY(t->overlay), t->chooser);
    gtk_widget_set_parent(t->overlay, GTK_WIDGET(t));
    gtk_widget_set_focusable(t->ruler, TRUE);
    som_set_accessible_name(t, "Timeline");
    som_set_accessible_name(t->ruler, "Time");
    som_set_accessible_name(t->rows, "Actions");
    som_set_accessible_name(t->plots, "Plots");
    GtkEventController *wheel =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
    gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE);
    g_signal_connect(wheel, "scroll", G_CALLBACK(on_wheel), t);
    gtk_widget_add_controller(GTK_WIDGET(t), wheel);
    g_signal_connect_object(t->shift, "value-changed", G_CALLBACK(on_shifted), t,
                            G_CONNECT_SWAPPED);
    share_room(t);
}

GtkWidget *som_timeline_new(SomPlayhead *head) {
    SomTimeline *t = g_object_new(SOM_TYPE_TIMELINE, NULL);
    t->head = head;
    som_playhead_listen(head, on_head, t);
    som_timeline_describe(t);
    return GTK_WIDGET(t);
}
