// verify/branches_internal.h - which motions of a behavior are verified: those to which conditions
// lead that ask for what kinematics does not know, each to its end or until it goes on as another.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

// With the time between two samples as it is: no more than a tick, which it divides.
SomVerifyOptions som_verify_options_of(const SomVerifyDef *def);

// All motions of the graph. The input is that of a configuration.
void som_verify_run_branches(const SomVerifyDef *def, SomVerifyInput *input, SomVerification *out);

// verify.c: all checks of one motion, or of a configuration.
void som_verify_run(const SomVerifyInput *input, SomVerification *out);
