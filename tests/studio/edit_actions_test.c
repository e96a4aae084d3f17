// Tests for studio/edit_actions.c: what is selected is removed, copied, mirrored, turned, renamed
// and replaced, by keys, menus and dialogs.

// SPDX-License-Identifier: Apache-2.0

#include "studio/library_panel.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <stdlib.h>

#define WALKER                                                                                     \
    "use \"chain6.som\"\nconfig Walker {\n    part body : Chain6\n    part leg : Chain3\n"         \
    "    connect leg.head.L to body.front.middle.L\n}\n"

static SomWindow *open_walker(void) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), SOM_STR(WALKER));
    som_ui_settle(window);
    return window;
}

static const char *text_of(SomWindow *window) {
    return som_project_text(som_window_project(window)).data;
}

static bool has_text(SomWindow *window, const char *words) {
    return strstr(text_of(window), words) != NULL;
}

static void select_module(SomWindow *window, const char *module) {
    SomProject *project = som_window_project(window);
    int found =
        som_configuration_find_module(som_project_model(project)->configuration, som_str(module));
    ck_assert_int_ge(found, 0);
    som_project_select(project, found);
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_settle(window);
}

START_TEST(keys_turn_mirror_and_remove_what_is_selected) {
    SomWindow *window = open_walker();
    SomProject *project = som_window_project(window);
    som_ui_key(window, "Delete"); // of nothing
    ck_assert(has_text(window, "part leg"));
    select_module(window, "leg.head");
    som_ui_key(window, "bracketright");
    ck_assert_msg(has_text(window, "connect leg.head.L to body.front.middle.L at 90deg"), "%s",
                  text_of(window));
    som_ui_key(window, "bracketleft");
    som_ui_key(window, "bracketleft");
    ck_assert(has_text(window, "body.front.middle.L at 270deg"));
    som_ui_key(window, "<Control>m");
    SOM_UI_WAIT(som_project_model(project)->configuration->module_count == 12);
    ck_assert_msg(has_text(window, "to body.front.middle.R"), "%s", text_of(window));
    ck_assert(!som_str_equal(som_project_selected_part(project), SOM_STR("leg")));
    som_ui_key(window, "Delete"); // the one that is new is selected
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 9);
    for (int i = 0; i < 5; i++) {
        som_ui_key(window, "<Control>z");
    }
    ck_assert_str_eq(text_of(window), WALKER);
    som_ui_close(window);
}
END_TEST

START_TEST(a_part_that_others_need_goes_with_them_if_that_is_wanted) {
    SomWindow *window = open_walker();
    SomProject *project = som_window_project(window);
    som_project_set_text(project,
                         SOM_STR("use \"smores.m3l\"\nconfig Robot {\n    part a, b, c : SMORES\n"
                                 "    connect b.T to a.B\n    connect c.T to b.B\n}\n"));
    select_module(window, "b");
    som_ui_key(window, "Delete");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    ck_assert(som_ui_says(som_ui_top(), "Remove “b” with all that needs it?"));
    som_ui_key(som_ui_top(), "Escape");
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 3);
    som_ui_key(window, "Delete");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_click(som_ui_find(som_ui_top(), "GtkButton", "Remove all"));
    SOM_UI_WAIT(som_project_model(project)->configuration->module_count == 1);
    som_ui_close(window);
}
END_TEST

START_TEST(parts_and_configurations_are_renamed) {
    SomWindow *window = open_walker();
    select_module(window, "leg.head");
    som_ui_key(window, "F2");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), "front_left\n");
    SOM_UI_WAIT(has_text(window, "connect front_left.head.L to"));
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_key(window, "<Shift>F2");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), "Runner\n");
    SOM_UI_WAIT(has_text(window, "config Runner {"));
    som_ui_close(window);
}
END_TEST

START_TEST(a_copy_is_placed_and_a_loop_connected_by_keys) {
    SomWindow *window = open_walker();
    SomProject *project = som_window_project(window);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    select_module(window, "leg.head");
    som_ui_key(window, "<Control>d");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_COPY);
    som_ui_key(window, "Return");
    SOM_UI_WAIT(som_project_model(project)->configuration->module_count == 12);
    som_ui_key(window, "<Control>g");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_MOVE);
    som_ui_key(window, "Escape");
    select_module(window, "leg.tail");
    som_ui_key(window, "<Control>l");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_CONNECT);
    int first = som_assembly_first_connector(assembly);
    som_ui_key(window, "Tab");
    ck_assert_int_ne(som_assembly_first_connector(assembly), first);
    som_ui_key(window, "Escape");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_close(window);
}
END_TEST

START_TEST(the_menu_of_a_module_and_replacing_it) {
    SomWindow *window = open_walker();
    SomProject *project = som_window_project(window);
    SomView *view = som_window_view(window);
    const SomModel *model = som_project_model(project);
    int leg = som_configuration_find_module(model->configuration, SOM_STR("leg.middle"));
    double x, y, depth;
    SomPose pose = som_mechanism_module_pose(model->mechanism, model->links, leg);
    ck_assert(som_camera_project(som_view_camera(view), pose.position,
                                 gtk_widget_get_width(GTK_WIDGET(view)),
                                 gtk_widget_get_height(GTK_WIDGET(view)), &x, &y, &depth));
    som_ui_click_at(view, x, y, 3);
    SOM_UI_WAIT(som_ui_look_for(window, "GtkModelButton", "Replace…") != NULL);
    ck_assert(som_str_equal(som_project_selected_part(project), SOM_STR("leg")));
    if (getenv("SOM_UI_LOOK") != NULL) {
        g_autofree char *path = g_strdup_printf("%s/menu.png", getenv("SOM_UI_LOOK"));
        som_ui_save_picture(window, path);
    }
    som_ui_click(som_ui_find(window, "GtkModelButton", "Replace…"));
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_settle(som_ui_top());
    som_ui_click(som_ui_find(som_ui_top(), NULL, "Search the library"));
    som_ui_key(som_ui_top(), "Escape"); // which an entry of a search takes to itself
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_key(window, "<Control>r");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    GtkWindow *dialog = som_ui_top();
    GtkWidget *panel = som_ui_find(dialog, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    gtk_editable_set_text(GTK_EDITABLE(som_ui_find(panel, NULL, "Search the library")), "Snake");
    SOM_UI_WAIT(som_ui_look_for(panel, "SomLibraryRow", "Snake") != NULL);
    som_ui_settle(dialog);
    som_ui_double_click(som_ui_find(panel, "SomLibraryRow", "Snake"));
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    // a snake has no head of its own: it is refused with a reason
    ck_assert(has_text(window, "part leg : Chain3"));
    SOM_UI_WAIT(som_ui_says(window, "this cannot be done"));
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/edit_actions", keys_turn_mirror_and_remove_what_is_selected,
          a_part_that_others_need_goes_with_them_if_that_is_wanted,
          parts_and_configurations_are_renamed, a_copy_is_placed_and_a_loop_connected_by_keys,
          the_menu_of_a_module_and_replacing_it)
