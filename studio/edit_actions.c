// SPDX-License-Identifier: Apache-2.0
#include "studio/edit_actions.h"

#include "language/name.h"
#include "studio/ask.h"
#include "studio/edit_dialogs.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"

// ---- what is selected

// A copy: operations free the configuration it is a name of. Empty if nothing is selected.
static char *copy_selected(SomWindow *window) {
    SomStr part = som_project_selected_part(som_window_project(window));
    return som_c_string(part);
}

static bool has_part(SomWindow *window) {
    return som_project_selected_part(som_window_project(window)).length > 0;
}

static bool has_design(SomWindow *window) {
    return som_project_model(som_window_project(window))->configuration != NULL;
}

static bool has_module(SomWindow *window) {
    return som_project_selected(som_window_project(window)) >= 0;
}

// ---- removing

static bool remove_part(SomWindow *window, bool with_all) {
    SomProject *project = som_window_project(window);
    g_autofree char *part = copy_selected(window);
    return som_design_remove_part(som_project_design(project), som_project_choice(project),
                                  som_str(part), with_all);
}

static void remove_all(SomWindow *window) {
    som_project_edited(som_window_project(window), remove_part(window, true));
}

// What needs the part is told first, and goes with it if that is wanted.
static void remove_selected(SomWindow *window) {
    SomProject *project = som_window_project(window);
    if (remove_part(window, false)) {
        som_project_edited(project, true);
        return;
    }
    int count;
    const SomDiagnostic *all =
        som_diagnostics_get(som_design_refusal(som_project_design(project)), &count);
    SomText why = {0};
    for (int i = 0; i < count; i++) {
        if (all[i].kind != SOM_DIAGNOSTIC_FIX) {
            som_text_printf(&why, "%s%.*s", i > 0 ? "\n" : "", SOM_STR_ARG(all[i].message));
        }
    }
    g_autofree char *part = copy_selected(window);
    g_autofree char *heading = g_strdup_printf("Remove “%s” with all that needs it?", part);
    const SomReply answers[] = {{"_Cancel", NULL, SOM_REPLY_PLAIN},
                                {"_Remove all", remove_all, SOM_REPLY_DESTROYS}};
    som_ask(window, heading, som_text_str(&why).data, answers, 2);
    som_text_free(&why);
}

// ---- in the view

static void duplicate(SomWindow *window) {
    g_autofree char *part = copy_selected(window);
    som_placing_begin_copy(som_window_placing(window), som_str(part));
}

static void move(SomWindow *window) {
    som_placing_begin_move(som_window_placing(window),
                           som_project_selected(som_window_project(window)));
}

static void turn_on(SomWindow *window) {
    som_placing_turn(som_window_placing(window), 1);
}

static void turn_back(SomWindow *window) {
    som_placing_turn(som_window_placing(window), -1);
}

static void connect(SomWindow *window) {
    som_placing_begin_connect(som_window_placing(window),
                              som_project_selected(som_window_project(window)), -1);
}

// ---- at once

static void mirror(SomWindow *window) {
    SomProject *project = som_window_project(window);
    SomDesign *design = som_project_design(project);
    g_autofree char *part = copy_selected(window);
    bool done =
        som_design_mirror_part(design, som_project_choice(project), som_str(part), SOM_STR(""));
    SomText name = {0};
    som_name_print(&name, som_design_new_name(design));
    if (som_project_edited(project, done)) {
        const SomConfiguration *c = som_project_model(project)->configuration;
        int made = som_configuration_find_part(c, som_text_str(&name));
        som_project_select(project, made > 0 ? c->parts[made].first_module : -1);
    }
    som_text_free(&name);
}

// The connection of the part that can be done without, else the one it hangs by; -1 if it has none
// that the design makes itself.
static int find_connection(SomProject *project) {
    const SomConfiguration *c = som_project_model(project)->configuration;
    int part = som_project_selected_part_index(project), found = -1;
    for (int i = 0; part > 0 && i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        int first = c->parts[part].first_module, end = first + c->parts[part].module_count;
        bool has_a = k->module_a >= first && k->module_a < end;
        bool has_b = k->module_b >= first && k->module_b < end;
        if (k->part == 0 && has_a != has_b && (found < 0 || k->is_closure)) {
            found = i;
        }
    }
    return found;
}

static void disconnect(SomWindow *window) {
    SomProject *project = som_window_project(window);
    int connection = find_connection(project);
    if (connection < 0) {
        som_window_tell(window, "Nothing connects this part in the design itself");
        return;
    }
    const SomConfiguration *c = som_project_model(project)->configuration;
    const SomConnection *k = &c->connections[connection];
    SomText a = {0}, b = {0};
    som_configuration_print_connector(c, k->module_a, k->connector_a, &a);
    som_configuration_print_connector(c, k->module_b, k->connector_b, &b);
    som_project_edited(project, som_design_disconnect(som_project_design(project),
                                                      som_project_choice(project), som_text_str(&a),
                                                      som_text_str(&b)));
    som_text_free(&a);
    som_text_free(&b);
}

static const SomWindowAction edit_actions[] = {
    {.name = "design.rename",
     .words = "Rename…",
     .keys = "F2",
     .run = som_edit_rename,
     .is_possible = has_part},
    {.name = "design.rename-config",
     .words = "Rename the configuration…",
     .keys = "<Shift>F2",
     .run = som_edit_rename_config,
     .is_possible = has_design},
    {.name = "design.duplicate",
     .words = "Duplicate",
     .keys = "<Control>d",
     .run = duplicate,
     .is_possible = has_part},
    {.name = "design.mirror",
     .words = "Mirror",
     .keys = "<Control>m",
     .run = mirror,
     .is_possible = has_part},
    {.name = "design.replace",
     .words = "Replace…",
     .keys = "<Control>r",
     .run = som_edit_replace,
     .is_possible = has_part},
    {.name = "design.move",
     .words = "Move",
     .keys = "<Control>g",
     .run = move,
     .is_possible = has_module},
    {.name = "design.turn",
     .words = "Turn",
     .keys = "bracketright",
     .run = turn_on,
     .is_possible = has_module},
    {.name = "design.turn-back",
     .words = "Turn back",
     .keys = "bracketleft",
     .run = turn_back,
     .is_possible = has_module},
    {.name = "design.connect",
     .words = "Connect",
     .keys = "<Control>l",
     .run = connect,
     .is_possible = has_module},
    {.name = "design.disconnect",
     .words = "Disconnect",
     .keys = "<Control><Shift>l",
     .run = disconnect,
     .is_possible = has_part},
    {.name = "design.remove",
     .words = "Remove",
     .keys = "Delete",
     .run = remove_selected,
     .is_possible = has_part},
};
const SomWindowActions som_edit_actions = {"Parts", edit_actions, G_N_ELEMENTS(edit_actions)};

// ---- the menu, in the view and where it is asked for

GMenuModel *som_edit_menu(void) {
    static const char *const of_parts[] = {"design.rename", "design.duplicate", "design.mirror",
                                           "design.replace", NULL};
    static const char *const of_places[] = {"design.move",       "design.turn",
                                            "design.turn-back",  "design.connect",
                                            "design.disconnect", NULL};
    static const char *const of_ends[] = {"design.remove", NULL};
    static const char *const *const sections[] = {of_parts, of_places, of_ends};
    GMenu *menu = g_menu_new();
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        g_autoptr(GMenu) section = som_action_menu(sections[i]);
        g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
    }
    return G_MENU_MODEL(menu);
}

static void pop_up(GtkPopover *menu, double x, double y) {
    gtk_popover_set_pointing_to(menu, &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(menu);
}

static void on_secondary(GtkGestureClick *click, int presses, double x, double y,
                         GtkPopover *menu) {
    (void)presses;
    SomView *view = SOM_VIEW(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(click)));
    SomProject *project = som_window_project(SOM_WINDOW(gtk_widget_get_root(GTK_WIDGET(view))));
    int module = som_view_hit(view, x, y).module;
    if (module >= 0) {
        som_project_select(project, module);
        pop_up(menu, x, y);
    }
}

static gboolean on_menu_key(GtkWidget *widget, GVariant *unused, gpointer menu) {
    (void)unused;
    SomWindow *window = SOM_WINDOW(gtk_widget_get_root(widget));
    if (!has_part(window)) {
        return FALSE;
    }
    pop_up(menu, gtk_widget_get_width(widget) / 2.0, gtk_widget_get_height(widget) / 2.0);
    return TRUE;
}

void som_edit_menu_attach(SomWindow *window, SomView *view) {
    (void)window;
    g_autoptr(GMenuModel) model = som_edit_menu();
    GtkWidget *menu = gtk_popover_menu_new_from_model(model);
    gtk_popover_set_has_arrow(GTK_POPOVER(menu), FALSE);
    gtk_widget_set_halign(menu, GTK_ALIGN_START);
    gtk_widget_set_parent(menu, GTK_WIDGET(view));
    g_signal_connect_swapped(view, "destroy", G_CALLBACK(gtk_widget_unparent), menu);
    GtkGesture *secondary = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(secondary), GDK_BUTTON_SECONDARY);
    g_signal_connect(secondary, "released", G_CALLBACK(on_secondary), menu);
    gtk_widget_add_controller(GTK_WIDGET(view), GTK_EVENT_CONTROLLER(secondary));
    GtkEventController *keys = gtk_shortcut_controller_new();
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Menu|<Shift>F10"),
                         gtk_callback_action_new(on_menu_key, menu, NULL)));
    gtk_widget_add_controller(GTK_WIDGET(view), keys);
}
