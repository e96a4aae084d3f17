// SPDX-License-Identifier: Apache-2.0
#include "render/robot_scene.h"

#include "render/robot_skin.h"

void som_scene_add_robot(SomScene *scene, const SomMechanism *mechanism, const SomPose *links,
                         const SomLinkMeshes *meshes, unsigned flags) {
    SomRobotSkin skin = {0};
    som_robot_skin_make(&skin, scene, mechanism, meshes);
    som_robot_skin_place(&skin, scene, links, flags);
    som_robot_skin_free(&skin);
}
