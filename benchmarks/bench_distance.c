// SPDX-License-Identifier: Apache-2.0
// Distance and contact of pairs of boxes and of cylinders in random poses, a third of them
// touching: ours against FCL's and against libccd's two answers to whether they touch.

#include "base/diagnostic.h"
#include "benchmarks/bench.h"
#ifdef SOM_HAVE_FCL
#include "benchmarks/peer_fcl.h"
#endif
#include "space/distance.h"

#include <ccd/ccd.h>
#include <stddef.h>

#define COUNT 999

typedef struct Body {
    SomShape shape;
    SomPose pose;
#ifdef SOM_HAVE_FCL
    SomPeerFcl *fcl;
#endif
} Body;

typedef struct Pair {
    Body a, b;
    SomDistanceCache cache;
} Pair;

static double uniform(uint64_t *state, double low, double high) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

static SomVec3 random_point(uint64_t *state) {
    double x = uniform(state, -1, 1), y = uniform(state, -1, 1), z = uniform(state, -1, 1);
    return som_vec3(x, y, z);
}

static Body random_body(uint64_t *state, SomShapeKind kind) {
    double x = uniform(state, 0.02, 0.1), y = uniform(state, 0.02, 0.1);
    double z = uniform(state, 0.02, 0.1);
    Body body = {.pose = {som_rotation_exp(som_vec3_scale(3, random_point(state))), {0, 0, 0}}};
    SomDiagnostics *diags = som_diagnostics_create();
    if (kind == SOM_SHAPE_BOX) {
        som_shape_box(&body.shape, som_vec3(x, y, z), (SomSpan){0}, diags);
#ifdef SOM_HAVE_FCL
        body.fcl = som_peer_fcl_box(som_vec3(x, y, z));
#endif
    } else {
        som_shape_cylinder(&body.shape, x / 2, y, (SomSpan){0}, diags);
#ifdef SOM_HAVE_FCL
        body.fcl = som_peer_fcl_cylinder(x / 2, y);
#endif
    }
    som_diagnostics_destroy(diags);
    return body;
}

// The first third of the pairs overlaps.
#define OVERLAPPING (COUNT / 3)

static void depths_ours(SomBench *bench, void *context) {
    const Pair *pairs = context;
    for (int i = 0; i < OVERLAPPING; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_shape_distance(&a->shape, a->pose, &b->shape, b->pose).distance);
    }
}

static void distances_ours(SomBench *bench, void *context) {
    const Pair *pairs = context;
    for (int i = OVERLAPPING; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_shape_distance(&a->shape, a->pose, &b->shape, b->pose).distance);
    }
}

static void distances_cached(SomBench *bench, void *context) {
    Pair *pairs = context;
    for (int i = OVERLAPPING; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_shape_distance_within(&a->shape, a->pose, &b->shape, b->pose,
                                                        0.02, &pairs[i].cache)
                                  .distance);
    }
}

static void touch_ours(SomBench *bench, void *context) {
    const Pair *pairs = context;
    for (int i = 0; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_shape_touch(&a->shape, a->pose, &b->shape, b->pose, NULL));
    }
}

static void touch_cached(SomBench *bench, void *context) {
    Pair *pairs = context;
    for (int i = 0; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench,
                       som_shape_touch(&a->shape, a->pose, &b->shape, b->pose, &pairs[i].cache));
    }
}

#ifdef SOM_HAVE_FCL
static void distances_fcl(SomBench *bench, void *context) {
    const Pair *pairs = context;
    for (int i = OVERLAPPING; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_peer_fcl_distance(a->fcl, &a->pose, b->fcl, &b->pose));
    }
}

static void touch_fcl(SomBench *bench, void *context) {
    const Pair *pairs = context;
    for (int i = 0; i < COUNT; i++) {
        const Body *a = &pairs[i].a, *b = &pairs[i].b;
        som_bench_keep(bench, som_peer_fcl_touch(a->fcl, &a->pose, b->fcl, &b->pose));
    }
}
#endif

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const Body *body = object;
    SomVec3 d = som_vec3(direction->v[0], direction->v[1], direction->v[2]);
    SomVec3 p = som_shape_support(&body->shape, som_pose_rotate_inverse(body->pose, d));
    p = som_pose_apply(body->pose, p);
    ccdVec3Set(point, p.x, p.y, p.z);
}

static void ccd_center(const void *object, ccd_vec3_t *center) {
    const Body *body = object;
    ccdVec3Set(center, body->pose.position.x, body->pose.position.y, body->pose.position.z);
}

static ccd_t make_ccd(void) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_center;
    ccd.max_iterations = 100;
    return ccd;
}

static void touch_ccd_gjk(SomBench *bench, void *context) {
    const Pair *pairs = context;
    ccd_t ccd = make_ccd();
    for (int i = 0; i < COUNT; i++) {
        som_bench_keep(bench, ccdGJKIntersect(&pairs[i].a, &pairs[i].b, &ccd));
    }
}

static void touch_ccd_mpr(SomBench *bench, void *context) {
    const Pair *pairs = context;
    ccd_t ccd = make_ccd();
    for (int i = 0; i < COUNT; i++) {
        som_bench_keep(bench, ccdMPRIntersect(&pairs[i].a, &pairs[i].b, &ccd));
    }
}

// Overlapping by up to 2 cm or up to 10 cm apart.
static void make_pairs(Pair *pairs, SomShapeKind kind) {
    uint64_t state = 7;
    for (int i = 0; i < COUNT; i++) {
        Pair *pair = &pairs[i];
        *pair = (Pair){.a = random_body(&state, kind), .b = random_body(&state, kind)};
        SomVec3 way = random_point(&state);
        pair->b.pose.position = way;
        SomDistance apart =
            som_shape_distance(&pair->a.shape, pair->a.pose, &pair->b.shape, pair->b.pose);
        double wanted = i < OVERLAPPING ? uniform(&state, -0.02, 0) : uniform(&state, 0, 0.1);
        SomVec3 move = som_vec3_scale(wanted - apart.distance, apart.normal);
        pair->b.pose.position = som_vec3_add(way, move);
    }
}

static void compare(SomBench *bench, SomShapeKind kind, const char *const names[5]) {
    static Pair pairs[COUNT];
    make_pairs(pairs, kind);
    double distance = som_bench_seconds(bench, distances_ours, pairs);
    double depth = som_bench_seconds(bench, depths_ours, pairs);
    double within = som_bench_seconds(bench, distances_cached, pairs);
    double touch = som_bench_seconds(bench, touch_ours, pairs);
    double cached = som_bench_seconds(bench, touch_cached, pairs);
    double gjk = som_bench_seconds(bench, touch_ccd_gjk, pairs);
    double mpr = som_bench_seconds(bench, touch_ccd_mpr, pairs);
    const char *fcl = NULL;
    double fcl_distance = 0, fcl_touch = 0;
#ifdef SOM_HAVE_FCL
    fcl = "FCL";
    fcl_distance = som_bench_seconds(bench, distances_fcl, pairs);
    fcl_touch = som_bench_seconds(bench, touch_fcl, pairs);
    for (int i = 0; i < COUNT; i++) {
        som_peer_fcl_destroy(pairs[i].a.fcl);
        som_peer_fcl_destroy(pairs[i].b.fcl);
    }
#endif
    som_bench_row(bench, names[0], COUNT - OVERLAPPING, distance, fcl, fcl_distance);
    som_bench_row(bench, names[1], COUNT - OVERLAPPING, within, fcl, fcl_distance);
    som_bench_row(bench, names[4], OVERLAPPING, depth, NULL, 0);
    som_bench_row(bench, names[2], COUNT, touch, fcl, fcl_touch);
    som_bench_row(bench, names[2], COUNT, touch, "libccd GJK", gjk);
    som_bench_row(bench, names[2], COUNT, touch, "libccd MPR", mpr);
    som_bench_row(bench, names[3], COUNT, cached, "libccd MPR", mpr);
}

void som_bench_distance(SomBench *bench) {
    compare(bench, SOM_SHAPE_BOX,
            (const char *const[]){"boxes", "boxes within 2 cm and cached", "boxes touch",
                                  "boxes touch and cached", "depth of boxes"});
    compare(bench, SOM_SHAPE_CYLINDER,
            (const char *const[]){"cylinders", "cylinders within 2 cm and cached",
                                  "cylinders touch", "cylinders touch and cached",
                                  "depth of cylinders"});
}
