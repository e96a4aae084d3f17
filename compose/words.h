// compose/words.h - values of joints as people read them, for messages, and their limits.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/module_type.h"

#ifdef __cplusplus
extern "C" {
#endif

// "45deg" or "12mm", to a millionth of it.
void som_words_joint_value(SomText *out, const SomModuleJoint *joint, double value);

// "legs[1].head.tilt": a joint or alias of a module.
void som_words_joint_path(SomText *out, SomStr module, SomStr name);

// Reports a value beyond the limits of its joint, which is called `path` and counts as `alias`
// does; a value that exceeds one by rounding only is set to it, with a note.
void som_words_check_limit(const SomModuleJoint *joint, SomStr path, SomAlias alias, SomSpan span,
                           double *value, SomDiagnostics *diags);

// The note: "'a.bend' = 90.00021deg exceeds its limit of 90deg by rounding only; the limit is
// used". `per` follows both values: "", or "/s" of speeds.
void som_words_rounded(const SomModuleJoint *joint, SomStr path, SomSpan span, const char *per,
                       double value, double limit, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
