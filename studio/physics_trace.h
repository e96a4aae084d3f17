// studio/physics_trace.h - what was recorded so far of a run that goes on, to be plotted meanwhile.
//
//     SomPhysicsTrace trace = {0};
//     int samples = 0, events = 0;
//     som_physics_trace_add(&trace, record->run.result, &samples, &events);   // what is new
//     som_physics_trace_join(&mine, &trace);      // takes it over; the trace is empty afterwards
//     som_physics_trace_free(&mine);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/physics_record.h"

// Zero is empty.
typedef struct SomPhysicsTrace {
    // Held. Only what it had before it ran may be looked at: scene, engine, mechanism, prediction.
    SomPhysicsRecord *record;
    SomSimulationResult result; // a copy: time, events and samples alone
} SomPhysicsTrace;

// Copies what came behind so many samples and events, which are counted on.
void som_physics_trace_add(SomPhysicsTrace *trace, const SomSimulationResult *result, int *samples,
                           int *events);

// Appends; begins anew if it is of another record. False if there was nothing.
bool som_physics_trace_join(SomPhysicsTrace *trace, SomPhysicsTrace *more);
void som_physics_trace_free(SomPhysicsTrace *trace); // is empty afterwards
