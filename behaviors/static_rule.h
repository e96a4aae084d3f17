// behaviors/static_rule.h - the one rule about which behaviors run: whatever plays, simulates or
// exports a behavior asks here first.
//
//     SomStaticDef def = {.graph = graph, .servos = servos, .design = design};
//     int ignored;
//     if (som_static_allows(&def, is_forced, &ignored, diags)) {
//         ... runs; the outcome mentions `ignored` unless it is 0
//     }

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/static_checks.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reports what the static checks find; false after errors. If `is_forced`, each error is reported
// as a warning (SOM_BEHAVIOR_FORCED) and the result is true. *ignored (may be NULL) counts these.
bool som_static_allows(const SomStaticDef *def, bool is_forced, int *ignored,
                       SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
