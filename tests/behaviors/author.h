// tests/behaviors/author.h - an author who does anything with behaviors, chosen by numbers.
//
//     TestDesigner author = {.random = {seed}};
//     test_author_act(&author, design, SOM_STR("Snake"));   // asserts what must hold after each
//
// Made for the property test and for the fuzz target; numbers come as in tests/compose/designer.h.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/compose/designer.h"

// One operation. Aborts where it leaves something wrong.
void test_author_act(TestDesigner *author, SomDesign *design, SomStr config);
