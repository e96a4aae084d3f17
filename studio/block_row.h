// studio/block_row.h - a block as a row of a list: its fields, in the boxes of what it lies in.
//
//     GtkWidget *row = som_block_row_new(desk);
//     som_block_row_show(SOM_BLOCK_ROW(row), &(SomBlockShown){.blocks = blocks, .block = 3, ...});
//     som_block_row_set_mark(SOM_BLOCK_ROW(row), &mark);
//     g_signal_connect(row, "fold", G_CALLBACK(on_fold), list); // its arrow was clicked
//
// The rows under each other draw blocks in blocks: each row paints its piece of every box.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/block_chip.h"

#define SOM_TYPE_BLOCK_ROW (som_block_row_get_type())
G_DECLARE_FINAL_TYPE(SomBlockRow, som_block_row, SOM, BLOCK_ROW, GtkWidget)

GtkWidget *som_block_row_new(SomDesk *desk); // which must outlive it

typedef struct SomBlockShown {
    const SomBlocks *blocks;           // borrowed for the call
    const SomComposition *composition; // of them; may be NULL
    int block;
    int closes; // blocks that end with this row
    bool is_folded, is_read_only;
} SomBlockShown;

// Its boxes, with nothing in them.
void som_block_row_show_shape(SomBlockRow *row, const SomBlockShown *shown);
// All of it, which takes some time.
void som_block_row_show(SomBlockRow *row, const SomBlockShown *shown);
bool som_block_row_is_full(const SomBlockRow *row);
void som_block_row_move(SomBlockRow *row, int block); // what it shows has another number
int som_block_row_block(const SomBlockRow *row);
int som_block_row_depth(const SomBlockRow *row);
int som_block_row_closes(const SomBlockRow *row);
bool som_block_row_has_body(const SomBlockRow *row); // a list, or what other blocks stand in

// The field that matters most: a value before a name. NULL if there is none.
SomBlockChip *som_block_row_main_field(SomBlockRow *row);
// The nth field of a kind; NULL if there is none.
SomBlockChip *som_block_row_field(SomBlockRow *row, SomFieldKind kind, int nth);

typedef struct SomRowMark {
    bool has_report; // a finding is about it
    SomSeverity severity;
    const char *words; // of the findings; NULL: none
    bool is_related;   // to what is selected: the other place of a conflict
    bool is_told;      // somebody points at it
    bool is_chosen;    // with others, to be wrapped together
} SomRowMark;

void som_block_row_set_mark(SomBlockRow *row, const SomRowMark *mark); // copied
const SomRowMark *som_block_row_mark(const SomBlockRow *row);

typedef enum SomDropMark {
    SOM_DROP_NONE,
    SOM_DROP_BEFORE,
    SOM_DROP_AFTER,
    SOM_DROP_INTO,
} SomDropMark;

// Where something would be dropped; `depth` of what it would be beside.
void som_block_row_set_drop(SomBlockRow *row, SomDropMark mark, int depth);
SomDropMark som_block_row_drop(const SomBlockRow *row);

// Where the box of a depth begins, in pixels.
int som_block_row_indent(int depth);
