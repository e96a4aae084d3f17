// tests/mutate.h - small random changes of a text, as typing errors, rounding, damaged files and
// other programs make them.
//
//     SomTestRandom random = {seed};
//     SomText out = {0};
//     som_test_mutate(&random, text, other, &out);
//
// Most changes keep a text well-formed (another number, a word in the place of another, a line
// twice), so that readers get past their first lines.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "tests/suite.h"

// One to four changes. `other` is a text of the same kind, for splices.
void som_test_mutate(SomTestRandom *random, SomStr text, SomStr other, SomText *out);
