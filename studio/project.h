// studio/project.h - the design that a window shows: its text, and what the text composes to.
//
//     SomProject *project = som_project_create(library);
//     som_project_listen(project, on_change, window);
//     if (som_project_open(project, SOM_STR("walker.som"), diags)) {
//         const SomModel *model = som_project_model(project);
//         ... model->mechanism, model->links ...
//     }
//     som_project_set_text(project, typed);        // one step of undo; the listener is told
//     som_project_save(project, som_project_path(project), diags);
//
// After every change the text is composed anew, which takes milliseconds. While it has errors the
// model stays the last one that composed, and says so. Nothing here knows of GTK.
//
// Ownership: the project owns all it returns; it is valid until the next change.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "compose/workspace.h"
#include "language/document.h"
#include "render/link_meshes.h"

typedef struct SomProject SomProject;

// What a text means. `configuration` is NULL until something has composed.
typedef struct SomModel {
    SomDiagnostics *diags; // of the composition
    SomWorkspace *workspace;
    int file; // of the workspace; -1 if there is none
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPosture posture;
    SomPose *links;
    SomLinkMeshes meshes;
} SomModel;

typedef enum SomProjectChange {
    SOM_PROJECT_TEXT = 1,    // and so all that follows from it
    SOM_PROJECT_POSTURE = 2, // joints were moved
    SOM_PROJECT_FILE = 4,    // its path, or whether it is saved
} SomProjectChange;

typedef void (*SomProjectListener)(void *context, unsigned changes);

SomProject *som_project_create(SomStr library); // of an empty text
void som_project_destroy(SomProject *project);  // NULL is allowed

// Who is told of changes; one is enough for a window.
void som_project_listen(SomProject *project, SomProjectListener listener, void *context);

// Opens a file, or a design of the library by its name, as a text that has no path yet. False after
// a report, with the project as it was. A file with errors in its text can be opened.
bool som_project_open(SomProject *project, SomStr path_or_name, SomDiagnostics *diags);

// False after a report. The path becomes the project's.
bool som_project_save(SomProject *project, SomStr path, SomDiagnostics *diags);

SomStr som_project_path(const SomProject *project);  // empty if it was never saved
SomStr som_project_title(const SomProject *project); // the file's name, or "Untitled"
bool som_project_is_saved(const SomProject *project);

SomStr som_project_text(const SomProject *project);
const SomSyntax *som_project_tree(const SomProject *project);

// Each is a step of undo. Edits that overlap change nothing and give false.
void som_project_set_text(SomProject *project, SomStr text);
bool som_project_apply(SomProject *project, const SomEdits *edits);
bool som_project_undo(SomProject *project); // false if there is nothing to undo
bool som_project_redo(SomProject *project);
bool som_project_can_undo(const SomProject *project);
bool som_project_can_redo(const SomProject *project);

// Which configuration is shown, with arguments as in `--config`; empty: the first of the file.
void som_project_choose(SomProject *project, SomStr config);
SomStr som_project_choice(const SomProject *project);

const SomModel *som_project_model(const SomProject *project);
bool som_project_is_stale(const SomProject *project);                     // the text has errors now
const SomDiagnostics *som_project_diagnostics(const SomProject *project); // of the text as it is

// Is it a place of the project's own text, and not of a file that this uses?
bool som_project_is_own(const SomProject *project, SomSpan span);

// Moves a joint, without a change of the text.
void som_project_move(SomProject *project, int dof, double value);
