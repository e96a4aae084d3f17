// report/sarif.h - diagnostics and findings as SARIF 2.1.0, which services of code review and
// editors show beside the lines they are about.
//
//     SomSarif *sarif = som_sarif_create(&(SomSarifDef){.diags = diags, .version = SOM_STR("1.0"),
//                                                       .root = SOM_STR("/robots")});
//     som_sarif_add_diagnostics(sarif, files, count);
//     som_sarif_add_findings(sarif, found, SOM_STR("walker.som"), SOM_STR("Walker"), behavior);
//     som_sarif_print(sarif, &text);
//     som_sarif_destroy(sarif);
//
// Files below `root` are named relative to %SRCROOT%, others by a file: URI. Columns count
// characters. Fingerprints hold the code, the file, the text of the line and who is concerned, but
// no line numbers or measured values, so that a result stays the same one while the file around it
// changes. What was not checked is a result of kind "open".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

// Borrowed while the log is in use.
typedef struct SomSarifDef {
    const SomDiagnostics *diags; // knows the places, of findings too
    SomStr version;              // of the program
    SomStr root;                 // absolute; empty: nothing is relative to it
} SomSarifDef;

typedef struct SomSarif SomSarif;

SomSarif *som_sarif_create(const SomSarifDef *def);
void som_sarif_destroy(SomSarif *sarif); // NULL is allowed

// Reports of the list with their notes and fixes. What has no place of its own is about the file
// that its message names, else the first of the files.
void som_sarif_add_diagnostics(SomSarif *sarif, const char *const *files, int count);

// `found` must outlive the log. An empty behavior: the configuration alone.
void som_sarif_add_findings(SomSarif *sarif, const SomVerification *found, SomStr file,
                            SomStr design, SomStr behavior);

void som_sarif_print(const SomSarif *sarif, SomText *out);

#ifdef __cplusplus
}
#endif
