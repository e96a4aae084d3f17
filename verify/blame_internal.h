// verify/blame_internal.h - who commanded which DoF when, found once for all checks.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

struct SomCommands *som_commands_create(const SomActionGraph *graph,
                                        const SomPrediction *prediction);
// The part of the user's own configuration that the module is, or is in.
SomSpan som_verify_module_span(const SomConfiguration *design, int module);

// The steps from the actions of a finding to its places.
void som_verify_add_steps(const SomVerifyInput *input, SomFinding *finding, SomVerification *out);

void som_commands_destroy(struct SomCommands *commands); // NULL is allowed
