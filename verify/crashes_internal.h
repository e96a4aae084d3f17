// verify/crashes_internal.h - collisions as findings: one for two modules that collide.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/certificate.h"
#include "verify/verify.h"

void som_report_crashes(const SomVerifyInput *input, const SomPairs *pairs,
                        const SomCertificate *certificate, SomVerification *out);

// Names two links by their modules, and links of one module by themselves: "'m[1]' and 'm[5]'".
void som_crash_print_who(const SomMechanism *mechanism, int link_a, int link_b, SomText *out);
