// SPDX-License-Identifier: Apache-2.0
#include "studio/builder_ask.h"

#include "studio/widgets.h"

typedef struct Asked {
    SomWindow *window; // over which it is
    GtkEditable *entry;
    void (*run)(SomWindow *window, const char *name);
} Asked;

static void free_asked(gpointer data, GClosure *unused) {
    (void)unused;
    g_free(data);
}

static void on_response(AdwMessageDialog *dialog, const char *response, Asked *asked) {
    (void)dialog;
    if (strcmp(response, "run") == 0) {
        g_autofree char *name = g_strdup(gtk_editable_get_text(asked->entry));
        asked->run(asked->window, name);
    }
}

static void on_typed(GtkEditable *entry, AdwMessageDialog *dialog) {
    adw_message_dialog_set_response_enabled(dialog, "run", gtk_editable_get_text(entry)[0] != '\0');
}

void som_ask_name(SomWindow *window, const SomNameQuestion *question) {
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(
        adw_message_dialog_new(GTK_WINDOW(window), question->heading, question->body));
    adw_message_dialog_add_responses(dialog, "cancel", "_Cancel", "run", question->verb, NULL);
    adw_message_dialog_set_response_appearance(dialog, "run", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response(dialog, "run");
    adw_message_dialog_set_close_response(dialog, "cancel");
    GtkWidget *entry = gtk_entry_new();
    gtk_editable_set_text(GTK_EDITABLE(entry), question->name);
    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    som_set_accessible_name(entry, "Name");
    adw_message_dialog_set_extra_child(dialog, entry);
    g_signal_connect(entry, "changed", G_CALLBACK(on_typed), dialog);
    on_typed(GTK_EDITABLE(entry), dialog);
    Asked *asked = g_new0(Asked, 1);
    *asked = (Asked){window, GTK_EDITABLE(entry), question->run};
    g_signal_connect_data(dialog, "response", G_CALLBACK(on_response), asked, free_asked, 0);
    gtk_window_present(GTK_WINDOW(dialog));
    gtk_widget_grab_focus(entry);
}
