// SPDX-License-Identifier: Apache-2.0
// Snakes of 18, 256 and 2,000 modules made through the builder: composing, compiling, lowering to a
// linkage, placing, memory, and how it all grows. A full rebuild of 256 modules is to take less
// than 5 ms, all of it on 2,000 modules less than half a second, and growth is to be linear.

#include "base/file.h"
#include "base/memory.h"
#include "benchmarks/bench.h"
#include "compose/builder.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "compose/workspace.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>

#define SIZES 3

static const int sizes[SIZES] = {18, 256, 2000};

typedef struct Snake {
    const SomM3l *smores;
    SomDiagnostics *diags;
    int modules;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomPosture posture;
    SomPose *links;
} Snake;

// ---- the work

// In chains of three.
static SomConfiguration *compose(const Snake *s) {
    static const char *const names[] = {"head", "middle", "tail"};
    const SomModuleType *type = &s->smores->types[0];
    int front = som_module_type_find_connector(type, SOM_STR("T"));
    int back = som_module_type_find_connector(type, SOM_STR("B"));
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Snake")});
    for (int i = 0; i < s->modules; i++) {
        if (i % 3 == 0) {
            som_builder_begin_part(b, &(SomPartDef){.name = SOM_STR("s"),
                                                    .index = i / 3 + 1,
                                                    .config = SOM_STR("Chain3")});
        }
        som_builder_begin_part(
            b, &(SomPartDef){.name = som_str(names[i % 3]), .config = SOM_STR("Module")});
        som_builder_set_module(b, type, s->smores, (SomSpan){0});
        som_builder_end_part(b);
        if (i % 3 == 2 || i == s->modules - 1) {
            som_builder_end_part(b);
        }
        if (i > 0) {
            som_builder_connect(b, &(SomConnectDef){.module_a = i - 1,
                                                    .connector_a = back,
                                                    .module_b = i,
                                                    .connector_b = front});
        }
    }
    SomConfiguration *c = som_builder_finish(b, s->diags);
    assert(c != NULL);
    return c;
}

static void run_compose(SomBench *bench, void *context) {
    SomConfiguration *c = compose(context);
    som_bench_keep(bench, c->metrics.mass);
    som_configuration_destroy(c);
}

static void run_text(SomBench *bench, void *context) {
    const Snake *s = context;
    static const char *const source =
        "use \"smores.m3l\"\n"
        "config Snake(n: count = 6, last: count = 3) {\n"
        "    part s[n] : Chain3\n"
        "    part rest[last] : SMORES\n"
        "    connect s[i].tail.B to s[i+1].head.T for i in 1..n-1\n"
        "    connect s[n].tail.B to rest[1].T for i in 1..1 if last > 0\n"
        "    connect rest[i].B to rest[i+1].T for i in 1..last-1\n"
        "}\n"
        "config Chain3 {\n"
        "    part head, middle, tail : SMORES\n"
        "    connect head.B to middle.T\n"
        "    connect middle.B to tail.T\n"
        "}\n";
    char choice[64];
    snprintf(choice, sizeof choice, "Snake(n = %d, last = %d)", s->modules / 3, s->modules % 3);
    SomWorkspace *workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), s->diags);
    int file = som_workspace_open_text(workspace, SOM_STR("snake.som"), som_str(source));
    SomConfiguration *c = som_configuration_compose(workspace, file, som_str(choice), s->diags);
    assert(c != NULL && c->module_count == s->modules);
    som_bench_keep(bench, c->metrics.mass);
    som_configuration_destroy(c);
    som_workspace_destroy(workspace);
}

static void run_compile(SomBench *bench, void *context) {
    const Snake *s = context;
    SomMechanism *m = som_mechanism_create(s->configuration);
    som_bench_keep(bench, m->mass);
    som_mechanism_destroy(m);
}

static void run_lower(SomBench *bench, void *context) {
    const Snake *s = context;
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(s->configuration, &s->posture, &map, s->diags);
    som_bench_keep(bench, som_linkage_link_count(linkage));
    som_linkage_destroy(linkage);
    som_lowering_free(&map);
}

static void run_place(SomBench *bench, void *context) {
    const Snake *s = context;
    som_mechanism_place(s->mechanism, &s->posture, s->links);
    som_bench_keep(bench, s->links[s->mechanism->link_count - 1].position.y);
}

static void run_measure(SomBench *bench, void *context) {
    const Snake *s = context;
    som_bench_keep(bench, som_mechanism_com(s->mechanism, s->links).y);
    som_bench_keep(bench, som_mechanism_bounds(s->mechanism, s->links).high.y);
}

// ---- memory

static size_t bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static double measure_memory(Snake *s) {
    size_t before = bytes_in_use();
    s->configuration = compose(s);
    s->mechanism = som_mechanism_create(s->configuration);
    return (double)(bytes_in_use() - before);
}

// ---- rows

static void report_target(SomBench *bench, const char *what, int size, double value, double target,
                          const char *unit) {
    char verdict[64];
    snprintf(verdict, sizeof verdict, "%s (target %.4g: %s)", unit, target,
             value <= target ? "met" : "missed");
    som_bench_value(bench, what, size, 0, value, verdict);
}

// Seconds of a rebuild; those of reading the text, which reads the types of modules too, apart.
static double run_size(SomBench *bench, const SomM3l *smores, SomDiagnostics *diags, int size,
                       double *text_seconds) {
    static const struct {
        const char *name;
        void (*work)(SomBench *, void *);
    } works[] = {{"compose", run_compose},
                 {"compile", run_compile},
                 {"lower", run_lower},
                 {"place", run_place},
                 {"com and bounds", run_measure}};
    Snake s = {.smores = smores, .diags = diags, .modules = size};
    double bytes = measure_memory(&s);
    s.posture = som_posture_start(s.configuration);
    for (int i = 0; i < s.posture.count; i++) {
        s.posture.values[i] = 0.01 * (i % 7);
    }
    s.links = som_alloc(sizeof *s.links * (size_t)s.mechanism->link_count);
    double total = 0;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        double seconds = som_bench_seconds(bench, works[i].work, &s);
        som_bench_row(bench, works[i].name, size, seconds, NULL, 0);
        total += seconds;
    }
    *text_seconds = som_bench_seconds(bench, run_text, &s);
    som_bench_row(bench, "read and compose text", size, *text_seconds, NULL, 0);
    som_bench_value(bench, "memory", size, 0, bytes / 1024, "KiB");
    som_free(s.links);
    som_posture_free(&s.posture);
    som_mechanism_destroy(s.mechanism);
    som_configuration_destroy(s.configuration);
    return total;
}

void som_bench_compose(SomBench *bench) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomText text = {0};
    if (!som_file_load(SOM_SOURCE "/library/modules/smores.m3l", SOM_FILE_LIMIT, &text, diags)) {
        fprintf(stderr, "compose: the library is not there\n");
        som_diagnostics_destroy(diags);
        return;
    }
    SomM3l *smores = som_m3l_read(som_text_str(&text), 0, diags);
    double seconds[SIZES], text_seconds[SIZES];
    for (int i = 0; i < SIZES; i++) {
        seconds[i] = run_size(bench, smores, diags, sizes[i], &text_seconds[i]);
    }
    report_target(bench, "rebuild", sizes[1], 1e3 * seconds[1], 5, "ms");
    report_target(bench, "text and rebuild", sizes[2], 1e3 * (seconds[2] + text_seconds[2]), 500,
                  "ms");
    double growth = seconds[2] / seconds[1] * sizes[1] / sizes[2];
    report_target(bench, "growth from 256 of the time for each module", sizes[2], growth, 1.5,
                  "times");
    som_m3l_destroy(smores);
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}
