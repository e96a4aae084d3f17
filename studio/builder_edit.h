// studio/builder_edit.h - what a designer does with the block that is selected on a desk.
//
//     som_builder_insert(desk, SOM_STR("front_left.legStep")); // at the selected block
//     som_builder_wrap(desk, 1, SOM_BLOCK_PARALLEL);
//     SomBuilderTarget target = som_builder_target(blocks, block, SOM_BUILDER_AFTER);
//     som_builder_drop(desk, dragged, target); // moves it there
//
// Each is an operation of behaviors/behavior_edit.h on the desk's project: one step of undo,
// refused with a reason (SOM_PROJECT_REFUSAL). False if it was. What was made or moved is selected
// after it. Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_edit.h"
#include "studio/desk.h"

typedef enum SomBuilderSide {
    SOM_BUILDER_BEFORE,
    SOM_BUILDER_AFTER,
    SOM_BUILDER_FIRST, // in it
    SOM_BUILDER_LAST,
} SomBuilderSide;

// A place for an action, as som_behavior_insert takes it.
typedef struct SomBuilderTarget {
    int into; // block; -1: nowhere
    int index;
} SomBuilderTarget;

SomBuilderTarget som_builder_target(const SomBlocks *blocks, int block, SomBuilderSide side);
// Where something new goes: into the selected block if it is a list, else behind it; without one to
// the end of the behavior.
SomBuilderTarget som_builder_target_selected(const SomDesk *desk);
// May a block go there? Not into itself, and not to where it is.
bool som_builder_can_move(const SomBlocks *blocks, int block, SomBuilderTarget target);

// ---- behaviors

bool som_builder_add(SomDesk *desk, SomStr name); // and chooses it
bool som_builder_rename(SomDesk *desk, SomStr name);
bool som_builder_remove(SomDesk *desk);
// Of a behavior of a part: one that runs it, in the configuration itself.
bool som_builder_add_call(SomDesk *desk);

// ---- blocks; those without a block are about the selected one

bool som_builder_insert(SomDesk *desk, SomStr action);
bool som_builder_insert_at(SomDesk *desk, SomBuilderTarget target, SomStr action);
bool som_builder_drop(SomDesk *desk, int block, SomBuilderTarget target);
bool som_builder_step(SomDesk *desk,
                      int way); // 1: behind the next one, -1: before the last; or out
bool som_builder_duplicate(SomDesk *desk);
bool som_builder_delete(SomDesk *desk);
// `count` blocks from the selected one on.
bool som_builder_wrap(SomDesk *desk, int count, SomBlockKind kind);
bool som_builder_unwrap(SomDesk *desk);
bool som_builder_set_kind(SomDesk *desk, SomBlockKind kind);

// ---- fields

bool som_builder_set_field(SomDesk *desk, int block, SomFieldKind kind, int nth, SomStr text);
bool som_builder_clear_field(SomDesk *desk, int block, SomFieldKind kind, int nth);
// A clause that the block does not have yet, with a value to begin with.
bool som_builder_takes_clause(const SomBlocks *blocks, int block, SomFieldKind kind);
bool som_builder_add_clause(SomDesk *desk, int block, SomFieldKind kind);

// ---- recording

// The posture that is shown, of the joints that are not where `last` has them (one value a DoF;
// NULL: where the design starts), goes to where something new goes. With a name it becomes a pose.
// False also if no joint has moved.
bool som_builder_record(SomDesk *desk, SomStr pose, const double *last);
