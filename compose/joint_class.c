// SPDX-License-Identifier: Apache-2.0
#include "compose/joint_class.h"

#include <math.h>

static const struct {
    const char *word, *text;
} classes[] = {
#define SOM_JOINT_CLASS(name, word, text) {word, text},
#include "compose/joint_classes.inc"
#undef SOM_JOINT_CLASS
};

bool som_joint_class_find(SomStr word, SomJointClass *found) {
    for (int i = 0; i < SOM_JOINT_CLASS_COUNT; i++) {
        if (som_str_equal(word, som_str(classes[i].word))) {
            *found = (SomJointClass)i;
            return true;
        }
    }
    return false;
}

const char *som_joint_class_word(SomJointClass joint_class) {
    return classes[joint_class].word;
}

const char *som_joint_class_text(SomJointClass joint_class) {
    return classes[joint_class].text;
}

SomJointClass som_joint_class_of(const SomModuleJoint *joint) {
    bool has_limits = isfinite(joint->low) || isfinite(joint->high);
    return joint->type == SOM_JOINT_PRISMATIC ? SOM_JOINT_CLASS_SLIDER
           : has_limits                       ? SOM_JOINT_CLASS_HINGE
                                              : SOM_JOINT_CLASS_WHEEL;
}

bool som_joint_class_fits(SomJointClass wanted, const SomModuleJoint *joint) {
    return wanted == SOM_JOINT_CLASS_ANY || wanted == som_joint_class_of(joint);
}
