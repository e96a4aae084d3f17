// SPDX-License-Identifier: Apache-2.0
#include "studio/part_panel.h"

#include "base/number.h"
#include "compose/matings.h"
#include "language/name.h"
#include "studio/connection_row.h"
#include "studio/widgets.h"

// Longest list of free connectors.
#define SHOWN_CONNECTORS 40

struct _SomPartPanel {
    GtkBox parent_instance;
    SomProject *project;
    int part;
    AdwPreferencesGroup *named;
    AdwEntryRow *name;
    GtkWidget *facts;
    AdwPreferencesGroup *connections;
    GPtrArray *rows; // of connections, borrowed
    GtkWidget *none;
};

G_DEFINE_FINAL_TYPE(SomPartPanel, som_part_panel, GTK_TYPE_BOX)

enum { RENAMED, SIGNALS };
static guint signals[SIGNALS];

// ---- the name

static void on_rename(AdwEntryRow *entry, SomPartPanel *panel) {
    SomProject *project = panel->project;
    const SomPart *part = &som_project_model(project)->configuration->parts[panel->part];
    SomStr array = som_name_of_array(part->name);
    SomText old = {0}, place = {0};
    som_text_add(&old, array);
    som_name_print(&place, som_str(gtk_editable_get_text(GTK_EDITABLE(entry))));
    som_text_add(&place, som_str_slice(part->name, array.length, part->name.length));
    if (som_project_edited(
            project, som_design_rename_part(som_project_design(project),
                                            som_project_choice(project), som_text_str(&old),
                                            som_str(gtk_editable_get_text(GTK_EDITABLE(entry)))))) {
        g_signal_emit(panel, signals[RENAMED], 0, place.data);
    }
    som_text_free(&old);
    som_text_free(&place);
}

static void show_name(SomPartPanel *panel, const SomConfiguration *c) {
    const SomPart *part = &c->parts[panel->part];
    SomStr array = som_name_of_array(part->name);
    bool is_own = part->depth == 1, is_array = array.length < part->name.length;
    SomText name = {0}, words = {0};
    som_name_read(is_own ? array : part->name, &name);
    som_name_row_set(panel->name, som_text_str(&name));
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(panel->name),
                                  is_own && is_array ? "Name of the array" : "Name");
    gtk_editable_set_editable(GTK_EDITABLE(panel->name), is_own);
    if (is_own) {
        som_text_add(&words, SOM_STR("Enter renames it wherever the file names it"));
    } else {
        som_text_printf(&words, "Named by %.*s, which says it for all of its kind",
                        SOM_STR_ARG(c->parts[part->parent].config));
    }
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->name), words.data);
    som_text_free(&name);
    som_text_free(&words);
}

// ---- facts

static char *print_mass(const SomConfiguration *c, const SomPart *part) {
    double mass = 0;
    for (int i = 0; i < part->module_count; i++) {
        mass += som_module_type_mass(c->modules[part->first_module + i].type);
    }
    SomText text = {0};
    som_text_rounded(&text, mass, 4);
    som_text_add(&text, SOM_STR(" kg"));
    char *words = g_strdup(text.data);
    som_text_free(&text);
    return words;
}

// "head.T, head.L and 3 more", seen from the part.
static char *print_free(SomPartPanel *panel, const SomPart *part) {
    const SomModel *model = som_project_model(panel->project);
    SomSites sites = som_sites_find(model->mechanism, model->links);
    SomText text = {0};
    int count = 0;
    for (int i = 0; i < sites.count; i++) {
        const SomSite *site = &sites.data[i];
        if (site->module < part->first_module ||
            site->module >= part->first_module + part->module_count) {
            continue;
        }
        if (count++ < SHOWN_CONNECTORS) {
            SomText place = {0};
            som_configuration_print_connector(model->configuration, site->module, site->connector,
                                              &place);
            size_t skip = part->path.length > 0 ? part->path.length + 1 : 0;
            som_text_printf(&text, "%s%s", count > 1 ? ", " : "", place.data + skip);
            som_text_free(&place);
        }
    }
    if (count > SHOWN_CONNECTORS) {
        som_text_printf(&text, " and %d more", count - SHOWN_CONNECTORS);
    }
    char *words = g_strdup(count > 0 ? text.data : "none");
    som_text_free(&text);
    som_sites_free(&sites);
    return words;
}

static void show_facts(SomPartPanel *panel, const SomConfiguration *c) {
    const SomPart *part = &c->parts[panel->part];
    bool is_module = part->order == 0;
    const SomModuleType *type = c->modules[part->first_module].type;
    g_autofree char *kind = som_c_string(part->config);
    g_autofree char *type_name = som_c_string(type->name);
    g_autofree char *inside = part->depth > 1 ? som_c_string(c->parts[part->parent].path) : NULL;
    g_autofree char *order = g_strdup_printf("%d", part->order);
    g_autofree char *modules = g_strdup_printf("%d", part->module_count);
    g_autofree char *joints = g_strdup_printf("%d", part->dof_count);
    g_autofree char *mass = print_mass(c, part);
    g_autofree char *free_ones = print_free(panel, part);
    bool is_plain = is_module && strcmp(kind, type_name) == 0;
    adw_preferences_group_set_title(panel->named, is_module ? "Module" : "Part");
    som_facts_set(panel->facts, 0, "Is a", kind);
    som_facts_set(panel->facts, 1, "Type", is_module && !is_plain ? type_name : NULL);
    som_facts_set(panel->facts, 2, "Lies in", inside);
    som_facts_set(panel->facts, 3, "Order", is_module ? "0, a module" : order);
    som_facts_set(panel->facts, 4, "Modules", is_module ? NULL : modules);
    som_facts_set(panel->facts, 5, "Joints", joints);
    som_facts_set(panel->facts, 6, "Mass", mass);
    som_facts_set(panel->facts, 7, "Free", free_ones);
}

// ---- connections

static bool is_in(const SomPart *part, int module) {
    return module >= part->first_module && module < part->first_module + part->module_count;
}

// Rows are used again, so that the one with the focus keeps it.
static void show_connections(SomPartPanel *panel, const SomConfiguration *c) {
    const SomPart *part = &c->parts[panel->part];
    guint count = 0;
    for (int i = 0; i < c->connection_count; i++) {
        bool a = is_in(part, c->connections[i].module_a);
        if (a == is_in(part, c->connections[i].module_b)) {
            continue;
        }
        if (count == panel->rows->len) {
            GtkWidget *row = som_connection_row_new(panel->project);
            adw_preferences_group_add(panel->connections, row);
            g_ptr_array_add(panel->rows, row);
        }
        som_connection_row_set(g_ptr_array_index(panel->rows, count), i, a);
        count++;
    }
    while (panel->rows->len > count) {
        GtkWidget *last = g_ptr_array_index(panel->rows, panel->rows->len - 1);
        adw_preferences_group_remove(panel->connections, last);
        g_ptr_array_remove_index(panel->rows, panel->rows->len - 1);
    }
    gtk_widget_set_visible(panel->none, count == 0);
}

void som_part_panel_show(SomPartPanel *panel, int part) {
    const SomConfiguration *c = som_project_model(panel->project)->configuration;
    panel->part = part;
    if (c != NULL) {
        show_name(panel, c);
        show_facts(panel, c);
        show_connections(panel, c);
    }
}

// ---- life

static void finalize(GObject *object) {
    g_ptr_array_unref(SOM_PART_PANEL(object)->rows);
    G_OBJECT_CLASS(som_part_panel_parent_class)->finalize(object);
}

static void som_part_panel_class_init(SomPartPanelClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[RENAMED] = g_signal_new("renamed", SOM_TYPE_PART_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void som_part_panel_init(SomPartPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    som_pad(GTK_WIDGET(panel));
    panel->rows = g_ptr_array_new();
    panel->name = som_name_row_new("Name", G_CALLBACK(on_rename), panel);
    panel->named = ADW_PREFERENCES_GROUP(som_group_new("Part"));
    adw_preferences_group_add(panel->named, GTK_WIDGET(panel->name));
    panel->facts = som_facts_new();
    GtkWidget *connections = som_group_new("Connections");
    panel->connections = ADW_PREFERENCES_GROUP(connections);
    panel->none = adw_action_row_new();
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(panel->none), "Not connected");
    adw_preferences_group_add(panel->connections, panel->none);
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->named));
    gtk_box_append(GTK_BOX(panel), panel->facts);
    gtk_box_append(GTK_BOX(panel), connections);
}

GtkWidget *som_part_panel_new(SomProject *project) {
    SomPartPanel *panel = g_object_new(SOM_TYPE_PART_PANEL, NULL);
    panel->project = project;
    return GTK_WIDGET(panel);
}
