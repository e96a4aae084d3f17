// SPDX-License-Identifier: Apache-2.0
#include "simulate/world.h"

#include "exchange/mjcf.h"
#include "exchange/sdf.h"

SomBodyDef som_world_bodies(SomEngineKind engine) {
    bool is_mujoco = engine == SOM_ENGINE_MUJOCO;
    return (SomBodyDef){.is_centered = is_mujoco,
                        .contacts =
                            is_mujoco ? SOM_BODY_CONTACTS_LISTED : SOM_BODY_CONTACTS_PARENT};
}

void som_world_write(SomEngineKind engine, const SomBodyModel *model, SomStr name, SomText *out,
                     SomDiagnostics *diags) {
    if (engine == SOM_ENGINE_MUJOCO) {
        som_mjcf_write(model, name, out, diags);
    } else {
        som_sdf_write_world(&(SomSdfDef){.model = model, .is_driven = true}, out);
    }
}
