// SPDX-License-Identifier: Apache-2.0
#include "studio/config_panel.h"

#include "base/number.h"
#include "language/name.h"
#include "studio/base_panel.h"
#include "studio/widgets.h"

struct _SomConfigPanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkStack *stack; // "none" and "config"
    AdwEntryRow *name, *arguments;
    GtkDropDown *shown, *start;
    GtkWidget *shown_row;
    GtkWidget *facts;
    SomBasePanel *base;
};

G_DEFINE_FINAL_TYPE(SomConfigPanel, som_config_panel, GTK_TYPE_BOX)

// The file that is shown; NULL if it is none.
static const SomDesignFile *file_of(SomConfigPanel *panel) {
    const SomModel *model = som_project_model(panel->project);
    return model->file >= 0 ? som_workspace_file(model->workspace, model->file) : NULL;
}

static const SomConfigInfo *info_of(SomConfigPanel *panel) {
    const SomDesignFile *file = file_of(panel);
    int config = som_project_model(panel->project)->composition->config;
    return file != NULL && config >= 0 && config < file->config_count ? &file->configs[config]
                                                                      : NULL;
}

// What stands in the parentheses of a choice.
static SomStr arguments_of(SomStr choice) {
    bool is_quoted = false;
    size_t at = 0;
    for (; at < choice.length && (is_quoted || choice.data[at] != '('); at++) {
        is_quoted ^= choice.data[at] == '"';
    }
    size_t end = choice.length;
    while (end > at && choice.data[end - 1] != ')') {
        end--;
    }
    return end > at + 1 ? som_str_slice(choice, at + 1, end - 1) : SOM_STR("");
}

// ---- what the user does

static void on_rename(AdwEntryRow *entry, SomConfigPanel *panel) {
    SomProject *project = panel->project;
    g_autofree char *name = g_strdup(gtk_editable_get_text(GTK_EDITABLE(entry)));
    som_project_edited(project,
                       som_design_rename_config(som_project_design(project),
                                                som_project_choice(project), som_str(name)));
}

static void on_shown(GtkDropDown *choice, GParamSpec *property, SomConfigPanel *panel) {
    (void)property;
    const SomDesignFile *file = file_of(panel);
    guint chosen = gtk_drop_down_get_selected(choice);
    if (file != NULL && chosen < (guint)file->config_count) {
        SomText words = {0};
        if (chosen > 0) { // the first one is shown whatever it is called
            som_name_print(&words, file->configs[chosen].name);
        }
        som_project_choose(panel->project, som_text_str(&words));
        som_text_free(&words);
    }
}

static void on_arguments(AdwEntryRow *entry, SomConfigPanel *panel) {
    const SomConfigInfo *info = info_of(panel);
    const char *arguments = gtk_editable_get_text(GTK_EDITABLE(entry));
    if (info != NULL) {
        SomText words = {0};
        som_name_print(&words, info->name);
        if (arguments[0] != '\0') {
            som_text_printf(&words, "(%s)", arguments);
        }
        som_project_choose(panel->project, som_text_str(&words));
        som_text_free(&words);
    }
}

static int own_pose(const SomConfiguration *c, guint which) {
    for (int i = 0; i < c->pose_count; i++) {
        if (c->poses[i].part == 0 && which-- == 0) {
            return i;
        }
    }
    return -1;
}

static void on_start(GtkDropDown *choice, GParamSpec *property, SomConfigPanel *panel) {
    (void)property;
    SomProject *project = panel->project;
    const SomConfiguration *c = som_project_model(project)->configuration;
    guint chosen = gtk_drop_down_get_selected(choice);
    if (c == NULL || chosen == GTK_INVALID_LIST_POSITION) {
        return;
    }
    int pose = chosen > 0 ? own_pose(c, chosen - 1) : -1;
    som_project_edited(
        project, som_design_set_start(som_project_design(project), som_project_choice(project),
                                      pose >= 0 ? c->poses[pose].name : SOM_STR("")));
}

// ---- what is shown

static void show_choice(SomConfigPanel *panel) {
    const SomDesignFile *file = file_of(panel);
    const SomConfigInfo *info = info_of(panel);
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; file != NULL && i < file->config_count; i++) {
        SomStr name = file->configs[i].name;
        g_ptr_array_add(texts, som_c_string(name));
    }
    guint now = info != NULL ? (guint)(info - file->configs) : GTK_INVALID_LIST_POSITION;
    gtk_widget_set_visible(panel->shown_row, texts->len > 1);
    som_choice_set(panel->shown, texts, now, panel);
    bool has_arguments = info != NULL && info->param_count > 0;
    gtk_widget_set_visible(GTK_WIDGET(panel->arguments), has_arguments);
    if (has_arguments) {
        SomText title = {0};
        som_text_add(&title, SOM_STR("Arguments: "));
        for (int i = 0; i < info->param_count; i++) {
            som_text_printf(&title, "%s%.*s, a %.*s", i > 0 ? "; " : "",
                            SOM_STR_ARG(info->params[i].name), SOM_STR_ARG(info->params[i].type));
        }
        adw_preferences_row_set_title(ADW_PREFERENCES_ROW(panel->arguments), title.data);
        som_name_row_set(panel->arguments, arguments_of(som_project_choice(panel->project)));
        som_text_free(&title);
    }
}

static void show_start(SomConfigPanel *panel, const SomConfiguration *c) {
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(texts, g_strdup("All joints at zero"));
    guint now = 0;
    for (int i = 0; i < c->pose_count; i++) {
        if (c->poses[i].part == 0) {
            now = i == c->start_pose ? texts->len : now;
            g_ptr_array_add(texts, som_c_string(c->poses[i].name));
        }
    }
    som_choice_set(panel->start, texts, now, panel);
}

static char *print_size(const SomModel *model) {
    SomBounds bounds = som_mechanism_bounds(model->mechanism, model->links);
    SomVec3 size = som_vec3_sub(bounds.high, bounds.low);
    if (size.x < 0) {
        return NULL; // it has no shapes
    }
    SomText text = {0};
    const double sides[] = {size.x, size.y, size.z};
    for (int i = 0; i < 3; i++) {
        som_text_add(&text, i > 0 ? SOM_STR(" × ") : SOM_STR(""));
        som_text_rounded(&text, sides[i] * 1000, 4);
    }
    som_text_add(&text, SOM_STR(" mm"));
    char *words = g_strdup(text.data);
    som_text_free(&text);
    return words;
}

static void show_facts(SomConfigPanel *panel, const SomModel *model) {
    const SomConfiguration *c = model->configuration;
    SomText mass = {0};
    som_text_rounded(&mass, c->metrics.mass, 4);
    som_text_add(&mass, SOM_STR(" kg"));
    g_autofree char *modules = g_strdup_printf("%d", c->module_count);
    g_autofree char *joints = g_strdup_printf("%d", c->dof_count);
    g_autofree char *order = g_strdup_printf("%d", c->order);
    g_autofree char *loops = g_strdup_printf("%d", c->metrics.closures);
    g_autofree char *size = print_size(model);
    som_facts_set(panel->facts, 0, "Modules", modules);
    som_facts_set(panel->facts, 1, "Joints", joints);
    som_facts_set(panel->facts, 2, "Order", order);
    som_facts_set(panel->facts, 3, "Loops", c->metrics.closures > 0 ? loops : NULL);
    som_facts_set(panel->facts, 4, "Mass", mass.data);
    som_facts_set(panel->facts, 5, "Size", size);
    som_text_free(&mass);
}

void som_config_panel_refresh(SomConfigPanel *panel) {
    const SomModel *model = som_project_model(panel->project);
    bool is_any = model->configuration != NULL;
    gtk_stack_set_visible_child_name(panel->stack, is_any ? "config" : "none");
    if (is_any) {
        const SomConfigInfo *info = info_of(panel);
        som_name_row_set(panel->name, info != NULL ? info->name : model->configuration->name);
        show_choice(panel);
        show_facts(panel, model);
        show_start(panel, model->configuration);
        som_base_panel_refresh(panel->base);
    }
}

// ---- life

static void som_config_panel_class_init(SomConfigPanelClass *klass) {
    (void)klass;
}

static void som_config_panel_init(SomConfigPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->name = som_name_row_new("Name", G_CALLBACK(on_rename), panel);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->name),
                                "Enter renames the configuration wherever the file names it");
    panel->shown = GTK_DROP_DOWN(som_choice_new("Which configuration of the file is shown", false));
    g_signal_connect(panel->shown, "notify::selected", G_CALLBACK(on_shown), panel);
    panel->shown_row = som_control_row("Shown", GTK_WIDGET(panel->shown));
    panel->arguments = som_name_row_new("Arguments", G_CALLBACK(on_arguments), panel);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->arguments),
                                "What it is composed with, as n = 3; empty: as the text says");
    panel->start = GTK_DROP_DOWN(som_choice_new("Pose that the design starts in", false));
    g_signal_connect(panel->start, "notify::selected", G_CALLBACK(on_start), panel);
    panel->facts = som_facts_new();
    panel->stack = GTK_STACK(gtk_stack_new());
    gtk_stack_set_vhomogeneous(panel->stack, FALSE);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->stack));
}

GtkWidget *som_config_panel_new(SomProject *project) {
    SomConfigPanel *panel = g_object_new(SOM_TYPE_CONFIG_PANEL, NULL);
    panel->project = project;
    AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP(som_group_new("Configuration"));
    adw_preferences_group_add(group, GTK_WIDGET(panel->name));
    adw_preferences_group_add(group, panel->shown_row);
    adw_preferences_group_add(group, GTK_WIDGET(panel->arguments));
    adw_preferences_group_add(group, som_control_row("Starts in", GTK_WIDGET(panel->start)));
    panel->base = SOM_BASE_PANEL(som_base_panel_new(project));
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    som_pad(box);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(group));
    gtk_box_append(GTK_BOX(box), panel->facts);
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(panel->base));
    GtkWidget *none = gtk_label_new("There is no design yet.\nDrag one from the library.");
    gtk_label_set_justify(GTK_LABEL(none), GTK_JUSTIFY_CENTER);
    gtk_widget_add_css_class(none, "dim-label");
    gtk_widget_set_margin_top(none, 24);
    gtk_stack_add_named(panel->stack, none, "none");
    gtk_stack_add_named(panel->stack, box, "config");
    som_config_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
