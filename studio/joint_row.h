// studio/joint_row.h - the slider of a joint, with its name and its value to be typed.
//
//     GtkWidget *row = som_joint_row_new(project);
//     som_joint_row_set(SOM_JOINT_ROW(row), item); // another joint; NULL: none
//     som_joint_row_refresh(SOM_JOINT_ROW(row));   // the posture is another

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/joint_item.h"
#include "studio/project.h"

#include <gtk/gtk.h>

#define SOM_TYPE_JOINT_ROW (som_joint_row_get_type())
G_DECLARE_FINAL_TYPE(SomJointRow, som_joint_row, SOM, JOINT_ROW, GtkBox)

GtkWidget *som_joint_row_new(SomProject *project);
void som_joint_row_set(SomJointRow *row, SomJointItem *item);
void som_joint_row_refresh(SomJointRow *row);
