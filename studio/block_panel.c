// SPDX-License-Identifier: Apache-2.0
#include "studio/block_panel.h"

#include "studio/builder_edit.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"

struct _SomBlockPanel {
    GtkBox parent_instance;
    SomDesk *desk; // NULL when it listens no more
    GtkLabel *title;
    GtkWidget *hint; // of a behavior of a part
    GtkSearchBar *bar;
    GtkSearchEntry *search;
    GtkStack *stack; // "list" and "none"
    SomBlockList *list;
    GtkPopover *menu;
    GtkMenuButton *button; // with the same menu
};

G_DEFINE_FINAL_TYPE(SomBlockPanel, som_block_panel, GTK_TYPE_BOX)

SomBlockList *som_block_panel_list(SomBlockPanel *panel) {
    return panel->list;
}

SomDesk *som_block_panel_desk(SomBlockPanel *panel) {
    return panel->desk;
}

void som_block_panel_focus(SomBlockPanel *panel) {
    if (som_desk_selected(panel->desk) < 0 && som_desk_own(panel->desk) >= 0) {
        int own = som_desk_own(panel->desk);
        som_desk_select(panel->desk, som_desk_blocks(panel->desk)->behaviors.data[own].root);
    }
    som_block_list_focus(panel->list);
}

// ---- what is shown

// Made when there is no behavior.
static GtkWidget *make_none(void) {
    GtkWidget *page = adw_status_page_new();
    adw_status_page_set_title(ADW_STATUS_PAGE(page), "No behavior");
    adw_status_page_set_description(ADW_STATUS_PAGE(page),
                                    "Behaviors say how the robot moves: one action after the "
                                    "other, or several at once.");
    gtk_widget_add_css_class(page, "compact");
    GtkWidget *add = gtk_button_new_with_label("New behavior…");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(add), "design.add-behavior");
    gtk_widget_add_css_class(add, "pill");
    gtk_widget_set_halign(add, GTK_ALIGN_CENTER);
    adw_status_page_set_child(ADW_STATUS_PAGE(page), add);
    return page;
}

static void refresh(SomBlockPanel *panel) {
    int behavior;
    const SomBlocks *blocks = som_desk_shown(panel->desk, &behavior);
    bool is_own = blocks == som_desk_blocks(panel->desk);
    SomText words = {0};
    som_text_add(&words, som_desk_behavior(panel->desk));
    if (behavior >= 0) {
        som_text_add(&words, blocks->behaviors.data[behavior].params);
    }
    gtk_label_set_text(panel->title, som_text_str(&words).data);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->title), words.length > 0 ? words.data : NULL);
    som_text_free(&words);
    gtk_widget_set_visible(panel->hint, !is_own);
    if (behavior < 0 && gtk_stack_get_child_by_name(panel->stack, "none") == NULL) {
        gtk_stack_add_named(panel->stack, make_none(), "none");
    }
    gtk_stack_set_visible_child_name(panel->stack, behavior >= 0 ? "list" : "none");
}

static void on_desk(void *context, unsigned changes) {
    if ((changes & (SOM_DESK_BLOCKS | SOM_DESK_BEHAVIOR)) != 0) {
        refresh(context);
    }
}

// ---- searching

void som_block_panel_search(SomBlockPanel *panel) {
    gtk_search_bar_set_search_mode(panel->bar, TRUE);
    gtk_widget_grab_focus(GTK_WIDGET(panel->search));
    gtk_editable_select_region(GTK_EDITABLE(panel->search), 0, -1);
}

void som_block_panel_find(SomBlockPanel *panel, int way) {
    const char *wanted = gtk_editable_get_text(GTK_EDITABLE(panel->search));
    bool is_found = som_block_list_find(panel->list, wanted, way);
    if (is_found || wanted[0] == '\0') {
        gtk_widget_remove_css_class(GTK_WIDGET(panel->search), "error");
    } else {
        gtk_widget_add_css_class(GTK_WIDGET(panel->search), "error");
    }
}

static void find_next(GtkWidget *widget, SomBlockPanel *panel) {
    (void)widget;
    som_block_panel_find(panel, 1);
}

static void find_last(GtkWidget *widget, SomBlockPanel *panel) {
    (void)widget;
    som_block_panel_find(panel, -1);
}

static void on_searching(GtkSearchBar *bar, GParamSpec *property, SomBlockPanel *panel) {
    (void)property;
    if (!gtk_search_bar_get_search_mode(bar)) {
        som_block_list_focus(panel->list);
    }
}

// ---- the menu

static void show_menu(SomBlockPanel *panel, double x, double y) {
    g_autoptr(GMenuModel) model = som_block_menu(panel);
    gtk_popover_menu_set_menu_model(GTK_POPOVER_MENU(panel->menu), model);
    gtk_popover_set_pointing_to(panel->menu, &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(panel->menu);
}

// Who left it by a key goes on where he was; what an action has taken the focus for keeps it.
static void on_menu_closed(SomBlockPanel *panel) {
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(panel));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus(root) : NULL;
    bool is_lost = focus == NULL || gtk_widget_is_ancestor(focus, GTK_WIDGET(panel->menu));
    if (is_lost && gtk_widget_get_mapped(GTK_WIDGET(panel->list))) {
        som_block_list_focus(panel->list);
    }
}

static SomBlockRow *row_at(SomBlockPanel *panel, double x, double y) {
    GtkWidget *widget = gtk_widget_pick(GTK_WIDGET(panel->list), x, y, GTK_PICK_DEFAULT);
    for (; widget != NULL && widget != GTK_WIDGET(panel->list);
         widget = gtk_widget_get_parent(widget)) {
        GtkWidget *child = gtk_widget_get_first_child(widget);
        if (SOM_IS_BLOCK_ROW(widget) || SOM_IS_BLOCK_ROW(child)) {
            return SOM_BLOCK_ROW(SOM_IS_BLOCK_ROW(widget) ? widget : child);
        }
    }
    return NULL;
}

static void on_secondary(GtkGestureClick *click, int presses, double x, double y,
                         SomBlockPanel *panel) {
    (void)presses;
    SomBlockRow *row = row_at(panel, x, y);
    double own_x, own_y;
    if (row == NULL || som_desk_own(panel->desk) < 0) {
        return;
    }
    gtk_gesture_set_state(GTK_GESTURE(click), GTK_EVENT_SEQUENCE_CLAIMED);
    som_desk_select(panel->desk, som_block_row_block(row));
    som_block_list_focus(panel->list);
    gtk_widget_translate_coordinates(GTK_WIDGET(panel->list), GTK_WIDGET(panel), x, y, &own_x,
                                     &own_y);
    show_menu(panel, own_x, own_y);
}

static gboolean on_menu_key(GtkWidget *widget, GVariant *unused, gpointer data) {
    (void)unused, (void)data;
    SomBlockPanel *panel = SOM_BLOCK_PANEL(widget);
    SomBlockRow *row = som_block_list_row(panel->list, som_desk_selected(panel->desk));
    double x, y;
    if (row == NULL || !gtk_widget_translate_coordinates(GTK_WIDGET(row), widget, 40, 20, &x, &y)) {
        return FALSE;
    }
    show_menu(panel, x, y);
    return TRUE;
}

static void on_open(GtkMenuButton *button, gpointer data) {
    g_autoptr(GMenuModel) model = som_block_menu(data);
    gtk_menu_button_set_menu_model(button, model);
}

// ---- life

static void on_use(GtkButton *button, SomBlockPanel *panel) {
    (void)button;
    som_builder_add_call(panel->desk);
}

static GtkWidget *make_hint(SomBlockPanel *panel) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *label = gtk_label_new("A behavior of a part: it can be seen and played here. "
                                     "Edit it in the part, or run it in a behavior of the whole.");
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_widget_add_css_class(label, "dim-label");
    gtk_widget_add_css_class(label, "caption");
    GtkWidget *use = gtk_button_new_with_label("Run it in a new one");
    gtk_widget_set_valign(use, GTK_ALIGN_CENTER);
    g_signal_connect(use, "clicked", G_CALLBACK(on_use), panel);
    gtk_box_append(GTK_BOX(box), label);
    gtk_box_append(GTK_BOX(box), use);
    g_object_set(box, "margin-start", 12, "margin-end", 6, "margin-bottom", 6, NULL);
    return box;
}

static GtkWidget *make_head(SomBlockPanel *panel) {
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
    panel->title = GTK_LABEL(gtk_label_new(NULL));
    gtk_label_set_xalign(panel->title, 0);
    gtk_label_set_ellipsize(panel->title, PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand(GTK_WIDGET(panel->title), TRUE);
    gtk_widget_add_css_class(GTK_WIDGET(panel->title), "heading");
    gtk_box_append(GTK_BOX(head), GTK_WIDGET(panel->title));
    static const char *const buttons[][2] = {{"media-record-symbolic", "design.record"},
                                             {"mark-location-symbolic", "design.record-pose"},
                                             {"system-search-symbolic", "block.search"}};
    for (size_t i = 0; i < G_N_ELEMENTS(buttons); i++) {
        GtkWidget *button = som_action_button(buttons[i][0], buttons[i][1]);
        gtk_widget_add_css_class(button, "flat");
        gtk_box_append(GTK_BOX(head), button);
    }
    panel->button = GTK_MENU_BUTTON(gtk_menu_button_new());
    gtk_menu_button_set_icon_name(panel->button, "view-more-symbolic");
    gtk_menu_button_set_has_frame(panel->button, FALSE);
    gtk_menu_button_set_create_popup_func(panel->button, on_open, panel, NULL);
    gtk_widget_set_tooltip_text(GTK_WIDGET(panel->button), "What can be done with the block");
    som_set_accessible_name(panel->button, "What can be done with the block");
    gtk_box_append(GTK_BOX(head), GTK_WIDGET(panel->button));
    g_object_set(head, "margin-start", 12, "margin-end", 6, "margin-bottom", 6, NULL);
    return head;
}

static GtkWidget *make_bar(SomBlockPanel *panel) {
    panel->search = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    g_object_set(panel->search, "placeholder-text", "Search blocks", NULL);
    som_set_accessible_name(panel->search, "Search blocks");
    g_signal_connect(panel->search, "activate", G_CALLBACK(find_next), panel);
    g_signal_connect(panel->search, "next-match", G_CALLBACK(find_next), panel);
    g_signal_connect(panel->search, "previous-match", G_CALLBACK(find_last), panel);
    panel->bar = GTK_SEARCH_BAR(gtk_search_bar_new());
    gtk_search_bar_set_child(panel->bar, GTK_WIDGET(panel->search));
    gtk_search_bar_connect_entry(panel->bar, GTK_EDITABLE(panel->search));
    g_signal_connect(panel->bar, "notify::search-mode-enabled", G_CALLBACK(on_searching), panel);
    return GTK_WIDGET(panel->bar);
}

static void dispose(GObject *object) {
    SomBlockPanel *panel = SOM_BLOCK_PANEL(object);
    if (panel->menu != NULL) {
        gtk_widget_unparent(GTK_WIDGET(g_steal_pointer(&panel->menu)));
    }
    if (panel->desk != NULL) {
        som_desk_unlisten(panel->desk, on_desk, panel);
        g_signal_handlers_disconnect_by_data(panel->bar, panel);
        panel->desk = NULL;
    }
    G_OBJECT_CLASS(som_block_panel_parent_class)->dispose(object);
}

static void som_block_panel_class_init(SomBlockPanelClass *klass) {
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    G_OBJECT_CLASS(klass)->dispose = dispose;
    som_block_actions_install(widget);
    gtk_widget_class_add_binding(widget, GDK_KEY_Menu, 0, on_menu_key, NULL);
    gtk_widget_class_add_binding(widget, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu_key, NULL);
}

static void som_block_panel_init(SomBlockPanel *panel) {
    gtk_orientable_set_orientation(GTK_ORIENTABLE(panel), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *som_block_panel_new(SomDesk *desk) {
    SomBlockPanel *panel = g_object_new(SOM_TYPE_BLOCK_PANEL, NULL);
    panel->desk = desk;
    gtk_box_append(GTK_BOX(panel), make_head(panel));
    panel->hint = make_hint(panel);
    gtk_box_append(GTK_BOX(panel), panel->hint);
    gtk_box_append(GTK_BOX(panel), make_bar(panel));
    panel->list = SOM_BLOCK_LIST(som_block_list_new(desk));
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
    gtk_event_controller_set_propagation_phase(GTK_EVENT_CONTROLLER(click), GTK_PHASE_CAPTURE);
    g_signal_connect(click, "released", G_CALLBACK(on_secondary), panel);
    gtk_widget_add_controller(GTK_WIDGET(panel->list), GTK_EVENT_CONTROLLER(click));
    panel->stack = GTK_STACK(gtk_stack_new());
    gtk_widget_set_vexpand(GTK_WIDGET(panel->stack), TRUE);
    gtk_stack_add_named(panel->stack, GTK_WIDGET(panel->list), "list");
    gtk_box_append(GTK_BOX(panel), GTK_WIDGET(panel->stack));
    panel->menu = GTK_POPOVER(gtk_popover_menu_new_from_model(NULL));
    gtk_popover_set_has_arrow(panel->menu, FALSE);
    gtk_widget_set_halign(GTK_WIDGET(panel->menu), GTK_ALIGN_START);
    gtk_widget_set_parent(GTK_WIDGET(panel->menu), GTK_WIDGET(panel));
    g_signal_connect_swapped(panel->menu, "closed", G_CALLBACK(on_menu_closed), panel);
    som_desk_listen(desk, on_desk, panel);
    refresh(panel);
    return GTK_WIDGET(panel);
}
