// SPDX-License-Identifier: Apache-2.0
// What is in the rows of blocks: GTK makes two hundred of them at once, which would be felt, so
// they are filled some at a time, those that are seen first.
#include "studio/block_list_internal.h"

#define MOST_TIME 6000 // microseconds of a frame

static SomBlockShown shown_of(SomBlockList *list, SomBlockRow *row) {
    int behavior;
    const SomBlocks *blocks = som_desk_shown(list->desk, &behavior);
    const SomBlockItem *item = som_block_list_item_of(row);
    const SomOutlineRow *own = &list->outline.rows.data[item->row];
    const SomModel *model = som_project_model(som_desk_project(list->desk));
    return (SomBlockShown){.blocks = blocks,
                           .composition = list->is_read_only ? NULL : model->composition,
                           .block = own->block,
                           .closes = som_outline_closes(&list->outline, blocks, item->row),
                           .is_folded = own->is_folded,
                           .is_read_only = list->is_read_only};
}

void som_block_list_fill(SomBlockList *list, SomBlockRow *row) {
    int64_t begin = g_get_monotonic_time();
    SomBlockShown shown = shown_of(list, row);
    bool is_first = gtk_widget_get_first_child(GTK_WIDGET(row)) == NULL;
    som_block_row_show(row, &shown);
    if (is_first) {
        som_block_list_add_drag(list, row);
    }
    som_block_list_mark_row(list, row);
    g_hash_table_remove(list->pending, row);
    list->spent += g_get_monotonic_time() - begin;
}

static bool is_seen(SomBlockList *list, SomBlockRow *row) {
    graphene_rect_t bounds;
    return gtk_widget_compute_bounds(GTK_WIDGET(row), list->scrolled, &bounds) &&
           bounds.origin.y + bounds.size.height > 0 &&
           bounds.origin.y < (float)gtk_widget_get_height(list->scrolled);
}

static void fill_some(SomBlockList *list, bool only_seen) {
    for (guint i = 0; i < list->bound->len && list->spent < MOST_TIME; i++) {
        SomBlockRow *row = g_ptr_array_index(list->bound, i);
        if (g_hash_table_contains(list->pending, row) && (!only_seen || is_seen(list, row))) {
            som_block_list_fill(list, row);
        }
    }
}

static gboolean on_fill(GtkWidget *widget, GdkFrameClock *clock, gpointer unused) {
    SomBlockList *list = SOM_BLOCK_LIST(widget);
    (void)clock, (void)unused;
    list->spent = 0;
    fill_some(list, true);
    fill_some(list, false);
    if (g_hash_table_size(list->pending) == 0) {
        list->filling = 0;
        list->spent = 0;
        return G_SOURCE_REMOVE;
    }
    return G_SOURCE_CONTINUE;
}

void som_block_list_fill_later(SomBlockList *list, SomBlockRow *row) {
    g_hash_table_add(list->pending, row);
    if (list->filling == 0) {
        list->filling = gtk_widget_add_tick_callback(GTK_WIDGET(list), on_fill, NULL, NULL);
    }
}

void som_block_list_fill_soon(SomBlockList *list, SomBlockRow *row) {
    if (list->spent < MOST_TIME) {
        som_block_list_fill(list, row);
        return;
    }
    SomBlockShown shown = shown_of(list, row);
    som_block_row_show_shape(row, &shown);
    som_block_list_fill_later(list, row);
}

void som_block_list_forget(SomBlockList *list, SomBlockRow *row) {
    g_hash_table_remove(list->pending, row);
}

void som_block_list_end_filling(SomBlockList *list) {
    if (list->filling != 0) {
        gtk_widget_remove_tick_callback(GTK_WIDGET(list), list->filling);
        list->filling = 0;
    }
    g_hash_table_remove_all(list->pending);
}
