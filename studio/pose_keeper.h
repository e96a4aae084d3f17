// studio/pose_keeper.h - a button that asks which pose is to keep the joints as they are.
//
//     GtkWidget *keeper = som_pose_keeper_new(project, "Keep in a pose…", "Writes what …");
//     som_pose_keeper_show(SOM_POSE_KEEPER(keeper), part); // only joints of this one; 0: all
//
// The poses of the configuration are offered, and a new name. Each is one step of undo.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_POSE_KEEPER (som_pose_keeper_get_type())
G_DECLARE_FINAL_TYPE(SomPoseKeeper, som_pose_keeper, SOM, POSE_KEEPER, GtkBox)

GtkWidget *som_pose_keeper_new(SomProject *project, const char *title, const char *words);
void som_pose_keeper_show(SomPoseKeeper *keeper, int part);
