// language/edit_internal.h - what the files of edits share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "language/edit.h"

typedef struct SomReplacement {
    uint32_t begin;
    uint32_t end;
    int order; // of the call
    SomStr text;
} SomReplacement;

typedef SOM_ARRAY(SomReplacement) SomReplacements;

struct SomEdits {
    const SomSyntax *tree;
    SomArena arena; // new texts
    SomReplacements replacements;
    SOM_ARRAY(SomNode) removed; // members of rows
    SomStr newline;             // as the text has them
    SomStr indentation;         // of one level
};

// Turns removed members into deletions, neighbours in one row together.
void som_edits_add_deletions(const SomEdits *edits, SomReplacements *deletions);
