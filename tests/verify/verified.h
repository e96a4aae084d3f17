// tests/verify/verified.h - designs written as text and verified, for tests.
//
//     TestVerified v = test_verify("use \"smores.m3l\"\nconfig A is SMORES {...}", "", "drive");
//     const SomFinding *found = test_find(&v, SOM_SELF_COLLISION); // NULL: not found
//     test_verified_free(&v);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "behaviors/compile.h"
#include "tests/compose/texts.h"
#include "verify/verify.h"

typedef struct TestVerified {
    TestDesign design;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomActionGraph *graph; // NULL: the configuration alone
    SomVerification *found;
} TestVerified;

// Composes a choice ("": the first configuration) and compiles a behavior (NULL: none; else any
// action), failing the test if that gives an error; verifies with options (NULL: default ones).
TestVerified test_verify_with(const char *text, const char *choice, const char *behavior,
                              const SomVerifyOptions *options);
// The same of a file.
TestVerified test_verify_file_with(const char *path, const char *choice, const char *behavior,
                                   const SomVerifyOptions *options);
TestVerified test_verify_file(const char *path, const char *choice, const char *behavior);
TestVerified test_verify(const char *text, const char *choice, const char *behavior);
void test_verified_free(TestVerified *verified);

// The first finding with a code, NULL if there is none.
const SomFinding *test_find(const TestVerified *verified, SomCode code);
int test_count_of(const TestVerified *verified, SomCode code);

// Line and column of a finding: "12:5".
const char *test_place(TestVerified *verified, const SomFinding *finding);

// Every finding on a line of its own: "SOM4001 0.12-0.5 a.body b.body: message\n".
const char *test_findings(TestVerified *verified);
