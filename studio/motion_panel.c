// SPDX-License-Identifier: Apache-2.0
#include "studio/motion_panel.h"

#include "studio/motion_blocks.h"
#include "studio/motion_words.h"
#include "studio/severity_icon.h"
#include "studio/transport.h"
#include "studio/widgets.h"

#include <math.h>

#define PATIENCE 250 // milliseconds that what was said stays before it says "computing…"

struct _SomMotionPanel {
    GtkBox parent_instance;
    SomDesk *desk;
    SomProject *project;
    SomView *view;
    SomMotionLive *live;
    SomPlayhead *head;
    SomTimeline *timeline;
    GtkWidget *steps; // to the findings
    GtkImage *icon;
    GtkSpinner *spinner;
    GtkLabel *status;
    bool is_shown;
    bool rests;    // joints were moved: the posture is seen until the playhead moves
    bool is_bound; // what the timeline tells is our own doing
    int band;      // that is chosen; -1: none
    long number;   // of the motion that is shown; 0: none
    SomText behavior;
    SomMotionBlocks blocks; // of the motion; none if it was not asked yet
    SomSpan spans[2];       // of the band
    int span_count;
    guint timer; // until it says that it computes; 0: none
};

G_DEFINE_FINAL_TYPE(SomMotionPanel, som_motion_panel, GTK_TYPE_BOX)

enum { MARKED, CHANGED, SIGNALS };
static guint signals[SIGNALS];

// The motion, if there is one that can be played.
static const SomMotionRecord *motion_of(const SomMotionPanel *panel) {
    const SomMotionRecord *record = som_motion_live_record(panel->live);
    return record != NULL && som_motion_record_plays(record) ? record : NULL;
}

// ---- the robot in the view

// A motion of a robot with other links than the one that is shown is not.
static bool is_of_model(const SomMotionPanel *panel, const SomMotionRecord *record) {
    const SomMechanism *mechanism = som_project_model(panel->project)->mechanism;
    return mechanism != NULL && record->scene->mechanism->link_count == mechanism->link_count;
}

static void show_robot(SomMotionPanel *panel) {
    const SomMotionRecord *record = motion_of(panel);
    if (!panel->is_shown) {
        return;
    }
    if (record == NULL || panel->rests || !is_of_model(panel, record)) {
        som_view_show_links(panel->view, NULL);
        return;
    }
    size_t count = (size_t)record->scene->mechanism->link_count;
    SomPose *links = som_alloc(sizeof *links * (count + 1));
    som_motion_record_place(record, som_playhead_time(panel->head), links);
    som_view_show_links(panel->view, links);
    som_free(links);
}

// ---- what is said

static void say(SomMotionPanel *panel, const char *words, SomSeverityLook look, bool is_busy) {
    gtk_label_set_text(panel->status, words);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->status), words);
    gtk_widget_set_visible(GTK_WIDGET(panel->icon), !is_busy && words[0] != '\0');
    gtk_widget_set_visible(GTK_WIDGET(panel->spinner), is_busy);
    gtk_spinner_set_spinning(panel->spinner, is_busy);
    som_severity_look_apply(look, panel->icon);
}

// Of the finding that is chosen, else of all.
static void show_words(SomMotionPanel *panel) {
    const SomMotionRecord *record =
        som_motion_live_is_stale(panel->live) ? NULL : som_motion_live_record(panel->live);
    bool is_busy = som_motion_live_is_busy(panel->live);
    bool plays = record != NULL && som_motion_record_plays(record);
    SomText words = {0};
    if (plays && panel->band >= 0) {
        const SomTimelineBand *band = &record->data->model->data.bands[panel->band];
        som_text_add(&words, band->words);
        say(panel, words.data, som_severity_look(band->severity), is_busy);
    } else {
        SomSeverity severity = som_motion_words(panel->desk, record, &words);
        SomSeverityLook look =
            plays ? som_severity_verdict_look(severity) : som_severity_look(severity);
        say(panel, words.data, look, is_busy);
    }
    som_text_free(&words);
}

static gboolean on_long(gpointer data) {
    SomMotionPanel *panel = data;
    panel->timer = 0;
    show_words(panel);
    return G_SOURCE_REMOVE;
}

// What was said stays for a moment, so that nothing flickers when the next comes soon.
static void show_state(SomMotionPanel *panel) {
    const SomMotionRecord *record = motion_of(panel);
    int bands = record != NULL ? record->data->model->data.band_count : 0;
    som_timeline_set_stale(panel->timeline, som_motion_live_is_stale(panel->live));
    gtk_widget_set_visible(panel->steps, bands > 0);
    if (!som_motion_live_is_busy(panel->live)) {
        g_clear_handle_id(&panel->timer, g_source_remove);
        show_words(panel);
    } else if (panel->timer == 0) {
        panel->timer = g_timeout_add(PATIENCE, on_long, panel);
    }
    g_signal_emit(panel, signals[CHANGED], 0);
}

// ---- a finding

static void mark(SomMotionPanel *panel) {
    g_signal_emit(panel, signals[MARKED], 0);
}

static const SomMotionBlocks *blocks_of(SomMotionPanel *panel) {
    const SomMotionRecord *record = motion_of(panel);
    bool is_stale = record == NULL || som_motion_live_is_stale(panel->live);
    if (panel->blocks.blocks == NULL && !is_stale) {
        panel->blocks = som_motion_blocks_find(record, panel->desk);
    }
    return &panel->blocks;
}

static void forget_finding(SomMotionPanel *panel) {
    if (panel->band < 0) {
        return;
    }
    panel->band = -1;
    panel->span_count = 0;
    som_timeline_set_band(panel->timeline, -1);
    if (panel->is_shown) { // else what glows is of others
        som_view_set_glow(panel->view, NULL, 0);
    }
    som_desk_mark(panel->desk, NULL, 0);
    mark(panel);
    show_words(panel);
}

static void glow(SomMotionPanel *panel, const SomMotionRecord *record, const SomFinding *finding) {
    const SomConfiguration *design = record->scene->composition->configuration;
    int *modules = som_alloc(sizeof *modules * ((size_t)finding->subject_count + 1)), count = 0;
    for (int i = 0; i < finding->subject_count; i++) {
        int module = som_posture_verdict_module_of(design, finding->subjects[i]);
        if (module >= 0) {
            modules[count++] = module;
        }
    }
    som_view_set_glow(panel->view, modules, count);
    som_free(modules);
}

// Where it is written, and what runs that in the behavior.
static void mark_blocks(SomMotionPanel *panel, const SomMotionRecord *record,
                        const SomFinding *finding) {
    const SomMotionBlocks *map = blocks_of(panel);
    int blocks[3], count = 0;
    for (int i = 0; i < panel->span_count; i++) {
        int block = som_blocks_at(som_desk_blocks(panel->desk), panel->spans[i].begin);
        if (block >= 0) {
            blocks[count++] = block;
        }
    }
    int row = finding->action != SOM_NONE
                  ? som_motion_data_row_of(record->data, record->scene->graph, finding->action)
                  : -1;
    if (row >= 0 && row < map->count && map->blocks[row] >= 0) {
        blocks[count++] = map->blocks[row];
        if (panel->span_count == 0) { // it is written in another file: what runs it is not
            panel->spans[panel->span_count++] =
                som_desk_blocks(panel->desk)->blocks[map->blocks[row]].span;
        }
    }
    som_desk_mark(panel->desk, blocks, count);
    panel->is_bound = true;
    som_timeline_set_marked(panel->timeline, row);
    panel->is_bound = false;
}

void som_motion_panel_choose_finding(SomMotionPanel *panel, int band) {
    const SomMotionRecord *record = motion_of(panel);
    if (record == NULL || record->found == NULL || band < 0 ||
        band >= record->data->model->data.band_count || som_motion_live_is_stale(panel->live)) {
        forget_finding(panel);
        return;
    }
    const SomFinding *finding = &record->found->findings.data[record->data->findings[band]];
    panel->band = band;
    panel->span_count = som_motion_finding_spans(record, finding, panel->spans);
    som_timeline_set_band(panel->timeline, band);
    som_playhead_pause(panel->head);
    som_playhead_seek(panel->head, record->data->model->data.bands[band].at);
    panel->rests = false;
    show_robot(panel);
    glow(panel, record, finding);
    mark_blocks(panel, record, finding);
    mark(panel);
    show_words(panel);
}

void som_motion_panel_step_finding(SomMotionPanel *panel, int direction) {
    const SomMotionRecord *record = motion_of(panel);
    if (record != NULL) {
        som_motion_panel_choose_finding(
            panel, som_timeline_model_next_band(record->data->model, panel->band, direction));
    }
}

const SomSpan *som_motion_panel_marked(SomMotionPanel *panel, int *count) {
    *count = panel->span_count;
    return panel->spans;
}

static void on_band(SomTimeline *timeline, int band, SomMotionPanel *panel) {
    (void)timeline;
    som_motion_panel_choose_finding(panel, band);
}

static void on_next(SomMotionPanel *panel) {
    som_motion_panel_step_finding(panel, 1);
}

static void on_previous(SomMotionPanel *panel) {
    som_motion_panel_step_finding(panel, -1);
}

// ---- rows and blocks

static void on_row(SomTimeline *timeline, int row, SomMotionPanel *panel) {
    (void)timeline;
    const SomMotionBlocks *map = blocks_of(panel);
    if (!panel->is_bound && row >= 0 && row < map->count && map->blocks[row] >= 0) {
        panel->is_bound = true;
        som_desk_select(panel->desk, map->blocks[row]);
        panel->is_bound = false;
    }
}

// A row of the block stays, if it is one of several.
static void show_selected(SomMotionPanel *panel) {
    const SomMotionBlocks *map = blocks_of(panel);
    int block = som_desk_selected(panel->desk), now = som_timeline_marked(panel->timeline);
    bool is_there = now >= 0 && now < map->count && map->blocks[now] == block;
    if (!panel->is_bound && map->blocks != NULL && !is_there) {
        som_timeline_set_marked(panel->timeline, som_motion_blocks_row(map, block));
    }
}

// ---- what changes

static void on_head(void *context, unsigned changes) {
    SomMotionPanel *panel = context;
    const SomMotionRecord *record = motion_of(panel);
    if ((changes & SOM_PLAYHEAD_TIME) != 0) {
        panel->rests = false;
        show_robot(panel);
    }
    if (panel->band >= 0 && record != NULL) {
        const SomTimelineBand *band = &record->data->model->data.bands[panel->band];
        double time = som_playhead_time(panel->head);
        if (som_playhead_is_playing(panel->head) || time < fmin(band->t0, band->at) - 1e-9 ||
            time > fmax(band->t1, band->at) + 1e-9) {
            forget_finding(panel);
        }
    }
}

static void show_nothing(SomMotionPanel *panel) {
    forget_finding(panel);
    som_motion_blocks_free(&panel->blocks);
    som_text_clear(&panel->behavior);
    som_timeline_set_model(panel->timeline, NULL);
    som_playhead_set_duration(panel->head, 0);
    show_robot(panel);
}

static void show_motion(SomMotionPanel *panel) {
    const SomMotionRecord *record = som_motion_live_record(panel->live);
    if (record == NULL) {
        show_nothing(panel);
        return;
    }
    bool plays = motion_of(panel) != NULL;
    SomStr behavior = som_text_str(&record->scene->texts.behavior);
    bool is_other = !som_str_equal(behavior, som_text_str(&panel->behavior));
    bool is_new = record->number != panel->number;
    if (is_new) {
        forget_finding(panel);
    }
    panel->number = record->number;
    som_motion_blocks_free(&panel->blocks);
    som_timeline_set_model(panel->timeline, plays ? record->data->model : NULL);
    som_playhead_set_duration(panel->head, som_motion_record_duration(record));
    if (is_other) {
        som_text_clear(&panel->behavior);
        som_text_add(&panel->behavior, behavior);
        som_playhead_seek(panel->head, 0);
        som_timeline_zoom(panel->timeline, 0, som_motion_record_duration(record));
    }
    show_selected(panel);
    show_robot(panel);
}

static void on_motion(void *context, unsigned changes) {
    SomMotionPanel *panel = context;
    if ((changes & SOM_MOTION_RECORD) != 0) {
        show_motion(panel);
    }
    show_state(panel);
}

static void on_desk(void *context, unsigned changes) {
    SomMotionPanel *panel = context;
    if ((changes & SOM_DESK_BLOCKS) != 0) {
        som_motion_blocks_free(&panel->blocks);
    }
    if ((changes & SOM_DESK_BLOCK) != 0) {
        show_selected(panel);
    }
    if ((changes & SOM_DESK_BEHAVIOR) != 0) {
        som_playhead_pause(panel->head);
        show_state(panel);
    }
}

static void on_project(void *context, unsigned changes) {
    SomMotionPanel *panel = context;
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        forget_finding(panel);
        show_robot(panel); // as it was, until there is another motion
        show_state(panel);
    } else if ((changes & SOM_PROJECT_POSTURE) != 0) {
        panel->rests = true;
        som_playhead_pause(panel->head);
        show_robot(panel);
    }
}

void som_motion_panel_set_shown(SomMotionPanel *panel, bool is_shown) {
    if (panel->is_shown == is_shown) {
        return;
    }
    panel->is_shown = is_shown;
    if (!is_shown) {
        som_playhead_pause(panel->head);
        forget_finding(panel);
    }
    panel->rests = false;
    som_motion_live_want(panel->live, is_shown);
    show_robot(panel);
    show_state(panel);
}

// ---- what there is

SomPlayhead *som_motion_panel_head(SomMotionPanel *panel) {
    return panel->head;
}

SomTimeline *som_motion_panel_timeline(SomMotionPanel *panel) {
    return panel->timeline;
}

const SomMotionLive *som_motion_panel_live(SomMotionPanel *panel) {
    return panel->live;
}

SomMotionRecord *som_motion_panel_record(SomMotionPanel *panel) {
    bool is_stale = som_motion_live_is_stale(panel->live) || !panel->is_shown;
    return is_stale ? NULL : (SomMotionRecord *)som_motion_live_record(panel->live); // counted
}

bool som_motion_panel_can_play(SomMotionPanel *panel) {
    return panel->is_shown && som_playhead_duration(panel->head) > 0;
}

const char *som_motion_panel_words(SomMotionPanel *panel) {
    return gtk_label_get_text(panel->status);
}

// ---- life

static void dispose(GObject *object) {
    SomMotionPanel *panel = SOM_MOTION_PANEL(object);
    g_clear_handle_id(&panel->timer, g_source_remove);
    if (panel->live != NULL) {
        som_project_unlisten(panel->project, on_project, panel);
        som_desk_unlisten(panel->desk, on_desk, panel);
        som_motion_live_unlisten(panel->live, on_motion, panel);
        som_playhead_unlisten(panel->head, on_head, panel);
        som_timeline_set_model(panel->timeline, NULL);
        som_motion_live_destroy(panel->live);
        panel->live = NULL;
    }
    G_OBJECT_CLASS(som_motion_panel_parent_class)->dispose(object);
}

static gboolean let_go(gpointer head) {
    som_playhead_destroy(head);
    return G_SOURCE_REMOVE;
}

static void finalize(GObject *object) {
    SomMotionPanel *panel = SOM_MOTION_PANEL(object);
    som_motion_blocks_free(&panel->blocks);
    g_idle_add(let_go, panel->head); // gestures may still hold widgets that listen to it
    som_text_free(&panel->behavior);
    G_OBJECT_CLASS(som_motion_panel_parent_class)->finalize(object);
}

static void som_motion_panel_class_init(SomMotionPanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    static const char *const names[SIGNALS] = {[MARKED] = "marked", [CHANGED] = "changed"};
    for (int i = 0; i < SIGNALS; i++) {
        signals[i] = g_signal_new(names[i], SOM_TYPE_MOTION_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
    }
}

static GtkWidget *make_steps(SomMotionPanel *panel) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *previous = som_icon_button("go-up-symbolic", "Previous finding (Shift+F4)");
    GtkWidget *next = som_icon_button("go-down-symbolic", "Next finding (F4)");
    g_signal_connect_swapped(previous, "clicked", G_CALLBACK(on_previous), panel);
    g_signal_connect_swapped(next, "clicked", G_CALLBACK(on_next), panel);
    gtk_box_append(GTK_BOX(box), previous);
    gtk_box_append(GTK_BOX(box), next);
    return box;
}

static GtkWidget *make_bar(SomMotionPanel *panel) {
    GtkWidget *bar = som_transport_new(panel->head);
    panel->icon = GTK_IMAGE(gtk_image_new());
    panel->spinner = GTK_SPINNER(gtk_spinner_new());
    panel->status = GTK_LABEL(gtk_label_new(""));
    gtk_label_set_ellipsize(panel->status, PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(panel->status, 0);
    gtk_widget_set_hexpand(GTK_WIDGET(panel->status), TRUE);
    panel->steps = make_steps(panel);
    GtkWidget *all[] = {GTK_WIDGET(panel->icon), GTK_WIDGET(panel->spinner),
                        GTK_WIDGET(panel->status), panel->steps};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        gtk_box_append(GTK_BOX(bar), all[i]);
    }
    gtk_widget_set_margin_start(bar, 6);
    gtk_widget_set_margin_end(bar, 6);
    gtk_widget_set_margin_bottom(bar, 6);
    return bar;
}

static void som_motion_panel_init(SomMotionPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->band = -1;
    panel->head = som_playhead_create();
    gtk_box_append(GTK_BOX(panel), make_bar(panel));
    GtkWidget *timeline = som_timeline_new(panel->head);
    panel->timeline = SOM_TIMELINE(timeline);
    gtk_widget_set_vexpand(timeline, TRUE);
    gtk_box_append(GTK_BOX(panel), timeline);
    g_signal_connect(timeline, "band-chosen", G_CALLBACK(on_band), panel);
    g_signal_connect(timeline, "row-chosen", G_CALLBACK(on_row), panel);
}

GtkWidget *som_motion_panel_new(SomDesk *desk, SomView *view) {
    SomMotionPanel *panel = g_object_new(SOM_TYPE_MOTION_PANEL, NULL);
    panel->desk = desk;
    panel->project = som_desk_project(desk);
    panel->view = view;
    panel->live = som_motion_live_create(desk);
    som_playhead_listen(panel->head, on_head, panel);
    som_motion_live_listen(panel->live, on_motion, panel);
    som_desk_listen(desk, on_desk, panel);
    som_project_listen(panel->project, on_project, panel);
    show_state(panel);
    return GTK_WIDGET(panel);
}
