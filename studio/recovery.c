// SPDX-License-Identifier: Apache-2.0
#include "studio/recovery.h"

#include "studio/start_page.h"
#include "studio/widgets.h"
#include "studio/window_internal.h"

static const char file_key[] = "som-file"; // of a button: the draft's

// ---- answers

// One draft by its file, since others may have come and gone; NULL if it is no longer offered.
static const SomDraft *find(SomWindow *window, const char *file) {
    int count;
    const SomDraft *all = som_application_recovered(window->application, &count);
    for (int i = 0; i < count; i++) {
        if (som_str_equal(all[i].file, som_str(file))) {
            return &all[i];
        }
    }
    return NULL;
}

// Where the draft's own file is shown already, what is shown there becomes the draft's text.
static void restore(SomWindow *window, const SomDraft *draft) {
    g_autofree char *path = som_c_string(draft->path);
    SomWindow *shown = path[0] != '\0' ? som_window_find(path) : NULL;
    if (shown != NULL) {
        som_project_set_saved(shown->project, draft->saved);
        som_project_set_text(shown->project, draft->text);
        som_window_look_soon(shown);
        gtk_window_present(GTK_WINDOW(shown));
    } else {
        shown = som_window_begin_beside(window, draft->path, draft->saved, draft->text);
    }
    som_project_choose(shown->project, draft->config);
    som_application_forget(window->application, draft);
}

// The rows are made anew where they stand.
static void on_button(GtkWidget *button, SomWindow *window) {
    const SomDraft *draft = find(window, g_object_get_data(G_OBJECT(button), file_key));
    bool is_restored = strcmp(gtk_widget_get_name(button), "restore") == 0;
    GtkWidget *page = gtk_widget_get_ancestor(button, SOM_TYPE_START_PAGE);
    GtkRoot *root = gtk_widget_get_root(button);
    GtkWidget *group = gtk_widget_get_ancestor(button, ADW_TYPE_PREFERENCES_GROUP);
    GtkWidget *row = gtk_widget_get_ancestor(button, ADW_TYPE_ACTION_ROW);
    g_object_ref(window);
    if (draft != NULL && is_restored) {
        restore(window, draft);
    } else if (draft != NULL) {
        som_application_forget(window->application, draft);
    }
    int left;
    som_application_recovered(window->application, &left);
    if (page != NULL) {
        som_start_page_refresh(SOM_START_PAGE(page));
    } else if (left == 0) {
        gtk_window_destroy(GTK_WINDOW(root));
    } else {
        adw_preferences_group_remove(ADW_PREFERENCES_GROUP(group), row);
    }
    g_object_unref(window);
}

// ---- rows

static GtkWidget *make_button(SomWindow *window, const SomDraft *draft, const char *words,
                              const char *name, const char *title) {
    GtkWidget *button = gtk_button_new_with_label(words);
    g_autofree char *label = g_strdup_printf("%s %s", words, title);
    som_set_accessible_name(button, label);
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    gtk_widget_set_name(button, name);
    g_object_set_data_full(G_OBJECT(button), file_key, som_c_string(draft->file), g_free);
    g_signal_connect(button, "clicked", G_CALLBACK(on_button), window);
    return button;
}

static char *words_of_time(int64_t seconds) {
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(seconds);
    return time != NULL ? g_date_time_format(time, "%-d %B %Y, %H:%M:%S") : g_strdup("long ago");
}

static GtkWidget *make_row(SomWindow *window, const SomDraft *draft) {
    g_autofree char *path = som_c_string(draft->path);
    g_autofree char *name =
        path[0] != '\0' ? g_filename_display_basename(path) : g_strdup("A design without a name");
    g_autofree char *shown = path[0] != '\0' ? g_filename_display_name(path) : NULL;
    g_autofree char *time = words_of_time(draft->time);
    g_autofree char *words =
        g_strdup_printf("%s%s%s", time, shown != NULL ? ", " : "", shown != NULL ? shown : "");
    g_autofree char *title = g_markup_escape_text(name, -1);
    g_autofree char *subtitle = g_markup_escape_text(words, -1);
    GtkWidget *row = adw_action_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
    adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 2);
    adw_action_row_add_suffix(ADW_ACTION_ROW(row),
                              make_button(window, draft, "Discard", "discard", name));
    GtkWidget *button = make_button(window, draft, "Restore", "restore", name);
    gtk_widget_add_css_class(button, "suggested-action");
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), button);
    return row;
}

GtkWidget *som_recovery_group(SomWindow *window) {
    int count = 0;
    const SomDraft *all =
        window->application != NULL ? som_application_recovered(window->application, &count) : NULL;
    if (count == 0) {
        return NULL;
    }
    GtkWidget *group = adw_preferences_group_new();
    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), "Work that was not saved");
    adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(group),
                                          "The studio ended before these designs were saved.");
    for (int i = 0; i < count; i++) {
        adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), make_row(window, &all[i]));
    }
    return group;
}

// ---- a window of its own, where the page to begin with is not shown

void som_window_offer_recovered(SomWindow *window) {
    GtkWidget *group = som_window_shows_start(window) ? NULL : som_recovery_group(window);
    if (group == NULL) {
        return;
    }
    GtkWidget *dialog = adw_window_new();
    gtk_window_set_title(GTK_WINDOW(dialog), "Work that was not saved");
    gtk_window_set_transient_for(GTK_WINDOW(dialog), GTK_WINDOW(window));
    gtk_window_set_destroy_with_parent(GTK_WINDOW(dialog), TRUE);
    gtk_window_set_modal(GTK_WINDOW(dialog), TRUE);
    gtk_window_set_default_size(GTK_WINDOW(dialog), 560, -1);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *bar = adw_header_bar_new();
    gtk_widget_add_css_class(bar, "flat");
    gtk_box_append(GTK_BOX(box), bar);
    gtk_widget_set_margin_start(group, 18);
    gtk_widget_set_margin_end(group, 18);
    gtk_widget_set_margin_bottom(group, 18);
    gtk_box_append(GTK_BOX(box), group);
    adw_window_set_content(ADW_WINDOW(dialog), box);
    som_close_by_escape(dialog, GTK_PHASE_BUBBLE); // it is offered again by the next studio
    gtk_window_present(GTK_WINDOW(dialog));
}
