// base/diagnostic_fold.h - many reports with one cause become one.
//
//     SomDiagnosticsMark mark = som_diagnostics_mark(diags);
//     ...                                                     // reports whatever it finds
//     if (som_diagnostics_errors_since(diags, mark) > 0) {
//         som_diagnostics_fold(diags, mark, SOM_WRONG_ARGUMENTS, call, "'walk' does not work …");
//     }
//
// What a value causes deep inside a library is reported where the user wrote the value.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomDiagnosticsMark {
    int entries;
    int errors;
    int warnings;
} SomDiagnosticsMark;

SomDiagnosticsMark som_diagnostics_mark(const SomDiagnostics *diags);
int som_diagnostics_errors_since(const SomDiagnostics *diags, SomDiagnosticsMark mark);

// Takes back everything that was reported since.
void som_diagnostics_cut(SomDiagnostics *diags, SomDiagnosticsMark mark);

// Replaces what was reported since, which has errors, by one report, with the message and that of
// the first error, whose place is a note; the others are counted.
void som_diagnostics_fold(SomDiagnostics *diags, SomDiagnosticsMark mark, SomCode code,
                          SomSpan span, const char *message);

#ifdef __cplusplus
}
#endif
