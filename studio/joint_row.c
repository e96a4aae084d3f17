// SPDX-License-Identifier: Apache-2.0
#include "studio/joint_row.h"

#include "studio/widgets.h"

// Digits behind the point, of degrees and millimetres.
#define DIGITS 1

struct _SomJointRow {
    GtkBox parent_instance;
    SomProject *project;
    SomJointItem *item; // NULL: the row is not in use
    GtkLabel *name, *unit;
    GtkRange *scale;
    GtkWidget *spin;
    GtkAdjustment *value; // on the screen, of both
    bool is_setting;      // the value changes by ourselves
};

G_DEFINE_FINAL_TYPE(SomJointRow, som_joint_row, GTK_TYPE_BOX)

static void on_value(GtkAdjustment *adjustment, SomJointRow *row) {
    if (row->item != NULL && !row->is_setting) {
        double shown = gtk_adjustment_get_value(adjustment);
        som_project_move(row->project, row->item->dof,
                         som_joint_item_from_screen(row->item, shown));
    }
}

void som_joint_row_refresh(SomJointRow *row) {
    const SomModel *model = som_project_model(row->project);
    if (row->item == NULL || row->item->dof >= model->posture.count) {
        return;
    }
    double shown = som_joint_item_to_screen(row->item, model->posture.values[row->item->dof]);
    row->is_setting = true;
    if (shown < gtk_adjustment_get_lower(row->value)) { // poses may be beyond limits
        gtk_adjustment_set_lower(row->value, shown);
    } else if (shown > gtk_adjustment_get_upper(row->value)) {
        gtk_adjustment_set_upper(row->value, shown);
    }
    gtk_adjustment_set_value(row->value, shown);
    row->is_setting = false;
}

void som_joint_row_set(SomJointRow *row, SomJointItem *item) {
    g_set_object(&row->item, item);
    if (item == NULL) {
        return;
    }
    gtk_label_set_text(row->name, item->name);
    gtk_label_set_text(row->unit, som_joint_item_unit(item));
    gtk_widget_set_tooltip_text(GTK_WIDGET(row), item->words);
    row->is_setting = true;
    gtk_adjustment_configure(row->value, 0, item->low, item->high, 1, 10, 0);
    gtk_scale_clear_marks(GTK_SCALE(row->scale));
    if (item->low < 0 && item->high > 0) {
        gtk_scale_add_mark(GTK_SCALE(row->scale), 0, GTK_POS_BOTTOM, NULL);
    }
    row->is_setting = false;
    g_autofree char *words =
        g_strdup_printf("%s in %s", item->place, item->slides ? "millimetres" : "degrees");
    som_set_accessible_name(GTK_WIDGET(row->scale), words);
    som_set_accessible_name(row->spin, words);
    som_joint_row_refresh(row);
}

static void dispose(GObject *object) {
    g_clear_object(&SOM_JOINT_ROW(object)->item);
    g_clear_object(&SOM_JOINT_ROW(object)->value);
    G_OBJECT_CLASS(som_joint_row_parent_class)->dispose(object);
}

static void som_joint_row_class_init(SomJointRowClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static void som_joint_row_init(SomJointRow *row) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(row), GTK_ORIENTATION_VERTICAL);
    row->value = g_object_ref_sink(gtk_adjustment_new(0, -1, 1, 1, 10, 0));
    g_signal_connect(row->value, "value-changed", G_CALLBACK(on_value), row);
    row->name = GTK_LABEL(gtk_label_new(NULL));
    gtk_label_set_xalign(row->name, 0);
    gtk_label_set_ellipsize(row->name, PANGO_ELLIPSIZE_START);
    gtk_widget_set_hexpand(GTK_WIDGET(row->name), TRUE);
    row->spin = som_number_new(row->value, DIGITS);
    row->unit = GTK_LABEL(gtk_label_new(NULL));
    gtk_label_set_width_chars(row->unit, 3);
    gtk_label_set_xalign(row->unit, 0);
    gtk_widget_add_css_class(GTK_WIDGET(row->unit), "dim-label");
    GtkWidget *upper = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    gtk_box_append(GTK_BOX(upper), GTK_WIDGET(row->name));
    gtk_box_append(GTK_BOX(upper), row->spin);
    gtk_box_append(GTK_BOX(upper), GTK_WIDGET(row->unit));
    row->scale = GTK_RANGE(gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, row->value));
    gtk_scale_set_draw_value(GTK_SCALE(row->scale), FALSE);
    gtk_scale_set_has_origin(GTK_SCALE(row->scale), FALSE);
    gtk_range_set_round_digits(row->scale, DIGITS);
    som_ignore_wheel(GTK_WIDGET(row->scale));
    g_object_set(row, "margin-start", 6, "margin-top", 3, "margin-bottom", 3, NULL);
    gtk_box_append(GTK_BOX(row), upper);
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(row->scale));
}

GtkWidget *som_joint_row_new(SomProject *project) {
    SomJointRow *row = g_object_new(SOM_TYPE_JOINT_ROW, NULL);
    row->project = project;
    return GTK_WIDGET(row);
}
