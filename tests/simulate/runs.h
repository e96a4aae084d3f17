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

// A Walkbot whose hind legs can be put where they should not be: r = 90deg reverses them, at = 3
// sets them near the front ones.
#define TEST_SPOILT                                                                                \
    "config Spoilt(r: angle = 270deg, at: count = 5) {\n"                                          \
    "    part body[5] : Module\n"                                                                  \
    "    part front_left, front_right, rear_left, rear_right : Chain3\n"                           \
    "    connect body[i].B to body[i+1].T for i in 1..4\n"                                         \
    "    connect front_left.head.L to body[2].L at 270deg\n"                                       \
    "    connect front_right.head.R to body[2].R at 90deg\n"                                       \
    "    connect rear_left.head.L to body[at].L at r\n"                                            \
    "    connect rear_right.head.R to body[at].R at 360deg - r\n"                                  \
    "    pose stand { front_left.leg; front_right.leg; rear_left.leg; rear_right.leg }\n"          \
    "    start stand\n"                                                                            \
    "    base body[1] on ground\n"                                                                 \
    "    behavior toward = parallel(\n"                                                            \
    "        front_left.middle.bend to -69.38deg at 0.5rad/s,\n"                                   \
    "        front_left.tail.bend to 69.38deg at 0.5rad/s,\n"                                      \
    "        rear_left.middle.bend to 69.38deg at 0.5rad/s,\n"                                     \
    "        rear_left.tail.bend to -69.38deg at 0.5rad/s)\n"                                      \
    "}\n"

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
// The same of a file of tests/simulate. `is_exported`: in the world that `export` writes.
TestRun test_run_file(SomEngineKind engine, const char *file, const char *call, double duration,
                      bool is_exported);
TestRun test_run(SomEngineKind engine, const char *text, const char *choice, const char *call,
                 double duration);
void test_run_free(TestRun *run);

const char *test_run_outcome(const TestRun *run);
// The first event of a kind; NULL if there is none.
const SomSimulationEvent *test_run_event(const TestRun *run, SomSimulationEventKind kind);

// A body of thirty kilometres is beyond what any physics of modules may do.
#define TEST_GIANT                                                                                 \
    "module GIANT: root=body\n"                                                                    \
    "link body: shape=box((0, 0, 0), (30000, 30000, 30000)), mass=1e15kg\n"                        \
    "link arm: shape=box((0.1, 0, 0.1), (0.3, 0.02, 0.02)), mass=1kg\n"                            \
    "axis a_body: origin=(0, 0, 0.1), direction=(0, 0, 1)\n"                                       \
    "axis a_arm: origin=(0, 0, 0.1), direction=(0, 0, -1)\n"                                       \
    "joint turn: type=revolute, effort=1Nm, speed=1rad/s,\n"                                       \
    "    pair=((body, a_body), (arm, a_arm))\n"

#define FOR_EACH_ENGINE(engine)                                                                    \
    for (SomEngineKind engine = 0; engine < SOM_ENGINE_KINDS; engine++)                            \
        if (som_engine_is_built(engine))
