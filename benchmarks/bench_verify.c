// SPDX-License-Identifier: Apache-2.0
// Kinematics, self-collision and stability of every sample of a motion, by the sample kernel and by
// others: FCL, libccd behind sweep and prune, DART with ODE, MuJoCo. One core, the same numbers for
// all, rounds of all contenders in turn; the fastest round of each counts, and ratios in one run.
//
// "free" motions never collide, so that nothing can end early; of "colliding" ones every pair of
// every sample is counted. Where peers do not agree how many there are, rows of hits tell.

#include "base/memory.h"
#include "benchmarks/bench.h"
#include "benchmarks/verify_instructions.h"
#include "benchmarks/verify_peers.h"
#include "benchmarks/verify_walkbot.h"
#include "verify/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZES 4
#define ROUNDS 5
#define MAX_CONTENDERS 12
#define SHORTEST_ROUND 0.02 // seconds
#define NEAR 0.02           // metres, below which clearances are wanted
#define LARGEST_NEAR 64     // modules: beyond, FCL's distances take minutes
#define TOLERANCE 1e-3      // metres above the lowest point that still touch the ground

static const int sizes[SIZES] = {3, 18, 64, 256};
// Whole periods, fewer of them where a peer takes milliseconds for a sample.
static const int sample_counts[SIZES] = {1000, 1000, 400, 200};

// What is timed: `run` does all samples and returns how many pairs it found.
typedef struct Contender {
    const char *name;
    double (*run)(const struct Contender *contender, int samples);
    const SomVerifyWorkload *workload;
    const SomVerifyPeer *peer;
    void *context;
    double sum;     // of what it found in one run
    int repeats;    // so that a round is long enough
    double seconds; // a sample, in the fastest round
} Contender;

typedef struct Scene {
    SomVerifyWorkload *workload;
    SomBatch *batch, *baseline;
    int samples;
    Contender contenders[MAX_CONTENDERS];
    int count;
} Scene;

// What the gates are about; of the two gaits, the worse.
typedef struct Results {
    double all[2][2][SIZES]; // seconds: gait, colliding, size
    double fcl[2][2][SIZES]; // times faster than FCL with all
    double ccd[2][2][SIZES]; // and so on; NAN without the peer
    double mujoco[2][2][SIZES];
    double baseline[2][2][SIZES];
    double near[2][2][SIZES];
} Results;

// ---- ours

static const double *batch_values(const SomVerifyWorkload *w, int batch) {
    return w->batches + (size_t)batch * (size_t)w->dof_count * SOM_BATCH;
}

static double count_hits(SomBatch *batch) {
    const SomBatchHit *hits;
    int count = som_batch_find(batch, 0, NULL, true, &hits), lanes = 0;
    for (int i = 0; i < count; i++) {
        lanes += __builtin_popcount(hits[i].lanes);
    }
    return lanes;
}

static double run_place(const Contender *c, int samples) {
    double sum = 0;
    for (int i = 0; i < samples / SOM_BATCH; i++) {
        som_batch_place(c->context, batch_values(c->workload, i));
        sum += som_batch_pose(c->context, 0, 0).position.x;
    }
    return sum;
}

static double run_boolean(const Contender *c, int samples) {
    double hits = 0;
    for (int i = 0; i < samples / SOM_BATCH; i++) {
        som_batch_place(c->context, batch_values(c->workload, i));
        hits += count_hits(c->context);
    }
    return hits;
}

static double run_all(const Contender *c, int samples) {
    double hits = 0, margins[SOM_BATCH];
    for (int i = 0; i < samples / SOM_BATCH; i++) {
        som_batch_place(c->context, batch_values(c->workload, i));
        hits += count_hits(c->context);
        som_batch_margins(c->context, TOLERANCE, margins);
    }
    return hits;
}

static double run_near(const Contender *c, int samples) {
    double near = 0;
    for (int i = 0; i < samples / SOM_BATCH; i++) {
        som_batch_place(c->context, batch_values(c->workload, i));
        const SomBatchClearance *clearances;
        int count = som_batch_clearances(c->context, NEAR, &clearances);
        for (int k = 0; k < count; k++) {
            for (int lane = 0; lane < SOM_BATCH; lane++) {
                near += clearances[k].distance[lane] < NEAR;
            }
        }
    }
    return near;
}

double som_verify_run_samples(const SomVerifyWorkload *workload, int samples) {
    SomBatch *batch = som_batch_create(workload->mechanism, NULL);
    Contender c = {.workload = workload, .context = batch};
    double hits = run_all(&c, samples);
    som_batch_destroy(batch);
    return hits;
}

// ---- theirs

static const double *sample_values(const SomVerifyWorkload *w, int sample) {
    return w->values + (size_t)sample * (size_t)w->dof_count;
}

static double run_scalar_place(const Contender *c, int samples) {
    for (int i = 0; i < samples; i++) {
        som_verify_scalar_place(c->context, sample_values(c->workload, i));
    }
    return som_verify_scalar_frames(c->context)[0].position.x;
}

static double run_peer(const Contender *c, int samples) {
    double hits = 0;
    for (int i = 0; i < samples; i++) {
        hits += c->peer->find(c->context, sample_values(c->workload, i));
    }
    return hits;
}

#ifdef SOM_HAVE_FCL
static double run_fcl_all(const Contender *c, int samples) {
    double hits = 0;
    for (int i = 0; i < samples; i++) {
        hits += c->peer->find(c->context, sample_values(c->workload, i));
        som_verify_scalar_margin(som_verify_fcl_scalar(c->context), TOLERANCE);
    }
    return hits;
}

static double run_fcl_near(const Contender *c, int samples) {
    double near = 0;
    for (int i = 0; i < samples; i++) {
        near += som_verify_fcl_near(c->context, sample_values(c->workload, i), NEAR);
    }
    return near;
}
#endif

// ---- rounds

static Contender *enter(Scene *s, Contender contender) {
    contender.workload = s->workload;
    s->contenders[s->count] = contender;
    return &s->contenders[s->count++];
}

// NULL if the robot cannot be loaded.
static Contender *enter_peer(Scene *s, const SomVerifyPeer *peer) {
    void *context = peer->create(s->workload);
    return context == NULL
               ? NULL
               : enter(s, (Contender){peer->name, run_peer, .peer = peer, .context = context});
}

static double time_run(const Contender *c, int samples) {
    double start = som_bench_now();
    for (int i = 0; i < c->repeats; i++) {
        c->run(c, samples);
    }
    return som_bench_now() - start;
}

// The first run is for warming up, and tells how many make a round.
static void prepare(SomBench *bench, Contender *c, int samples) {
    c->repeats = 1;
    double start = som_bench_now();
    c->sum = c->run(c, samples);
    double seconds = som_bench_now() - start;
    while (seconds < SHORTEST_ROUND) {
        c->repeats *= 2;
        seconds = time_run(c, samples);
    }
    c->seconds = INFINITY;
    som_bench_keep(bench, c->sum);
}

static void run_rounds(SomBench *bench, Scene *s) {
    for (int i = 0; i < s->count; i++) {
        prepare(bench, &s->contenders[i], s->samples);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < s->count; i++) {
            Contender *c = &s->contenders[i];
            double seconds = time_run(c, s->samples) / c->repeats / s->samples;
            c->seconds = fmin(c->seconds, seconds);
        }
    }
}

// ---- a scene

static const char *scene_name(const SomVerifyWorkload *w) {
    return w->gait == SOM_VERIFY_SNAKE ? w->is_colliding ? "snake colliding" : "snake free"
           : w->is_colliding           ? "walker colliding"
                                       : "walker free";
}

// A row, and how many times faster we are; NAN without the peer. Of peers that are asked for the
// same, one is always there: the others have no row then.
static double compare(SomBench *bench, const Scene *s, const char *what, const Contender *ours,
                      const Contender *theirs) {
    if (theirs == NULL && ours->run == run_boolean) {
        return NAN;
    }
    char name[96];
    snprintf(name, sizeof name, "%s: %s", scene_name(s->workload), what);
    som_bench_row(bench, name, s->workload->modules, ours->seconds,
                  theirs == NULL ? NULL : theirs->name, theirs == NULL ? 0 : theirs->seconds);
    return theirs == NULL ? (double)NAN : theirs->seconds / ours->seconds;
}

static void tell_hits(SomBench *bench, const Scene *s, const Contender *c) {
    if (c != NULL) {
        char name[96];
        snprintf(name, sizeof name, "%s: hits of %s", scene_name(s->workload), c->name);
        som_bench_value(bench, name, s->workload->modules, 0, c->sum / s->samples,
                        "pairs a sample");
    }
}

// Samples that stand here and fall there. Margins differ a little: rims are polygons of other
// points.
static void compare_margins(SomBench *bench, const Scene *s) {
    SomVerifyScalar *scalar = som_verify_scalar_create(s->workload);
    int different = 0;
    double margins[SOM_BATCH];
    for (int i = 0; i < s->samples; i++) {
        if (i % SOM_BATCH == 0) {
            som_batch_place(s->batch, batch_values(s->workload, i / SOM_BATCH));
            som_batch_margins(s->batch, TOLERANCE, margins);
        }
        som_verify_scalar_place(scalar, sample_values(s->workload, i));
        double theirs = som_verify_scalar_margin(scalar, TOLERANCE);
        different += (theirs > 0) != (margins[i % SOM_BATCH] > 0);
    }
    som_verify_scalar_destroy(scalar);
    char name[96];
    snprintf(name, sizeof name, "%s: other verdicts on stability in plain C",
             scene_name(s->workload));
    som_bench_value(bench, name, s->workload->modules, 0, different, "samples");
}

static void run_scene(SomBench *bench, SomVerifyGait gait, bool is_colliding, int size,
                      Results *results) {
    Scene s = {.workload = som_verify_workload_create(gait, sizes[size], is_colliding),
               .samples = sample_counts[size]};
    s.batch = som_batch_create(s.workload->mechanism, NULL);
    s.baseline = som_batch_create(s.workload->mechanism, NULL);
    som_batch_use_path(s.baseline, SOM_BATCH_BASELINE);
    SomVerifyScalar *scalar = som_verify_scalar_create(s.workload);
    // each peer with ours beside it
    Contender *place = enter(&s, (Contender){"ours", run_place, .context = s.batch});
    Contender *plain = enter(&s, (Contender){"plain C", run_scalar_place, .context = scalar});
    Contender *boolean = enter(&s, (Contender){"ours", run_boolean, .context = s.batch});
    Contender *ccd = enter_peer(&s, &som_verify_ccd);
    Contender *dart = NULL, *mujoco = NULL, *fcl = NULL, *fcl_near = NULL;
#ifdef SOM_HAVE_MUJOCO
    mujoco = enter_peer(&s, &som_verify_mujoco);
#endif
#ifdef SOM_HAVE_DART
    dart = enter_peer(&s, &som_verify_dart);
#endif
    Contender *all = enter(&s, (Contender){"ours", run_all, .context = s.batch});
    Contender *baseline = enter(&s, (Contender){"ours", run_all, .context = s.baseline});
#ifdef SOM_HAVE_FCL
    fcl = enter_peer(&s, &som_verify_fcl);
    fcl->run = run_fcl_all;
    if (sizes[size] <= LARGEST_NEAR) {
        fcl_near = enter(&s, (Contender){"FCL", run_fcl_near, .context = fcl->context});
    }
#endif
    Contender *near = enter(&s, (Contender){"ours", run_near, .context = s.batch});
    run_rounds(bench, &s);

    compare(bench, &s, "kinematics", place, plain);
    results->ccd[gait][is_colliding][size] = compare(bench, &s, "collision", boolean, ccd);
    compare(bench, &s, "collision", boolean, dart);
    results->mujoco[gait][is_colliding][size] = compare(bench, &s, "collision", boolean, mujoco);
    results->fcl[gait][is_colliding][size] = compare(bench, &s, "all", all, fcl);
    results->baseline[gait][is_colliding][size] =
        compare(bench, &s, "all without AVX2", baseline, fcl);
    results->near[gait][is_colliding][size] =
        compare(bench, &s, "clearances below 2 cm", near, fcl_near);
    results->all[gait][is_colliding][size] = all->seconds;
    const Contender *counted[] = {boolean, ccd, dart, mujoco, fcl};
    for (int i = 0; i < 5; i++) {
        tell_hits(bench, &s, counted[i]);
    }
    compare_margins(bench, &s);

    for (int i = 0; i < s.count; i++) {
        if (s.contenders[i].peer != NULL) {
            s.contenders[i].peer->destroy(s.contenders[i].context);
        }
    }
    som_verify_scalar_destroy(scalar);
    som_batch_destroy(s.baseline);
    som_batch_destroy(s.batch);
    som_verify_workload_destroy(s.workload);
}

// ---- what is wanted

// NAN where a peer is missing: then nothing is said.
static void want(SomBench *bench, const char *what, int size, double value, const char *unit,
                 SomBenchTarget target, double limit, double goal) {
    if (!isnan(value)) {
        char text[64];
        snprintf(text, sizeof text, "%s (goal %g)", unit, goal);
        som_bench_target(bench, what, size, value, text, target, limit);
    }
}

// Of the snake and the walker, the one that is less ahead; those without the peer do not count.
static double worse(double values[2][2][SIZES], bool is_colliding, int size) {
    return fmin(values[SOM_VERIFY_SNAKE][is_colliding][size],
                values[SOM_VERIFY_WALKER][is_colliding][size]);
}

static void tell_targets(SomBench *bench, Results *r) {
    for (int i = 1; i < SIZES; i += 2) {
        want(bench, "free all-in against FCL", sizes[i], worse(r->fcl, false, i), "times",
             SOM_AT_LEAST, 20, 40);
        want(bench, "colliding all-in against FCL", sizes[i], worse(r->fcl, true, i), "times",
             SOM_AT_LEAST, 12, 20);
        want(bench, "free collision against libccd + SAP", sizes[i], worse(r->ccd, false, i),
             "times", SOM_AT_LEAST, 4, 6);
        want(bench, "colliding collision against libccd + SAP", sizes[i], worse(r->ccd, true, i),
             "times", SOM_AT_LEAST, 2, 3);
    }
    for (int i = 0; i < SIZES; i++) {
        want(bench, "free collision against MuJoCo", sizes[i], worse(r->mujoco, false, i), "times",
             SOM_AT_LEAST, 10, 15);
    }
    want(bench, "free all-in without AVX2 against FCL", sizes[1], worse(r->baseline, false, 1),
         "times", SOM_AT_LEAST, 15, 30);
    want(bench, "clearances below 2 cm against FCL", sizes[1],
         fmin(worse(r->near, false, 1), worse(r->near, true, 1)), "times", SOM_AT_LEAST, 5, 8);
    double growth = 0;
    for (int gait = 0; gait < 2; gait++) {
        growth = fmax(growth, r->all[gait][false][3] / r->all[gait][false][1]);
    }
    want(bench, "free growth from 18 to 256 (linear 14.2)", sizes[3], growth, "times", SOM_AT_MOST,
         20, 18);
}

static void tell_instructions(SomBench *bench) {
    double free = som_verify_instructions(false), colliding = som_verify_instructions(true);
    want(bench, "free instructions a sample", 18, free, "instructions", SOM_AT_MOST, 50000, 35000);
    want(bench, "colliding instructions a sample", 18, colliding, "instructions", SOM_AT_MOST,
         100000, 50000);
}

void som_bench_verify(SomBench *bench) {
    if (som_verify_run_counted()) {
        return;
    }
    som_verify_walkbot(bench);
    Results results;
    for (int i = 0; i < SIZES; i++) {
        for (int gait = 0; gait < 2; gait++) {
            run_scene(bench, (SomVerifyGait)gait, false, i, &results);
            run_scene(bench, (SomVerifyGait)gait, true, i, &results);
        }
    }
    tell_targets(bench, &results);
    tell_instructions(bench);
}
