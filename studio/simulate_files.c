// SPDX-License-Identifier: Apache-2.0
#include "studio/simulate_files.h"

#include "studio/file_dialog.h"
#include "studio/simulate_live.h"
#include "studio/widgets.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

#include <math.h>

#define LOOK 100 // milliseconds from one look at how far it is to the next

// ---- a job in a thread

typedef struct Run {
    SomRecordJob *job;
    SomWindow *window;         // held by the task
    GApplication *application; // held until it is over; NULL: there is none
    GtkWindow *dialog;         // NULL: it is not wanted any more
    GtkProgressBar *bar;
    guint look;
    gulong closed; // handler of the window's end
} Run;

static void free_run(gpointer data) {
    Run *run = data;
    som_record_job_destroy(run->job);
    g_free(run);
}

static void show_failure(Run *run) {
    GtkWidget *dialog = adw_message_dialog_new(GTK_WINDOW(run->window), "That did not work", NULL);
    adw_message_dialog_set_body(ADW_MESSAGE_DIALOG(dialog), run->job->words.length > 0
                                                                ? run->job->words.data
                                                                : "There is nothing to draw");
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "close", "_Close");
    gtk_window_present(GTK_WINDOW(dialog));
}

static void on_finished(GObject *source, GAsyncResult *result, gpointer unused) {
    (void)unused;
    Run *run = g_task_get_task_data(G_TASK(result));
    g_clear_handle_id(&run->look, g_source_remove);
    g_clear_signal_handler(&run->closed, source);
    bool is_wanted = run->dialog != NULL;
    if (is_wanted) {
        gtk_window_destroy(run->dialog);
    }
    if (is_wanted && run->job->is_done) {
        g_autofree char *shown = g_filename_display_name(run->job->out.data);
        g_autofree char *words = g_strdup_printf("Written: %s", shown);
        som_window_tell(run->window, words);
    } else if (is_wanted) {
        show_failure(run);
    }
    if (run->application != NULL) {
        g_application_release(run->application);
        g_object_unref(run->application);
    }
}

static void on_cancel(AdwMessageDialog *dialog, const char *response, Run *run) {
    (void)dialog;
    (void)response;
    run->dialog = NULL;
    som_record_job_cancel(run->job);
}

static void on_closed(GtkWidget *window, Run *run) {
    (void)window;
    if (run->dialog != NULL) {
        gtk_window_destroy(run->dialog);
    }
    run->dialog = NULL;
    som_record_job_cancel(run->job);
}

static gboolean on_look(gpointer data) {
    Run *run = data;
    double fraction = som_record_job_fraction(run->job);
    if (run->dialog != NULL && isfinite(fraction)) {
        gtk_progress_bar_set_fraction(run->bar, fraction);
    } else if (run->dialog != NULL) {
        gtk_progress_bar_pulse(run->bar);
    }
    return G_SOURCE_CONTINUE;
}

static void work(GTask *task, gpointer source, gpointer data, GCancellable *unused) {
    (void)source;
    (void)unused;
    som_record_job_run(((Run *)data)->job);
    g_task_return_boolean(task, TRUE);
}

static void show_dialog(Run *run) {
    GtkWidget *dialog = adw_message_dialog_new(
        GTK_WINDOW(run->window),
        run->job->kind == SOM_JOB_PICTURES ? "Drawing the run…" : "Writing the report…", NULL);
    GtkWidget *bar = gtk_progress_bar_new();
    som_set_accessible_name(bar, "Progress");
    adw_message_dialog_set_extra_child(ADW_MESSAGE_DIALOG(dialog), bar);
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "cancel", "_Cancel");
    g_signal_connect(dialog, "response", G_CALLBACK(on_cancel), run);
    run->bar = GTK_PROGRESS_BAR(bar);
    run->dialog = GTK_WINDOW(dialog);
    gtk_window_present(run->dialog);
}

void som_record_job_start(SomWindow *window, SomRecordJob *job) {
    Run *run = g_new0(Run, 1);
    run->job = job;
    run->window = window;
    if (window->application != NULL) {
        run->application = g_object_ref(G_APPLICATION(window->application));
        g_application_hold(run->application);
    }
    show_dialog(run);
    run->look = g_timeout_add(LOOK, on_look, run);
    run->closed = g_signal_connect(window, "destroy", G_CALLBACK(on_closed), run);
    g_autoptr(GTask) task = g_task_new(window, NULL, on_finished, NULL);
    g_task_set_task_data(task, run, free_run);
    g_task_run_in_thread(task, work);
}

// ---- what is saved

static SomPhysicsRecord *shown_record(SomWindow *window) {
    return som_session_shown_record(som_window_session(window));
}

static void save_as(SomWindow *window, SomRecordJobKind kind, const char *path) {
    SomPhysicsRecord *record = shown_record(window);
    if (record != NULL) { // else another run has begun since it was asked for
        som_record_job_start(window, som_record_job_create(record, kind, som_str(path)));
    }
}

static void save_moving(SomWindow *window, const char *const *paths) {
    g_autofree char *path =
        som_film_is_file(paths[0]) ? g_strdup(paths[0]) : g_strconcat(paths[0], ".png", NULL);
    save_as(window, SOM_JOB_PICTURES, path);
}

// "walkbot_walk": of the design and the behavior.
static char *plain_name(SomWindow *window) {
    const SomPhysicsRecord *record = shown_record(window);
    SomStr config = record->run.design->parts[0].config;
    SomStr behavior = som_text_str(&record->scene->texts.behavior);
    g_autofree char *plain = g_utf8_strdown(config.data, (gssize)config.length);
    g_autofree char *call = som_c_string(behavior);
    call[strcspn(call, "(")] = '\0';
    return g_strdup_printf("%s_%s", plain, call[0] != '\0' ? call : "stands");
}

static void save_numbered(SomWindow *window, const char *const *paths) {
    if (shown_record(window) == NULL) {
        return;
    }
    g_autofree char *name = plain_name(window), *path = g_build_filename(paths[0], name, NULL);
    g_strdelimit(path + strlen(paths[0]), ".", '_'); // what has no ending is a folder
    save_as(window, SOM_JOB_PICTURES, path);
}

static void save_report(SomWindow *window, const char *const *paths) {
    save_as(window, SOM_JOB_REPORT, paths[0]);
}

static void on_pictures(AdwMessageDialog *dialog, const char *response, SomWindow *window) {
    (void)dialog;
    if (shown_record(window) == NULL) {
        return;
    }
    g_autofree char *plain = plain_name(window), *name = g_strconcat(plain, ".png", NULL);
    if (strcmp(response, "moving") == 0) {
        som_file_dialog(window, &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                 .title = "Save the run as a picture that moves",
                                                 .accept = "_Save",
                                                 .kind = "Pictures (.png)",
                                                 .patterns = "*.png *.apng",
                                                 .name = name,
                                                 .take = save_moving});
    } else if (strcmp(response, "numbered") == 0) {
        som_file_dialog(window,
                        &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                         .title = "Where to make the folder with the pictures",
                                         .accept = "_Save",
                                         .take = save_numbered});
    }
}

static void ask_pictures(SomWindow *window) {
    GtkWidget *widget = adw_message_dialog_new(
        GTK_WINDOW(window), "Save pictures of the run",
        "As one picture that moves (an animated PNG, which browsers and many viewers play), or as "
        "a folder of numbered pictures.");
    AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(widget);
    adw_message_dialog_add_responses(dialog, "cancel", "_Cancel", "numbered", "_Folder…", "moving",
                                     "_Moving picture…", NULL);
    adw_message_dialog_set_response_appearance(dialog, "moving", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response(dialog, "moving");
    adw_message_dialog_set_close_response(dialog, "cancel");
    g_signal_connect_object(dialog, "response", G_CALLBACK(on_pictures), window, 0);
    gtk_window_present(GTK_WINDOW(dialog));
}

static void ask_report(SomWindow *window) {
    g_autofree char *plain = plain_name(window), *name = g_strconcat(plain, ".html", NULL);
    som_file_dialog(window, &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                             .title = "Save a report of the run",
                                             .accept = "_Save",
                                             .kind = "Pages (.html)",
                                             .patterns = "*.html",
                                             .name = name,
                                             .take = save_report});
}

// ---- actions

static void run(SomWindow *window) {
    som_window_set_mode(window, SOM_MODE_SIMULATE);
    som_session_start(som_window_session(window));
}

static void stop(SomWindow *window) {
    som_session_stop(som_window_session(window));
}

// A window that has simulated nothing yet has no session, and needs none to know that.
static bool is_running(const SomWindow *window) {
    return window->simulate != NULL &&
           som_session_is_running(som_window_session((SomWindow *)window));
}

static bool has_design(SomWindow *window) {
    return !som_window_shows_start(window) &&
           som_project_model(window->project)->configuration != NULL;
}

static bool can_run(SomWindow *window) {
    return has_design(window) && !is_running(window);
}

static bool can_stop(SomWindow *window) {
    return is_running(window) && !som_session_is_stopping(som_window_session(window));
}

static bool has_pictures(SomWindow *window) {
    const SomPhysicsRecord *record = window->simulate != NULL ? shown_record(window) : NULL;
    return record != NULL && record->film.count > 0;
}

static bool has_comparison(SomWindow *window) {
    const SomPhysicsRecord *record = window->simulate != NULL ? shown_record(window) : NULL;
    return record != NULL && record->report.comparison != NULL;
}

static bool can_open(SomWindow *window) {
    return has_design(window) && som_gazebo_is_there();
}

static const SomWindowAction actions[] = {
    {.name = "design.simulate",
     .words = "Run under physics",
     .keys = "F5",
     .run = run,
     .is_possible = can_run},
    {.name = "design.simulate-stop",
     .words = "Stop the run",
     .keys = "<Shift>F5",
     .run = stop,
     .is_possible = can_stop},
    {.name = "design.open-in-gazebo",
     .words = "Open in Gazebo",
     .keys = "<Control>F5",
     .run = som_gazebo_open,
     .is_possible = can_open},
    {.name = "design.export-for-gazebo",
     .words = "Export for Gazebo…",
     .keys = "<Control><Shift>F5",
     .run = som_gazebo_export,
     .is_possible = has_design},
    {.name = "design.save-run-pictures",
     .words = "Save pictures of the run…",
     .keys = "<Control><Alt>p",
     .run = ask_pictures,
     .is_possible = has_pictures},
    {.name = "design.save-run-report",
     .words = "Save a report of the run…",
     .keys = "<Control><Alt>h",
     .run = ask_report,
     .is_possible = has_comparison},
};
const SomWindowActions som_simulate_actions = {"Simulation", actions, G_N_ELEMENTS(actions)};
