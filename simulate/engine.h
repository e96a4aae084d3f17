// simulate/engine.h - a world with one robot in a physics engine; which engine is a detail.
//
//     SomEngineDef def = {.model = model, .world = som_text_str(&mjcf), .step = 0.001};
//     SomEngine *engine = som_engine_create(SOM_ENGINE_MUJOCO, &def, diags);   // NULL: see diags
//     while (som_engine_step(engine, speeds)) {                // one commanded speed a joint
//         const SomEngineState *now = som_engine_state(engine);
//         now->positions[joint], now->poses[body], now->contacts[i] ...
//     }
//     som_engine_destroy(engine);
//
// The world is the text of the file that the engine reads: SDF for Gazebo's physics, MJCF for
// MuJoCo. Joints and bodies are those of the body model it was written from, in its order and with
// the values of the DoF. A joint goes at the speed it is commanded as far as its effort does.
// Errors: an engine that this program was built without, a world that does not load, joints or
// bodies that it lacks are diagnostics.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "exchange/body_model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomEngineKind {
    SOM_ENGINE_GAZEBO,
    SOM_ENGINE_MUJOCO,
    SOM_ENGINE_KINDS,
} SomEngineKind;

typedef struct SomEngineDef {
    const SomBodyModel *model;
    SomStr world;
    double step; // seconds
} SomEngineDef;

typedef struct SomEngineContact {
    int body_a, shape_a; // of the model
    int body_b, shape_b; // -1: the ground
    SomVec3 point;
    double force; // newton, along the normal; not a number where the engine does not tell
} SomEngineContact;

typedef struct SomEngineState {
    const double *positions; // one a joint, of the DoF
    const double *speeds;
    const double *efforts; // of the motor; N m or N
    const SomPose *poses;  // one a body
    const SomEngineContact *contacts;
    int contact_count;
    const SomBodyLoad *loads; // one a weld: what it does to its body b; zero if it does not hold
} SomEngineState;

typedef struct SomEngine SomEngine;

const char *som_engine_name(SomEngineKind kind);  // "gazebo", "mujoco"
const char *som_engine_title(SomEngineKind kind); // for people: "Gazebo's physics", "MuJoCo"
bool som_engine_is_built(SomEngineKind kind);
// Whether it is built, and its module, if it is one, is there and loads.
bool som_engine_loads(SomEngineKind kind);
// What to take if nobody says: Gazebo's, but MuJoCo if only that loads.
SomEngineKind som_engine_default(void);

SomEngine *som_engine_create(SomEngineKind kind, const SomEngineDef *def, SomDiagnostics *diags);
void som_engine_destroy(SomEngine *engine); // NULL is allowed

// Good until the next step.
const SomEngineState *som_engine_state(const SomEngine *engine);

// One step further. False if the numbers have left all bounds: the state is then that of the last
// step that was sound.
bool som_engine_step(SomEngine *engine, const double *speeds);

// Holds or frees the two bodies of a weld of the model; at first it is as the model says. False if
// the engine cannot.
bool som_engine_hold(SomEngine *engine, int weld, bool is_held);

#ifdef __cplusplus
}
#endif
