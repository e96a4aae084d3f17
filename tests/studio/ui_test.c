// Tests for tests/studio/ui.c: the events that the stories are made of do arrive.

// SPDX-License-Identifier: Apache-2.0

#include "tests/studio/ui.h"
#include "tests/studio/ui_stall.h"
#include "tests/suite.h"

// A window of plain GTK, so that what fails here is not the studio.
static GtkWidget *plain_window(GtkWidget *child) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), 400, 300);
    gtk_window_set_child(GTK_WINDOW(window), child);
    gtk_window_present(GTK_WINDOW(window));
    SOM_UI_WAIT(gtk_widget_get_mapped(window));
    som_ui_settle(window);
    return window;
}

static void count(int *number) {
    (*number)++;
}

START_TEST(a_click_presses_a_button_found_by_its_words) {
    som_ui_start();
    int clicks = 0;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_box_append(GTK_BOX(box), gtk_button_new_with_label("Other"));
    gtk_box_append(GTK_BOX(box), gtk_button_new_with_mnemonic("_Press me"));
    GtkWidget *window = plain_window(box);
    GtkWidget *button = som_ui_find(window, "GtkButton", "Press me");
    ck_assert_ptr_eq(button, gtk_widget_get_last_child(box));
    ck_assert_ptr_eq(som_ui_find(window, "button", "Press me"), button);
    ck_assert_ptr_null(som_ui_look_for(window, "GtkButton", "Press"));
    ck_assert_int_eq(som_ui_count(window, "GtkButton", NULL), 2);
    ck_assert(som_ui_says(window, "ress") && !som_ui_says(window, "rest"));
    g_signal_connect_swapped(button, "clicked", G_CALLBACK(count), &clicks);
    som_ui_click(button);
    ck_assert_int_eq(clicks, 1);
    gtk_widget_set_visible(button, FALSE);
    ck_assert_ptr_null(som_ui_look_for(window, "GtkButton", "Press me"));
    gtk_window_destroy(GTK_WINDOW(window));
}
END_TEST

static void put_another(GtkWidget *button, GtkWidget *box) {
    gtk_box_remove(GTK_BOX(box), button);
    GtkWidget *other = gtk_button_new_with_label("Other");
    gtk_widget_set_margin_top(other, 150);
    gtk_box_append(GTK_BOX(box), other);
}

START_TEST(what_stands_in_the_place_of_what_was_clicked_can_be_clicked) {
    som_ui_start();
    int clicks = 0;
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *button = gtk_button_new_with_label("Press me");
    g_signal_connect(button, "clicked", G_CALLBACK(put_another), box);
    gtk_box_append(GTK_BOX(box), button);
    GtkWidget *window = plain_window(box);
    som_ui_click(button);
    button = som_ui_find(window, "GtkButton", "Other");
    ck_assert_int_gt(gtk_widget_get_width(button), 0);
    g_signal_connect_swapped(button, "clicked", G_CALLBACK(count), &clicks);
    som_ui_click(button);
    ck_assert_int_eq(clicks, 1);
    gtk_window_destroy(GTK_WINDOW(window));
}
END_TEST

START_TEST(typed_text_and_keys_arrive) {
    som_ui_start();
    GtkWidget *entry = gtk_entry_new();
    GtkWidget *window = plain_window(entry);
    som_ui_click(entry);
    som_ui_type(entry, "part a_1 : SMORES # {\"[90deg]\"} <>|\\~^`");
    const char *typed = gtk_editable_get_text(GTK_EDITABLE(entry));
    ck_assert_str_eq(typed, "part a_1 : SMORES # {\"[90deg]\"} <>|\\~^`");
    som_ui_key(entry, "<Control>a");
    som_ui_key(entry, "BackSpace");
    ck_assert_str_eq(gtk_editable_get_text(GTK_EDITABLE(entry)), "");
    gtk_window_destroy(GTK_WINDOW(window));
}
END_TEST

static void on_double(GtkGestureClick *gesture, int presses, double x, double y, int *most) {
    (void)gesture;
    (void)x;
    (void)y;
    *most = presses;
}

static gboolean on_wheel(GtkEventControllerScroll *wheel, double dx, double dy, double *sum) {
    (void)wheel;
    (void)dx;
    *sum += dy;
    return TRUE;
}

static void on_dragged(GtkGestureDrag *gesture, double x, double y, double *at) {
    (void)gesture;
    at[0] = x;
    at[1] = y;
}

START_TEST(drags_double_clicks_and_the_wheel_arrive) {
    som_ui_start();
    GtkWidget *area = gtk_drawing_area_new();
    int most = 0;
    double sum = 0, at[2] = {0};
    GtkGesture *click = gtk_gesture_click_new(), *drag = gtk_gesture_drag_new();
    GtkEventController *wheel =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    g_signal_connect(click, "pressed", G_CALLBACK(on_double), &most);
    g_signal_connect(wheel, "scroll", G_CALLBACK(on_wheel), &sum);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_dragged), at);
    gtk_widget_add_controller(area, GTK_EVENT_CONTROLLER(click));
    gtk_widget_add_controller(area, GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(area, wheel);
    GtkWidget *window = plain_window(area);
    som_ui_double_click(area);
    ck_assert_int_eq(most, 2);
    som_ui_scroll(area, 3);
    ck_assert_double_eq(sum, 3);
    som_ui_scroll(area, -5);
    ck_assert_double_eq(sum, -2);
    som_ui_drag(area, 20, 30, 220, 130, 1);
    ck_assert_double_eq_tol(at[0], 200, 1e-3);
    ck_assert_double_eq_tol(at[1], 100, 1e-3);
    gtk_window_destroy(GTK_WINDOW(window));
}
END_TEST

static GdkContentProvider *on_prepare(GtkDragSource *source, double x, double y, gpointer unused) {
    (void)source;
    (void)x;
    (void)y;
    (void)unused;
    return gdk_content_provider_new_typed(G_TYPE_INT, 42);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y,
                        double *at) {
    (void)target;
    at[0] = x;
    at[1] = y;
    at[2] = g_value_get_int(value);
    return TRUE;
}

START_TEST(what_is_carried_is_dropped) {
    som_ui_start();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *from = gtk_label_new("from"), *to = gtk_drawing_area_new();
    gtk_box_append(GTK_BOX(box), from);
    gtk_box_append(GTK_BOX(box), to);
    gtk_widget_set_hexpand(to, TRUE);
    GtkDragSource *source = gtk_drag_source_new();
    g_signal_connect(source, "prepare", G_CALLBACK(on_prepare), NULL);
    gtk_widget_add_controller(from, GTK_EVENT_CONTROLLER(source));
    double at[3] = {0};
    GtkDropTarget *target = gtk_drop_target_new(G_TYPE_INT, GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(on_drop), at);
    gtk_widget_add_controller(to, GTK_EVENT_CONTROLLER(target));
    GtkWidget *window = plain_window(box);
    som_ui_carry(from, to, 90, 50);
    ck_assert_double_eq(at[2], 0);
    som_ui_move(to, 100, 60);
    som_ui_release(to, 1);
    SOM_UI_WAIT(at[2] == 42);
    ck_assert_double_eq_tol(at[0], 100, 1);
    ck_assert_double_eq_tol(at[1], 60, 1);
    gtk_window_destroy(GTK_WINDOW(window));
}
END_TEST

static SomImage picture_of(const char *text) {
    SomWindow *window = som_ui_window(NULL);
    som_project_set_text(som_window_project(window), som_str(text));
    som_view_fit(som_window_view(window));
    som_ui_settle(window);
    SomImage image = som_ui_grab(som_window_view(window));
    som_ui_close(window);
    return image;
}

#define THREE "use \"smores.m3l\"\nconfig A { part a, b, c : SMORES; connect a.B to b.T\n"

// Two drawings of one scene are alike, also if another Mesa draws the edges otherwise; a robot that
// is put together otherwise is another picture.
START_TEST(pictures_differ_where_robots_do) {
    som_ui_start();
    SomImage one = picture_of(THREE "connect b.B to c.T }"),
             same = picture_of(THREE "connect b.B to c.T }");
    SomImage turned = picture_of(THREE "connect b.B to c.T at 90deg }");
    SomImage moved = picture_of(THREE "connect b.L to c.T }");
    ck_assert(som_ui_is_alike(&one, &same, SOM_UI_STRICT));
    ck_assert(!som_ui_is_alike(&one, &turned, SOM_UI_STRICT));
    ck_assert(!som_ui_is_alike(&one, &moved, SOM_UI_LOOSE));
    SomTestRandom random = {1};
    for (int i = 0; i < one.width * one.height / 100; i++) {
        int at = som_test_int(&random, 0, one.width * one.height - 1);
        same.pixels[4 * at] = (uint8_t)som_test_int(&random, 0, 255);
    }
    ck_assert(som_ui_is_alike(&one, &same, SOM_UI_LOOSE));
    ck_assert(!som_ui_is_alike(&one, &same, SOM_UI_STRICT));
    SomImage *all[] = {&one, &same, &turned, &moved};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        som_image_free(all[i]);
    }
}
END_TEST

#define LONG 0.5 // seconds; more than drawing a frame takes

static double work_done(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static gboolean work(gpointer unused) {
    (void)unused;
    double end = work_done() + LONG;
    while (work_done() < end) {
    }
    return G_SOURCE_REMOVE;
}

static gboolean wait(gpointer unused) {
    (void)unused;
    g_usleep((gulong)(LONG * G_USEC_PER_SEC));
    return G_SOURCE_REMOVE;
}

static double stall_of(SomWindow *window, GSourceFunc function) {
    SomStall *stall = som_stall_watch(window);
    if (function != NULL) {
        g_idle_add_full(G_PRIORITY_DEFAULT, function, NULL, NULL);
    }
    som_ui_settle(window);
    return som_stall_end(stall);
}

START_TEST(a_main_loop_that_works_or_waits_is_noticed) {
    SomWindow *window = som_ui_window(NULL);
    som_ui_settle(window);
    ck_assert_double_lt(stall_of(window, NULL), LONG * 0.9);
    ck_assert_double_ge(stall_of(window, work), LONG * 0.9);
    if (g_file_test("/proc/thread-self/schedstat", G_FILE_TEST_EXISTS)) { // else only work is seen
        ck_assert_double_ge(stall_of(window, wait), LONG * 0.9);
    }
    som_ui_close(window);
}
END_TEST

SOM_SUITE("studio/ui", a_click_presses_a_button_found_by_its_words,
          what_stands_in_the_place_of_what_was_clicked_can_be_clicked, typed_text_and_keys_arrive,
          drags_double_clicks_and_the_wheel_arrive, what_is_carried_is_dropped,
          pictures_differ_where_robots_do, a_main_loop_that_works_or_waits_is_noticed)
