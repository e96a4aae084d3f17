// SPDX-License-Identifier: Apache-2.0
#include "studio/pose_panel.h"

#include "studio/pose_keeper.h"
#include "studio/posture_pose.h"
#include "studio/widgets.h"

struct _SomPosePanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkListBox *list;
    GtkWidget *keeper;
    GPtrArray *rows; // Row, one for each pose
};

G_DEFINE_FINAL_TYPE(SomPosePanel, som_pose_panel, GTK_TYPE_BOX)

// A row has a name to be edited and four buttons.
typedef struct Row {
    SomPosePanel *panel;
    char *name;
    int pose; // of the model
    AdwEntryRow *entry;
    GtkWidget *show, *start, *keep, *remove;
} Row;

// ---- what the user does

static SomStr choice_of(const Row *row) {
    return som_project_choice(row->panel->project);
}

static SomDesign *design_of(const Row *row) {
    return som_project_design(row->panel->project);
}

static void on_show(GtkButton *button, Row *row) {
    (void)button;
    som_project_show_pose(row->panel->project, row->pose);
}

// Rows are made anew after an edit: nothing of one is touched behind it.
static void on_start(GtkButton *button, Row *row) {
    (void)button;
    const SomConfiguration *c = som_project_model(row->panel->project)->configuration;
    g_autofree char *name = g_strdup(c->start_pose == row->pose ? "" : row->name);
    som_project_edited(row->panel->project,
                       som_design_set_start(design_of(row), choice_of(row), som_str(name)));
}

static void on_keep(GtkButton *button, Row *row) {
    (void)button;
    g_autofree char *name = g_strdup(row->name);
    som_project_keep(row->panel->project, 0, som_str(name));
}

static void on_remove(GtkButton *button, Row *row) {
    (void)button;
    g_autofree char *name = g_strdup(row->name);
    som_project_edited(row->panel->project,
                       som_design_remove_pose(design_of(row), choice_of(row), som_str(name)));
}

static void on_rename(AdwEntryRow *entry, Row *row) {
    g_autofree char *old = g_strdup(row->name);
    g_autofree char *name = g_strdup(gtk_editable_get_text(GTK_EDITABLE(entry)));
    som_project_edited(row->panel->project, som_design_rename_pose(design_of(row), choice_of(row),
                                                                   som_str(old), som_str(name)));
}

// ---- rows

static void free_row(gpointer data) {
    Row *row = data;
    g_free(row->name);
    g_free(row);
}

static GtkWidget *add_button(Row *row, const char *icon, GCallback clicked) {
    GtkWidget *button = som_icon_button(icon, "");
    g_signal_connect(button, "clicked", clicked, row);
    adw_entry_row_add_suffix(row->entry, button);
    return button;
}

static Row *make_row(SomPosePanel *panel) {
    Row *row = g_new0(Row, 1);
    row->panel = panel;
    row->entry = som_name_row_new("Pose", G_CALLBACK(on_rename), row);
    gtk_widget_set_tooltip_text(GTK_WIDGET(row->entry), "Enter renames the pose");
    row->show = add_button(row, "view-reveal-symbolic", G_CALLBACK(on_show));
    row->start = add_button(row, "non-starred-symbolic", G_CALLBACK(on_start));
    row->keep = add_button(row, "document-save-symbolic", G_CALLBACK(on_keep));
    row->remove = add_button(row, "user-trash-symbolic", G_CALLBACK(on_remove));
    gtk_list_box_append(panel->list, GTK_WIDGET(row->entry));
    return row;
}

static void say(GtkWidget *button, const char *format, const char *name) {
    g_autofree char *words = g_strdup_printf("%s %s", format, name);
    gtk_widget_set_tooltip_text(button, words);
    som_set_accessible_name(button, words);
}

static void set_row(Row *row, const SomConfiguration *c, int pose) {
    bool is_start = pose == c->start_pose;
    g_free(row->name);
    row->name = som_c_string(c->poses[pose].name);
    row->pose = pose;
    som_name_row_set(row->entry, c->poses[pose].name);
    gtk_button_set_icon_name(GTK_BUTTON(row->start),
                             is_start ? "starred-symbolic" : "non-starred-symbolic");
    say(row->show, "Show the pose", row->name);
    say(row->start, is_start ? "Do not start in the pose" : "Start in the pose", row->name);
    say(row->keep, "Set to the joints as they are: the pose", row->name);
    say(row->remove, "Remove the pose", row->name);
}

// ---- what is shown

void som_pose_panel_refresh(SomPosePanel *panel) {
    const SomConfiguration *c = som_project_model(panel->project)->configuration;
    guint count = 0;
    for (int i = 0; c != NULL && i < c->pose_count; i++) {
        if (!som_project_pose_is_own(panel->project, i)) {
            continue;
        }
        if (count == panel->rows->len) {
            g_ptr_array_add(panel->rows, make_row(panel));
        }
        set_row(g_ptr_array_index(panel->rows, count), c, i);
        count++;
    }
    while (panel->rows->len > count) {
        Row *last = g_ptr_array_index(panel->rows, panel->rows->len - 1);
        gtk_list_box_remove(panel->list, GTK_WIDGET(last->entry));
        g_ptr_array_remove_index(panel->rows, panel->rows->len - 1);
    }
    gtk_widget_set_visible(GTK_WIDGET(panel->list), count > 0);
    gtk_widget_set_sensitive(panel->keeper, c != NULL);
    som_pose_panel_move(panel);
}

void som_pose_panel_move(SomPosePanel *panel) {
    const SomConfiguration *c = som_project_model(panel->project)->configuration;
    for (guint i = 0; i < panel->rows->len; i++) {
        Row *row = g_ptr_array_index(panel->rows, i);
        bool is_start = row->pose == c->start_pose;
        bool is_shown = som_project_pose_is_shown(panel->project, row->pose);
        const char *title = is_start && is_shown ? "Start pose, shown now"
                            : is_start           ? "Start pose"
                            : is_shown           ? "Pose, shown now"
                                                 : "Pose";
        if (strcmp(adw_preferences_row_get_title(ADW_PREFERENCES_ROW(row->entry)), title) != 0) {
            adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row->entry), title);
        }
    }
}

// ---- life

static void finalize(GObject *object) {
    g_ptr_array_unref(SOM_POSE_PANEL(object)->rows);
    G_OBJECT_CLASS(som_pose_panel_parent_class)->finalize(object);
}

static void som_pose_panel_class_init(SomPosePanelClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_pose_panel_init(SomPosePanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->rows = g_ptr_array_new_with_free_func(free_row);
    panel->list = GTK_LIST_BOX(gtk_list_box_new());
    gtk_list_box_set_selection_mode(panel->list, GTK_SELECTION_NONE);
    gtk_widget_add_css_class(GTK_WIDGET(panel->list), "boxed-list");
    som_set_accessible_name(GTK_WIDGET(panel->list), "Poses");
}

GtkWidget *som_pose_panel_new(SomProject *project) {
    SomPosePanel *panel = g_object_new(SOM_TYPE_POSE_PANEL, NULL);
    panel->project = project;
    panel->keeper = som_pose_keeper_new(project, "Keep the joints as they are…",
                                        "Writes what all joints are at into a pose of the text");
    GtkWidget *words = gtk_label_new("Poses name what joints are at, for behaviors and for the "
                                     "start. Move joints, then keep them in one.");
    gtk_label_set_wrap(GTK_LABEL(words), TRUE);
    gtk_label_set_xalign(GTK_LABEL(words), 0);
    gtk_widget_add_css_class(words, "dim-label");
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    som_pad(box);
    gtk_box_append(GTK_BOX(box), words);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(panel->list));
    gtk_box_append(GTK_BOX(box), panel->keeper);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), scrolled);
    som_pose_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
