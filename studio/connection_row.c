// SPDX-License-Identifier: Apache-2.0
#include "studio/connection_row.h"

#include "base/number.h"
#include "compose/matings.h"
#include "space/trigonometry.h"
#include "studio/widgets.h"

#include <math.h>

// Angles nearer than this are the same, in radians.
#define SAME_ROLL 1e-6

struct _SomConnectionRow {
    AdwActionRow parent_instance;
    SomProject *project;
    GtkDropDown *angles;
    GtkWidget *disconnect;
    char *a, *b; // its connectors
    SomOffer offer;
    int skipped; // texts before the offered ones
};

G_DEFINE_FINAL_TYPE(SomConnectionRow, som_connection_row, ADW_TYPE_ACTION_ROW)

// ---- what the user does

static void on_angle(GtkDropDown *angles, GParamSpec *property, SomConnectionRow *row) {
    (void)property;
    int chosen = (int)gtk_drop_down_get_selected(angles) - row->skipped;
    if (chosen < 0 || chosen >= row->offer.count) {
        return;
    }
    const SomMatingChoice *choice = &row->offer.choices[chosen];
    bool has_roll = !isnan(choice->roll);
    SomMatingWish wish = {.has_roll = has_roll,
                          .roll = has_roll ? choice->roll : 0,
                          .index = has_roll ? 0 : choice->index};
    g_autofree char *a = g_strdup(row->a), *b = g_strdup(row->b); // the row may get others
    SomProject *project = row->project;
    som_project_edited(project, som_design_reconnect(som_project_design(project),
                                                     som_project_choice(project), som_str(a),
                                                     som_str(b), som_str(a), som_str(b), wish));
}

static void on_disconnect(GtkButton *button, SomConnectionRow *row) {
    (void)button;
    g_autofree char *a = g_strdup(row->a), *b = g_strdup(row->b);
    SomProject *project = row->project;
    som_project_edited(project,
                       som_design_disconnect(som_project_design(project),
                                             som_project_choice(project), som_str(a), som_str(b)));
}

// ---- what is shown

static char *end_of(const SomConfiguration *c, int module, int connector) {
    SomText text = {0};
    som_configuration_print_connector(c, module, connector, &text);
    char *end = g_strdup(text.data);
    som_text_free(&text);
    return end;
}

static char *words_of(double roll, int index) {
    SomText text = {0};
    if (isnan(roll)) {
        som_text_printf(&text, "way %d", index);
    } else {
        som_text_rounded(&text, roll * 180 / SOM_PI, 6);
        som_text_add(&text, SOM_STR("°"));
    }
    char *words = g_strdup(text.data);
    som_text_free(&text);
    return words;
}

static bool is_now(const SomConnection *k, const SomMatingChoice *choice) {
    return isnan(k->roll) ? isnan(choice->roll) && k->index == choice->index
                          : fabs(k->roll - choice->roll) < SAME_ROLL;
}

static void offer_angles(SomConnectionRow *row, const SomConfiguration *c, const SomConnection *k) {
    som_offer_find_connected(c, k, &row->offer);
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    int now = -1;
    for (int i = 0; i < row->offer.count; i++) {
        now = is_now(k, &row->offer.choices[i]) ? i : now;
    }
    row->skipped = now < 0; // it is as no rule says
    if (row->skipped > 0) {
        g_ptr_array_add(texts, k->is_forced ? g_strdup("forced") : words_of(k->roll, k->index));
    }
    for (int i = 0; i < row->offer.count; i++) {
        g_ptr_array_add(texts, words_of(row->offer.choices[i].roll, row->offer.choices[i].index));
    }
    som_choice_set(row->angles, texts, (guint)(now < 0 ? 0 : now), row);
}

void som_connection_row_set(SomConnectionRow *row, int connection, bool own_is_a) {
    const SomConfiguration *c = som_project_model(row->project)->configuration;
    const SomConnection *k = &c->connections[connection];
    g_free(row->a);
    g_free(row->b);
    row->a = end_of(c, k->module_a, k->connector_a);
    row->b = end_of(c, k->module_b, k->connector_b);
    const char *own = own_is_a ? row->a : row->b, *other = own_is_a ? row->b : row->a;
    g_autofree char *title = g_markup_printf_escaped("%s to %s", own, other);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    SomStr maker = c->parts[k->part].config;
    g_autofree char *maker_name = som_c_string(maker);
    g_autofree char *made = k->part != 0 ? g_markup_printf_escaped("Made by %s", maker_name) : NULL;
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), made != NULL    ? made
                                                     : k->is_dock    ? "Dock, closed at first"
                                                     : k->is_closure ? "Closes a loop"
                                                                     : "");
    offer_angles(row, c, k);
    gtk_widget_set_sensitive(GTK_WIDGET(row->angles), k->part == 0);
    gtk_widget_set_sensitive(row->disconnect, k->part == 0);
    g_autofree char *angle_words = g_strdup_printf("Angle of %s to %s", own, other);
    g_autofree char *disconnect_words = g_strdup_printf("Disconnect %s from %s", own, other);
    som_set_accessible_name(GTK_WIDGET(row->angles), angle_words);
    som_set_accessible_name(row->disconnect, disconnect_words);
}

// ---- life

static void finalize(GObject *object) {
    g_free(SOM_CONNECTION_ROW(object)->a);
    g_free(SOM_CONNECTION_ROW(object)->b);
    G_OBJECT_CLASS(som_connection_row_parent_class)->finalize(object);
}

static void som_connection_row_class_init(SomConnectionRowClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
}

static void som_connection_row_init(SomConnectionRow *row) {
    adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 0);
    row->angles = GTK_DROP_DOWN(som_choice_new("Angle of the two faces", false));
    g_signal_connect(row->angles, "notify::selected", G_CALLBACK(on_angle), row);
    row->disconnect = som_icon_button("list-remove-symbolic", "Disconnect");
    g_signal_connect(row->disconnect, "clicked", G_CALLBACK(on_disconnect), row);
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), GTK_WIDGET(row->angles));
    adw_action_row_add_suffix(ADW_ACTION_ROW(row), row->disconnect);
}

GtkWidget *som_connection_row_new(SomProject *project) {
    SomConnectionRow *row = g_object_new(SOM_TYPE_CONNECTION_ROW, NULL);
    row->project = project;
    return GTK_WIDGET(row);
}
