// SPDX-License-Identifier: Apache-2.0
#include "simulate/world.h"

#include "exchange/mjcf.h"
#include "exchange/sdf.h"

void som_world_write(SomEngineKind engine, const SomBodyModel *model, SomStr name, SomText *out,
                     SomDiagnostics *diags) {
    if (engine == SOM_ENGINE_MUJOCO) {
        som_mjcf_write(model, name, out, diags);
    } else {
        som_sdf_write_world(&(SomSdfDef){.model = model, .is_driven = true}, out);
    }
}
