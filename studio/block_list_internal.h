// studio/block_list_internal.h - what the files of the list of blocks share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/block_list.h"
#include "studio/block_outline.h"

struct _SomBlockItem {
    GObject parent_instance;
    int row; // of the outline
    int block;
};

struct _SomBlockList {
    GtkWidget parent_instance;
    SomDesk *desk; // NULL when it listens no more
    SomBlockOutline outline;
    const SomBlocks *blocks; // that the outline is of; only compared
    int extra;               // blocks behind the selected one, beside it, that are chosen with it
    GListStore *items;
    GtkSingleSelection *selection;
    GtkWidget *scrolled;
    GtkListView *view;
    GPtrArray *bound;     // rows that are in use, borrowed
    GHashTable *pending;  // those of them that do not show yet what they are of
    guint filling;        // tick callback that fills them; 0: none
    int64_t spent;        // on filling rows since the last frame, microseconds
    bool is_setting;      // the selection changes by ourselves
    bool is_read_only;    // the behavior is one of a part
    bool has_findings;    // they are marked
    bool is_focus_wanted; // by the selected row, when it is there
    guint starting;       // tick callback that shows the first rows; 0: they are shown
    guint findings;       // source; 0: none
    guint seeking;        // tick callback; 0: none
    int scroll_to;        // row; -1: none
    int tries;            // frames in which the row that wants the focus was not there
    SomBlockRow *drop;    // that shows where something would be dropped; NULL: none
};

// ---- block_marks.c

void som_block_list_mark_row(SomBlockList *list, SomBlockRow *row);
void som_block_list_mark_all(SomBlockList *list);

// One after the last block that is chosen with the selected one; that is -1: none is.
int som_block_list_chosen_end(SomBlockList *list);

// ---- block_fill.c

void som_block_list_fill_soon(SomBlockList *list, SomBlockRow *row); // at once if there is time
void som_block_list_fill_later(SomBlockList *list, SomBlockRow *row);
void som_block_list_fill(SomBlockList *list, SomBlockRow *row);
void som_block_list_forget(SomBlockList *list, SomBlockRow *row); // it is not in use
void som_block_list_end_filling(SomBlockList *list);

// ---- block_drag.c

void som_block_list_add_drag(SomBlockList *list, SomBlockRow *row); // the row can be dragged
void som_block_list_add_drop(SomBlockList *list);

// The item that a row is bound to; NULL: none.
SomBlockItem *som_block_list_item_of(SomBlockRow *row);
