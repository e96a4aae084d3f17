// SPDX-License-Identifier: Apache-2.0
#include "studio/findings_panel.h"

#define MOST_ROWS 200

struct _SomFindingsPanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkListBox *list;
    GtkLabel *summary;
};

G_DEFINE_FINAL_TYPE(SomFindingsPanel, som_findings_panel, GTK_TYPE_BOX)

enum { CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static const char offset_key[] = "som-offset"; // of a row: 1 + the byte; 0: it has no place

static void add_row(SomFindingsPanel *panel, const SomDiagnostic *d) {
    SomText words = {0};
    SomPlace place = {0};
    if (d->span.source1 != 0) {
        place = som_diagnostics_place(som_project_diagnostics(panel->project), d->span.source1,
                                      d->span.begin);
        som_text_printf(&words, "%.*s:%d  ", SOM_STR_ARG(place.path), place.line);
    }
    som_text_add(&words, d->message);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *icon = gtk_image_new_from_icon_name(
        d->severity == SOM_ERROR ? "dialog-error-symbolic" : "dialog-warning-symbolic");
    GtkWidget *label = gtk_label_new(words.data);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_box_append(GTK_BOX(box), icon);
    gtk_box_append(GTK_BOX(box), label);
    GtkWidget *row = gtk_list_box_row_new();
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
    bool is_own = som_project_is_own(panel->project, d->span);
    g_object_set_data(G_OBJECT(row), offset_key, GUINT_TO_POINTER(is_own ? d->span.begin + 1 : 0));
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, words.data,
                                   -1);
    gtk_list_box_append(panel->list, row);
    som_text_free(&words);
}

void som_findings_panel_refresh(SomFindingsPanel *panel) {
    GtkWidget *row;
    while ((row = gtk_widget_get_first_child(GTK_WIDGET(panel->list))) != NULL) {
        gtk_list_box_remove(panel->list, row);
    }
    const SomDiagnostics *diags = som_project_diagnostics(panel->project);
    int count, rows = 0;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count && rows < MOST_ROWS; i++) {
        if (all[i].kind == SOM_DIAGNOSTIC_REPORT) {
            add_row(panel, &all[i]);
            rows++;
        }
    }
    int errors = som_diagnostics_error_count(diags);
    int warnings = som_diagnostics_warning_count(diags);
    g_autofree char *words = errors + warnings == 0
                                 ? g_strdup("No errors")
                                 : g_strdup_printf("%d errors, %d warnings", errors, warnings);
    gtk_label_set_text(panel->summary, words);
}

static void on_row_activated(GtkListBox *list, GtkListBoxRow *row, SomFindingsPanel *panel) {
    (void)list;
    guint offset = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(row), offset_key));
    if (offset > 0) {
        g_signal_emit(panel, signals[CHOSEN], 0, offset - 1);
    }
}

static void som_findings_panel_class_init(SomFindingsPanelClass *klass) {
    (void)klass;
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_FINDINGS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void som_findings_panel_init(SomFindingsPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->summary = GTK_LABEL(gtk_label_new(""));
    gtk_label_set_xalign(panel->summary, 0);
    gtk_widget_add_css_class(GTK_WIDGET(panel->summary), "heading");
    gtk_widget_set_margin_start(GTK_WIDGET(panel->summary), 12);
    gtk_widget_set_margin_top(GTK_WIDGET(panel->summary), 6);
    gtk_widget_set_margin_bottom(GTK_WIDGET(panel->summary), 6);
    panel->list = GTK_LIST_BOX(gtk_list_box_new());
    gtk_list_box_set_selection_mode(panel->list, GTK_SELECTION_NONE);
    g_signal_connect(panel->list, "row-activated", G_CALLBACK(on_row_activated), panel);
    gtk_accessible_update_property(GTK_ACCESSIBLE(panel->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Findings", -1);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(panel->list));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->summary));
    gtk_box_append(GTK_BOX(panel), scrolled);
}

GtkWidget *som_findings_panel_new(SomProject *project) {
    SomFindingsPanel *panel = g_object_new(SOM_TYPE_FINDINGS_PANEL, NULL);
    panel->project = project;
    som_findings_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
