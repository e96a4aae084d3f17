// A behavior is composed of those of the parts: by drags, by keys and in place, and undone.

// SPDX-License-Identifier: Apache-2.0

#include "studio/block_panel.h"
#include "studio/window_modes.h"
#include "tests/studio/story.h"
#include "tests/suite.h"

// ---- what is on the screen

static SomBlockList *list_of(SomWindow *window) {
    return SOM_BLOCK_LIST(som_ui_find(window, "SomBlockList", NULL));
}

static int block_of(SomWindow *window, const char *path) {
    SomDesk *desk = som_window_desk(window);
    int block = som_blocks_find(som_desk_blocks(desk), som_desk_behavior(desk), som_str(path));
    ck_assert_msg(block >= 0, "there is no block %s", path);
    return block;
}

static SomBlockRow *row_of(SomWindow *window, const char *path) {
    SomBlockRow *row = NULL;
    SOM_UI_WAIT((row = som_block_list_row(list_of(window), block_of(window, path))) != NULL &&
                gtk_widget_get_height(GTK_WIDGET(row)) > 0);
    return row;
}

static bool is_selected(SomWindow *window, const char *path) {
    return som_desk_selected(som_window_desk(window)) == block_of(window, path);
}

static void select_block(SomWindow *window, const char *path) {
    GtkWidget *row = GTK_WIDGET(row_of(window, path));
    som_ui_click_at(row, gtk_widget_get_width(row) - 30, gtk_widget_get_height(row) / 2.0, 1);
    SOM_UI_WAIT(is_selected(window, path));
}

// An action of the palette, searched for.
static GtkWidget *action_of(SomWindow *window, const char *title) {
    GtkWidget *panel = som_ui_find(window, "SomPalettePanel", NULL);
    GtkWidget *search = som_ui_find(panel, NULL, "Search actions");
    som_ui_click(search);
    som_ui_key(search, "<Control>a");
    som_ui_type(search, title);
    SOM_UI_WAIT(som_ui_look_for(panel, "GtkBox", title) != NULL &&
                som_ui_count(panel, "GtkBox", NULL) < 12);
    som_ui_settle(window);
    return som_ui_find(panel, "GtkBox", title);
}

// Drops it on a block: at the height of it, from 0 to 1.
static void drop(SomWindow *window, void *what, const char *path, double height) {
    GtkWidget *row = GTK_WIDGET(row_of(window, path));
    double x = som_block_row_indent(som_block_row_depth(SOM_BLOCK_ROW(row))) + 60;
    som_ui_carry(what, row, x, gtk_widget_get_height(row) * height);
    som_ui_settle(window);
    SOM_UI_WAIT(som_block_row_drop(SOM_BLOCK_ROW(row)) != SOM_DROP_NONE);
    som_ui_release(row, 1);
    som_ui_settle(window);
}

static bool says(SomWindow *window, const char *text) {
    return strstr(som_story_text(window), text) != NULL;
}

// Sets what a field of a block says, by a click and keys.
static void set_field(SomWindow *window, const char *path, SomFieldKind kind, const char *text) {
    SomBlockChip *chip = som_block_row_field(row_of(window, path), kind, 0);
    ck_assert_ptr_nonnull(chip);
    som_ui_click(chip);
    SOM_UI_WAIT(som_block_chip_is_edited(chip));
    som_ui_key(window, "<Control>a");
    som_ui_type(window, text);
    som_ui_key(window, "Return");
}

static void add_behavior(SomWindow *window, const char *name) {
    som_ui_key(window, "<Control><Shift>b");
    SOM_UI_WAIT(GTK_IS_EDITABLE(gtk_window_get_focus(som_ui_top())));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), name);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_str_equal(som_desk_behavior(som_window_desk(window)), som_str(name)));
    som_ui_settle(window);
}

// ---- stories

START_TEST(a_gait_is_composed_of_two_halves) {
    SomWindow *window = som_ui_window("snake");
    g_autofree char *first = g_strdup(som_story_text(window));
    som_ui_key(window, "<Alt>2");
    SOM_UI_WAIT(som_window_mode(window) == SOM_MODE_BEHAVIORS);
    add_behavior(window, "sineGait");
    ck_assert(says(window, "behavior sineGait = series()\n"));
    drop(window, action_of(window, "s[1].halfSine2"), "", 0.7);
    SOM_UI_WAIT(says(window, "behavior sineGait = series(s[1].halfSine2)\n"));
    drop(window, action_of(window, "s[1].halfSine1"), "0", 0.2);
    SOM_UI_WAIT(says(window, "behavior sineGait = series(s[1].halfSine1, s[1].halfSine2)\n"));
    ck_assert(is_selected(window, "0"));

    // in a repetition, by keys; how often is said in place
    select_block(window, "");
    som_ui_key(window, "<Alt>r");
    SOM_UI_WAIT(says(window, "= repeat 2: series(s[1].halfSine1, s[1].halfSine2)\n"));
    set_field(window, "", SOM_FIELD_TIMES, "4");
    SOM_UI_WAIT(says(window, "= repeat 4: series("));
    set_field(window, "", SOM_FIELD_TIMES, "4deg"); // refused: it stays in its entry
    som_ui_settle(window);
    SomBlockChip *times = som_block_row_field(row_of(window, ""), SOM_FIELD_TIMES, 0);
    ck_assert(som_block_chip_is_edited(times));
    ck_assert(gtk_widget_has_css_class(gtk_widget_get_first_child(GTK_WIDGET(times)), "error"));
    som_ui_key(window, "Escape");
    ck_assert(!som_block_chip_is_edited(times));
    ck_assert(says(window, "= repeat 4: series("));

    // reordered by keys and by a drag, doubled, deleted
    select_block(window, "0/0");
    som_ui_key(window, "<Alt>Down");
    SOM_UI_WAIT(says(window, "series(s[1].halfSine2, s[1].halfSine1)\n"));
    ck_assert(is_selected(window, "0/1"));
    drop(window, row_of(window, "0/1"), "0/0", 0.2);
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

SOM_SUITE("studio/builder_story", a_gait_is_composed_of_two_halves)
