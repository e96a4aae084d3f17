// verify/second_opinion_internal.h - what the parts of verify/second_opinion.h share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/second_distance.h"
#include "verify/second_opinion.h"

// The solid of a link in a pose; it must have parts.
static inline SomSecondSolid som_second_solid(const SomModuleLink *link, SomPose pose) {
    return (SomSecondSolid){link->parts, link->part_count, pose};
}

// Records how far two figures differ, in metres of something as large as `size`. True if that is a
// disagreement that gets a finding: the first ones do.
bool som_second_compare(SomVerification *out, double difference, double size);

// Of a time in seconds, which a configuration does not have.
SomFinding som_second_finding(const SomVerifyInput *input, SomCode code, double time, double ours,
                              double other);
