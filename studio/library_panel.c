// SPDX-License-Identifier: Apache-2.0
#include "studio/library_panel.h"

#include "base/file.h"
#include "base/path.h"

struct _SomLibraryPanel {
    GtkBox parent_instance;
    GtkSearchEntry *search;
    GtkListBox *list;
};

G_DEFINE_FINAL_TYPE(SomLibraryPanel, som_library_panel, GTK_TYPE_BOX)

enum { CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static const char name_key[] = "som-name"; // of a row: the design's

static void add_row(SomLibraryPanel *panel, SomStr file) {
    SomStr stem = som_path_stem(file);
    char *name = g_strndup(stem.data, stem.length);
    GtkWidget *label = gtk_label_new(name);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    GtkWidget *row = gtk_list_box_row_new();
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), label);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    g_object_set_data_full(G_OBJECT(row), name_key, name, g_free);
    gtk_list_box_append(panel->list, row);
}

static void fill(SomLibraryPanel *panel, SomStr library) {
    SomText folder = {0};
    SomArena arena = {0};
    SomDiagnostics *diags = som_diagnostics_create(); // a library that is not there is an empty one
    const SomStr *names;
    som_path_join(&folder, library, SOM_STR("configs"));
    int count = som_file_list(folder.data, SOM_STR(".som"), &arena, &names, diags);
    for (int i = 0; i < count; i++) {
        add_row(panel, names[i]);
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
    som_text_free(&folder);
}

static gboolean is_wanted(GtkListBoxRow *row, gpointer data) {
    SomLibraryPanel *panel = data;
    const char *name = g_object_get_data(G_OBJECT(row), name_key);
    g_autofree char *wanted =
        g_utf8_strdown(gtk_editable_get_text(GTK_EDITABLE(panel->search)), -1);
    return strstr(name, wanted) != NULL;
}

static void on_row_activated(GtkListBox *list, GtkListBoxRow *row, SomLibraryPanel *panel) {
    (void)list;
    g_signal_emit(panel, signals[CHOSEN], 0, g_object_get_data(G_OBJECT(row), name_key));
}

static void som_library_panel_class_init(SomLibraryPanelClass *klass) {
    (void)klass;
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_LIBRARY_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void som_library_panel_init(SomLibraryPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->search = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    gtk_widget_set_margin_start(GTK_WIDGET(panel->search), 6);
    gtk_widget_set_margin_end(GTK_WIDGET(panel->search), 6);
    gtk_widget_set_margin_top(GTK_WIDGET(panel->search), 6);
    gtk_widget_set_margin_bottom(GTK_WIDGET(panel->search), 6);
    gtk_accessible_update_property(GTK_ACCESSIBLE(panel->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Search the library", -1);
    panel->list = GTK_LIST_BOX(gtk_list_box_new());
    gtk_widget_add_css_class(GTK_WIDGET(panel->list), "navigation-sidebar");
    gtk_list_box_set_filter_func(panel->list, is_wanted, panel, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(panel->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   "Library", -1);
    g_signal_connect(panel->list, "row-activated", G_CALLBACK(on_row_activated), panel);
    g_signal_connect_swapped(panel->search, "search-changed",
                             G_CALLBACK(gtk_list_box_invalidate_filter), panel->list);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(panel->list));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->search));
    gtk_box_append(GTK_BOX(panel), scrolled);
}

GtkWidget *som_library_panel_new(SomStr library) {
    SomLibraryPanel *panel = g_object_new(SOM_TYPE_LIBRARY_PANEL, NULL);
    fill(panel, library);
    return GTK_WIDGET(panel);
}
