// tests/exchange/tree_import.h - behavior trees, imported beside a design in memory.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import.h"
#include "tests/suite.h"

// Two modules a and b, a dock `grip`, behaviors `key` and `Sleep`.
extern const char som_test_small_design[];

// Imports trees into a design; the text, empty after errors, which are the *code. `words` may be
// NULL.
SomText som_test_import_tree(SomStr path, SomStr design, SomStr config, SomStr tree, SomCode *code,
                             SomText *words);
