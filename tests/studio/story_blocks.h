// tests/studio/story_blocks.h - what stories about behaviors share: actions of the palette, blocks
// and their fields, as a person uses them.
//
//     som_story_add_behavior(window, "gait");                                  // series()
//     som_story_drop(window, som_story_action(window, "e1", "halfSine1"), "", 0.7);
//     som_story_set_field(window, "0", SOM_FIELD_ARGUMENT, "20deg");
//
// Blocks are called by their paths in the behavior that is worked on: "" is all of it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/block_panel.h"
#include "tests/studio/ui.h"

SomBlockList *som_story_blocks(SomWindow *window);
int som_story_block(SomWindow *window, const char *path); // its number; fails if there is none
SomBlockRow *som_story_block_row(SomWindow *window, const char *path); // when it is drawn
void som_story_select_block(SomWindow *window, const char *path);      // by a click

// An action of the palette, searched for by pieces of its title.
GtkWidget *som_story_action(SomWindow *window, const char *pieces, const char *title);

// Drags a widget onto a block: at the height of it, from 0 to 1.
void som_story_drop(SomWindow *window, void *what, const char *path, double height);

// Sets what a field of a block says, by a click and keys.
void som_story_set_field(SomWindow *window, const char *path, SomFieldKind kind, const char *text);

void som_story_add_behavior(SomWindow *window, const char *name); // which is chosen then
