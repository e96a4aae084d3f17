// studio/motion_blocks.h - which block of the text an action of a motion comes from, and back.
//
//     SomMotionBlocks map = som_motion_blocks_find(record, desk);
//     som_desk_select(desk, map.blocks[row]);            // -1: none
//     int row = som_motion_blocks_row(&map, som_desk_selected(desk));
//     som_motion_blocks_free(&map);
//
// Of an action in a behavior that is run the block is that which runs it. Blocks are those of
// som_desk_blocks as they are now; a motion that is stale has none.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/desk.h"
#include "studio/motion_record.h"

// Zero is empty.
typedef struct SomMotionBlocks {
    int *blocks; // one a row; -1: none
    int count;
} SomMotionBlocks;

SomMotionBlocks som_motion_blocks_find(const SomMotionRecord *record, const SomDesk *desk);
void som_motion_blocks_free(SomMotionBlocks *map);

// The first row of a block; -1: none.
int som_motion_blocks_row(const SomMotionBlocks *map, int block);

// Is it a place of the text that was edited, and not of a file that this uses?
bool som_motion_record_is_own(const SomMotionRecord *record, SomSpan span);

// The places of a finding in that text, at most two: where it is written, and the other place of a
// conflict. Returns how many.
int som_motion_finding_spans(const SomMotionRecord *record, const SomFinding *finding,
                             SomSpan spans[2]);
