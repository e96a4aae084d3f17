// SPDX-License-Identifier: Apache-2.0
#include "studio/start_page.h"

#include "base/path.h"
#include "studio/library_worker.h"
#include "studio/recovery.h"
#include "studio/widgets.h"
#include "studio/window_internal.h"

#define MOST_RECENT 8
#define PATIENCE 200 // milliseconds before pictures are drawn: the page itself comes first

enum { WALKBOT, SNAKE, CAR, EXAMPLES };

struct _SomStartPage {
    GtkBox parent_instance;
    SomWindow *window;
    GtkWidget *recovered; // box with a group of rows, or hidden
    GtkWidget *column;
    GtkPicture *pictures[EXAMPLES];
    SomLibraryItem *items[EXAMPLES]; // NULL until they are found
    SomLibraryWorker *worker;        // NULL until it is needed
    guint patience;
};

G_DEFINE_FINAL_TYPE(SomStartPage, som_start_page, GTK_TYPE_BOX)

static const char name_key[] = "som-name"; // of a button or row: a design or path

static void set_name(GtkWidget *widget, const char *name) {
    g_object_set_data_full(G_OBJECT(widget), name_key, g_strdup(name), g_free);
}

static void on_named(GtkWidget *widget, SomStartPage *page) {
    som_window_open_beside(page->window, g_object_get_data(G_OBJECT(widget), name_key));
}

static GtkWidget *heading(const char *words) {
    GtkWidget *label = gtk_label_new(words);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "heading");
    gtk_widget_set_margin_top(label, 18);
    return label;
}

// ---- designs to begin with

static const struct {
    const char *name; // of the library's file
    const char *title;
    const char *words;
} examples[EXAMPLES] = {
    [WALKBOT] = {"walkbot", "Walkbot", "18 modules on four legs"},
    [SNAKE] = {"snake", "Snake", "a chain that crawls"},
    [CAR] = {"car", "Car", "modules as wheels"},
};

static void on_drawn(SomLibraryItem *item, GParamSpec *unused, GtkPicture *picture) {
    (void)unused;
    gtk_picture_set_paintable(picture, GDK_PAINTABLE(som_library_item_picture(item)));
}

static void on_item(SomLibraryItem *item, bool is_beside, void *context) {
    (void)is_beside;
    SomStartPage *page = context;
    for (int i = 0; item != NULL && i < EXAMPLES; i++) {
        if (page->items[i] == NULL &&
            strcmp(som_library_item_title(item), examples[i].title) == 0) {
            page->items[i] = g_object_ref(item);
            g_signal_connect_object(item, "notify::picture", G_CALLBACK(on_drawn),
                                    page->pictures[i], 0);
            som_library_worker_draw(page->worker, item);
        }
    }
    g_clear_object(&item);
}

static gboolean on_patience(gpointer data) {
    SomStartPage *page = data;
    SomStr library = som_text_str(&page->window->library);
    page->patience = 0;
    page->worker = som_library_worker_new(library, on_item, page);
    SomText folder = {0};
    som_path_join(&folder, library, SOM_STR("configs"));
    som_library_worker_read(page->worker, som_text_str(&folder), false);
    som_text_free(&folder);
    return G_SOURCE_REMOVE;
}

static GtkWidget *make_tile(SomStartPage *page, int index) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    gtk_widget_set_margin_bottom(box, 12);
    GtkWidget *picture = gtk_picture_new();
    gtk_widget_set_size_request(picture, 144, 144);
    page->pictures[index] = GTK_PICTURE(picture);
    GtkWidget *title = gtk_label_new(examples[index].title);
    gtk_widget_add_css_class(title, "heading");
    GtkWidget *words = gtk_label_new(examples[index].words);
    gtk_widget_add_css_class(words, "dim-label");
    gtk_widget_add_css_class(words, "caption");
    gtk_box_append(GTK_BOX(box), picture);
    gtk_box_append(GTK_BOX(box), title);
    gtk_box_append(GTK_BOX(box), words);
    GtkWidget *button = gtk_button_new();
    gtk_button_set_child(GTK_BUTTON(button), box);
    gtk_widget_add_css_class(button, "card");
    som_set_accessible_name(button, examples[index].title);
    set_name(button, examples[index].name);
    g_signal_connect(button, "clicked", G_CALLBACK(on_named), page);
    return button;
}

static GtkWidget *make_tiles(SomStartPage *page) {
    GtkWidget *flow = gtk_flow_box_new();
    gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(flow), GTK_SELECTION_NONE);
    gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(flow), EXAMPLES);
    gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(flow), 12);
    gtk_flow_box_set_row_spacing(GTK_FLOW_BOX(flow), 12);
    gtk_flow_box_set_homogeneous(GTK_FLOW_BOX(flow), TRUE);
    for (int i = 0; i < EXAMPLES; i++) {
        GtkWidget *child = gtk_flow_box_child_new();
        gtk_widget_set_focusable(child, FALSE); // the button in it is
        gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), make_tile(page, i));
        gtk_flow_box_append(GTK_FLOW_BOX(flow), child);
    }
    return flow;
}

// Who is here for the first time is offered the tour before all else.
static GtkWidget *make_buttons(SomStartPage *page) {
    static const struct {
        const char *words, *action;
    } buttons[] = {{"_New design", "design.new"},
                   {"_Open…", "design.open"},
                   {"Take the _tour", "design.tour"}};
    SomApplication *application = page->window->application;
    bool is_first =
        application != NULL && som_application_remembered(application, "toured", 0) == 0;
    const char *suggested = is_first ? "design.tour" : "design.new";
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    gtk_widget_set_halign(box, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_top(box, 12);
    for (size_t i = 0; i < G_N_ELEMENTS(buttons); i++) {
        GtkWidget *button = gtk_button_new_with_mnemonic(buttons[i].words);
        gtk_actionable_set_action_name(GTK_ACTIONABLE(button), buttons[i].action);
        gtk_widget_add_css_class(button, "pill");
        if (strcmp(buttons[i].action, suggested) == 0) {
            gtk_widget_add_css_class(button, "suggested-action");
        }
        gtk_box_append(GTK_BOX(box), button);
    }
    return box;
}

// ---- files used before

static int compare_times(gconstpointer left, gconstpointer right) {
    GDateTime *a = gtk_recent_info_get_visited((GtkRecentInfo *)left),
              *b = gtk_recent_info_get_visited((GtkRecentInfo *)right);
    return g_date_time_compare(b, a);
}

static GtkWidget *make_recent_row(SomStartPage *page, GtkRecentInfo *info) {
    g_autoptr(GFile) file = g_file_new_for_uri(gtk_recent_info_get_uri(info));
    g_autofree char *path = g_file_get_path(file), *shown = g_filename_display_name(path);
    GtkWidget *row = adw_action_row_new();
    g_autofree char *title = g_markup_escape_text(gtk_recent_info_get_display_name(info), -1);
    g_autofree char *subtitle = g_markup_escape_text(shown, -1);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
    adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 1);
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    set_name(row, path);
    g_signal_connect(row, "activated", G_CALLBACK(on_named), page);
    return row;
}

static bool is_ours(GtkRecentInfo *info) {
    return gtk_recent_info_has_application(info, SOM_RECENT_NAME) &&
           gtk_recent_info_is_local(info) && gtk_recent_info_exists(info);
}

static void add_recent(SomStartPage *page) {
    GList *all = gtk_recent_manager_get_items(gtk_recent_manager_get_default());
    all = g_list_sort(all, compare_times);
    GtkWidget *group = NULL;
    int count = 0;
    for (GList *each = all; each != NULL && count < MOST_RECENT; each = each->next) {
        if (is_ours(each->data)) {
            if (group == NULL) {
                group = adw_preferences_group_new();
                adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), "Recent");
                gtk_widget_set_margin_top(group, 18);
                gtk_box_append(GTK_BOX(page->column), group);
            }
            adw_preferences_group_add(ADW_PREFERENCES_GROUP(group),
                                      make_recent_row(page, each->data));
            count++;
        }
    }
    g_list_free_full(all, (GDestroyNotify)gtk_recent_info_unref);
}

// ---- work that was not saved

void som_start_page_refresh(SomStartPage *page) {
    GtkWidget *old;
    while ((old = gtk_widget_get_first_child(page->recovered)) != NULL) {
        gtk_box_remove(GTK_BOX(page->recovered), old);
    }
    GtkWidget *group = som_recovery_group(page->window);
    gtk_widget_set_visible(page->recovered, group != NULL);
    if (group != NULL) {
        gtk_box_append(GTK_BOX(page->recovered), group);
    }
}

// ---- life

static void dispose(GObject *object) {
    SomStartPage *page = SOM_START_PAGE(object);
    g_clear_handle_id(&page->patience, g_source_remove);
    g_clear_pointer(&page->worker, som_library_worker_free);
    for (int i = 0; i < EXAMPLES; i++) {
        g_clear_object(&page->items[i]);
    }
    G_OBJECT_CLASS(som_start_page_parent_class)->dispose(object);
}

static void som_start_page_class_init(SomStartPageClass *klass) {
    G_OBJECT_CLASS(klass)->dispose = dispose;
}

static void som_start_page_init(SomStartPage *page) {
    page->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
    gtk_widget_set_margin_top(page->column, 24);
    gtk_widget_set_margin_bottom(page->column, 24);
    gtk_widget_set_margin_start(page->column, 12);
    gtk_widget_set_margin_end(page->column, 12);
    GtkWidget *clamp = adw_clamp_new();
    adw_clamp_set_maximum_size(ADW_CLAMP(clamp), 640);
    adw_clamp_set_child(ADW_CLAMP(clamp), page->column);
    GtkWidget *scrolled = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), clamp);
    gtk_widget_set_hexpand(scrolled, TRUE);
    gtk_widget_set_vexpand(scrolled, TRUE);
    gtk_box_append(GTK_BOX(page), scrolled);
}

GtkWidget *som_start_page_new(SomWindow *window) {
    SomStartPage *page = g_object_new(SOM_TYPE_START_PAGE, NULL);
    page->window = window;
    page->recovered = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(page->column), page->recovered);
    GtkWidget *title = gtk_label_new("Build a modular robot");
    gtk_widget_add_css_class(title, "title-1");
    gtk_box_append(GTK_BOX(page->column), title);
    GtkWidget *words = gtk_label_new("Put designs of the library together, see whether they stand, "
                                     "and give them behaviors.");
    gtk_label_set_wrap(GTK_LABEL(words), TRUE);
    gtk_label_set_justify(GTK_LABEL(words), GTK_JUSTIFY_CENTER);
    gtk_box_append(GTK_BOX(page->column), words);
    gtk_box_append(GTK_BOX(page->column), make_buttons(page));
    gtk_box_append(GTK_BOX(page->column), heading("Or look at one that is finished"));
    gtk_box_append(GTK_BOX(page->column), make_tiles(page));
    add_recent(page);
    som_start_page_refresh(page);
    page->patience = g_timeout_add(PATIENCE, on_patience, page);
    return GTK_WIDGET(page);
}
