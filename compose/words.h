// compose/words.h - values of joints and gaps of loops as people read them, for messages.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// "45deg" or "12mm", to a millionth of it.
void som_words_joint_value(SomText *out, const SomModuleJoint *joint, double value);

// "3.2 mm and 12 deg".
void som_words_gap(SomText *out, SomGap gap);

#ifdef __cplusplus
}
#endif
