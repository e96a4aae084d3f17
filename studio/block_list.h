// studio/block_list.h - the blocks of the behavior on a desk, as a list of rows in boxes.
//
//     GtkWidget *list = som_block_list_new(desk);
//     som_block_list_fold(SOM_BLOCK_LIST(list), true); // the selected block
//     som_block_list_find(SOM_BLOCK_LIST(list), "head", 1);
//
// It follows the desk by itself: rows that say the same after an edit stay as they are, with what
// is seen, the focus and what is folded. What findings are about is marked some time after an edit.
// Blocks are dragged within it, and what has a text (studio/palette_item.h) into it.
// Only the rows that are seen cost something, so behaviors may be long.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/block_row.h"

#define SOM_TYPE_BLOCK_LIST (som_block_list_get_type())
G_DECLARE_FINAL_TYPE(SomBlockList, som_block_list, SOM, BLOCK_LIST, GtkWidget)

// Which block a row is of; what is dragged.
#define SOM_TYPE_BLOCK_ITEM (som_block_item_get_type())
G_DECLARE_FINAL_TYPE(SomBlockItem, som_block_item, SOM, BLOCK_ITEM, GObject)

GtkWidget *som_block_list_new(SomDesk *desk); // which must outlive it

int som_block_list_count(const SomBlockList *list); // of rows
// The row of a block where it is on the screen; NULL: it is not.
SomBlockRow *som_block_list_row(SomBlockList *list, int block);

// ---- the selected block

void som_block_list_fold(SomBlockList *list, bool is_folded);
bool som_block_list_is_folded(SomBlockList *list);
// More of the blocks beside it are chosen with it, or less.
void som_block_list_extend(SomBlockList *list, int way);
int som_block_list_chosen(const SomBlockList *list); // how many, with it
void som_block_list_edit(SomBlockList *list);        // what matters most of its fields
void som_block_list_focus(SomBlockList *list);       // its row, or the list

// Selects the next block that says this, or with way -1 the one before; goes on at the other end.
// False if none does.
bool som_block_list_find(SomBlockList *list, const char *wanted, int way);

// What is found is marked.
bool som_block_list_has_findings(const SomBlockList *list);
