// report/verification_page.h - what the verifier found, as one HTML page: verdict, findings, plots
// over time, pictures of the worst moments.
//
//     SomVerificationPage page = {.found = found, .mechanism = mechanism, .diags = diags,
//                                 .design = SOM_STR("Walkbot"), .behavior = SOM_STR("walk"),
//                                 .prediction = &prediction, .graph = graph};
//     som_verification_page_print(&page, &html);
//
// The page needs no other file and no script. Where pictures cannot be drawn it says so and goes
// without them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/link_meshes.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

// Pictures of one page, at most.
#define SOM_PAGE_MOST_PICTURES 6

typedef struct SomVerificationPage {
    const SomVerification *found;
    const SomMechanism *mechanism;
    const double *start;             // one value a DoF; NULL: as the design starts
    const SomPrediction *prediction; // NULL: of a configuration
    const SomActionGraph *graph;     // NULL with it
    SomStr design;
    SomStr behavior;             // empty: the configuration alone
    SomDiagnostics *diags;       // knows the places of findings
    const SomLinkMeshes *meshes; // may be NULL
} SomVerificationPage;

void som_verification_page_print(const SomVerificationPage *page, SomText *out);

#ifdef __cplusplus
}
#endif
