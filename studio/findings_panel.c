// SPDX-License-Identifier: Apache-2.0
#include "studio/findings_panel.h"

#include "studio/findings.h"
#include "studio/severity_icon.h"
#include "studio/widgets.h"

// Milliseconds that lines of the last verdict stay while the next one is awaited.
#define PATIENCE 300

// ---- a line of the list: an index of the rows

#define SOM_TYPE_FINDING_LINE (som_finding_line_get_type())
G_DECLARE_FINAL_TYPE(SomFindingLine, som_finding_line, SOM, FINDING_LINE, GObject)

struct _SomFindingLine {
    GObject parent_instance;
    int index;
};

G_DEFINE_FINAL_TYPE(SomFindingLine, som_finding_line, G_TYPE_OBJECT)

static void som_finding_line_class_init(SomFindingLineClass *klass) {
    (void)klass;
}

static void som_finding_line_init(SomFindingLine *line) {
    (void)line;
}

// ---- the panel

struct _SomFindingsPanel {
    GtkBox parent_instance;
    SomProject *project;
    GListStore *lines;
    GtkStack *pages; // "list" and "none"
    GtkLabel *summary;
    SomFindingRows rows;
    SomMotionRecord *motion; // held; NULL: none
    guint timer;             // runs while a verdict is awaited; 0: none
};

G_DEFINE_FINAL_TYPE(SomFindingsPanel, som_findings_panel, GTK_TYPE_BOX)

enum { CHOSEN, MOTION_CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static void fill(SomFindingsPanel *panel) {
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_object_unref);
    for (int i = 0; i < panel->rows.all.count; i++) {
        SomFindingLine *line = g_object_new(SOM_TYPE_FINDING_LINE, NULL);
        line->index = i;
        g_ptr_array_add(lines, line);
    }
    g_list_store_splice(panel->lines, 0, g_list_model_get_n_items(G_LIST_MODEL(panel->lines)),
                        lines->pdata, lines->len);
    gtk_stack_set_visible_child_name(panel->pages, lines->len > 0 ? "list" : "none");
}

static void refresh(SomFindingsPanel *panel) {
    g_clear_handle_id(&panel->timer, g_source_remove);
    SomFindingRows rows = som_finding_rows(panel->project);
    if (panel->motion != NULL) {
        som_finding_rows_add_motion(&rows, panel->project, panel->motion->found);
    }
    bool is_same = som_finding_rows_equal(&rows, &panel->rows);
    som_finding_rows_free(&panel->rows);
    panel->rows = rows;
    if (is_same) {
        return; // what is scrolled to and focused stays
    }
    fill(panel);
    SomText words = {0};
    som_finding_rows_summarize(&panel->rows, &words);
    gtk_label_set_text(panel->summary, words.data);
    som_text_free(&words);
}

static gboolean on_long(gpointer data) {
    SomFindingsPanel *panel = data;
    panel->timer = 0;
    refresh(panel);
    return G_SOURCE_REMOVE;
}

static void on_change(void *context, unsigned changes) {
    SomFindingsPanel *panel = context;
    bool is_awaited = som_project_is_verified(panel->project) &&
                      !som_project_verdict(panel->project)->is_of_model &&
                      !som_project_is_stale(panel->project);
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_VERDICT)) == 0) {
        return;
    }
    if ((changes & SOM_PROJECT_TEXT) != 0) { // its places are of another text
        som_motion_record_release(panel->motion);
        panel->motion = NULL;
    }
    if (!is_awaited) {
        refresh(panel);
    } else if (panel->timer == 0) {
        panel->timer = g_timeout_add(PATIENCE, on_long, panel);
    }
}

void som_findings_panel_set_motion(SomFindingsPanel *panel, SomMotionRecord *motion) {
    bool is_known = motion != NULL && motion->found != NULL;
    if (panel->motion == (is_known ? motion : NULL)) {
        return;
    }
    som_motion_record_release(panel->motion);
    panel->motion = is_known ? som_motion_record_hold(motion) : NULL;
    refresh(panel);
}

int som_findings_panel_count(SomFindingsPanel *panel) {
    return panel->rows.all.count;
}

void som_findings_panel_choose(SomFindingsPanel *panel, int line) {
    if (line < 0 || line >= panel->rows.all.count) {
        return;
    }
    SomFindingRow row = panel->rows.all.data[line];
    if (panel->rows.revision != som_project_revision(panel->project)) {
        return; // another text by now; the lines are about to change
    }
    if (row.motion >= 0) {
        g_signal_emit(panel, signals[MOTION_CHOSEN], 0, row.motion);
    } else if (row.module >= 0) {
        som_project_select(panel->project, row.module);
    } else if (row.is_own) {
        g_signal_emit(panel, signals[CHOSEN], 0, row.span.begin);
    }
}

static void on_activate(GtkListView *list, guint position, SomFindingsPanel *panel) {
    (void)list;
    som_findings_panel_choose(panel, (int)position);
}

// ---- how a line looks

typedef struct LineWidgets {
    GtkImage *icon;
    GtkLabel *words, *detail;
    GtkButton *fix;
    int index;
} LineWidgets;

static const char widgets_key[] = "som-widgets";

static void on_fix(GtkButton *button, SomFindingsPanel *panel) {
    GtkWidget *line = gtk_widget_get_parent(GTK_WIDGET(button));
    const LineWidgets *widgets = g_object_get_data(G_OBJECT(line), widgets_key);
    if (widgets->index < panel->rows.all.count) {
        som_finding_rows_fix(&panel->rows, widgets->index, panel->project);
    }
}

static GtkLabel *make_label(GtkBox *into, const char *css_class) {
    GtkWidget *label = gtk_label_new("");
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    if (css_class != NULL) {
        gtk_widget_add_css_class(label, css_class);
    }
    gtk_box_append(into, label);
    return GTK_LABEL(label);
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *item, SomFindingsPanel *panel) {
    (void)factory;
    LineWidgets *widgets = g_new0(LineWidgets, 1);
    GtkBox *line = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9));
    GtkBox *texts = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
    widgets->icon = GTK_IMAGE(gtk_image_new());
    gtk_widget_set_valign(GTK_WIDGET(widgets->icon), GTK_ALIGN_START);
    gtk_widget_set_margin_top(GTK_WIDGET(widgets->icon), 2);
    widgets->words = make_label(texts, NULL);
    widgets->detail = make_label(texts, "dim-label");
    gtk_widget_add_css_class(GTK_WIDGET(widgets->detail), "caption");
    gtk_widget_set_hexpand(GTK_WIDGET(texts), TRUE);
    widgets->fix = GTK_BUTTON(gtk_button_new_with_label("Fix"));
    gtk_widget_set_valign(GTK_WIDGET(widgets->fix), GTK_ALIGN_CENTER);
    g_signal_connect(widgets->fix, "clicked", G_CALLBACK(on_fix), panel);
    gtk_box_append(line, GTK_WIDGET(widgets->icon));
    gtk_box_append(line, GTK_WIDGET(texts));
    gtk_box_append(line, GTK_WIDGET(widgets->fix));
    g_object_set_data_full(G_OBJECT(line), widgets_key, widgets, g_free);
    gtk_list_item_set_child(item, GTK_WIDGET(line));
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, SomFindingsPanel *panel) {
    (void)factory;
    GtkWidget *line = gtk_list_item_get_child(item);
    LineWidgets *widgets = g_object_get_data(G_OBJECT(line), widgets_key);
    widgets->index = SOM_FINDING_LINE(gtk_list_item_get_item(item))->index;
    const SomFindingRow *row = &panel->rows.all.data[widgets->index];
    som_severity_look_apply(som_severity_look(row->severity), widgets->icon);
    gtk_label_set_text(widgets->words, row->words.data);
    gtk_label_set_text(widgets->detail, row->detail.data);
    gtk_widget_set_visible(GTK_WIDGET(widgets->detail), row->detail.length > 0);
    gtk_widget_set_visible(GTK_WIDGET(widgets->fix), row->has_fix);
    gtk_widget_set_tooltip_text(line, som_code_help(row->code));
}

static GtkWidget *make_list(SomFindingsPanel *panel) {
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), panel);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), panel);
    panel->lines = g_list_store_new(SOM_TYPE_FINDING_LINE);
    GtkNoSelection *model = gtk_no_selection_new(g_object_ref(G_LIST_MODEL(panel->lines)));
    GtkWidget *list = gtk_list_view_new(GTK_SELECTION_MODEL(model), factory);
    gtk_list_view_set_single_click_activate(GTK_LIST_VIEW(list), TRUE);
    g_signal_connect(list, "activate", G_CALLBACK(on_activate), panel);
    som_set_accessible_name(list, "Findings");
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    return scrolled;
}

// ---- life

static void dispose(GObject *object) {
    SomFindingsPanel *panel = SOM_FINDINGS_PANEL(object);
    g_clear_handle_id(&panel->timer, g_source_remove);
    if (panel->project != NULL) {
        som_project_unlisten(panel->project, on_change, panel);
        panel->project = NULL;
    }
    if (panel->lines != NULL) {
        g_list_store_remove_all(panel->lines); // before the rows that they are of
    }
    g_clear_object(&panel->lines);
    G_OBJECT_CLASS(som_findings_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    som_finding_rows_free(&SOM_FINDINGS_PANEL(object)->rows);
    som_motion_record_release(SOM_FINDINGS_PANEL(object)->motion);
    G_OBJECT_CLASS(som_findings_panel_parent_class)->finalize(object);
}

static void som_findings_panel_class_init(SomFindingsPanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_FINDINGS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
    signals[MOTION_CHOSEN] =
        g_signal_new("motion-chosen", SOM_TYPE_FINDINGS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                     NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void som_findings_panel_init(SomFindingsPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->summary = GTK_LABEL(gtk_label_new("No findings"));
    gtk_label_set_xalign(panel->summary, 0);
    gtk_widget_add_css_class(GTK_WIDGET(panel->summary), "heading");
    gtk_widget_set_margin_start(GTK_WIDGET(panel->summary), 12);
    gtk_widget_set_margin_top(GTK_WIDGET(panel->summary), 6);
    gtk_widget_set_margin_bottom(GTK_WIDGET(panel->summary), 6);
    panel->pages = GTK_STACK(gtk_stack_new());
    GtkWidget *none = gtk_label_new("What is wrong with the design, or could be, is told here.");
    gtk_widget_add_css_class(none, "dim-label");
    gtk_label_set_wrap(GTK_LABEL(none), TRUE);
    gtk_stack_add_named(panel->pages, none, "none");
    gtk_stack_add_named(panel->pages, make_list(panel), "list");
    gtk_widget_set_vexpand(GTK_WIDGET(panel->pages), TRUE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->summary));
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->pages));
}

GtkWidget *som_findings_panel_new(SomProject *project) {
    SomFindingsPanel *panel = g_object_new(SOM_TYPE_FINDINGS_PANEL, NULL);
    panel->project = project;
    som_project_listen(project, on_change, panel);
    refresh(panel);
    return GTK_WIDGET(panel);
}
