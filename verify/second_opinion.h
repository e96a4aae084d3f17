// verify/second_opinion.h - what the checks found, computed once more by libccd and qhull.
//
//     som_second_opinion_pairs(input, pairs, &certificate, out);          // in self_collision.c
//     som_second_opinion_support(input, standing, stability, out);        // in stability_check.c
//
// Nothing is done unless the input wants a second opinion. A bounded number of moments is looked
// at: up to SOM_SECOND_SPREAD evenly spread over the motion, with its start and its end, and the
// worst ones that were found. At each of them all pairs of links that may be near each other are
// measured by libccd and compared with som_solid_distance and with what the certificate claims:
// overlaps and their depth, and the smallest clearance. Support polygons are compared by the margin
// of the centre of mass in the hull that qhull finds, and by the lowest point of the robot. The
// check in checks.inc compares the convex hulls of links.
//
// Links are placed by verify/second_poses.h and measured by space/second_distance.h. A difference
// beyond SOM_SECOND_TOLERANCE is a finding with both figures. docs/verify.md says what is not
// independent.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/certificate.h"
#include "verify/stability.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SECOND_SPREAD 32
#define SOM_SECOND_MOST_MOMENTS 64
#define SOM_SECOND_MOST_PAIRS 50000 // at all moments together

void som_second_opinion_pairs(const SomVerifyInput *input, const SomPairs *pairs,
                              const SomCertificate *certificate, SomVerification *out);
void som_second_opinion_support(const SomVerifyInput *input, SomStanding *standing,
                                const SomStability *stability, SomVerification *out);

#ifdef __cplusplus
}
#endif
