// tests/exchange/lab_files.h - imports of texts, and random robots as files of the SMORES lab.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import.h"
#include "exchange/lab_model.h"
#include "tests/suite.h"

// The library of the source tree.
SomStr som_test_library_root(void);

// Imports a text and fails the test if it cannot be, or if there are not as many warnings as
// wanted; -1: any.
SomImported som_test_import(const char *path, SomStr text, int warnings);

// Imports what cannot be imported; the first code. Prints nothing.
SomCode som_test_refusal(const char *path, SomStr text);

// A robot of `count` modules: random joints, faces, rolls and gaps, in random order and direction,
// with the poses that follow. If `loose`, rolls are any, not only multiples of 90 degrees.
void som_test_random_robot(SomTestRandom *random, int count, bool loose, const SomLabType *type,
                           SomLabModel *model);

// The file of a robot, poses with six or seven numbers of all digits.
void som_test_print_conf(const SomLabModel *model, SomTestRandom *random, SomText *out);
