// SPDX-License-Identifier: Apache-2.0
// The project of a window and its file: new, open, save, close, drafts of what is not saved.
#include "base/file.h"
#include "base/path.h"
#include "studio/ask.h"
#include "studio/file_dialog.h"
#include "studio/window_actions.h"
#include "studio/window_internal.h"

#define TYPING 400 // milliseconds after which what is being typed is kept in a draft
// In dialogs of files.
#define DESIGNS "Designs and modules (.som, .m3l)"
#define PATTERNS "*.som *.m3l"

// ---- files that were used

static void note_recent(SomWindow *window) {
    SomStr path = som_project_path(window->project);
    if (path.length == 0 || window->application == NULL) {
        return;
    }
    g_autoptr(GFile) file = g_file_new_for_path(path.data);
    g_autofree char *uri = g_file_get_uri(file);
    char type[] = "application/x-somite-design", name[] = SOM_RECENT_NAME,
         line[] = "somite-studio %u";
    GtkRecentData data = {.mime_type = type, .app_name = name, .app_exec = line};
    gtk_recent_manager_add_full(gtk_recent_manager_get_default(), uri, &data);
}

// ---- opening

// The file a path names, as no other path names it.
static char *full_path(const char *path) {
    return som_file_exists(path) ? g_canonicalize_filename(path, NULL) : g_strdup(path);
}

// In the window, and for who has started the studio in a terminal.
static void tell_why_not(SomWindow *window, const char *path, const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    SomStr reason = count > 0 ? all[0].message : SOM_STR("it could not be opened");
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *words = g_strdup_printf("%s: %.*s", name, SOM_STR_ARG(reason));
    g_printerr("somite studio: %s\n", words);
    som_window_tell(window, words);
}

bool som_window_open(SomWindow *window, const char *path_or_name) {
    SomDiagnostics *diags = som_diagnostics_create();
    g_autofree char *path = full_path(path_or_name);
    bool is_open = som_project_open(window->project, som_str(path), diags);
    if (is_open) {
        som_view_fit(window->view); // what is wrong in it is told by the panel of findings
        som_window_watch(window);
        note_recent(window);
    } else {
        tell_why_not(window, path, diags);
    }
    som_diagnostics_destroy(diags);
    return is_open;
}

SomWindow *som_window_find(const char *path) {
    GListModel *windows = gtk_window_get_toplevels();
    g_autofree char *full = full_path(path);
    g_autoptr(GFile) file = g_file_new_for_path(full);
    for (guint i = 0; i < g_list_model_get_n_items(windows); i++) {
        g_autoptr(GtkWidget) window = g_list_model_get_item(windows, i);
        SomStr other = {0};
        if (SOM_IS_WINDOW(window)) {
            other = som_project_path(SOM_WINDOW(window)->project);
        }
        if (other.length > 0) {
            g_autoptr(GFile) shown = g_file_new_for_path(other.data);
            if (g_file_equal(file, shown)) {
                return SOM_WINDOW(window);
            }
        }
    }
    return NULL;
}

static bool is_untouched(const SomWindow *window) {
    return som_project_path(window->project).length == 0 &&
           som_project_text(window->project).length == 0 &&
           !som_project_can_undo(window->project) && !som_project_can_redo(window->project);
}

// This window, if nothing was done in it yet, or a new one.
static SomWindow *window_beside(SomWindow *window) {
    return is_untouched(window) ? window
                                : som_window_new(gtk_window_get_application(GTK_WINDOW(window)));
}

SomWindow *som_window_open_beside(SomWindow *window, const char *path_or_name) {
    SomWindow *other = som_window_find(path_or_name);
    bool is_open = other != NULL;
    if (!is_open) {
        other = window_beside(window);
        is_open = som_window_open(other, path_or_name);
        if (!is_open && other != window) {
            som_window_show_start(other);
        }
    }
    gtk_window_present(GTK_WINDOW(other));
    return is_open ? other : NULL;
}

SomWindow *som_window_begin_beside(SomWindow *window, SomStr path, SomStr saved, SomStr text) {
    SomText file = {0};
    som_text_add(&file, path);
    bool is_there = path.length > 0 && som_file_exists(file.data);
    SomWindow *other = window_beside(window);
    som_project_begin(other->project, is_there ? path : SOM_STR(""), is_there ? saved : SOM_STR(""),
                      text);
    som_window_watch(other);
    som_window_look_soon(other);
    som_view_fit(other->view);
    som_text_free(&file);
    gtk_window_present(GTK_WINDOW(other));
    return other;
}

// ---- saving

static void save_now(SomWindow *window) {
    SomDiagnostics *diags = som_diagnostics_create();
    bool is_saved = som_project_save(window->project, som_text_str(&window->target), diags);
    window->is_asking = false;
    void (*then)(SomWindow *) = window->then;
    window->then = NULL;
    if (is_saved) {
        som_window_watch(window);
        note_recent(window);
    } else {
        som_window_tell_report(window, diags);
    }
    som_diagnostics_destroy(diags);
    if (is_saved && then != NULL) {
        then(window);
    }
}

static void forget_then(SomWindow *window) {
    window->then = NULL;
    window->is_asking = false;
}

static void ask_to_replace(SomWindow *window, const char *heading, const char *body) {
    static const SomReply answers[] = {{"_Cancel", forget_then, SOM_REPLY_PLAIN},
                                       {"_Replace", save_now, SOM_REPLY_DESTROYS}};
    window->is_asking = true; // that is question enough
    som_ask(window, heading, body, answers, G_N_ELEMENTS(answers));
}

// Of a text of module types without a file, as a copy of the library's is, ".m3l".
static const char *ending_of(const SomWindow *window) {
    const SomModel *model = som_project_model(window->project);
    SomStr path =
        model->file >= 0 ? som_workspace_file(model->workspace, model->file)->path : SOM_STR("");
    return som_str_equal(som_path_extension(path), SOM_STR(".m3l")) ? ".m3l" : ".som";
}

// Other files are not read as designs.
static bool has_ending(const char *path) {
    SomStr ending = som_path_extension(som_str(path));
    return som_str_equal(ending, SOM_STR(".som")) || som_str_equal(ending, SOM_STR(".m3l"));
}

// A name without an ending gets ours, "robot-1.2", too; who replaces a file unseen is asked.
static void save_to(SomWindow *window, const char *path) {
    bool is_named = has_ending(path);
    som_text_clear(&window->target);
    som_text_add(&window->target, som_str(path));
    som_text_add(&window->target, som_str(is_named ? "" : ending_of(window)));
    const char *target = window->target.data;
    g_autofree char *name = g_path_get_basename(target);
    if (som_window_find(target) == window && som_window_is_overtaken(window)) {
        g_autofree char *heading = g_strdup_printf("“%s” was changed by another program", name);
        ask_to_replace(window, heading,
                       "Saving replaces what the other program has written since it was opened.");
    } else if (!is_named && som_file_exists(target)) {
        g_autofree char *heading = g_strdup_printf("Replace “%s”?", name);
        ask_to_replace(window, heading, "A file of this name is there already.");
    } else {
        save_now(window);
    }
}

static void take_place(SomWindow *window, const char *const *paths) {
    save_to(window, paths[0]);
}

static void save_as(SomWindow *window, void (*then)(SomWindow *)) {
    window->then = then;
    SomStr path = som_project_path(window->project);
    const SomModel *model = som_project_model(window->project);
    SomStr config =
        model->configuration != NULL ? model->configuration->parts[0].config : SOM_STR("untitled");
    g_autofree char *name = g_utf8_strdown(config.data, (gssize)config.length);
    g_autofree char *file = g_strconcat(name, ending_of(window), NULL);
    som_file_dialog(window, &(SomFileDialog){.action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                             .title = "Save the design",
                                             .accept = "_Save",
                                             .kind = DESIGNS,
                                             .patterns = PATTERNS,
                                             .path = path.length > 0 ? path.data : NULL,
                                             .name = path.length > 0 ? NULL : file,
                                             .take = take_place});
}

// A dialog that is left keeps `then`, so each begins with its own.
static void save(SomWindow *window, void (*then)(SomWindow *)) {
    SomStr path = som_project_path(window->project);
    if (path.length > 0) {
        window->then = then;
        save_to(window, path.data);
    } else {
        save_as(window, then);
    }
}

static void save_design(SomWindow *window) {
    save(window, NULL);
}

static void save_design_as(SomWindow *window) {
    save_as(window, NULL);
}

// ---- closing

static void destroy(SomWindow *window) {
    gtk_window_destroy(GTK_WINDOW(window));
}

static void save_and_close(SomWindow *window) {
    save(window, destroy);
}

bool som_window_may_close(SomWindow *window) {
    som_window_flush(window);
    if (som_project_is_saved(window->project)) {
        return true;
    }
    SomStr title = som_project_title(window->project);
    g_autofree char *heading = g_strdup_printf("Save changes to “%.*s”?", SOM_STR_ARG(title));
    static const SomReply answers[] = {{"_Cancel", NULL, SOM_REPLY_PLAIN},
                                       {"_Discard", destroy, SOM_REPLY_DESTROYS},
                                       {"_Save", save_and_close, SOM_REPLY_SUGGESTED}};
    som_ask(window, heading, "What is not saved is lost when the window closes.", answers,
            G_N_ELEMENTS(answers));
    return false;
}

static void close_window(SomWindow *window) {
    gtk_window_close(GTK_WINDOW(window));
}

static void quit(SomWindow *window) {
    (void)window;
    GListModel *windows = gtk_window_get_toplevels();
    for (guint i = g_list_model_get_n_items(windows); i > 0; i--) {
        g_autoptr(GtkWindow) each = g_list_model_get_item(windows, i - 1);
        if (SOM_IS_WINDOW(each)) {
            gtk_window_close(each);
        }
    }
}

// ---- actions

static void new_design(SomWindow *window) {
    SomWindow *other = window_beside(window);
    gtk_stack_set_visible_child_name(other->pages, "work");
    gtk_window_present(GTK_WINDOW(other));
}

static void open_all(SomWindow *window, const char *const *paths) {
    for (int i = 0; paths[i] != NULL; i++) {
        som_window_open_beside(window, paths[i]);
    }
}

static void open_design(SomWindow *window) {
    som_file_dialog(window, &(SomFileDialog){.title = "Open designs",
                                             .accept = "_Open",
                                             .kind = DESIGNS,
                                             .patterns = PATTERNS,
                                             .is_many = true,
                                             .take = open_all});
}

static const SomWindowAction actions[] = {
    {.name = "design.new", .words = "New design", .keys = "<Control>n", .run = new_design},
    {.name = "design.open", .words = "Open…", .keys = "<Control>o", .run = open_design},
    {.name = "design.save", .words = "Save", .keys = "<Control>s", .run = save_design},
    {.name = "design.save-as",
     .words = "Save as…",
     .keys = "<Control><Shift>s",
     .run = save_design_as},
    {.name = "design.close", .words = "Close", .keys = "<Control>w", .run = close_window},
    {.name = "design.quit", .words = "Quit", .keys = "<Control>q", .run = quit},
};
const SomWindowActions som_file_actions = {"Designs", actions, G_N_ELEMENTS(actions)};

// ---- drafts

static SomDrafts *drafts_of(SomWindow *window) {
    return window->application != NULL ? som_application_drafts(window->application) : NULL;
}

static void tell_failure(SomWindow *window, SomDrafts *drafts) {
    SomText words = {0};
    if (som_drafts_has_failed(drafts, &words)) {
        g_autofree char *line =
            g_strdup_printf("Unsaved work is not kept for a crash: %s", words.data);
        som_window_tell(window, line);
    }
    som_text_free(&words);
}

// What is being typed counts, too, though it is composed only when the typing pauses.
static void keep_draft(SomWindow *window) {
    SomDrafts *drafts = drafts_of(window);
    if (drafts == NULL) {
        return;
    }
    if (window->draft < 0) {
        window->draft = som_drafts_open(drafts);
    }
    g_autofree char *typed = som_source_panel_typed(window->source);
    SomStr text = typed != NULL ? som_str(typed) : som_project_text(window->project);
    if (som_str_equal(text, som_project_saved(window->project))) {
        som_drafts_drop(drafts, window->draft);
    } else {
        som_drafts_keep(drafts, window->draft,
                        &(SomDraft){.path = som_project_path(window->project),
                                    .config = som_project_choice(window->project),
                                    .saved = som_project_saved(window->project),
                                    .text = text,
                                    .time = g_get_real_time() / G_USEC_PER_SEC});
    }
    tell_failure(window, drafts);
}

static gboolean on_typing(gpointer data) {
    SOM_WINDOW(data)->typing = 0;
    keep_draft(data);
    return G_SOURCE_REMOVE;
}

static void on_typed(SomWindow *window) {
    if (window->typing == 0) { // not put off by what is typed next
        window->typing = g_timeout_add(TYPING, on_typing, window);
    }
}

void som_window_files_changed(SomWindow *window, unsigned changes) {
    (void)changes;
    keep_draft(window);
}

// ---- files dropped on the window

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y,
                        SomWindow *window) {
    (void)target;
    (void)x;
    (void)y;
    const GSList *files = g_value_get_boxed(value);
    for (; files != NULL; files = files->next) {
        g_autofree char *path = g_file_get_path(files->data);
        if (path != NULL) {
            som_window_open_beside(window, path);
        }
    }
    return TRUE;
}

// ---- life

void som_window_files_init(SomWindow *window) {
    window->draft = -1;
    GtkDropTarget *target = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(on_drop), window);
    gtk_widget_add_controller(GTK_WIDGET(window->toasts), GTK_EVENT_CONTROLLER(target));
    g_signal_connect_swapped(window->source, "typed", G_CALLBACK(on_typed), window);
    som_window_watch_init(window);
}

void som_window_files_dispose(SomWindow *window) {
    SomDrafts *drafts = drafts_of(window);
    if (drafts != NULL && window->draft >= 0) {
        som_drafts_close(drafts, window->draft);
        window->draft = -1;
    }
    g_clear_handle_id(&window->typing, g_source_remove);
    som_window_unwatch(window);
    som_text_free(&window->target);
    som_text_free(&window->export_format);
    som_text_free(&window->export_behavior);
    som_text_free(&window->export_out);
}
