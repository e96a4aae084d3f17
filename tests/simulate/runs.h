// tests/simulate/runs.h - designs that are simulated, for tests.
//
//     TestRun run = test_run(engine, "config Arm { … }", "Arm", "lift", (SomSimulationDef){0});
//     run.result->outcome ...
//     test_run_free(&run);
//
// test_run_begin stops before the first step, so that a test can look on.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/simulation.h"
#include "tests/compose/texts.h"

typedef struct TestRun {
    TestDesign text;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomActionGraph *graph;
    SomServoModel *servos;
    SomBodyModel *model;
    SomText world;
    SomSimulation *simulation;
    const SomSimulationResult *result;
} TestRun;

// What of a world is replaced by what, before the engine reads it; NULL: nothing.
typedef struct TestChange {
    const char *from, *to;
} TestChange;

// `def` without model, world, graph and servos. `call` NULL: it stands.
TestRun test_run_begin(SomEngineKind engine, const char *text, const char *choice, const char *call,
                       SomSimulationDef def, TestChange change);
TestRun test_run(SomEngineKind engine, const char *text, const char *choice, const char *call,
                 double duration);
void test_run_free(TestRun *run);

const char *test_run_outcome(const TestRun *run);
// The first event of a kind; NULL if there is none.
const SomSimulationEvent *test_run_event(const TestRun *run, SomSimulationEventKind kind);

#define FOR_EACH_ENGINE(engine)                                                                    \
    for (SomEngineKind engine = 0; engine < SOM_ENGINE_KINDS; engine++)                            \
        if (som_engine_is_built(engine))
