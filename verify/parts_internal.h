// verify/parts_internal.h - a motion verified in parts, one for every state of the docks, each with
// the mechanism that the robot then is. The sample at which a dock changes is in both parts.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

// Sets of checks.
#define SOM_CHECK_BIT(check) (1u << (check))
// Of what is commanded, or of module types, which is one for the whole motion. The others look at
// postures.
#define SOM_CHECKS_OF_COMMANDS                                                                     \
    (SOM_CHECK_BIT(SOM_CHECK_MOTION) | SOM_CHECK_BIT(SOM_CHECK_DOCKING) |                          \
     SOM_CHECK_BIT(SOM_CHECK_CONFLICT) | SOM_CHECK_BIT(SOM_CHECK_JOINT_LIMIT) |                    \
     SOM_CHECK_BIT(SOM_CHECK_SPEED) | SOM_CHECK_BIT(SOM_CHECK_SECOND_OPINION))
// Of what stands on the ground by itself.
#define SOM_CHECKS_OF_PIECES                                                                       \
    (SOM_CHECK_BIT(SOM_CHECK_STABILITY) | SOM_CHECK_BIT(SOM_CHECK_LOAD) |                          \
     SOM_CHECK_BIT(SOM_CHECK_SLIP))

void som_verify_run_checks(const SomVerifyInput *input, uint32_t which, SomVerification *out);

// The samples from `first` to `last`.
SomVerifyInput som_verify_cut(const SomVerifyInput *input, int first, int last);
// Nothing found yet about a part of `out`, from its sample `first` on; to be joined.
SomVerification *som_verify_begin(const SomVerifyInput *part, const SomVerification *out,
                                  int first);

// All checks of postures. The input has a prediction.
void som_verify_run_parts(const SomVerifyInput *input, SomVerification *out);

// The motion was not verified from `end` on.
void som_verify_report_end(double end, SomStr reason, SomVerification *out);
