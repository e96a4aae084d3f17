// Anyone presses anything: pointer and keys at random places of the window. Nothing crashes, warns
// or leaks; what is there can be saved and opened again, and the way back ends at the first text.

// SPDX-License-Identifier: Apache-2.0

#include "tests/compose/texts.h"
#include "tests/studio/story.h"

// Without those of dialogs of files, which lose memory.
static const char *const keys[] = {"Tab",         "<Shift>Tab",
                                   "Return",      "Escape",
                                   "Escape",      "Delete",
                                   "BackSpace",   "space",
                                   "Left",        "Right",
                                   "Up",          "Down",
                                   "Home",        "End",
                                   "Page_Down",   "Page_Up",
                                   "F2",          "F9",
                                   "<Shift>F9",   "<Control>F9",
                                   "<Shift>F10",  "F10",
                                   "<Control>z",  "<Control>z",
                                   "<Control>y",  "<Control><Shift>z",
                                   "<Control>a",  "<Control>c",
                                   "<Control>v",  "<Control>x",
                                   "<Control>d",  "<Control>m",
                                   "<Control>f",  "<Control>e",

                                   "<Control>r",  "0",
                                   "1",           "3",
                                   "plus",        "minus",
                                   "f",           "o",
                                   "q",           "e",
                                   "bracketleft", "bracketright",
                                   "a",           "braceright",
                                   "numbersign",  "g",
                                   "m",           "Menu"};

static const char *const parts[] = {"Chain3", "SMORES", "Chain6", "Snake"};

typedef struct Hand {
    SomWindow *window;
    SomTestRandom random;
} Hand;

static int choose(Hand *hand, int n) {
    return som_test_int(&hand->random, 0, n - 1);
}

// Somewhere below the header, whose buttons close the window.
static void somewhere(Hand *hand, double *x, double *y) {
    int width = gtk_widget_get_width(GTK_WIDGET(hand->window));
    int height = gtk_widget_get_height(GTK_WIDGET(hand->window));
    *x = som_test_uniform(&hand->random, 5, width - 5);
    *y = som_test_uniform(&hand->random, 60, height - 5);
}

static void press_key(Hand *hand) {
    som_ui_key(hand->window, keys[choose(hand, (int)G_N_ELEMENTS(keys))]);
}

static void click(Hand *hand) {
    double x, y;
    somewhere(hand, &x, &y);
    som_ui_click_at(hand->window, x, y, choose(hand, 4) == 0 ? 3 : 1);
}

static void drag(Hand *hand) {
    double x, y, to_x, to_y;
    somewhere(hand, &x, &y);
    somewhere(hand, &to_x, &to_y);
    som_ui_drag(hand->window, x, y, to_x, to_y, 1 + (unsigned)choose(hand, 3));
}

static void scroll(Hand *hand) {
    double x, y;
    somewhere(hand, &x, &y);
    som_ui_move(hand->window, x, y);
    som_ui_scroll(hand->window, choose(hand, 7) - 3);
}

static void carry(Hand *hand) {
    GtkWidget *view = GTK_WIDGET(som_window_view(hand->window));
    if (som_ui_look_for(hand->window, "SomLibraryPanel", NULL) == NULL ||
        !gtk_widget_get_mapped(view)) {
        return;
    }
    som_ui_key(hand->window, "Escape"); // out of a menu
    GtkWidget *row = som_story_row(hand->window, parts[choose(hand, (int)G_N_ELEMENTS(parts))]);
    som_ui_carry(row, view, som_test_uniform(&hand->random, 0, gtk_widget_get_width(view)),
                 som_test_uniform(&hand->random, 0, gtk_widget_get_height(view)));
    scroll(hand);
    som_ui_release(view, 1);
}

static void (*const habits[])(Hand *) = {press_key, press_key, press_key, press_key, click,
                                         click,     click,     drag,      scroll,    carry};

// Dialogs and menus are left as a person leaves them.
static void leave_dialogs(Hand *hand) {
    for (int i = 0; som_ui_top() != GTK_WINDOW(hand->window); i++) {
        ck_assert_msg(i < 20, "%s does not go away", G_OBJECT_TYPE_NAME(som_ui_top()));
        som_ui_key(som_ui_top(), "Escape");
    }
}

START_TEST(anything_pressed_can_be_taken_back) {
    char *path = som_story_file("robot.som");
    Hand hand = {.window = som_ui_window("chain6"), .random = {20}};
    SomProject *project = som_window_project(hand.window);
    g_autofree char *first = g_strdup(som_story_text(hand.window));
    for (int i = som_test_count(40, 2000); i > 0; i--) {
        habits[choose(&hand, (int)G_N_ELEMENTS(habits))](&hand);
        leave_dialogs(&hand);
    }
    som_ui_key(hand.window, "Escape");
    som_window_flush(hand.window);
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_save(project, som_str(path), diags));
    SomProject *again = som_project_create(som_str(test_library));
    ck_assert(som_project_open(again, som_str(path), diags));
    ck_assert(som_str_equal(som_project_text(again), som_project_text(project)));
    som_project_destroy(again);
    som_diagnostics_destroy(diags);
    while (som_project_undo(project)) {
    }
    ck_assert_str_eq(som_story_text(hand.window), first);
    som_ui_close(hand.window);
    som_story_remove(path);
}
END_TEST

SOM_SUITE("studio/event_monkey", anything_pressed_can_be_taken_back)
