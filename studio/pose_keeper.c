// SPDX-License-Identifier: Apache-2.0
#include "studio/pose_keeper.h"

#include "studio/posture_pose.h"
#include "studio/widgets.h"

struct _SomPoseKeeper {
    GtkBox parent_instance;
    SomProject *project;
    int part;
    GtkMenuButton *button;
    GtkPopover *popover;
    GtkBox *poses; // a button each
    GtkEntry *name;
    GtkWidget *add;
};

G_DEFINE_FINAL_TYPE(SomPoseKeeper, som_pose_keeper, GTK_TYPE_BOX)

void som_pose_keeper_show(SomPoseKeeper *keeper, int part) {
    keeper->part = part;
}

// The popover is closed first: what was refused is told at the edge of the window.
static void keep_in(SomPoseKeeper *keeper, const char *name) {
    g_autofree char *own = g_strdup(name); // the text it came from changes
    gtk_popover_popdown(keeper->popover);
    som_project_keep(keeper->project, keeper->part, som_str(own));
}

static void on_pose(GtkButton *button, SomPoseKeeper *keeper) {
    keep_in(keeper, gtk_label_get_text(GTK_LABEL(gtk_button_get_child(button))));
}

static void on_new(GtkWidget *widget, SomPoseKeeper *keeper) {
    (void)widget;
    const char *name = gtk_editable_get_text(GTK_EDITABLE(keeper->name));
    if (name[0] != '\0') {
        keep_in(keeper, name);
    }
}

static void on_typed(GtkEditable *entry, SomPoseKeeper *keeper) {
    gtk_widget_set_sensitive(keeper->add, gtk_editable_get_text(entry)[0] != '\0');
}

// ---- what is offered

static void add_pose(SomPoseKeeper *keeper, SomStr name) {
    g_autofree char *text = som_c_string(name);
    GtkWidget *label = gtk_label_new(text);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    GtkWidget *button = gtk_button_new();
    gtk_button_set_child(GTK_BUTTON(button), label);
    gtk_widget_add_css_class(button, "flat");
    g_autofree char *words = g_strdup_printf("Keep in the pose %s", text);
    gtk_widget_set_tooltip_text(button, words);
    g_signal_connect(button, "clicked", G_CALLBACK(on_pose), keeper);
    gtk_box_append(keeper->poses, button);
}

static void on_open(GtkMenuButton *button, gpointer data) {
    (void)button;
    SomPoseKeeper *keeper = data;
    GtkWidget *child;
    while ((child = gtk_widget_get_first_child(GTK_WIDGET(keeper->poses))) != NULL) {
        gtk_box_remove(keeper->poses, child);
    }
    const SomConfiguration *c = som_project_model(keeper->project)->configuration;
    for (int i = 0; c != NULL && i < c->pose_count; i++) {
        if (som_project_pose_is_own(keeper->project, i)) {
            add_pose(keeper, c->poses[i].name);
        }
    }
    gtk_editable_set_text(GTK_EDITABLE(keeper->name), "");
    on_typed(GTK_EDITABLE(keeper->name), keeper);
}

// ---- life

static void som_pose_keeper_class_init(SomPoseKeeperClass *klass) {
    (void)klass;
}

static GtkWidget *make_new(SomPoseKeeper *keeper) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    keeper->name = GTK_ENTRY(gtk_entry_new());
    gtk_entry_set_placeholder_text(keeper->name, "Name of a new pose");
    som_set_accessible_name(GTK_WIDGET(keeper->name), "Name of a new pose");
    g_signal_connect(keeper->name, "changed", G_CALLBACK(on_typed), keeper);
    g_signal_connect(keeper->name, "activate", G_CALLBACK(on_new), keeper);
    keeper->add = gtk_button_new_with_label("Keep");
    gtk_widget_add_css_class(keeper->add, "suggested-action");
    g_signal_connect(keeper->add, "clicked", G_CALLBACK(on_new), keeper);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(keeper->name));
    gtk_box_append(GTK_BOX(box), keeper->add);
    return box;
}

static void som_pose_keeper_init(SomPoseKeeper *keeper) {
    keeper->poses = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scrolled), 240);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(keeper->poses));
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    gtk_box_append(GTK_BOX(box), make_new(keeper));
    gtk_box_append(GTK_BOX(box), scrolled);
    keeper->popover = GTK_POPOVER(gtk_popover_new());
    gtk_popover_set_child(keeper->popover, box);
    keeper->button = GTK_MENU_BUTTON(gtk_menu_button_new());
    gtk_menu_button_set_popover(keeper->button, GTK_WIDGET(keeper->popover));
    gtk_menu_button_set_create_popup_func(keeper->button, on_open, keeper, NULL);
    gtk_widget_set_hexpand(GTK_WIDGET(keeper->button), TRUE);
    gtk_box_append(GTK_BOX(keeper), GTK_WIDGET(keeper->button));
}

GtkWidget *som_pose_keeper_new(SomProject *project, const char *title, const char *words) {
    SomPoseKeeper *keeper = g_object_new(SOM_TYPE_POSE_KEEPER, NULL);
    keeper->project = project;
    gtk_menu_button_set_label(keeper->button, title);
    som_set_accessible_name(GTK_WIDGET(keeper->button), title);
    gtk_widget_set_tooltip_text(GTK_WIDGET(keeper->button), words);
    return GTK_WIDGET(keeper);
}
