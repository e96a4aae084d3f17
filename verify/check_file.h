// verify/check_file.h - all that is wrong with the text of a design, as `check` reports it.
//
//     int file = som_workspace_open(workspace, path);
//     if (file >= 0) {
//         som_check_file(workspace, file, diags);
//     }
//     bool fine = som_diagnostics_error_count(diags) == 0;

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace.h"

#ifdef __cplusplus
extern "C" {
#endif

// Composes the configurations that need no arguments, and compiles the behaviors of those that are
// composed without an error. `diags` are those of the workspace.
void som_check_file(SomWorkspace *workspace, int file, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
