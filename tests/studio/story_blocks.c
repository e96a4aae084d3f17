// SPDX-License-Identifier: Apache-2.0
#include "tests/studio/story_blocks.h"

#include "tests/studio/story.h"
#include "tests/suite.h"

SomBlockList *som_story_blocks(SomWindow *window) {
    return SOM_BLOCK_LIST(som_ui_find(window, "SomBlockList", NULL));
}

int som_story_block(SomWindow *window, const char *path) {
    SomDesk *desk = som_window_desk(window);
    int block = som_blocks_find(som_desk_blocks(desk), som_desk_behavior(desk), som_str(path));
    ck_assert_msg(block >= 0, "there is no block %s", path);
    return block;
}

SomBlockRow *som_story_block_row(SomWindow *window, const char *path) {
    SomBlockRow *row = NULL;
    SOM_UI_WAIT((row = som_block_list_row(som_story_blocks(window),
                                          som_story_block(window, path))) != NULL &&
                gtk_widget_get_height(GTK_WIDGET(row)) > 0 && som_block_row_is_full(row));
    return row;
}

void som_story_select_block(SomWindow *window, const char *path) {
    GtkWidget *row = GTK_WIDGET(som_story_block_row(window, path));
    som_ui_click_at(row, gtk_widget_get_width(row) - 30, gtk_widget_get_height(row) / 2.0, 1);
    SOM_UI_WAIT(som_desk_selected(som_window_desk(window)) == som_story_block(window, path));
}

GtkWidget *som_story_action(SomWindow *window, const char *pieces, const char *title) {
    GtkWidget *panel = som_ui_find(window, "SomPalettePanel", NULL);
    GtkWidget *search = som_ui_find(panel, NULL, "Search actions");
    som_ui_click(search);
    som_ui_key(search, "<Control>a");
    som_ui_type(search, pieces);
    SOM_UI_WAIT(som_ui_look_for(panel, "GtkBox", title) != NULL &&
                som_ui_count(panel, "GtkBox", NULL) < 12);
    som_ui_settle(window);
    return som_ui_find(panel, "GtkBox", title);
}

void som_story_drop(SomWindow *window, void *what, const char *path, double height) {
    GtkWidget *row = GTK_WIDGET(som_story_block_row(window, path));
    double x = som_block_row_indent(som_block_row_depth(SOM_BLOCK_ROW(row))) + 60;
    som_ui_carry(what, row, x, gtk_widget_get_height(row) * height);
    som_ui_settle(window);
    SOM_UI_WAIT(som_block_row_drop(SOM_BLOCK_ROW(row)) != SOM_DROP_NONE);
    som_ui_release(row, 1);
    som_ui_settle(window);
}

void som_story_set_field(SomWindow *window, const char *path, SomFieldKind kind, const char *text) {
    SomBlockChip *chip = som_block_row_field(som_story_block_row(window, path), kind, 0);
    ck_assert_ptr_nonnull(chip);
    som_ui_click(chip);
    SOM_UI_WAIT(som_block_chip_is_edited(chip));
    som_ui_key(window, "<Control>a");
    som_ui_type(window, text);
    som_ui_key(window, "Return");
}

void som_story_add_behavior(SomWindow *window, const char *name) {
    som_ui_key(window, "<Control><Shift>b");
    SOM_UI_WAIT(GTK_IS_EDITABLE(gtk_window_get_focus(som_ui_top())));
    som_ui_key(som_ui_top(), "<Control>a");
    som_ui_type(som_ui_top(), name);
    som_ui_key(som_ui_top(), "Return");
    SOM_UI_WAIT(som_str_equal(som_desk_behavior(som_window_desk(window)), som_str(name)));
    som_ui_settle(window);
}
