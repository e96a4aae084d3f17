// Tests for studio/placing.c and studio/library_panel.c: parts are dragged from the library, turned
// on the way and dropped; placed by keys; moved by their connectors.

// SPDX-License-Identifier: Apache-2.0

#include "studio/library_panel.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <stdlib.h>

// A picture of what is on the screen where SOM_UI_LOOK names a folder.
static void look(void *widget, const char *name) {
    const char *folder = getenv("SOM_UI_LOOK");
    if (folder != NULL) {
        g_autofree char *path = g_strdup_printf("%s/%s.png", folder, name);
        som_ui_save_picture(widget, path);
    }
}

static const SomConfiguration *design_of(SomWindow *window) {
    return som_project_model(som_window_project(window))->configuration;
}

// The row of the library with this name, which is searched for.
static GtkWidget *row_of(SomWindow *window, const char *name) {
    GtkWidget *panel = som_ui_find(window, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    GtkWidget *search = som_ui_find(panel, NULL, "Search the library");
    gtk_editable_set_text(GTK_EDITABLE(search), name);
    SOM_UI_WAIT(som_ui_look_for(panel, "SomLibraryRow", name) != NULL);
    som_ui_settle(window);
    return som_ui_find(panel, "SomLibraryRow", name);
}

// Where a connector is seen in the view.
static void find_connector(SomWindow *window, const char *module, const char *connector, double *x,
                           double *y) {
    const SomModel *model = som_project_model(som_window_project(window));
    SomView *view = som_window_view(window);
    int m = som_configuration_find_module(model->configuration, som_str(module));
    ck_assert_msg(m >= 0, "%s", module);
    int k =
        som_module_type_find_connector(model->configuration->modules[m].type, som_str(connector));
    SomPose pose = som_mechanism_connector_pose(model->mechanism, model->links, m, k);
    double depth;
    ck_assert(som_camera_project(som_view_camera(view), pose.position,
                                 gtk_widget_get_width(GTK_WIDGET(view)),
                                 gtk_widget_get_height(GTK_WIDGET(view)), x, y, &depth));
}

static const char *text_of(SomWindow *window) {
    return som_project_text(som_window_project(window)).data;
}

START_TEST(parts_are_dragged_into_the_view_and_turned_on_the_way) {
    SomWindow *window = som_ui_window(NULL);
    SomView *view = som_window_view(window);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    som_ui_carry(row_of(window, "Chain6"), view, 200, 200);
    ck_assert(som_assembly_is_first(assembly));
    look(window, "first_ghost");
    som_ui_release(view, 1);
    SOM_UI_WAIT(design_of(window) != NULL);
    ck_assert_int_eq(design_of(window)->module_count, 6);
    som_ui_settle(window);
    look(window, "first_part");

    double x, y;
    GtkWidget *row = row_of(window, "Chain3");
    find_connector(window, "chain6.front.middle", "L", &x, &y);
    som_ui_carry(row, view, x, y);
    const SomCandidate *candidate = som_assembly_candidate(assembly);
    ck_assert_ptr_nonnull(candidate);
    ck_assert(som_str_equal(design_of(window)->modules[candidate->module].path,
                            SOM_STR("chain6.front.middle")));
    ck_assert(som_ui_says(window, "chain6.front.middle.L ←"));
    look(window, "ghost");
    int angle = som_assembly_angle_index(assembly);
    som_ui_scroll(view, 1); // while the button is held
    ck_assert_int_eq(som_assembly_angle_index(assembly), angle + 1);
    som_ui_key(view, "bracketright");
    ck_assert_int_eq(som_assembly_angle_index(assembly), angle + 2);
    int own = som_assembly_candidate(assembly)->part_connector;
    som_ui_key(view, "Tab");
    ck_assert_int_ne(som_assembly_candidate(assembly)->part_connector, own);
    look(window, "turned_ghost");
    som_ui_release(view, 1);
    SOM_UI_WAIT(design_of(window)->module_count == 9);
    ck_assert_ptr_nonnull(strstr(text_of(window), "to chain6.front.middle.L at 180deg"));
    som_ui_settle(window);
    look(window, "dropped");
    som_ui_key(view, "<Control>z");
    som_ui_key(view, "<Control>z");
    ck_assert_uint_eq(som_project_text(som_window_project(window)).length, 0);
    som_ui_close(window);
}
END_TEST

START_TEST(what_is_dragged_can_be_left_and_put_beside) {
    SomWindow *window = som_ui_window("chain6");
    SomView *view = som_window_view(window);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    som_ui_carry(row_of(window, "Chain3"), view, 200, 200);
    ck_assert_ptr_nonnull(som_assembly_candidate(assembly));
    som_ui_key(view, "Escape");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_move(view, 220, 220);
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_release(view, 1);
    // over the text beside the view
    GtkWidget *row = row_of(window, "Chain3");
    som_ui_carry(row, view, 200, 200);
    som_ui_move(row, 10, 10);
    som_ui_release(row, 1);
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    ck_assert_int_eq(design_of(window)->module_count, 6);
    ck_assert(!som_project_can_undo(som_window_project(window)));
    // a part that fits nowhere says why
    som_ui_carry(row_of(window, "MTRAN"), view, 200, 200);
    ck_assert_ptr_null(som_assembly_candidate(assembly));
    look(window, "refused");
    ck_assert(som_ui_says(window, "no connector of a module of type 'MTRAN' fits"));
    som_ui_release(view, 1);
    ck_assert_int_eq(design_of(window)->module_count, 6);
    som_ui_close(window);
}
END_TEST

START_TEST(a_part_is_placed_by_keys_alone) {
    SomWindow *window = som_ui_window(NULL);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    GtkWidget *row = row_of(window, "Chain6");
    gtk_widget_grab_focus(row);
    som_ui_key(window, "Return"); // the first part is there at once
    SOM_UI_WAIT(design_of(window) != NULL);
    gtk_widget_grab_focus(row_of(window, "SMORES"));
    som_ui_key(window, "Return");
    SOM_UI_WAIT(som_assembly_candidate(assembly) != NULL);
    SomCandidate before = *som_assembly_candidate(assembly);
    som_ui_key(window, "Right");
    const SomCandidate *after = som_assembly_candidate(assembly);
    ck_assert(after->module != before.module || after->connector != before.connector);
    som_ui_key(window, "e");
    ck_assert_int_eq(som_assembly_angle_index(assembly), 1);
    som_ui_key(window, "Tab");
    look(window, "by_keys");
    som_ui_key(window, "Return");
    SOM_UI_WAIT(design_of(window)->module_count == 7);
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_double_click(row_of(window, "SMORES"));
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_ADD);
    som_ui_key(window, "Escape");
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_close(window);
}
END_TEST

START_TEST(a_part_is_moved_by_its_connector) {
    SomWindow *window = som_ui_window(NULL);
    SomView *view = som_window_view(window);
    som_project_set_text(som_window_project(window),
                         SOM_STR("use \"smores.m3l\"\nconfig Robot {\n    part a, b, c : SMORES\n"
                                 "    connect b.T to a.B\n    connect c.T to b.B\n}\n"));
    som_view_look_from(view, SOM_VIEW_CORNER);
    som_ui_settle(window);
    double x0, y0, x1, y1;
    const char *from = "R", *to = "R";
    find_connector(window, "c", from, &x0, &y0);
    if (som_view_hit(view, x0, y0).connector < 0) {
        from = to = "L";
        find_connector(window, "c", from, &x0, &y0);
    }
    find_connector(window, "a", to, &x1, &y1);
    ck_assert_int_ge(som_view_hit(view, x0, y0).connector, 0);
    ck_assert_int_ge(som_view_hit(view, x1, y1).connector, 0);
    som_ui_drag(view, x0, y0, x1, y1, 1);
    g_autofree char *moved = g_strdup_printf("connect c.%s to a.%s", from, to);
    ck_assert_msg(strstr(text_of(window), moved) != NULL, "%s", text_of(window));
    som_ui_key(view, "<Control>z");
    ck_assert_ptr_nonnull(strstr(text_of(window), "connect c.T to b.B"));
    som_ui_close(window);
}
END_TEST

START_TEST(a_connector_that_goes_while_it_is_pressed_moves_nothing) {
    SomWindow *window = som_ui_window(NULL);
    SomView *view = som_window_view(window);
    SomProject *project = som_window_project(window);
    som_project_set_text(project,
                         SOM_STR("use \"smores.m3l\"\nconfig One {\n    part a : SMORES\n}\n"));
    som_project_set_text(project,
                         SOM_STR("use \"smores.m3l\"\nconfig One {\n    part a, b : SMORES\n"
                                 "    connect b.T to a.B\n}\n"));
    som_view_look_from(view, SOM_VIEW_CORNER);
    som_ui_settle(window);
    double x, y;
    find_connector(window, "b", "R", &x, &y);
    if (som_view_hit(view, x, y).connector < 0) {
        find_connector(window, "b", "L", &x, &y);
    }
    ck_assert_int_eq(som_view_hit(view, x, y).module, 1);
    som_ui_move(view, x, y);
    som_ui_press(view, 1);
    som_project_undo(project);
    som_ui_move(view, x + 60, y);
    ck_assert_int_eq(som_assembly_kind(som_placing_assembly(som_window_placing(window))),
                     SOM_ASSEMBLY_IDLE);
    som_ui_release(view, 1);
    ck_assert_int_eq(design_of(window)->module_count, 1);
    som_ui_close(window);
}
END_TEST

START_TEST(two_clicks_on_connectors_connect_them) {
    SomWindow *window = som_ui_window("chain6");
    SomView *view = som_window_view(window);
    const SomAssembly *assembly = som_placing_assembly(som_window_placing(window));
    g_object_set(gtk_settings_get_default(), "gtk-double-click-time", 1, NULL); // each is one click
    double x, y;
    find_connector(window, "front.head", "R", &x, &y);
    const char *side = som_view_hit(view, x, y).connector >= 0 ? "R" : "L";
    find_connector(window, "front.head", side, &x, &y);
    ck_assert_int_ge(som_view_hit(view, x, y).connector, 0);
    som_ui_click_at(view, x, y, 1); // selects the module
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    som_ui_settle(window);
    som_ui_move(view, 5, 5);
    SOM_UI_WAIT(som_project_selected(som_window_project(window)) >= 0);
    som_ui_click_at(view, x, y, 1); // the connector of it
    SOM_UI_WAIT(som_assembly_kind(assembly) == SOM_ASSEMBLY_CONNECT);
    find_connector(window, "rear.tail", side, &x, &y);
    ck_assert_int_ge(som_view_hit(view, x, y).connector, 0);
    som_ui_move(view, x, y);
    look(window, "two_clicks");
    ck_assert_ptr_nonnull(som_assembly_candidate(assembly));
    som_ui_click_at(view, x, y, 1);
    ck_assert_int_eq(som_assembly_kind(assembly), SOM_ASSEMBLY_IDLE);
    // connected, the chain bent round, or refused with a reason
    ck_assert(design_of(window)->metrics.closures == 1 ||
              som_ui_says(window, "this cannot be done"));
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/placing", two_clicks_on_connectors_connect_them,
          parts_are_dragged_into_the_view_and_turned_on_the_way,
          what_is_dragged_can_be_left_and_put_beside, a_part_is_placed_by_keys_alone,
          a_part_is_moved_by_its_connector, a_connector_that_goes_while_it_is_pressed_moves_nothing)
