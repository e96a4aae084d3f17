// SPDX-License-Identifier: Apache-2.0
#include "studio/base_panel.h"

#include "exchange/som_text.h"
#include "space/trigonometry.h"
#include "studio/widgets.h"

// Farthest that can be typed, in millimetres.
#define FARTHEST 1e6

struct _SomBasePanel {
    GtkBox parent_instance;
    SomProject *project;
    GtkDropDown *module, *frame;
    GtkSwitch *ground;
    GtkAdjustment *position[3], *turn[3]; // millimetres, degrees
    GtkWidget *positions[3], *turns[3];
    bool is_setting; // values change by ourselves
};

G_DEFINE_FINAL_TYPE(SomBasePanel, som_base_panel, GTK_TYPE_BOX)

static const SomConfiguration *configuration_of(SomBasePanel *panel) {
    return som_project_model(panel->project)->configuration;
}

static bool is_said(const SomConfiguration *c) {
    return c->base.span.source1 != 0;
}

// ---- as it is

static SomBaseSetting read_base(const SomConfiguration *c) {
    const SomBase *base = &c->base;
    const SomModule *module = &c->modules[base->module];
    return (SomBaseSetting){
        .module = module->path,
        .frame = base->frame >= 0 ? module->type->frames[base->frame].name : SOM_STR(""),
        .is_on_ground = base->is_on_ground,
        .position = base->is_on_ground ? som_vec3(0, 0, 0) : base->placement.position,
        .turn = som_turn_of(base->placement.rotation)};
}

static double *component(SomVec3 *v, int axis) {
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

// ---- as it is wanted

static void apply(SomBasePanel *panel, const SomBaseSetting *base) {
    SomProject *project = panel->project;
    som_project_edited(project, som_design_set_base(som_project_design(project),
                                                    som_project_choice(project), base));
    som_base_panel_refresh(panel); // also where it was refused, or the same
}

// Of another module frames may have other names, so its own is taken.
static void on_module(GtkDropDown *choice, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    guint chosen = gtk_drop_down_get_selected(choice);
    if (c == NULL || chosen > (guint)c->module_count) {
        return;
    }
    SomBaseSetting base = {0}; // none is said
    if (chosen > 0) {
        base = read_base(c);
        const SomModuleType *old = c->modules[c->base.module].type;
        base.module = c->modules[chosen - 1].path;
        base.frame = c->modules[chosen - 1].type == old ? base.frame : SOM_STR("");
        base.is_on_ground |= !is_said(c);
    }
    apply(panel, &base);
}

static void on_frame(GtkDropDown *choice, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    if (c == NULL) {
        return;
    }
    const SomModuleType *type = c->modules[c->base.module].type;
    guint chosen = gtk_drop_down_get_selected(choice);
    if (chosen <= (guint)type->frame_count) {
        SomBaseSetting base = read_base(c);
        base.frame = chosen > 0 ? type->frames[chosen - 1].name : SOM_STR("");
        apply(panel, &base);
    }
}

static void on_ground(GtkSwitch *ground, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    if (c != NULL && !panel->is_setting) {
        SomBaseSetting base = read_base(c);
        base.is_on_ground = gtk_switch_get_active(ground);
        if (!base.is_on_ground) { // it stays where the ground has put it
            base.position = c->base.placement.position;
        }
        apply(panel, &base);
    }
}

static void on_number(GtkAdjustment *value, SomBasePanel *panel) {
    const SomConfiguration *c = configuration_of(panel);
    if (c == NULL || panel->is_setting) {
        return;
    }
    SomBaseSetting base = read_base(c);
    double number = gtk_adjustment_get_value(value);
    for (int i = 0; i < 3; i++) {
        if (value == panel->position[i]) {
            *component(&base.position, i) = number / 1000;
        } else if (value == panel->turn[i]) {
            *component(&base.turn, i) = number * SOM_PI / 180;
        }
    }
    apply(panel, &base);
}

// ---- what is shown

static void show_modules(SomBasePanel *panel, const SomConfiguration *c) {
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    SomStr first = c->modules[c->base.module].path;
    g_ptr_array_add(texts, is_said(c) ? g_strdup("Not said")
                                      : g_strdup_printf("Not said: %.*s", SOM_STR_ARG(first)));
    for (int i = 0; i < c->module_count; i++) {
        g_ptr_array_add(texts, som_c_string(c->modules[i].path));
    }
    som_choice_set(panel->module, texts, is_said(c) ? (guint)c->base.module + 1 : 0, panel);
}

static void show_frames(SomBasePanel *panel, const SomConfiguration *c) {
    const SomModuleType *type = c->modules[c->base.module].type;
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(texts, g_strdup("The module's"));
    for (int i = 0; i < type->frame_count; i++) {
        g_ptr_array_add(texts, som_c_string(type->frames[i].name));
    }
    som_choice_set(panel->frame, texts, (guint)(c->base.frame + 1), panel);
}

void som_base_panel_refresh(SomBasePanel *panel) {
    const SomConfiguration *c = configuration_of(panel);
    // A configuration that is a module has no name to say its base by.
    bool can_be_said = c != NULL && c->modules[0].path.length > 0;
    gtk_widget_set_sensitive(GTK_WIDGET(panel), can_be_said);
    if (!can_be_said) {
        return;
    }
    show_modules(panel, c);
    show_frames(panel, c);
    SomBaseSetting base = read_base(c);
    SomVec3 position = c->base.placement.position;
    panel->is_setting = true;
    gtk_switch_set_active(panel->ground, base.is_on_ground);
    for (int i = 0; i < 3; i++) {
        gtk_adjustment_set_value(panel->position[i], *component(&position, i) * 1000);
        gtk_adjustment_set_value(panel->turn[i], *component(&base.turn, i) * 180 / SOM_PI);
        gtk_widget_set_sensitive(panel->positions[i], is_said(c) && !base.is_on_ground);
        gtk_widget_set_sensitive(panel->turns[i], is_said(c));
    }
    panel->is_setting = false;
    gtk_widget_set_sensitive(GTK_WIDGET(panel->frame), is_said(c));
}

// ---- life

static void dispose(GObject *object) {
    SomBasePanel *panel = SOM_BASE_PANEL(object);
    for (int i = 0; i < 3; i++) {
        g_clear_object(&panel->position[i]);
        g_clear_object(&panel->turn[i]);
    }
    G_OBJECT_CLASS(som_base_panel_parent_class)->dispose(object);
}

static void som_base_panel_class_init(SomBasePanelClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static GtkWidget *make_number(SomBasePanel *panel, double most, double step, const char *words,
                              GtkAdjustment **value) {
    *value = g_object_ref_sink(gtk_adjustment_new(0, -most, most, step, 10 * step, 0));
    g_signal_connect(*value, "value-changed", G_CALLBACK(on_number), panel);
    GtkWidget *spin = som_number_new(*value, 1);
    gtk_widget_set_tooltip_text(spin, words);
    som_set_accessible_name(spin, words);
    return spin;
}

static GtkWidget *make_heading(const char *words) {
    GtkWidget *label = gtk_label_new(words);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "dim-label");
    return label;
}

static GtkWidget *make_numbers(SomBasePanel *panel) {
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const positions[] = {"Position along x in millimetres",
                                            "Position along y in millimetres",
                                            "Position along z in millimetres"};
    static const char *const turns[] = {"Roll: turn about x in degrees",
                                        "Pitch: turn about y in degrees",
                                        "Yaw: turn about z in degrees"};
    GtkGrid *grid = GTK_GRID(gtk_grid_new());
    gtk_grid_set_column_spacing(grid, 6);
    gtk_grid_set_row_spacing(grid, 6);
    gtk_grid_attach(grid, make_heading("Position, mm"), 1, 0, 1, 1);
    gtk_grid_attach(grid, make_heading("Turn about it, °"), 2, 0, 1, 1);
    for (int i = 0; i < 3; i++) {
        panel->positions[i] = make_number(panel, FARTHEST, 10, positions[i], &panel->position[i]);
        panel->turns[i] = make_number(panel, 360, 15, turns[i], &panel->turn[i]);
        gtk_grid_attach(grid, make_heading(axes[i]), 0, i + 1, 1, 1);
        gtk_grid_attach(grid, panel->positions[i], 1, i + 1, 1, 1);
        gtk_grid_attach(grid, panel->turns[i], 2, i + 1, 1, 1);
    }
    return GTK_WIDGET(grid);
}

static void som_base_panel_init(SomBasePanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    gtk_box_set_spacing(GTK_BOX(panel), 6);
    GtkWidget *group = som_group_new("Base");
    gtk_widget_set_tooltip_text(group, "What stays in place while joints move");
    panel->module = GTK_DROP_DOWN(som_choice_new("Module that the design stands by", true));
    g_signal_connect(panel->module, "notify::selected", G_CALLBACK(on_module), panel);
    panel->frame = GTK_DROP_DOWN(som_choice_new("Frame of that module", false));
    g_signal_connect(panel->frame, "notify::selected", G_CALLBACK(on_frame), panel);
    panel->ground = GTK_SWITCH(gtk_switch_new());
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->ground),
                                "Puts the lowest point of the design on the ground");
    som_set_accessible_name(GTK_WIDGET(panel->ground), "On the ground");
    g_signal_connect(panel->ground, "notify::active", G_CALLBACK(on_ground), panel);
    AdwPreferencesGroup *rows = ADW_PREFERENCES_GROUP(group);
    adw_preferences_group_add(rows, som_control_row("Module", GTK_WIDGET(panel->module)));
    adw_preferences_group_add(rows, som_control_row("Frame", GTK_WIDGET(panel->frame)));
    adw_preferences_group_add(rows, som_control_row("On the ground", GTK_WIDGET(panel->ground)));
    gtk_box_append(GTK_BOX(panel), group);
    gtk_box_append(GTK_BOX(panel), make_numbers(panel));
}

GtkWidget *som_base_panel_new(SomProject *project) {
    SomBasePanel *panel = g_object_new(SOM_TYPE_BASE_PANEL, NULL);
    panel->project = project;
    som_base_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
