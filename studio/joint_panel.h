// studio/joint_panel.h - sliders of the joints of a part, or of the whole.
//
//     GtkWidget *joints = som_joint_panel_new(project);
//     som_joint_panel_show(SOM_JOINT_PANEL(joints), part); // another part, or another text
//     som_joint_panel_move(SOM_JOINT_PANEL(joints));       // another posture
//
// A slider moves the posture at once and not the text. "Keep in pose" writes what was moved, see
// studio/pose_keeper.h. Rows are made for what is seen only, and a motion changes no more than the
// values of those, so that hundreds of joints stay as fluid as four.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_JOINT_PANEL (som_joint_panel_get_type())
G_DECLARE_FINAL_TYPE(SomJointPanel, som_joint_panel, SOM, JOINT_PANEL, GtkBox)

// The project is borrowed and must outlive the panel.
GtkWidget *som_joint_panel_new(SomProject *project);

void som_joint_panel_show(SomJointPanel *panel, int part);
void som_joint_panel_move(SomJointPanel *panel);
