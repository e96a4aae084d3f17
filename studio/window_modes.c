// SPDX-License-Identifier: Apache-2.0
#include "studio/window_modes.h"

#include "studio/block_panel.h"
#include "studio/builder_panel.h"
#include "studio/inspector.h"
#include "studio/library_panel.h"
#include "studio/simulate_page.h"
#include "studio/simulate_panel.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

#include <assert.h>

// ---- the table

typedef GtkWidget *(*Constructor)(SomWindow *window);

typedef struct Page {
    const char *name, *words; // of the tab
    Constructor make;         // NULL: there is none
} Page;

typedef struct Mode {
    const char *name, *words;
    Constructor left;
    Page side;                    // before the text
    Page below;                   // before the findings
    int side_width, below_height; // at first; 0: as they are
} Mode;

static void on_design(SomWindow *window, const char *name, const char *config) {
    SomWindow *shown = som_window_open_beside(window, name); // what is worked on here stays
    if (shown != NULL) {
        som_project_choose(shown->project, som_str(config));
    }
}

static GtkWidget *make_library(SomWindow *window) {
    GtkWidget *panel = som_library_panel_new(som_text_str(&window->library));
    som_library_panel_attach(SOM_LIBRARY_PANEL(panel), window->project, window->placing);
    g_signal_connect_swapped(panel, "chosen", G_CALLBACK(on_design), window);
    return panel;
}

static GtkWidget *make_inspector(SomWindow *window) {
    return som_inspector_new(window->project);
}

static GtkWidget *make_builder(SomWindow *window) {
    GtkWidget *panel = som_builder_panel_new(window->desk);
    som_window_join_builder(window, panel);
    return panel;
}

static GtkWidget *make_blocks(SomWindow *window) {
    return som_block_panel_new(window->desk);
}

static const Mode modes[SOM_MODES] = {
    [SOM_MODE_CONFIGURATION] = {.name = "configuration",
                                .words = "Configuration",
                                .left = make_library,
                                .side = {"inspector", "Inspector", make_inspector}},
    [SOM_MODE_BEHAVIORS] = {.name = "behaviors",
                            .words = "Behaviors",
                            .left = make_builder,
                            .side = {"blocks", "Blocks", make_blocks},
                            .below = {"timeline", "Timeline", som_window_make_motion},
                            .side_width = 420,
                            .below_height = 340},
    [SOM_MODE_SIMULATE] = {.name = "simulate",
                           .words = "Simulate",
                           .left = som_simulate_panel_new,
                           .below = {"run", "Run", som_simulate_page_new},
                           .below_height = 320},
};

bool som_mode_exists(SomMode mode) {
    return modes[mode].left != NULL;
}

// ---- what a mode shows

SomMode som_window_mode(const SomWindow *window) {
    return window->mode;
}

static void fill(SomWindow *window, AdwBin *place, Constructor make) {
    if (place != NULL && adw_bin_get_child(place) == NULL) {
        adw_bin_set_child(place, make(window));
    }
}

static AdwBin *place_in(GtkStack *stack, const char *name) {
    GtkWidget *child = name != NULL ? gtk_stack_get_child_by_name(stack, name) : NULL;
    return child != NULL ? ADW_BIN(child) : NULL;
}

static void set_shown(GtkStack *stack, const Page *page, bool is_shown) {
    AdwBin *place = place_in(stack, page->name);
    if (place != NULL) {
        gtk_stack_page_set_visible(gtk_stack_get_page(stack, GTK_WIDGET(place)), is_shown);
    }
}

static void show_pages(SomWindow *window) {
    const Mode *mode = &modes[window->mode];
    fill(window, place_in(window->lefts, mode->name), mode->left);
    fill(window, place_in(window->sides, mode->side.name), mode->side.make);
    fill(window, place_in(window->belows, mode->below.name), mode->below.make);
    for (int i = 0; i < SOM_MODES; i++) {
        set_shown(window->sides, &modes[i].side, i == (int)window->mode);
        set_shown(window->belows, &modes[i].below, i == (int)window->mode);
    }
    gtk_widget_set_visible(window->below_switch, mode->below.make != NULL);
    const SomModePages *last = &window->mode_pages[window->mode];
    if (last->side != NULL) {
        gtk_stack_set_visible_child(window->sides, last->side);
        gtk_stack_set_visible_child(window->belows, last->below);
    } else {
        gtk_stack_set_visible_child_name(window->sides,
                                         mode->side.make != NULL ? mode->side.name : "text");
        gtk_stack_set_visible_child_name(window->belows,
                                         mode->below.make != NULL ? mode->below.name : "findings");
    }
}

// ---- how much room it gives to its panels

static int extent_of(GtkPaned *paned) {
    bool is_across =
        gtk_orientable_get_orientation(GTK_ORIENTABLE(paned)) == GTK_ORIENTATION_HORIZONTAL;
    return is_across ? gtk_widget_get_width(GTK_WIDGET(paned))
                     : gtk_widget_get_height(GTK_WIDGET(paned));
}

static int end_size(GtkPaned *paned) {
    int extent = extent_of(paned);
    return extent > 0 ? MAX(extent - gtk_paned_get_position(paned), 0) : 0;
}

static void set_end_size(GtkPaned *paned, int size) {
    int extent = extent_of(paned);
    if (size > 0 && extent > size) {
        gtk_paned_set_position(paned, extent - size);
    }
}

static void leave(SomWindow *window) {
    window->mode_pages[window->mode] = (SomModePages){
        gtk_stack_get_visible_child(window->sides), gtk_stack_get_visible_child(window->belows),
        end_size(window->beside), end_size(window->column)};
}

static void make_room(SomWindow *window) {
    const SomModePages *last = &window->mode_pages[window->mode];
    const Mode *mode = &modes[window->mode];
    set_end_size(window->beside, last->side_width > 0 ? last->side_width : mode->side_width);
    set_end_size(window->column, last->below_height > 0 ? last->below_height : mode->below_height);
}

// ---- from one to another

static void on_mode(SomWindow *window) {
    const char *name = gtk_stack_get_visible_child_name(window->lefts);
    if (name == NULL || gtk_widget_in_destruction(GTK_WIDGET(window))) {
        return;
    }
    SomMode mode = SOM_MODE_CONFIGURATION;
    while (g_strcmp0(modes[mode].name, name) != 0 && mode + 1 < SOM_MODES) {
        mode++;
    }
    if (mode == window->mode) {
        return;
    }
    som_window_flush(window);
    leave(window);
    window->mode = mode;
    show_pages(window);
    make_room(window);
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    if (focus == NULL || !gtk_widget_get_mapped(focus)) {
        gtk_widget_grab_focus(GTK_WIDGET(window->view));
    }
    som_badge_set_muted(window->badge, mode != SOM_MODE_CONFIGURATION); // it is of the posture
    som_view_show_links(window->view, NULL);
    som_view_set_glow(window->view, NULL, 0);
    g_object_notify(G_OBJECT(window), "mode");
}

void som_window_set_mode(SomWindow *window, SomMode mode) {
    assert(som_mode_exists(mode));
    gtk_stack_set_visible_child_name(window->lefts, modes[mode].name);
}

// ---- actions

static void go_configuration(SomWindow *window) {
    som_window_set_mode(window, SOM_MODE_CONFIGURATION);
}

static void go_behaviors(SomWindow *window) {
    som_window_set_mode(window, SOM_MODE_BEHAVIORS);
}

static void go_simulate(SomWindow *window) {
    som_window_set_mode(window, SOM_MODE_SIMULATE);
}

static bool has_work(SomWindow *window) {
    return !som_window_shows_start(window);
}

static bool has_behaviors(SomWindow *window) {
    return has_work(window) && som_mode_exists(SOM_MODE_BEHAVIORS);
}

static bool has_simulate(SomWindow *window) {
    return has_work(window) && som_mode_exists(SOM_MODE_SIMULATE);
}

static const SomWindowAction actions[] = {
    {.name = "design.mode-configuration",
     .words = "Configuration",
     .keys = "<Alt>1",
     .run = go_configuration,
     .is_possible = has_work},
    {.name = "design.mode-behaviors",
     .words = "Behaviors",
     .keys = "<Alt>2",
     .run = go_behaviors,
     .is_possible = has_behaviors},
    {.name = "design.mode-simulate",
     .words = "Simulate",
     .keys = "<Alt>3",
     .run = go_simulate,
     .is_possible = has_simulate},
};
const SomWindowActions som_mode_actions = {"Modes", actions, G_N_ELEMENTS(actions)};

// ---- the switch

static GtkWidget *switcher_of(GtkStack *stack) {
    GtkWidget *switcher = gtk_stack_switcher_new();
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), stack);
    gtk_widget_set_margin_top(switcher, 6);
    gtk_widget_set_margin_bottom(switcher, 6);
    gtk_widget_set_halign(switcher, GTK_ALIGN_CENTER);
    return switcher;
}

GtkWidget *som_window_make_mode_switch(SomWindow *window) {
    GtkWidget *switcher = switcher_of(window->lefts);
    som_set_accessible_name(switcher, "Mode");
    return switcher;
}

void som_window_place_mode_switch(SomWindow *window) {
    int count = 0;
    for (int i = 0; i < SOM_MODES; i++) {
        count += som_mode_exists((SomMode)i) ? 1 : 0;
    }
    bool is_shown = count > 1 && has_work(window);
    gtk_widget_set_visible(window->mode_switch, is_shown && !window->is_narrow);
    gtk_widget_set_visible(window->narrow_mode_switch, is_shown && window->is_narrow);
}

// ---- layout

static void add_page(GtkStack *stack, const Page *page) {
    if (page->make != NULL) {
        gtk_stack_add_titled(stack, adw_bin_new(), page->name, page->words);
    }
}

static GtkWidget *make_side(SomWindow *window) {
    window->sides = GTK_STACK(gtk_stack_new());
    gtk_stack_set_hhomogeneous(window->sides, FALSE); // what is not seen needs no room
    for (int i = 0; i < SOM_MODES; i++) {
        add_page(window->sides, &modes[i].side);
    }
    window->source = SOM_SOURCE_PANEL(som_source_panel_new(window->project));
    gtk_stack_add_titled(window->sides, GTK_WIDGET(window->source), "text", "Text");
    gtk_widget_set_vexpand(GTK_WIDGET(window->sides), TRUE);
    window->side = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(window->side), switcher_of(window->sides));
    gtk_box_append(GTK_BOX(window->side), GTK_WIDGET(window->sides));
    gtk_widget_set_size_request(window->side, 240, -1);
    return window->side;
}

static void on_finding(SomFindingsPanel *panel, guint offset, SomWindow *window) {
    (void)panel;
    som_window_go_to(window, offset);
}

static GtkWidget *make_below(SomWindow *window) {
    window->belows = GTK_STACK(gtk_stack_new());
    gtk_stack_set_hhomogeneous(window->belows, FALSE);
    for (int i = 0; i < SOM_MODES; i++) {
        add_page(window->belows, &modes[i].below);
    }
    GtkWidget *findings = som_findings_panel_new(window->project);
    window->findings = SOM_FINDINGS_PANEL(findings);
    g_signal_connect(findings, "chosen", G_CALLBACK(on_finding), window);
    gtk_stack_add_titled(window->belows, findings, "findings", "Findings");
    gtk_widget_set_vexpand(GTK_WIDGET(window->belows), TRUE);
    window->below_switch = switcher_of(window->belows);
    window->below = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(window->below), window->below_switch);
    gtk_box_append(GTK_BOX(window->below), GTK_WIDGET(window->belows));
    gtk_widget_set_size_request(window->below, -1, 80);
    return window->below;
}

static GtkWidget *make_left(SomWindow *window) {
    window->lefts = GTK_STACK(gtk_stack_new());
    gtk_stack_set_hhomogeneous(window->lefts, FALSE);
    for (int i = 0; i < SOM_MODES; i++) {
        add_page(window->lefts, &(Page){modes[i].name, modes[i].words, modes[i].left});
    }
    gtk_widget_set_size_request(GTK_WIDGET(window->lefts), 180, -1);
    return GTK_WIDGET(window->lefts);
}

typedef enum Grower { START_GROWS, END_GROWS } Grower;

static GtkPaned *paned(GtkOrientation orientation, GtkWidget *start, GtkWidget *end, int position,
                       Grower grower) {
    GtkPaned *widget = GTK_PANED(gtk_paned_new(orientation));
    gtk_paned_set_start_child(widget, start);
    gtk_paned_set_end_child(widget, end);
    gtk_paned_set_shrink_start_child(widget, FALSE);
    gtk_paned_set_shrink_end_child(widget, FALSE);
    gtk_paned_set_resize_start_child(widget, grower == START_GROWS);
    gtk_paned_set_resize_end_child(widget, grower == END_GROWS);
    gtk_paned_set_position(widget, position);
    return widget;
}

GtkWidget *som_window_make_work(SomWindow *window, GtkWidget *center) {
    GtkWidget *below = make_below(window), *side = make_side(window), *left = make_left(window);
    window->column = paned(GTK_ORIENTATION_VERTICAL, center, below, 600, START_GROWS);
    window->beside =
        paned(GTK_ORIENTATION_HORIZONTAL, GTK_WIDGET(window->column), side, 640, START_GROWS);
    show_pages(window);
    g_signal_connect_object(window->lefts, "notify::visible-child", G_CALLBACK(on_mode), window,
                            G_CONNECT_SWAPPED);
    return GTK_WIDGET(
        paned(GTK_ORIENTATION_HORIZONTAL, left, GTK_WIDGET(window->beside), 240, END_GROWS));
}
