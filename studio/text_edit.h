// studio/text_edit.h - what changed between two texts, and whether typing goes on with the last
// step of undo.
//
//     SomTextChange change = som_text_change(old, now); // old[at, at + removed) became now[at,
//     ...) if (som_typed_step_take(&step, old, now)) { ... the same step as before ... }

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

// Bytes; begin and end are those of characters in both texts. Zero: nothing has changed.
typedef struct SomTextChange {
    size_t at, removed, added;
} SomTextChange;

SomTextChange som_text_change(SomStr old, SomStr now);

// What somebody else made of a text while it was typed on here. False if both changed the same
// place; `out` is then as it was.
bool som_text_merge(SomStr base, SomStr typed, SomStr other, SomText *out);

// Typing that is one step: letters one after the other on a line, or taken away one after the
// other. Zero: none has begun.
typedef struct SomTypedStep {
    bool has_begun;
    bool removes;
    size_t end; // where it goes on
} SomTypedStep;

// True if the change goes on with the step; else it begins another one.
bool som_typed_step_take(SomTypedStep *step, SomStr old, SomStr now);
void som_typed_step_end(SomTypedStep *step); // what comes is another step
