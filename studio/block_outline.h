// studio/block_outline.h - which blocks of a behavior are seen, one a row: those in a folded block
// are not.
//
//     SomBlockOutline outline = {0};
//     SomOutlineChange change = som_outline_set(&outline, blocks, behavior); // a new text
//     ... rows [change.at, change.at + change.removed) of before became change.added others ...
//     som_outline_fold(&outline, row, true);
//     int row = som_outline_find(&outline, block);
//     som_outline_free(&outline);
//
// After another text the rows that say the same stay, and so does what was folded, wherever it went
// to. Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_blocks.h"

#include <stdint.h>

typedef struct SomOutlineRow {
    int block;
    uint64_t look; // the same for what looks the same: words, depth, what it lies in
    bool is_folded;
} SomOutlineRow;

// A block of the behavior, seen or not.
typedef struct SomOutlineBlock {
    uint64_t words, look, rails; // what it says, how it looks, what it and all round it are
    bool is_folded;
    int end;
} SomOutlineBlock;

// Zero is empty.
typedef struct SomBlockOutline {
    SOM_ARRAY(SomOutlineRow) rows; // that are seen
    SOM_ARRAY(SomOutlineBlock) all;
    int first; // block of the first of them
} SomBlockOutline;

// Rows that were replaced. Where as many came as went, each became the one in its place.
typedef struct SomOutlineChange {
    int at, removed, added;
} SomOutlineChange;

// behavior -1: none. What was folded in another behavior is forgotten if `is_other`.
SomOutlineChange som_outline_set(SomBlockOutline *outline, const SomBlocks *blocks, int behavior,
                                 bool is_other);
SomOutlineChange som_outline_fold(SomBlockOutline *outline, int row, bool is_folded);
// Unfolds all that a block lies in.
SomOutlineChange som_outline_reveal(SomBlockOutline *outline, int block);
void som_outline_free(SomBlockOutline *outline);

// The row of a block, or of the folded one that it lies in; -1 if it is none of this behavior.
int som_outline_find(const SomBlockOutline *outline, int block);

// How many of the blocks that a row lies in, and of itself, end with it.
int som_outline_closes(const SomBlockOutline *outline, const SomBlocks *blocks, int row);
