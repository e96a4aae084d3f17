// SPDX-License-Identifier: Apache-2.0
#include "studio/palette_panel.h"

#include "studio/builder_edit.h"
#include "studio/widgets.h"

struct _SomPalettePanel {
    GtkBox parent_instance;
    SomDesk *desk; // NULL when it listens no more
    GtkSearchEntry *search;
    GListStore *entries;
    GtkSingleSelection *selection;
    GtkListView *view;
    GtkStack *stack;
    GtkPopover *menu;
    guint refresh; // source; 0: none
};

// GTK makes two hundred rows at once, which would be felt: at first they come some at a time.
#define MADE 200
#define AT_ONCE 30
#define TITLE 18 // letters of an action that are seen in any case

G_DEFINE_FINAL_TYPE(SomPalettePanel, som_palette_panel, GTK_TYPE_BOX)

// ---- rows

static const char entry_key[] = "som-entry"; // of a row

static GdkContentProvider *on_prepare(GtkDragSource *source, double x, double y,
                                      SomPalettePanel *panel) {
    (void)x, (void)y, (void)panel;
    GtkWidget *row = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(source));
    SomPaletteEntry *entry = g_object_get_data(G_OBJECT(row), entry_key);
    bool can_drag = entry != NULL && !som_palette_entry_is_heading(entry) &&
                    som_palette_entry_is_possible(entry);
    return can_drag ? gdk_content_provider_new_typed(SOM_TYPE_PALETTE_ENTRY, entry) : NULL;
}

static void on_drag_begin(GtkDragSource *source, GdkDrag *drag, SomPalettePanel *panel) {
    (void)drag, (void)panel;
    GtkWidget *row = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(source));
    g_autoptr(GdkPaintable) live = gtk_widget_paintable_new(row);
    g_autoptr(GdkPaintable) picture = gdk_paintable_get_current_image(live);
    gtk_drag_source_set_icon(source, picture, 12, 12);
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *item, SomPalettePanel *panel) {
    (void)factory;
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
    gtk_box_append(GTK_BOX(row), gtk_image_new());
    GtkWidget *title = gtk_label_new(NULL), *params = gtk_label_new(NULL);
    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign(GTK_LABEL(params), 0);
    gtk_label_set_ellipsize(GTK_LABEL(params), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand(params, TRUE);
    gtk_widget_add_css_class(params, "dim-label");
    gtk_widget_add_css_class(params, "caption");
    gtk_box_append(GTK_BOX(row), title);
    gtk_box_append(GTK_BOX(row), params);
    GtkDragSource *source = gtk_drag_source_new();
    gtk_drag_source_set_actions(source, GDK_ACTION_COPY);
    g_signal_connect(source, "prepare", G_CALLBACK(on_prepare), panel);
    g_signal_connect(source, "drag-begin", G_CALLBACK(on_drag_begin), panel);
    gtk_widget_add_controller(row, GTK_EVENT_CONTROLLER(source));
    gtk_list_item_set_child(item, row);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *item, SomPalettePanel *panel) {
    (void)factory, (void)panel;
    GtkWidget *row = gtk_list_item_get_child(item), *icon = gtk_widget_get_first_child(row);
    GtkWidget *title = gtk_widget_get_next_sibling(icon);
    GtkWidget *params = gtk_widget_get_next_sibling(title);
    SomPaletteEntry *entry = gtk_list_item_get_item(item);
    bool is_heading = som_palette_entry_is_heading(entry);
    g_object_set_data(G_OBJECT(row), entry_key, entry);
    gtk_widget_set_visible(icon, !is_heading);
    gtk_image_set_from_icon_name(GTK_IMAGE(icon), som_palette_entry_icon(entry));
    gtk_label_set_text(GTK_LABEL(title), som_palette_entry_title(entry));
    glong length = g_utf8_strlen(som_palette_entry_title(entry), -1);
    gtk_label_set_width_chars(GTK_LABEL(title), (int)MIN(length, TITLE)); // before its parameters
    gtk_label_set_text(GTK_LABEL(params), som_palette_entry_params(entry));
    if (is_heading) {
        gtk_widget_add_css_class(title, "heading");
    } else {
        gtk_widget_remove_css_class(title, "heading");
    }
    gtk_widget_set_margin_top(row, is_heading ? 8 : 0);
    gtk_widget_set_sensitive(row, is_heading || som_palette_entry_is_possible(entry));
    const char *words = som_palette_entry_words(entry);
    gtk_widget_set_tooltip_text(row, words[0] != '\0' ? words : NULL);
    som_set_accessible_name(row, som_palette_entry_title(entry));
    gtk_list_item_set_selectable(item, !is_heading);
    gtk_list_item_set_activatable(item, !is_heading && som_palette_entry_is_possible(entry));
}

static void on_unbind(GtkListItemFactory *factory, GtkListItem *item, SomPalettePanel *panel) {
    (void)factory, (void)panel;
    g_object_set_data(G_OBJECT(gtk_list_item_get_child(item)), entry_key, NULL);
}

// ---- what is in it

static bool is_searching(const SomPalettePanel *panel) {
    return gtk_editable_get_text(GTK_EDITABLE(panel->search))[0] != '\0';
}

// Entries at both ends that are the same stay, and with them what is seen and selected. Of many new
// ones only some are added: false.
static bool refresh(SomPalettePanel *panel) {
    GListModel *old = G_LIST_MODEL(panel->entries);
    const char *wanted = gtk_editable_get_text(GTK_EDITABLE(panel->search));
    g_autoptr(GPtrArray) now = som_palette_entries(panel->desk, wanted);
    guint was = g_list_model_get_n_items(old), same = 0, tail = 0, least = MIN(was, now->len);
    for (; same < least; same++) {
        g_autoptr(SomPaletteEntry) entry = g_list_model_get_item(old, same);
        if (!som_palette_entry_equal(entry, g_ptr_array_index(now, same))) {
            break;
        }
    }
    for (; tail < least - same; tail++) {
        g_autoptr(SomPaletteEntry) entry = g_list_model_get_item(old, was - 1 - tail);
        if (!som_palette_entry_equal(entry, g_ptr_array_index(now, now->len - 1 - tail))) {
            break;
        }
    }
    guint added = now->len - same - tail, some = MIN(added, same < MADE ? AT_ONCE : added);
    if (was - same - tail > 0 || some > 0) {
        g_list_store_splice(panel->entries, same, was - same - tail,
                            some > 0 ? now->pdata + same : NULL, some);
    }
    gtk_stack_set_visible_child_name(panel->stack, now->len > 0          ? "list"
                                                   : is_searching(panel) ? "none"
                                                                         : "empty");
    return some == added;
}

static gboolean on_idle(gpointer data) {
    SomPalettePanel *panel = data;
    if (!refresh(panel)) {
        return G_SOURCE_CONTINUE;
    }
    panel->refresh = 0;
    return G_SOURCE_REMOVE;
}

static void refresh_soon(SomPalettePanel *panel) {
    if (panel->refresh == 0) {
        // beside drawing, not after it: what plays without a pause would let nothing less through
        panel->refresh = g_idle_add_full(GDK_PRIORITY_REDRAW, on_idle, panel, NULL);
    }
}

static void on_desk(void *context, unsigned changes) {
    if ((changes & (SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR)) != 0) {
        refresh_soon(context);
    }
}

// ---- what is done with it

static SomPaletteEntry *entry_at(SomPalettePanel *panel, guint position) { // borrowed
    g_autoptr(SomPaletteEntry) entry =
        g_list_model_get_item(G_LIST_MODEL(panel->entries), position);
    return entry; // its list holds it
}

static void insert(SomPalettePanel *panel, SomPaletteEntry *entry) {
    if (entry != NULL && !som_palette_entry_is_heading(entry) &&
        som_palette_entry_is_possible(entry)) {
        g_autofree char *text = g_strdup(som_palette_entry_text(entry));
        som_builder_insert(panel->desk, som_str(text));
    }
}

static void on_activated(GtkListView *view, guint position, SomPalettePanel *panel) {
    (void)view;
    insert(panel, entry_at(panel, position));
}

// The first that was found.
static void on_search_activated(GtkSearchEntry *search, SomPalettePanel *panel) {
    (void)search;
    g_clear_handle_id(&panel->refresh, g_source_remove);
    while (!refresh(panel)) {
    }
    if (gtk_editable_get_text(GTK_EDITABLE(panel->search))[0] != '\0') {
        insert(panel, entry_at(panel, 1)); // behind the heading
    }
}

static void on_show(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)name, (void)unused;
    SomPalettePanel *panel = SOM_PALETTE_PANEL(widget);
    SomPaletteEntry *entry = entry_at(panel, gtk_single_selection_get_selected(panel->selection));
    if (entry != NULL && som_palette_entry_is_behavior(entry)) {
        g_autofree char *path = g_strdup(som_palette_entry_title(entry));
        som_desk_choose(panel->desk, som_str(path));
    }
}

static void on_insert(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)name, (void)unused;
    SomPalettePanel *panel = SOM_PALETTE_PANEL(widget);
    insert(panel, entry_at(panel, gtk_single_selection_get_selected(panel->selection)));
}

static void enable_actions(SomPalettePanel *panel) {
    SomPaletteEntry *entry = entry_at(panel, gtk_single_selection_get_selected(panel->selection));
    gtk_widget_action_set_enabled(GTK_WIDGET(panel), "palette.insert",
                                  entry != NULL && som_palette_entry_is_possible(entry));
    gtk_widget_action_set_enabled(GTK_WIDGET(panel), "palette.show",
                                  entry != NULL && som_palette_entry_is_behavior(entry));
}

static void show_menu(SomPalettePanel *panel, double x, double y) {
    gtk_popover_set_pointing_to(panel->menu, &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(panel->menu);
}

// The row under the pointer, found by what is drawn there; NULL: there is none.
static SomPaletteEntry *pick(SomPalettePanel *panel, double x, double y) {
    GtkWidget *widget = gtk_widget_pick(GTK_WIDGET(panel->view), x, y, GTK_PICK_INSENSITIVE);
    for (; widget != NULL && widget != GTK_WIDGET(panel->view);
         widget = gtk_widget_get_parent(widget)) {
        GtkWidget *child = gtk_widget_get_first_child(widget);
        SomPaletteEntry *own = g_object_get_data(G_OBJECT(widget), entry_key);
        SomPaletteEntry *inner =
            child != NULL ? g_object_get_data(G_OBJECT(child), entry_key) : NULL;
        if (own != NULL || inner != NULL) {
            return own != NULL ? own : inner;
        }
    }
    return NULL;
}

static void on_secondary(GtkGestureClick *click, int presses, double x, double y,
                         SomPalettePanel *panel) {
    (void)presses;
    SomPaletteEntry *entry = pick(panel, x, y);
    guint position;
    double own_x, own_y;
    if (entry == NULL || som_palette_entry_is_heading(entry) ||
        !g_list_store_find(panel->entries, entry, &position)) {
        return;
    }
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
    gtk_single_selection_set_selected(panel->selection, position);
    gtk_widget_translate_coordinates(GTK_WIDGET(panel->view), GTK_WIDGET(panel), x, y, &own_x,
                                     &own_y);
    show_menu(panel, own_x, own_y);
}

static gboolean on_menu_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused, (void)data;
    show_menu(SOM_PALETTE_PANEL(widget), 24, 72);
    return TRUE;
}

// ---- life

static void dispose(GObject *object) {
    SomPalettePanel *panel = SOM_PALETTE_PANEL(object);
    if (panel->menu != NULL) {
        gtk_widget_unparent(GTK_WIDGET(g_steal_pointer(&panel->menu)));
    }
    g_clear_handle_id(&panel->refresh, g_source_remove);
    if (panel->desk != NULL) {
        som_desk_unlisten(panel->desk, on_desk, panel);
        panel->desk = NULL;
    }
    if (panel->selection != NULL) {
        g_signal_handlers_disconnect_by_data(panel->selection, panel);
        panel->selection = NULL;
    }
    g_clear_object(&panel->entries);
    G_OBJECT_CLASS(som_palette_panel_parent_class)->dispose(object);
}

static void som_palette_panel_class_init(SomPalettePanelClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    gtk_widget_class_install_action(widget, "palette.insert", NULL, on_insert);
    gtk_widget_class_install_action(widget, "palette.show", NULL, on_show);
    gtk_widget_class_add_binding(widget, GDK_KEY_Menu, 0, on_menu_key, NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu_key, NULL);
    gtk_widget_class_add_binding_action(widget, GDK_KEY_Return, GDK_CONTROL_MASK, "palette.show",
                                        NULL);
}

static GtkWidget *make_list(SomPalettePanel *panel) {
    panel->entries = g_list_store_new(SOM_TYPE_PALETTE_ENTRY);
    panel->selection = gtk_single_selection_new(g_object_ref(G_LIST_MODEL(panel->entries)));
    gtk_single_selection_set_autoselect(panel->selection, FALSE);
    gtk_single_selection_set_can_unselect(panel->selection, TRUE);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), panel);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), panel);
    g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), panel);
    panel->view = GTK_LIST_VIEW(gtk_list_view_new(GTK_SELECTION_MODEL(panel->selection), factory));
    gtk_widget_add_css_class(GTK_WIDGET(panel->view), "navigation-sidebar");
    g_signal_connect_swapped(panel->selection, "notify::selected", G_CALLBACK(enable_actions),
                             panel);
    g_signal_connect(panel->view, "activate", G_CALLBACK(on_activated), panel);
    som_set_accessible_name(panel->view, "Actions to insert");
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
    g_signal_connect(click, "released", G_CALLBACK(on_secondary), panel);
    gtk_widget_add_controller(GTK_WIDGET(panel->view), GTK_EVENT_CONTROLLER(click));
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(panel->view));
    return scrolled;
}

static GtkWidget *make_words(const char *words) {
    GtkWidget *label = gtk_label_new(words);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
    gtk_label_set_width_chars(GTK_LABEL(label), 18);
    gtk_widget_add_css_class(label, "dim-label");
    gtk_widget_set_valign(label, GTK_ALIGN_START);
    gtk_widget_set_margin_top(label, 24);
    return label;
}

static void som_palette_panel_init(SomPalettePanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
    panel->search = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    g_object_set(panel->search, "placeholder-text", "Search actions", "margin-start", 6,
                 "margin-end", 6, "margin-top", 6, "margin-bottom", 6, NULL);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->search),
                                "Enter inserts the first that is found at the selected block");
    som_set_accessible_name(panel->search, "Search actions");
    g_signal_connect_swapped(panel->search, "changed", G_CALLBACK(refresh_soon), panel);
    g_signal_connect(panel->search, "activate", G_CALLBACK(on_search_activated), panel);
    panel->stack = GTK_STACK(gtk_stack_new());
    gtk_widget_set_vexpand(GTK_WIDGET(panel->stack), TRUE);
    gtk_stack_add_named(panel->stack, make_list(panel), "list");
    gtk_stack_add_named(panel->stack, make_words("Nothing is called so"), "none");
    gtk_stack_add_named(
        panel->stack, make_words("What parts can do is listed here as soon as the design has some"),
        "empty");
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->search));
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->stack));
    g_autoptr(GMenu) menu = g_menu_new();
    g_menu_append(menu, "Insert at the selected block", "palette.insert");
    g_menu_append(menu, "Show its blocks", "palette.show");
    panel->menu = GTK_POPOVER(gtk_popover_menu_new_from_model(G_MENU_MODEL(menu)));
    gtk_popover_set_has_arrow(panel->menu, FALSE);
    gtk_widget_set_halign(GTK_WIDGET(panel->menu), GTK_ALIGN_START);
    gtk_widget_set_parent(GTK_WIDGET(panel->menu), GTK_WIDGET(panel));
}

GtkWidget *som_palette_panel_new(SomDesk *desk) {
    SomPalettePanel *panel = g_object_new(SOM_TYPE_PALETTE_PANEL, NULL);
    panel->desk = desk;
    som_desk_listen(desk, on_desk, panel);
    refresh_soon(panel);
    return GTK_WIDGET(panel);
}
