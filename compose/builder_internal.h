// compose/builder_internal.h - what the files of the builder share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/builder.h"
#include "compose/name_map_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

// More values in all named poses together is a diagnostic.
#define SOM_MAX_POSE_VALUES 5000000

typedef struct SomPathIndex {
    SomNameMap parts, poses, behaviors, docks, inputs; // by path
    SomNameMap constants;                              // by part and name
    SomNameMap places;                                 // likewise
    int *docks_by_ends;                                // docks in the order of their ends
} SomPathIndex;

// What was said of a part beside what a configuration keeps.
typedef struct SomPartDraft {
    int module; // -1 if it is none
    int start_pose;
} SomPartDraft;

// One line of a pose: a value, or all values of another pose.
typedef struct SomPoseLine {
    int pose;
    int other; // -1: a value
    int dof;
    double value;
    SomSpan span;
    uint8_t alias1; // 1 + index of the alias it is written with; 0: the joint's own name
} SomPoseLine;

struct SomBuilder {
    SomArena arena;
    SOM_ARRAY(SomPart) parts;
    SOM_ARRAY(SomPartDraft) drafts;
    SOM_ARRAY(SomModule) modules;
    SOM_ARRAY(SomConnectDef) connects;
    SOM_ARRAY(int) connect_parts;
    SOM_ARRAY(int) connect_docks; // the dock it is of; -1: it always stays
    SOM_ARRAY(SomDock) docks;
    SOM_ARRAY(SomConnection) connections; // of connects, resolved
    SOM_ARRAY(SomModuleDof) dofs;
    SOM_ARRAY(SomNamedPose) poses;
    SOM_ARRAY(SomPoseLine) pose_lines;
    SOM_ARRAY(SomBehaviorName) behaviors;
    SOM_ARRAY(SomConstant) constants;
    SOM_ARRAY(SomNamedPlace) places;
    SOM_ARRAY(SomInputName) inputs;
    SOM_ARRAY(SomSetting) settings;
    SomReportedPlaces reported;
    SomReportedPlaces *shared; // instead, if not NULL
    double *loop_work_left;    // NULL: as much as one design may take
    bool has_failed;           // something was an error, reported now or before
    SomNameMap part_names;     // name[index] in a part
    SomNameMap shared_texts;   // where a text was given, to shared_copies
    SOM_ARRAY(SomStr) shared_copies;
    size_t path_bytes;
    SomPathIndex paths;
    int open;
    SOM_ARRAY(SomBaseDef) bases;  // as they were given
    SOM_ARRAY(int) piece_bases;   // which of them is that of each piece; -1: the default
    SOM_ARRAY(int) piece_modules; // the first of each
    SOM_ARRAY(int) more_bases;    // fixed ones of pieces that have a fixed one
    SomSpan base_spot;            // source1 0: none
    bool is_too_large;
    bool is_too_deep;
    SomDiagnostics *diags; // while finishing
};

// Once all docks are there.
void som_configuration_index_docks(SomConfiguration *configuration);

// True if this has not yet been said at this place: a statement may stand for many connections.
bool som_builder_is_new(SomBuilder *builder, SomCode code, SomSpan span);

// Is this one of a dock that is open at first?
bool som_builder_is_open(const SomBuilder *builder, int connect);

// After that: which pieces there are and the base of each; what is wrong with them is reported.
void som_builder_find_pieces(SomBuilder *builder);
// Of a piece as it was said; the ground is not found yet.
SomBase som_builder_base_of(SomBuilder *builder, int piece);
// Fixed bases that a piece has besides its own: do they agree with it as the design starts? And do
// docks between fixed pieces have a chance to close?
void som_builder_check_fixed(SomBuilder *builder, const SomConfiguration *configuration);

// From connects to connections; what cannot be is reported and left out.
void som_builder_resolve_connections(SomBuilder *builder);

#ifdef __cplusplus
}
#endif
