// render/robot_skin.h - what of a robot's looks stays while it moves, and what a ray hits of it.
//
//     SomRobotSkin skin = {0};
//     som_robot_skin_make(&skin, &scene, mechanism, &meshes);     // once a design
//     som_scene_clear(&scene);                                    // each frame
//     som_robot_skin_place(&skin, &scene, links, SOM_ROBOT_GROUND);
//     SomRobotHit hit = som_robot_skin_pick(&skin, &scene, links, ray);
//     if (hit.connector >= 0) { ... a free connector of module hit.module ... }
//     som_robot_skin_free(&skin);
//
// Making one looks at every shape and mesh; placing only turns what was found. The skin belongs to
// the scene it was made with, whose geometries it names by their numbers.
// Ownership: borrows the mechanism, which must outlive it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "render/camera.h"
#include "render/link_meshes.h"
#include "render/robot_signs.h"
#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// One geometry of a link.
typedef struct SomSkinItem {
    int link; // of the mechanism
    int geometry;
    SomPose pose; // in the link
    SomLook look; // its owner is 1 + the module
} SomSkinItem;

// A free connector.
typedef struct SomSkinConnector {
    int module, connector;
    double radius; // of its disc
} SomSkinConnector;

// Zero is the skin of nothing.
typedef struct SomRobotSkin {
    const SomMechanism *mechanism;
    SOM_ARRAY(SomSkinItem) items;
    SOM_ARRAY(SomSkinConnector) connectors; // by module
    SOM_ARRAY(double) sizes;                // of each module: the longest edge of its links' boxes
    SomRobotSigns signs;                    // made when they are asked for
    int first; // where its items begin in the scene, since it was placed
} SomRobotSkin;

// Replaces what was there.
void som_robot_skin_make(SomRobotSkin *skin, SomScene *scene, const SomMechanism *mechanism,
                         const SomLinkMeshes *meshes); // NULL: none
void som_robot_skin_free(SomRobotSkin *skin);          // leaves it empty

// Adds the robot to the scene; flags are those of render/robot_scene.h.
void som_robot_skin_place(SomRobotSkin *skin, SomScene *scene, const SomPose *links,
                          unsigned flags);

// Adds flags of SomLookFlags to all items of so many modules of a robot that was placed.
void som_robot_skin_mark(const SomRobotSkin *skin, SomScene *scene, int module, int count,
                         unsigned flags);

// Adds the discs of free connectors in a colour: of a module or, -1, of all; one of them or, -1,
// all.
void som_robot_skin_show_connectors(const SomRobotSkin *skin, SomScene *scene, const SomPose *links,
                                    int module, int connector, SomColor color);

extern const SomColor som_connector_color; // green

// What a ray meets first of a robot that was placed.
typedef struct SomRobotHit {
    int module;    // -1: nothing
    int connector; // free, whose disc is met, seen from its outside; -1: none
    double distance;
    SomVec3 point;
} SomRobotHit;

SomRobotHit som_robot_skin_pick(const SomRobotSkin *skin, const SomScene *scene,
                                const SomPose *links, SomRay ray);

#ifdef __cplusplus
}
#endif
