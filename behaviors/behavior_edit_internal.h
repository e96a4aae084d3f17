// behaviors/behavior_edit_internal.h - what the operations on behaviors share.
//
//     SomBlockWork work;
//     if (som_block_work_begin(&work, design, config)) {
//         som_edits_replace(work.edits, node, text);
//         som_block_work_apply(&work);      // the text, its tree and its blocks are new now
//     }
//     return som_block_work_end(&work);     // refused, or composed and compiled again, and made
//
// An operation may consist of several such steps; only the last text is composed, and is one step
// of the document. After a refusal all that follows has no effect.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/behavior_edit.h"
#include "compose/design_change.h"

typedef struct SomBlockWork {
    SomDesign *design;
    SomText choice;
    SomText config; // the name, in quotes
    SomComposition *now;
    int steps;
    SomText text;
    SomStr newline;        // as the text has them
    const SomSyntax *tree; // at first that of the composition, then
    SomSyntax *own_tree;
    SomDiagnostics *diags; // of it
    SomBlocks *blocks;
    SomEdits *edits;
    SOM_ARRAY(SomText) tidy; // behaviors that were in canonical form
    bool is_refused;
} SomBlockWork;

bool som_block_work_begin(SomBlockWork *work, SomDesign *design, SomStr config);
// Goes on with another text.
bool som_block_work_set_text(SomBlockWork *work, SomStr text);
bool som_block_work_apply(SomBlockWork *work);
bool som_block_work_end(SomBlockWork *work);

// Both return false. The block, -1 for none, is one of the present step.
__attribute__((format(printf, 4, 5))) bool
som_block_work_refuse(SomBlockWork *work, SomCode code, int block, const char *format, ...);

// -1 after a refusal. What is found is kept in canonical form, if it is in it.
int som_block_work_find(SomBlockWork *work, SomBlockPlace place);

// Is the text one action, as it may stand in a list, or one branch of a choose? Blanks round it are
// taken off. False after a refusal.
bool som_block_work_check_action(SomBlockWork *work, SomStr *action);

// The next step: the action is put in. Adds the path of it to `made`, which may be NULL.
bool som_block_work_insert(SomBlockWork *work, SomBlockPlace into, int index, SomStr action,
                           SomText *made);

// A piece of text as it may stand outside of brackets: newlines outside of its own ones become
// blanks. False if there are comments in the way.
bool som_block_text_flatten(SomStr text, SomText *out);

// Is it a member of a list or choose, which may have any number of them?
bool som_block_is_in_row(const SomBlocks *blocks, int block);
// Does the block stand in brackets, in which a newline is a blank?
bool som_block_is_in_brackets(const SomBlocks *blocks, int block);

SomStr som_block_text_trim(SomStr text);
// Lines after the first that are indented like `from` become indented like `to`.
void som_block_text_reindent(SomText *out, SomStr text, SomStr from, SomStr to);

// Ends the operation; som_design_new_name() is what was made, which is freed.
bool som_block_work_end_made(SomBlockWork *work, SomText *made);
