// tests/compose/designer.h - a designer who does anything: operations on a design, chosen by
// numbers.
//
//     TestDesigner designer = {.random = {seed}};
//     test_designer_act(&designer, design, config);   // asserts what must hold after each
//
// Numbers come from bytes, as long as there are some, then from the random generator; with neither
// they are 0. Made for the property test and for the fuzz target.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/design_edit.h"
#include "tests/suite.h"

typedef struct TestDesigner {
    const uint8_t *bytes;
    size_t left;
    SomTestRandom random; // state 0: none
    int done, refused;
    int done_by[32]; // by operation
    SomText what;    // of the last operation, for messages
} TestDesigner;

// From 0 to before n.
int test_designer_choose(TestDesigner *designer, int n);

// One operation. Aborts where it leaves something wrong. The config may be renamed.
void test_designer_act(TestDesigner *designer, SomDesign *design, SomText *config);

// Aborts unless the text, opened again, is the same design.
void test_designer_reopen(SomDesign *design, SomStr library, SomStr config);

// A design of a text, now and then with the line ends of other systems.
SomDesign *test_designer_begin(TestDesigner *designer, SomStr text);

// So many acts; then undo and redo go back and forth through every text there was.
typedef void (*TestAct)(TestDesigner *designer, SomDesign *design, SomText *config);
void test_designer_play(TestDesigner *designer, SomDesign *design, SomText *config, int steps,
                        TestAct act);

// How many kinds of operations were done; with SOM_TEST_SHOW all numbers are shown.
int test_designer_kinds(const TestDesigner *designer);

int test_count_comments(SomStr text);
