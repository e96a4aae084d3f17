// tests/suite.h - what every unit test shares: Check, run with TAP output that meson reads.
//
//     START_TEST(exp_of_log_is_identity) {
//         ck_assert_double_le(error, 1e-14);
//     }
//     END_TEST
//
//     SOM_SUITE("space/pose", exp_of_log_is_identity, ...)
//
// A test's name states the fact it shows. With SOM_TEST_LONG set, tests
// that ask som_test_count for a number of cases get the large one.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_SUITE(name, ...)                                                                       \
    int main(void) {                                                                               \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return som_run_suite((name), tests, (int)(sizeof tests / sizeof *tests));                  \
    }

int som_run_suite(const char *name, const TTest *const *tests, int count);

// How many random cases a property test runs: `normal`, or `large` in the long run.
int som_test_count(int normal, int large);

// Whether `work` aborts, tried in a process of its own: for what only a programmer can do wrong.
bool som_test_aborts(void (*work)(int which), int which);

// A small random generator (splitmix64), so that every run and machine sees the same cases.
typedef struct SomTestRandom {
    uint64_t state;
} SomTestRandom;

uint64_t som_test_bits(SomTestRandom *random);
double som_test_uniform(SomTestRandom *random, double low, double high);
int som_test_int(SomTestRandom *random, int low, int high); // both inclusive
double som_test_normal(SomTestRandom *random);              // mean 0, deviation 1

#ifdef __cplusplus
}
#endif
