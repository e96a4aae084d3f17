// behaviors/behavior_palette.h - what can be put into a behavior: behaviors of all parts, moves of
// all joints, poses, docks, and the ways to compose them.
//
//     SomPalette *palette = som_palette_create(composition);
//     for (int i = 0; i < palette->item_count; i++) { ... palette->items[i].title ... }
//     som_palette_destroy(palette);
//
// Each item has the text to insert, which som_behavior_insert takes: "front_left.legStep",
// "drive(90deg/s, 1s)" with values for what must be given, "head.bend to 0deg". Behaviors come
// first, those of the whole before those of its parts, the nearer ones before the deeper; then
// poses, docks and joints.
//
// Ownership: the composition is held as long.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomPaletteKind {
    SOM_PALETTE_BEHAVIOR,
    SOM_PALETTE_POSE,
    SOM_PALETTE_DOCK, // to connect; the text of disconnecting it is another item
    SOM_PALETTE_JOINT,
    SOM_PALETTE_FLOW, // series, wait, …
} SomPaletteKind;

typedef struct SomPaletteItem {
    SomPaletteKind kind;
    SomStr title;  // front_left.legStep
    SomStr text;   // to insert
    SomStr params; // of a behavior, as written: "s: angle = 12deg"
    SomStr doc;
    int part;  // of the configuration, that it is of
    int depth; // of that part: 0 is the whole
    int index; // of the behavior, pose, dock or DoF
} SomPaletteItem;

typedef struct SomPalette {
    const SomPaletteItem *items;
    int item_count;
    SomComposition *composition;
    SomArena arena;
} SomPalette;

// Empty if nothing is composed.
SomPalette *som_palette_create(SomComposition *composition);
void som_palette_destroy(SomPalette *palette); // NULL is allowed

// Would the behavior contain itself if it ran this item? The blocks are those of the composition.
bool som_palette_is_circular(const SomPalette *palette, const SomBlocks *blocks, int item,
                             SomStr behavior);

#ifdef __cplusplus
}
#endif
