// SPDX-License-Identifier: Apache-2.0
#include "compose/library_root.h"
#include "studio/badge.h"
#include "studio/edit_actions.h"
#include "studio/simulate_live.h"
#include "studio/start_page.h"
#include "studio/view_menu.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

G_DEFINE_FINAL_TYPE(SomWindow, som_window, ADW_TYPE_APPLICATION_WINDOW)

SomProject *som_window_project(SomWindow *window) {
    return window->project;
}

SomDesk *som_window_desk(SomWindow *window) {
    return window->desk;
}

SomView *som_window_view(SomWindow *window) {
    return window->view;
}

SomPlacing *som_window_placing(SomWindow *window) {
    return window->placing;
}

void som_window_flush(SomWindow *window) {
    som_source_panel_flush(window->source);
}

// ---- words

void som_window_tell(SomWindow *window, const char *words) {
    g_autofree char *markup = g_markup_escape_text(words, -1);
    adw_toast_overlay_add_toast(window->toasts, adw_toast_new(markup));
}

void som_window_tell_report(SomWindow *window, const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    if (count > 0) {
        g_autofree char *words = som_c_string(all[0].message);
        som_window_tell(window, words);
    }
}

static void show_title(SomWindow *window) {
    if (som_window_shows_start(window)) {
        adw_window_title_set_title(window->title, "Somite");
        adw_window_title_set_subtitle(window->title, "");
        gtk_window_set_title(GTK_WINDOW(window), "Somite");
        return;
    }
    SomStr title = som_project_title(window->project);
    const SomModel *model = som_project_model(window->project);
    SomText words = {0};
    som_text_printf(&words, "%s%.*s", som_project_is_saved(window->project) ? "" : "• ",
                    SOM_STR_ARG(title));
    adw_window_title_set_title(window->title, words.data);
    gtk_window_set_title(GTK_WINDOW(window), words.data);
    som_text_clear(&words);
    if (model->configuration != NULL) {
        int modules = model->configuration->module_count, joints = model->configuration->dof_count;
        som_text_printf(&words, "%.*s: %d module%s, %d joint%s%s",
                        SOM_STR_ARG(model->configuration->parts[0].config), modules,
                        modules == 1 ? "" : "s", joints, joints == 1 ? "" : "s",
                        som_project_is_stale(window->project) ? ", before the errors" : "");
    } else if (som_diagnostics_error_count(som_project_diagnostics(window->project)) > 0) {
        som_text_add(&words, SOM_STR("The text has errors, so there is nothing to show"));
    } else {
        som_text_add(&words, SOM_STR("Drag a design of the library into the view"));
    }
    adw_window_title_set_subtitle(window->title, words.data);
    som_text_free(&words);
}

// ---- what follows a change

static void on_change(void *context, unsigned changes) {
    SomWindow *window = context;
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_FILE)) != 0) {
        show_title(window);
        som_window_files_changed(window, changes);
        som_actions_refresh(window);
    }
    if ((changes & SOM_PROJECT_REFUSAL) != 0) {
        som_window_tell_report(window, som_design_refusal(som_project_design(window->project)));
    }
    if ((changes & SOM_PROJECT_SELECTION) != 0) {
        som_actions_refresh(window);
    }
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        gtk_stack_set_visible_child_name(window->pages, "work");
    }
}

// ---- the steps of undo, and the view

static void undo(SomWindow *window) {
    som_project_undo(window->project);
}

static void redo(SomWindow *window) {
    som_project_redo(window->project);
}

static bool can_undo(SomWindow *window) {
    return som_project_can_undo(window->project);
}

static bool can_redo(SomWindow *window) {
    return som_project_can_redo(window->project);
}

static const SomWindowAction history_actions[] = {
    {.name = "design.undo",
     .words = "Undo",
     .keys = "<Control>z",
     .run = undo,
     .is_possible = can_undo},
    {.name = "design.redo",
     .words = "Redo",
     .keys = "<Control><Shift>z <Control>y",
     .run = redo,
     .is_possible = can_redo},
};
const SomWindowActions som_history_actions = {"Editing", history_actions,
                                              G_N_ELEMENTS(history_actions)};

static void fit(SomWindow *window) {
    som_view_fit(window->view);
}

static void fit_selection(SomWindow *window) {
    som_view_fit_selection(window->view);
}

static const SomWindowAction view_actions[] = {
    {.name = "design.fit", .words = "Show all", .keys = "Home", .run = fit},
    {.name = "view.fit-selection",
     .words = "Show what is selected",
     .keys = "f",
     .run = fit_selection},
    {.name = "view.sides", .words = "Front, right, top, corner", .keys = "1 2 3 4"},
    {.name = "view.other-sides", .words = "Back, left, below", .keys = "5 6 7"},
    {.name = "view.turn", .words = "Turn the view", .keys = "Left Right Up Down"},
    {.name = "view.shift", .words = "Shift the view", .keys = "<Shift>Left <Shift>Right"},
    {.name = "view.zoom", .words = "Nearer and farther", .keys = "plus minus"},
    {.name = "view.perspective", .words = "With or without perspective", .keys = "o"},
    {.name = "view.step", .words = "Select the next or last module", .keys = "Page_Down Page_Up"},
    {.name = "view.balance", .words = "Support, centre of mass", .keys = "s m"},
    {.name = "view.joints", .words = "Signs of joints, axes, frames", .keys = "j a x"},
    {.name = "view.connectors", .words = "Free connectors", .keys = "c"},
    {.name = "view.follow", .words = "Follow motions", .keys = "g"},
};
const SomWindowActions som_view_actions = {"View", view_actions, G_N_ELEMENTS(view_actions)};

// ---- layout

static GtkWidget *make_menu_button(void) {
    static const char *const of_files[] = {"design.new", "design.save-as", NULL};
    static const char *const of_others[] = {"design.import", "design.export", "design.picture",
                                            NULL};
    static const char *const styles[][2] = {
        {"Style of the system", "system"}, {"Light", "light"}, {"Dark", "dark"}};
    static const char *const of_panels[] = {"design.show-library", "design.show-side",
                                            "design.show-findings", NULL};
    static const char *const of_help[] = {"design.tour", "design.shortcuts", NULL};
    static const char *const *const sections[] = {of_files, of_others, of_panels, of_help};
    g_autoptr(GMenu) menu = g_menu_new();
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        g_autoptr(GMenu) section = som_action_menu(sections[i]);
        g_menu_append_section(menu, NULL, G_MENU_MODEL(section));
    }
    g_autoptr(GMenu) style = g_menu_new();
    for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
        g_autofree char *action = g_strconcat("app.style::", styles[i][1], NULL);
        g_menu_append(style, styles[i][0], action);
    }
    g_menu_insert_section(menu, 3, NULL, G_MENU_MODEL(style));
    g_autoptr(GMenu) about = g_menu_new();
    g_menu_append(about, "About Somite", "app.about");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(about));
    GtkWidget *button = gtk_menu_button_new();
    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "open-menu-symbolic");
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
    gtk_menu_button_set_primary(GTK_MENU_BUTTON(button), TRUE);
    gtk_widget_set_tooltip_text(button, "Main menu (F10)");
    som_set_accessible_name(button, "Main menu");
    return button;
}

static gboolean is_work(GBinding *unused, const GValue *page, GValue *is_shown, gpointer data) {
    (void)unused;
    (void)data;
    g_value_set_boolean(is_shown, g_strcmp0(g_value_get_string(page), "start") != 0);
    return TRUE;
}

// A button that the page to begin with has no use for.
static GtkWidget *tool(SomWindow *window, const char *icon, const char *name) {
    GtkWidget *button = som_action_button(icon, name);
    g_object_bind_property_full(window->pages, "visible-child-name", button, "visible",
                                G_BINDING_SYNC_CREATE, is_work, NULL, NULL, NULL);
    return button;
}

static GtkWidget *make_header(SomWindow *window) {
    AdwHeaderBar *bar = ADW_HEADER_BAR(adw_header_bar_new());
    window->title = ADW_WINDOW_TITLE(adw_window_title_new("", ""));
    adw_header_bar_set_title_widget(bar, GTK_WIDGET(window->title));
    adw_header_bar_pack_start(bar, tool(window, "sidebar-show-symbolic", "design.show-library"));
    adw_header_bar_pack_start(bar, som_action_button("document-open-symbolic", "design.open"));
    adw_header_bar_pack_start(bar, tool(window, "edit-undo-symbolic", "design.undo"));
    adw_header_bar_pack_start(bar, tool(window, "edit-redo-symbolic", "design.redo"));
    window->mode_switch = som_window_make_mode_switch(window);
    adw_header_bar_pack_start(bar, window->mode_switch);
    adw_header_bar_pack_end(bar, make_menu_button());
    adw_header_bar_pack_end(bar, tool(window, "sidebar-show-right-symbolic", "design.show-side"));
    adw_header_bar_pack_end(bar, tool(window, "document-save-symbolic", "design.save"));
    return GTK_WIDGET(bar);
}

// The view with what lies over it.
static GtkWidget *make_center(SomWindow *window) {
    window->view = SOM_VIEW(som_view_new(window->project));
    gtk_widget_set_size_request(GTK_WIDGET(window->view), 200, 160);
    GtkWidget *overlay = gtk_overlay_new();
    gtk_overlay_set_child(GTK_OVERLAY(overlay), GTK_WIDGET(window->view));
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), som_view_menu_new(window->view));
    GtkWidget *badge = som_badge_new(window->project);
    window->badge = SOM_BADGE(badge);
    g_signal_connect_swapped(badge, "clicked", G_CALLBACK(som_window_show_findings), window);
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), badge);
    window->placing = som_placing_attach(window->view, window->project);
    gtk_overlay_add_overlay(GTK_OVERLAY(overlay), som_placing_hint(window->placing));
    g_signal_connect_swapped(window->placing, "refused", G_CALLBACK(som_window_tell), window);
    som_edit_menu_attach(window, window->view);
    return overlay;
}

static void on_page(SomWindow *window) {
    if (!gtk_widget_in_destruction(GTK_WIDGET(window))) {
        show_title(window);
        som_window_place_mode_switch(window);
        som_actions_refresh(window);
    }
}

static void lay_out(SomWindow *window) {
    window->pages = GTK_STACK(gtk_stack_new());
    gtk_stack_add_named(window->pages, som_window_make_work(window, make_center(window)), "work");
    window->toasts = ADW_TOAST_OVERLAY(adw_toast_overlay_new());
    adw_toast_overlay_set_child(window->toasts, GTK_WIDGET(window->pages));
    g_signal_connect_swapped(window->pages, "notify::visible-child", G_CALLBACK(on_page), window);
    gtk_widget_set_vexpand(GTK_WIDGET(window->toasts), TRUE);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), make_header(window));
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(window->toasts));
    window->tour = SOM_TOUR(som_tour_new(window));
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(window->tour));
    window->narrow_mode_switch = som_window_make_mode_switch(window);
    gtk_box_append(GTK_BOX(box), window->narrow_mode_switch);
    som_window_place_mode_switch(window);
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 1280, 800);
    gtk_widget_set_size_request(GTK_WIDGET(window), 400, 300);
}

// ---- the page to begin with

void som_window_show_start(SomWindow *window) {
    if (gtk_stack_get_child_by_name(window->pages, "start") == NULL) {
        gtk_stack_add_named(window->pages, som_start_page_new(window), "start");
    }
    gtk_stack_set_visible_child_name(window->pages, "start");
}

bool som_window_shows_start(const SomWindow *window) {
    return strcmp(gtk_stack_get_visible_child_name(window->pages), "start") == 0;
}

bool som_window_is_drawn(SomWindow *window) {
    GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(window));
    bool is_started = clock != NULL && gdk_frame_clock_get_frame_counter(clock) > 1;
    return som_window_shows_start(window) ? is_started : som_view_frames(window->view) > 0;
}

// ---- life

static void remember_size(SomWindow *window) {
    int width, height;
    if (window->application != NULL) {
        gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
        som_application_remember(window->application, "width", width);
        som_application_remember(window->application, "height", height);
        som_application_remember(window->application, "maximized",
                                 gtk_window_is_maximized(GTK_WINDOW(window)));
    }
}

static void restore_size(SomWindow *window) {
    int width = som_application_remembered(window->application, "width", 0);
    int height = som_application_remembered(window->application, "height", 0);
    if (width > 0 && height > 0) {
        gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    }
    if (som_application_remembered(window->application, "maximized", 0) != 0) {
        gtk_window_maximize(GTK_WINDOW(window));
    }
}

static gboolean close_request(GtkWindow *base) {
    SomWindow *window = SOM_WINDOW(base);
    remember_size(window);
    return !som_window_may_close(window) ||
           GTK_WINDOW_CLASS(som_window_parent_class)->close_request(base);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
    GTK_WIDGET_CLASS(som_window_parent_class)->size_allocate(widget, width, height, baseline);
    som_window_allocated(SOM_WINDOW(widget), width);
}

static void dispose(GObject *object) {
    som_window_end_session(SOM_WINDOW(object));
    som_window_files_dispose(SOM_WINDOW(object));
    g_clear_object(&SOM_WINDOW(object)->application);
    G_OBJECT_CLASS(som_window_parent_class)->dispose(object);
}

static gboolean let_go(gpointer data) {
    SomDesk *desk = data;
    SomProject *project = som_desk_project(desk);
    som_desk_destroy(desk);
    som_project_destroy(project);
    return G_SOURCE_REMOVE;
}

// Gestures, and the key that closes the window, hold widgets that know the project: until all that
// happens now is over.
static void finalize(GObject *object) {
    SomWindow *window = SOM_WINDOW(object);
    som_live_check_stop(window->check);
    som_window_free_session(window);
    som_text_free(&window->library);
    g_idle_add(let_go, window->desk);
    G_OBJECT_CLASS(som_window_parent_class)->finalize(object);
}

// Also where there is no application, which would find a file of another name by itself.
static void load_style(void) {
    g_autoptr(GtkCssProvider) style = gtk_css_provider_new();
    gtk_css_provider_load_from_resource(style, "/org/somite/Studio/studio.css");
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void som_window_class_init(SomWindowClass *klass) {
    load_style();
    GObjectClass *object = G_OBJECT_CLASS(klass);
    object->dispose = dispose;
    object->finalize = finalize;
    som_window_install_panels(object);
    GTK_WIDGET_CLASS(klass)->size_allocate = size_allocate;
    GTK_WINDOW_CLASS(klass)->close_request = close_request;
    som_actions_install(GTK_WIDGET_CLASS(klass));
}

static void som_window_init(SomWindow *window) {
    som_library_find(&window->library);
    som_text_add(&window->library, SOM_STR(""));
    window->project = som_project_create(som_text_str(&window->library));
    window->desk = som_desk_create(window->project);
    lay_out(window);
    som_window_files_init(window);
    som_project_listen(window->project, on_change, window);
    window->check = som_live_check_start(window->project);
    on_change(window, SOM_PROJECT_FILE);
}

SomWindow *som_window_new(GtkApplication *application) {
    SomWindow *window = g_object_new(SOM_TYPE_WINDOW, "application", application, NULL);
    if (SOM_IS_APPLICATION(application)) {
        window->application = SOM_APPLICATION(g_object_ref(application));
        restore_size(window);
    }
    return window;
}
