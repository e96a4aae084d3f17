// render/robot_scene.h - a mechanism in a posture, as things of a scene.
//
//     som_mechanism_place(mechanism, &posture, links);
//     som_scene_add_robot(&scene, mechanism, links, NULL, SOM_ROBOT_GROUND | SOM_ROBOT_AXES);
//
// Every shape of a link, or its mesh if it has one, is an item in the link's colour; its owner is 1
// + the module's index. For one that is drawn again and again there is render/robot_skin.h.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "render/link_meshes.h"
#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomRobotFlags {
    SOM_ROBOT_GROUND = 1,     // under its lowest point
    SOM_ROBOT_CONNECTORS = 2, // those that are free
    SOM_ROBOT_AXES = 4,       // of the joints
    SOM_ROBOT_CENTER_OF_MASS = 8,
    SOM_ROBOT_FRAMES = 16, // of the modules
    SOM_ROBOT_SIGNS = 32,  // of the joints, in a stick figure: render/robot_signs.h
} SomRobotFlags;

// `meshes` may be NULL.
void som_scene_add_robot(SomScene *scene, const SomMechanism *mechanism, const SomPose *links,
                         const SomLinkMeshes *meshes, unsigned flags);

#ifdef __cplusplus
}
#endif
