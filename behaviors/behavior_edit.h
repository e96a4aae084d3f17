// behaviors/behavior_edit.h - what a designer does with behaviors, as edits of their text.
//
//     som_behavior_add(design, config, SOM_STR("sineGait"), SOM_STR(""));
//     SomBlockPlace gait = {SOM_STR("sineGait"), SOM_STR("")}; // all of it: series()
//     som_behavior_insert(design, config, gait, SOM_LAST, SOM_STR("halfSine1"));
//     bool done = som_behavior_insert(design, config, gait, SOM_LAST, SOM_STR("halfSine2"));
//     if (!done) { som_diagnostics_print(som_design_refusal(design), 0, &text); }
//     som_document_undo(som_design_document(design)); // each operation is one step
//
// The rules are those of compose/design_edit.h: an operation changes what it is about and nothing
// else, comments included. It is refused, with a reason, if the text does not compose before and
// after it, or if a behavior that was compiled before would not be any more; of the other configs
// of the file those count that have this one as a part. Conflicts and other findings are no reason:
// behaviors/behavior_findings.h shows them.
//
// Layout: a behavior in canonical form stays in it. In one that people have laid out themselves new
// blocks stand as their neighbours do.
//
// Blocks are those of behaviors/behavior_blocks.h, called by their paths; after an operation that
// made or moved a block, som_design_new_name() is its path.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_blocks.h"
#include "compose/design_edit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_LAST (-1) // as an index: behind all others

typedef struct SomBlockPlace {
    SomStr behavior; // of the config itself
    SomStr path;     // "" is all of it, "1/0" the first in the second
} SomBlockPlace;

// ---- behaviors; som_design_rename_behavior renames one

// Behind the others, under this name or one like it that is free, see som_design_new_name(). Empty:
// the action is series().
bool som_behavior_add(SomDesign *design, SomStr config, SomStr name, SomStr action);
// Refused where something in the file runs it.
bool som_behavior_remove(SomDesign *design, SomStr config, SomStr name);

// ---- blocks

// Puts an action in as the child of this number. Into a repetition, a branch or a for it goes
// beside what is there, in one series; so it does onto an action that has no children, before it if
// the index is 0, else behind. Into an if: 0 is then, else else. A choose takes "CONDITION:
// action", or as long as it has no else an action, too.
bool som_behavior_insert(SomDesign *design, SomStr config, SomBlockPlace into, int index,
                         SomStr action);

// To a place as in insert, said of the text as it is; with its comments. What must hold an action
// is left with series().
bool som_behavior_move(SomDesign *design, SomStr config, SomBlockPlace block, SomBlockPlace into,
                       int index);
bool som_behavior_remove_block(SomDesign *design, SomStr config, SomBlockPlace block);
bool som_behavior_replace(SomDesign *design, SomStr config, SomBlockPlace block, SomStr action);

// Once more behind itself; what is all of a behavior, or of a repetition, becomes a series.
bool som_behavior_duplicate(SomDesign *design, SomStr config, SomBlockPlace block);

// Puts a block and those behind it, `count` together, into a new one: series, parallel, any, or
// repeat, whose `times` may be "3", "until C" or "forever"; empty: 2.
bool som_behavior_wrap(SomDesign *design, SomStr config, SomBlockPlace first, int count,
                       SomBlockKind kind, SomStr times);

// What is in it takes its place: of a list in a list all of it, else the one action.
bool som_behavior_unwrap(SomDesign *design, SomStr config, SomBlockPlace block);

// Series, parallel and any become each other.
bool som_behavior_set_kind(SomDesign *design, SomStr config, SomBlockPlace block,
                           SomBlockKind kind);

// ---- fields

// The nth of its kind becomes this text. A clause that is not there yet is added: until, within,
// at, during, timeout, hold, from and if of a for; so is the argument behind the last ("p = 3deg").
bool som_behavior_set_field(SomDesign *design, SomStr config, SomBlockPlace block,
                            SomFieldKind kind, int nth, SomStr text);

// A number in SI, written in the unit that stands there, else in that of its dimension.
bool som_behavior_set_quantity(SomDesign *design, SomStr config, SomBlockPlace block,
                               SomFieldKind kind, int nth, SomQuantity quantity);

// Takes a clause or argument away.
bool som_behavior_clear_field(SomDesign *design, SomStr config, SomBlockPlace block,
                              SomFieldKind kind, int nth);

// ---- recording

// A posture becomes an action at a place as in insert: moves of these joints in parallel; or, with
// a name, a pose of the config, which is made or gets these values, and the way to it.
bool som_behavior_record(SomDesign *design, SomStr config, SomBlockPlace into, int index,
                         SomStr pose, const SomJointValue *values, int count);

#ifdef __cplusplus
}
#endif
