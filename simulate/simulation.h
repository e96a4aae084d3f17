// simulate/simulation.h - a design plays a behavior under physics, step by step.
//
//     SomSimulationDef def = {.model = model, .world = world, .graph = graph, .servos = servos};
//     SomSimulation *simulation = som_simulation_create(SOM_ENGINE_MUJOCO, &def, diags);
//     while (som_simulation_step(simulation)) { }
//     const SomSimulationResult *result = som_simulation_result(simulation);
//     som_simulation_destroy(simulation);
//
// The player that predicts also plays here: at each step it senses what the engine says of joints,
// contacts and the body, its set-points go through the joints' drives (player/joint_drive.h) to the
// engine. The same definition gives the same result, bit for bit.
//
// Ownership: borrows everything in the definition; owns its result.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "player/outcome.h"
#include "player/servo.h"
#include "simulate/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SIMULATION_DURATION 60 // seconds, unless told
#define SOM_SIMULATION_STEP 0.001  // likewise

typedef enum SomSimulationEventKind {
    SOM_EVENT_ACTION_STARTED,
    SOM_EVENT_ACTION_ENDED,
    SOM_EVENT_SELF_CONTACT, // of two links, the first time
    SOM_EVENT_FELL,
    SOM_EVENT_DOCK_CLOSED,
    SOM_EVENT_DOCK_OPENED,
    SOM_EVENT_DOCK_BROKE,
    SOM_EVENT_LOOP_OPENED, // a weld of the model that should hold for good
    SOM_EVENT_DIVERGED,
} SomSimulationEventKind;

typedef struct SomSimulationEvent {
    double time;
    SomSimulationEventKind kind;
    int32_t node;        // of an action
    SomEndReason reason; // of an end
    int link_a, link_b;  // of a contact
    int dock;            // of the configuration
    int weld;            // of a loop
    int piece;           // of a fall
} SomSimulationEvent;

// Zero is the default for all but model and world.
typedef struct SomSimulationDef {
    const SomBodyModel *model;
    SomStr world;
    const SomActionGraph *graph; // NULL: it stands
    const SomServoModel *servos; // one a DoF; NULL: as fast as they can
    double duration;             // seconds; SOM_SIMULATION_DURATION
    double step;                 // seconds; SOM_SIMULATION_STEP
    double sample_time; // seconds between samples of the trace; 0.01; infinite: only the last
    SomFallLimits fall; // of the robot as a whole; the model's
    double settle;      // seconds it stands before the behavior begins; 0
} SomSimulationDef;

typedef struct SomPieceResult {
    SomVec3 displacement;  // of its centre of mass since the behavior began
    double heading_change; // of its base, likewise
    bool has_fallen;       // it, or what docks join it with
} SomPieceResult;

typedef struct SomSimulationResult {
    SomOutcome outcome;
    double time; // simulated, seconds
    int64_t steps;
    int dof_count;
    SomVec3 displacement;  // of the centre of mass since the behavior began; of the first piece
    double heading_change; // of its base about the vertical, since then, radian: whole turns count
    SOM_ARRAY(SomPieceResult) pieces; // of the mechanism; the first is that
    SOM_ARRAY(SomSimulationEvent) events;
    // the trace: one row a sample
    SOM_ARRAY(double) times;
    SOM_ARRAY(double) positions; // dof_count a sample
    SOM_ARRAY(double) efforts;   // dof_count a sample
    SOM_ARRAY(SomPose) base;     // of the mechanism's base link
    SOM_ARRAY(SomPose) others;   // roots of its other pieces, pieces.count - 1 a sample
    SOM_ARRAY(SomVec3) com;
    SOM_ARRAY(int) contacts; // with the ground
} SomSimulationResult;

typedef struct SomSimulation SomSimulation;

SomSimulation *som_simulation_create(SomEngineKind engine, const SomSimulationDef *def,
                                     SomDiagnostics *diags);
void som_simulation_destroy(SomSimulation *simulation); // NULL is allowed

// One physics step; false when it is over.
bool som_simulation_step(SomSimulation *simulation);

double som_simulation_time(const SomSimulation *simulation);
const SomSimulationResult *som_simulation_result(const SomSimulation *simulation);

// What the engine says of the last step; good until the next.
const SomEngineState *som_simulation_state(const SomSimulation *simulation);

// World poses of all links of the mechanism: now, and at a sample of the trace.
void som_simulation_place(const SomSimulation *simulation, SomPose *links);
void som_simulation_place_sample(const SomSimulation *simulation, int sample, SomPose *links);

// How many actions ran into their time-outs.
int som_simulation_timeouts(const SomSimulationResult *result);

#ifdef __cplusplus
}
#endif
