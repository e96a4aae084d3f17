// SPDX-License-Identifier: Apache-2.0
#include "studio/joint_panel.h"

#include "studio/joint_row.h"
#include "studio/pose_keeper.h"
#include "studio/widgets.h"

struct _SomJointPanel {
    GtkBox parent_instance;
    SomProject *project;
    GListStore *joints;
    GtkStack *stack;
    GtkLabel *none;
    GPtrArray *rows; // that are in use, borrowed
    GtkWidget *keeper;
    char *shape; // of the joints in the list
};

G_DEFINE_FINAL_TYPE(SomJointPanel, som_joint_panel, GTK_TYPE_BOX)

// ---- rows

static void on_setup(GtkListItemFactory *factory, GtkListItem *item, SomJointPanel *panel) {
    (void)factory;
    gtk_list_item_set_child(item, som_joint_row_new(panel->project));
    gtk_list_item_set_activatable(item, FALSE);
    gtk_list_item_set_selectable(item, FALSE);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, SomJointPanel *panel) {
    (void)factory;
    GtkWidget *row = gtk_list_item_get_child(item);
    som_joint_row_set(SOM_JOINT_ROW(row), gtk_list_item_get_item(item));
    g_ptr_array_add(panel->rows, row);
}

static void on_unbind(GtkListItemFactory *factory, GtkListItem *item, SomJointPanel *panel) {
    (void)factory;
    GtkWidget *row = gtk_list_item_get_child(item);
    som_joint_row_set(SOM_JOINT_ROW(row), NULL);
    g_ptr_array_remove_fast(panel->rows, row);
}

// ---- what is shown

static const SomConfiguration *configuration_of(SomJointPanel *panel) {
    return som_project_model(panel->project)->configuration;
}

// So that a change of the text that leaves the joints leaves their rows, and with them the focus.
static char *print_shape(GListStore *joints, int part) {
    GString *shape = g_string_new(NULL);
    g_string_append_printf(shape, "%d", part);
    guint count = g_list_model_get_n_items(G_LIST_MODEL(joints));
    for (guint i = 0; i < count; i++) {
        g_autoptr(SomJointItem) item = g_list_model_get_item(G_LIST_MODEL(joints), i);
        g_string_append_printf(shape, "\n%d %s %s", item->dof, item->place, item->words);
    }
    return g_string_free(shape, FALSE);
}

void som_joint_panel_show(SomJointPanel *panel, int part) {
    const SomConfiguration *configuration = configuration_of(panel);
    g_autoptr(GListStore) joints = configuration != NULL ? som_joint_list_of(configuration, part)
                                                         : g_list_store_new(SOM_TYPE_JOINT_ITEM);
    char *shape = print_shape(joints, part);
    guint count = g_list_model_get_n_items(G_LIST_MODEL(joints));
    if (g_strcmp0(shape, panel->shape) != 0) {
        g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
        for (guint i = 0; i < count; i++) {
            g_ptr_array_add(items, g_list_model_get_item(G_LIST_MODEL(joints), i));
        }
        g_list_store_splice(panel->joints, 0, g_list_model_get_n_items(G_LIST_MODEL(panel->joints)),
                            items->pdata, count);
    }
    g_free(panel->shape);
    panel->shape = shape;
    gtk_label_set_text(panel->none, configuration == NULL ? "There is no design yet"
                                                          : "This part has no joints that move");
    gtk_stack_set_visible_child_name(panel->stack, count > 0 ? "joints" : "none");
    som_pose_keeper_show(SOM_POSE_KEEPER(panel->keeper), part);
    gtk_widget_set_sensitive(panel->keeper, count > 0);
    som_joint_panel_move(panel);
}

void som_joint_panel_move(SomJointPanel *panel) {
    for (guint i = 0; i < panel->rows->len; i++) {
        som_joint_row_refresh(g_ptr_array_index(panel->rows, i));
    }
}

static void on_reset(GtkButton *button, SomJointPanel *panel) {
    (void)button;
    som_project_set_posture(panel->project, NULL);
}

// ---- life

static void dispose(GObject *object) {
    SomJointPanel *panel = SOM_JOINT_PANEL(object);
    g_clear_pointer(&panel->shape, g_free);
    g_clear_object(&panel->joints);
    G_OBJECT_CLASS(som_joint_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_ptr_array_unref(SOM_JOINT_PANEL(object)->rows);
    G_OBJECT_CLASS(som_joint_panel_parent_class)->finalize(object);
}

static void som_joint_panel_class_init(SomJointPanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static GtkWidget *make_list(SomJointPanel *panel) {
    panel->joints = g_list_store_new(SOM_TYPE_JOINT_ITEM);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), panel);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), panel);
    g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), panel);
    GtkNoSelection *selection = gtk_no_selection_new(g_object_ref(G_LIST_MODEL(panel->joints)));
    GtkWidget *list = gtk_list_view_new(GTK_SELECTION_MODEL(selection), factory);
    gtk_list_view_set_show_separators(GTK_LIST_VIEW(list), TRUE);
    som_set_accessible_name(list, "Joints");
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    return scrolled;
}

static GtkWidget *make_foot(SomJointPanel *panel) {
    GtkWidget *foot = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    g_object_set(foot, "margin-start", 6, "margin-end", 6, "margin-top", 6, "margin-bottom", 6,
                 NULL);
    GtkWidget *reset = gtk_button_new_with_label("Back to the start");
    gtk_widget_set_tooltip_text(reset, "Moves all joints to where the design starts");
    g_signal_connect(reset, "clicked", G_CALLBACK(on_reset), panel);
    gtk_box_append(GTK_BOX(foot), reset);
    panel->keeper = som_pose_keeper_new(panel->project, "Keep in a pose…",
                                        "Writes what these joints are at into a pose of the text");
    gtk_widget_set_hexpand(panel->keeper, TRUE);
    gtk_box_append(GTK_BOX(foot), panel->keeper);
    return foot;
}

static void som_joint_panel_init(SomJointPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->rows = g_ptr_array_new();
    panel->stack = GTK_STACK(gtk_stack_new());
    panel->none = GTK_LABEL(gtk_label_new(NULL));
    gtk_widget_add_css_class(GTK_WIDGET(panel->none), "dim-label");
    gtk_widget_set_vexpand(GTK_WIDGET(panel->stack), TRUE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->stack));
}

GtkWidget *som_joint_panel_new(SomProject *project) {
    SomJointPanel *panel = g_object_new(SOM_TYPE_JOINT_PANEL, NULL);
    panel->project = project;
    gtk_stack_add_named(panel->stack, make_list(panel), "joints");
    gtk_stack_add_named(panel->stack, GTK_WIDGET(panel->none), "none");
    gtk_box_append(GTK_BOX(panel), make_foot(panel));
    som_joint_panel_show(panel, 0);
    return GTK_WIDGET(panel);
}
