// SPDX-License-Identifier: Apache-2.0
// The Walkbot walking and a snake of 18 modules under physics, steps of 1 ms, one core: how much
// faster than the clock, reduced and with every link and joint (--full), in every engine there is;
// and what everything round the engine (player, servos, conditions, trace) takes of a step.

#include "base/memory.h"
#include "behaviors/compile.h"
#include "benchmarks/bench.h"
#include "compose/workspace.h"
#include "simulate/simulation.h"
#include "simulate/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 3
#define SECONDS 2.0      // simulated, of a run
#define FULL_SECONDS 0.5 // of what takes minutes
#define OUTLIER 20       // times the median: the machine did something else meanwhile

static const struct Gait {
    const char *name, *config, *behavior;
    double least; // times faster than the clock, in Gazebo's engine
} gaits[] = {{"walkbot", "Walkbot", "walk(12)", 2}, {"snake", "Chain18", "SineGait18(20)", 1.5}};
#define GAITS ((int)(sizeof gaits / sizeof *gaits))

// Of one run: seconds between steps of the engine, and in them.
typedef struct Watch {
    double last;
    SOM_ARRAY(double) glue;
    SOM_ARRAY(double) engine;
} Watch;

typedef struct Robot {
    SomDiagnostics *diags;
    SomWorkspace *workspace;
    SomConfiguration *design;
    SomMechanism *mechanism;
    SomActionGraph *graph;
    SomServoModel *servos;
} Robot;

// ---- time

// Of the run that is measured: the engine's step is called from the room below.
static Watch *watch;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The linker puts these between the simulation and its engine.
bool __real_som_engine_step(SomEngine *engine, const double *speeds);
bool __wrap_som_engine_step(SomEngine *engine, const double *speeds);

bool __wrap_som_engine_step(SomEngine *engine, const double *speeds) {
    if (watch == NULL) {
        return __real_som_engine_step(engine, speeds);
    }
    double begin = now();
    som_array_push(&watch->glue, begin - watch->last);
    bool went = __real_som_engine_step(engine, speeds);
    watch->last = now();
    som_array_push(&watch->engine, watch->last - begin);
    return went;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The mean, with what the machine did meanwhile left out.
static double typical(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    double sum = 0;
    int used = 0;
    while (used < count && values[used] <= OUTLIER * values[count / 2]) {
        sum += values[used++];
    }
    return used > 0 ? sum / used : 0;
}

// ---- robots

static Robot make_robot(const struct Gait *gait) {
    Robot r = {.diags = som_diagnostics_create()};
    r.workspace = som_workspace_create(SOM_STR(SOM_SOURCE "/library"), r.diags);
    int file = som_workspace_open(r.workspace, som_str(gait->name));
    r.design = som_configuration_compose(r.workspace, file, som_str(gait->config), r.diags);
    if (r.design == NULL) {
        return r;
    }
    r.mechanism = som_mechanism_create(r.design);
    r.servos = som_compile_servos(r.design);
    SomCompileDef compile = {.workspace = r.workspace, .configuration = r.design, .diags = r.diags};
    r.graph = som_compile_call(&compile, som_str(gait->behavior));
    return r;
}

static void free_robot(Robot *r) {
    som_free(r->servos);
    som_action_graph_destroy(r->graph);
    som_mechanism_destroy(r->mechanism);
    som_configuration_destroy(r->design);
    som_workspace_destroy(r->workspace);
    som_diagnostics_destroy(r->diags);
}

// ---- a run

// How much faster than the clock; NAN if it does not run.
static double run(SomBench *bench, const Robot *r, SomEngineKind engine, bool is_full,
                  Watch *watched) {
    SomBodyDef bodies = som_world_bodies(engine);
    bodies.mechanism = r->mechanism;
    bodies.graph = r->graph;
    bodies.is_full = is_full;
    SomBodyModel *model = som_body_model_create(&bodies);
    SomText world = {0};
    som_world_write(engine, model, r->design->name, &world, r->diags);
    SomSimulationDef def = {.model = model,
                            .world = som_text_str(&world),
                            .graph = r->graph,
                            .servos = r->servos,
                            .duration = is_full ? FULL_SECONDS : SECONDS};
    SomSimulation *simulation = som_simulation_create(engine, &def, r->diags);
    double factor = NAN;
    if (simulation != NULL) {
        double begin = som_bench_now();
        watched->last = now();
        watch = watched;
        while (som_simulation_step(simulation)) {
        }
        watch = NULL;
        factor = som_simulation_time(simulation) / (som_bench_now() - begin);
        som_bench_keep(bench, som_simulation_result(simulation)->displacement.x);
    }
    som_simulation_destroy(simulation);
    som_text_free(&world);
    som_body_model_destroy(model);
    return factor;
}

static void tell(SomBench *bench, const Robot *r, const struct Gait *gait, SomEngineKind engine) {
    Watch times = {0}, unused = {0};
    double reduced = NAN, share = INFINITY, full = NAN;
    for (int i = 0; i < ROUNDS; i++) {
        times.glue.count = times.engine.count = unused.glue.count = unused.engine.count = 0;
        reduced = fmax(reduced, run(bench, r, engine, false, &times));
        double glue = typical(times.glue.data, times.glue.count);
        double physics = typical(times.engine.data, times.engine.count);
        share = fmin(share, glue / (glue + physics));
        full = fmax(full, run(bench, r, engine, true, &unused));
    }
    const char *name = som_engine_name(engine);
    char what[96];
    snprintf(what, sizeof what, "%s %s: real-time factor", name, gait->name);
    som_bench_target(bench, what, 18, reduced, "times", SOM_AT_LEAST,
                     engine == SOM_ENGINE_MUJOCO ? 4 : gait->least);
    snprintf(what, sizeof what, "%s %s: with every link and joint", name, gait->name);
    som_bench_value(bench, what, 18, 0, full, "times");
    snprintf(what, sizeof what, "%s %s: reduced against unreduced", name, gait->name);
    som_bench_value(bench, what, 18, 0, reduced / full, "times faster");
    snprintf(what, sizeof what, "%s %s: player, servos, conditions, trace", name, gait->name);
    som_bench_target(bench, what, 18, 100 * share, "% of a step", SOM_AT_MOST, 2);
    som_array_free(&times.glue);
    som_array_free(&times.engine);
    som_array_free(&unused.glue);
    som_array_free(&unused.engine);
}

void som_bench_simulate(SomBench *bench) {
    for (int i = 0; i < GAITS; i++) {
        Robot r = make_robot(&gaits[i]);
        for (SomEngineKind engine = 0; engine < SOM_ENGINE_KINDS && r.graph != NULL; engine++) {
            if (som_engine_is_built(engine)) {
                tell(bench, &r, &gaits[i], engine);
            }
        }
        free_robot(&r);
    }
}
