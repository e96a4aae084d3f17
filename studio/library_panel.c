// SPDX-License-Identifier: Apache-2.0
#include "studio/library_panel.h"

#include "base/path.h"
#include "studio/library_row.h"
#include "studio/library_worker.h"
#include "studio/widgets.h"

struct _SomLibraryPanel {
    GtkBox parent_instance;
    GtkSearchEntry *search;
    GtkListBox *list;
    GtkWidget *menu;
    SomLibraryWorker *worker;
    SomProject *project; // NULL until it is attached
    SomPlacing *placing;
    char *beside;       // folder of the open file
    bool is_beside_old; // the next row of it is the first of an answer
    bool was_saved;
    int reading;             // folders
    SomLibraryItem *dragged; // NULL: nothing is
    SomLibraryItem *pressed; // that a drag would take
    double begin_x, begin_y;
};

G_DEFINE_FINAL_TYPE(SomLibraryPanel, som_library_panel, GTK_TYPE_BOX)

enum { CHOSEN, PICKED, SIGNALS };
static guint signals[SIGNALS];

bool som_library_panel_is_complete(const SomLibraryPanel *panel) {
    return panel->reading == 0;
}

SomLibraryItem *som_library_panel_selected(const SomLibraryPanel *panel) {
    GtkListBoxRow *row = gtk_list_box_get_selected_row(panel->list);
    return row != NULL ? som_library_row_item(SOM_LIBRARY_ROW(row)) : NULL;
}

// ---- rows

// What stands together: beside the file, then by order.
static int group_of(const SomLibraryItem *item) {
    const SomCatalogEntry *entry = som_library_item_entry(item);
    return som_library_item_is_beside(item) ? -1 : entry->order;
}

static SomLibraryItem *item_of(void *row) {
    return som_library_row_item(SOM_LIBRARY_ROW(row));
}

static int compare(GtkListBoxRow *a, GtkListBoxRow *b, gpointer unused) {
    (void)unused;
    const SomLibraryItem *x = item_of(a), *y = item_of(b);
    const SomCatalogEntry *e = som_library_item_entry(x), *f = som_library_item_entry(y);
    int by_type = (f->is_type ? 1 : 0) - (e->is_type ? 1 : 0);
    return group_of(x) != group_of(y) ? group_of(x) - group_of(y)
           : by_type != 0             ? by_type
                                      : som_str_compare(e->name, f->name);
}

static char *words_of_group(int group) {
    return group < 0    ? g_strdup("Beside this file")
           : group == 0 ? g_strdup("Modules")
           : group == 1 ? g_strdup("Order 1, made of modules")
                        : g_strdup_printf("Order %d, made of order %d", group, group - 1);
}

static void show_header(GtkListBoxRow *row, GtkListBoxRow *before, gpointer unused) {
    (void)unused;
    int group = group_of(item_of(row));
    if (before != NULL && group_of(item_of(before)) == group) {
        gtk_list_box_row_set_header(row, NULL);
        return;
    }
    g_autofree char *words = words_of_group(group);
    GtkWidget *label = gtk_label_new(words);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "heading");
    gtk_widget_set_margin_start(label, 12);
    gtk_widget_set_margin_top(label, 10);
    gtk_widget_set_margin_bottom(label, 4);
    gtk_list_box_row_set_header(row, label);
}

static bool contains(const char *text, const char *wanted) {
    g_autofree char *lower = g_utf8_strdown(text, -1);
    return strstr(lower, wanted) != NULL;
}

static gboolean is_wanted(GtkListBoxRow *row, gpointer data) {
    SomLibraryPanel *panel = data;
    const SomCatalogEntry *entry = som_library_item_entry(item_of(row));
    SomStr stem = som_path_stem(entry->file);
    g_autofree char *file = som_c_string(stem);
    g_autofree char *wanted =
        g_utf8_strdown(gtk_editable_get_text(GTK_EDITABLE(panel->search)), -1);
    g_strstrip(wanted);
    return contains(entry->name.data, wanted) || contains(file, wanted) ||
           (strlen(wanted) > 2 && contains(entry->doc.data, wanted));
}

static void on_changed(GtkWidget *row, SomLibraryPanel *panel) {
    som_library_worker_draw(panel->worker, item_of(row));
}

static void remove_beside(SomLibraryPanel *panel) {
    GtkWidget *row = gtk_widget_get_first_child(GTK_WIDGET(panel->list));
    while (row != NULL) {
        GtkWidget *next = gtk_widget_get_next_sibling(row);
        if (SOM_IS_LIBRARY_ROW(row) && som_library_item_is_beside(item_of(row))) {
            gtk_list_box_remove(panel->list, row);
        }
        row = next;
    }
}

// An item was read, or with NULL all of a folder.
static void on_item(SomLibraryItem *item, bool is_beside, void *context) {
    SomLibraryPanel *panel = context;
    if (is_beside && panel->is_beside_old) { // these are the new ones
        remove_beside(panel);
    }
    panel->is_beside_old = is_beside ? item == NULL : panel->is_beside_old;
    if (item == NULL) {
        panel->reading--;
        return;
    }
    GtkWidget *row = som_library_row_new(item);
    g_signal_connect(row, "changed", G_CALLBACK(on_changed), panel);
    gtk_list_box_append(panel->list, row);
    som_library_worker_draw(panel->worker, item);
    g_object_unref(item);
}

static void read_folder(SomLibraryPanel *panel, SomStr folder, bool is_beside) {
    panel->reading++;
    som_library_worker_read(panel->worker, folder, is_beside);
}

// The open file may be in another folder now, or there is more in it since it was saved.
static void on_change(void *context, unsigned changes) {
    SomLibraryPanel *panel = context;
    if ((changes & SOM_PROJECT_FILE) == 0) {
        return;
    }
    SomStr path = som_project_path(panel->project);
    SomStr folder = path.length > 0 ? som_path_folder(path) : SOM_STR("");
    g_autofree char *name = som_c_string(folder);
    bool is_saved = som_project_is_saved(panel->project);
    bool is_new = g_strcmp0(name, panel->beside) != 0 || (is_saved && !panel->was_saved);
    panel->was_saved = is_saved;
    if (is_new) {
        g_free(panel->beside);
        panel->beside = g_steal_pointer(&name);
        read_folder(panel, folder, true); // of no folder there is nothing
    }
}

// ---- placing and opening

static void place(SomLibraryPanel *panel) {
    SomLibraryItem *item = som_library_panel_selected(panel);
    if (item != NULL && panel->placing != NULL) {
        som_placing_begin(panel->placing, item);
    } else if (item != NULL) {
        g_signal_emit(panel, signals[PICKED], 0, item);
    }
}

static void open_copy(SomLibraryPanel *panel) {
    SomLibraryItem *item = som_library_panel_selected(panel);
    if (item != NULL && !som_library_item_entry(item)->is_type) {
        SomStr file = som_library_item_entry(item)->file;
        SomStr name = som_library_item_is_beside(item) ? file : som_path_stem(file);
        g_autofree char *path = som_c_string(name);
        g_signal_emit(panel, signals[CHOSEN], 0, path, som_library_item_reference(item));
    }
}

static void on_action(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)unused;
    (strcmp(name, "library.place") == 0 ? place : open_copy)(SOM_LIBRARY_PANEL(widget));
}

static void on_row_activated(GtkListBox *list, GtkListBoxRow *row, SomLibraryPanel *panel) {
    (void)list;
    gtk_list_box_select_row(panel->list, row);
    place(panel);
}

static void show_menu(SomLibraryPanel *panel, GtkListBoxRow *row, double x, double y) {
    gtk_list_box_select_row(panel->list, row);
    gtk_widget_action_set_enabled(GTK_WIDGET(panel), "library.open",
                                  !som_library_item_entry(item_of(row))->is_type);
    gtk_popover_set_pointing_to(GTK_POPOVER(panel->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(GTK_POPOVER(panel->menu));
}

static void on_secondary(GtkGestureClick *click, int presses, double x, double y,
                         SomLibraryPanel *panel) {
    (void)click, (void)presses;
    GtkListBoxRow *row = gtk_list_box_get_row_at_y(panel->list, (int)y);
    double at_x, at_y;
    if (row != NULL && gtk_widget_translate_coordinates(GTK_WIDGET(panel->list), GTK_WIDGET(panel),
                                                        x, y, &at_x, &at_y)) {
        show_menu(panel, row, at_x, at_y);
    }
}

static gboolean on_menu_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused, (void)data;
    SomLibraryPanel *panel = SOM_LIBRARY_PANEL(widget);
    GtkListBoxRow *row = gtk_list_box_get_selected_row(panel->list);
    double x, y;
    if (row == NULL || !gtk_widget_translate_coordinates(GTK_WIDGET(row), widget, 40, 20, &x, &y)) {
        return FALSE;
    }
    show_menu(panel, row, x, y);
    return TRUE;
}

// ---- dragging

static void show_dragging(SomLibraryPanel *panel, bool is_dragging) {
    g_autoptr(GdkCursor) cursor = NULL;
    if (is_dragging) {
        g_autoptr(GdkCursor) hand = gdk_cursor_new_from_name("grabbing", NULL);
        GdkTexture *picture = som_library_item_picture(panel->dragged);
        cursor = picture != NULL ? gdk_cursor_new_from_texture(picture, 8, 8, hand)
                                 : g_steal_pointer(&hand);
    }
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(panel));
    gtk_widget_set_cursor(root != NULL ? GTK_WIDGET(root) : GTK_WIDGET(panel), cursor);
}

static void end_drag(SomLibraryPanel *panel) {
    if (panel->dragged != NULL) {
        show_dragging(panel, false);
        g_clear_object(&panel->dragged);
    }
    g_clear_object(&panel->pressed);
}

static void on_drag_begin(GtkGestureDrag *drag, double x, double y, SomLibraryPanel *panel) {
    GtkListBoxRow *row = gtk_list_box_get_row_at_y(panel->list, (int)y);
    panel->begin_x = x;
    panel->begin_y = y;
    end_drag(panel);
    if (row == NULL || panel->placing == NULL) {
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_DENIED);
        return;
    }
    panel->pressed = g_object_ref(item_of(row));
}

static void on_drag_update(GtkGestureDrag *drag, double x, double y, SomLibraryPanel *panel) {
    if (panel->pressed != NULL &&
        gtk_drag_check_threshold(GTK_WIDGET(panel->list), 0, 0, (int)x, (int)y)) {
        panel->dragged = g_steal_pointer(&panel->pressed);
        gtk_gesture_set_state(GTK_GESTURE(drag), GTK_EVENT_SEQUENCE_CLAIMED);
        if (som_placing_carry(panel->placing, panel->dragged)) {
            show_dragging(panel, true);
        }
    }
    if (panel->dragged != NULL) {
        som_placing_carry_to(panel->placing, GTK_WIDGET(panel->list), panel->begin_x + x,
                             panel->begin_y + y);
    }
}

static void on_drag_end(GtkGestureDrag *drag, double x, double y, SomLibraryPanel *panel) {
    (void)drag, (void)x, (void)y;
    if (panel->dragged != NULL) {
        som_placing_carry_end(panel->placing);
    }
    end_drag(panel);
}

static void on_drag_cancel(GtkGesture *drag, GdkEventSequence *sequence, SomLibraryPanel *panel) {
    (void)drag, (void)sequence;
    if (panel->dragged != NULL) {
        som_placing_cancel(panel->placing);
    }
    end_drag(panel);
}

// ---- layout

static void add_controllers(SomLibraryPanel *panel) {
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_begin), panel);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_drag_update), panel);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_end), panel);
    g_signal_connect(drag, "cancel", G_CALLBACK(on_drag_cancel), panel);
    gtk_widget_add_controller(GTK_WIDGET(panel->list), GTK_EVENT_CONTROLLER(drag));
    GtkGesture *secondary = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(secondary), GDK_BUTTON_SECONDARY);
    g_signal_connect(secondary, "pressed", G_CALLBACK(on_secondary), panel);
    gtk_widget_add_controller(GTK_WIDGET(panel->list), GTK_EVENT_CONTROLLER(secondary));
}

static GtkWidget *make_menu(SomLibraryPanel *panel) {
    g_autoptr(GMenu) menu = g_menu_new();
    g_menu_append(menu, "Place", "library.place");
    g_menu_append(menu, "Open a copy", "library.open");
    GtkWidget *popover = gtk_popover_menu_new_from_model(G_MENU_MODEL(menu));
    gtk_popover_set_has_arrow(GTK_POPOVER(popover), FALSE);
    gtk_widget_set_halign(popover, GTK_ALIGN_START);
    gtk_widget_set_parent(popover, GTK_WIDGET(panel));
    return popover;
}

static GtkWidget *make_search(SomLibraryPanel *panel) {
    panel->search = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    GtkWidget *widget = GTK_WIDGET(panel->search);
    gtk_widget_set_margin_start(widget, 6);
    gtk_widget_set_margin_end(widget, 6);
    gtk_widget_set_margin_top(widget, 6);
    gtk_widget_set_margin_bottom(widget, 6);
    g_object_set(widget, "placeholder-text", "Search the library", NULL);
    som_set_accessible_name(widget, "Search the library");
    return widget;
}

static void som_library_panel_init(SomLibraryPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    gtk_box_append(GTK_BOX(panel), make_search(panel));
    panel->list = GTK_LIST_BOX(gtk_list_box_new());
    gtk_widget_add_css_class(GTK_WIDGET(panel->list), "navigation-sidebar");
    gtk_list_box_set_activate_on_single_click(panel->list, FALSE);
    gtk_list_box_set_filter_func(panel->list, is_wanted, panel, NULL);
    gtk_list_box_set_sort_func(panel->list, compare, NULL, NULL);
    gtk_list_box_set_header_func(panel->list, show_header, NULL, NULL);
    GtkWidget *nothing = gtk_label_new("Nothing is called so");
    gtk_widget_add_css_class(nothing, "dim-label");
    gtk_widget_set_margin_top(nothing, 24);
    gtk_list_box_set_placeholder(panel->list, nothing);
    som_set_accessible_name(panel->list, "Library");
    g_signal_connect(panel->list, "row-activated", G_CALLBACK(on_row_activated), panel);
    g_signal_connect_swapped(panel->search, "changed", // at once, it is cheap

                             G_CALLBACK(gtk_list_box_invalidate_filter), panel->list);
    add_controllers(panel);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(panel->list));
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(panel), scrolled);
    panel->menu = make_menu(panel);
}

// ---- life

static void dispose(GObject *object) {
    SomLibraryPanel *panel = SOM_LIBRARY_PANEL(object);
    end_drag(panel);
    g_clear_pointer(&panel->worker, som_library_worker_free);
    g_clear_pointer(&panel->menu, gtk_widget_unparent);
    if (panel->project != NULL) {
        som_project_unlisten(panel->project, on_change, panel);
        panel->project = NULL;
    }
    panel->placing = NULL;
    G_OBJECT_CLASS(som_library_panel_parent_class)->dispose(object);
}

static void finalize(GObject *object) {
    g_free(SOM_LIBRARY_PANEL(object)->beside);
    G_OBJECT_CLASS(som_library_panel_parent_class)->finalize(object);
}

static void som_library_panel_class_init(SomLibraryPanelClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    G_OBJECT_CLASS(klass)->finalize = finalize;
    signals[CHOSEN] = g_signal_new("chosen", SOM_TYPE_LIBRARY_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
    signals[PICKED] = g_signal_new("picked", SOM_TYPE_LIBRARY_PANEL, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, SOM_TYPE_LIBRARY_ITEM);
    gtk_widget_class_install_action(widget, "library.place", NULL, on_action);
    gtk_widget_class_install_action(widget, "library.open", NULL, on_action);
    gtk_widget_class_add_binding_action(widget, GDK_KEY_Return, GDK_CONTROL_MASK, "library.open",
                                        NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu_key, NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_Menu, 0, on_menu_key, NULL);
}

GtkWidget *som_library_panel_new(SomStr library) {
    SomLibraryPanel *panel = g_object_new(SOM_TYPE_LIBRARY_PANEL, NULL);
    static const char *const folders[] = {"modules", "configs"};
    panel->worker = som_library_worker_new(library, on_item, panel);
    for (size_t i = 0; library.length > 0 && i < G_N_ELEMENTS(folders); i++) {
        SomText folder = {0};
        som_path_join(&folder, library, som_str(folders[i]));
        read_folder(panel, som_text_str(&folder), false);
        som_text_free(&folder);
    }
    return GTK_WIDGET(panel);
}

void som_library_panel_attach(SomLibraryPanel *panel, SomProject *project, SomPlacing *placing) {
    panel->project = project;
    panel->placing = placing;
    som_project_listen(project, on_change, panel);
    on_change(panel, SOM_PROJECT_FILE);
}
