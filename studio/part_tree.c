// SPDX-License-Identifier: Apache-2.0
#include "studio/part_tree.h"

#include "studio/edit_actions.h"
#include "studio/part_list.h"
#include "studio/widgets.h"

struct _SomPartTree {
    GtkBox parent_instance;
    SomProject *project;
    GtkSearchEntry *search;
    GtkListView *view;
    GtkSingleSelection *selection;
    GtkPopover *menu;
    char *shape;     // of the parts that the rows are of
    int shown;       // part; 0: the whole
    guint scroll;    // the running source that scrolls there; 0: none
    bool is_setting; // the selection changes by ourselves
};

G_DEFINE_FINAL_TYPE(SomPartTree, som_part_tree, GTK_TYPE_BOX)

enum { CHOSEN, SIGNALS };
static guint signals[SIGNALS];

static const SomConfiguration *configuration_of(SomPartTree *tree) {
    return som_project_model(tree->project)->configuration;
}

static SomPartRow *row_at(SomPartTree *tree, guint position) { // borrowed; NULL behind the last
    g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), position);
    if (row == NULL) {
        return NULL;
    }
    g_autoptr(SomPartRow) part = gtk_tree_list_row_get_item(row);
    return part; // its list holds it
}

// ---- rows

static GListModel *on_unfold(gpointer item, gpointer data) {
    SomPartTree *tree = data;
    const SomConfiguration *configuration = configuration_of(tree);
    bool is_search = gtk_editable_get_text(GTK_EDITABLE(tree->search))[0] != '\0';
    if (configuration == NULL || is_search || !som_part_row_has_parts(item)) {
        return NULL;
    }
    return G_LIST_MODEL(som_part_list_parts(configuration, som_part_row_part(item)));
}

static GtkWidget *make_label(const char *style) {
    GtkWidget *label = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
    if (style != NULL) {
        gtk_widget_add_css_class(label, style);
    }
    return label;
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *item, SomPartTree *tree) {
    (void)factory;
    (void)tree;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append(GTK_BOX(box), make_label(NULL));
    gtk_box_append(GTK_BOX(box), make_label("dim-label"));
    GtkWidget *expander = gtk_tree_expander_new();
    g_object_set(expander, "margin-top", 2, "margin-bottom", 2, NULL);
    gtk_tree_expander_set_child(GTK_TREE_EXPANDER(expander), box);
    gtk_list_item_set_child(item, expander);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, SomPartTree *tree) {
    (void)factory;
    GtkTreeListRow *row = gtk_list_item_get_item(item);
    g_autoptr(SomPartRow) part = gtk_tree_list_row_get_item(row);
    GtkWidget *expander = gtk_list_item_get_child(item);
    gtk_tree_expander_set_list_row(GTK_TREE_EXPANDER(expander), row);
    GtkWidget *name =
        gtk_widget_get_first_child(gtk_tree_expander_get_child(GTK_TREE_EXPANDER(expander)));
    bool is_search = gtk_editable_get_text(GTK_EDITABLE(tree->search))[0] != '\0';
    gtk_label_set_text(GTK_LABEL(name),
                       is_search ? som_part_row_place(part) : som_part_row_name(part));
    bool is_whole = som_part_row_part(part) == 0;
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(name)),
                       is_whole ? "" : som_part_row_kind(part));
    som_set_accessible_name(expander, som_part_row_words(part));
}

// ---- unfolding

// The row of a part, unfolding what it lies in; invalid if a search leaves it out.
static guint find_row(SomPartTree *tree, int part) {
    const SomPart *parts = configuration_of(tree)->parts;
    guint count = g_list_model_get_n_items(G_LIST_MODEL(tree->selection));
    for (guint i = 0; i < count; i++) {
        g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), i);
        g_autoptr(SomPartRow) item = gtk_tree_list_row_get_item(row);
        int own = som_part_row_part(item);
        if (own == part) {
            return i;
        }
        if (own < part && part < parts[own].end_part && gtk_tree_list_row_is_expandable(row)) {
            gtk_tree_list_row_set_expanded(row, TRUE);
            count = g_list_model_get_n_items(G_LIST_MODEL(tree->selection));
        }
    }
    return GTK_INVALID_LIST_POSITION;
}

// Places of the parts that are unfolded.
static GHashTable *find_unfolded(SomPartTree *tree) {
    GHashTable *unfolded = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint count = g_list_model_get_n_items(G_LIST_MODEL(tree->selection));
    for (guint i = 0; i < count; i++) {
        g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), i);
        if (gtk_tree_list_row_get_expanded(row)) {
            g_autoptr(SomPartRow) item = gtk_tree_list_row_get_item(row);
            g_hash_table_add(unfolded, g_strdup(som_part_row_place(item)));
        }
    }
    return unfolded;
}

static void unfold(SomPartTree *tree, GHashTable *unfolded) {
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(tree->selection)); i++) {
        g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), i);
        g_autoptr(SomPartRow) item = gtk_tree_list_row_get_item(row);
        if (som_part_row_part(item) == 0 ||
            g_hash_table_contains(unfolded, som_part_row_place(item))) {
            gtk_tree_list_row_set_expanded(row, TRUE);
        }
    }
}

// ---- filling

static GListStore *make_rows(SomPartTree *tree) {
    const SomConfiguration *configuration = configuration_of(tree);
    const char *wanted = gtk_editable_get_text(GTK_EDITABLE(tree->search));
    if (configuration != NULL && wanted[0] != '\0') {
        return som_part_list_matches(configuration, wanted);
    }
    GListStore *rows = g_list_store_new(SOM_TYPE_PART_ROW);
    if (configuration != NULL) {
        g_autoptr(SomPartRow) whole = som_part_row_new(configuration, 0);
        g_list_store_append(rows, whole);
    }
    return rows;
}

static void select_row(SomPartTree *tree, guint position) {
    tree->is_setting = true;
    gtk_single_selection_set_selected(tree->selection, position);
    tree->is_setting = false;
}

static void fill(SomPartTree *tree) {
    g_autoptr(GHashTable) unfolded = find_unfolded(tree);
    GtkTreeListModel *model =
        gtk_tree_list_model_new(G_LIST_MODEL(make_rows(tree)), FALSE, FALSE, on_unfold, tree, NULL);
    tree->is_setting = true;
    gtk_single_selection_set_model(tree->selection, G_LIST_MODEL(model));
    g_object_unref(model);
    unfold(tree, unfolded);
    tree->is_setting = false;
    som_part_tree_show(tree, tree->shown);
}

// What the rows say, so that a change of an angle, say, leaves them alone.
static char *print_shape(const SomConfiguration *configuration) {
    GString *shape = g_string_new(NULL);
    if (configuration != NULL) {
        g_string_append_len(shape, configuration->name.data, (gssize)configuration->name.length);
    }
    for (int i = 1; configuration != NULL && i < configuration->part_count; i++) {
        const SomPart *part = &configuration->parts[i];
        g_string_append_printf(shape, "\n%d ", part->depth);
        g_string_append_len(shape, part->name.data, (gssize)part->name.length);
        g_string_append_c(shape, ' ');
        g_string_append_len(shape, part->config.data, (gssize)part->config.length);
    }
    return g_string_free(shape, FALSE);
}

void som_part_tree_refresh(SomPartTree *tree) {
    char *shape = print_shape(configuration_of(tree));
    bool is_same = g_strcmp0(shape, tree->shape) == 0;
    g_free(tree->shape);
    tree->shape = shape;
    if (!is_same) {
        const SomConfiguration *configuration = configuration_of(tree);
        int count = configuration != NULL ? configuration->part_count : 0;
        tree->shown = tree->shown < count ? tree->shown : 0;
        fill(tree);
    }
}

// When the rows that were unfolded have their places.
static gboolean on_scroll(gpointer data) {
    SomPartTree *tree = data;
    guint position = gtk_single_selection_get_selected(tree->selection);
    tree->scroll = 0;
    if (position != GTK_INVALID_LIST_POSITION) {
        gtk_widget_activate_action(GTK_WIDGET(tree->view), "list.scroll-to-item", "u", position);
    }
    return G_SOURCE_REMOVE;
}

void som_part_tree_show(SomPartTree *tree, int part) {
    tree->shown = part;
    guint position = GTK_INVALID_LIST_POSITION;
    if (configuration_of(tree) != NULL) {
        tree->is_setting = true;
        position = find_row(tree, part);
        tree->is_setting = false;
    }
    select_row(tree, position);
    if (position != GTK_INVALID_LIST_POSITION && tree->scroll == 0) {
        tree->scroll = g_idle_add(on_scroll, tree);
    }
}

// ---- what the user does

static void on_selected(GtkSingleSelection *selection, GParamSpec *property, SomPartTree *tree) {
    (void)property;
    SomPartRow *row = row_at(tree, gtk_single_selection_get_selected(selection));
    if (!tree->is_setting && row != NULL && som_part_row_part(row) != tree->shown) {
        tree->shown = som_part_row_part(row);
        g_signal_emit(tree, signals[CHOSEN], 0, tree->shown);
    }
}

static void on_activated(GtkListView *view, guint position, SomPartTree *tree) {
    (void)view;
    g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), position);
    gtk_tree_list_row_set_expanded(row, !gtk_tree_list_row_get_expanded(row));
}

// Right unfolds and Left folds, or goes up: where arrows go in trees.
static gboolean on_key(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                       SomPartTree *tree) {
    (void)keys;
    (void)code;
    guint selected = gtk_single_selection_get_selected(tree->selection);
    if ((key != GDK_KEY_Right && key != GDK_KEY_Left) ||
        (state & gtk_accelerator_get_default_mod_mask()) != 0 ||
        selected == GTK_INVALID_LIST_POSITION) {
        return FALSE;
    }
    g_autoptr(GtkTreeListRow) row = g_list_model_get_item(G_LIST_MODEL(tree->selection), selected);
    g_autoptr(GtkTreeListRow) parent = gtk_tree_list_row_get_parent(row);
    if (key == GDK_KEY_Right || gtk_tree_list_row_get_expanded(row)) {
        gtk_tree_list_row_set_expanded(row, key == GDK_KEY_Right);
    } else if (parent != NULL) {
        guint above = gtk_tree_list_row_get_position(parent);
        gtk_widget_activate_action(GTK_WIDGET(tree->view), "list.select-item", "(ubb)", above,
                                   FALSE, FALSE);
        gtk_widget_activate_action(GTK_WIDGET(tree->view), "list.scroll-to-item", "u", above);
    }
    return TRUE;
}

static void open_menu(SomPartTree *tree, double x, double y) {
    double own_x, own_y;
    gtk_widget_translate_coordinates(GTK_WIDGET(tree->view), GTK_WIDGET(tree), x, y, &own_x,
                                     &own_y);
    gtk_popover_set_pointing_to(tree->menu, &(GdkRectangle){(int)own_x, (int)own_y, 1, 1});
    gtk_popover_popup(tree->menu);
}

// The row under the pointer, found by what is drawn there.
static int part_at(SomPartTree *tree, double x, double y) {
    GtkWidget *widget = gtk_widget_pick(GTK_WIDGET(tree->view), x, y, GTK_PICK_DEFAULT);
    while (widget != NULL && widget != GTK_WIDGET(tree->view)) {
        GtkWidget *child = gtk_widget_get_first_child(widget);
        GtkWidget *found = GTK_IS_TREE_EXPANDER(widget)  ? widget
                           : GTK_IS_TREE_EXPANDER(child) ? child
                                                         : NULL;
        if (found != NULL) {
            g_autoptr(SomPartRow) row = gtk_tree_expander_get_item(GTK_TREE_EXPANDER(found));
            return som_part_row_part(row);
        }
        widget = gtk_widget_get_parent(widget);
    }
    return -1;
}

static void on_pressed(GtkGestureClick *click, int presses, double x, double y, SomPartTree *tree) {
    (void)presses;
    int part = part_at(tree, x, y);
    if (part < 0) {
        return;
    }
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_widget_grab_focus(GTK_WIDGET(tree->view));
    som_part_tree_show(tree, part);
    g_signal_emit(tree, signals[CHOSEN], 0, part);
    open_menu(tree, x, y);
}

static gboolean on_menu_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused;
    (void)data;
    open_menu(SOM_PART_TREE(widget), 24, 24);
    return TRUE;
}

static gboolean on_search_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused;
    (void)data;
    return gtk_widget_grab_focus(GTK_WIDGET(SOM_PART_TREE(widget)->search));
}

// ---- life

static void dispose(GObject *object) {
    SomPartTree *tree = SOM_PART_TREE(object);
    if (tree->menu != NULL) {
        gtk_widget_unparent(GTK_WIDGET(tree->menu));
        tree->menu = NULL;
    }
    g_clear_handle_id(&tree->scroll, g_source_remove);
    g_clear_pointer(&tree->shape, g_free);
    G_OBJECT_CLASS(som_part_tree_parent_class)->dispose(object);
}

static void som_part_tree_class_init(SomPartTreeClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_PART_TREE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 1, G_TYPE_INT);
    gtk_widget_class_add_binding(widget, GDK_KEY_Menu, 0, on_menu_key, NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu_key, NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_f, GDK_CONTROL_MASK, on_search_key, NULL);
}

static void make_list(SomPartTree *tree) {
    tree->selection = gtk_single_selection_new(NULL);
    gtk_single_selection_set_autoselect(tree->selection, FALSE);
    gtk_single_selection_set_can_unselect(tree->selection, TRUE);
    g_signal_connect(tree->selection, "notify::selected", G_CALLBACK(on_selected), tree);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), tree);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), tree);
    tree->view = GTK_LIST_VIEW(gtk_list_view_new(GTK_SELECTION_MODEL(tree->selection), factory));
    g_signal_connect(tree->view, "activate", G_CALLBACK(on_activated), tree);
    som_set_accessible_name(tree->view, "Parts");
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
    g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), tree);
    gtk_widget_add_controller(GTK_WIDGET(tree->view), GTK_EVENT_CONTROLLER(click));
    GtkEventController *keys = gtk_event_controller_key_new();
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), tree);
    gtk_widget_add_controller(GTK_WIDGET(tree->view), keys);
}

static void som_part_tree_init(SomPartTree *tree) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(tree), GTK_ORIENTATION_VERTICAL);
    tree->search = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    g_object_set(tree->search, "placeholder-text", "Search parts", "margin-start", 6, "margin-end",
                 6, "margin-top", 6, "margin-bottom", 6, NULL);
    gtk_widget_set_tooltip_text(GTK_WIDGET(tree->search),
                                "Part of a place, as leg.head, or of a type (Ctrl+F in the tree)");
    som_set_accessible_name(tree->search, "Search parts");
    g_signal_connect_swapped(tree->search, "search-changed", G_CALLBACK(fill), tree);
    make_list(tree);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(tree->view));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(tree), GTK_WIDGET(tree->search));
    gtk_box_append(GTK_BOX(tree), scrolled);
    g_autoptr(GMenuModel) menu = som_edit_menu();
    tree->menu = GTK_POPOVER(gtk_popover_menu_new_from_model(menu));
    gtk_popover_set_has_arrow(tree->menu, FALSE);
    gtk_widget_set_halign(GTK_WIDGET(tree->menu), GTK_ALIGN_START);
    gtk_widget_set_parent(GTK_WIDGET(tree->menu), GTK_WIDGET(tree));
}

GtkWidget *som_part_tree_new(SomProject *project) {
    SomPartTree *tree = g_object_new(SOM_TYPE_PART_TREE, NULL);
    tree->project = project;
    som_part_tree_refresh(tree);
    return GTK_WIDGET(tree);
}
