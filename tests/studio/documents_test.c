// Designs and their files in the studio, as a person meets them: closing, files that other programs
// change, files dropped and opened twice, and work that was not saved. GTK's dialogs lose memory,
// so leaks are not looked for.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "studio/application.h"
#include "studio/window_modes.h"
#include "tests/studio/ui.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAIR                                                                                       \
    "use \"smores.m3l\"\r\nconfig Pair {\r\n    part a, b : SMORES\r\n    connect a.B to "         \
    "b.T\r\n}\r\n"
#define ONE "use \"smores.m3l\"\nconfig One { part a : SMORES }\n"

static char folder[64], path[128];

static void write_file(const char *text) {
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_file_save(path, som_str(text), diags));
    som_diagnostics_destroy(diags);
}

static char *read_file(void) {
    char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

// A folder for the file, and for drafts and settings: what a test that failed leaves is not found.
static void make_folder(void) {
    strcpy(folder, "/tmp/somite-documents-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    g_snprintf(path, sizeof path, "%s/pair.som", folder);
    g_setenv("XDG_STATE_HOME", folder, TRUE);
    g_setenv("XDG_CONFIG_HOME", folder, TRUE);
    write_file(PAIR);
}

static SomApplication *start(void) {
    if (folder[0] == '\0') {
        make_folder();
    }
    if (!gtk_is_initialized()) {
        som_ui_start();
    }
    SomApplication *application = som_application_new(false);
    ck_assert(g_application_register(G_APPLICATION(application), NULL, NULL));
    return application;
}

static void end(SomApplication *application) {
    G_APPLICATION_GET_CLASS(application)->shutdown(G_APPLICATION(application)); // as after its loop
}

static void clean(void) {
    g_autofree char *line = g_strdup_printf("rm -r '%s'", folder);
    ck_assert_int_eq(system(line), 0);
}

static SomWindow *show(SomApplication *application, const char *design) {
    SomWindow *window = som_window_new(GTK_APPLICATION(application));
    ck_assert(som_window_open(window, design));
    gtk_window_present(GTK_WINDOW(window));
    SOM_UI_WAIT(som_view_frames(som_window_view(window)) > 0);
    som_ui_settle(window);
    return window;
}

// A window with a file, whose text has Windows' ends of lines and whose permissions are unusual.
static SomWindow *open_file(SomApplication *application) {
    ck_assert_int_eq(chmod(path, 0640), 0);
    return show(application, path);
}

static bool is_gone(SomWindow *window) {
    GListModel *all = gtk_window_get_toplevels();
    for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
        g_autoptr(GtkWidget) each = g_list_model_get_item(all, i);
        if (each == GTK_WIDGET(window)) {
            return false;
        }
    }
    return true;
}

static bool has_text(SomWindow *window, const char *text) {
    return som_str_equal(som_project_text(som_window_project(window)), som_str(text));
}

static void type_remark(SomWindow *window) {
    som_ui_key(window, "<Control>e");
    som_ui_key(window, "<Control>Home");
    som_ui_type(window, "# more\n");
    SOM_UI_WAIT(!som_project_is_saved(som_window_project(window)));
}

static void answer(const char *words) {
    SOM_UI_WAIT(ADW_IS_MESSAGE_DIALOG(som_ui_top()));
    som_ui_settle(som_ui_top());
    g_autoptr(GtkWindow) dialog = g_object_ref(som_ui_top());
    GtkWidget *button = som_ui_find(dialog, "GtkButton", words);
    ck_assert(gtk_widget_get_sensitive(button));
    gtk_widget_activate(button); // the window that a click is sent to may go with it
    SOM_UI_WAIT(!gtk_widget_get_mapped(GTK_WIDGET(dialog)));
}

START_TEST(closing_asks_where_something_is_not_saved) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    type_remark(window);
    ck_assert(som_ui_says(window, "• pair.som"));
    som_ui_key(window, "<Control>w");
    answer("Cancel");
    ck_assert(!is_gone(window) && !som_project_is_saved(som_window_project(window)));
    som_ui_key(window, "<Control>w");
    answer("Save");
    SOM_UI_WAIT(is_gone(window));
    g_autofree char *text = read_file();
    ck_assert_str_eq(text, "# more\n" PAIR); // other ends of lines are as they were
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0640);

    window = show(application, path);
    type_remark(window);
    som_ui_key(window, "<Control>w");
    answer("Discard");
    SOM_UI_WAIT(is_gone(window));
    g_autofree char *same = read_file();
    ck_assert_str_eq(same, text);
    end(application);
    clean();
}
END_TEST

static void hold(GtkWidget *widget, GPtrArray *held) {
    g_ptr_array_add(held, g_object_ref(widget));
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        hold(child, held);
    }
}

// As those are that the key which closes it is told to: they go after the window.
START_TEST(widgets_may_be_held_while_their_window_goes) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    for (SomMode mode = SOM_MODE_BEHAVIORS; mode < SOM_MODES; mode++) {
        som_window_set_mode(window, mode); // its panels are made
        som_ui_settle(window);
    }
    GPtrArray *held = g_ptr_array_new_with_free_func(g_object_unref);
    hold(gtk_window_get_child(GTK_WINDOW(window)), held);
    ck_assert_uint_gt(held->len, 100);
    g_object_add_weak_pointer(G_OBJECT(window), (gpointer *)&window);
    gtk_window_destroy(GTK_WINDOW(window));
    ck_assert_ptr_null(window);
    g_ptr_array_unref(held);
    end(application);
    clean();
}
END_TEST

START_TEST(what_another_program_writes_is_read_and_can_be_undone) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    write_file(ONE);
    SOM_UI_WAIT(has_text(window, ONE));
    ck_assert(som_project_is_saved(som_window_project(window)));
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(has_text(window, PAIR));
    ck_assert(!som_project_is_saved(som_window_project(window)));
    som_ui_key(window, "<Control><Shift>z");
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)));
    unlink(path);
    SOM_UI_WAIT(!som_project_is_saved(som_window_project(window)));
    SOM_UI_WAIT(som_ui_says(window, "no longer on the disk"));
    som_ui_key(window, "<Control>s");
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)) && som_file_exists(path));
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

START_TEST(what_is_not_saved_is_not_replaced_without_a_question) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    type_remark(window);
    write_file(ONE);
    answer("Keep mine");
    ck_assert(has_text(window, "# more\n" PAIR));
    ck_assert(!som_project_is_saved(som_window_project(window)));
    write_file(PAIR);
    answer("Reload");
    SOM_UI_WAIT(has_text(window, PAIR));
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(has_text(window, "# more\n" PAIR));
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

// The window is not told of the change: a program that writes while the question is open.
START_TEST(saving_over_a_newer_file_asks) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    type_remark(window);
    write_file(ONE);
    gtk_widget_activate_action(GTK_WIDGET(window), "design.save", NULL);
    SOM_UI_WAIT(ADW_IS_MESSAGE_DIALOG(som_ui_top()));
    g_autofree char *theirs = read_file();
    ck_assert_str_eq(theirs, ONE);
    answer("Replace");
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)));
    g_autofree char *ours = read_file();
    ck_assert_str_eq(ours, "# more\n" PAIR);
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

START_TEST(a_file_is_opened_in_one_window) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    SomWindow *other = show(application, "chain3");
    g_autofree char *way = g_strdup_printf("%s/../%s/pair.som", folder, strrchr(folder, '/') + 1);
    som_window_open_beside(other, way);
    ck_assert_ptr_eq(som_window_find(path), window);
    ck_assert_uint_eq(g_list_length(gtk_application_get_windows(GTK_APPLICATION(application))), 2);
    som_window_open_beside(other, "walkbot"); // not in the place of another design
    ck_assert_uint_eq(g_list_length(gtk_application_get_windows(GTK_APPLICATION(application))), 3);
    ck_assert_uint_eq(som_project_path(som_window_project(other)).length, 0);
    while (gtk_application_get_windows(GTK_APPLICATION(application)) != NULL) {
        gtk_window_destroy(gtk_application_get_windows(GTK_APPLICATION(application))->data);
    }
    end(application);
    clean();
}
END_TEST

// Closing and saving, and no answer to where to: later it is only saved.
START_TEST(a_window_whose_closing_was_left_stays) {
    SomApplication *application = start();
    SomWindow *window = show(application, "chain3");
    type_remark(window);
    som_ui_key(window, "<Control>w");
    answer("Save");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "Escape");
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_key(window, "<Control>s");
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>a");
    g_autofree char *copy = g_build_filename(folder, "copy.som", NULL);
    som_ui_type(som_ui_top(), copy);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_file_exists(copy));
    SOM_UI_WAIT(!GTK_IS_FILE_CHOOSER(som_ui_top()));
    ck_assert(!is_gone(window) && som_project_is_saved(som_window_project(window)));
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

// As a studio that was killed leaves it.
static void leave_draft(const SomDraft *draft) {
    g_autofree char *way = g_build_filename(g_get_user_state_dir(), "somite", "drafts", NULL);
    SomDiagnostics *diags = som_diagnostics_create();
    SomDrafts *drafts = som_drafts_create(som_str(way), diags);
    som_drafts_keep(drafts, som_drafts_open(drafts), draft);
    som_drafts_destroy(drafts);
    som_diagnostics_destroy(diags);
}

START_TEST(restored_work_does_not_replace_what_another_program_wrote_since) {
    make_folder();
    leave_draft(&(SomDraft){
        .path = som_str(path), .saved = SOM_STR(PAIR), .text = SOM_STR("# mine\n" PAIR)});
    write_file(ONE);
    SomApplication *application = start();
    g_application_activate(G_APPLICATION(application));
    SomWindow *window = SOM_WINDOW(gtk_application_get_active_window(GTK_APPLICATION(application)));
    SOM_UI_WAIT(som_window_is_drawn(window));
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkButton", "Restore pair.som"));
    SOM_UI_WAIT(has_text(window, "# mine\n" PAIR));
    answer("Reload");
    SOM_UI_WAIT(has_text(window, ONE));
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(has_text(window, "# mine\n" PAIR));
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

START_TEST(work_that_was_not_saved_is_offered_and_restored) {
    make_folder();
    g_autofree char *drafts_folder =
        g_build_filename(g_get_user_state_dir(), "somite", "drafts", NULL);
    leave_draft(&(SomDraft){
        .path = som_str(path), .saved = SOM_STR(PAIR), .text = SOM_STR(ONE), .time = 1700000000});
    leave_draft(&(SomDraft){.text = SOM_STR(PAIR), .time = 9});
    SomDiagnostics *diags = som_diagnostics_create();

    SomApplication *application = start();
    g_application_activate(G_APPLICATION(application));
    GtkWindow *active = gtk_application_get_active_window(GTK_APPLICATION(application));
    SomWindow *window = SOM_WINDOW(active);
    SOM_UI_WAIT(som_window_is_drawn(window));
    som_ui_settle(window);
    ck_assert(som_ui_says(window, "Work that was not saved") && som_ui_says(window, path));
    ck_assert(som_ui_says(window, "November 2023"));
    som_ui_click(som_ui_find(window, "GtkButton", "Discard A design without a name"));
    som_ui_click(som_ui_find(window, "GtkButton", "Restore pair.som"));
    SOM_UI_WAIT(has_text(window, ONE));
    ck_assert_str_eq(som_project_path(som_window_project(window)).data, path);
    ck_assert(som_str_equal(som_project_saved(som_window_project(window)), SOM_STR(PAIR)));
    ck_assert(!som_project_is_saved(som_window_project(window)));
    som_drafts_settle(som_application_drafts(application));
    SomArena arena = {0};
    const SomStr *names;
    ck_assert_int_eq(som_file_list(drafts_folder, SOM_STR(".draft"), &arena, &names, diags), 1);
    som_ui_key(window, "<Control>s"); // what is saved needs no draft
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)));
    som_drafts_settle(som_application_drafts(application));
    ck_assert_int_eq(som_file_list(drafts_folder, SOM_STR(".draft"), &arena, &names, diags), 0);
    som_ui_close(window);
    som_arena_free(&arena);
    som_diagnostics_destroy(diags);
    end(application);
    clean();
}
END_TEST

START_TEST(style_and_size_are_remembered) {
    SomApplication *application = start();
    SomWindow *window = open_file(application);
    g_action_group_activate_action(G_ACTION_GROUP(application), "style",
                                   g_variant_new_string("dark"));
    SOM_UI_WAIT(adw_style_manager_get_dark(adw_style_manager_get_default()));
    gtk_window_set_default_size(GTK_WINDOW(window), 900, 640);
    som_ui_settle(window);
    som_ui_key(window, "<Control>w");
    SOM_UI_WAIT(is_gone(window));
    end(application);
    g_autofree char *file = g_build_filename(folder, "somite", "studio.ini", NULL);
    g_autofree char *memory = NULL;
    ck_assert(g_file_get_contents(file, &memory, NULL, NULL));
    ck_assert(strstr(memory, "style=2") && strstr(memory, "width=900") &&
              strstr(memory, "height=640"));
    clean();
}
END_TEST

START_TEST(what_is_remembered_comes_back) {
    make_folder();
    g_autofree char *way = g_build_filename(folder, "somite", NULL);
    g_autofree char *file = g_build_filename(way, "studio.ini", NULL);
    ck_assert_int_eq(g_mkdir_with_parents(way, 0700), 0);
    ck_assert(g_file_set_contents(
        file, "[Window]\nstyle=2\nwidth=900\nheight=640\nmaximized=often\n", -1, NULL));
    SomApplication *application = start();
    SomWindow *window = show(application, "chain3");
    int width, height;
    gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
    ck_assert_int_eq(width, 900);
    ck_assert_int_eq(height, 640);
    ck_assert(adw_style_manager_get_dark(adw_style_manager_get_default()));
    som_ui_close(window);
    end(application);
    clean();
}
END_TEST

SOM_SUITE("studio/documents", closing_asks_where_something_is_not_saved,
          widgets_may_be_held_while_their_window_goes,
          what_another_program_writes_is_read_and_can_be_undone,
          what_is_not_saved_is_not_replaced_without_a_question, saving_over_a_newer_file_asks,
          a_file_is_opened_in_one_window, a_window_whose_closing_was_left_stays,
          restored_work_does_not_replace_what_another_program_wrote_since,
          work_that_was_not_saved_is_offered_and_restored, style_and_size_are_remembered,
          what_is_remembered_comes_back)
