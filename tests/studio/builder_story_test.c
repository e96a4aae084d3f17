// A behavior is composed of those of the parts: by drags, by keys and in place, and undone.

// SPDX-License-Identifier: Apache-2.0

#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/studio/story_blocks.h"
#include "tests/studio/ui_stall.h"
#include "tests/suite.h"

// ---- what is on the screen

static bool is_selected(SomWindow *window, const char *path) {
    return som_desk_selected(som_window_desk(window)) == som_story_block(window, path);
}

static bool has_focus(SomWindow *window, SomBlockRow *row) {
    return gtk_window_get_focus(GTK_WINDOW(window)) == gtk_widget_get_parent(GTK_WIDGET(row));
}

static bool says(SomWindow *window, const char *text) {
    return strstr(som_story_text(window), text) != NULL;
}

// ---- stories

START_TEST(a_gait_is_composed_of_two_halves) {
    SomWindow *window = som_ui_window("snake");
    g_autofree char *first = g_strdup(som_story_text(window));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    som_story_add_behavior(window, "sineGait");
    ck_assert(says(window, "behavior sineGait = series()\n"));
    som_story_drop(window, som_story_action(window, "1] e2", "s[1].halfSine2"), "", 0.7);
    SOM_UI_WAIT(says(window, "behavior sineGait = series(s[1].halfSine2)\n"));
    som_story_drop(window, som_story_action(window, "1] e1", "s[1].halfSine1"), "0", 0.2);
    SOM_UI_WAIT(says(window, "behavior sineGait = series(s[1].halfSine1, s[1].halfSine2)\n"));
    ck_assert(is_selected(window, "0"));

    // in a repetition, by keys; how often is said in place
    som_story_select_block(window, "");
    som_ui_key(window, "<Alt>r");
    SOM_UI_WAIT(says(window, "= repeat 2: series(s[1].halfSine1, s[1].halfSine2)\n"));
    som_story_set_field(window, "", SOM_FIELD_TIMES, "4");
    SOM_UI_WAIT(says(window, "= repeat 4: series("));
    som_story_set_field(window, "", SOM_FIELD_TIMES, "4deg"); // refused: it stays in its entry
    som_ui_settle(window);
    SomBlockChip *times = som_block_row_field(som_story_block_row(window, ""), SOM_FIELD_TIMES, 0);
    ck_assert(som_block_chip_is_edited(times));
    ck_assert(gtk_widget_has_css_class(gtk_widget_get_first_child(GTK_WIDGET(times)), "error"));
    som_ui_key(window, "Escape");
    ck_assert(!som_block_chip_is_edited(times));
    ck_assert(says(window, "= repeat 4: series("));

    // reordered by keys and by a drag, doubled, deleted
    som_story_select_block(window, "0/0");
    som_ui_key(window, "<Alt>Down");
    SOM_UI_WAIT(says(window, "series(s[1].halfSine2, s[1].halfSine1)\n"));
    ck_assert(is_selected(window, "0/1"));
    som_story_drop(window, som_story_block_row(window, "0/1"), "0/0", 0.2);
    SOM_UI_WAIT(says(window, "series(s[1].halfSine1, s[1].halfSine2)\n"));
    som_ui_key(window, "<Control>d");
    SOM_UI_WAIT(says(window, "series(s[1].halfSine1, s[1].halfSine1, s[1].halfSine2)\n"));
    som_ui_key(window, "Delete");
    SOM_UI_WAIT(says(window, "series(s[1].halfSine1, s[1].halfSine2)\n"));
    som_story_undo_all(window);
    ck_assert_str_eq(som_story_text(window), first);
    som_ui_close(window);
}
END_TEST

#define PAIR                                                                                       \
    "use \"chain3.som\"\n"                                                                         \
    "\n"                                                                                           \
    "config Pair {\n"                                                                              \
    "    part a, b : Chain3\n"                                                                     \
    "    connect a.tail.B to b.head.T\n"                                                           \
    "\n"                                                                                           \
    "    behavior nod = series(\n"                                                                 \
    "        parallel(a.head.tilt to 10deg, b.head.tilt to 20deg), wait 1s)\n"                     \
    "}\n"

static SomWindow *open_pair(void) {
    SomWindow *window = som_ui_window(NULL);
    som_project_begin(som_window_project(window), SOM_STR(""), SOM_STR(PAIR), SOM_STR(PAIR));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    som_ui_settle(window);
    return window;
}

static SomRowMark mark_of(SomWindow *window, const char *path) {
    return *som_block_row_mark(som_story_block_row(window, path));
}

START_TEST(a_conflict_is_marked_in_both_places) {
    SomWindow *window = open_pair();
    SOM_UI_WAIT(som_block_list_has_findings(som_story_blocks(window)));
    ck_assert(!mark_of(window, "0/0").has_report);
    som_story_set_field(window, "0/1", SOM_FIELD_PLACE, "a.head.tilt");
    SOM_UI_WAIT(says(window, "parallel(a.head.tilt to 10deg, a.head.tilt to 20deg)"));
    SOM_UI_WAIT(mark_of(window, "0/0").has_report && mark_of(window, "0/1").has_report);
    SOM_UI_WAIT(mark_of(window, "0/0").is_related); // to the one that is selected
    ck_assert(!mark_of(window, "0/1").is_related && !mark_of(window, "1").has_report);
    ck_assert_ptr_nonnull(mark_of(window, "0/1").words);
    som_story_select_block(window, "0/0");
    ck_assert(mark_of(window, "0/1").is_related && !mark_of(window, "0/0").is_related);
    som_ui_settle(window);

    // folded, the whole tells of it; what somebody points at is unfolded
    som_ui_key(window, "Left");
    som_ui_key(window, "Left");
    SOM_UI_WAIT(som_block_list_count(som_story_blocks(window)) == 3);
    ck_assert(mark_of(window, "0").has_report);
    int told = som_story_block(window, "0/1");
    som_desk_mark(som_window_desk(window), &told, 1);
    SOM_UI_WAIT(som_block_list_count(som_story_blocks(window)) == 5 &&
                mark_of(window, "0/1").is_told);
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(!mark_of(window, "0/0").has_report && !mark_of(window, "0/1").is_told);
    ck_assert_str_eq(som_story_text(window), PAIR);
    som_ui_close(window);
}
END_TEST

START_TEST(blocks_are_edited_by_keys_and_menus) {
    SomWindow *window = open_pair();
    SomDesk *desk = som_window_desk(window);
    som_ui_key(window, "<Control>b");
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "")));

    // searched for, and wrapped with what it is
    som_ui_key(window, "<Control>f");
    SOM_UI_WAIT(GTK_IS_TEXT(gtk_window_get_focus(GTK_WINDOW(window))));
    som_ui_type(window, "B.HEAD\n");
    SOM_UI_WAIT(is_selected(window, "0/1"));
    som_ui_key(window, "Escape");
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "0/1")));
    som_ui_key(window, "<Alt>s");
    SOM_UI_WAIT(says(window, "series(b.head.tilt to 20deg)"));
    ck_assert(is_selected(window, "0/1"));
    som_ui_key(window, "<Alt><Shift>a");
    SOM_UI_WAIT(says(window, "any(b.head.tilt to 20deg)"));
    som_ui_key(window, "<Alt>u");
    SOM_UI_WAIT(says(window, "parallel(a.head.tilt to 10deg, b.head.tilt to 20deg), wait 1s)"));

    // two together; one more from the palette, by Enter
    som_ui_key(window, "<Shift>Up");
    som_ui_key(window, "<Alt>r");
    SOM_UI_WAIT(says(window, "repeat 2: series(a.head.tilt to 10deg, b.head.tilt to 20deg)"));
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(!says(window, "repeat"));
    som_story_select_block(window, "1");
    som_ui_click(som_ui_find(window, NULL, "Search actions"));
    som_ui_type(window, "hold\n");
    SOM_UI_WAIT(says(window, "wait 1s, hold)"));
    som_ui_key(window, "<Control>b");
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "2")));
    som_ui_key(window, "Delete");
    som_story_select_block(window, "0/1");

    // the value by F2; a clause of the menu
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "0/1")));
    som_ui_key(window, "F2");
    som_ui_type(window, "15deg\n");
    SOM_UI_WAIT(says(window, "b.head.tilt to 15deg"));
    GtkWidget *row = GTK_WIDGET(som_story_block_row(window, "0/0"));
    som_ui_click_at(row, gtk_widget_get_width(row) - 30, gtk_widget_get_height(row) / 2.0, 3);
    SOM_UI_WAIT(som_ui_look_for(window, "GtkPopoverMenu", NULL) != NULL);
    ck_assert(is_selected(window, "0/0"));
    som_ui_click(som_ui_find(window, "GtkModelButton", "Add"));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkModelButton", "timeout") != NULL);
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkModelButton", "timeout"));
    SOM_UI_WAIT(says(window, "a.head.tilt to 10deg timeout 5s"));
    som_ui_settle(window);
    SomBlockChip *chip =
        som_block_row_field(som_story_block_row(window, "0/0"), SOM_FIELD_TIMEOUT, 0);
    SOM_UI_WAIT(som_block_chip_is_edited(chip)); // its value is only a beginning
    som_ui_key(window, "<Control>a");
    som_ui_type(window, "3s\n");
    SOM_UI_WAIT(says(window, "a.head.tilt to 10deg timeout 3s"));
    SOM_UI_WAIT(gtk_window_get_focus(GTK_WINDOW(window)) == GTK_WIDGET(chip));
    som_ui_key(window, "Delete"); // the clause, not the block
    SOM_UI_WAIT(says(window, "a.head.tilt to 10deg, b"));

    // another mode of a move is chosen
    som_ui_click(som_block_row_field(som_story_block_row(window, "0/0"), SOM_FIELD_MODE, 0));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkButton", "by") != NULL);
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkButton", "by"));
    SOM_UI_WAIT(says(window, "a.head.tilt by 10deg"));

    // a behavior of a part is seen, not edited, and can be run
    som_desk_choose(desk, SOM_STR("a.steer"));
    som_ui_settle(window);
    ck_assert_int_eq(som_block_list_count(som_story_blocks(window)), 3);
    som_ui_click(som_ui_find(window, "GtkButton", "Run it in a new one"));
    SOM_UI_WAIT(says(window, "behavior steer = series(a.steer)"));

    // the posture is recorded: what moved, then what moved since
    som_project_move(som_window_project(window), 0, 0.5);
    som_ui_key(window, "<Control><Shift>r");
    som_ui_settle(window);
    g_autofree char *recorded = g_strdup(som_story_text(window));
    som_ui_key(window, "<Control><Shift>r"); // nothing has
    ck_assert_str_eq(som_story_text(window), recorded);
    som_project_move(som_window_project(window), 1, 0.25);
    som_ui_key(window, "<Control><Alt>r");
    SOM_UI_WAIT(GTK_IS_EDITABLE(gtk_window_get_focus(som_ui_top())));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), "lean\n");
    SOM_UI_WAIT(says(window, "to pose lean") && says(window, "pose lean {"));
    som_story_undo_all(window);
    ck_assert_str_eq(som_story_text(window), PAIR);
    som_ui_close(window);
}
END_TEST

START_TEST(what_a_call_leaves_out_is_given_in_place) {
    SomWindow *window = open_pair();
    som_story_drop(window, som_story_action(window, "a.legStep", "a.legStep"), "1", 0.9);
    SOM_UI_WAIT(says(window, "wait 1s, a.legStep)"));
    som_story_set_field(window, "2", SOM_FIELD_ARGUMENT,
                        "12deg"); // the default, which need not be written
    ck_assert(says(window, "wait 1s, a.legStep)"));
    som_story_set_field(window, "2", SOM_FIELD_ARGUMENT, "30deg");
    SOM_UI_WAIT(says(window, "wait 1s, a.legStep(30deg))"));
    som_ui_settle(window);
    som_ui_key(window, "Delete"); // the argument, and not the block with it
    SOM_UI_WAIT(says(window, "wait 1s, a.legStep)"));
    som_ui_settle(window);
    som_ui_key(window, "Delete");
    som_ui_settle(window);
    ck_assert(says(window, "wait 1s, a.legStep)"));

    // Escape leaves the menu for the block
    som_story_select_block(window, "1");
    som_ui_key(window, "Menu");
    SOM_UI_WAIT(som_ui_look_for(window, "GtkModelButton", "Duplicate") != NULL);
    som_ui_settle(window);
    som_ui_key(window, "Escape");
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "1")));
    som_story_undo_all(window);
    ck_assert_str_eq(som_story_text(window), PAIR);
    som_ui_close(window);
}
END_TEST

#define LEGS                                                                                       \
    "use \"smores.m3l\"\n\n"                                                                       \
    "config Legs {\n"                                                                              \
    "    part body, leg : SMORES\n"                                                                \
    "    connect body.L to leg.T\n"                                                                \
    "    behavior step(hip: hinge) = hip to 10deg\n"                                               \
    "    behavior walk = series(step(body.bend), wait 1s)\n"                                       \
    "}\n"

START_TEST(a_joint_is_chosen_for_an_argument) {
    SomWindow *window = open_pair();
    som_project_begin(som_window_project(window), SOM_STR(""), SOM_STR(LEGS), SOM_STR(LEGS));
    som_desk_choose(som_window_desk(window), SOM_STR("walk"));
    som_ui_settle(window);
    som_ui_click(som_block_row_field(som_story_block_row(window, "0"), SOM_FIELD_ARGUMENT, 0));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkButton", "leg.bend") != NULL);
    ck_assert_ptr_null(som_ui_look_for(window, "GtkButton", "leg.left")); // a wheel
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkButton", "leg.bend"));
    SOM_UI_WAIT(says(window, "series(step(leg.bend), wait 1s)"));
    som_ui_settle(window);
    som_ui_click(som_block_row_field(som_story_block_row(window, "0"), SOM_FIELD_ARGUMENT, 0));
    SOM_UI_WAIT(som_ui_look_for(window, "GtkButton", "Other…") != NULL);
    som_ui_settle(window);
    som_ui_click(som_ui_find(window, "GtkButton", "Other…"));
    som_ui_settle(window);
    som_ui_key(window, "<Control>a");
    som_ui_type(window, "body.tilt\n");
    SOM_UI_WAIT(says(window, "series(step(body.tilt), wait 1s)"));
    som_ui_close(window);
}
END_TEST

START_TEST(the_text_shows_the_block_and_the_block_the_text) {
    SomWindow *window = open_pair();
    som_ui_key(window, "<Control>e");
    som_ui_settle(window);
    const char *at = strstr(PAIR, "20deg");
    som_window_go_to(window, (uint32_t)(at - PAIR));
    SOM_UI_WAIT(is_selected(window, "0/1"));
    GtkTextView *view = GTK_TEXT_VIEW(som_ui_find(window, "GtkSourceView", NULL));
    som_window_set_mode(window, SOM_MODE_BEHAVIORS);
    gtk_widget_grab_focus(GTK_WIDGET(som_window_view(window)));
    som_desk_select(som_window_desk(window), som_story_block(window, "0/0"));
    som_ui_settle(window);
    GtkTextIter begin, end;
    ck_assert(gtk_text_buffer_get_selection_bounds(gtk_text_view_get_buffer(view), &begin, &end));
    g_autofree char *selected = gtk_text_iter_get_text(&begin, &end);
    ck_assert_str_eq(selected, "a.head.tilt to 10deg");
    som_ui_close(window);
}
END_TEST

// ---- a long one

// 500 times four moves at once.
static char *write_long(void) {
    char *path = som_story_file("long.som");
    g_autoptr(GString) text = g_string_new("use \"chain3.som\"\n\nconfig Long {\n"
                                           "    part a, b : Chain3\n"
                                           "    connect a.tail.B to b.head.T\n\n"
                                           "    behavior rest = hold\n"
                                           "    behavior walk = series(\n");
    for (int i = 0; i < 500; i++) {
        g_string_append_printf(text,
                               "        parallel(\n"
                               "            a.head.tilt to %ddeg timeout 1s,\n"
                               "            b.head.tilt to %ddeg timeout 1s,\n"
                               "            a.tail.tilt to %ddeg timeout 1s,\n"
                               "            b.tail.tilt to %ddeg timeout 1s)%s\n",
                               i % 40, i % 30, i % 20, i % 10, i < 499 ? "," : ")");
    }
    g_string_append(text, "}\n");
    ck_assert(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
    return path;
}

static void check_stall(SomStall *stall, const char *what) {
    double longest = som_stall_work(stall); // nothing here waits for others
    som_stall_end(stall);
    ck_assert_msg(longest <= SOM_STALL_FLUID, "%s stops the window for %.0f ms", what,
                  longest * 1000);
}

START_TEST(a_long_behavior_stays_fluid) {
    char *path = write_long();
    SomWindow *window = som_ui_window(path);
    som_story_verdict(window);
    // a small view: what a processor draws instead of a graphics card is not what is measured
    gtk_window_set_default_size(GTK_WINDOW(window), 940, 520);
    SOM_UI_WAIT(gtk_widget_get_width(GTK_WIDGET(window)) < 960);
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    SOM_UI_WAIT(som_block_list_has_findings(som_story_blocks(window)));
    som_ui_settle(window);
    SomStall *stall = som_stall_watch(window);
    som_ui_click(som_ui_find(window, "GtkListBoxRow", "walk"));
    SOM_UI_WAIT(som_block_list_count(som_story_blocks(window)) == 2501);
    SOM_UI_WAIT(som_block_list_has_findings(som_story_blocks(window)));
    som_ui_settle(window);
    check_stall(stall, "opening it");

    stall = som_stall_watch(window);
    GtkWidget *list = GTK_WIDGET(som_story_blocks(window));
    som_ui_move(list, 100, 100);
    for (int i = 0; i < 5; i++) {
        som_ui_scroll(list, 5);
    }
    som_ui_key(window, "<Control>b"); // back at its beginning
    SOM_UI_WAIT(has_focus(window, som_story_block_row(window, "")));
    som_ui_key(window, "End");
    SOM_UI_WAIT(is_selected(window, "499/3"));
    check_stall(stall, "scrolling");

    stall = som_stall_watch(window);
    som_story_set_field(window, "499/3", SOM_FIELD_VALUE, "77deg");
    SOM_UI_WAIT(says(window, "b.tail.tilt to 77deg timeout 1s))\n"));
    som_ui_key(window, "<Control>d");
    SOM_UI_WAIT(is_selected(window, "499/4"));
    som_ui_key(window, "<Alt>Up");
    SOM_UI_WAIT(is_selected(window, "499/3"));
    ck_assert_int_eq(som_block_list_count(som_story_blocks(window)), 2502);
    SOM_UI_WAIT(som_block_list_has_findings(som_story_blocks(window)));
    som_ui_key(window, "<Control>z");
    som_ui_key(window, "<Control>z");
    som_ui_key(window, "<Control>z");
    SOM_UI_WAIT(som_project_is_saved(som_window_project(window)));
    check_stall(stall, "editing it");
    som_ui_close(window);
    som_story_remove(path);
}
END_TEST

SOM_SUITE("studio/builder_story", a_gait_is_composed_of_two_halves,
          a_conflict_is_marked_in_both_places, blocks_are_edited_by_keys_and_menus,
          what_a_call_leaves_out_is_given_in_place, a_joint_is_chosen_for_an_argument,
          the_text_shows_the_block_and_the_block_the_text, a_long_behavior_stays_fluid)
