// command/design.h - what the verbs about designs share: library, --config, --pose, --set.
//
//     SomConfiguration *design = som_command_compose(command, command->words.data[0]);
//     SomPosture posture;
//     if (design != NULL && som_command_posture(command, design, &posture)) {
//         ...
//         som_posture_free(&posture);
//     }
//     som_configuration_destroy(design);
//
// The files of all designs are read in the one workspace of the command, which lives until its
// diagnostics are printed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/command.h"
#include "compose/posture.h"
#include "compose/workspace.h"

// Rows of an array of options.
#define SOM_OPTION_CONFIG                                                                          \
    {                                                                                              \
        .name = "config", .value = "C",                                                            \
        .help = "which configuration of the file, with arguments: 'Snake(n=18)'"                   \
    }
#define SOM_OPTION_POSE                                                                            \
    {                                                                                              \
        .name = "pose", .value = "NAME",                                                           \
        .help = "a pose of the design, or of a part: stand, front.leg"                             \
    }
#define SOM_OPTION_SET                                                                             \
    {                                                                                              \
        .name = "set", .value = "DOF=V",                                                           \
        .help = "value of a joint; may be repeated: head.tilt=45deg", .is_repeated = true          \
    }

// The workspace, with the library found; made when it is first asked for.
SomWorkspace *som_command_workspace(SomCommand *command);

// The path of the file that a word names: one that is there, or else, of the library, walkbot or
// mtran.m3l. The word itself if neither is.
void som_command_find_file(SomStr word, SomText *path);

// The design that a word names, a file or a name of the library, as --config wants it. NULL after a
// report.
SomConfiguration *som_command_compose(SomCommand *command, const char *word);

// The same for a choice of the caller's; NULL is the file's first configuration.
SomConfiguration *som_command_compose_choice(SomCommand *command, const char *word,
                                             const char *choice);

// The pose that --pose names; NULL: none, or the design has none of this name.
const SomNamedPose *som_command_pose(SomCommand *command, const SomConfiguration *design);

// How the design starts, changed by --pose and --set. False after a complaint; nothing is to be
// freed then.
bool som_command_posture(SomCommand *command, const SomConfiguration *design, SomPosture *posture);

// The members "position" and "quaternion_xyzw" of an open object.
void som_command_write_pose(SomCommand *command, SomPose pose);
