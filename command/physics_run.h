// command/physics_run.h - a behavior of a design under physics, from the world to the end of the
// run, and beside it what kinematics predicts.
//
//     SomPhysicsRun run = {.command = command, .design = design, .posture = &posture,
//                          .graph = graph, .engine = SOM_ENGINE_MUJOCO};
//     if (som_physics_run(&run)) {
//         run.result->outcome ...
//         som_physics_run_compare(&run);
//         som_comparison_print(run.comparison, &command->out);
//         som_physics_run_save_page(&run, SOM_STR("walk"), "walk.html");
//     }
//     som_physics_run_free(&run);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"
#include "command/film.h"
#include "report/comparison.h"
#include "verify/verify.h"

typedef struct SomPhysicsRun {
    SomCommand *command;
    const SomConfiguration *design;
    const SomPosture *posture;
    const SomActionGraph *graph;
    SomEngineKind engine;
    bool is_full;         // nothing merged or locked
    bool is_filmed;       // pictures may be saved
    SomSimulationDef def; // duration and step; the rest is filled in

    // what becomes of it
    SomMechanism *mechanism;
    SomServoModel *servos;
    SomBodyModel *model;
    SomText world;
    SomSimulation *simulation;
    const SomSimulationResult *result;
    double seconds; // of the processor
    SomFilm film;

    // beside it
    SomPrediction prediction;
    SomVerification *found;
    SomComparison *comparison; // NULL until it was compared
} SomPhysicsRun;

// Plays it to its end; shows how far it is to people who watch. False after a report; to be freed
// either way.
bool som_physics_run(SomPhysicsRun *run);
void som_physics_run_free(SomPhysicsRun *run);

// Predicts, verifies and compares.
void som_physics_run_compare(SomPhysicsRun *run);

// Pictures along a run that was filmed (command/film.h). False after a report.
bool som_physics_run_save_pictures(const SomPhysicsRun *run, const char *path);

// The comparison as a page. False after a report.
bool som_physics_run_save_page(const SomPhysicsRun *run, SomStr behavior, const char *path);
