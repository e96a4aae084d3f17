// simulate/world.h - the text of a world in the form that an engine reads.
//
//     som_world_write(SOM_ENGINE_MUJOCO, model, graph, SOM_STR("walkbot"), &world, diags);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// `graph` may be NULL. Adds to `out`.
void som_world_write(SomEngineKind engine, const SomBodyModel *model, const SomActionGraph *graph,
                     SomStr name, SomText *out, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
