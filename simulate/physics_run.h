// simulate/physics_run.h - a behavior of a design under physics: from the design to a world in an
// engine that is ready to be stepped.
//
//     SomPhysicsRun run = {.design = design, .posture = &posture, .graph = graph,
//                          .engine = SOM_ENGINE_MUJOCO};
//     if (som_physics_run_begin(&run, diags)) {
//         while (som_simulation_step(run.simulation)) { }
//         run.result->outcome ...
//     }
//     som_physics_run_free(&run);
//
// Ownership: borrows what it is given; owns what it makes.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/posture.h"
#include "simulate/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPhysicsRun {
    const SomConfiguration *design;
    const SomPosture *posture;
    const SomActionGraph *graph;
    SomEngineKind engine;
    bool is_full;         // nothing merged or locked
    bool is_forced;       // run even if the static checks find errors
    SomSimulationDef def; // duration and step; the rest is filled in

    // what becomes of it
    int ignored_errors; // of the behavior, because it is forced
    SomMechanism *mechanism;
    SomServoModel *servos;
    SomBodyModel *model;
    SomText world;
    SomSimulation *simulation;
    const SomSimulationResult *result;
} SomPhysicsRun;

// Checks the behavior (behaviors/static_rule.h), writes the world and loads it; `diags` has the
// sources of the design. False after a report; to be freed either way.
bool som_physics_run_begin(SomPhysicsRun *run, SomDiagnostics *diags);
void som_physics_run_free(SomPhysicsRun *run);

// How long it goes on at most, and how long a step of it is; seconds.
double som_physics_run_duration(const SomPhysicsRun *run);
double som_physics_run_step(const SomPhysicsRun *run);

// ---- in words

// "1 error of the behavior was ignored"; nothing if there was none.
void som_physics_run_print_ignored(const SomPhysicsRun *run, SomText *out);

// The module that a piece is known by: that of its base.
SomStr som_physics_run_piece(const SomPhysicsRun *run, int piece);

const char *som_event_word(SomSimulationEventKind kind); // for programs: "self_contact"
bool som_event_is_of_dock(SomSimulationEventKind kind);

// Whether people are told: all but actions that begin and end as they should.
bool som_event_is_told(const SomSimulationEvent *event);
// What happened, without the time and the end of a line: "'a.body' and 'b.body' touch".
void som_event_print(const SomPhysicsRun *run, const SomSimulationEvent *event, SomText *out);

#ifdef __cplusplus
}
#endif
