// SPDX-License-Identifier: Apache-2.0
// somite-studio [FILE…] [--exit-after-startup]: what `somite studio` runs.

#include "studio/window.h"

static gboolean exits_after_startup;
static gboolean has_failed;

// The first frame is drawn, or can not be.
static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
    (void)widget;
    (void)clock;
    SomWindow *window = data;
    GtkGLArea *area = GTK_GL_AREA(som_window_view(window));
    has_failed = has_failed || gtk_gl_area_get_error(area) != NULL;
    if (!has_failed && som_view_frames(som_window_view(window)) == 0) {
        return G_SOURCE_CONTINUE;
    }
    gtk_window_destroy(GTK_WINDOW(window));
    return G_SOURCE_REMOVE;
}

static void present(GApplication *application, const char *path) {
    SomWindow *window = som_window_new(GTK_APPLICATION(application));
    if (path != NULL && !som_window_open(window, path)) {
        has_failed = exits_after_startup;
        g_printerr("somite studio: '%s' could not be opened\n", path);
    }
    gtk_window_present(GTK_WINDOW(window));
    if (exits_after_startup) {
        gtk_widget_add_tick_callback(GTK_WIDGET(window), on_tick, window, NULL);
    }
}

static void on_activate(GApplication *application, gpointer unused) {
    (void)unused;
    present(application, NULL);
}

static int on_command_line(GApplication *application, GApplicationCommandLine *line,
                           gpointer unused) {
    (void)unused;
    GVariantDict *options = g_application_command_line_get_options_dict(line);
    const char **words = NULL;
    g_variant_dict_lookup(options, "exit-after-startup", "b", &exits_after_startup);
    g_variant_dict_lookup(options, G_OPTION_REMAINING, "^a&ay", &words);
    if (words == NULL) {
        g_application_activate(application);
    }
    for (int i = 0; words != NULL && words[i] != NULL; i++) {
        present(application, words[i]);
    }
    g_free(words);
    return 0;
}

int main(int argc, char **argv) {
    g_autoptr(AdwApplication) application = adw_application_new(
        "org.somite.Studio", G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
    const GOptionEntry options[] = {
        {"exit-after-startup", 0, 0, G_OPTION_ARG_NONE, NULL, "leave when the first frame is drawn",
         NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, "designs to open", "FILE…"},
        {0},
    };
    g_application_add_main_option_entries(G_APPLICATION(application), options);
    g_signal_connect(application, "activate", G_CALLBACK(on_activate), NULL);
    g_signal_connect(application, "command-line", G_CALLBACK(on_command_line), NULL);
    int status = g_application_run(G_APPLICATION(application), argc, argv);
    return has_failed ? 1 : status;
}
