// tests/mutation.h - runs a reader on thousands of mutated files, each in bounded time and memory.
//
//     SomMutation mutation = {.name = "URDF", .count = 200, .make = make, .run = run};
//     ck_assert_int_eq(som_test_run_mutations(&mutation), 0);
//
// Cases run in a process of their own, which is started again after one that crashed, so all of
// them are tried. Each case depends on its index only. A failed one is printed as NAME:INDEX and
// its input is saved below build/; SOM_MUTATION=NAME:INDEX in the environment runs it alone.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "tests/suite.h"

typedef struct SomMutation {
    const char *name;
    int count;
    void *context;
    // The input of a case, and the file that it was made of.
    void (*make)(void *context, SomTestRandom *random, SomText *input, SomText *origin);
    // What is wrong with the answer, in words; empty: nothing.
    void (*run)(void *context, SomTestRandom *random, SomStr input, SomText *problem);
} SomMutation;

// How many cases failed, each of which is reported.
int som_test_run_mutations(const SomMutation *mutation);

// The text of a file of the source tree, which must exist.
SomText som_test_seed_text(const char *path);

// Names of the files of a folder of the source tree that end so ("" for all), sorted: at most
// `capacity`, which must be enough.
int som_test_seed_names(const char *folder, const char *ending, char (*names)[128], int capacity);
