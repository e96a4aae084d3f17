// SPDX-License-Identifier: Apache-2.0
#include "compose/parameter_words.h"

#include "language/name.h"

const char *som_words_parameter_kind(const SomParameter *parameter) {
    switch (parameter->kind) {
    case SOM_PARAMETER_JOINT:
        return som_joint_class_word(parameter->joint_class);
    case SOM_PARAMETER_PART:
        return "part";
    case SOM_PARAMETER_VALUE:
        break;
    }
    return "value";
}

void som_words_wrong_place(SomText *out, SomStr behavior, const SomParameter *parameter,
                           SomStr given, const char *found) {
    som_text_printf(out, "parameter '%.*s' of '%.*s' needs ", SOM_STR_ARG(parameter->name),
                    SOM_STR_ARG(behavior));
    if (parameter->kind == SOM_PARAMETER_PART) {
        som_text_printf(out, "a part of type '%.*s', but ", SOM_STR_ARG(parameter->type));
    } else {
        som_text_printf(out, "%s, but ", som_joint_class_text(parameter->joint_class));
    }
    som_text_printf(out, "'%.*s' %s", SOM_STR_ARG(given), found);
}

void som_words_part_not_joint(SomText *out, const SomModuleType *type, SomJointClass wanted,
                              SomStr given) {
    som_text_add(out, type != NULL ? SOM_STR("is a module") : SOM_STR("is a part"));
    for (int i = 0; type != NULL && i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        if (joint->is_tree && joint->type != SOM_JOINT_FIXED &&
            som_joint_class_fits(wanted, joint)) {
            som_text_printf(out, ": name a joint of it, such as '%.*s.", SOM_STR_ARG(given));
            som_name_print(out, joint->name);
            som_text_add_char(out, '\'', 1);
            return;
        }
    }
    som_text_add(out, type != NULL ? SOM_STR(" without such a joint")
                                   : SOM_STR(": name a joint of one of its modules"));
}
