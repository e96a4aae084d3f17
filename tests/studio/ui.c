// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/ui.h"

#include "tests/suite.h"

#define DEADLINE (60 * G_USEC_PER_SEC)   // of one wait: machines are busy and the tests sanitised
#define LOOK_AGAIN 10                    // milliseconds, where no event says that something changed
#define LONG_ENOUGH (G_USEC_PER_SEC / 5) // for what is never still, as a robot that moves

// ---- windows

// All warnings end the test but those of GTK 4.8 about itself: the slider of a scrollbar whose text
// has grown since the layout is drawn right a frame later, a sign in its window of shortcuts has a
// negative margin, and after a drag and drop it has counted one release of a button too many.
static const char *const known_warnings[] = {"snapshot GtkGizmo", "reported min width -",
                                             "Broken accounting of active state"};

static GLogWriterOutput on_log(GLogLevelFlags level, const GLogField *fields, gsize count,
                               gpointer unused) {
    (void)unused;
    bool is_known = level >= G_LOG_LEVEL_DEBUG;
    for (gsize i = 0; i < count; i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(known_warnings); k++) {
            is_known = is_known || (strcmp(fields[i].key, "MESSAGE") == 0 &&
                                    strstr(fields[i].value, known_warnings[k]) != NULL);
        }
    }
    return is_known ? G_LOG_WRITER_HANDLED : g_log_writer_default(level, fields, count, NULL);
}

void som_ui_start(void) {
    int argc = 1;
    char name[] = "somite-studio-test", *words[] = {name, NULL}, **argv = words;
    g_log_set_writer_func(on_log, NULL, NULL);
    som_ui_ignore_quarks();
    gtk_test_init(&argc, &argv, NULL);
    adw_init();
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, "gtk-font-name",
                 "DejaVu Sans 10", NULL);
}

SomWindow *som_ui_window(const char *path_or_name) {
    if (!gtk_is_initialized()) {
        som_ui_start();
    }
    SomWindow *window = som_window_new(NULL);
    if (path_or_name != NULL) {
        ck_assert_msg(som_window_open(window, path_or_name), "%s cannot be opened", path_or_name);
    }
    gtk_window_present(GTK_WINDOW(window));
    SOM_UI_WAIT(som_view_frames(som_window_view(window)) > 0);
    som_ui_settle(window);
    return window;
}

static void on_gone(gpointer is_gone, GObject *unused) {
    (void)unused;
    *(bool *)is_gone = true;
}

void som_ui_close(SomWindow *window) {
    bool is_gone = false;
    g_object_weak_ref(G_OBJECT(window), on_gone, &is_gone);
    gtk_window_destroy(GTK_WINDOW(window));
    SOM_UI_WAIT(is_gone);
}

// ---- waiting

int64_t som_ui_deadline(void) {
    return g_get_monotonic_time() + DEADLINE;
}

static gboolean on_wake(gpointer has_woken) {
    *(bool *)has_woken = true;
    return G_SOURCE_REMOVE;
}

// What is on screen when a test gives up.
static void save_all_windows(void) {
    g_autoptr(GList) windows = gtk_window_list_toplevels();
    int number = 0;
    for (GList *each = windows; each != NULL; each = each->next) {
        if (gtk_widget_get_mapped(each->data)) {
            g_autofree char *path =
                g_strdup_printf("%s/late-%d-%d.png", SOM_BUILD, (int)getpid(), number++);
            som_ui_save_picture(each->data, path);
            g_printerr("# what was on screen: %s\n", path);
        }
    }
}

void som_ui_step(int64_t deadline, const char *condition, const char *file, int line) {
    if (g_get_monotonic_time() > deadline) {
        save_all_windows();
        ck_abort_msg("%s:%d: waited in vain for: %s", file, line, condition);
    }
    bool has_woken = false;
    guint wake = g_timeout_add(LOOK_AGAIN, on_wake, &has_woken);
    g_main_context_iteration(NULL, TRUE);
    if (!has_woken) { // one timer at a time: many of them would keep the processor busy
        g_source_remove(wake);
    }
}

static void on_painted(GdkFrameClock *clock, int *count) {
    (void)clock;
    (*count)++;
}

void som_ui_settle(void *widget) {
    int64_t end = g_get_monotonic_time() + LONG_ENOUGH;
    while (g_main_context_iteration(NULL, FALSE) && g_get_monotonic_time() < end) {
    }
    GdkFrameClock *clock = gtk_widget_get_frame_clock(widget);
    if (clock == NULL) { // its window was closed by what it was told
        return;
    }
    g_object_ref(clock);
    int painted = 0;
    gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(on_painted), &painted);
    gdk_frame_clock_begin_updating(clock);
    SOM_UI_WAIT(painted >= 2);
    gdk_frame_clock_end_updating(clock);
    g_signal_handler_disconnect(clock, handler);
    g_object_unref(clock);
}

// ---- looking

static bool is_of_type(GtkWidget *widget, const char *type) {
    return type == NULL || strcmp(G_OBJECT_TYPE_NAME(widget), type) == 0 ||
           strcmp(gtk_widget_get_css_name(widget), type) == 0;
}

static const char *const properties[] = {
    "label", "title", "subtitle", "tooltip-text", "placeholder-text", "text"};

// What a property of text holds; NULL if there is none such.
static char *words_of(GtkWidget *widget, const char *property) {
    GParamSpec *spec = g_object_class_find_property(G_OBJECT_GET_CLASS(widget), property);
    char *words = NULL;
    if (spec != NULL && spec->value_type == G_TYPE_STRING &&
        (spec->flags & G_PARAM_READABLE) != 0) {
        g_object_get(widget, property, &words, NULL);
    }
    return words;
}

// "_Save" is what the screen shows as "Save".
static bool reads(const char *words, const char *name) {
    g_auto(GStrv) pieces = g_strsplit(words, "_", -1);
    g_autofree char *without_marks = g_strjoinv("", pieces);
    return strcmp(words, name) == 0 || strcmp(without_marks, name) == 0;
}

static bool is_called(GtkWidget *widget, const char *name) {
    if (name == NULL) {
        return true;
    }
    g_autofree char *other = gtk_test_accessible_check_property(
        GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name);
    bool is_equal = other == NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(properties) && !is_equal; i++) {
        g_autofree char *words = words_of(widget, properties[i]);
        is_equal = words != NULL && reads(words, name);
    }
    return is_equal;
}

typedef bool (*Test)(GtkWidget *widget, const void *context);

// Counts widgets on screen that pass, up to `limit`; the last one counted is `*found`.
static int walk(GtkWidget *widget, Test passes, const void *context, int limit, GtkWidget **found) {
    if (!gtk_widget_get_mapped(widget)) {
        return 0;
    }
    int count = 0;
    if (passes(widget, context)) {
        *found = widget;
        count++;
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && count < limit;
         child = gtk_widget_get_next_sibling(child)) {
        count += walk(child, passes, context, limit - count, found);
    }
    return count;
}

typedef struct Wanted {
    const char *type, *name;
} Wanted;

static bool is_wanted(GtkWidget *widget, const void *context) {
    const Wanted *wanted = context;
    return is_of_type(widget, wanted->type) && is_called(widget, wanted->name);
}

GtkWidget *som_ui_look_for(void *root, const char *type, const char *name) {
    GtkWidget *found = NULL;
    walk(root, is_wanted, &(Wanted){type, name}, 1, &found);
    return found;
}

GtkWidget *som_ui_find(void *root, const char *type, const char *name) {
    GtkWidget *found = som_ui_look_for(root, type, name);
    if (found == NULL) {
        save_all_windows();
        ck_abort_msg("there is no %s called '%s' on screen", type != NULL ? type : "widget",
                     name != NULL ? name : "(any)");
    }
    return found;
}

int som_ui_count(void *root, const char *type, const char *name) {
    GtkWidget *last;
    return walk(root, is_wanted, &(Wanted){type, name}, G_MAXINT, &last);
}

static bool says(GtkWidget *widget, const void *words) {
    bool is_said = false;
    for (size_t i = 0; i < G_N_ELEMENTS(properties) && !is_said; i++) {
        g_autofree char *own = words_of(widget, properties[i]);
        is_said = own != NULL && strstr(own, words) != NULL;
    }
    return is_said;
}

bool som_ui_says(void *root, const char *words) {
    GtkWidget *found;
    return walk(root, says, words, 1, &found) > 0;
}

GtkWindow *som_ui_top(void) {
    g_autoptr(GList) windows = gtk_window_list_toplevels();
    GtkWindow *top = NULL;
    for (GList *each = windows; each != NULL; each = each->next) {
        if (gtk_widget_get_mapped(each->data) &&
            (top == NULL || gtk_window_get_transient_for(each->data) == top)) {
            top = each->data;
        }
    }
    ck_assert_msg(top != NULL, "there is no window");
    return top;
}

// ---- leaks

// Libraries stay open to the end of the program: in a report of leaks one that was closed has no
// name that leaks.txt could hold.
int dlclose(void *handle);

int dlclose(void *handle) {
    (void)handle;
    return 0;
}
