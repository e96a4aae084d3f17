// studio/findings.h - what is wrong with a project, in lines for people: text and posture together.
//
//     SomFindingRows rows = som_finding_rows(project);
//     for (int i = 0; i < rows.all.count; i++) { ... rows.all.data[i].words ... }
//     som_finding_rows_free(&rows);
//
// First what is wrong with the text, in its order, then what verification has found, the worst
// first. Nothing here knows of GTK.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

// More are counted, not listed.
#define SOM_MAX_FINDING_ROWS 300

typedef struct SomFindingRow {
    SomSeverity severity;
    SomCode code;
    bool is_verdict; // of the posture, not of the text
    SomText words;   // what is wrong
    SomText detail;  // where, and what to do: "line 4, change 'hed' to 'head'"; may be empty
    bool is_own;     // it has a place in the project's own text
    SomSpan span;
    int module;   // of the model that it is about; -1: none
    int motion;   // finding about the motion of a behavior that it is; -1: it is none
    bool has_fix; // that can be made: `fix` is replaced
    SomSpan fix;  // in the own text
    SomText replacement;
} SomFindingRow;

typedef struct SomFindingRows {
    SOM_ARRAY(SomFindingRow) all;
    int errors, warnings; // of all, listed or not
    int unchecked;        // what verification has not checked
    int unlisted;
    unsigned revision; // of the project: places are in that text
} SomFindingRows;

SomFindingRows som_finding_rows(const SomProject *project);
// Behind them what was found about the motion of a behavior, which is of the text as it is, with
// its times, the worst first.
void som_finding_rows_add_motion(SomFindingRows *rows, const SomProject *project,
                                 const SomVerification *found);
void som_finding_rows_free(SomFindingRows *rows);
bool som_finding_rows_equal(const SomFindingRows *a, const SomFindingRows *b);

// "No findings", "1 error, 2 warnings".
void som_finding_rows_summarize(const SomFindingRows *rows, SomText *out);

// Makes the fix of a row, one step of undo; nothing if the text is another one by now.
void som_finding_rows_fix(const SomFindingRows *rows, int row, SomProject *project);

// For a badge: the worst of all that is known and words for it. False if there is nothing to say,
// of an empty text.
bool som_finding_badge(const SomProject *project, SomSeverity *severity, SomText *words);
