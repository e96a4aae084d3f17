// Tests for studio/library_panel.c: arguments of parts, designs beside the open file, copies.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "studio/library_panel.h"
#include "studio/library_row.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <unistd.h>

static GtkWidget *panel_of(SomWindow *window) {
    GtkWidget *panel = som_ui_find(window, "SomLibraryPanel", NULL);
    SOM_UI_WAIT(som_library_panel_is_complete(SOM_LIBRARY_PANEL(panel)));
    return panel;
}

static GtkWidget *row_of(SomWindow *window, const char *name) {
    GtkWidget *panel = panel_of(window);
    gtk_editable_set_text(GTK_EDITABLE(som_ui_find(panel, NULL, "Search the library")), name);
    SOM_UI_WAIT(som_ui_look_for(panel, "SomLibraryRow", name) != NULL);
    som_ui_settle(window);
    return som_ui_find(panel, "SomLibraryRow", name);
}

static bool has_text(SomWindow *window, const char *words) {
    return strstr(som_project_text(som_window_project(window)).data, words) != NULL;
}

START_TEST(a_part_is_given_arguments) {
    SomWindow *window = som_ui_window(NULL);
    GtkWidget *row = row_of(window, "Snake");
    som_ui_click(som_ui_find(row, NULL, "Arguments of Snake"));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkSpinButton", "n of Snake") != NULL);
    GtkWidget *field = som_ui_find(window, "GtkSpinButton", "n of Snake");
    gtk_widget_grab_focus(field);
    som_ui_key(field, "<Control>a");
    som_ui_type(field, "2\n");
    SOM_UI_WAIT(som_ui_says(row, "Snake(n = 2)"));
    som_ui_key(field, "Escape");
    gtk_widget_grab_focus(row);
    som_ui_key(window, "Return");
    SOM_UI_WAIT(has_text(window, "part snake : Snake(n = 2)"));
    ck_assert_int_eq(som_project_model(som_window_project(window))->configuration->module_count, 6);
    som_ui_close(window);
}
END_TEST

START_TEST(designs_beside_the_open_file_are_offered) {
    char folder[] = "/tmp/somite-beside-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    SomDiagnostics *diags = som_diagnostics_create();
    g_autofree char *robot = g_strdup_printf("%s/robot.som", folder);
    g_autofree char *finger = g_strdup_printf("%s/finger.som", folder);
    ck_assert(som_file_save(
        robot, SOM_STR("use \"smores.m3l\"\nconfig Robot {\n    part a : SMORES\n}\n"), diags));
    ck_assert(
        som_file_save(finger,
                      SOM_STR("use \"smores.m3l\"\nconfig OwnFinger {\n    part x, y : SMORES\n"
                              "    connect x.B to y.T\n}\n"),
                      diags));
    SomWindow *window = som_ui_window(robot);
    GtkWidget *row = row_of(window, "OwnFinger");
    ck_assert(som_ui_says(panel_of(window), "Beside this file"));
    gtk_widget_grab_focus(row);
    som_ui_key(window, "Return");
    som_ui_key(window, "Return");
    SOM_UI_WAIT(has_text(window, "part ownFinger : OwnFinger"));
    ck_assert(has_text(window, "use \"finger.som\""));
    som_ui_close(window);
    unlink(robot);
    unlink(finger);
    rmdir(folder);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_copy_is_opened_by_the_menu_and_pictures_come) {
    SomWindow *window = som_ui_window(NULL);
    GtkWidget *row = row_of(window, "Walkbot17");
    SomLibraryItem *item = som_library_row_item(SOM_LIBRARY_ROW(row));
    SOM_UI_WAIT(som_library_item_picture(item) != NULL);
    som_ui_click_at(row, 60, 20, 3);
    SOM_UI_WAIT(som_ui_look_for(window, "GtkModelButton", "Open a copy") != NULL);
    som_ui_click(som_ui_find(window, "GtkModelButton", "Open a copy"));
    SOM_UI_WAIT(som_project_model(som_window_project(window))->configuration != NULL);
    ck_assert_int_eq(som_project_model(som_window_project(window))->configuration->module_count,
                     17);
    ck_assert_uint_eq(som_project_path(som_window_project(window)).length, 0);
    // what was done is not replaced by another copy
    som_project_set_text(som_window_project(window), SOM_STR("# mine\n"));
    gtk_widget_grab_focus(row_of(window, "Walkbot17"));
    som_ui_key(window, "<Control>Return");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    SomWindow *other = SOM_WINDOW(som_ui_top());
    SOM_UI_WAIT(som_project_model(som_window_project(other))->configuration != NULL);
    ck_assert_str_eq(som_project_text(som_window_project(window)).data, "# mine\n");
    ck_assert(som_project_can_undo(som_window_project(window)));
    som_ui_close(other);
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/library_panel", a_part_is_given_arguments,
          designs_beside_the_open_file_are_offered, a_copy_is_opened_by_the_menu_and_pictures_come)
