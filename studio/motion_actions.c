// SPDX-License-Identifier: Apache-2.0
// The page "Timeline" in a window: when it is shown, what it marks in the text, and its keys.
#include "studio/simulate_live.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

// ---- in the window

static void on_marked(SomMotionPanel *panel, SomWindow *window) {
    int count;
    const SomSpan *spans = som_motion_panel_marked(panel, &count);
    som_source_panel_set_marked(window->source, spans, count);
}

static void on_mode(SomWindow *window) {
    som_motion_panel_set_shown(window->motion, window->mode == SOM_MODE_BEHAVIORS);
    som_actions_refresh(window);
}

static void on_head(void *context, unsigned changes) {
    if ((changes & SOM_PLAYHEAD_STATE) != 0) {
        som_actions_refresh(context);
    }
}

static void on_changed(SomMotionPanel *panel, SomWindow *window) {
    som_findings_panel_set_motion(window->findings, som_motion_panel_record(panel));
}

// Of the list of all findings.
static void on_finding(SomFindingsPanel *list, int finding, SomWindow *window) {
    (void)list;
    SomMotionRecord *record = som_motion_panel_record(window->motion);
    int bands = record != NULL && record->data != NULL ? record->data->model->data.band_count : 0;
    for (int i = 0; i < bands; i++) {
        if (record->data->findings[i] == finding) {
            som_motion_panel_choose_finding(window->motion, i);
        }
    }
}

static void on_gone(SomWindow *window) {
    window->motion = NULL;
}

// Space plays in lists, too, which would select with it what is selected already. What is typed
// into, pressed or pops up has it for itself.
static gboolean on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                       SomWindow *window) {
    (void)keys;
    (void)code;
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    bool is_plain = (state & gtk_accelerator_get_default_mod_mask()) == 0;
    bool is_in_list = focus != NULL && gtk_widget_get_ancestor(focus, GTK_TYPE_LIST_VIEW) != NULL &&
                      gtk_widget_get_native(focus) == GTK_NATIVE(window) &&
                      !GTK_IS_EDITABLE(focus) && !GTK_IS_BUTTON(focus);
    return key == GDK_KEY_space && is_plain && is_in_list && window->mode == SOM_MODE_BEHAVIORS &&
           gtk_widget_activate_action(GTK_WIDGET(window), "motion.play", NULL);
}

static void listen_for_space(SomWindow *window) {
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), window);
    gtk_widget_add_controller(GTK_WIDGET(window), keys);
}

GtkWidget *som_window_make_motion(SomWindow *window) {
    GtkWidget *panel = som_motion_panel_new(window->desk, window->view);
    window->motion = SOM_MOTION_PANEL(panel);
    g_signal_connect(panel, "marked", G_CALLBACK(on_marked), window);
    g_signal_connect(panel, "changed", G_CALLBACK(on_changed), window);
    g_signal_connect(window->findings, "motion-chosen", G_CALLBACK(on_finding), window);
    g_signal_connect_swapped(panel, "destroy", G_CALLBACK(on_gone), window);
    g_signal_connect_object(window, "notify::mode", G_CALLBACK(on_mode), panel, 0);
    som_playhead_listen(som_motion_panel_head(window->motion), on_head, window);
    listen_for_space(window);
    return panel;
}

// ---- actions

// What plays: a run under physics where that is shown, else the motion that is predicted.
static bool shows_run(const SomWindow *window) {
    return window->mode == SOM_MODE_SIMULATE;
}

static SomPlayhead *head_of(SomWindow *window) {
    return shows_run(window) ? som_session_head(som_window_session(window))
                             : som_motion_panel_head(window->motion);
}

static bool can_step(SomWindow *window) {
    return window->motion != NULL && som_motion_panel_can_play(window->motion);
}

static bool can_play(SomWindow *window) {
    return shows_run(window) ? som_session_can_play(som_window_session(window)) : can_step(window);
}

static void play(SomWindow *window) {
    som_playhead_toggle(head_of(window));
}

static void loop(SomWindow *window) {
    som_playhead_set_loop(head_of(window), !som_playhead_loops(head_of(window)));
}

static void go_to_begin(SomWindow *window) {
    som_playhead_seek(head_of(window), 0);
}

static void go_to_next(SomWindow *window) {
    som_motion_panel_step_finding(window->motion, 1);
}

static void go_to_previous(SomWindow *window) {
    som_motion_panel_step_finding(window->motion, -1);
}

static const SomWindowAction actions[] = {
    {.name = "motion.play",
     .words = "Play and pause",
     .keys = "space",
     .run = play,
     .is_possible = can_play},
    {.name = "motion.begin",
     .words = "To the beginning",
     .keys = "<Control>Home",
     .run = go_to_begin,
     .is_possible = can_play},
    {.name = "motion.loop",
     .words = "Play again and again",
     .keys = "<Alt>l",
     .run = loop,
     .is_possible = can_play},
    {.name = "motion.next-finding",
     .words = "Next finding",
     .keys = "F4",
     .run = go_to_next,
     .is_possible = can_step},
    {.name = "motion.previous-finding",
     .words = "Previous finding",
     .keys = "<Shift>F4",
     .run = go_to_previous,
     .is_possible = can_step},
    {.name = "motion.scrub", .words = "To and fro in time", .keys = "Left Right"},
    {.name = "motion.edges", .words = "Where actions begin or end", .keys = "<Control>Left"},
    {.name = "motion.zoom", .words = "Zoom of the timeline", .keys = "plus minus 0"},
    {.name = "motion.rows", .words = "From action to action", .keys = "Up Down"},
    {.name = "motion.bands", .words = "From finding to finding, and choose", .keys = "n Return"},
};
const SomWindowActions som_motion_actions = {"Timeline", actions, G_N_ELEMENTS(actions)};
