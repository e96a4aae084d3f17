// SPDX-License-Identifier: Apache-2.0
// The panels round the view, shown and hidden: by the user, and where there is no room for all.

#include "studio/window_actions.h"
#include "studio/window_internal.h"

// Below this width there is room for one panel beside the view. More than all of them need at
// least, or the window could never become so narrow. Pixels.
#define NARROW 920

enum { SHOWS_LIBRARY = 1, SHOWS_SIDE, SHOWS_FINDINGS, PANELS, MODE = PANELS, PROPERTIES };
static GParamSpec *properties[PROPERTIES];

static const struct {
    const char *name;
    const char *words;
} panel_properties[PANELS] = {
    [SHOWS_LIBRARY] = {"shows-library", "the library beside the view"},
    [SHOWS_SIDE] = {"shows-side", "inspector or text beside the view"},
    [SHOWS_FINDINGS] = {"shows-findings", "findings below the view"},
};

static GtkWidget *panel_of(const SomWindow *window, guint id) {
    return id == SHOWS_LIBRARY ? GTK_WIDGET(window->lefts)
           : id == SHOWS_SIDE  ? window->side
                               : window->below;
}

static void show_panel(SomWindow *window, guint id, bool is_shown) {
    GtkWidget *panel = panel_of(window, id);
    if (gtk_widget_get_visible(panel) != is_shown) {
        gtk_widget_set_visible(panel, is_shown);
        g_object_notify_by_pspec(G_OBJECT(window), properties[id]);
    }
    if (is_shown && window->is_narrow && id != SHOWS_FINDINGS) {
        show_panel(window, id == SHOWS_LIBRARY ? SHOWS_SIDE : SHOWS_LIBRARY, false);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    (void)spec;
    show_panel(SOM_WINDOW(object), id, g_value_get_boolean(value));
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    (void)spec;
    SomWindow *window = SOM_WINDOW(object);
    if (id == MODE) {
        g_value_set_int(value, (int)window->mode);
    } else {
        g_value_set_boolean(value, gtk_widget_get_visible(panel_of(window, id)));
    }
}

static gboolean on_width(gpointer data) {
    SomWindow *window = data;
    bool is_narrow = gtk_widget_get_width(GTK_WIDGET(window)) < NARROW;
    if (window->is_narrow != is_narrow && window->project != NULL) {
        window->is_narrow = is_narrow;
        show_panel(window, SHOWS_SIDE, !is_narrow);
        show_panel(window, SHOWS_LIBRARY, true);
        som_window_place_mode_switch(window);
    }
    return G_SOURCE_REMOVE;
}

// Panels come and go when the layout is done, not while it is made.
void som_window_allocated(SomWindow *window, int width) {
    if (window->is_narrow != (width < NARROW)) {
        g_idle_add_full(G_PRIORITY_HIGH_IDLE, on_width, g_object_ref(window), g_object_unref);
    }
}

void som_window_install_panels(GObjectClass *klass) {
    klass->set_property = set_property;
    klass->get_property = get_property;
    for (guint i = 1; i < PANELS; i++) {
        properties[i] = g_param_spec_boolean(
            panel_properties[i].name, NULL, panel_properties[i].words, TRUE,
            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    }
    properties[MODE] =
        g_param_spec_int("mode", NULL, "which SomMode is shown", 0, SOM_MODES - 1, 0,
                         G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(klass, PROPERTIES, properties);
}

// ---- pages of panels

void som_window_show_findings(SomWindow *window) {
    show_panel(window, SHOWS_FINDINGS, true);
    gtk_stack_set_visible_child_name(window->belows, "findings");
}

static void show_side(SomWindow *window, const char *name) {
    show_panel(window, SHOWS_SIDE, true);
    gtk_stack_set_visible_child_name(window->sides, name);
}

void som_window_go_to(SomWindow *window, uint32_t offset) {
    show_side(window, "text");
    som_source_panel_go_to(window->source, offset);
}

static void show_text(SomWindow *window) {
    show_side(window, "text");
    gtk_widget_child_focus(gtk_stack_get_visible_child(window->sides), GTK_DIR_TAB_FORWARD);
}

static void go_to_view(SomWindow *window) {
    gtk_widget_grab_focus(GTK_WIDGET(window->view));
}

static const SomWindowAction panel_actions[] = {
    {.name = "design.show-library", .words = "Library", .keys = "F9", .property = "shows-library"},
    {.name = "design.show-side",
     .words = "Inspector and text",
     .keys = "<Shift>F9",
     .property = "shows-side"},
    {.name = "design.show-findings",
     .words = "Findings",
     .keys = "<Control>F9",
     .property = "shows-findings"},
    {.name = "design.go-to-text",
     .words = "Go to the text",
     .keys = "<Control>e",
     .run = show_text},
    {.name = "design.go-to-view",
     .words = "Go to the view",
     .keys = "<Control><Shift>v",
     .run = go_to_view},
    {.name = "design.shortcuts",
     .words = "Keyboard shortcuts",
     .keys = "<Control>question <Control>F1",
     .run = som_actions_show_shortcuts},
};
const SomWindowActions som_panel_actions = {"Window", panel_actions, G_N_ELEMENTS(panel_actions)};
