// linkage/joint_type.h - the catalogue of the 12 joint types.
//
// A joint lets its child move in some of the six coordinates y = (tx, ty, tz, rx, ry, rz) of
// space/pose.h and holds the others at zero: each type is a subspace along the axes. A revolute
// joint turns about z, a prismatic one slides along z, a pin-slider slides along x and turns about
// z.
//
//     const SomJointTypeInfo *info = som_joint_type(SOM_JOINT_PLANAR);
//     if (som_joint_type_frees(SOM_JOINT_PLANAR, SOM_DOF_RZ)) { ... }

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomJointType {
    SOM_JOINT_FIXED,
    SOM_JOINT_REVOLUTE,
    SOM_JOINT_PRISMATIC,
    SOM_JOINT_CYLINDRICAL,
    SOM_JOINT_PIN_SLIDER,
    SOM_JOINT_CARTESIAN_2,
    SOM_JOINT_SPHERICAL,
    SOM_JOINT_PLANAR,
    SOM_JOINT_CARTESIAN_3,
    SOM_JOINT_POINT_SLIDER,
    SOM_JOINT_POINT_PLANE,
    SOM_JOINT_GENERAL,
} SomJointType;

#define SOM_JOINT_TYPES 12

typedef enum SomDof {
    SOM_DOF_TX,
    SOM_DOF_TY,
    SOM_DOF_TZ,
    SOM_DOF_RX,
    SOM_DOF_RY,
    SOM_DOF_RZ,
} SomDof;

typedef struct SomJointTypeInfo {
    SomStr name;
    unsigned freedom; // bit d: coordinate d is free
    int dof_count;
    int dofs[6]; // the free coordinates in rising order
    int turns;   // how many of them are rotations: 0, 1 or 3
} SomJointTypeInfo;

const SomJointTypeInfo *som_joint_type(SomJointType type);
bool som_joint_type_find(SomStr name, SomJointType *type); // false and untouched if there is none

static inline bool som_joint_type_frees(SomJointType type, int dof) {
    return (som_joint_type(type)->freedom >> dof & 1) != 0;
}

SomStr som_dof_name(int dof); // "tx" to "rz"

#ifdef __cplusplus
}
#endif
