// exchange/urdf.h - a design as URDF and SRDF: the files of ROS and of most other robot programs.
//
//     SomBodyModel *model = som_body_model_create(&(SomBodyDef){…, .joins_docks = true});
//     SomUrdfDef def = {.model = model, .mesh_folder = SOM_STR("package://walkbot/")};
//     som_urdf_write(&def, &urdf, diags);
//     som_srdf_write(&def, &srdf, diags);
//     som_urdf_find_meshes(&def, &meshes);                  // that the URDF names
//
// What is in it, for who reads it:
// - Links and joints have the names of the model. A joint's value is that of its DoF: where it is
//   zero here, it is zero there. The frame of a link has the axes of its body's and lies on the
//   axis of the joint that moves it.
// - The root is a link without mass (SOM_URDF_ROOT), which stands for the world of the design: z
//   up, the ground at 0 where the robot starts. KDL, and so MoveIt, refuses roots that have a mass.
// - Capsules are a cylinder and two balls: URDF 1.0 has none. Hulls are meshes, of what touches
//   too.
// - Where something is bolted to the world, or there are several pieces, the root is the link
//   `world`, on which pieces hang by fixed and floating joints.
// - Joints that close a chain have an effort of 0. Efforts and speeds that no type gives are those
//   of som_body_joint_effort and _speed, with a warning.
// - What a tree cannot hold are comments at the end of the robot, an element each, which readers of
//   URDF pass over: link b stands at `xyz` and `rpy` in link a, frames of the URDF.
//     <!-- <somite:closure name="weld_1" a="left_foot" b="right_foot" xyz="0 0 1" rpy="0 0 0"/> -->
//     <!-- <somite:dock name="weld_2" closed="false" a="m_6" b="m_1" xyz="…" rpy="…"/> -->
//   A dock that is closed and holds the tree together also has joint="NAME", of its fixed joint.
// - The SRDF has a floating joint to the world, groups (all joints; those of each part of the
//   design), states (how it starts; its named poses), passive joints (those of loops that follow
//   the others, see som_urdf_followers) and pairs that need no test for collisions: Adjacent, a
//   joint is between them; Default, they touch as they start or by the making of their module;
//   Never, the caller has proven all pairs of their links apart.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/body_model.h"
#include "exchange/mesh_export.h"

#ifdef __cplusplus
extern "C" {
#endif

// Or base_footprint, where a link of the design has that name.
#define SOM_URDF_ROOT "base_link"

// More states are left out, with a warning.
#define SOM_SRDF_MAX_STATES 200

// Zero is the default for all but the model, which is made with `joins_docks`.
typedef struct SomUrdfDef {
    const SomBodyModel *model;
    SomStr mesh_folder; // what stands before meshes/…: package://walkbot/; empty: relative paths
    SomMeshLooks looks; // NULL: none
    const void *looks_context;
    const SomMechanismPair *apart; // links that never touch, whatever the joints do
    int apart_count;
    bool has_plugins; // of imported modules
} SomUrdfDef;

// Whole files, added to `out`.
void som_urdf_write(const SomUrdfDef *def, SomText *out, SomDiagnostics *diags);
void som_srdf_write(const SomUrdfDef *def, SomText *out, SomDiagnostics *diags);

void som_urdf_find_meshes(const SomUrdfDef *def, SomMeshFiles *meshes);

// Which joints follow, one entry a joint: those without a DoF that close chains, and of every loop
// as many of the last ones as its others move, as it stands at the start. The caller frees it. Of
// robots with thousands of joints in hundreds of loops only those without a DoF are told.
bool *som_urdf_followers(const SomBodyModel *model);

#ifdef __cplusplus
}
#endif
