// verify/finding_internal.h - the parts of verify/finding.h: findings, and how much was looked at.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/finding.h"

// Takes over what a part of the motion did not look at; the texts stay the part's.
void som_verification_join_coverage(SomVerification *out, const SomVerification *part);

// Gives samples that were not checked the number of all of them.
void som_verification_finish_coverage(SomVerification *out);
