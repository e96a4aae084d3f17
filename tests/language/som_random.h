// tests/language/som_random.h - random .som texts without syntax errors, for tests.
//
// Written by following the grammar; blanks, newlines and comments are put wherever they may stand.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "tests/suite.h"

// Adds a file of a few statements.
void som_random_file(SomTestRandom *random, SomText *out);
