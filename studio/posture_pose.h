// studio/posture_pose.h - between the posture that is shown and the poses of the text, without GTK.
//
//     som_project_keep(project, 0, SOM_STR("stand"));         // all joints; one step of undo
//     som_project_show_pose(project, pose);                   // the other way
//     SOM_ARRAY(int) poses; … som_project_pose_is_own(project, pose) …
//
// A pose says what its joints are at and nothing of others. To be seen again as it was, what is
// kept must say all joints that are not at zero, and those that some other pose says.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

// The joints of a part (0: of the whole) as they are, into a pose of that name, which is made if
// there is none. A pose that is there keeps what is as it should be. False if it was refused.
bool som_project_keep(SomProject *project, int part, SomStr pose);

// Puts all joints where the pose says, others at zero; that of the start as it starts.
void som_project_show_pose(SomProject *project, int pose);

// Is it of the configuration itself, and not of one of its parts?
bool som_project_pose_is_own(const SomProject *project, int pose);

// Is this how the joints are now?
bool som_project_pose_is_shown(const SomProject *project, int pose);
