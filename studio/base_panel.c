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
    GtkDropDown *piece, *module, *frame;
    GtkWidget *piece_row; // seen if there are several
    GtkSwitch *ground, *fixed;
    int chosen;                           // piece
    GArray *members;                      // its modules
    GtkAdjustment *position[3], *turn[3]; // millimetres, degrees
    GtkWidget *positions[3], *turns[3];
    bool is_setting; // values change by ourselves
};

G_DEFINE_FINAL_TYPE(SomBasePanel, som_base_panel, GTK_TYPE_BOX)

static const SomConfiguration *configuration_of(SomBasePanel *panel) {
    return som_project_model(panel->project)->configuration;
}

static const SomBase *base_of(const SomBasePanel *panel, const SomConfiguration *c) {
    return &c->bases[panel->chosen < c->base_count ? panel->chosen : 0];
}

static bool is_said(const SomBasePanel *panel, const SomConfiguration *c) {
    return base_of(panel, c)->span.source1 != 0;
}

// ---- as it is

static SomBaseSetting read_base(const SomBasePanel *panel, const SomConfiguration *c) {
    const SomBase *base = base_of(panel, c);
    const SomModule *module = &c->modules[base->module];
    return (SomBaseSetting){
        .module = module->path,
        .frame = base->frame >= 0 ? module->type->frames[base->frame].name : SOM_STR(""),
        .is_on_ground = base->is_on_ground,
        .is_fixed = base->is_fixed,
        .position = base->placement.position, // on the ground only x and y count
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

static void on_piece(GtkDropDown *choice, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    panel->chosen = (int)gtk_drop_down_get_selected(choice);
    som_base_panel_refresh(panel);
}

// Of another module frames may have other names, so its own is taken.
static void on_module(GtkDropDown *choice, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    guint chosen = gtk_drop_down_get_selected(choice);
    if (c == NULL || chosen > panel->members->len) {
        return;
    }
    int old = base_of(panel, c)->module;
    SomBaseSetting base = {.piece = c->modules[old].path}; // none is said
    if (chosen > 0) {
        const SomModule *module = &c->modules[g_array_index(panel->members, int, chosen - 1)];
        base = read_base(panel, c);
        base.module = module->path;
        base.frame = module->type == c->modules[old].type ? base.frame : SOM_STR("");
        base.is_on_ground |= !is_said(panel, c);
    }
    apply(panel, &base);
}

static void on_frame(GtkDropDown *choice, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    if (c == NULL) {
        return;
    }
    const SomModuleType *type = c->modules[base_of(panel, c)->module].type;
    guint chosen = gtk_drop_down_get_selected(choice);
    if (chosen <= (guint)type->frame_count) {
        SomBaseSetting base = read_base(panel, c);
        base.frame = chosen > 0 ? type->frames[chosen - 1].name : SOM_STR("");
        apply(panel, &base);
    }
}

static void on_ground(GtkSwitch *ground, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    if (c != NULL && !panel->is_setting) {
        SomBaseSetting base = read_base(panel, c);
        base.is_on_ground = gtk_switch_get_active(ground); // else it stays where that has put it
        apply(panel, &base);
    }
}

static void on_fixed(GtkSwitch *fixed, GParamSpec *property, SomBasePanel *panel) {
    (void)property;
    const SomConfiguration *c = configuration_of(panel);
    if (c != NULL && !panel->is_setting) {
        SomBaseSetting base = read_base(panel, c);
        base.is_fixed = gtk_switch_get_active(fixed);
        base.is_on_ground |= !is_said(panel, c);
        apply(panel, &base);
    }
}

static void on_number(GtkAdjustment *value, SomBasePanel *panel) {
    const SomConfiguration *c = configuration_of(panel);
    if (c == NULL || panel->is_setting) {
        return;
    }
    SomBaseSetting base = read_base(panel, c);
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

static int compare_numbers(gconstpointer a, gconstpointer b) {
    return *(const int *)a - *(const int *)b;
}

static void show_pieces(SomBasePanel *panel, const SomConfiguration *c) {
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    panel->chosen = panel->chosen < c->base_count ? panel->chosen : 0;
    for (int i = 0; i < c->base_count; i++) {
        g_ptr_array_add(texts, som_c_string(c->modules[c->bases[i].module].path));
    }
    som_choice_set(panel->piece, texts, (guint)panel->chosen, panel);
    gtk_widget_set_visible(panel->piece_row, c->base_count > 1);
}

static void show_modules(SomBasePanel *panel, const SomConfiguration *c) {
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    int module = base_of(panel, c)->module, piece = -1;
    guint chosen = 0;
    SomStr first = c->modules[module].path;
    g_ptr_array_add(texts, is_said(panel, c)
                               ? g_strdup("Not said")
                               : g_strdup_printf("Not said: %.*s", SOM_STR_ARG(first)));
    g_array_set_size(panel->members, 0);
    for (int i = 0; i < c->module_count; i++) { // piece after piece
        piece += c->modules[c->tree[i]].connection < 0;
        if (piece == panel->chosen) {
            g_array_append_val(panel->members, c->tree[i]);
        }
    }
    g_array_sort(panel->members, compare_numbers);
    for (guint i = 0; i < panel->members->len; i++) {
        int member = g_array_index(panel->members, int, i);
        g_ptr_array_add(texts, som_c_string(c->modules[member].path));
        chosen = member == module ? i + 1 : chosen;
    }
    som_choice_set(panel->module, texts, is_said(panel, c) ? chosen : 0, panel);
}

static void show_frames(SomBasePanel *panel, const SomConfiguration *c) {
    const SomBase *base = base_of(panel, c);
    const SomModuleType *type = c->modules[base->module].type;
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(texts, g_strdup("The module's"));
    for (int i = 0; i < type->frame_count; i++) {
        g_ptr_array_add(texts, som_c_string(type->frames[i].name));
    }
    som_choice_set(panel->frame, texts, (guint)(base->frame + 1), panel);
}

void som_base_panel_refresh(SomBasePanel *panel) {
    const SomConfiguration *c = configuration_of(panel);
    // A configuration that is a module has no name to say its base by.
    bool can_be_said = c != NULL && c->modules[0].path.length > 0;
    gtk_widget_set_sensitive(GTK_WIDGET(panel), can_be_said);
    if (!can_be_said) {
        return;
    }
    show_pieces(panel, c);
    show_modules(panel, c);
    show_frames(panel, c);
    SomBaseSetting base = read_base(panel, c);
    SomVec3 position = base.position;
    bool is_there = is_said(panel, c);
    panel->is_setting = true;
    gtk_switch_set_active(panel->ground, base.is_on_ground);
    gtk_switch_set_active(panel->fixed, base.is_fixed);
    for (int i = 0; i < 3; i++) {
        gtk_adjustment_set_value(panel->position[i], *component(&position, i) * 1000);
        gtk_adjustment_set_value(panel->turn[i], *component(&base.turn, i) * 180 / SOM_PI);
        bool is_free = i < 2 || !base.is_on_ground; // the ground gives the height
        gtk_widget_set_sensitive(panel->positions[i], is_there && is_free);
        gtk_widget_set_sensitive(panel->turns[i], is_there);
    }
    panel->is_setting = false;
    gtk_widget_set_sensitive(GTK_WIDGET(panel->frame), is_there);
}

// ---- life

static void dispose(GObject *object) {
    SomBasePanel *panel = SOM_BASE_PANEL(object);
    for (int i = 0; i < 3; i++) {
        g_clear_object(&panel->position[i]);
        g_clear_object(&panel->turn[i]);
    }
    g_clear_pointer(&panel->members, g_array_unref);
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
    panel->members = g_array_new(FALSE, FALSE, sizeof(int));
    panel->piece = GTK_DROP_DOWN(som_choice_new("Piece of the design", true));
    g_signal_connect(panel->piece, "notify::selected", G_CALLBACK(on_piece), panel);
    panel->module = GTK_DROP_DOWN(som_choice_new("Module that the design stands by", true));
    g_signal_connect(panel->module, "notify::selected", G_CALLBACK(on_module), panel);
    panel->frame = GTK_DROP_DOWN(som_choice_new("Frame of that module", false));
    g_signal_connect(panel->frame, "notify::selected", G_CALLBACK(on_frame), panel);
    panel->ground = GTK_SWITCH(gtk_switch_new());
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->ground),
                                "Puts the lowest point of the piece on the ground");
    som_set_accessible_name(GTK_WIDGET(panel->ground), "On the ground");
    g_signal_connect(panel->ground, "notify::active", G_CALLBACK(on_ground), panel);
    panel->fixed = GTK_SWITCH(gtk_switch_new());
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->fixed), "Bolts the module to the world");
    som_set_accessible_name(GTK_WIDGET(panel->fixed), "Fixed to the world");
    g_signal_connect(panel->fixed, "notify::active", G_CALLBACK(on_fixed), panel);
    AdwPreferencesGroup *rows = ADW_PREFERENCES_GROUP(group);
    panel->piece_row = som_control_row("Piece", GTK_WIDGET(panel->piece));
    adw_preferences_group_add(rows, panel->piece_row);
    adw_preferences_group_add(rows, som_control_row("Module", GTK_WIDGET(panel->module)));
    adw_preferences_group_add(rows, som_control_row("Frame", GTK_WIDGET(panel->frame)));
    adw_preferences_group_add(rows, som_control_row("On the ground", GTK_WIDGET(panel->ground)));
    adw_preferences_group_add(rows, som_control_row("Fixed", GTK_WIDGET(panel->fixed)));
    gtk_box_append(GTK_BOX(panel), group);
    gtk_box_append(GTK_BOX(panel), make_numbers(panel));
}

GtkWidget *som_base_panel_new(SomProject *project) {
    SomBasePanel *panel = g_object_new(SOM_TYPE_BASE_PANEL, NULL);
    panel->project = project;
    som_base_panel_refresh(panel);
    return GTK_WIDGET(panel);
}
