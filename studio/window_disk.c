// SPDX-License-Identifier: Apache-2.0
// What other programs do with the file of a window: noticed, and taken or not.
#include "base/file.h"
#include "studio/ask.h"
#include "studio/window_internal.h"

// A program that writes in several steps is waited for. Milliseconds.
#define PAUSE 200

// What is on the disk now. False after a report, or if the file is gone.
static bool load(SomWindow *window, SomText *text) {
    SomStr path = som_project_path(window->project);
    SomDiagnostics *diags = som_diagnostics_create();
    bool is_there = som_file_exists(path.data);
    bool is_read = is_there && som_file_load_source(path.data, text, diags) != 0;
    if (is_there && !is_read) {
        som_window_tell_report(window, diags);
    }
    som_diagnostics_destroy(diags);
    return is_read;
}

bool som_window_is_overtaken(SomWindow *window) {
    SomStr path = som_project_path(window->project);
    if (path.length == 0 || som_file_stamp(path.data) == window->stamp) {
        return false;
    }
    SomText text = {0};
    bool is_other = load(window, &text) &&
                    !som_str_equal(som_text_str(&text), som_project_saved(window->project));
    som_text_free(&text);
    return is_other;
}

// ---- answers

// The text of the disk becomes a step of undo.
static void reload(SomWindow *window) {
    SomText text = {0};
    if (load(window, &text)) {
        som_project_set_saved(window->project, som_text_str(&text));
        som_project_set_text(window->project, som_text_str(&text));
        som_window_tell(window, "The file was changed by another program and was read again");
    }
    som_text_free(&text);
    som_window_watch(window);
    window->is_asking = false;
}

// Only what the file holds is known better.
static void keep(SomWindow *window) {
    SomText text = {0};
    if (load(window, &text)) {
        som_project_set_saved(window->project, som_text_str(&text));
    }
    som_text_free(&text);
    som_window_watch(window);
    window->is_asking = false;
}

static void ask(SomWindow *window) {
    SomStr title = som_project_title(window->project);
    g_autofree char *heading =
        g_strdup_printf("“%.*s” was changed by another program", SOM_STR_ARG(title));
    static const SomReply answers[] = {{"_Keep mine", keep, SOM_REPLY_PLAIN},
                                       {"_Reload", reload, SOM_REPLY_SUGGESTED}};
    window->is_asking = true;
    som_ask(window, heading,
            "You have changes that are not saved. Reloading replaces them, and undo brings them "
            "back; keeping them replaces the file when you save.",
            answers, G_N_ELEMENTS(answers));
}

// ---- noticing

static void tell_gone(SomWindow *window) {
    SomStr title = som_project_title(window->project);
    g_autofree char *words = g_strdup_printf(
        "“%.*s” is no longer on the disk; saving writes it again", SOM_STR_ARG(title));
    som_window_tell(window, words);
    som_project_set_saved(window->project, SOM_STR(""));
    som_window_watch(window);
}

static void look(SomWindow *window) {
    SomStr path = som_project_path(window->project);
    if (path.length == 0 || window->is_asking || som_file_stamp(path.data) == window->stamp) {
        return;
    }
    som_window_flush(window);
    if (!som_file_exists(path.data)) {
        tell_gone(window);
    } else if (!som_window_is_overtaken(window)) {
        window->stamp = som_file_stamp(path.data); // written again with the same content
    } else if (som_project_is_saved(window->project)) {
        reload(window);
    } else {
        ask(window);
    }
}

static gboolean on_pause(gpointer data) {
    SOM_WINDOW(data)->look = 0;
    look(data);
    return G_SOURCE_REMOVE;
}

static void on_file(SomWindow *window) {
    if (window->look == 0) {
        window->look = g_timeout_add(PAUSE, on_pause, window);
    }
}

static void on_active(SomWindow *window) {
    if (gtk_window_is_active(GTK_WINDOW(window))) {
        look(window);
    }
}

// ---- life

// From now on; the project and the disk agree, or who calls knows why not.
void som_window_watch(SomWindow *window) {
    SomStr path = som_project_path(window->project);
    g_clear_object(&window->monitor);
    window->stamp = path.length > 0 ? som_file_stamp(path.data) : 0;
    if (path.length > 0) {
        g_autoptr(GFile) file = g_file_new_for_path(path.data);
        window->monitor = g_file_monitor_file(file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
    }
    if (window->monitor != NULL) {
        g_signal_connect_swapped(window->monitor, "changed", G_CALLBACK(on_file), window);
    }
}

// Whether the file still holds what the project says, whatever its time.
void som_window_look_soon(SomWindow *window) {
    window->stamp = 0;
    on_file(window);
}

void som_window_watch_init(SomWindow *window) {
    g_signal_connect(window, "notify::is-active", G_CALLBACK(on_active), NULL);
}

void som_window_unwatch(SomWindow *window) {
    g_clear_object(&window->monitor);
    g_clear_handle_id(&window->look, g_source_remove);
}
