// compose/words.h - values of joints as people read them, for messages.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/module_type.h"

#ifdef __cplusplus
extern "C" {
#endif

// "45deg" or "12mm", to a millionth of it.
void som_words_joint_value(SomText *out, const SomModuleJoint *joint, double value);

#ifdef __cplusplus
}
#endif
