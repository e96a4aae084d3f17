// compose/library_names.h - which file of the library defines a name, for hints.
//
// Found by the first words of lines: no file is parsed, and nothing is added to the workspace.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace_internal.h"

typedef struct SomLibraryName {
    SomStr name; // SMORES
    SomStr file; // smores.m3l
    SomStr path;
    bool is_type; // of module
} SomLibraryName;

// The definition of the name, in any case of letters if none is spelled so; NULL if there is none,
// or several files define it. `is_type`: only types of modules. Lives as long as the workspace.
const SomLibraryName *som_library_names_find(SomWorkspace *workspace, SomStr name, bool is_type);
