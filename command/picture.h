// command/picture.h - a design in a posture, drawn to a PNG file.
//
//     SomPicture picture = som_picture_default();
//     picture.flags |= SOM_ROBOT_CENTER_OF_MASS;
//     som_command_draw(command, design, &posture, &picture, "walkbot.png");

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/design.h"
#include "render/camera.h"
#include "render/link_meshes.h"
#include "render/robot_scene.h"

typedef struct SomPicture {
    int width, height;
    SomCamera camera; // its direction; it is moved so that the robot fills the picture
    unsigned flags;   // of SomRobotFlags
    bool has_support; // what it stands on is shown, and told
    bool is_dark;
    // of a behavior, up to the posture that is drawn: how the robot has come to stand; borrowed
    const double *samples;
    int sample_count; // 0: the posture alone
} SomPicture;

SomPicture som_picture_default(void); // 1280 x 800, with the ground

// False after a report. Prints what it stands on, if that is shown.
bool som_command_draw(SomCommand *command, const SomConfiguration *design,
                      const SomPosture *posture, const SomPicture *picture, const char *path);
