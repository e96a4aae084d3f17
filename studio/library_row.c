// SPDX-License-Identifier: Apache-2.0
#include "studio/library_row.h"

#include "studio/thumbnail.h"
#include "studio/widgets.h"

#define MOST_COUNT 1000 // that can be chosen by a button; a text says more

struct _SomLibraryRow {
    GtkListBoxRow parent_instance;
    SomLibraryItem *item;
    GtkWidget *picture;
    GtkLabel *title;
};

G_DEFINE_FINAL_TYPE(SomLibraryRow, som_library_row, GTK_TYPE_LIST_BOX_ROW)

enum { CHANGED, SIGNALS };
static guint signals[SIGNALS];

SomLibraryItem *som_library_row_item(SomLibraryRow *row) {
    return row->item;
}

static const char param_key[] = "som-param"; // of a field: which parameter

static void set_argument(SomLibraryRow *row, void *field, const char *text) {
    int param = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(field), param_key));
    if (strcmp(text, som_library_item_argument(row->item, param)) != 0) {
        som_library_item_set_argument(row->item, param, text);
        gtk_label_set_text(row->title, som_library_item_reference(row->item));
        g_signal_emit(row, signals[CHANGED], 0);
    }
}

static void on_count(GtkSpinButton *field, SomLibraryRow *row) {
    g_autofree char *text = g_strdup_printf("%d", gtk_spin_button_get_value_as_int(field));
    set_argument(row, field, text);
}

static void on_text(GtkEditable *field, SomLibraryRow *row) {
    set_argument(row, field, gtk_editable_get_text(field));
}

static GtkWidget *make_field(SomLibraryRow *row, int param) {
    const SomCatalogParameter *p = &som_library_item_entry(row->item)->params[param];
    GtkWidget *field;
    char *end = NULL;
    gint64 value = g_ascii_strtoll(p->otherwise.data, &end, 10);
    if (p->is_count && (p->otherwise.length == 0 || *end == '\0')) {
        field = gtk_spin_button_new_with_range(0, MOST_COUNT, 1);
        gtk_spin_button_set_value(GTK_SPIN_BUTTON(field), (double)value);
        g_object_set_data(G_OBJECT(field), param_key, GINT_TO_POINTER(param));
        g_signal_connect(field, "value-changed", G_CALLBACK(on_count), row);
    } else {
        field = gtk_entry_new();
        gtk_entry_set_placeholder_text(GTK_ENTRY(field), p->otherwise.data);
        g_object_set_data(G_OBJECT(field), param_key, GINT_TO_POINTER(param));
        g_signal_connect(field, "changed", G_CALLBACK(on_text), row);
    }
    g_autofree char *words =
        g_strdup_printf("%s of %s", p->name.data, som_library_item_title(row->item));
    som_set_accessible_name(field, words);
    return field;
}

// A button that shows a field for each parameter.
static GtkWidget *make_arguments(SomLibraryRow *row) {
    const SomCatalogEntry *entry = som_library_item_entry(row->item);
    GtkGrid *grid = GTK_GRID(gtk_grid_new());
    gtk_grid_set_row_spacing(grid, 6);
    gtk_grid_set_column_spacing(grid, 6);
    for (int i = 0; i < entry->param_count; i++) {
        g_autofree char *words =
            g_strdup_printf("%s (%s)", entry->params[i].name.data, entry->params[i].type.data);
        gtk_grid_attach(grid, gtk_label_new(words), 0, i, 1, 1);
        gtk_grid_attach(grid, make_field(row, i), 1, i, 1, 1);
    }
    GtkWidget *popover = gtk_popover_new();
    gtk_popover_set_child(GTK_POPOVER(popover), GTK_WIDGET(grid));
    GtkWidget *button = gtk_menu_button_new();
    g_autofree char *words = g_strdup_printf("Arguments of %s", som_library_item_title(row->item));
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "emblem-system-symbolic");
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
    gtk_menu_button_set_has_frame(GTK_MENU_BUTTON(button), FALSE);
    gtk_widget_set_tooltip_text(button, words);
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    som_set_accessible_name(button, words);
    return button;
}

static void fill(SomLibraryRow *row) {
    row->picture = gtk_picture_new();
    gtk_picture_set_can_shrink(GTK_PICTURE(row->picture), TRUE);
    gtk_widget_set_size_request(row->picture, SOM_THUMBNAIL_WIDTH / 2, SOM_THUMBNAIL_HEIGHT / 2);
    gtk_widget_set_can_target(row->picture, FALSE);
    gtk_widget_add_css_class(row->picture, "card");
    gtk_widget_set_overflow(row->picture, GTK_OVERFLOW_HIDDEN);
    g_object_bind_property(row->item, "picture", row->picture, "paintable", G_BINDING_SYNC_CREATE);

    row->title = GTK_LABEL(gtk_label_new(som_library_item_reference(row->item)));
    GtkWidget *words = gtk_label_new(som_library_item_words(row->item));
    gtk_label_set_xalign(row->title, 0);
    gtk_label_set_xalign(GTK_LABEL(words), 0);
    gtk_label_set_ellipsize(row->title, PANGO_ELLIPSIZE_END);
    gtk_label_set_ellipsize(GTK_LABEL(words), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(words, "caption");
    gtk_widget_add_css_class(words, "dim-label");
    GtkWidget *text = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
    gtk_widget_set_valign(text, GTK_ALIGN_CENTER);
    gtk_widget_set_hexpand(text, TRUE);
    gtk_box_append(GTK_BOX(text), GTK_WIDGET(row->title));
    gtk_box_append(GTK_BOX(text), words);

    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append(GTK_BOX(box), row->picture);
    gtk_box_append(GTK_BOX(box), text);
    if (som_library_item_entry(row->item)->param_count > 0) {
        gtk_box_append(GTK_BOX(box), make_arguments(row));
    }
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
}

static void finalize(GObject *object) {
    g_clear_object(&SOM_LIBRARY_ROW(object)->item);
    G_OBJECT_CLASS(som_library_row_parent_class)->finalize(object);
}

static void som_library_row_class_init(SomLibraryRowClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[CHANGED] = g_signal_new("changed", SOM_TYPE_LIBRARY_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
}

static void som_library_row_init(SomLibraryRow *row) {
    (void)row;
}

GtkWidget *som_library_row_new(SomLibraryItem *item) {
    SomLibraryRow *row = g_object_new(SOM_TYPE_LIBRARY_ROW, NULL);
    row->item = g_object_ref(item);
    fill(row);
    const char *doc = som_library_item_entry(item)->doc.data;
    g_autofree char *tooltip = g_strdup_printf("%s%s%s", doc, doc[0] != '\0' ? "\n" : "",
                                               "Drag it into the view, or press Enter to place it");
    gtk_widget_set_tooltip_text(GTK_WIDGET(row), tooltip);
    gtk_accessible_update_property(
        GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, som_library_item_title(item),
        GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, som_library_item_words(item), -1);
    return GTK_WIDGET(row);
}
