// SPDX-License-Identifier: Apache-2.0
#include "compose/words.h"

#include "base/number.h"
#include "space/trigonometry.h"

void som_words_joint_value(SomText *out, const SomModuleJoint *joint, double value) {
    bool is_angle = joint->type == SOM_JOINT_REVOLUTE;
    double shown = round((is_angle ? value * 180 / SOM_PI : value * 1e3) * 1e6) / 1e6;
    som_text_number(out, shown == 0 ? 0 : shown);
    som_text_add(out, is_angle ? SOM_STR("deg") : SOM_STR("mm"));
}
