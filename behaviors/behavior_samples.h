// behaviors/behavior_samples.h - all behaviors of a design compiled, those with parameters with
// samples of them.
//
//     SomText call = {0};
//     som_behavior_print_sample(&def, behavior, &call); // "front.drive(30deg/s, 1s)"
//
// A behavior whose parameters have no defaults cannot be compiled alone. With values of the right
// kind it can be looked at all the same, before anything runs it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/compile.h"
#include "compose/composition.h"

#ifdef __cplusplus
extern "C" {
#endif

// Something of the parameter's kind: "10deg", "1s", "2"; of a joint or part the first one of the
// behavior's own part that fits, else of the design, else its name, which nothing has.
void som_parameter_print_sample(const SomConfiguration *configuration, int behavior,
                                const SomParameter *parameter, SomText *out);

// The behavior run with samples for what must be given.
void som_behavior_print_sample(const SomCompileDef *def, int behavior, SomText *out);

// Compiles a behavior with its defaults, else with samples, whose text goes into the arena: it must
// outlive the diagnostics. NULL after a report.
SomActionGraph *som_behavior_compile_sample(const SomCompileDef *def, int behavior,
                                            SomArena *arena);

// An empty list of diagnostics for compiling what was composed, which keeps its own as they are.
SomDiagnostics *som_compile_diagnostics_create(SomComposition *composition);

// Compiles every behavior that the configuration of a choice itself has, and those of the other
// configs of the file that it is a part of. False if one does not that did before: the message of
// its first error is added to `why`. `before` may be NULL.
bool som_behaviors_still_compile(SomComposition *before, SomComposition *after, SomText *why);

#ifdef __cplusplus
}
#endif
