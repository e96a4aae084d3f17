// studio/joint_item.h - a joint as a row of a list: its name, and its values as people read them.
//
//     GListStore *joints = som_joint_list_of(configuration, part);
//     g_autoptr(SomJointItem) joint = g_list_model_get_item(G_LIST_MODEL(joints), 0);
//     double shown = som_joint_item_to_screen(joint, posture->values[joint->dof]); // degrees, mm
//
// Turns are in degrees, slides in millimetres. A joint without limits is shown from one turn back
// to one turn forth, or a metre.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#include <gio/gio.h>

#define SOM_TYPE_JOINT_ITEM (som_joint_item_get_type())
G_DECLARE_FINAL_TYPE(SomJointItem, som_joint_item, SOM, JOINT_ITEM, GObject)

struct _SomJointItem {
    GObject parent_instance;
    int dof;
    bool slides;
    bool has_limits;
    double low, high; // on the screen
    char *place;      // front.head.bend
    char *name;       // the same, seen from the part: head.bend
    char *words;      // "−90° to 90°; also Center_hinge, tilt (counts the other way)"
};

// The joints of a part, 0 being the whole. Owned by the caller.
GListStore *som_joint_list_of(const SomConfiguration *configuration, int part);

double som_joint_item_to_screen(const SomJointItem *item, double value);
double som_joint_item_from_screen(const SomJointItem *item, double shown);
const char *som_joint_item_unit(const SomJointItem *item); // "°" or "mm"
