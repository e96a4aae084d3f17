// SPDX-License-Identifier: Apache-2.0
#include "studio/edit_dialogs.h"

#include "language/name.h"
#include "studio/library_panel.h"
#include "studio/widgets.h"

// What is asked about, as long as the dialog is there.
typedef struct Question {
    SomWindow *window; // over which it is
    GtkEditable *entry;
    char *part; // NULL: the configuration
} Question;

static void free_question(gpointer data, GClosure *unused) {
    (void)unused;
    Question *question = data;
    g_free(question->part);
    g_free(question);
}

// ---- names

static void on_name(AdwMessageDialog *dialog, const char *response, Question *question) {
    (void)dialog;
    SomProject *project = som_window_project(question->window);
    SomDesign *design = som_project_design(project);
    SomStr name = som_str(gtk_editable_get_text(question->entry));
    if (strcmp(response, "rename") != 0) {
        return;
    }
    som_project_edited(project,
                       question->part != NULL
                           ? som_design_rename_part(design, som_project_choice(project),
                                                    som_str(question->part), name)
                           : som_design_rename_config(design, som_project_choice(project), name));
}

static void on_typed(GtkEditable *entry, AdwMessageDialog *dialog) {
    adw_message_dialog_set_response_enabled(dialog, "rename",
                                            gtk_editable_get_text(entry)[0] != '\0');
}

static void ask_for_name(SomWindow *window, const char *part, const char *now) {
    g_autofree char *heading = g_strdup_printf("Rename “%s”", now);
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(
        GTK_WINDOW(window), heading, "Every place of the file that names it is changed."));
    adw_message_dialog_add_responses(dialog, "cancel", "_Cancel", "rename", "_Rename", NULL);
    adw_message_dialog_set_response_appearance(dialog, "rename", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response(dialog, "rename");
    adw_message_dialog_set_close_response(dialog, "cancel");
    GtkWidget *entry = gtk_entry_new();
    gtk_editable_set_text(GTK_EDITABLE(entry), now);
    gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
    som_set_accessible_name(entry, "New name");
    adw_message_dialog_set_extra_child(dialog, entry);
    g_signal_connect(entry, "changed", G_CALLBACK(on_typed), dialog);
    Question *question = g_new0(Question, 1);
    *question = (Question){window, GTK_EDITABLE(entry), g_strdup(part)};
    g_signal_connect_data(dialog, "response", G_CALLBACK(on_name), question, free_question, 0);
    gtk_window_present(GTK_WINDOW(dialog));
    gtk_widget_grab_focus(entry);
}

void som_edit_rename(SomWindow *window) {
    SomStr place = som_name_of_array(som_project_selected_part(som_window_project(window)));
    SomText name = {0};
    som_name_read(place, &name);
    g_autofree char *part = som_c_string(place);
    ask_for_name(window, part, som_text_str(&name).data);
    som_text_free(&name);
}

void som_edit_rename_config(SomWindow *window) {
    const SomModel *model = som_project_model(som_window_project(window));
    SomStr name = model->configuration->parts[0].config;
    g_autofree char *now = som_c_string(name);
    ask_for_name(window, NULL, now);
}

// ---- another part

static void on_picked(SomLibraryPanel *panel, SomLibraryItem *item, Question *question) {
    SomProject *project = som_window_project(question->window);
    g_autoptr(SomLibraryItem) kept = g_object_ref(item);
    g_autofree char *part = g_strdup(question->part);
    gtk_window_close(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(panel))));
    som_project_edited(project, som_design_replace_part(som_project_design(project),
                                                        som_project_choice(project), som_str(part),
                                                        som_str(som_library_item_reference(kept)),
                                                        som_library_item_entry(kept)->file));
}

void som_edit_replace(SomWindow *window) {
    SomProject *project = som_window_project(window);
    SomStr part = som_project_selected_part(project);
    Question *question = g_new0(Question, 1);
    *question = (Question){.window = window, .part = som_c_string(part)};
    GtkWidget *dialog = adw_window_new();
    g_autofree char *title = g_strdup_printf("Replace “%s” by…", question->part);
    gtk_window_set_title(GTK_WINDOW(dialog), title);
    gtk_window_set_transient_for(GTK_WINDOW(dialog), GTK_WINDOW(window));
    gtk_window_set_modal(GTK_WINDOW(dialog), TRUE);
    gtk_window_set_default_size(GTK_WINDOW(dialog), 360, 520);
    GtkWidget *panel = som_library_panel_new(som_project_library(project));
    g_signal_connect_data(panel, "picked", G_CALLBACK(on_picked), question, free_question, 0);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), adw_header_bar_new());
    gtk_box_append(GTK_BOX(box), panel);
    adw_window_set_content(ADW_WINDOW(dialog), box);
    som_close_by_escape(dialog, GTK_PHASE_CAPTURE);
    gtk_window_present(GTK_WINDOW(dialog));
}
