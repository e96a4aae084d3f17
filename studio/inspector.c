// SPDX-License-Identifier: Apache-2.0
#include "studio/inspector.h"

#include "studio/config_panel.h"
#include "studio/joint_panel.h"
#include "studio/part_panel.h"
#include "studio/part_tree.h"
#include "studio/pose_panel.h"
#include "studio/widgets.h"

struct _SomInspector {
    GtkBox parent_instance;
    SomProject *project; // NULL when it listens no more
    SomPartTree *tree;
    GtkStack *pages;
    GtkStack *kinds; // of properties: "config" and "part"
    SomConfigPanel *config;
    SomPartPanel *properties;
    SomJointPanel *joints;
    SomPosePanel *poses;
    int part;
    SomText place;     // of the part, by which it is found again in another text
    bool is_selecting; // the project's selection changes by ourselves
};

G_DEFINE_FINAL_TYPE(SomInspector, som_inspector, GTK_TYPE_BOX)

int som_inspector_part(const SomInspector *inspector) {
    return inspector->part;
}

// ---- what is shown

static const SomConfiguration *configuration_of(SomInspector *inspector) {
    return som_project_model(inspector->project)->configuration;
}

static void show(SomInspector *inspector) {
    gtk_stack_set_visible_child_name(inspector->kinds, inspector->part > 0 ? "part" : "config");
    if (inspector->part > 0) {
        som_part_panel_show(inspector->properties, inspector->part);
    } else {
        som_config_panel_refresh(inspector->config);
    }
    som_joint_panel_show(inspector->joints, inspector->part);
    som_part_tree_show(inspector->tree, inspector->part);
}

static void set_part(SomInspector *inspector, int part) {
    const SomConfiguration *c = configuration_of(inspector);
    inspector->part = part;
    som_text_clear(&inspector->place);
    som_text_add(&inspector->place, c != NULL ? c->parts[part].path : SOM_STR(""));
}

// The part of the module that is selected; the whole if none is.
static int selected_part(SomInspector *inspector) {
    const SomConfiguration *c = configuration_of(inspector);
    int module = som_project_selected(inspector->project);
    return c != NULL && module >= 0 ? c->modules[module].part : 0;
}

static bool holds_selection(SomInspector *inspector, int part) {
    const SomConfiguration *c = configuration_of(inspector);
    int module = som_project_selected(inspector->project);
    return module >= 0 && part > 0 && c != NULL && module >= c->parts[part].first_module &&
           module < c->parts[part].first_module + c->parts[part].module_count;
}

// After another text: the same part, if it is still there and still selected.
static void find_again(SomInspector *inspector) {
    const SomConfiguration *c = configuration_of(inspector);
    int part = c != NULL && inspector->place.length > 0
                   ? som_configuration_find_part(c, som_text_str(&inspector->place))
                   : -1;
    set_part(inspector, holds_selection(inspector, part) ? part : selected_part(inspector));
}

static void on_change(void *context, unsigned changes) {
    SomInspector *inspector = context;
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        find_again(inspector);
        som_part_tree_refresh(inspector->tree);
        som_pose_panel_refresh(inspector->poses);
        show(inspector);
    } else if ((changes & SOM_PROJECT_SELECTION) != 0 && !inspector->is_selecting) {
        set_part(inspector, selected_part(inspector));
        show(inspector);
    }
    if ((changes & SOM_PROJECT_POSTURE) != 0) {
        som_joint_panel_move(inspector->joints);
        som_pose_panel_move(inspector->poses);
    }
    if ((changes & SOM_PROJECT_REFUSAL) != 0) {
        show(inspector); // what was chosen goes back to what is
    }
}

static void on_chosen(SomPartTree *tree, int part, SomInspector *inspector) {
    (void)tree;
    const SomConfiguration *c = configuration_of(inspector);
    inspector->is_selecting = true;
    som_project_select(inspector->project, part > 0 ? c->parts[part].first_module : -1);
    inspector->is_selecting = false;
    set_part(inspector, part);
    show(inspector);
}

static void on_renamed(SomPartPanel *panel, const char *place, SomInspector *inspector) {
    const SomConfiguration *c = configuration_of(inspector);
    int part = c != NULL ? som_configuration_find_part(c, som_str(place)) : -1;
    (void)panel;
    if (part > 0) {
        on_chosen(inspector->tree, part, inspector);
    }
}

// ---- life

static void dispose(GObject *object) {
    SomInspector *inspector = SOM_INSPECTOR(object);
    if (inspector->project != NULL) {
        som_project_unlisten(inspector->project, on_change, inspector);
        inspector->project = NULL;
    }
    G_OBJECT_CLASS(som_inspector_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    som_text_free(&SOM_INSPECTOR(object)->place);
    G_OBJECT_CLASS(som_inspector_parent_class)->finalize(object);
}

static void som_inspector_class_init(SomInspectorClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_inspector_init(SomInspector *inspector) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(inspector), GTK_ORIENTATION_VERTICAL);
}

static GtkWidget *scrolled(GtkWidget *child) {
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), child);
    return scrolled;
}

static GtkWidget *make_pages(SomInspector *inspector) {
    SomProject *project = inspector->project;
    inspector->config = SOM_CONFIG_PANEL(som_config_panel_new(project));
    inspector->properties = SOM_PART_PANEL(som_part_panel_new(project));
    g_signal_connect(inspector->properties, "renamed", G_CALLBACK(on_renamed), inspector);
    inspector->joints = SOM_JOINT_PANEL(som_joint_panel_new(project));
    inspector->poses = SOM_POSE_PANEL(som_pose_panel_new(project));
    inspector->kinds = GTK_STACK(gtk_stack_new());
    gtk_stack_add_named(inspector->kinds, scrolled(GTK_WIDGET(inspector->config)), "config");
    gtk_stack_add_named(inspector->kinds, scrolled(GTK_WIDGET(inspector->properties)), "part");
    inspector->pages = GTK_STACK(gtk_stack_new());
    gtk_stack_add_titled(inspector->pages, GTK_WIDGET(inspector->kinds), "properties",
                         "Properties");
    gtk_stack_add_titled(inspector->pages, GTK_WIDGET(inspector->joints), "joints", "Joints");
    gtk_stack_add_titled(inspector->pages, GTK_WIDGET(inspector->poses), "poses", "Poses");
    GtkWidget *switcher = gtk_stack_switcher_new();
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), inspector->pages);
    g_object_set(switcher, "margin-start", 6, "margin-end", 6, "margin-top", 6, "margin-bottom", 6,
                 NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), switcher);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(inspector->pages));
    gtk_widget_set_vexpand(GTK_WIDGET(inspector->pages), TRUE);
    return box;
}

GtkWidget *som_inspector_new(SomProject *project) {
    SomInspector *inspector = g_object_new(SOM_TYPE_INSPECTOR, NULL);
    inspector->project = project;
    inspector->tree = SOM_PART_TREE(som_part_tree_new(project));
    g_signal_connect(inspector->tree, "chosen", G_CALLBACK(on_chosen), inspector);
    GtkPaned *paned = GTK_PANED(gtk_paned_new(GTK_ORIENTATION_VERTICAL));
    gtk_paned_set_start_child(paned, GTK_WIDGET(inspector->tree));
    gtk_paned_set_end_child(paned, make_pages(inspector));
    gtk_paned_set_shrink_start_child(paned, FALSE);
    gtk_paned_set_shrink_end_child(paned, FALSE);
    gtk_paned_set_resize_start_child(paned, FALSE);
    gtk_paned_set_position(paned, 220);
    gtk_widget_set_vexpand(GTK_WIDGET(paned), TRUE);
    gtk_box_append(GTK_BOX(inspector), GTK_WIDGET(paned));
    som_project_listen(project, on_change, inspector);
    on_change(inspector, SOM_PROJECT_TEXT);
    return GTK_WIDGET(inspector);
}
