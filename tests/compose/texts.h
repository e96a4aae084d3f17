// tests/compose/texts.h - designs written as text, for tests.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/workspace.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

// The library of the source tree.
extern const char *const test_library;
extern const char *const test_library_configs;

typedef struct TestDesign {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    int file;
    SomText text; // of the last call of a function below
} TestDesign;

// The text as a file "a.som", with the library of the source tree.
TestDesign test_design(const char *text);
void test_design_free(TestDesign *design);

// Composes a choice and fails the test, printing them, if there is any diagnostic.
SomConfiguration *test_compose(TestDesign *design, const char *choice);

// Everything that was reported, in order of places.
const char *test_diagnostics(TestDesign *design);

// Codes of all reports with line and column: "1:3 2007, 2:1 2008".
const char *test_codes(TestDesign *design);
