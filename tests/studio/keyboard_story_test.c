// A small robot without the pointer: searched for, placed, turned, named, undone and saved by keys.

// SPDX-License-Identifier: Apache-2.0

#include "studio/library_panel.h"
#include "tests/studio/story.h"
#include "tests/suite.h"

static bool has_focus(SomWindow *window, GtkWidget *widget) {
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    return focus != NULL && (focus == widget || gtk_widget_is_ancestor(focus, widget));
}

// Presses a key until the focus is there: Tab goes on, F6 to the next panel, Down to the next row.
static void go_to(SomWindow *window, const char *key, GtkWidget *widget) {
    for (int i = 0; !has_focus(window, widget); i++) {
        ck_assert_msg(i < 20, "%s does not lead to the %s", key, G_OBJECT_TYPE_NAME(widget));
        som_ui_key(window, key);
    }
}

static void place(SomWindow *window, const char *name) {
    GtkWidget *panel = som_ui_find(window, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    GtkWidget *search = som_ui_find(panel, NULL, "Search the library");
    // in the panels, and not in the header
    bool is_inside = has_focus(window, gtk_widget_get_ancestor(panel, GTK_TYPE_PANED));
    go_to(window, is_inside ? "F6" : "Tab", is_inside ? panel : search);
    go_to(window, "<Shift>Tab", search);
    som_ui_key(window, "<Control>a");
    som_ui_type(window, name);
    SOM_UI_WAIT(som_ui_look_for(panel, "SomLibraryRow", name) != NULL);
    som_ui_settle(window);
    go_to(window, "Tab", som_ui_find(panel, "GtkListBox", NULL));
    som_ui_key(window, "Home");
    go_to(window, "Down", som_ui_find(panel, "SomLibraryRow", name));
    som_ui_key(window, "Return");
}

START_TEST(a_robot_is_built_by_keys_alone) {
    SomWindow *window = som_ui_window(NULL);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    place(window, "Chain3");
    SOM_UI_WAIT(som_story_modules(window) == 3); // the first part needs no place
    place(window, "SMORES");
    SOM_UI_WAIT(som_assembly_kind(assembly) == SOM_ASSEMBLY_ADD);
    SOM_UI_WAIT(som_assembly_candidate(assembly) != NULL);
    SomCandidate first = *som_assembly_candidate(assembly);
    som_ui_key(window, "bracketright"); // turns
    ck_assert(som_assembly_candidate(assembly)->roll != first.roll);
    som_ui_key(window, "Right"); // to another connector of the design
    const SomCandidate *next = som_assembly_candidate(assembly);
    ck_assert(next->module != first.module || next->connector != first.connector);
    som_ui_key(window, "Return");
    SOM_UI_WAIT(som_story_modules(window) == 4);
    g_autofree char *built = g_strdup(som_story_text(window));
    place(window, "SMORES");
    SOM_UI_WAIT(som_assembly_kind(assembly) == SOM_ASSEMBLY_ADD);
    som_ui_key(window, "Escape"); // left
    SOM_UI_WAIT(som_assembly_kind(assembly) == SOM_ASSEMBLY_IDLE);
    ck_assert_str_eq(som_story_text(window), built);
    ck_assert_int_eq(som_story_undo_all(window), 2);
    ck_assert_str_eq(som_story_text(window), "");
    som_story_redo_all(window);
    ck_assert_str_eq(som_story_text(window), built);
    som_ui_close(window);
}
END_TEST

START_TEST(what_is_selected_is_renamed_by_keys) {
    SomWindow *window = som_ui_window("walkbot");
    GtkWidget *view = GTK_WIDGET(som_window_view(window));
    SomProject *project = som_window_project(window);
    g_autofree char *first = g_strdup(som_story_text(window));
    go_to(window, "Tab", som_ui_find(window, NULL, "Search the library")); // through the header
    go_to(window, "F6", gtk_widget_get_parent(view));                      // with what lies over it
    go_to(window, "Tab", view);
    while (!som_str_equal(som_project_selected_part(project), SOM_STR("front_left"))) {
        int before = som_project_selected(project);
        som_ui_key(view, "Page_Down");
        ck_assert_int_ne(som_project_selected(project), before);
    }
    som_ui_key(view, "F2");
    SOM_UI_WAIT(GTK_IS_EDITABLE(gtk_window_get_focus(som_ui_top())));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), "paw");
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(strstr(som_story_text(window), "part paw") != NULL);
    som_ui_settle(window);
    som_story_undo_all(window);
    ck_assert_str_eq(som_story_text(window), first);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/keyboard_story", a_robot_is_built_by_keys_alone,
          what_is_selected_is_renamed_by_keys)
