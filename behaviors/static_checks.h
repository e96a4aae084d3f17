// behaviors/static_checks.h - what can be said about a compiled behavior without playing it.
//
//     SomStaticDef def = {.graph = graph, .servos = servos};
//     som_static_check(&def, diags);                       // everything, as reports
//     SomDuration *durations = som_static_durations(&def); // [least, most] of every node
//     som_free(durations);
//
// Conflicts are exact: for each parallel or any node and each DoF or dock, whether two of its
// branches hold actions that command it differently; of `choose` only one branch runs. Bounds of
// durations are true for every motion within the servos' models.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"
#include "compose/configuration.h"
#include "player/servo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomStaticDef {
    const SomActionGraph *graph;
    const SomServoModel *servos;    // one a DoF, with limits and bounds; NULL: nothing is known
    const double *initial;          // positions at the start, one a DoF; NULL: anywhere
    const SomConfiguration *design; // of these DoF, so that messages have units; NULL: SI
    double tick; // seconds; every action lasts at least one. 0: time is continuous
} SomStaticDef;

// All checks: conflicts, actions that never or perhaps never end, what is never reached, targets
// beyond limits, speeds above them.
void som_static_check(const SomStaticDef *def, SomDiagnostics *diags);

// Two actions below different branches of a node that command one resource differently.
typedef struct SomStaticConflict {
    int32_t node;     // the parallel or any
    int32_t resource; // DoFs, then docks
    int32_t first;    // actions
    int32_t second;
    int32_t cause; // conflicts of the same two statements of the user have the same
} SomStaticConflict;

typedef struct SomStaticConflicts {
    SOM_ARRAY(SomStaticConflict) found;
} SomStaticConflicts;

// One for each node and resource, by resource. Causes count from 0, in the order of their first
// conflicts. Free found with som_array_free.
void som_static_conflicts(const SomActionGraph *graph, SomStaticConflicts *conflicts);

// Numbers the causes again, of conflicts whose actions were changed.
void som_static_find_causes(const SomActionGraph *graph, SomStaticConflicts *conflicts);

// Indices of the conflicts, ordered by cause and then as they are. `order` has room for all.
void som_static_order_by_cause(const SomStaticConflicts *conflicts, int *order);

// A relative move that leads its joint beyond a limit whatever is sensed, in a motion that goes on
// to its end.
typedef struct SomStaticExcess {
    int32_t node;
    // set-points before and after a run that leads beyond; the first such run, where one can tell
    double from, to;
    bool is_exact;  // others are not possible; else they are these or farther out
    double run;     // that of the action, from 1; 0: not known
    double nearest; // way with which all relative moves of the joint stay within; NAN: not known
} SomStaticExcess;

typedef struct SomStaticExcesses {
    SOM_ARRAY(SomStaticExcess) found;
} SomStaticExcesses;

// By joint. What begins beyond a limit only because another action led there is not listed. Free
// found with som_array_free.
void som_static_excesses(const SomStaticDef *def, SomStaticExcesses *excesses);

// Whether two actions give a DoF or dock the same command, whenever they start. Relative ways and
// trajectories never do.
bool som_static_is_same_command(const SomAction *a, const SomAction *b);

typedef struct SomDuration {
    double least; // seconds
    double most;  // infinite: it may never end
} SomDuration;

// One for each node; the caller frees it with som_free.
SomDuration *som_static_durations(const SomStaticDef *def);

#ifdef __cplusplus
}
#endif
