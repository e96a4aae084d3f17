// studio/placing_scene.h - what is placed, as things of a scene: its ghost and the connectors that
// it may go to.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/scene.h"
#include "studio/assembly.h"

// `has_no_ghost`: only the connectors.
void som_assembly_add_to_scene(SomAssembly *assembly, const SomModel *model, SomScene *scene,
                               bool has_no_ghost);
