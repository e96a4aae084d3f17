// Anyone does anything with behaviors: pointer and keys at random places of palette and blocks.
// Nothing crashes, warns or leaks, the blocks are those of the text, and the way back ends at the
// first text.

// SPDX-License-Identifier: Apache-2.0

#include "studio/block_list.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/suite.h"

static const char *const keys[] = {"Tab",
                                   "<Shift>Tab",
                                   "Return",
                                   "Return",
                                   "Escape",
                                   "Escape",
                                   "Delete",
                                   "space",
                                   "Left",
                                   "Right",
                                   "Up",
                                   "Down",
                                   "Home",
                                   "End",
                                   "F2",
                                   "<Shift>F10",
                                   "<Control>z",
                                   "<Control>z",
                                   "<Control>y",
                                   "<Control>d",
                                   "<Control>f",
                                   "<Control>b",
                                   "<Alt>s",
                                   "<Alt>p",
                                   "<Alt>a",
                                   "<Alt>r",
                                   "<Alt>u",
                                   "<Alt>Up",
                                   "<Alt>Down",
                                   "<Alt><Shift>s",
                                   "<Alt><Shift>a",
                                   "<Shift>Down",
                                   "<Shift>Up",
                                   "F3",
                                   "2",
                                   "s",
                                   "BackSpace",
                                   "<Control>a",
                                   "Menu",
                                   "<Control>e",
                                   "<Control>Return"};

typedef struct Hand {
    SomWindow *window;
    SomTestRandom random;
} Hand;

static int choose(Hand *hand, int n) {
    return som_test_int(&hand->random, 0, n - 1);
}

// In the palette or the blocks, mostly; below the header, whose buttons close the window.
static void somewhere(Hand *hand, double *x, double *y) {
    int width = gtk_widget_get_width(GTK_WIDGET(hand->window));
    int height = gtk_widget_get_height(GTK_WIDGET(hand->window));
    int where = choose(hand, 10);
    *x = where < 5   ? som_test_uniform(&hand->random, width - 410, width - 10)
         : where < 9 ? som_test_uniform(&hand->random, 10, 230)
                     : som_test_uniform(&hand->random, 5, width - 5);
    *y = som_test_uniform(&hand->random, 60, where < 5 ? height / 2.0 : height - 5);
}

static void press_key(Hand *hand) {
    som_ui_key(hand->window, keys[choose(hand, (int)G_N_ELEMENTS(keys))]);
}

// GTK's own menu of a text warns if it opens at the margin.
static bool is_text(Hand *hand, double x, double y) {
    GtkWidget *widget = gtk_widget_pick(GTK_WIDGET(hand->window), x, y, GTK_PICK_DEFAULT);
    return widget != NULL && (GTK_IS_TEXT_VIEW(widget) ||
                              gtk_widget_get_ancestor(widget, GTK_TYPE_TEXT_VIEW) != NULL);
}

static void click(Hand *hand) {
    double x, y;
    somewhere(hand, &x, &y);
    bool is_menu = choose(hand, 5) == 0 && !is_text(hand, x, y);
    som_ui_click_at(hand->window, x, y, is_menu ? 3 : 1);
}

static void drag(Hand *hand) {
    double x, y, to_x, to_y;
    somewhere(hand, &x, &y);
    somewhere(hand, &to_x, &to_y);
    som_ui_drag(hand->window, x, y, to_x, to_y, 1);
}

static void (*const habits[])(Hand *) = {press_key, press_key, press_key, click, click, drag, drag};

static void leave_dialogs(Hand *hand) {
    for (int i = 0; som_ui_top() != GTK_WINDOW(hand->window); i++) {
        ck_assert_msg(i < 20, "%s does not go away", G_OBJECT_TYPE_NAME(som_ui_top()));
        som_ui_key(som_ui_top(), "Escape");
    }
}

START_TEST(anything_done_with_blocks_can_be_taken_back) {
    const char *seed = g_getenv("SOM_SEED");
    Hand hand = {.window = som_ui_window("chain3"),
                 .random = {seed != NULL ? (uint64_t)atoi(seed) : 7}};
    SomProject *project = som_window_project(hand.window);
    g_autofree char *first = g_strdup(som_story_text(hand.window));
    som_ui_key(hand.window, "<Alt>2");
    for (int i = som_test_count(25, 500); i > 0; i--) {
        habits[choose(&hand, (int)G_N_ELEMENTS(habits))](&hand);
        leave_dialogs(&hand);
    }
    som_ui_key(hand.window, "Escape");
    som_window_flush(hand.window);
    while (som_project_undo(project)) {
    }
    ck_assert_str_eq(som_story_text(hand.window), first);
    som_ui_key(hand.window, "<Control>b");
    SOM_UI_WAIT(som_ui_look_for(hand.window, "SomBlockList", NULL) != NULL);
    SomBlockList *list = SOM_BLOCK_LIST(som_ui_find(hand.window, "SomBlockList", NULL));
    int behavior, seen = som_block_list_count(list);
    const SomBlocks *blocks = som_desk_shown(som_window_desk(hand.window), &behavior);
    int root = blocks->behaviors.data[behavior].root;
    ck_assert(seen > 0 && seen <= blocks->blocks[root].end - root);
    som_ui_close(hand.window);
}
END_TEST

SOM_SUITE("studio/builder_monkey", anything_done_with_blocks_can_be_taken_back)
