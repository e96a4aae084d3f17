// render/robot_signs.h - a robot as a stick figure: signs of its joints, and sticks for its links.
//
//     SomRobotSigns signs = {0};
//     som_robot_signs_make(&signs, mechanism, sizes);
//     som_robot_signs_place(&signs, &scene, links);
//     som_robot_signs_free(&signs);
//
// A joint's sign stands on its axis beside the link it moves, so that joints of one axis are told
// apart; connections of modules are joints that do not move. The stick of a link joins its joints
// and connectors: from one to the other, or from all of them to their middle.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "render/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomRobotSign {
    int link;
    SomJointType type;
    SomPose pose; // in the link
    double size;  // metres
} SomRobotSign;

typedef struct SomRobotStick {
    int link;
    SomVec3 a, b; // in the link
} SomRobotStick;

// Zero is nothing.
typedef struct SomRobotSigns {
    SOM_ARRAY(SomRobotSign) signs;
    SOM_ARRAY(SomRobotStick) sticks;
} SomRobotSigns;

// Replaces what was there. One size a module, in metres.
void som_robot_signs_make(SomRobotSigns *signs, const SomMechanism *mechanism, const double *sizes);
void som_robot_signs_place(const SomRobotSigns *signs, SomScene *scene, const SomPose *links);
void som_robot_signs_free(SomRobotSigns *signs); // leaves it empty

#ifdef __cplusplus
}
#endif
