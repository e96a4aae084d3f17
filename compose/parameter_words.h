// compose/parameter_words.h - parameters that stand for joints and parts, in messages.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

// "value", "joint", "hinge", "part": what must be given.
const char *som_words_parameter_kind(const SomParameter *parameter);

// "parameter 'hip' of 'step' needs a hinge, which turns between limits, but 'left' is a wheel";
// `found` is "is a wheel".
void som_words_wrong_place(SomText *out, SomStr behavior, const SomParameter *parameter,
                           SomStr given, const char *found);

// "is a module: name a joint of it, such as 'front.tilt'"; type NULL: of a part made of several.
void som_words_part_not_joint(SomText *out, const SomModuleType *type, SomJointClass wanted,
                              SomStr given);

#ifdef __cplusplus
}
#endif
