// report/verification_page.h - what the verifier found, as one HTML page: a table of all that was
// verified, and for each its verdict, findings, plots over time, pictures of the worst moments.
//
//     SomVerificationSection sections[] = {{.found = found, .mechanism = mechanism,
//                                           .design = SOM_STR("Walkbot"),
//                                           .behavior = SOM_STR("walk"), .graph = graph,
//                                           .prediction = &prediction}};
//     SomVerificationPage page = {.sections = sections, .count = 1, .diags = diags};
//     som_verification_page_print(&page, &html);
//
// The page needs no other file and no script. It stays small however much was verified: pictures
// and sections beyond the limits below are left out, what is unsafe last, and the page says so.
// Where pictures cannot be drawn it says that and goes without them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "render/link_meshes.h"
#include "report/moment.h"
#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_PAGE_MOST_PICTURES 24
#define SOM_PAGE_SECTION_PICTURES 9 // of one section
#define SOM_PAGE_MOST_SECTIONS 100  // the others are rows of the table alone

typedef struct SomVerificationSection {
    const SomVerification *found;
    const SomMechanism *mechanism;
    const double *start;             // one value a DoF; NULL: as the design starts
    const SomPrediction *prediction; // NULL: of a configuration
    const SomActionGraph *graph;     // NULL with it
    SomStr file;
    SomStr design;
    SomStr behavior;             // empty: the configuration alone
    const SomLinkMeshes *meshes; // may be NULL
} SomVerificationSection;

typedef struct SomVerificationPage {
    const SomVerificationSection *sections;
    int count;
    int not_made;          // with errors, so that they could not be verified
    SomDiagnostics *diags; // knows the places of findings
} SomVerificationPage;

void som_verification_page_print(const SomVerificationPage *page, SomText *out);

#ifdef __cplusplus
}
#endif
