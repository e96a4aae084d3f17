// tests/compose/edited.h - tests of operations on designs: texts before and after, and refusals.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/design_edit.h"
#include "tests/compose/texts.h"

#define S(literal) SOM_STR(literal)

// A robot with two legs, comments and behaviors.
extern const char *const test_edit_robot;

// The text as a design; fails the test if there is anything to report.
SomDesign *test_edit_begin(const char *text);

// Why the last operation was refused: "SOM2602: … / note / note".
SomText test_edit_refusal(const SomDesign *design);

// Ends a test of an operation that was made: the text is as expected, and undone as it was.
void test_edit_made(SomDesign *design, bool done, const char *before, const char *after);

// The same of one that was refused.
void test_edit_refused(SomDesign *design, bool done, const char *before, const char *reason);

SomMatingWish test_edit_degrees(double angle);
