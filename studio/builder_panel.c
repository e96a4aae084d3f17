// SPDX-License-Identifier: Apache-2.0
#include "studio/builder_panel.h"

#include "language/name.h"
#include "studio/palette_panel.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"

struct _SomBuilderPanel {
    GtkBox parent_instance;
    SomDesk *desk; // NULL when it listens no more
    GtkListBox *behaviors;
    char *shape;     // of the behaviors that the rows are of
    bool is_setting; // the selection changes by ourselves
};

G_DEFINE_FINAL_TYPE(SomBuilderPanel, som_builder_panel, GTK_TYPE_BOX)

enum { CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static const char path_key[] = "som-path"; // of a row: the behavior

// ---- rows

static GtkWidget *make_row(const SomBlocksBehavior *behavior) {
    SomText path = {0};
    som_name_print(&path, behavior->name);
    g_autofree char *name = som_c_string(som_text_str(&path));
    g_autofree char *params = som_c_string(behavior->params);
    GtkWidget *title = gtk_label_new(name), *more = gtk_label_new(params);
    gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_END);
    gtk_label_set_ellipsize(GTK_LABEL(more), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign(GTK_LABEL(more), 0);
    gtk_widget_set_hexpand(more, TRUE);
    gtk_widget_add_css_class(more, "dim-label");
    gtk_widget_add_css_class(more, "caption");
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    gtk_box_append(GTK_BOX(box), title);
    gtk_box_append(GTK_BOX(box), more);
    GtkWidget *row = gtk_list_box_row_new();
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
    g_object_set_data_full(G_OBJECT(row), path_key, g_strdup(name), g_free);
    som_set_accessible_name(row, name);
    som_text_free(&path);
    return row;
}

static char *print_shape(const SomBlocks *blocks) {
    GString *shape = g_string_new(NULL);
    for (int i = 0; i < blocks->behaviors.count; i++) {
        const SomBlocksBehavior *b = &blocks->behaviors.data[i];
        g_string_append_printf(shape, "%.*s %.*s\n", SOM_STR_ARG(b->name), SOM_STR_ARG(b->params));
    }
    return g_string_free(shape, FALSE);
}

static void fill(SomBuilderPanel *panel) {
    const SomBlocks *blocks = som_desk_blocks(panel->desk);
    char *shape = print_shape(blocks);
    bool is_same = g_strcmp0(shape, panel->shape) == 0;
    g_free(panel->shape);
    panel->shape = shape;
    if (is_same) {
        return;
    }
    GtkWidget *row;
    while ((row = gtk_widget_get_first_child(GTK_WIDGET(panel->behaviors))) != NULL &&
           GTK_IS_LIST_BOX_ROW(row)) {
        gtk_list_box_remove(panel->behaviors, row);
    }
    for (int i = 0; i < blocks->behaviors.count; i++) {
        gtk_list_box_append(panel->behaviors, make_row(&blocks->behaviors.data[i]));
    }
}

static void show_chosen(SomBuilderPanel *panel) {
    int own = som_desk_own(panel->desk);
    GtkListBoxRow *row = own >= 0 ? gtk_list_box_get_row_at_index(panel->behaviors, own) : NULL;
    panel->is_setting = true;
    if (row != NULL) {
        gtk_list_box_select_row(panel->behaviors, row);
    } else {
        gtk_list_box_unselect_all(panel->behaviors);
    }
    panel->is_setting = false;
}

static void on_desk(void *context, unsigned changes) {
    SomBuilderPanel *panel = context;
    if ((changes & (SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR)) != 0) {
        panel->is_setting = true;
        fill(panel);
        panel->is_setting = false;
        show_chosen(panel);
    }
}

static void on_selected(GtkListBox *list, GtkListBoxRow *row, SomBuilderPanel *panel) {
    (void)list;
    if (!panel->is_setting && row != NULL && panel->desk != NULL) {
        g_autofree char *path = g_strdup(g_object_get_data(G_OBJECT(row), path_key));
        som_desk_choose(panel->desk, som_str(path));
    }
}

static void on_activated(GtkListBox *list, GtkListBoxRow *row, SomBuilderPanel *panel) {
    (void)list, (void)row;
    g_signal_emit(panel, signals[CHOSEN], 0);
}

// ---- life

static void dispose(GObject *object) {
    SomBuilderPanel *panel = SOM_BUILDER_PANEL(object);
    if (panel->desk != NULL) {
        som_desk_unlisten(panel->desk, on_desk, panel);
        panel->desk = NULL;
    }
    G_OBJECT_CLASS(som_builder_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_free(SOM_BUILDER_PANEL(object)->shape);
    G_OBJECT_CLASS(som_builder_panel_parent_class)->finalize(object);
}

static void som_builder_panel_class_init(SomBuilderPanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_BUILDER_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *make_head(void) {
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *title = gtk_label_new("Behaviors");
    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_widget_set_hexpand(title, TRUE);
    gtk_widget_add_css_class(title, "heading");
    gtk_box_append(GTK_BOX(head), title);
    static const char *const buttons[][2] = {{"list-add-symbolic", "design.add-behavior"},
                                             {"document-edit-symbolic", "design.rename-behavior"},
                                             {"user-trash-symbolic", "design.remove-behavior"}};
    for (size_t i = 0; i < G_N_ELEMENTS(buttons); i++) {
        GtkWidget *button = som_action_button(buttons[i][0], buttons[i][1]);
        gtk_widget_add_css_class(button, "flat");
        gtk_box_append(GTK_BOX(head), button);
    }
    g_object_set(head, "margin-start", 12, "margin-end", 6, "margin-top", 6, NULL);
    return head;
}

static GtkWidget *make_behaviors(SomBuilderPanel *panel) {
    panel->behaviors = GTK_LIST_BOX(gtk_list_box_new());
    gtk_widget_add_css_class(GTK_WIDGET(panel->behaviors), "navigation-sidebar");
    gtk_list_box_set_selection_mode(panel->behaviors, GTK_SELECTION_SINGLE);
    gtk_list_box_set_activate_on_single_click(panel->behaviors, FALSE);
    som_set_accessible_name(panel->behaviors, "Behaviors");
    GtkWidget *none = gtk_label_new("There is none yet");
    gtk_widget_add_css_class(none, "dim-label");
    gtk_widget_set_margin_top(none, 12);
    gtk_list_box_set_placeholder(panel->behaviors, none);
    g_signal_connect(panel->behaviors, "row-selected", G_CALLBACK(on_selected), panel);
    g_signal_connect(panel->behaviors, "row-activated", G_CALLBACK(on_activated), panel);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(panel->behaviors));
    gtk_widget_set_vexpand(scrolled, TRUE);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), make_head());
    gtk_box_append(GTK_BOX(box), scrolled);
    gtk_widget_set_size_request(box, -1, 110);
    return box;
}

static void som_builder_panel_init(SomBuilderPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *som_builder_panel_new(SomDesk *desk) {
    SomBuilderPanel *panel = g_object_new(SOM_TYPE_BUILDER_PANEL, NULL);
    panel->desk = desk;
    GtkPaned *paned = GTK_PANED(gtk_paned_new(GTK_ORIENTATION_VERTICAL));
    gtk_paned_set_start_child(paned, make_behaviors(panel));
    gtk_paned_set_end_child(paned, som_palette_panel_new(desk));
    gtk_paned_set_shrink_start_child(paned, FALSE);
    gtk_paned_set_shrink_end_child(paned, FALSE);
    gtk_paned_set_resize_start_child(paned, FALSE);
    gtk_paned_set_position(paned, 200);
    gtk_widget_set_vexpand(GTK_WIDGET(paned), TRUE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(paned));
    som_desk_listen(desk, on_desk, panel);
    on_desk(panel, SOM_DESK_BLOCKS);
    return GTK_WIDGET(panel);
}
