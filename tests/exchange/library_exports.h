// tests/exchange/library_exports.h - every design of the library, as exporters get them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/compile.h"
#include "compose/mechanism.h"
#include "exchange/body_model.h"
#include "tests/suite.h"

#ifdef __cplusplus
extern "C" {
#endif

// One configuration, with one of its behaviors or none.
typedef struct TestExport {
    const SomConfiguration *design;
    const SomMechanism *mechanism;
    const SomActionGraph *graph; // NULL: none
    const char *label;           // "Walkbot walk"
    SomDiagnostics *diags;
} TestExport;

// Calls `check` for every configuration of the library that needs no arguments: without a behavior,
// and with each of its own that needs none. Returns how many.
int test_each_export(void (*check)(const TestExport *export_, void *context), void *context);

// The same for one design, "" is without behavior; files and texts as test_design takes them.
void test_export(const char *text, const char *choice, const char *call,
                 void (*check)(const TestExport *export_, void *context), void *context);

// A module that is a four-bar, its crank leaning: its fourth joint closes the chain.
void test_four_bar(void (*check)(const TestExport *export_, void *context), void *context);

// One module of a type that is written as M3L.
void test_module_export(const char *m3l, const char *type,
                        void (*check)(const TestExport *export_, void *context), void *context);

// A design whose names are all that names can be.
extern const char test_hostile_design[];

#ifdef __cplusplus
}
#endif
