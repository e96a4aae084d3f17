// Dialogs and menus as a person meets them. GTK's own dialogs lose memory, so leaks are not looked
// for.

// SPDX-License-Identifier: Apache-2.0

#include "tests/studio/ui.h"
#include "tests/suite.h"

START_TEST(the_menu_leads_to_the_window_of_keys) {
    SomWindow *window = som_ui_window("walkbot");
    som_ui_click(som_ui_find(window, "GtkMenuButton", "Main menu"));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkModelButton", "Keyboard shortcuts") != NULL);
    som_ui_click(som_ui_find(window, "GtkModelButton", "Keyboard shortcuts"));
    SOM_UI_WAIT(GTK_IS_SHORTCUTS_WINDOW(som_ui_top()));
    som_ui_settle(som_ui_top());
    ck_assert(som_ui_says(som_ui_top(), "Undo")); // on its first page
    som_ui_key(som_ui_top(), "<Control>f");
    som_ui_type(som_ui_top(), "save a");
    SOM_UI_WAIT(som_ui_says(som_ui_top(), "Save as…") && !som_ui_says(som_ui_top(), "Undo"));
    som_ui_key(som_ui_top(), "Escape"); // from the search
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "Escape");
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_close(window);
}
END_TEST

START_TEST(a_design_is_saved_and_opened_by_dialogs) {
    char folder[] = "/tmp/somite-window-story-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g_autofree char *typed = g_build_filename(folder, "copy-1.2", NULL);
    g_autofree char *path = g_strconcat(typed, ".som", NULL);
    SomWindow *window = som_ui_window("chain3");
    SomProject *project = som_window_project(window);
    ck_assert_uint_eq(som_project_path(project).length, 0);
    som_ui_key(window, "<Control>s");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), typed);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_project_path(project).length > 0);
    ck_assert_str_eq(som_project_path(project).data, path);
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    ck_assert(som_project_is_saved(project) && som_ui_says(window, "copy-1.2.som"));
    g_autofree char *saved = NULL;
    ck_assert(g_file_get_contents(path, &saved, NULL, NULL));
    ck_assert_str_eq(saved, som_project_text(project).data);
    som_ui_close(window);

    window = som_ui_window(NULL);
    som_ui_key(window, "<Control>o");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_type(som_ui_top(), path);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_ui_says(window, "copy-1.2.som"));
    som_ui_close(window);
    unlink(path);
    rmdir(folder);
}
END_TEST

START_TEST(a_dialog_is_left_by_escape) {
    SomWindow *window = som_ui_window("chain3");
    static const char *const keys[] = {"<Control>o", "<Control><Shift>s"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        som_ui_key(window, keys[i]);
        SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
        som_ui_settle(som_ui_top());
        som_ui_key(som_ui_top(), "Escape");
        SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    }
    ck_assert_uint_eq(som_project_path(som_window_project(window)).length, 0);
    som_ui_close(window);
}
END_TEST

// A copy of module types is no design, and would not be read as one.
START_TEST(a_copy_of_module_types_is_saved_as_such) {
    SomWindow *window = som_ui_window("smores");
    som_ui_key(window, "<Control>s");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    g_autofree char *name = gtk_file_chooser_get_current_name(GTK_FILE_CHOOSER(som_ui_top()));
    ck_assert_str_eq(name, "smores.m3l");
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "Escape");
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_close(window);
}
END_TEST

static void export_into(SomWindow *window, const char *folder) {
    som_ui_key(window, "<Control><Shift>e");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_settle(som_ui_top());
    som_ui_click(som_ui_find(som_ui_top(), "GtkButton", "Export…"));
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>l"); // the path is typed
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), folder);
    som_ui_key(som_ui_top(), "Return");
}

static void answer_replacing(SomWindow *window, const char *words) {
    SOM_UI_WAIT(som_ui_look_for(som_ui_top(), "GtkButton", "Replace") != NULL);
    som_ui_settle(som_ui_top());
    ck_assert(som_ui_says(som_ui_top(), "Replace files in"));
    som_ui_click(som_ui_find(som_ui_top(), "GtkButton", words));
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
}

static bool holds(const char *path, const char *words) {
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, words) != NULL;
}

START_TEST(a_folder_that_exists_is_exported_into_only_when_asked) {
    char folder[] = "/tmp/somite-window-story-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g_autofree char *made = g_build_filename(folder, "chain3_mjcf", NULL);
    g_autofree char *model = g_build_filename(made, "model.xml", NULL);
    g_autofree char *names = g_build_filename(made, "names.csv", NULL);
    SomWindow *window = som_ui_window("chain3");
    export_into(window, folder);
    SOM_UI_WAIT(g_file_test(names, G_FILE_TEST_EXISTS) && som_ui_top() == GTK_WINDOW(window));
    ck_assert(g_file_set_contents(model, "mine", -1, NULL));
    export_into(window, folder);
    answer_replacing(window, "Cancel");
    som_ui_settle(window);
    ck_assert(holds(model, "mine"));
    export_into(window, folder);
    answer_replacing(window, "Replace");
    SOM_UI_WAIT(holds(model, "<mujoco"));
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_close(window);
    unlink(model);
    unlink(names);
    rmdir(made);
    rmdir(folder);
}
END_TEST

SOM_SUITE("studio/dialog_story", the_menu_leads_to_the_window_of_keys,
          a_design_is_saved_and_opened_by_dialogs, a_dialog_is_left_by_escape,
          a_copy_of_module_types_is_saved_as_such,
          a_folder_that_exists_is_exported_into_only_when_asked)
