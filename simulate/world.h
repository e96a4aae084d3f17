// simulate/world.h - the text of a world in the form that an engine reads.
//
//     SomBodyDef def = som_world_bodies(SOM_ENGINE_MUJOCO);
//     def.mechanism = mechanism;
//     SomBodyModel *model = som_body_model_create(&def);
//     som_world_write(SOM_ENGINE_MUJOCO, model, SOM_STR("walkbot"), &world, diags);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// The bodies that suit the engine; the mechanism is the caller's.
SomBodyDef som_world_bodies(SomEngineKind engine);

// Adds to `out`. No plugin is in it: the player is in this program.
void som_world_write(SomEngineKind engine, const SomBodyModel *model, SomStr name, SomText *out,
                     SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
