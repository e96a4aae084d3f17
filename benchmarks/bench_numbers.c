// SPDX-License-Identifier: Apache-2.0
// Numbers in text: ours must round trip in every locale and be no slower than the C library.

#include "base/number.h"
#include "benchmarks/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 1000

typedef struct Numbers {
    double values[COUNT];
    char texts[COUNT][SOM_NUMBER_TEXT];
} Numbers;

static void print_ours(SomBench *bench, void *context) {
    const Numbers *numbers = context;
    char text[SOM_NUMBER_TEXT];
    for (int i = 0; i < COUNT; i++) {
        som_bench_keep(bench, som_number_print(numbers->values[i], text) + text[0]);
    }
}

static void print_theirs(SomBench *bench, void *context) {
    const Numbers *numbers = context;
    char text[SOM_NUMBER_TEXT];
    for (int i = 0; i < COUNT; i++) {
        som_bench_keep(bench, snprintf(text, sizeof text, "%.17g", numbers->values[i]) + text[0]);
    }
}

static void read_ours(SomBench *bench, void *context) {
    const Numbers *numbers = context;
    for (int i = 0; i < COUNT; i++) {
        double value;
        som_number_read(som_str(numbers->texts[i]), &value);
        som_bench_keep(bench, value);
    }
}

static void read_theirs(SomBench *bench, void *context) {
    const Numbers *numbers = context;
    for (int i = 0; i < COUNT; i++) {
        som_bench_keep(bench, strtod(numbers->texts[i], NULL));
    }
}

static void compare(SomBench *bench, Numbers *numbers, const char *print, const char *read) {
    for (int i = 0; i < COUNT; i++) {
        som_number_print(numbers->values[i], numbers->texts[i]);
    }
    double ours = som_bench_seconds(bench, print_ours, numbers);
    double theirs = som_bench_seconds(bench, print_theirs, numbers);
    som_bench_row(bench, print, COUNT, ours, "snprintf %.17g", theirs);
    ours = som_bench_seconds(bench, read_ours, numbers);
    theirs = som_bench_seconds(bench, read_theirs, numbers);
    som_bench_row(bench, read, COUNT, ours, "strtod", theirs);
}

void som_bench_numbers(SomBench *bench) {
    Numbers numbers;
    for (int i = 0; i < COUNT; i++) {
        numbers.values[i] = (i - COUNT / 2) * 0.125 / 5; // as people write them
    }
    compare(bench, &numbers, "print short", "read short");
    for (int i = 0; i < COUNT; i++) {
        numbers.values[i] = sin((double)i); // as programs compute them
    }
    compare(bench, &numbers, "print full", "read full");
}
