// studio/block_look.h - how the kinds of blocks look: icon, colour, and the word on them.
//
//     SomBlockLook look = som_block_look(SOM_BLOCK_PARALLEL, is_dark);
//     gtk_image_set_from_icon_name(image, look.icon);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_blocks.h"

#include <gtk/gtk.h>

typedef struct SomBlockLook {
    const char *icon;
    const char *word; // NULL where its fields say what it is
    GdkRGBA color;
} SomBlockLook;

SomBlockLook som_block_look(SomBlockKind kind, bool is_dark);

// What stands before a field; NULL: nothing. Of an argument it is the name of its parameter.
const char *som_field_caption(SomBlockKind kind, SomFieldKind field);
