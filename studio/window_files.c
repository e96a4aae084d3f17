// SPDX-License-Identifier: Apache-2.0
// The project of a window and its file: new, open, save.
#include "studio/window_actions.h"
#include "studio/window_internal.h"

// ---- opening

bool som_window_open(SomWindow *window, const char *path_or_name) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool is_open = som_project_open(window->project, som_str(path_or_name), diags);
    if (is_open) {
        som_view_fit(window->view); // what is wrong in it is told by the panel of findings
    } else {
        som_window_tell_report(window, diags);
    }
    som_diagnostics_destroy(diags);
    return is_open;
}

// ---- asking for files

typedef void (*Taker)(SomWindow *window, const char *path);

static void on_response(GtkNativeDialog *dialog, int response, gpointer data) {
    Taker take = (Taker)g_object_get_data(G_OBJECT(dialog), "som-taker");
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        g_autofree char *path = g_file_get_path(file);
        take(data, path);
    }
    g_object_unref(dialog);
}

static void ask_for_file(SomWindow *window, GtkFileChooserAction action, const char *title,
                         const char *accept, Taker take) {
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new(title, GTK_WINDOW(window), action, accept, "_Cancel");
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, "Designs (.som)");
    gtk_file_filter_add_pattern(filter, "*.som");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    g_object_set_data(G_OBJECT(dialog), "som-taker", (gpointer)take);
    g_signal_connect_object(dialog, "response", G_CALLBACK(on_response), window, 0);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

// ---- saving

static void save_to(SomWindow *window, const char *path) {
    SomDiagnostics *diags = som_diagnostics_create();
    if (!som_project_save(window->project, som_str(path), diags)) {
        som_window_tell_report(window, diags);
    }
    som_diagnostics_destroy(diags);
}

// ---- actions

static void new_design(SomWindow *window) {
    SomWindow *other = som_window_new(gtk_window_get_application(GTK_WINDOW(window)));
    gtk_window_present(GTK_WINDOW(other));
}

static void take_open(SomWindow *window, const char *path) {
    som_window_open(window, path);
}

static void open_design(SomWindow *window) {
    ask_for_file(window, GTK_FILE_CHOOSER_ACTION_OPEN, "Open a design", "_Open", take_open);
}

static void save_as(SomWindow *window) {
    ask_for_file(window, GTK_FILE_CHOOSER_ACTION_SAVE, "Save the design", "_Save", save_to);
}

static void save(SomWindow *window) {
    SomStr path = som_project_path(window->project);
    if (path.length > 0) {
        save_to(window, path.data);
    } else {
        save_as(window);
    }
}

static void close_window(SomWindow *window) {
    gtk_window_close(GTK_WINDOW(window));
}

static const SomWindowAction actions[] = {
    {.name = "design.new", .words = "New design", .keys = "<Control>n", .run = new_design},
    {.name = "design.open", .words = "Open…", .keys = "<Control>o", .run = open_design},
    {.name = "design.save", .words = "Save", .keys = "<Control>s", .run = save},
    {.name = "design.save-as", .words = "Save as…", .keys = "<Control><Shift>s", .run = save_as},
    {.name = "design.close", .words = "Close", .keys = "<Control>w", .run = close_window},
};
const SomWindowActions som_file_actions = {"Designs", actions, G_N_ELEMENTS(actions)};

// ---- life

void som_window_files_init(SomWindow *window) {
    (void)window;
}

void som_window_files_dispose(SomWindow *window) {
    (void)window;
}

void som_window_files_changed(SomWindow *window, unsigned changes) {
    (void)window;
    (void)changes;
}
