// SPDX-License-Identifier: Apache-2.0
#include "studio/source_panel.h"

#include <gtksourceview/gtksource.h>

#define PAUSE 250 // milliseconds without a key after which what was typed counts
#define LONGEST (700 * G_TIME_SPAN_MILLISECOND) // or this after the first: a crash may come

struct _SomSourcePanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkSourceBuffer *buffer;
    GtkWidget *view;
    GtkTextTag *error, *warning;
    guint pause;        // the running timer; 0: none
    gint64 since;       // when the first key was typed that does not count yet
    bool is_refreshing; // the change of the buffer is our own
};

G_DEFINE_FINAL_TYPE(SomSourcePanel, som_source_panel, GTK_TYPE_BOX)

// ---- from the buffer to the project

void som_source_panel_flush(SomSourcePanel *panel) {
    if (panel->pause != 0) {
        g_source_remove(panel->pause);
        panel->pause = 0;
        GtkTextIter begin, end;
        gtk_text_buffer_get_bounds(GTK_TEXT_BUFFER(panel->buffer), &begin, &end);
        g_autofree char *text =
            gtk_text_buffer_get_text(GTK_TEXT_BUFFER(panel->buffer), &begin, &end, TRUE);
        som_project_set_text(panel->project, som_str(text));
    }
}

static gboolean on_pause(gpointer data) {
    som_source_panel_flush(data);
    return G_SOURCE_REMOVE;
}

static void on_changed(GtkTextBuffer *buffer, SomSourcePanel *panel) {
    (void)buffer;
    if (panel->is_refreshing) {
        return;
    }
    gint64 now = g_get_monotonic_time();
    if (panel->pause == 0) {
        panel->since = now;
    } else if (now - panel->since > LONGEST) {
        return; // the timer is not put off any more
    } else {
        g_source_remove(panel->pause);
    }
    panel->pause = g_timeout_add(PAUSE, on_pause, panel);
}

// ---- from the project to the buffer

// The place of a byte of the project's text, which the buffer holds.
static void iter_at(SomSourcePanel *panel, uint32_t offset, GtkTextIter *iter) {
    SomStr text = som_project_text(panel->project);
    glong chars = g_utf8_strlen(text.data, MIN((gssize)offset, (gssize)text.length));
    gtk_text_buffer_get_iter_at_offset(GTK_TEXT_BUFFER(panel->buffer), iter, (int)chars);
}

static void underline(SomSourcePanel *panel) {
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(panel->buffer);
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(buffer, &begin, &end);
    gtk_text_buffer_remove_tag(buffer, panel->error, &begin, &end);
    gtk_text_buffer_remove_tag(buffer, panel->warning, &begin, &end);
    int count;
    const SomDiagnostics *diags = som_project_diagnostics(panel->project);
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].kind != SOM_DIAGNOSTIC_REPORT ||
            !som_project_is_own(panel->project, all[i].span)) {
            continue;
        }
        iter_at(panel, all[i].span.begin, &begin);
        iter_at(panel, all[i].span.end, &end);
        if (gtk_text_iter_equal(&begin, &end)) {
            gtk_text_iter_forward_char(&end);
        }
        bool is_error = all[i].severity == SOM_ERROR;
        gtk_text_buffer_apply_tag(buffer, is_error ? panel->error : panel->warning, &begin, &end);
    }
}

void som_source_panel_refresh(SomSourcePanel *panel) {
    SomStr text = som_project_text(panel->project);
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(panel->buffer);
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(buffer, &begin, &end);
    g_autofree char *held = gtk_text_buffer_get_text(buffer, &begin, &end, TRUE);
    if (!som_str_equal(som_str(held), text)) {
        panel->is_refreshing = true;
        gtk_text_buffer_set_text(buffer, text.data, (int)text.length);
        panel->is_refreshing = false;
    }
    underline(panel);
}

void som_source_panel_go_to(SomSourcePanel *panel, uint32_t offset) {
    GtkTextIter iter;
    iter_at(panel, offset, &iter);
    gtk_text_buffer_place_cursor(GTK_TEXT_BUFFER(panel->buffer), &iter);
    gtk_text_view_scroll_to_iter(GTK_TEXT_VIEW(panel->view), &iter, 0.1, FALSE, 0, 0);
    gtk_widget_grab_focus(panel->view);
}

// ---- life

static void dispose(GObject *object) {
    SomSourcePanel *panel = SOM_SOURCE_PANEL(object);
    if (panel->pause != 0) {
        g_source_remove(panel->pause);
        panel->pause = 0;
    }
    g_clear_object(&panel->buffer);
    G_OBJECT_CLASS(som_source_panel_parent_class)->dispose(object);
}

static void som_source_panel_class_init(SomSourcePanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static void som_source_panel_init(SomSourcePanel *panel) {
    panel->buffer = gtk_source_buffer_new(NULL);
    GtkTextBuffer *buffer = GTK_TEXT_BUFFER(panel->buffer);
    gtk_text_buffer_set_enable_undo(buffer, FALSE); // the project has its own
    panel->error =
        gtk_text_buffer_create_tag(buffer, "error", "underline", PANGO_UNDERLINE_ERROR, NULL);
    panel->warning =
        gtk_text_buffer_create_tag(buffer, "warning", "underline", PANGO_UNDERLINE_SINGLE, NULL);
    g_signal_connect(buffer, "changed", G_CALLBACK(on_changed), panel);
    panel->view = gtk_source_view_new_with_buffer(panel->buffer);
    GtkSourceView *view = GTK_SOURCE_VIEW(panel->view);
    gtk_source_view_set_show_line_numbers(view, TRUE);
    gtk_source_view_set_auto_indent(view, TRUE);
    gtk_source_view_set_insert_spaces_instead_of_tabs(view, TRUE);
    gtk_source_view_set_tab_width(view, 4);
    gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Text of the design", -1);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), panel->view);
    gtk_widget_set_hexpand(scrolled, TRUE);
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), scrolled);
}

GtkWidget *som_source_panel_new(SomProject *project) {
    SomSourcePanel *panel = g_object_new(SOM_TYPE_SOURCE_PANEL, NULL);
    panel->project = project;
    som_source_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
