// studio/project.h - the design that a window shows: its text, what the text composes to, what is
// selected of it and what verification says.
//
//     SomProject *project = som_project_create(library);
//     som_project_listen(project, on_change, panel);
//     if (som_project_open(project, SOM_STR("walker.som"), diags)) {
//         const SomModel *model = som_project_model(project);
//         ... model->mechanism, model->links ...
//     }
//     som_project_set_text(project, typed);        // one step of undo; the listeners are told
//     som_project_edited(project, som_design_remove_part(som_project_design(project),
//                                                        som_project_choice(project), part, true));
//     som_project_save(project, som_project_path(project), diags);
//
// After every change the text is composed anew, once, which takes milliseconds. While it has errors
// the model stays the last one that composed, and says so. Nothing here knows of GTK.
//
// Ownership: the project owns all it returns; it is valid until the next change.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/design_edit.h"
#include "studio/listeners.h"
#include "studio/posture_verdict.h"
#include "studio/project_model.h"

typedef struct SomProject SomProject;

typedef enum SomProjectChange {
    SOM_PROJECT_TEXT = 1,      // and so all that follows from it
    SOM_PROJECT_POSTURE = 2,   // joints were moved
    SOM_PROJECT_FILE = 4,      // its path, or whether it is saved
    SOM_PROJECT_SELECTION = 8, // another module, or it has another index
    SOM_PROJECT_VERDICT = 16,  // there is a new one
    SOM_PROJECT_REFUSAL = 32,  // of an operation: som_design_refusal says why
} SomProjectChange;

SomProject *som_project_create(SomStr library); // of an empty text
void som_project_destroy(SomProject *project);  // NULL is allowed

// Who is told of changes, in the order they came. Who dies before the project must stop listening;
// that may be done while it is told, and so may changes.
void som_project_listen(SomProject *project, SomListener listener, void *context);
void som_project_unlisten(SomProject *project, SomListener listener, void *context);

SomStr som_project_library(const SomProject *project);

// ---- files

// Opens a file, or a design of the library by its name, as a text that has no path yet. False after
// a report, with the project as it was. A file with errors in its text can be opened.
bool som_project_open(SomProject *project, SomStr path_or_name, SomDiagnostics *diags);

// Begins with a text that is not on the disk: a new design, all empty, or what was kept of one that
// was not saved. `saved` is what the file at `path` holds; both may be empty.
void som_project_begin(SomProject *project, SomStr path, SomStr saved, SomStr text);

// False after a report. The path becomes the project's.
bool som_project_save(SomProject *project, SomStr path, SomDiagnostics *diags);

SomStr som_project_path(const SomProject *project);  // empty if it was never saved
SomStr som_project_title(const SomProject *project); // the file's name, or "Untitled"
bool som_project_is_saved(const SomProject *project);

// What the file holds, as far as the project knows; another program may have changed it, and who
// finds that out says so.
SomStr som_project_saved(const SomProject *project);
void som_project_set_saved(SomProject *project, SomStr saved);

// ---- the text

SomStr som_project_text(const SomProject *project);
// Another number after each change of the text, or of what it composes to.
unsigned som_project_revision(const SomProject *project);

// Each is a step of undo.
void som_project_set_text(SomProject *project, SomStr text);
// What is typed on: no step of its own, but a part of the last one.
void som_project_amend_text(SomProject *project, SomStr text);
bool som_project_undo(SomProject *project); // false if there is nothing to undo
bool som_project_redo(SomProject *project);
bool som_project_can_undo(const SomProject *project);
bool som_project_can_redo(const SomProject *project);

// For the operations of compose/design_edit.h, with the project's choice as their config; another
// file that is opened has another design.
SomDesign *som_project_design(SomProject *project);

// After an operation. If it was made, what it composed is shown; else SOM_PROJECT_REFUSAL is told.
// Returns `was_made`.
bool som_project_edited(SomProject *project, bool was_made);

// ---- what it means

// Which configuration is shown, with arguments as in `--config`; empty: the first of the file. It
// is followed when it is renamed.
void som_project_choose(SomProject *project, SomStr config);
SomStr som_project_choice(const SomProject *project);

const SomModel *som_project_model(const SomProject *project);
bool som_project_is_stale(const SomProject *project);                     // the text has errors now
const SomDiagnostics *som_project_diagnostics(const SomProject *project); // of the text as it is

// Is it a place of the project's own text, and not of a file that this uses? Of the text as it is.
bool som_project_is_own(const SomProject *project, SomSpan span);

// Moves a joint, without a change of the text. What was moved stays so while parts come and go,
// unless the design comes to start otherwise there.
void som_project_move(SomProject *project, int dof, double value);
// All joints, one value a DoF of the model; NULL: as the design starts.
void som_project_set_posture(SomProject *project, const double *values);

// ---- what is selected

// A module of the model, -1: none. Kept by its place over compositions.
void som_project_select(SomProject *project, int module);
int som_project_selected(const SomProject *project);
// The part of the configuration that it is or lies in, as som_design_* call it: front_left, leg[2].
// Empty if there is none.
SomStr som_project_selected_part(const SomProject *project);
// That part of the model's configuration; -1 if none.
int som_project_selected_part_index(const SomProject *project);

// ---- what verification says

// Of the posture shown; found in a thread, told with SOM_PROJECT_VERDICT.
const SomPostureVerdict *som_project_verdict(const SomProject *project);

// From now on what changes is verified. The thread calls `wake` when it has an answer; who is woken
// then calls som_project_collect where all else is called from. NULL: nothing is verified.
void som_project_set_wake(SomProject *project, void (*wake)(void *context), void *context);
void som_project_collect(SomProject *project);
bool som_project_is_verified(const SomProject *project); // what changes is
// For tests and pictures: waits until all is verified, and collects.
void som_project_await(SomProject *project);
