// SPDX-License-Identifier: Apache-2.0
#include "studio/transfer_run.h"

#define PATIENCE 400 // milliseconds before a dialog says what goes on

typedef struct Run {
    SomWindow *window;
    SomTransfer *transfer;
    void (*then)(SomWindow *window, const SomTransfer *transfer);
    guint patience;
    GtkWindow *dialog; // with Cancel; NULL: not shown
} Run;

static void free_run(gpointer data) {
    Run *run = data;
    g_clear_handle_id(&run->patience, g_source_remove);
    som_transfer_destroy(run->transfer);
    g_object_unref(run->window);
    g_free(run);
}

// ---- what came of it

static void show_words(Run *run) {
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(
        GTK_WINDOW(run->window), run->transfer->is_done ? "Done, but" : "That did not work", NULL));
    adw_message_dialog_add_response(dialog, "close", "_Close");
    GtkWidget *text = gtk_label_new(run->transfer->words.data);
    gtk_label_set_selectable(GTK_LABEL(text), TRUE);
    gtk_label_set_xalign(GTK_LABEL(text), 0);
    gtk_widget_add_css_class(text, "monospace");
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), text);
    gtk_widget_set_size_request(scrolled, 480, 160);
    adw_message_dialog_set_extra_child(dialog, scrolled);
    gtk_window_present(GTK_WINDOW(dialog));
}

static void on_finished(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    (void)data;
    Run *run = g_task_get_task_data(G_TASK(result));
    bool is_cancelled = atomic_load(&run->transfer->is_cancelled);
    g_clear_handle_id(&run->patience, g_source_remove);
    if (run->dialog != NULL) {
        gtk_window_destroy(run->dialog);
    }
    if (is_cancelled || run->window == NULL || !gtk_widget_get_mapped(GTK_WIDGET(run->window))) {
        return;
    }
    if (run->transfer->words.length > 0) {
        show_words(run);
    }
    if (run->transfer->is_done) {
        run->then(run->window, run->transfer);
    }
}

// ---- while it runs

static void on_cancel(AdwMessageDialog *dialog, const char *response, Run *run) {
    (void)dialog;
    (void)response;
    run->dialog = NULL;
    som_transfer_cancel(run->transfer);
}

static gboolean on_patience(gpointer data) {
    static const char *const words[] = {[SOM_TRANSFER_IMPORT] = "Importing…",
                                        [SOM_TRANSFER_EXPORT] = "Exporting…",
                                        [SOM_TRANSFER_PICTURE] = "Drawing…"};
    Run *run = data;
    run->patience = 0;
    GtkWidget *dialog =
        adw_message_dialog_new(GTK_WINDOW(run->window), words[run->transfer->kind], NULL);
    GtkWidget *spinner = gtk_spinner_new();
    gtk_spinner_start(GTK_SPINNER(spinner));
    gtk_widget_set_size_request(spinner, 32, 32);
    adw_message_dialog_set_extra_child(ADW_MESSAGE_DIALOG(dialog), spinner);
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "cancel", "_Cancel");
    g_signal_connect(dialog, "response", G_CALLBACK(on_cancel), run);
    run->dialog = GTK_WINDOW(dialog);
    gtk_window_present(run->dialog);
    return G_SOURCE_REMOVE;
}

static void work(GTask *task, gpointer source, gpointer data, GCancellable *unused) {
    (void)source;
    (void)unused;
    som_transfer_run(((Run *)data)->transfer);
    g_task_return_boolean(task, TRUE);
}

void som_transfer_start(SomWindow *window, SomTransfer *transfer,
                        void (*then)(SomWindow *window, const SomTransfer *transfer)) {
    Run *run = g_new0(Run, 1);
    run->window = g_object_ref(window);
    run->transfer = transfer;
    run->then = then;
    run->patience = g_timeout_add(PATIENCE, on_patience, run);
    g_autoptr(GTask) task = g_task_new(NULL, NULL, on_finished, NULL);
    g_task_set_task_data(task, run, free_run);
    g_task_run_in_thread(task, work);
}
