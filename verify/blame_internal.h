// verify/blame_internal.h - who commanded which DoF when, found once for all checks.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

struct SomCommands *som_commands_create(const SomActionGraph *graph,
                                        const SomPrediction *prediction);
void som_commands_destroy(struct SomCommands *commands); // NULL is allowed
