// SPDX-License-Identifier: Apache-2.0
// From the studio to Gazebo: its files, and its program where there is one.
#include "base/file.h"
#include "studio/file_dialog.h"
#include "studio/simulate_files.h"
#include "studio/simulate_live.h"
#include "studio/transfer_run.h"

#include <glib/gstdio.h>

#define SCRIPT "run.sh" // of the exported folder: it finds simulator and plugin
#define LOG "gazebo.log"

// How the program is called, by its age. It may be there for other uses: where there is a
// simulator, a file in its folder of settings lists the verb.
static const struct {
    const char *program, *verb, *settings, *variable;
} programs[] = {{"gz", "sim", "gz", "GZ_CONFIG_PATH"},
                {"ign", "gazebo", "ignition", "IGN_CONFIG_PATH"}};

static bool lists_verb(const char *path, const char *verb) {
    g_autofree char *text = NULL, *line = g_strdup_printf("\\n *- %s *:", verb);
    return g_str_has_suffix(path, ".yaml") && g_file_get_contents(path, &text, NULL, NULL) &&
           g_regex_match_simple(line, text, G_REGEX_RAW, 0);
}

static bool has_simulator(const char *folder, const char *verb) {
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    const char *name = files != NULL ? g_dir_read_name(files) : NULL;
    for (; name != NULL; name = g_dir_read_name(files)) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (lists_verb(path, verb)) {
            return true;
        }
    }
    return false;
}

bool som_gazebo_is_there(void) {
    for (int i = 0; i < (int)G_N_ELEMENTS(programs); i++) {
        g_autofree char *path = g_find_program_in_path(programs[i].program);
        if (path == NULL) {
            continue;
        }
        g_autofree char *bin = g_path_get_dirname(path);
        g_autofree char *beside = g_build_filename(bin, "..", "share", programs[i].settings, NULL);
        g_autofree char *system = g_build_filename("/usr/share", programs[i].settings, NULL);
        const char *more = g_getenv(programs[i].variable);
        g_auto(GStrv) folders = g_strsplit(more != NULL ? more : "", ":", -1);
        bool is_there =
            has_simulator(beside, programs[i].verb) || has_simulator(system, programs[i].verb);
        for (int k = 0; folders[k] != NULL && !is_there; k++) {
            is_there = has_simulator(folders[k], programs[i].verb);
        }
        if (is_there) {
            return true;
        }
    }
    return false;
}

// ---- the folder for the time being

static void remove_folder(const char *path) {
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name = folder != NULL ? g_dir_read_name(folder) : NULL;
    for (; name != NULL; name = g_dir_read_name(folder)) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        if (g_file_test(child, G_FILE_TEST_IS_DIR) && !g_file_test(child, G_FILE_TEST_IS_SYMLINK)) {
            remove_folder(child);
        } else {
            g_unlink(child);
        }
    }
    g_rmdir(path);
}

// ---- the program

typedef struct Opened {
    GWeakRef window; // it may be closed long before Gazebo is
    char *folder;
} Opened;

static void free_opened(Opened *opened) {
    g_weak_ref_clear(&opened->window);
    remove_folder(opened->folder);
    g_free(opened->folder);
    g_free(opened);
}

// The last error that it has written, else the last line, which may be none.
static char *last_words(const char *folder) {
    g_autofree char *path = g_build_filename(folder, LOG, NULL), *colored = NULL;
    if (!g_file_get_contents(path, &colored, NULL, NULL) || !g_utf8_validate(colored, -1, NULL)) {
        return g_strdup("");
    }
    g_autoptr(GRegex) colors = g_regex_new("\\x1b\\[[0-9;]*m", 0, 0, NULL);
    g_autofree char *text = g_regex_replace_literal(colors, colored, -1, 0, "", 0, NULL);
    g_strchomp(text);
    const char *line = g_strrstr(text, "[Err]");
    if (line == NULL) {
        line = strrchr(text, '\n');
        return g_strdup(line != NULL ? line + 1 : text);
    }
    const char *end = strchr(line, '\n');
    return end != NULL ? g_strndup(line, (gsize)(end - line)) : g_strdup(line);
}

static void tell(GWeakRef *reference, const char *words) {
    g_autoptr(SomWindow) window = g_weak_ref_get(reference);
    if (window != NULL && gtk_widget_get_mapped(GTK_WIDGET(window))) {
        som_window_tell(window, words);
    }
}

static void on_gazebo_left(GObject *source, GAsyncResult *result, gpointer data) {
    Opened *opened = data;
    g_autoptr(GError) error = NULL;
    if (!g_subprocess_wait_check_finish(G_SUBPROCESS(source), result, &error)) {
        g_autofree char *last = last_words(opened->folder);
        g_autofree char *words = g_strdup_printf("Gazebo ended with an error: %s",
                                                 last[0] != '\0' ? last : error->message);
        tell(&opened->window, words);
    }
    free_opened(opened);
}

// The script looks for the plugin beside the program that it finds on the path: this one.
static void add_program_folder(GSubprocessLauncher *launcher) {
    SomText folder = {0};
    if (som_file_program_folder(&folder)) {
        const char *before = g_getenv("PATH");
        g_autofree char *path =
            g_strconcat(before != NULL ? before : "/usr/bin:/bin", ":", folder.data, NULL);
        g_subprocess_launcher_setenv(launcher, "PATH", path, TRUE);
    }
    som_text_free(&folder);
}

static void start(SomWindow *window, const char *folder) {
    Opened *opened = g_new0(Opened, 1);
    g_autoptr(GError) error = NULL;
    g_autofree char *log = g_build_filename(folder, LOG, NULL);
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
    g_weak_ref_init(&opened->window, window);
    opened->folder = g_strdup(folder);
    g_subprocess_launcher_set_cwd(launcher, folder);
    g_subprocess_launcher_set_stderr_file_path(launcher, log);
    add_program_folder(launcher);
    g_autoptr(GSubprocess) gazebo =
        g_subprocess_launcher_spawn(launcher, &error, "/bin/sh", SCRIPT, NULL);
    if (gazebo == NULL) {
        g_autofree char *words = g_strdup_printf("Gazebo could not be started: %s", error->message);
        som_window_tell(window, words);
        free_opened(opened);
        return;
    }
    som_window_tell(window, "Gazebo opens");
    g_subprocess_wait_check_async(gazebo, NULL, on_gazebo_left, opened);
}

// ---- the files

static void on_exported(SomWindow *window, const SomTransfer *transfer) {
    start(window, transfer->out.data);
}

static void export_to(SomWindow *window, const char *folder,
                      void (*then)(SomWindow *window, const SomTransfer *transfer)) {
    SomText call = {0};
    som_session_print_call(som_window_session(window), &call);
    som_transfer_start(window,
                       som_transfer_export(som_window_project(window),
                                           som_export_find(SOM_STR("sdf")), som_text_str(&call),
                                           som_str(folder)),
                       then);
    som_text_free(&call);
}

void som_gazebo_open(SomWindow *window) {
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("somite-gazebo-XXXXXX", &error);
    if (folder == NULL) {
        som_window_tell(window, error->message);
        return;
    }
    export_to(window, folder, on_exported);
}

static void on_written(SomWindow *window, const SomTransfer *transfer) {
    g_autofree char *shown = g_filename_display_name(transfer->out.data);
    g_autofree char *words = g_strdup_printf("Written: %d files in %s", transfer->files, shown);
    som_window_tell(window, words);
}

static void take_folder(SomWindow *window, const char *const *paths) {
    SomStr config = som_project_model(som_window_project(window))->configuration->parts[0].config;
    g_autofree char *plain = g_utf8_strdown(config.data, (gssize)config.length);
    g_autofree char *name = g_strconcat(g_strdelimit(plain, "/", '_'), "_sdf", NULL);
    g_autofree char *folder = g_build_filename(paths[0], name, NULL);
    export_to(window, folder, on_written);
}

void som_gazebo_export(SomWindow *window) {
    som_file_dialog(window,
                    &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                     .title = "Where to make the folder with the files for Gazebo",
                                     .accept = "_Export",
                                     .take = take_folder});
}
