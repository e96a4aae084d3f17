// tests/verify/library.h - every design of the library that needs no arguments, composed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "tests/compose/texts.h"

typedef struct SomTestLibrary {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SOM_ARRAY(SomConfiguration *) designs;
    SOM_ARRAY(int) files; // of each
} SomTestLibrary;

SomTestLibrary som_test_library_open(void);
void som_test_library_close(SomTestLibrary *library);
