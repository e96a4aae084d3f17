// compose/posture_check.h - reports the loop that a posture opens widest.
//
//     som_posture_check(mechanism, &posture, diags); // a warning
//
// Values beyond limits are reported where they are given: compose/words.h.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

void som_posture_check(const SomMechanism *mechanism, const SomPosture *posture,
                       SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
