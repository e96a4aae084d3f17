// SPDX-License-Identifier: Apache-2.0
#include "studio/file_dialog.h"

typedef struct Question {
    SomWindow *window;
    void (*take)(SomWindow *window, const char *const *paths);
} Question;

static void free_question(gpointer data, GClosure *unused) {
    (void)unused;
    Question *question = data;
    g_object_unref(question->window);
    g_free(question);
}

// Of what is on this machine.
static char **paths_of(GtkFileChooser *chooser) {
    g_autoptr(GListModel) files = gtk_file_chooser_get_files(chooser);
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    for (guint i = 0; i < g_list_model_get_n_items(files); i++) {
        g_autoptr(GFile) file = g_list_model_get_item(files, i);
        g_autofree char *path = g_file_get_path(file);
        if (path != NULL) {
            g_strv_builder_add(paths, path);
        }
    }
    return g_strv_builder_end(paths);
}

static void on_response(GtkNativeDialog *dialog, int response, gpointer data) {
    Question *question = data;
    if (response == GTK_RESPONSE_ACCEPT) {
        g_auto(GStrv) paths = paths_of(GTK_FILE_CHOOSER(dialog));
        if (paths[0] != NULL) {
            question->take(question->window, (const char *const *)paths);
        }
    }
    g_object_unref(dialog);
}

static void add_filter(GtkFileChooser *chooser, const SomFileDialog *dialog) {
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    g_auto(GStrv) patterns = g_strsplit(dialog->patterns, " ", -1);
    gtk_file_filter_set_name(filter, dialog->kind);
    for (int i = 0; patterns[i] != NULL; i++) {
        gtk_file_filter_add_pattern(filter, patterns[i]);
    }
    gtk_file_chooser_add_filter(chooser, filter);
}

void som_file_dialog(SomWindow *window, const SomFileDialog *dialog) {
    GtkFileChooserNative *native = gtk_file_chooser_native_new(
        dialog->title, GTK_WINDOW(window), dialog->action, dialog->accept, "_Cancel");
    GtkFileChooser *chooser = GTK_FILE_CHOOSER(native);
    gtk_file_chooser_set_select_multiple(chooser, dialog->is_many);
    if (dialog->kind != NULL) {
        add_filter(chooser, dialog);
    }
    if (dialog->path != NULL) {
        g_autoptr(GFile) file = g_file_new_for_path(dialog->path);
        gtk_file_chooser_set_file(chooser, file, NULL);
    }
    if (dialog->name != NULL) {
        gtk_file_chooser_set_current_name(chooser, dialog->name);
    }
    Question *question = g_new0(Question, 1);
    question->window = g_object_ref(window);
    question->take = dialog->take;
    g_signal_connect_data(native, "response", G_CALLBACK(on_response), question, free_question, 0);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(native), TRUE);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(native));
}
