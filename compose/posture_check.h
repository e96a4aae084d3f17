// compose/posture_check.h - tells what a posture does that the design cannot.
//
//     som_posture_check(mechanism, &posture, diags); // warnings
//
// Joints beyond their limits, and the loop that the values tear open widest. Values that a design
// starts with were checked when it was composed. A value that exceeds a limit only by rounding
// (modules/joint_limit.h) is set to the limit.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

void som_posture_check(const SomMechanism *mechanism, SomPosture *posture, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
