// compose/joint_class.h - the types of parameters that stand for a joint: joint, hinge, wheel,
// slider.
//
//     SomJointClass wanted;
//     if (som_joint_class_find(SOM_STR("hinge"), &wanted) && !som_joint_class_fits(wanted, joint))
//     {
//         ... som_joint_class_text(wanted) ...    // "a hinge, which turns between limits"
//     }
//
// A joint of a module is a hinge, a wheel or a slider, and always a joint. The list is
// compose/joint_classes.inc.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/module_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomJointClass {
#define SOM_JOINT_CLASS(name, word, text) SOM_JOINT_CLASS_##name,
#include "compose/joint_classes.inc"
#undef SOM_JOINT_CLASS
    SOM_JOINT_CLASS_COUNT
} SomJointClass;

bool som_joint_class_find(SomStr word, SomJointClass *found); // false if there is none
const char *som_joint_class_word(SomJointClass joint_class);
const char *som_joint_class_text(SomJointClass joint_class);

SomJointClass som_joint_class_of(const SomModuleJoint *joint); // never SOM_JOINT_CLASS_ANY
bool som_joint_class_fits(SomJointClass wanted, const SomModuleJoint *joint);

#ifdef __cplusplus
}
#endif
