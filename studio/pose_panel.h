// studio/pose_panel.h - the named poses of the configuration that is shown.
//
//     GtkWidget *panel = som_pose_panel_new(project);
//     som_pose_panel_refresh(SOM_POSE_PANEL(panel)); // after a change of the text
//     som_pose_panel_move(SOM_POSE_PANEL(panel));    // after one of the posture
//
// Each pose can be shown, renamed where it stands, set to what the joints are at, be the one that
// the design starts in, and removed; what the joints are at can be kept in a new one. Showing
// changes no text; all else is one step of undo.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_POSE_PANEL (som_pose_panel_get_type())
G_DECLARE_FINAL_TYPE(SomPosePanel, som_pose_panel, SOM, POSE_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_pose_panel_new(SomProject *project);
void som_pose_panel_refresh(SomPosePanel *panel);
void som_pose_panel_move(SomPosePanel *panel);
