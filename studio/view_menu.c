// SPDX-License-Identifier: Apache-2.0
#include "studio/view_menu.h"

#include "studio/widgets.h"

#define COLUMNS 3 // of sides

typedef struct Shown {
    unsigned flag;
    const char *words;
    const char *tooltip;
} Shown;

static const Shown shown[] = {
    {SOM_VIEW_SUPPORT, "Support and margin",
     "The polygon it stands on, and how far the centre of mass is from its border (S)"},
    {SOM_VIEW_CENTER, "Centre of mass", "And the point of the ground below it (M)"},
    {SOM_VIEW_CONNECTORS, "Free connectors", "All of them, not only those you point at (C)"},
    {SOM_VIEW_GLYPHS, "Joints", "The signs of the joints, in a stick figure (J)"},
    {SOM_VIEW_AXES, "Axes of joints", "With an arrow at the positive end (A)"},
    {SOM_VIEW_FRAMES, "Frames of modules", "x red, y green, z blue (X)"},
    {SOM_VIEW_FOLLOW, "Follow motions", "The camera goes along with a robot that moves away (G)"},
};

typedef struct Side {
    SomViewSide side;
    const char *words;
    const char *tooltip;
} Side;

static const Side sides[] = {
    {SOM_VIEW_FRONT, "Front", "From the front (1)"},
    {SOM_VIEW_RIGHT, "Right", "From the right (2)"},
    {SOM_VIEW_TOP, "Top", "From above (3)"},
    {SOM_VIEW_BACK, "Back", "From behind (5)"},
    {SOM_VIEW_LEFT, "Left", "From the left (6)"},
    {SOM_VIEW_BELOW, "Below", "From below (7)"},
};

// A widget of the menu knows its row of a table.
static const char row_key[] = "som-row";

static void on_toggled(GtkCheckButton *check, SomView *view) {
    const Shown *row = g_object_get_data(G_OBJECT(check), row_key);
    unsigned others = som_view_shown(view) & ~row->flag;
    som_view_show(view, others | (gtk_check_button_get_active(check) ? row->flag : 0));
}

static void on_flat(GtkCheckButton *check, SomView *view) {
    som_view_set_orthographic(view, !gtk_check_button_get_active(check));
}

static void on_side(GtkButton *button, SomView *view) {
    const Side *row = g_object_get_data(G_OBJECT(button), row_key);
    som_view_look_from(view, row->side);
}

// Keys may have changed what is shown since the menu was.
static void on_show(GtkWidget *popover, SomView *view) {
    GtkWidget *box = gtk_popover_get_child(GTK_POPOVER(popover));
    for (GtkWidget *child = gtk_widget_get_first_child(box); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        const Shown *row = g_object_get_data(G_OBJECT(child), row_key);
        if (GTK_IS_CHECK_BUTTON(child)) {
            bool is_on = row != NULL ? (som_view_shown(view) & row->flag) != 0
                                     : !som_view_camera(view)->is_orthographic;
            gtk_check_button_set_active(GTK_CHECK_BUTTON(child), is_on);
        }
    }
}

static GtkWidget *make_check(SomView *view, const char *words, const char *tooltip,
                             GCallback on_change, const Shown *row) {
    GtkWidget *check = gtk_check_button_new_with_label(words);
    gtk_widget_set_tooltip_text(check, tooltip);
    g_object_set_data(G_OBJECT(check), row_key, (gpointer)row);
    g_signal_connect(check, "toggled", on_change, view);
    return check;
}

static GtkWidget *make_sides(SomView *view) {
    GtkWidget *grid = gtk_grid_new();
    gtk_grid_set_row_spacing(GTK_GRID(grid), 6);
    gtk_grid_set_column_spacing(GTK_GRID(grid), 6);
    gtk_grid_set_column_homogeneous(GTK_GRID(grid), TRUE);
    for (int i = 0; i < (int)G_N_ELEMENTS(sides); i++) {
        GtkWidget *button = gtk_button_new_with_label(sides[i].words);
        gtk_widget_set_tooltip_text(button, sides[i].tooltip);
        g_object_set_data(G_OBJECT(button), row_key, (gpointer)&sides[i]);
        g_signal_connect(button, "clicked", G_CALLBACK(on_side), view);
        gtk_grid_attach(GTK_GRID(grid), button, i % COLUMNS, i / COLUMNS, 1, 1);
    }
    return grid;
}

static GtkWidget *make_fit(SomView *view) {
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    gtk_box_set_homogeneous(GTK_BOX(row), TRUE);
    GtkWidget *all = gtk_button_new_with_label("Show all");
    gtk_widget_set_tooltip_text(all, "So that all is seen (Home)");
    g_signal_connect_swapped(all, "clicked", G_CALLBACK(som_view_fit), view);
    gtk_box_append(GTK_BOX(row), all);
    GtkWidget *part = gtk_button_new_with_label("Show selected");
    gtk_widget_set_tooltip_text(part, "So that what is selected fills the view (F)");
    g_signal_connect_swapped(part, "clicked", G_CALLBACK(som_view_fit_selection), view);
    gtk_box_append(GTK_BOX(row), part);
    return row;
}

GtkWidget *som_view_menu_new(SomView *view) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
    som_pad(box);
    for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
        gtk_box_append(GTK_BOX(box), make_check(view, shown[i].words, shown[i].tooltip,
                                                G_CALLBACK(on_toggled), &shown[i]));
    }
    gtk_box_append(GTK_BOX(box), make_check(view, "Perspective", "Far things are smaller (O)",
                                            G_CALLBACK(on_flat), NULL));
    gtk_box_append(GTK_BOX(box), make_sides(view));
    gtk_box_append(GTK_BOX(box), make_fit(view));
    GtkWidget *popover = gtk_popover_new();
    gtk_popover_set_child(GTK_POPOVER(popover), box);
    g_signal_connect(popover, "show", G_CALLBACK(on_show), view);
    GtkWidget *button = gtk_menu_button_new();
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "view-reveal-symbolic");
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
    gtk_widget_set_tooltip_text(button, "What the view shows, and from where");
    som_set_accessible_name(button, "View options");
    gtk_widget_add_css_class(button, "opaque");
    gtk_widget_add_css_class(button, "circular");
    gtk_widget_set_halign(button, GTK_ALIGN_END);
    gtk_widget_set_valign(button, GTK_ALIGN_START);
    gtk_widget_set_margin_top(button, 10);
    gtk_widget_set_margin_end(button, 10);
    return button;
}
