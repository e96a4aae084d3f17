// SPDX-License-Identifier: Apache-2.0
#include "studio/source_panel.h"

#include "studio/findings.h"
#include "studio/severity_icon.h"
#include "studio/som_studio_resources.h"
#include "studio/text_edit.h"
#include "studio/widgets.h"

#include <adwaita.h>
#include <gtksourceview/gtksource.h>

#define PAUSE 250          // milliseconds without a key after which what was typed counts
#define PAUSE_FACTOR 4     // or so many times what composing took, if that is longer
#define LONGEST_PAUSE 2000 // but no more
#define GOING_ON 3000      // milliseconds within which typing goes on with the last step of undo

struct _SomSourcePanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkSourceBuffer *buffer;
    GtkWidget *view;
    GtkTextTag *tags[SOM_ERROR + 1]; // by severity
    GtkTextTag *marked;              // of what stands out
    SomFindingRows rows;             // that are marked
    guint pause;                     // the running timer; 0: none
    int pause_length;                // milliseconds
    SomText base;                    // of the project, that the buffer was made of
    bool is_refreshing;              // the change of the buffer is our own
    bool is_flushing;                // the change of the project is our own
    bool is_following;               // the selection is our own
    SomTypedStep typed;              // what goes on with the last step
    gint64 typed_time;
};

G_DEFINE_FINAL_TYPE(SomSourcePanel, som_source_panel, GTK_TYPE_BOX)

enum { TYPED, CARET, SIGNALS };
static guint signals[SIGNALS];

static GtkTextBuffer *text_buffer(SomSourcePanel *panel) {
    return GTK_TEXT_BUFFER(panel->buffer);
}

static char *held_text(SomSourcePanel *panel) {
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(text_buffer(panel), &begin, &end);
    return gtk_text_buffer_get_slice(text_buffer(panel), &begin, &end, TRUE);
}

// ---- places: bytes of the project's text, which the buffer holds, and back

static void iter_at(SomSourcePanel *panel, uint32_t offset, GtkTextIter *iter) {
    SomStr text = som_project_text(panel->project);
    size_t at = MIN((size_t)offset, text.length), line = 0, begin = 0;
    for (const char *end; (end = memchr(text.data + begin, '\n', at - begin)) != NULL; line++) {
        begin = (size_t)(end - text.data) + 1;
    }
    gtk_text_buffer_get_iter_at_line(text_buffer(panel), iter, (int)line);
    glong chars = g_utf8_strlen(text.data + begin, (gssize)(at - begin));
    gtk_text_iter_forward_chars(iter, (int)chars);
}

static uint32_t offset_of(SomSourcePanel *panel, const GtkTextIter *iter) {
    SomStr text = som_project_text(panel->project);
    const char *at = text.data, *end = text.data + text.length;
    for (int left = gtk_text_iter_get_offset(iter); left > 0 && at < end; left--) {
        at = g_utf8_next_char(at);
    }
    return (uint32_t)(MIN(at, end) - text.data);
}

// ---- from the buffer to the project

void som_source_panel_flush(SomSourcePanel *panel) {
    if (panel->pause == 0) {
        return;
    }
    g_clear_handle_id(&panel->pause, g_source_remove);
    g_autofree char *text = held_text(panel);
    gint64 now = g_get_monotonic_time();
    bool is_late = now - panel->typed_time > GOING_ON * 1000;
    bool goes_on =
        som_typed_step_take(&panel->typed, som_project_text(panel->project), som_str(text)) &&
        !is_late;
    panel->typed_time = now;
    panel->is_flushing = true;
    if (goes_on) {
        som_project_amend_text(panel->project, som_str(text));
    } else {
        som_project_set_text(panel->project, som_str(text));
    }
    panel->is_flushing = false;
    gint64 taken = (g_get_monotonic_time() - now) / 1000;
    panel->pause_length = (int)CLAMP(PAUSE_FACTOR * taken, PAUSE, LONGEST_PAUSE);
}

char *som_source_panel_typed(SomSourcePanel *panel) {
    return panel->pause != 0 ? held_text(panel) : NULL;
}

static gboolean on_pause(gpointer data) {
    som_source_panel_flush(data);
    return G_SOURCE_REMOVE;
}

static void on_changed(GtkTextBuffer *buffer, SomSourcePanel *panel) {
    (void)buffer;
    if (!panel->is_refreshing) {
        g_clear_handle_id(&panel->pause, g_source_remove);
        panel->pause = g_timeout_add((guint)panel->pause_length, on_pause, panel);
        g_signal_emit(panel, signals[TYPED], 0);
    }
}

// ---- from the project to the buffer

// Only what differs is replaced, so that the cursor and what is seen stay. What the buffer cannot
// hold byte for byte is not edited here, so that nothing gets lost.
static void put(SomSourcePanel *panel, SomStr text) {
    g_autofree char *held = held_text(panel);
    SomStr old = som_str(held);
    SomTextChange change = som_text_change(old, text);
    if (change.removed > 0 || change.added > 0) {
        GtkTextIter begin, end;
        int first = (int)g_utf8_strlen(old.data, (gssize)change.at);
        int count = (int)g_utf8_strlen(old.data + change.at, (gssize)change.removed);
        panel->is_refreshing = true;
        gtk_text_buffer_get_iter_at_offset(text_buffer(panel), &begin, first);
        gtk_text_buffer_get_iter_at_offset(text_buffer(panel), &end, first + count);
        gtk_text_buffer_delete(text_buffer(panel), &begin, &end);
        gtk_text_buffer_insert(text_buffer(panel), &begin, text.data + change.at,
                               (int)change.added);
        panel->is_refreshing = false;
        g_autofree char *now = held_text(panel);
        gtk_text_view_set_editable(GTK_TEXT_VIEW(panel->view), som_str_equal(som_str(now), text));
    }
}

// What is typed and not yet in the project is not lost to an edit of somebody else, nor is that
// lost to it, unless both are about the same place: there who types is right.
static void take_text(SomSourcePanel *panel) {
    SomStr text = som_project_text(panel->project);
    if (panel->pause == 0) {
        put(panel, text);
    } else {
        g_autofree char *held = held_text(panel);
        SomText merged = {0};
        if (som_text_merge(som_text_str(&panel->base), som_str(held), text, &merged)) {
            put(panel, som_text_str(&merged));
        }
        som_text_free(&merged);
    }
    som_text_clear(&panel->base);
    som_text_add(&panel->base, text);
}

static const char *const categories[] = {"note", "warning", "error"};

static void clear_marks(SomSourcePanel *panel) {
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(text_buffer(panel), &begin, &end);
    for (int i = 0; i <= SOM_ERROR; i++) {
        gtk_text_buffer_remove_tag(text_buffer(panel), panel->tags[i], &begin, &end);
        gtk_source_buffer_remove_source_marks(panel->buffer, &begin, &end, categories[i]);
    }
}

static void mark(SomSourcePanel *panel, const SomFindingRow *row) {
    GtkTextIter begin, end;
    iter_at(panel, row->span.begin, &begin);
    iter_at(panel, row->span.end, &end);
    GtkTextIter line = begin;
    gtk_text_iter_set_line_offset(&line, 0);
    gtk_source_buffer_create_source_mark(panel->buffer, NULL, categories[row->severity], &line);
    if (gtk_text_iter_equal(&begin, &end) && !gtk_text_iter_forward_char(&end)) {
        gtk_text_iter_backward_char(&begin); // at the end of all
    }
    if (!row->is_verdict) {
        gtk_text_buffer_apply_tag(text_buffer(panel), panel->tags[row->severity], &begin, &end);
    }
}

static void show_findings(SomSourcePanel *panel) {
    SomFindingRows rows = som_finding_rows(panel->project);
    bool is_same =
        som_finding_rows_equal(&rows, &panel->rows) && rows.revision == panel->rows.revision;
    som_finding_rows_free(&panel->rows);
    panel->rows = rows;
    if (is_same) {
        return;
    }
    clear_marks(panel);
    for (int i = 0; i < rows.all.count; i++) {
        if (rows.all.data[i].is_own) {
            mark(panel, &rows.all.data[i]);
        }
    }
}

// ---- what is selected

static void select_span(SomSourcePanel *panel, SomSpan span) {
    GtkTextIter begin, end;
    iter_at(panel, span.begin, &begin);
    iter_at(panel, span.end, &end);
    panel->is_following = true;
    gtk_text_buffer_select_range(text_buffer(panel), &end, &begin);
    gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(panel->view),
                                 gtk_text_buffer_get_insert(text_buffer(panel)), 0.1, FALSE, 0, 0);
    panel->is_following = false;
}

// Who writes here keeps the cursor.
static void show_selection(SomSourcePanel *panel) {
    const SomModel *model = som_project_model(panel->project);
    SomSpan span = som_model_part_span(model, som_project_selected(panel->project));
    bool is_here = gtk_widget_has_focus(panel->view) || panel->is_following;
    if (span.source1 != 0 && !is_here && panel->pause == 0 &&
        !som_project_is_stale(panel->project)) {
        select_span(panel, span);
    }
}

static void on_cursor(SomSourcePanel *panel) {
    if (panel->is_refreshing || panel->is_following || panel->pause != 0 ||
        !gtk_widget_has_focus(panel->view) || som_project_is_stale(panel->project)) {
        return;
    }
    GtkTextIter iter;
    gtk_text_buffer_get_iter_at_mark(text_buffer(panel), &iter,
                                     gtk_text_buffer_get_insert(text_buffer(panel)));
    uint32_t offset = offset_of(panel, &iter);
    int module = som_model_module_at(som_project_model(panel->project), offset);
    int now = som_project_selected_part_index(panel->project);
    const SomConfiguration *design = som_project_model(panel->project)->configuration;
    bool is_same = now >= 0 && module >= design->parts[now].first_module &&
                   module < design->parts[now].first_module + design->parts[now].module_count;
    if (module >= 0 && !is_same) {
        panel->is_following = true;
        som_project_select(panel->project, module);
        panel->is_following = false;
    }
    panel->is_following = true;
    g_signal_emit(panel, signals[CARET], 0, (guint)offset);
    panel->is_following = false;
}

void som_source_panel_select(SomSourcePanel *panel, uint32_t begin, uint32_t end) {
    bool is_here = gtk_widget_has_focus(panel->view) || panel->is_following;
    if (!is_here && panel->pause == 0 && !som_project_is_stale(panel->project)) {
        select_span(panel, (SomSpan){.begin = begin, .end = end});
    }
}

void som_source_panel_go_to(SomSourcePanel *panel, uint32_t offset) {
    GtkTextIter iter;
    iter_at(panel, offset, &iter);
    gtk_text_buffer_place_cursor(text_buffer(panel), &iter);
    gtk_text_view_scroll_to_mark(GTK_TEXT_VIEW(panel->view),
                                 gtk_text_buffer_get_insert(text_buffer(panel)), 0.1, FALSE, 0, 0);
    gtk_widget_grab_focus(panel->view);
}

// ---- what stands out

void som_source_panel_set_marked(SomSourcePanel *panel, const SomSpan *spans, int count) {
    GtkTextIter begin, end;
    gtk_text_buffer_get_bounds(text_buffer(panel), &begin, &end);
    gtk_text_buffer_remove_tag(text_buffer(panel), panel->marked, &begin, &end);
    if (panel->pause != 0) {
        return; // places are of another text than what is typed
    }
    for (int i = count - 1; i >= 0; i--) {
        iter_at(panel, spans[i].begin, &begin);
        iter_at(panel, spans[i].end, &end);
        gtk_text_buffer_apply_tag(text_buffer(panel), panel->marked, &begin, &end);
        gtk_text_view_scroll_to_iter(GTK_TEXT_VIEW(panel->view), &begin, 0.1, FALSE, 0, 0);
    }
}

bool som_source_panel_is_marked(SomSourcePanel *panel, uint32_t offset) {
    GtkTextIter iter;
    iter_at(panel, offset, &iter);
    return gtk_text_iter_has_tag(&iter, panel->marked);
}

// ---- what is said where the pointer rests

static bool is_at(const SomFindingRow *row, uint32_t offset) {
    return row->is_own && !row->is_verdict && row->span.begin <= offset &&
           offset < MAX(row->span.end, row->span.begin + 1);
}

static void add_words(const SomFindingRow *row, GString *out) {
    g_string_append_printf(out, "%s%s: %s", out->len > 0 ? "\n" : "",
                           som_severity_look(row->severity).word, row->words.data);
}

static char *words_or_null(GString *words) {
    return g_string_free(words, words->len == 0);
}

char *som_source_panel_words_at(SomSourcePanel *panel, uint32_t offset) {
    GString *words = g_string_new(NULL);
    for (int i = 0; i < panel->rows.all.count; i++) {
        if (is_at(&panel->rows.all.data[i], offset)) {
            add_words(&panel->rows.all.data[i], words);
        }
    }
    return words_or_null(words);
}

static gboolean on_tooltip(GtkWidget *view, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip,
                           SomSourcePanel *panel) {
    GtkTextIter iter;
    GtkTextView *text_view = GTK_TEXT_VIEW(view);
    if (is_keyboard) {
        gtk_text_buffer_get_iter_at_mark(text_buffer(panel), &iter,
                                         gtk_text_buffer_get_insert(text_buffer(panel)));
    } else {
        gtk_text_view_window_to_buffer_coords(text_view, GTK_TEXT_WINDOW_WIDGET, x, y, &x, &y);
        if (!gtk_text_view_get_iter_at_location(text_view, &iter, x, y)) {
            return FALSE;
        }
    }
    g_autofree char *words =
        panel->pause == 0 ? som_source_panel_words_at(panel, offset_of(panel, &iter)) : NULL;
    gtk_tooltip_set_text(tooltip, words);
    return words != NULL;
}

// Of a mark at the margin: all that begins on its line.
static char *on_mark_tooltip(GtkSourceMarkAttributes *attributes, GtkSourceMark *at,
                             SomSourcePanel *panel) {
    (void)attributes;
    GtkTextIter iter;
    gtk_text_buffer_get_iter_at_mark(text_buffer(panel), &iter, GTK_TEXT_MARK(at));
    int line = gtk_text_iter_get_line(&iter);
    GString *words = g_string_new(NULL);
    for (int i = 0; i < panel->rows.all.count; i++) {
        const SomFindingRow *row = &panel->rows.all.data[i];
        if (row->is_own) {
            iter_at(panel, row->span.begin, &iter);
            if (gtk_text_iter_get_line(&iter) == line) {
                add_words(row, words);
            }
        }
    }
    return words_or_null(words);
}

// ---- what follows a change

static void on_change(void *context, unsigned changes) {
    SomSourcePanel *panel = context;
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        som_source_panel_set_marked(panel, NULL, 0);
        take_text(panel);
        if (!panel->is_flushing) {
            som_typed_step_end(&panel->typed);
        }
    }
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_VERDICT)) != 0 && panel->pause == 0) {
        show_findings(panel);
    }
    if ((changes & SOM_PROJECT_SELECTION) != 0) {
        show_selection(panel);
    }
}

// ---- how it looks

static GtkSourceLanguage *find_language(void) {
    static const char path[] = "resource:///org/somite/Studio/language-specs/";
    som_studio_get_resource(); // is registered where it is linked
    // paths must be known before the first language is asked for
    GtkSourceLanguageManager *manager = gtk_source_language_manager_get_default();
    const char *const *paths = gtk_source_language_manager_get_search_path(manager);
    if (!g_strv_contains(paths, path)) {
        gtk_source_language_manager_append_search_path(manager, path);
    }
    return gtk_source_language_manager_get_language(manager, "som");
}

static void follow_style(AdwStyleManager *style, GParamSpec *spec, SomSourcePanel *panel) {
    (void)spec;
    bool is_dark = adw_style_manager_get_dark(style);
    gtk_source_buffer_set_style_scheme(
        panel->buffer,
        gtk_source_style_scheme_manager_get_scheme(gtk_source_style_scheme_manager_get_default(),
                                                   is_dark ? "Adwaita-dark" : "Adwaita"));
}

static void make_marks(SomSourcePanel *panel) {
    // in colours of their own
    static const char *const icons[] = {"dialog-information", "dialog-warning", "dialog-error"};
    static const GdkRGBA colors[] = {
        {0.21F, 0.52F, 0.89F, 1}, {0.80F, 0.58F, 0.04F, 1}, {0.88F, 0.11F, 0.14F, 1}};
    static const GdkRGBA marked = {0.93F, 0.20F, 0.23F, 0.28F};
    panel->marked =
        gtk_text_buffer_create_tag(text_buffer(panel), "marked", "background-rgba", &marked, NULL);
    for (int i = 0; i <= SOM_ERROR; i++) {
        panel->tags[i] =
            gtk_text_buffer_create_tag(text_buffer(panel), categories[i], "underline",
                                       PANGO_UNDERLINE_ERROR, "underline-rgba", &colors[i], NULL);
        GtkSourceMarkAttributes *attributes = gtk_source_mark_attributes_new();
        gtk_source_mark_attributes_set_icon_name(attributes, icons[i]);
        g_signal_connect(attributes, "query-tooltip-text", G_CALLBACK(on_mark_tooltip), panel);
        gtk_source_view_set_mark_attributes(GTK_SOURCE_VIEW(panel->view), categories[i], attributes,
                                            i);
        g_object_unref(attributes);
    }
}

static void make_view(SomSourcePanel *panel) {
    panel->view = gtk_source_view_new_with_buffer(panel->buffer);
    GtkSourceView *view = GTK_SOURCE_VIEW(panel->view);
    gtk_source_view_set_show_line_numbers(view, TRUE);
    gtk_source_view_set_show_line_marks(view, TRUE);
    gtk_source_view_set_auto_indent(view, TRUE);
    gtk_source_view_set_insert_spaces_instead_of_tabs(view, TRUE);
    gtk_source_view_set_tab_width(view, 4);
    gtk_text_view_set_monospace(GTK_TEXT_VIEW(view), TRUE);
    gtk_widget_set_has_tooltip(panel->view, TRUE);
    g_signal_connect(view, "query-tooltip", G_CALLBACK(on_tooltip), panel);
    som_set_accessible_name(view, "Text of the design");
}

// ---- life

static void dispose(GObject *object) {
    SomSourcePanel *panel = SOM_SOURCE_PANEL(object);
    g_clear_handle_id(&panel->pause, g_source_remove);
    if (panel->project != NULL) {
        som_project_unlisten(panel->project, on_change, panel);
        g_signal_handlers_disconnect_by_data(adw_style_manager_get_default(), panel);
        g_signal_handlers_disconnect_by_data(panel->buffer, panel);
        panel->project = NULL;
    }
    g_clear_object(&panel->buffer);
    G_OBJECT_CLASS(som_source_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    SomSourcePanel *panel = SOM_SOURCE_PANEL(object);
    som_finding_rows_free(&panel->rows);
    som_text_free(&panel->base);
    G_OBJECT_CLASS(som_source_panel_parent_class)->finalize(object);
}

static void som_source_panel_class_init(SomSourcePanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[TYPED] = g_signal_new("typed", SOM_TYPE_SOURCE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
    signals[CARET] = g_signal_new("caret", SOM_TYPE_SOURCE_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void som_source_panel_init(SomSourcePanel *panel) {
    GtkSourceLanguage *language = find_language();
    panel->buffer = language != NULL ? gtk_source_buffer_new_with_language(language)
                                     : gtk_source_buffer_new(NULL);
    panel->pause_length = PAUSE;
    gtk_text_buffer_set_enable_undo(text_buffer(panel), FALSE); // the project has its own
    make_view(panel);
    make_marks(panel);
    g_signal_connect(panel->buffer, "changed", G_CALLBACK(on_changed), panel);
    g_signal_connect_swapped(panel->buffer, "notify::cursor-position", G_CALLBACK(on_cursor),
                             panel);
    AdwStyleManager *style = adw_style_manager_get_default();
    g_signal_connect(style, "notify::dark", G_CALLBACK(follow_style), panel);
    follow_style(style, NULL, panel);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), panel->view);
    gtk_widget_set_hexpand(scrolled, TRUE);
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), scrolled);
}

GtkWidget *som_source_panel_new(SomProject *project) {
    SomSourcePanel *panel = g_object_new(SOM_TYPE_SOURCE_PANEL, NULL);
    panel->project = project;
    som_project_listen(project, on_change, panel);
    on_change(panel, SOM_PROJECT_TEXT);
    return GTK_WIDGET(panel);
}
