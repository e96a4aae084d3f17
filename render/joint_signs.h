// render/joint_signs.h - the signs of kinematic diagrams for all types of joints, as things of a
// scene.
//
//     som_scene_add_joint_sign(&scene, SOM_JOINT_REVOLUTE, frame, 0.05, color);
//
// A sign is made of what the joint lets move: an arrow both ways along every axis it slides on; a
// block with corners if it does not turn, a round one about the axis it turns on, a ball if it
// turns on all; a plate under what slides on two axes and turns. What only turns is held by collars
// or lies in a cup; what does neither is a small cube. So every type of linkage/joint_type.h has a
// sign of its own. Signs are drawn in front of bodies, which joints are inside of.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/joint_type.h"
#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Within `size` of the frame's origin, metres across. False if it was skipped.
bool som_scene_add_joint_sign(SomScene *scene, SomJointType type, SomPose frame, double size,
                              SomColor color);

#ifdef __cplusplus
}
#endif
