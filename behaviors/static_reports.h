// behaviors/static_reports.h - what the static checks have found, one report per cause.
//
//     SomStaticReports reports = {.graph = graph};
//     som_static_report(&reports, &(SomStaticReport){.code = code, .node = node}, "'%s' is …",
//     name); som_static_reports_end(&reports, diags);
//
// A report is placed first at the statement of the user that leads to its node
// (behaviors/graph_origin.h), with the way to the node as notes. Reports of one code at one
// statement become one: the others are named in a note.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/memory.h"
#include "behaviors/static_checks.h"

typedef struct SomStaticReport {
    SomCode code;
    int32_t node;
    int32_t cause;    // a node, noted with `why`, if `why` is not NULL
    const char *why;  // borrowed
    const char *name; // what it is about, borrowed; NULL: nothing with a name
    SomStr hint;      // a note, if all reports of the statement have the same; copied
    SomStr message;   // filled in
    SomSpan place;    // filled in
} SomStaticReport;

typedef struct SomStaticReports {
    const SomActionGraph *graph;
    SOM_ARRAY(SomStaticReport) all;
    SomArena arena;
} SomStaticReports;

// The graph has to outlive the reports.
__attribute__((format(printf, 3, 4))) void som_static_report(SomStaticReports *reports,
                                                             const SomStaticReport *report,
                                                             const char *format, ...);

// Whether the node is written in a behavior that the user's statement runs.
bool som_static_is_inside(const SomActionGraph *graph, int32_t node);

// All conflicts of a behavior, one report for each cause.
void som_static_report_conflicts(const SomActionGraph *graph, SomDiagnostics *diags);

// Reports everything and frees it.
void som_static_reports_end(SomStaticReports *reports, SomDiagnostics *diags);
