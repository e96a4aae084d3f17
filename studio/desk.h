// studio/desk.h - what of the behaviors of a project is worked on: which one, which block of it,
// and which blocks a finding is about.
//
//     SomDesk *desk = som_desk_create(project);
//     som_desk_listen(desk, on_change, panel);
//     som_desk_choose(desk, SOM_STR("front_left.legStep"));
//     const SomBlocks *blocks = som_desk_blocks(desk);
//     int first = som_blocks_find(blocks, SOM_STR("walk"), SOM_STR("0"));
//     som_desk_select(desk, first);
//     som_desk_destroy(desk);
//
// All that is returned is of the last text that composed (som_project_is_stale) and valid until
// the next SOM_DESK_BLOCKS; findings and palette are made when they are first asked for. Who
// listens to the project after the desk was created hears of a change when the desk is up to date.
// Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_findings.h"
#include "behaviors/behavior_palette.h"
#include "studio/project.h"

typedef struct SomDesk SomDesk;

typedef enum SomDeskChange {
    SOM_DESK_BLOCKS = 1,   // the text changed: blocks, findings and palette are new
    SOM_DESK_BEHAVIOR = 2, // another one is chosen, or it has another name
    SOM_DESK_BLOCK = 4,    // another block is selected, or it has another number
    SOM_DESK_MARKS = 8,    // other blocks are marked
} SomDeskChange;

SomDesk *som_desk_create(SomProject *project); // which must outlive it
void som_desk_destroy(SomDesk *desk);          // NULL is allowed

// As som_project_listen.
void som_desk_listen(SomDesk *desk, SomListener listener, void *context);
void som_desk_unlisten(SomDesk *desk, SomListener listener, void *context);

SomProject *som_desk_project(SomDesk *desk);

// ---- what there is: never NULL, empty if nothing has composed

const SomBlocks *som_desk_blocks(const SomDesk *desk); // of the configuration itself
const SomBlockFindings *som_desk_findings(SomDesk *desk);
const SomPalette *som_desk_palette(SomDesk *desk);

// ---- the behavior

// By its path in the configuration: "walk", or "front_left.legStep" of a part, which is seen and
// played but not edited. A path that is not there changes nothing. It follows new names; by itself,
// and if it is gone, one of the configuration is chosen, the first at first. "": there is none.
void som_desk_choose(SomDesk *desk, SomStr behavior);
SomStr som_desk_behavior(const SomDesk *desk);
int som_desk_own(const SomDesk *desk); // of the blocks; -1: none, or it is one of a part

// The blocks that it is written in, which for one of a part are those of another config, and which
// of their behaviors it is: -1 if there is none.
const SomBlocks *som_desk_shown(const SomDesk *desk, int *behavior);

// ---- blocks of som_desk_blocks

// One of another behavior chooses that, too. -1: none. Kept by its path over edits; what it was in,
// if it is gone.
void som_desk_select(SomDesk *desk, int block);
int som_desk_selected(const SomDesk *desk);

// What a finding is about, copied; forgotten when the text changes.
void som_desk_mark(SomDesk *desk, const int *blocks, int count);
const int *som_desk_marks(const SomDesk *desk, int *count);
