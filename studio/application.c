// SPDX-License-Identifier: Apache-2.0
#include "studio/application.h"

#include "base/file.h"
#include "studio/window.h"

#define GROUP "Window" // of the file of what is remembered

struct _SomApplication {
    AdwApplication parent_instance;
    SomDrafts *drafts;
    SomArena arena; // of what was recovered
    SomDiagnostics *diags;
    SOM_ARRAY(SomDraft) recovered;
    GKeyFile *memory;
    bool has_news; // `memory` differs from its file
    bool has_looked;
    bool exits_after_startup;
    bool has_failed;
};

G_DEFINE_FINAL_TYPE(SomApplication, som_application, ADW_TYPE_APPLICATION)

bool som_application_has_failed(SomApplication *application) {
    return application->has_failed;
}

// ---- what is remembered

static char *memory_path(void) {
    return g_build_filename(g_get_user_config_dir(), "somite", "studio.ini", NULL);
}

static void load_memory(SomApplication *application) {
    g_autofree char *path = memory_path();
    SomDiagnostics *diags = som_diagnostics_create(); // without a file all is as usual
    SomText text = {0};
    application->memory = g_key_file_new();
    if (som_file_load(path, 1 << 20, &text, diags) && text.length > 0) {
        g_key_file_load_from_data(application->memory, text.data, text.length,
                                  G_KEY_FILE_KEEP_COMMENTS, NULL);
    }
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}

static void save_memory(SomApplication *application) {
    if (!application->has_news) {
        return;
    }
    g_autofree char *path = memory_path(), *folder = g_path_get_dirname(path);
    g_autofree char *text = g_key_file_to_data(application->memory, NULL, NULL);
    SomDiagnostics *diags = som_diagnostics_create(); // what can't be remembered is forgotten
    if (som_file_make_private_folder(folder, diags)) {
        som_file_save_private(path, som_str(text), diags);
    }
    som_diagnostics_destroy(diags);
}

int som_application_remembered(SomApplication *application, const char *name, int otherwise) {
    g_autoptr(GError) error = NULL;
    int value = g_key_file_get_integer(application->memory, GROUP, name, &error);
    return error == NULL ? value : otherwise;
}

void som_application_remember(SomApplication *application, const char *name, int value) {
    if (som_application_remembered(application, name, value + 1) != value) {
        g_key_file_set_integer(application->memory, GROUP, name, value);
        application->has_news = true;
    }
}

// ---- unsaved work

static void start_drafts(SomApplication *application) {
    g_autofree char *folder = g_build_filename(g_get_user_state_dir(), "somite", "drafts", NULL);
    application->diags = som_diagnostics_create();
    application->drafts = som_drafts_create(som_str(folder), application->diags);
    const SomDraft *found;
    int count =
        application->drafts != NULL
            ? som_drafts_find(application->drafts, &application->arena, &found, application->diags)
            : 0;
    for (int i = 0; i < count; i++) {
        som_array_push(&application->recovered, found[i]);
    }
}

SomDrafts *som_application_drafts(SomApplication *application) {
    return application->drafts;
}

const SomDraft *som_application_recovered(SomApplication *application, int *count) {
    *count = application->recovered.count;
    return application->recovered.data;
}

void som_application_forget(SomApplication *application, const SomDraft *draft) {
    int at = (int)(draft - application->recovered.data);
    som_drafts_forget(application->drafts, draft->file);
    application->recovered.count--;
    for (int i = at; i < application->recovered.count; i++) {
        application->recovered.data[i] = application->recovered.data[i + 1];
    }
}

// ---- windows

// The first frame is drawn, or can not be.
static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
    (void)clock;
    SomApplication *application = data;
    SomWindow *window = SOM_WINDOW(widget);
    GtkGLArea *area = GTK_GL_AREA(som_window_view(window));
    bool is_wrong = gtk_widget_get_mapped(GTK_WIDGET(area)) && gtk_gl_area_get_error(area) != NULL;
    application->has_failed = application->has_failed || is_wrong;
    if (!application->has_failed && !som_window_is_drawn(window)) {
        return G_SOURCE_CONTINUE;
    }
    gtk_window_destroy(GTK_WINDOW(window));
    return G_SOURCE_REMOVE;
}

static void present(SomApplication *application, SomWindow *window) {
    gtk_window_present(GTK_WINDOW(window));
    if (application->exits_after_startup) {
        gtk_widget_add_tick_callback(GTK_WIDGET(window), on_tick, application, NULL);
        return;
    }
    if (!application->has_looked) {
        application->has_looked = true;
        som_window_tell_report(window, application->diags);
        som_window_offer_recovered(window);
    }
}

static void open_design(SomApplication *application, const char *path_or_name) {
    SomWindow *window = som_window_find(path_or_name);
    if (window == NULL) {
        window = som_window_new(GTK_APPLICATION(application));
        if (!som_window_open(window, path_or_name)) {
            application->has_failed = application->exits_after_startup;
            som_window_show_start(window);
        }
    }
    present(application, window);
}

static void activate(GApplication *base) {
    SomApplication *application = SOM_APPLICATION(base);
    GtkWindow *active = gtk_application_get_active_window(GTK_APPLICATION(base));
    if (active != NULL) {
        gtk_window_present(active);
        return;
    }
    SomWindow *window = som_window_new(GTK_APPLICATION(base));
    som_window_show_start(window);
    present(application, window);
}

// A file as the caller sees it, or the name of a design of the library.
static int command_line(GApplication *base, GApplicationCommandLine *line) {
    SomApplication *application = SOM_APPLICATION(base);
    GVariantDict *options = g_application_command_line_get_options_dict(line);
    const char **words = NULL;
    gboolean exits = FALSE;
    g_variant_dict_lookup(options, "exit-after-startup", "b", &exits);
    g_variant_dict_lookup(options, G_OPTION_REMAINING, "^a&ay", &words);
    application->exits_after_startup = exits;
    if (words == NULL) {
        g_application_activate(base);
    }
    for (int i = 0; words != NULL && words[i] != NULL; i++) {
        g_autoptr(GFile) file = g_application_command_line_create_file_for_arg(line, words[i]);
        g_autofree char *path = g_file_get_path(file);
        open_design(application, path != NULL && som_file_exists(path) ? path : words[i]);
    }
    g_free(words);
    return 0;
}

// ---- what the application can be told

static void on_about(GSimpleAction *action, GVariant *parameter, gpointer data) {
    (void)action;
    (void)parameter;
    adw_show_about_window(
        gtk_application_get_active_window(data), "application-name", "Somite", "application-icon",
        "org.somite.Studio", "version", SOM_VERSION, "comments",
        "A studio for modular robots: compose them, see whether they stand, run them in Gazebo.",
        "license-type", GTK_LICENSE_APACHE_2_0, NULL);
}

static const char *const schemes[] = {"system", "light", "dark"};
static const AdwColorScheme scheme_values[] = {
    ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT, ADW_COLOR_SCHEME_FORCE_DARK};

static void on_scheme(GSimpleAction *action, GVariant *value, gpointer data) {
    for (int i = 0; i < (int)G_N_ELEMENTS(schemes); i++) {
        if (strcmp(schemes[i], g_variant_get_string(value, NULL)) == 0) {
            g_simple_action_set_state(action, value);
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme_values[i]);
            som_application_remember(data, "style", i);
        }
    }
}

static void add_actions(SomApplication *application) {
    const GActionEntry entries[] = {
        {"about", on_about, NULL, NULL, NULL, {0}},
        {"style", NULL, "s", "'system'", on_scheme, {0}},
    };
    g_action_map_add_action_entries(G_ACTION_MAP(application), entries, G_N_ELEMENTS(entries),
                                    application);
    int style = som_application_remembered(application, "style", 0);
    if (style > 0 && style < (int)G_N_ELEMENTS(schemes)) {
        g_action_group_change_action_state(G_ACTION_GROUP(application), "style",
                                           g_variant_new_string(schemes[style]));
    }
}

// ---- life

static void startup(GApplication *base) {
    G_APPLICATION_CLASS(som_application_parent_class)->startup(base);
    SomApplication *application = SOM_APPLICATION(base);
    gtk_window_set_default_icon_name("org.somite.Studio");
    load_memory(application);
    start_drafts(application);
    add_actions(application);
}

static void shut_down(GApplication *base) {
    SomApplication *application = SOM_APPLICATION(base);
    save_memory(application);
    g_clear_pointer(&application->drafts, som_drafts_destroy);
    G_APPLICATION_CLASS(som_application_parent_class)->shutdown(base);
}

static void finalize(GObject *object) {
    SomApplication *application = SOM_APPLICATION(object);
    g_clear_pointer(&application->memory, g_key_file_unref);
    som_diagnostics_destroy(application->diags);
    som_array_free(&application->recovered);
    som_arena_free(&application->arena);
    G_OBJECT_CLASS(som_application_parent_class)->finalize(object);
}

static void som_application_class_init(SomApplicationClass *klass) {
    G_OBJECT_CLASS(klass)->finalize = finalize;
    GApplicationClass *application = G_APPLICATION_CLASS(klass);
    application->startup = startup;
    application->shutdown = shut_down;
    application->activate = activate;
    application->command_line = command_line;
}

static void som_application_init(SomApplication *application) {
    const GOptionEntry options[] = {
        {"exit-after-startup", 0, 0, G_OPTION_ARG_NONE, NULL, "leave when the first frame is drawn",
         NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, "designs to open", "FILE…"},
        {0},
    };
    g_application_add_main_option_entries(G_APPLICATION(application), options);
}

SomApplication *som_application_new(bool is_shared) {
    GApplicationFlags flags = G_APPLICATION_HANDLES_COMMAND_LINE;
    return g_object_new(SOM_TYPE_APPLICATION, "application-id", "org.somite.Studio", "flags",
                        is_shared ? flags : flags | G_APPLICATION_NON_UNIQUE, NULL);
}
