// command/export.h - what the formats of `somite export` share.
//
// A format is one row of the table in command/verb_export.c and a function that writes it:
//
//     static void write_graph(SomExportJob *job) {
//         SomText text = {0};
//         ...
//         som_export_text(job, som_text_str(&text)); // to -o, or printed
//         som_text_free(&text);
//     }
//
// A format of several files makes the folder -o itself and hands each to som_export_save. Every
// file that was written is listed in the --json document.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"
#include "player/graph.h"

typedef struct SomExportJob {
    SomCommand *command;
    const SomConfiguration *design;
    const SomPosture *posture;   // as --pose and --set want it
    const SomActionGraph *graph; // of --behavior; NULL without one
    const char *out;             // -o; NULL: what is text is printed
    SOM_ARRAY(SomStr) files;     // that were written
} SomExportJob;

typedef struct SomExportFormat {
    const char *name; // --to NAME
    const char *what; // for people: "picture of a behavior"
    bool needs_behavior;
    bool needs_output; // a folder, or bytes that are no text
    void (*write)(SomExportJob *job);
} SomExportFormat;

// The one file of a format: to -o, or printed. False after a report.
bool som_export_text(SomExportJob *job, SomStr text);

// One of several files. False after a report.
bool som_export_save(SomExportJob *job, const char *path, SomStr content);

// Formats of simulators, in command/export_physics.c.
void som_export_mjcf(SomExportJob *job);
void som_export_sdf(SomExportJob *job);
