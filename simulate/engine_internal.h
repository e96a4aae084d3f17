// simulate/engine_internal.h - what an engine gives to simulate/engine.c.
//
// An engine is a struct that begins with SomEngine. It fills in `state` when it is created and
// after each step; simulate/engine.c looks whether the numbers are sound.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "simulate/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomEngineCalls {
    void (*destroy)(SomEngine *engine);
    bool (*step)(SomEngine *engine, const double *speeds); // false: the engine gave up
    bool (*hold)(SomEngine *engine, int weld, bool is_held);
} SomEngineCalls;

struct SomEngine {
    const SomEngineCalls *calls;
    const SomBodyModel *model;
    double *positions, *speeds, *efforts; // one a joint
    SomPose *poses;                       // one a body
    double *last[3];                      // those of the step before, to go back to
    SomPose *last_poses;
    SomBodyLoad *loads; // one a weld
    SOM_ARRAY(SomEngineContact) contacts;
    SomEngineState state;
};

// Arrays of the model's sizes.
void som_engine_init(SomEngine *engine, const SomEngineCalls *calls, const SomBodyModel *model);
void som_engine_finish(SomEngine *engine);
// What a weld does to its body b; all in the world.
void som_engine_set_load(SomEngine *engine, int weld, SomVec3 at, SomVec3 force, SomVec3 torque);
// Shapes of the model, -1: not of the robot. What is not of the robot at all is left out.
void som_engine_add_contact(SomEngine *engine, int shape_a, int shape_b, SomVec3 point,
                            double force);

// gazebo_module.c: opens the module, which is beside this program or where it is installed, the
// first time that somebody asks for the engine.
SomEngine *som_gazebo_module_create(const SomEngineDef *def, SomDiagnostics *diags);
bool som_gazebo_module_loads(void);
// gazebo.cc, in the module.
SomEngine *som_engine_create_gazebo(const SomEngineDef *def, SomDiagnostics *diags);
SomEngine *som_engine_create_mujoco(const SomEngineDef *def, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
