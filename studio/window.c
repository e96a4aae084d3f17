// SPDX-License-Identifier: Apache-2.0
#include "studio/window.h"

#include "compose/library_root.h"
#include "studio/library_panel.h"

struct _SomWindow {
    AdwApplicationWindow parent_instance;
    SomProject *project;
    SomView *view;
    SomSourcePanel *source;
    SomFindingsPanel *findings;
    AdwWindowTitle *title;
    AdwToastOverlay *toasts;
};

G_DEFINE_FINAL_TYPE(SomWindow, som_window, ADW_TYPE_APPLICATION_WINDOW)

SomProject *som_window_project(SomWindow *window) {
    return window->project;
}

SomView *som_window_view(SomWindow *window) {
    return window->view;
}

// ---- what follows a change

static void show_title(SomWindow *window) {
    SomStr title = som_project_title(window->project);
    const SomModel *model = som_project_model(window->project);
    SomText words = {0};
    som_text_printf(&words, "%s%.*s", som_project_is_saved(window->project) ? "" : "• ",
                    SOM_STR_ARG(title));
    adw_window_title_set_title(window->title, words.data);
    gtk_window_set_title(GTK_WINDOW(window), words.data);
    som_text_clear(&words);
    if (model->configuration != NULL) {
        som_text_printf(&words, "%.*s: %d modules, %d joints%s",
                        SOM_STR_ARG(model->configuration->parts[0].config),
                        model->configuration->module_count, model->configuration->dof_count,
                        som_project_is_stale(window->project) ? ", before the errors" : "");
    } else {
        som_text_add(&words, SOM_STR("Choose a design of the library to begin with"));
    }
    adw_window_title_set_subtitle(window->title, words.data);
    som_text_free(&words);
}

static void toast(SomWindow *window, const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    if (count > 0) {
        g_autofree char *words = g_strndup(all[0].message.data, all[0].message.length);
        g_autofree char *markup = g_markup_escape_text(words, -1);
        adw_toast_overlay_add_toast(window->toasts, adw_toast_new(markup));
    }
}

// Shows what was reported, if anything was.
static void tell(SomWindow *window, SomDiagnostics *diags) {
    toast(window, diags);
    som_diagnostics_destroy(diags);
}

static void on_change(void *context, unsigned changes) {
    SomWindow *window = context;
    show_title(window);
    gtk_widget_action_set_enabled(GTK_WIDGET(window), "design.undo",
                                  som_project_can_undo(window->project));
    gtk_widget_action_set_enabled(GTK_WIDGET(window), "design.redo",
                                  som_project_can_redo(window->project));
    if ((changes & SOM_PROJECT_REFUSAL) != 0) {
        toast(window, som_design_refusal(som_project_design(window->project)));
    }
    if ((changes & SOM_PROJECT_SELECTION) != 0) {
        som_view_select(window->view, som_project_selected(window->project));
    }
    if ((changes & SOM_PROJECT_TEXT) != 0) {
        som_source_panel_refresh(window->source);
        som_findings_panel_refresh(window->findings);
    }
    if ((changes & (SOM_PROJECT_TEXT | SOM_PROJECT_POSTURE)) != 0) {
        som_view_refresh(window->view);
    }
}

static void on_picked(SomView *view, int module, SomWindow *window) {
    (void)view;
    som_project_select(window->project, module);
}

static void on_finding(SomFindingsPanel *panel, guint offset, SomWindow *window) {
    (void)panel;
    som_source_panel_go_to(window->source, offset);
}

// ---- files

bool som_window_open(SomWindow *window, const char *path_or_name) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool opened = som_project_open(window->project, som_str(path_or_name), diags);
    if (opened) {
        som_diagnostics_destroy(diags); // the panel of findings tells what is wrong in it
        som_view_fit(window->view);
    } else {
        tell(window, diags);
    }
    return opened;
}

static void save_to(SomWindow *window, SomStr path) {
    SomDiagnostics *diags = som_diagnostics_create();
    som_project_save(window->project, path, diags);
    tell(window, diags);
}

static void on_save_response(GtkNativeDialog *dialog, int response, SomWindow *window) {
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        g_autofree char *path = g_file_get_path(file);
        save_to(window, som_str(path));
    }
    g_object_unref(dialog);
}

static void on_open_response(GtkNativeDialog *dialog, int response, SomWindow *window) {
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        g_autofree char *path = g_file_get_path(file);
        som_window_open(window, path);
    }
    g_object_unref(dialog);
}

static void ask_for_file(SomWindow *window, GtkFileChooserAction action, const char *title,
                         const char *accept, GCallback response) {
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new(title, GTK_WINDOW(window), action, accept, "_Cancel");
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, "Designs (.som)");
    gtk_file_filter_add_pattern(filter, "*.som");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    g_object_unref(filter);
    g_signal_connect(dialog, "response", response, window);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

// ---- actions

static void on_action(GtkWidget *widget, const char *name, GVariant *unused) {
    (void)unused;
    SomWindow *window = SOM_WINDOW(widget);
    som_source_panel_flush(window->source);
    if (strcmp(name, "design.undo") == 0) {
        som_project_undo(window->project);
    } else if (strcmp(name, "design.redo") == 0) {
        som_project_redo(window->project);
    } else if (strcmp(name, "design.open") == 0) {
        ask_for_file(window, GTK_FILE_CHOOSER_ACTION_OPEN, "Open a design", "_Open",
                     G_CALLBACK(on_open_response));
    } else if (strcmp(name, "design.save") == 0 && som_project_path(window->project).length > 0) {
        save_to(window, som_project_path(window->project));
    } else { // save, the first time, and save as
        ask_for_file(window, GTK_FILE_CHOOSER_ACTION_SAVE, "Save the design", "_Save",
                     G_CALLBACK(on_save_response));
    }
}

typedef struct Action {
    const char *name;
    guint key;
    GdkModifierType modifiers;
} Action;

static const Action actions[] = {
    {"design.open", GDK_KEY_o, GDK_CONTROL_MASK},
    {"design.save", GDK_KEY_s, GDK_CONTROL_MASK},
    {"design.save-as", GDK_KEY_s, GDK_CONTROL_MASK | GDK_SHIFT_MASK},
    {"design.undo", GDK_KEY_z, GDK_CONTROL_MASK},
    {"design.redo", GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK},
};

// ---- layout

static GtkWidget *button(const char *icon, const char *words, const char *action) {
    GtkWidget *widget = gtk_button_new_from_icon_name(icon);
    gtk_widget_set_tooltip_text(widget, words);
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                   -1);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(widget), action);
    return widget;
}

static GtkWidget *make_header(SomWindow *window) {
    GtkWidget *header = adw_header_bar_new();
    window->title = ADW_WINDOW_TITLE(adw_window_title_new("", ""));
    adw_header_bar_set_title_widget(ADW_HEADER_BAR(header), GTK_WIDGET(window->title));
    AdwHeaderBar *bar = ADW_HEADER_BAR(header);
    adw_header_bar_pack_start(bar, button("document-open-symbolic", "Open", "design.open"));
    adw_header_bar_pack_start(bar, button("document-save-symbolic", "Save", "design.save"));
    adw_header_bar_pack_start(bar, button("edit-undo-symbolic", "Undo", "design.undo"));
    adw_header_bar_pack_start(bar, button("edit-redo-symbolic", "Redo", "design.redo"));
    return header;
}

static GtkWidget *paned(GtkOrientation orientation, GtkWidget *start, GtkWidget *end, int position,
                        bool start_keeps_its_size) {
    GtkWidget *widget = gtk_paned_new(orientation);
    gtk_paned_set_start_child(GTK_PANED(widget), start);
    gtk_paned_set_end_child(GTK_PANED(widget), end);
    gtk_paned_set_shrink_start_child(GTK_PANED(widget), FALSE);
    gtk_paned_set_shrink_end_child(GTK_PANED(widget), FALSE);
    gtk_paned_set_resize_start_child(GTK_PANED(widget), !start_keeps_its_size);
    gtk_paned_set_resize_end_child(GTK_PANED(widget), start_keeps_its_size);
    gtk_paned_set_position(GTK_PANED(widget), position);
    return widget;
}

static void on_design(SomWindow *window, const char *name) {
    som_window_open(window, name);
}

// ---- life

static void finalize(GObject *object) {
    som_project_destroy(SOM_WINDOW(object)->project);
    G_OBJECT_CLASS(som_window_parent_class)->finalize(object);
}

static void som_window_class_init(SomWindowClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
    GtkWidgetClass *widget = GTK_WIDGET_CLASS(klass);
    for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
        gtk_widget_class_install_action(widget, actions[i].name, NULL, on_action);
        gtk_widget_class_add_binding_action(widget, actions[i].key, actions[i].modifiers,
                                            actions[i].name, NULL);
    }
}

static void som_window_init(SomWindow *window) {
    SomText library = {0};
    som_library_find(&library);
    som_text_add(&library, SOM_STR(""));
    window->project = som_project_create(som_text_str(&library));
    window->view = SOM_VIEW(som_view_new(window->project));
    window->source = SOM_SOURCE_PANEL(som_source_panel_new(window->project));
    window->findings = SOM_FINDINGS_PANEL(som_findings_panel_new(window->project));
    GtkWidget *designs = som_library_panel_new(som_text_str(&library));
    som_text_free(&library);

    gtk_widget_set_size_request(designs, 180, -1);
    gtk_widget_set_size_request(GTK_WIDGET(window->view), 320, 240);
    gtk_widget_set_size_request(GTK_WIDGET(window->source), 240, 120);
    gtk_widget_set_size_request(GTK_WIDGET(window->findings), -1, 80);
    GtkWidget *work = paned(GTK_ORIENTATION_HORIZONTAL, GTK_WIDGET(window->view),
                            GTK_WIDGET(window->source), 720, false);
    GtkWidget *upper = paned(GTK_ORIENTATION_HORIZONTAL, designs, work, 190, true);
    GtkWidget *all =
        paned(GTK_ORIENTATION_VERTICAL, upper, GTK_WIDGET(window->findings), 620, false);
    window->toasts = ADW_TOAST_OVERLAY(adw_toast_overlay_new());
    adw_toast_overlay_set_child(window->toasts, all);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), make_header(window));
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(window->toasts));
    gtk_widget_set_vexpand(GTK_WIDGET(window->toasts), TRUE);
    adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), 1280, 800);

    g_signal_connect(window->view, "picked", G_CALLBACK(on_picked), window);
    g_signal_connect(window->findings, "chosen", G_CALLBACK(on_finding), window);
    g_signal_connect_swapped(designs, "chosen", G_CALLBACK(on_design), window);
    som_project_listen(window->project, on_change, window);
    on_change(window, SOM_PROJECT_FILE);
}

SomWindow *som_window_new(GtkApplication *application) {
    return g_object_new(SOM_TYPE_WINDOW, "application", application, NULL);
}
