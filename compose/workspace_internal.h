// compose/workspace_internal.h - what the readers of files and of their meaning share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "compose/loops.h"
#include "compose/name_map_internal.h"
#include "compose/reported.h"
#include "compose/workspace.h"

typedef enum SomDefinitionKind {
    SOM_DEFINES_CONFIG = 1,
    SOM_DEFINES_ROBOT = 2,
    SOM_DEFINES_TYPE = 4,
    SOM_DEFINES_LET = 8,
} SomDefinitionKind;

// What can be made a part.
#define SOM_DEFINES_PARTS (SOM_DEFINES_CONFIG | SOM_DEFINES_ROBOT | SOM_DEFINES_TYPE)

typedef struct SomDefinition {
    SomStr name;
    SomDefinitionKind kind;
    int index; // of the config, robot, type or let of its file
    SomSpan span;
} SomDefinition;

// A let, a parameter or a part of a config, to be found by name.
typedef struct SomLocal {
    SomStr name;
    int index;    // of the parameters, then of the lets; from 0
    SomNode node; // of a let its expression, of a parameter its default or 0, of a part its ITEM
    SomSpan span;
} SomLocal;

typedef struct SomSight {
    int file;
    int distance; // 0 is the file itself
} SomSight;

typedef struct SomFileDraft {
    SomDesignFile file;
    SomText content;
    SOM_ARRAY(SomDefinition) definitions; // by name, then kind
    SOM_ARRAY(SomLocal) lets;             // by name
    struct SomLetValue *let_values;       // of each let; NULL until one is asked for
    SOM_ARRAY(int) uses;
    SOM_ARRAY(SomSight) sight; // of files, nearest first; filled when first asked for
    struct SomLocals *locals;  // of its configs, in the arena
    struct SomLocals *places;  // lets of its configs that name joints and parts, likewise
    struct SomLocals *items;   // parts of its configs, by name
    bool is_opened;            // by the user, not by a file that uses it
    SomNameMap members;        // statements of its configs, by config and kind; see is_indexed
    bool is_indexed;           // members are there
    bool is_loading;
    SomSpan use_span; // of the statement that is being followed
} SomFileDraft;

// Parameters and lets of one config, by name.
typedef struct SomLocals {
    SomLocal *data;
    int count;
} SomLocals;

// All that composing may take, of all configs of a workspace: a few seconds.
#define SOM_MAX_WORKSPACE_STEPS 60000000
#define SOM_MAX_WORKSPACE_LOOP_WORK (3 * SOM_MAX_LOOP_WORK)

// A file beside a design that is no design.
typedef struct SomBesideFile {
    SomStr path;
    SomText content;
    uint32_t source1; // 0: it could not be read
} SomBesideFile;

struct SomWorkspace {
    SomArena arena;
    SomDiagnostics *diags;
    SomStr library;
    SOM_ARRAY(SomFileDraft *) files;
    SOM_ARRAY(SomBesideFile *) beside;
    SOM_ARRAY(int) loading;     // files, each used by the one before
    SomReportedPlaces reported; // by all that composes of it
    size_t bytes;
    bool is_full;
    int64_t steps_left;                    // of composing, for all configs together
    struct SomLibraryNames *library_names; // NULL until a hint needs them
    double loop_work_left;                 // of closing loops, likewise
};

void som_library_names_destroy(struct SomLibraryNames *names); // NULL is allowed

// The value of a NAME node, quotes removed; lives in the text or the arena.
SomStr som_workspace_name(SomWorkspace *workspace, const SomSyntax *tree, SomNode node);

// The comment block above a node, without its '#' signs; empty if there is none.
SomStr som_workspace_doc(SomWorkspace *workspace, const SomSyntax *tree, SomNode node);

// Reads what a file defines, after its tree or M3L and its uses are there.
void som_workspace_define(SomWorkspace *workspace, int file);

// The type of a parameter, from its TYPE node: of a behavior it may also be a kind of joint, or
// what a part is. Reports one that is none.
void som_workspace_read_type(SomWorkspace *workspace, int file, SomNode node,
                             SomParameter *parameter);

// Takes the lets of a config that name joints and parts out of its locals, into its places.
void som_workspace_split_places(SomWorkspace *workspace, int file, int config);

// The nearest definition of one of these kinds that `file` sees; its file goes to *where. NULL if
// there is none. Of two in files equally near the other goes to *rival (else NULL).
const SomDefinition *som_workspace_find(SomWorkspace *workspace, int file, SomStr name,
                                        unsigned kinds, int *where, const SomDefinition **rival);

// All names of these kinds that `file` sees, at most `max`, for hints. Returns how many.
int som_workspace_names(SomWorkspace *workspace, int file, unsigned kinds, SomStr *names, int max);

// What `file` says to use another one, given by its path or as it is said: chain3.som. The path it
// is found at goes to `found`. False if it is neither beside the file nor in the library.
bool som_workspace_find_use(const SomWorkspace *workspace, int file, SomStr path, SomText *name,
                            SomText *found);

// -1 if there is none.
int som_locals_find(const SomLocals *locals, SomStr name);
