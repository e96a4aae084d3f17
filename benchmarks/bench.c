// SPDX-License-Identifier: Apache-2.0
// bench [NAME…]: runs the benchmarks named, or all.

#include "benchmarks/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// A run shorter than this measures the clock more than the work.
#define SHORTEST_RUN 0.02

typedef struct Benchmark {
    const char *name;
    const char *summary;
    void (*run)(SomBench *bench);
} Benchmark;

static const Benchmark benchmarks[] = {
#define SOM_BENCHMARK(name, summary) {#name, summary, som_bench_##name},
#include "benchmarks/benchmarks.inc"
#undef SOM_BENCHMARK
};
static const int benchmark_count = (int)(sizeof benchmarks / sizeof *benchmarks);

// Processor time, not that of the wall: what else the machine does must not count.
double som_bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run_time(SomBench *bench, void (*work)(SomBench *, void *), void *context,
                       int64_t repeats) {
    double start = som_bench_now();
    for (int64_t i = 0; i < repeats; i++) {
        work(bench, context);
    }
    return som_bench_now() - start;
}

double som_bench_seconds(SomBench *bench, void (*work)(SomBench *, void *), void *context) {
    int64_t repeats = 1;
    double best = run_time(bench, work, context, repeats);
    while (best < SHORTEST_RUN) {
        repeats *= 2;
        best = run_time(bench, work, context, repeats);
    }
    for (int i = 1; i < bench->runs; i++) {
        double time = run_time(bench, work, context, repeats);
        best = time < best ? time : best;
    }
    return best / (double)repeats;
}

void som_bench_keep(SomBench *bench, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bench->sink = bench->sink * 31 + bits;
}

void som_bench_row(SomBench *bench, const char *what, int size, double ours, const char *peer,
                   double theirs) {
    printf("%s/%s,%d,%.3f,", bench->name, what, size, 1e6 * ours);
    if (peer != NULL) {
        printf("%s,%.3f,%.2f,,\n", peer, 1e6 * theirs, theirs / ours);
    } else {
        printf(",,,,\n");
    }
    fflush(stdout);
}

void som_bench_value(SomBench *bench, const char *what, int size, double seconds, double value,
                     const char *unit) {
    printf("%s/%s,%d,", bench->name, what, size);
    if (seconds > 0) {
        printf("%.3f", 1e6 * seconds);
    }
    printf(",,,,%.9g,%s\n", value, unit);
    fflush(stdout);
}

void som_bench_target(SomBench *bench, const char *what, int size, double value, const char *unit,
                      SomBenchTarget target, double limit) {
    bool is_met = target == SOM_AT_MOST ? value <= limit : value >= limit;
    printf("%s/%s,%d,,,,,%.9g,%s: target at %s %.9g %s\n", bench->name, what, size, value, unit,
           target == SOM_AT_MOST ? "most" : "least", limit, is_met ? "met" : "missed");
    fflush(stdout);
}

static void list(FILE *out) {
    for (int i = 0; i < benchmark_count; i++) {
        fprintf(out, "  %-10s %s\n", benchmarks[i].name, benchmarks[i].summary);
    }
}

static const Benchmark *find(const char *name) {
    for (int i = 0; i < benchmark_count; i++) {
        if (strcmp(benchmarks[i].name, name) == 0) {
            return &benchmarks[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    // everything named must exist before anything long begins
    for (int i = 1; i < argc; i++) {
        if (find(argv[i]) == NULL) {
            fprintf(stderr, "bench: there is no benchmark '%s'; there are:\n", argv[i]);
            list(stderr);
            return 2;
        }
    }
    SomBench bench = {.runs = 5};
    printf("name,size,time_us,peer,peer_time_us,ratio,value,unit\n");
    for (int i = 0; i < (argc > 1 ? argc - 1 : benchmark_count); i++) {
        const Benchmark *benchmark = argc > 1 ? find(argv[i + 1]) : &benchmarks[i];
        bench.name = benchmark->name;
        benchmark->run(&bench);
    }
    fprintf(stderr, "minimum of %d runs each; checksum %016llx\n", bench.runs,
            (unsigned long long)bench.sink);
    return 0;
}
