// studio/drafts.h - unsaved work, kept on the disk where the end of the program can't take it.
//
//     SomDrafts *drafts = som_drafts_create(folder, diags);
//     int slot = som_drafts_open(drafts);                    // one for each window
//     som_drafts_keep(drafts, slot, &(SomDraft){.path = path, .text = text, .time = now});
//     som_drafts_drop(drafts, slot);                         // it was saved, or is given up
//
//     int count = som_drafts_find(drafts, &arena, &found, diags); // of studios that were killed
//     som_drafts_forget(drafts, found[0].file);              // restored or not wanted
//
// A thread of its own writes what is to be kept, half a second after the first change that is not
// kept yet, so whoever calls never waits for the disk. Each studio holds a lock on a file of its
// own as long as it lives; drafts whose owner holds none are found by the next one that asks, and
// by no other at the same time.
//
// A draft is a small file: "somite draft 1", the time, then path, config, what the path held and
// the text, each after its length, and "end". The reader takes what the writer writes and nothing
// else.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"

typedef struct SomDrafts SomDrafts;

typedef struct SomDraft {
    SomStr path;   // of the design's file; empty if it has none
    SomStr config; // the choice that was shown
    SomStr saved;  // what the file held, as far as was known
    SomStr text;
    int64_t time; // of the change, in seconds since 1970
    SomStr file;  // of the draft itself, for som_drafts_forget; not written
} SomDraft;

// Makes the folder. NULL after a report.
SomDrafts *som_drafts_create(SomStr folder, SomDiagnostics *diags);

// What is not yet written is written before; NULL is allowed.
void som_drafts_destroy(SomDrafts *drafts);

int som_drafts_open(SomDrafts *drafts);
void som_drafts_close(SomDrafts *drafts, int slot); // drops it, too

// All is copied.
void som_drafts_keep(SomDrafts *drafts, int slot, const SomDraft *draft);
void som_drafts_drop(SomDrafts *drafts, int slot);

// Waits until the disk has all that was asked for.
void som_drafts_settle(SomDrafts *drafts);

// Whether something could not be kept since it was asked last; then `words` is the reason. What
// fails again and again is told once.
bool som_drafts_has_failed(SomDrafts *drafts, SomText *words);

// Drafts without an owner, the newest first; this studio owns them from now on, but leaves them
// where they are. Damaged ones are reported and put aside. They live in the arena.
int som_drafts_find(SomDrafts *drafts, SomArena *arena, const SomDraft **found,
                    SomDiagnostics *diags);

// Removes one that was found, after what is being kept is on the disk.
void som_drafts_forget(SomDrafts *drafts, SomStr file);

// The file's content. What is read points into `content`; false after a report.
void som_draft_write(const SomDraft *draft, SomText *out);
bool som_draft_read(SomStr content, uint32_t source1, SomDraft *draft, SomDiagnostics *diags);
