// render/base_sign.h - the sign of a base that is bolted to the world: a plate below it, hatched as
// in drawings of mechanisms.
//
//     som_scene_add_fixed_base(&scene, som_mechanism_link_bounds(mechanism, links, root), size);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Below the box round the link that is fixed; `size` is the longest edge of its module.
void som_scene_add_fixed_base(SomScene *scene, SomBounds box, double size);

#ifdef __cplusplus
}
#endif
