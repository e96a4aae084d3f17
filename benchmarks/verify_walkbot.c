// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verify_walkbot.h"

#include "base/file.h"
#include "behaviors/compile.h"
#include "compose/workspace.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

#define SECONDS 10.0 // of the walk that are verified

static const char *const check_names =
#define SOM_CHECK(name, function, word, title, fine) " " word
#include "verify/checks.inc"
#undef SOM_CHECK
    ;

// The robot as its user has it before him.
typedef struct Walkbot {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *configuration;
    SomMechanism *mechanism;
    SomActionGraph *graph;
} Walkbot;

static Walkbot open_walkbot(void) {
    Walkbot w = {.diags = som_diagnostics_create()};
    w.workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), w.diags);
    int file = som_workspace_open(w.workspace, SOM_STR("walkbot"));
    w.configuration = som_configuration_compose(w.workspace, file, SOM_STR("Walkbot"), w.diags);
    if (w.configuration != NULL) {
        SomCompileDef def = {
            .workspace = w.workspace, .configuration = w.configuration, .diags = w.diags};
        w.mechanism = som_mechanism_create(w.configuration);
        w.graph = som_compile_call(&def, SOM_STR("walk(n = 100)"));
    }
    if (w.graph == NULL) {
        fprintf(stderr, "verify: the Walkbot of the library cannot be composed\n");
        abort();
    }
    return w;
}

static void close_walkbot(Walkbot *w) {
    som_action_graph_destroy(w->graph);
    som_mechanism_destroy(w->mechanism);
    som_configuration_destroy(w->configuration);
    som_workspace_destroy(w->workspace);
    som_diagnostics_destroy(w->diags);
}

static SomVerification *verify_walk(const Walkbot *w, bool skips_loads) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = SECONDS;
    return som_verify(&(SomVerifyDef){.mechanism = w->mechanism,
                                      .graph = w->graph,
                                      .options = &options,
                                      .skips_loads = skips_loads});
}

static void keep(SomBench *bench, SomVerification *found) {
    som_bench_keep(bench, found->findings.count);
    som_verification_destroy(found);
}

static void run_whole(SomBench *bench, void *context) {
    keep(bench, verify_walk(context, false));
}

static void run_again(SomBench *bench, void *context) {
    (void)context;
    Walkbot w = open_walkbot();
    keep(bench, verify_walk(&w, true));
    close_walkbot(&w);
}

void som_verify_walkbot(SomBench *bench) {
    Walkbot w = open_walkbot();
    SomVerification *found = verify_walk(&w, false);
    som_bench_value(bench, "walkbot: motion verified", 18, 0, found->duration, "s");
    som_bench_value(bench, "walkbot: samples", 18, 0, found->sample_count, "samples");
    som_bench_value(bench, "walkbot: findings", 18, 0, found->findings.count, "findings");
    som_verification_destroy(found);
    char unit[512];
    snprintf(unit, sizeof unit, "ms (checks:%s)", check_names);
    som_bench_target(bench, "walkbot: walk verified whole", 18,
                     1e3 * som_bench_seconds(bench, run_whole, &w), unit, SOM_AT_MOST, 60);
    snprintf(unit, sizeof unit, "ms (text to findings without loads and slip)");
    som_bench_target(bench, "walkbot: checked again after an edit", 18,
                     1e3 * som_bench_seconds(bench, run_again, NULL), unit, SOM_AT_MOST, 25);
    close_walkbot(&w);
}
