// benchmarks/bench.h - timed scenes against peers, printed as CSV.
//
// A benchmark is one file that defines `void som_bench_NAME(SomBench *)` and one line in
// benchmarks/benchmarks.inc. It measures our code and its peer in the same run on the same input
// and adds a row for each size:
//
//     double ours = som_bench_seconds(bench, print_ours, &numbers);
//     double theirs = som_bench_seconds(bench, print_with_snprintf, &numbers);
//     som_bench_row(bench, "print", count, ours, "snprintf", theirs);
//
// The machine is never quiet, so times are the minimum of several runs and the ratio in one run is
// what counts. Nothing here fails for being slow.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

typedef struct SomBench {
    const char *name; // of the benchmark that runs
    int runs;         // the minimum of so many is taken
    uint64_t sink;    // results go here, so that no work is optimised away
} SomBench;

// Seconds for one call of `work`: repeated until a run is long enough to measure, minimum of all
// runs.
double som_bench_seconds(SomBench *bench, void (*work)(SomBench *, void *), void *context);

// Seconds of processor time so far, for work whose pieces are timed one by one.
double som_bench_now(void);

// One line: name/what, size, our microseconds, peer, its microseconds, how many times faster we
// are. Without a peer, NULL and 0.
void som_bench_row(SomBench *bench, const char *what, int size, double ours, const char *peer,
                   double theirs);

// One line for what is not a time: name/what, size, and in the last two columns value and unit.
// `seconds` may say how long it took; 0 says nothing.
void som_bench_value(SomBench *bench, const char *what, int size, double seconds, double value,
                     const char *unit);

// One line for what is wanted of a value: name/what, size, and in the last two columns the value
// and "unit: target at most LIMIT, met" or "missed".
typedef enum SomBenchTarget { SOM_AT_MOST, SOM_AT_LEAST } SomBenchTarget;
void som_bench_target(SomBench *bench, const char *what, int size, double value, const char *unit,
                      SomBenchTarget target, double limit);

// Keeps a result from being optimised away.
void som_bench_keep(SomBench *bench, double value);

// The benchmarks.
#define SOM_BENCHMARK(name, summary) void som_bench_##name(SomBench *bench);
#include "benchmarks/benchmarks.inc"
#undef SOM_BENCHMARK
