// SPDX-License-Identifier: Apache-2.0
#include "studio/track_chooser.h"

#include "studio/timeline_internal.h"
#include "studio/widgets.h"

// ---- a track of the list

#define SOM_TYPE_TRACK_ITEM (som_track_item_get_type())
G_DECLARE_FINAL_TYPE(SomTrackItem, som_track_item, SOM, TRACK_ITEM, GObject)

struct _SomTrackItem {
    GObject parent_instance;
    int track;
    char *title, *group;
    char *key; // what is searched in
};

G_DEFINE_FINAL_TYPE(SomTrackItem, som_track_item, G_TYPE_OBJECT)

static void item_finalize(GObject *object) {
    SomTrackItem *item = SOM_TRACK_ITEM(object);
    g_free(item->title);
    g_free(item->group);
    g_free(item->key);
    G_OBJECT_CLASS(som_track_item_parent_class)->finalize(object);
}

static void som_track_item_class_init(SomTrackItemClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = item_finalize;
}

static void som_track_item_init(SomTrackItem *item) {
    (void)item;
}

static SomTrackItem *item_new(const SomTimelineTrack *track, int index) {
    SomTrackItem *item = g_object_new(SOM_TYPE_TRACK_ITEM, NULL);
    item->track = index;
    item->title = som_c_string(track->title);
    item->group = som_c_string(track->group);
    g_autofree char *both = g_strdup_printf("%s %s", item->group, item->title);
    item->key = g_utf8_casefold(both, -1);
    return item;
}

// ---- the button and its list

typedef struct Chooser {
    SomTimeline *timeline;
    GListStore *items;
    GtkCustomFilter *filter;
    GtkWidget *search, *list, *none;
    char **words; // that are searched for
} Chooser;

static const char chooser_key[] = "som-track-chooser"; // of the button: its Chooser

static Chooser *chooser_of(GtkWidget *button) {
    return g_object_get_data(G_OBJECT(button), chooser_key);
}

static void chooser_free(gpointer data) {
    Chooser *chooser = data;
    g_object_unref(chooser->items);
    g_strfreev(chooser->words);
    g_free(chooser);
}

// All words are in its name, in any order.
static gboolean is_wanted(gpointer item, gpointer data) {
    const Chooser *chooser = data;
    bool is_found = true;
    for (int i = 0; chooser->words != NULL && chooser->words[i] != NULL; i++) {
        is_found = is_found && strstr(SOM_TRACK_ITEM(item)->key, chooser->words[i]) != NULL;
    }
    return is_found;
}

static void on_search(GtkEditable *search, Chooser *chooser) {
    g_autofree char *key = g_utf8_casefold(gtk_editable_get_text(search), -1);
    g_strfreev(chooser->words);
    chooser->words = g_strsplit(key, " ", -1);
    gtk_filter_changed(GTK_FILTER(chooser->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static void on_toggled(GtkCheckButton *check, GtkListItem *row) {
    Chooser *chooser = g_object_get_data(G_OBJECT(check), chooser_key);
    const SomTrackItem *item = gtk_list_item_get_item(row);
    som_timeline_show_track(chooser->timeline, item->track, gtk_check_button_get_active(check));
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *row, Chooser *chooser) {
    (void)factory;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *check = gtk_check_button_new_with_label(""), *group = gtk_label_new("");
    gtk_widget_set_hexpand(check, TRUE);
    gtk_widget_add_css_class(group, "dim-label");
    gtk_widget_add_css_class(group, "caption");
    gtk_box_append(GTK_BOX(box), check);
    gtk_box_append(GTK_BOX(box), group);
    g_object_set_data(G_OBJECT(check), chooser_key, chooser);
    g_signal_connect(check, "toggled", G_CALLBACK(on_toggled), row);
    gtk_list_item_set_child(row, box);
    gtk_list_item_set_activatable(row, FALSE);
    gtk_list_item_set_selectable(row, FALSE);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *row, Chooser *chooser) {
    (void)factory;
    const SomTrackItem *item = gtk_list_item_get_item(row);
    GtkWidget *check = gtk_widget_get_first_child(gtk_list_item_get_child(row));
    g_signal_handlers_block_matched(check, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, row);
    gtk_check_button_set_label(GTK_CHECK_BUTTON(check), item->title);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(check),
                                som_timeline_shows_track(chooser->timeline, item->track));
    g_signal_handlers_unblock_matched(check, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, row);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(check)), item->group);
}

// Rows are bound anew, and so show what is shown.
static void refresh(Chooser *chooser) {
    guint count = g_list_model_get_n_items(G_LIST_MODEL(chooser->items));
    g_list_model_items_changed(G_LIST_MODEL(chooser->items), 0, count, count);
}

static void on_clear(Chooser *chooser) {
    while (chooser->timeline->shown.count > 0) {
        som_timeline_show_track(chooser->timeline, chooser->timeline->shown.data[0].track, false);
    }
    refresh(chooser);
}

static void on_shown(GtkWidget *popover, Chooser *chooser) {
    (void)popover;
    refresh(chooser);
    gtk_widget_grab_focus(chooser->search);
}

static void show_count(GListModel *found, GParamSpec *spec, Chooser *chooser) {
    (void)spec;
    bool is_any = g_list_model_get_n_items(found) > 0;
    gtk_widget_set_visible(chooser->none, !is_any);
    gtk_widget_set_visible(chooser->list, is_any);
}

// ---- life

static GtkWidget *list_of(Chooser *chooser) {
    chooser->filter = gtk_custom_filter_new(is_wanted, chooser, NULL);
    GtkFilterListModel *found = gtk_filter_list_model_new(
        G_LIST_MODEL(g_object_ref(chooser->items)), GTK_FILTER(chooser->filter));
    g_signal_connect(found, "notify::n-items", G_CALLBACK(show_count), chooser);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(on_setup), chooser);
    g_signal_connect(factory, "bind", G_CALLBACK(on_bind), chooser);
    GtkWidget *list =
        gtk_list_view_new(GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(found))), factory);
    som_set_accessible_name(list, "What can be plotted");
    chooser->list = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(chooser->list), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(chooser->list), list);
    gtk_widget_set_size_request(chooser->list, 300, 280);
    return chooser->list;
}

static GtkWidget *popover_of(Chooser *chooser) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *popover = gtk_popover_new();
    chooser->search = gtk_search_entry_new();
    som_set_accessible_name(chooser->search, "Search what can be plotted");
    g_signal_connect(chooser->search, "search-changed", G_CALLBACK(on_search), chooser);
    chooser->none = gtk_label_new("Nothing is called so");
    gtk_widget_add_css_class(chooser->none, "dim-label");
    gtk_widget_set_size_request(chooser->none, 300, 280);
    GtkWidget *clear = gtk_button_new_with_label("Plot nothing");
    gtk_widget_add_css_class(clear, "flat");
    g_signal_connect_swapped(clear, "clicked", G_CALLBACK(on_clear), chooser);
    gtk_box_append(GTK_BOX(box), chooser->search);
    gtk_box_append(GTK_BOX(box), list_of(chooser));
    gtk_box_append(GTK_BOX(box), chooser->none);
    gtk_box_append(GTK_BOX(box), clear);
    gtk_widget_set_visible(chooser->none, FALSE);
    gtk_popover_set_child(GTK_POPOVER(popover), box);
    g_signal_connect(popover, "show", G_CALLBACK(on_shown), chooser);
    return popover;
}

GtkWidget *som_track_chooser_new(SomTimeline *timeline) {
    GtkWidget *button = gtk_menu_button_new();
    Chooser *chooser = g_new0(Chooser, 1);
    chooser->timeline = timeline;
    chooser->items = g_list_store_new(SOM_TYPE_TRACK_ITEM);
    g_object_set_data_full(G_OBJECT(button), chooser_key, chooser, chooser_free);
    gtk_menu_button_set_label(GTK_MENU_BUTTON(button), "Plots");
    gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover_of(chooser));
    gtk_menu_button_set_always_show_arrow(GTK_MENU_BUTTON(button), TRUE);
    gtk_widget_add_css_class(button, "flat");
    gtk_widget_set_halign(button, GTK_ALIGN_START);
    gtk_widget_set_valign(button, GTK_ALIGN_START);
    gtk_widget_set_tooltip_text(button, "What is plotted over time");
    som_set_accessible_name(button, "What is plotted over time");
    return button;
}

static bool has_tracks(const Chooser *chooser, const SomTimelineData *data) {
    GListModel *items = G_LIST_MODEL(chooser->items);
    bool is_same = g_list_model_get_n_items(items) == (guint)data->track_count;
    for (int i = 0; i < data->track_count && is_same; i++) {
        g_autoptr(SomTrackItem) item = g_list_model_get_item(items, (guint)i);
        is_same = som_str_equal(som_str(item->title), data->tracks[i].title) &&
                  som_str_equal(som_str(item->group), data->tracks[i].group);
    }
    return is_same;
}

// Data that are set again and again, of the same tracks, do not disturb who chooses.
void som_track_chooser_set(GtkWidget *button, SomTimeline *timeline) {
    Chooser *chooser = chooser_of(button);
    const SomTimelineData *data = &timeline->model->data;
    gtk_widget_set_visible(button, data->track_count > 0);
    if (has_tracks(chooser, data)) {
        return;
    }
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_object_unref);
    for (int i = 0; i < data->track_count; i++) {
        g_ptr_array_add(items, item_new(&data->tracks[i], i));
    }
    g_list_store_splice(chooser->items, 0, g_list_model_get_n_items(G_LIST_MODEL(chooser->items)),
                        items->pdata, items->len);
}
