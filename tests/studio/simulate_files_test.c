// Tests for studio/simulate_files.c and simulate_gazebo.c: runs are saved as pictures and pages,
// and taken to Gazebo. GTK's dialogs lose memory, so leaks are not looked for.

// SPDX-License-Identifier: Apache-2.0

#include "studio/simulate_files.h"
#include "tests/studio/simulate_story.h"
#include "tests/suite.h"

#include <unistd.h>

static int chunks_of(SomStr png, const char *kind) {
    int count = 0;
    for (size_t i = 0; i + 4 <= png.length; i++) {
        count += memcmp(png.data + i, kind, 4) == 0 ? 1 : 0;
    }
    return count;
}

START_TEST(a_run_is_saved_as_a_picture_that_moves_and_as_a_page) {
    if (!som_engine_is_built(SOM_ENGINE_MUJOCO)) {
        return;
    }
    char *path = som_story_file("run.png");
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *page = g_build_filename(folder, "run.html", NULL), *bytes = NULL;
    SomWindow *window = som_ui_window("car");
    SomSession *session = som_simulate_enter(window);
    som_desk_choose(som_window_desk(window), SOM_STR("drive"));
    ck_assert(
        !gtk_widget_get_sensitive(som_ui_find(window, "GtkButton", "Save pictures of the run…")));
    som_session_set_arguments(session, SOM_STR("70mm/s, 0.5s"));
    som_simulate_quickly(window, SOM_PHYSICS_PREVIEW);
    som_simulate_run(window);
    som_ui_key(window, "<Control><Alt>p");
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_key(som_ui_top(), "Return"); // as one that moves
    SOM_UI_WAIT(GTK_IS_FILE_CHOOSER(som_ui_top()));
    som_ui_settle(som_ui_top());
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), path);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_ui_says(window, "run.png"));
    gsize length;
    ck_assert(g_file_get_contents(path, &bytes, &length, NULL));
    SomStr png = {bytes, length};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImage image = {0};
    ck_assert(som_image_parse_png(png, "run.png", &image, diags));
    ck_assert_int_eq(image.width, SOM_FILM_WIDTH);
    ck_assert_int_eq(chunks_of(png, "acTL"), 1);
    ck_assert_int_ge(chunks_of(png, "fcTL"), 5);
    som_image_free(&image);
    som_diagnostics_destroy(diags);

    SomPhysicsRecord *record = som_session_record(session, 0);
    som_record_job_start(window, som_record_job_create(record, SOM_JOB_REPORT, som_str(page)));
    SOM_UI_WAIT(g_file_test(page, G_FILE_TEST_EXISTS) && som_ui_top() == GTK_WINDOW(window));
    // what is not wanted any more is not written
    unlink(path);
    som_record_job_start(window, som_record_job_create(record, SOM_JOB_PICTURES, som_str(path)));
    SOM_UI_WAIT(som_ui_top() != GTK_WINDOW(window));
    som_ui_key(som_ui_top(), "Escape");
    SOM_UI_WAIT(som_ui_top() == GTK_WINDOW(window));
    som_ui_close(window); // waits for the thread
    ck_assert(!g_file_test(path, G_FILE_TEST_EXISTS));
    unlink(page);
    som_story_remove(path);
}
END_TEST

static void write_file(const char *folder, const char *name, const char *text, int mode) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    ck_assert(g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_NONE, mode, NULL));
}

// A program that is called as Gazebo is, and fails.
static void make_gazebo(const char *folder) {
    g_autofree char *script = g_strdup_printf(
        "#!/bin/sh\nif [ \"$2\" = --versions ]; then echo 8.9.0; exit; fi\n"
        "echo \"$@\" >%s/called\n"
        "test -s world.sdf && pwd >>%s/called\n"
        "echo \"$GZ_SIM_SYSTEM_PLUGIN_PATH\" >>%s/called\n"
        "printf '\\033[1;31m[Err] no display here\\033[0m\\n[Msg] bye\\n' >&2\nexit 3\n",
        folder, folder, folder);
    write_file(folder, "gz", script, 0755);
    g_autofree char *paths = g_strconcat(folder, ":", g_getenv("PATH"), NULL);
    g_setenv("PATH", paths, TRUE);
}

static void make_simulator(const char *folder) {
    g_setenv("GZ_CONFIG_PATH", folder, TRUE);
    write_file(folder, "sim8.yaml",
               "--- # Subcommands\nformat: 1.0.0\ncommands:\n    - sim : Run it.\n---\n", 0644);
}

static void remove_gazebo(const char *folder) {
    static const char *const names[] = {"gz", "sim8.yaml", "libSomitePlayer.so"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        unlink(path);
    }
}

START_TEST(gazebo_is_opened_where_it_is_and_its_failure_is_told) {
    char *path = som_story_file("called");
    g_autofree char *folder = g_path_get_dirname(path), *called = NULL;
    bool was_there = som_gazebo_is_there();
    make_gazebo(folder);
    ck_assert_int_eq(som_gazebo_is_there(), was_there); // the program alone does not open worlds
    make_simulator(folder);
    ck_assert(som_gazebo_is_there());
    write_file(folder, "libSomitePlayer.so", "", 0644);
    g_setenv("SOMITE_PLUGIN_PATH", folder, TRUE);
    SomWindow *window = som_ui_window("car");
    som_simulate_enter(window);
    som_simulate_type(window, som_ui_find(window, "GtkEntry", "Arguments"), "1rad/s, 1rad/s, 1s");
    som_ui_click(som_ui_find(window, "GtkButton", "Open in Gazebo"));
    SOM_UI_WAIT(som_ui_says(window, "Gazebo ended with an error: [Err] no display here"));
    ck_assert(g_file_get_contents(path, &called, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(called, "\n", -1);
    g_autofree char *wanted = g_strdup_printf("sim -v 3 -r %s/world.sdf", lines[1]);
    ck_assert_str_eq(lines[0], wanted);
    ck_assert(g_str_has_prefix(lines[1], "/"));
    ck_assert(!g_file_test(lines[1], G_FILE_TEST_EXISTS)); // nothing is left
    ck_assert(g_str_has_prefix(lines[2], folder));         // it is told where the plugin is
    som_ui_close(window);
    remove_gazebo(folder);
    som_story_remove(path);
}
END_TEST

START_TEST(what_gazebo_misses_is_told) {
    char *path = som_story_file("called");
    g_autofree char *folder = g_path_get_dirname(path);
    make_gazebo(folder);
    make_simulator(folder);
    write_file(folder, "gz", "#!/bin/sh\nexit 1\n", 0755); // its library is not there
    write_file(folder, "libSomitePlayer.so", "", 0644);
    g_setenv("SOMITE_PLUGIN_PATH", folder, TRUE);
    g_setenv("SOMITE_GAZEBO", "", TRUE);
    SomWindow *window = som_ui_window("car");
    som_simulate_enter(window);
    som_simulate_type(window, som_ui_find(window, "GtkEntry", "Arguments"), "1rad/s, 1rad/s, 1s");
    som_ui_click(som_ui_find(window, "GtkButton", "Open in Gazebo"));
    SOM_UI_WAIT(som_ui_says(window, "Gazebo ended with an error: run.sh: Gazebo was not found"));
    som_ui_close(window);
    remove_gazebo(folder);
    som_story_remove(path);
}
END_TEST

SOM_SUITE("studio/simulate_files", a_run_is_saved_as_a_picture_that_moves_and_as_a_page,
          gazebo_is_opened_where_it_is_and_its_failure_is_told, what_gazebo_misses_is_told)
