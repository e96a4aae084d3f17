// compose/loops.h - loops of a design: closed where they are, solved where they can be, else
// refused.
//
// Every connection that is not of the tree from the base closes a loop, as do closed chains inside
// of modules. Where one is open as the design starts, by more than a micrometre or microradian,
// local assembly moves the joints within their limits until all are shut; the posture found becomes
// the start. If there is none nearby, the gap is reported in millimetres and degrees, as it is at
// the connectors. That takes a second or so at most: large loops are tried for fewer steps, or not.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// Multiplications that all attempts for one design together may take: a second or so. Loops are not
// tried if a few steps of them would take more.
#define SOM_MAX_LOOP_WORK 4e9

// Also puts bases on the ground, and counts the metrics: the last steps of composing. False
// after a report of a loop that does not close. What it takes goes off *work_left, which several
// designs may share; NULL: SOM_MAX_LOOP_WORK is left.
bool som_configuration_close_loops(SomConfiguration *configuration, double *work_left,
                                   SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
