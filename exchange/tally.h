// exchange/tally.h - what a reader finds of many links or joints, reported once.
//
//     som_tally_add(&no_limits, joint->name, joint->span);
//     som_tally_report(&no_limits, SOM_URDF_LIMIT, "joint ", " has no limit", diags);
//
// gives, at the first place: "joint 'a' has no limit; likewise 'b', 'c', 'd' (and 13 more)".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomTally {
    SOM_ARRAY(SomStr) names; // borrowed; one may be there again
    SomSpan span;            // of the first
} SomTally;

void som_tally_add(SomTally *tally, SomStr name, SomSpan span);

// Reports the names, each once, if there are any, and empties the tally.
void som_tally_report(SomTally *tally, SomCode code, const char *before, const char *after,
                      SomDiagnostics *diags);
void som_tally_free(SomTally *tally);

#ifdef __cplusplus
}
#endif
