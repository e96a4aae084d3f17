// exchange/timor.h - sets of modules and assemblies of Timor, the toolbox behind CoBRA's
// benchmarks.
//
// `modules.json` holds modules with bodies, joints and connectors; poses are matrices of four rows.
// A connector C has z out of its body; connected ones are C_a Rx(pi) = C_b. Our K has x outwards
// and its first mark along z, so K = C P with the columns of P being z, -y and x, and every mating
// has the roll 0. An assembly names modules of a set by their IDs, in the order in which its
// connections count them, and the pose in which its base stands: P Rx(pi) = C of the base
// connector.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/json_input.h"
#include "exchange/link_model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_TIMOR_MAX_LENGTH 1e5

typedef struct SomTimorConnector {
    SomStr id;
    SomPose pose; // C, in the module with its joints at zero
    char gender;  // m, f or h
    SomStr type;
    SomStr size; // as it is written
    int rigid;   // of the module: connectors of one rigid part have one number, from 0
} SomTimorConnector;

// A module that was read. In the arena of the importer.
typedef struct SomTimorModule {
    SomStr id;
    SomStr type; // its name in M3L
    SomTimorConnector *connectors;
    int connector_count;
    const struct SomTimorModule *next;
} SomTimorModule;

// A connection of an assembly: modules by their numbers, connectors of theirs.
typedef struct SomTimorMating {
    int a, connector_a, b, connector_b;
    SomSpan span;
} SomTimorMating;

bool som_timor_connects(const SomTimorConnector *a, const SomTimorConnector *b);

// The document, with Python's Infinity and NaN read as 1e300 and 2e9. NULL after a report.
const SomJson *som_timor_parse(SomArena *arena, const SomImportFile *file, SomDiagnostics *diags);

// A value that may stand without its brackets if it is the only one of a list.
int som_timor_count(const SomJson *value);
const SomJson *som_timor_item(const SomJson *value, int index);

// Reports modules that are not connected with the first one, and loops that do not close with all
// joints at zero: a warning if there are joints that may close them, else an error. False after an
// error.
bool som_timor_check_matings(const SomTimorModule *const *modules, int count,
                             const SomTimorMating *matings, int mating_count, const SomJson *order,
                             SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
