// exchange/export.h - designs and behaviors for other programs: the table of formats, and a job.
//
//     const SomExportFormat *format = som_export_find(SOM_STR("sdf"));
//     SomExport job = {.workspace = workspace, .design = design, .posture = &posture,
//                      .behavior = SOM_STR("walk"), .out = SOM_STR("walkbot_sdf"), .diags = diags};
//     if (som_export(format, &job)) { … job.files, or job.text without `out` … }
//     som_export_free(&job);
//
// A format is one row of the table in export.c and a function that writes it: it hands the one text
// of a format to som_export_text, or makes the folder `out` and hands each file to
// som_export_save_in.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/posture.h"
#include "compose/workspace.h"
#include "exchange/sdf.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_EXPORT_TICK 0.01 // seconds, unless the job says otherwise

// Pairs of links that never touch, whatever the joints do, each once; in the arena. Returns how
// many. What verify/never_touch.h has.
typedef int (*SomNeverTouch)(const SomMechanism *mechanism, const SomPosture *posture,
                             SomArena *arena, const SomMechanismPair **pairs);

// A file, or without content a folder, that is written when all of them are known.
typedef struct SomExportFile {
    SomStr path, content;
    bool is_folder;
} SomExportFile;

// Zero is the default for all but workspace, design, posture and diags, which are borrowed.
typedef struct SomExport {
    SomWorkspace *workspace; // of the design
    const SomConfiguration *design;
    const SomPosture *posture;
    SomStr behavior;    // with arguments, as it is called; empty: none
    SomStr out;         // file or folder; empty: a text that is not written
    bool is_forced;     // write a behavior that has errors
    bool may_replace;   // files that exist; else they are reported, and nothing is written
    bool is_full;       // every link and joint, nothing merged or locked
    SomStr trace;       // file that the plugin writes; empty: none
    double tick;        // of the loop in C, seconds; 0: SOM_EXPORT_TICK
    int sdf_version;    // 9 is SDF 1.9; 0: SOM_SDF_USUAL
    SomMeshLooks looks; // NULL: shapes
    const void *looks_context;
    bool has_plugins;          // SDF, URDF: those of imported modules, which simulators load
    bool has_relative_meshes;  // paths of meshes of URDF; else they are of a package of ROS
    SomNeverTouch never_touch; // NULL: nobody knows
    SomDiagnostics *diags;
    bool (*is_cancelled)(void *context); // asked before each file; NULL: never
    void *context;

    SomActionGraph *graph;   // of the behavior; made by the job
    int ignored_errors;      // of the behavior, because it is forced
    SomText text;            // what was not written
    SOM_ARRAY(SomStr) files; // that were written
    SOM_ARRAY(SomExportFile) planned;
    SomArena arena; // of both
} SomExport;

typedef struct SomExportFormat {
    const char *name;   // --to NAME
    const char *what;   // for people: "picture of a behavior"
    const char *ending; // of the file: ".svg"; NULL: a folder
    bool needs_behavior;
    bool needs_output;
    bool has_looks;  // calls `looks`
    bool has_bodies; // links and joints, which can be merged and locked
    void (*write)(SomExport *job);
} SomExportFormat;

// All there are.
const SomExportFormat *som_export_formats(int *count);
const SomExportFormat *som_export_find(SomStr name); // NULL: there is none

// False after errors, which are reported; then no file is written that was not there before.
bool som_export(const SomExportFormat *format, SomExport *job);
void som_export_free(SomExport *job); // what the job made

// ---- for formats: what they save is written after they have returned

bool som_export_text(SomExport *job, SomStr text);
bool som_export_save(SomExport *job, SomStr path, SomStr content);
bool som_export_save_in(SomExport *job, SomStr name, SomStr content); // a file of the folder `out`
bool som_export_make_folder(SomExport *job, SomStr name); // "." is `out`, else a folder in it

void som_export_mjcf(SomExport *job); // export_physics.c
void som_export_sdf(SomExport *job);
void som_export_c(SomExport *job);    // c_export.c
void som_export_urdf(SomExport *job); // export_urdf.c

#ifdef __cplusplus
}
#endif
