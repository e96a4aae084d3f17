// SPDX-License-Identifier: Apache-2.0
// The verdict is about the motion, however many samples of it are taken.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static TestVerified verify_chase(double apart, double dt) {
    char path[512], call[64];
    snprintf(path, sizeof path, "%s/../tests/verify/gripper.som", test_library);
    snprintf(call, sizeof call, "chase(%gmm)", 1e3 * apart);
    SomVerifyOptions options = som_verify_default_options();
    options.dt = dt;
    return test_verify_file_with(path, "Gripper", call, &options);
}

// The finger that flees stops three times, each time until the end of a tick. From hardly touching
// to hardly missing.
START_TEST(whether_fingers_collide_does_not_depend_on_the_time_between_samples) {
    static const double dts[] = {0.002, 0.0005, 0.003, 0.02};
    int unsafe = 0, count = 0;
    for (double apart = 3e-3; apart < 5.5e-3; apart += 0.24e-3, count++) {
        TestVerified v = verify_chase(apart, 0.01);
        const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
        unsafe += found != NULL;
        for (int i = 0; i < 4; i++) {
            TestVerified w = verify_chase(apart, dts[i]);
            const SomFinding *same = test_find(&w, SOM_SELF_COLLISION);
            ck_assert_int_eq(w.found->verdict, v.found->verdict);
            ck_assert((same == NULL) == (found == NULL));
            if (found != NULL) {
                ck_assert_double_eq_tol(same->value, found->value, 2e-4);
                ck_assert_double_eq_tol(same->t0, found->t0, 1e-3);
            }
            test_verified_free(&w);
        }
        test_verified_free(&v);
    }
    ck_assert(2 < unsafe && unsafe < count - 2);
}
END_TEST

// Every eighth sample of the one is one of the other.
START_TEST(joints_are_in_the_same_places_at_the_same_times) {
    TestVerified v = verify_chase(4e-3, 0.01);
    SomVerifyOptions options = som_verify_default_options();
    SomPrediction coarse = {0}, fine = {0};
    SomVerifyDef def = {.mechanism = v.mechanism, .graph = v.graph, .options = &options};
    som_diagnostics_destroy(som_verify_predict(&def, &coarse));
    options.dt = 0.00125;
    som_diagnostics_destroy(som_verify_predict(&def, &fine));
    ck_assert_int_eq(fine.times.count, 8 * (coarse.times.count - 1) + 1);
    for (int i = 0; i < coarse.times.count; i++) {
        ck_assert_double_eq(coarse.times.data[i], fine.times.data[8 * i]);
        for (int dof = 0; dof < coarse.dof_count; dof++) {
            ck_assert_double_eq(coarse.positions.data[i * coarse.dof_count + dof],
                                fine.positions.data[8 * i * coarse.dof_count + dof]);
        }
    }
    som_prediction_free(&coarse);
    som_prediction_free(&fine);
    test_verified_free(&v);
}
END_TEST

// ---- falls

static const SomFinding *find_fall(const SomVerification *found) {
    const SomFinding *end = NULL;
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        if (f->code == SOM_FALLS) {
            return f;
        }
        end = f->code == SOM_UNSTABLE_END ? f : end;
    }
    return end;
}

static void check_same(const SomFinding *fall, const SomFinding *same, const char *what) {
    ck_assert_msg((same != NULL) == (fall != NULL), "%s", what);
    if (fall != NULL) {
        ck_assert_int_eq(same->code, fall->code);
        ck_assert_double_gt(fall->tolerance, 0);
        ck_assert_ptr_nonnull(strstr(fall->details.data, "(tolerance "));
        ck_assert_double_eq_tol(same->value, fall->value, fall->tolerance);
        ck_assert_double_eq_tol(same->t0, fall->t0, 0.01);
        ck_assert_double_eq_tol(same->t1, fall->t1, 0.01);
    }
}

// Whether it falls, which is the same however many samples there are.
static bool falls_at_any_dt(const char *text, const char *config, const char *behavior,
                            SomVerifyOptions options) {
    static const double dts[] = {0.01, 0.002, 0.0005};
    TestVerified v = test_verify_with(text, config, behavior, &options);
    bool does_fall = find_fall(v.found) != NULL;
    for (int i = 0; i < 3; i++) {
        options.dt = dts[i];
        SomVerification *found = som_verify(&(SomVerifyDef){
            .mechanism = v.mechanism, .graph = v.graph, .options = &options, .skips_loads = true});
        check_same(find_fall(v.found), find_fall(found), behavior);
        som_verification_destroy(found);
    }
    test_verified_free(&v);
    return does_fall;
}

#define TOWERS                                                                                     \
    "use \"smores.m3l\"\n"                                                                         \
    "config Tower {\n"                                                                             \
    "    part m[5] : SMORES\n"                                                                     \
    "    connect m[i].B to m[i+1].T for i in 1..4\n"                                               \
    "    base m[1] on ground turned (90deg, 0deg, 0deg)\n"                                         \
    "    behavior bow(a: angle) = series(wait 20ms, m[2].bend to a at 40deg/s)\n"                  \
    "    behavior bob(a: angle) = series(wait 20ms, m[2].bend to a at 40deg/s, "                   \
    "m[2].bend to 0deg at 40deg/s)\n"                                                              \
    "}\n"                                                                                          \
    "config Tall {\n"                                                                              \
    "    part m[4] : SMORES\n"                                                                     \
    "    connect m[i].B to m[i+1].T for i in 1..3\n"                                               \
    "    base m[1] on ground turned (-90deg, 0deg, 0deg)\n"                                        \
    "    behavior late(a: angle) = series(wait 20ms, m[2].bend to 30deg, m[3].bend to a)\n"        \
    "}\n"                                                                                          \
    "config Rocker is SMORES {\n"                                                                  \
    "    behavior nod = series(bend to 40deg at 60deg/s, bend to 0deg at 60deg/s)\n"               \
    "}\n"

// Of an angle: from standing to falling.
static void sweep_angle(const char *config, const char *behavior, double from, double to, int steps,
                        const SomVerifyOptions *options) {
    int falls = 0;
    for (int i = 0; i <= steps; i++) {
        char call[64];
        snprintf(call, sizeof call, "%s(%gdeg)", behavior, from + (to - from) * i / steps);
        falls += falls_at_any_dt(TOWERS, config, call, *options);
    }
    ck_assert_msg(0 < falls && falls <= steps, "%s: %d", behavior, falls);
}

START_TEST(falls_over_an_edge_do_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    sweep_angle("Tower", "bow", 20, 22.5, 10, &options);
}
END_TEST

START_TEST(falls_near_t_max_do_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    sweep_angle("Tower", "bob", 27, 30, 12, &options);
    int falls = 0;
    for (int i = 0; i <= 20; i++) {
        options.t_max = 0.205 + 0.0015 * i;
        falls += falls_at_any_dt(TOWERS, "Tower", "bob(29deg)", options);
    }
    ck_assert_msg(0 < falls && falls < 21, "%d", falls);
}
END_TEST

START_TEST(falls_near_lean_do_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    sweep_angle("Tall", "late", 17, 22, 15, &options);
    int falls = 0;
    for (int i = 0; i <= 10; i++) {
        options.lean = (24 + 0.1 * i) * 0.01745329251994329577;
        falls += falls_at_any_dt(TOWERS, "Tall", "late(60deg)", options);
    }
    ck_assert_int_gt(falls, 0);
}
END_TEST

START_TEST(falls_near_rocking_do_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    options.rolling = 0;
    int falls = 0;
    for (int i = 0; i <= 10; i++) {
        options.rocking = (2 + 0.1 * i) * 0.01745329251994329577;
        falls += falls_at_any_dt(TOWERS, "Rocker", "nod", options);
    }
    ck_assert_msg(0 < falls && falls < 11, "%d", falls);
}
END_TEST

// ---- loads and what is not checked

static void check_same_coverage(const SomVerification *other, const SomVerification *found) {
    static const SomCheck checks[] = {SOM_CHECK_STABILITY, SOM_CHECK_LOAD, SOM_CHECK_SLIP};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(other->coverage[checks[i]].samples, found->coverage[checks[i]].samples);
        ck_assert_int_eq(other->coverage[checks[i]].samples_total,
                         found->coverage[checks[i]].samples_total);
    }
    ck_assert_int_eq(other->skipped.count, found->skipped.count);
    for (int i = 0; i < found->skipped.count; i++) {
        ck_assert_int_eq(other->skipped.data[i].count, found->skipped.data[i].count);
        ck_assert_int_eq(other->skipped.data[i].total, found->skipped.data[i].total);
    }
}

// Loads, slip and the margins of what stands are those of ticks, whatever is between them.
static void check_verdict_at_any_dt(const char *text, const char *behavior,
                                    SomVerifyOptions options) {
    static const double dts[] = {0.002, 0.001, 0.0005};
    TestVerified v = test_verify_with(text, "", behavior, &options);
    for (int i = 0; i < 3; i++) {
        options.dt = dts[i];
        SomVerification *found = som_verify(&(SomVerifyDef){.mechanism = v.mechanism,
                                                            .graph = v.graph,
                                                            .options = &options,
                                                            .wants_efforts = true});
        ck_assert_int_eq(found->verdict, v.found->verdict);
        ck_assert_int_eq(found->findings.count, v.found->findings.count);
        for (int k = 0; k < found->findings.count; k++) {
            const SomFinding *a = &found->findings.data[k], *b = &v.found->findings.data[k];
            ck_assert_int_eq(a->code, b->code);
            bool is_of_ticks = a->check == SOM_CHECK_STABILITY || a->check == SOM_CHECK_LOAD ||
                               a->check == SOM_CHECK_SLIP;
            if (is_of_ticks && isfinite(a->value)) {
                ck_assert_double_eq_tol(a->value, b->value, 1e-9);
                ck_assert_double_eq_tol(a->worst, b->worst, 1e-9);
            }
        }
        check_same_coverage(found, v.found);
        ck_assert_double_eq_tol(found->min_margin, v.found->min_margin, 1e-12);
        ck_assert_double_eq_tol(found->min_margin_time, v.found->min_margin_time, 1e-9);
        int stride = (int)lround(0.01 / dts[i]), dofs = found->dof_count;
        for (int k = 1; k < found->sample_count - 1; k++) { // efforts are those of the tick before
            const double *now = found->efforts + (ptrdiff_t)k * dofs;
            const double *tick = found->efforts + (ptrdiff_t)(k / stride * stride) * dofs;
            ck_assert_mem_eq(now, tick, sizeof *now * (size_t)dofs);
        }
        som_verification_destroy(found);
    }
    test_verified_free(&v);
}

#define CRANE                                                                                      \
    "use \"smores.m3l\"\n"                                                                         \
    "config R {\n"                                                                                 \
    "    part m[7] : SMORES\n"                                                                     \
    "    connect m[1].T to m[2].R at 90deg\n"                                                      \
    "    connect m[1].B to m[3].T at 90deg\n"                                                      \
    "    connect m[3].B to m[4].B at 270deg\n"                                                     \
    "    connect m[4].T to m[5].T at 90deg\n"                                                      \
    "    connect m[4].L to m[6].T at 180deg\n"                                                     \
    "    connect m[6].L to m[7].R at 90deg\n"                                                      \
    "    base m[1] on ground\n"                                                                    \
    "    pose p { m[2].bend = -90deg }\n"                                                          \
    "    start p\n"                                                                                \
    "    behavior b = series(parallel(m[7].tilt to -45deg, m[5].tilt to 45deg))\n"                 \
    "}\n"

// Tips to its rest within the motion.
#define THREE                                                                                      \
    "use \"smores.m3l\"\n"                                                                         \
    "config R {\n"                                                                                 \
    "    part m[3] : SMORES\n"                                                                     \
    "    connect m[1].B to m[2].R at 0deg\n"                                                       \
    "    connect m[1].T to m[3].L at 0deg\n"                                                       \
    "    base m[1] on ground\n"                                                                    \
    "    pose p { m[3].bend = 90deg }\n"                                                           \
    "    start p\n"                                                                                \
    "    behavior b = series(parallel(m[3].tilt to -90deg, m[2].tilt to -20deg),\n"                \
    "                        m[2].tilt to 45deg,\n"                                                \
    "                        parallel(m[1].tilt to 0deg, m[3].tilt to 45deg))\n"                   \
    "}\n"

START_TEST(loads_do_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    check_verdict_at_any_dt(CRANE, "b", options);
    options.safety = 1.3;
    check_verdict_at_any_dt(CRANE, "b", options);
    check_verdict_at_any_dt(THREE, "b", options);
}
END_TEST

START_TEST(what_is_not_checked_does_not_depend_on_the_time_between_samples) {
    SomVerifyOptions options = som_verify_default_options();
    check_verdict_at_any_dt(THREE, "b", options);
    options.slope = 0.2;
    options.margin = 0.02;
    check_verdict_at_any_dt(THREE, "b", options);
    options.rocking = 0.01;
    check_verdict_at_any_dt(THREE, "b", options);
}
END_TEST

SOM_SUITE("verify/sampling", whether_fingers_collide_does_not_depend_on_the_time_between_samples,
          joints_are_in_the_same_places_at_the_same_times,
          falls_over_an_edge_do_not_depend_on_the_time_between_samples,
          falls_near_t_max_do_not_depend_on_the_time_between_samples,
          falls_near_lean_do_not_depend_on_the_time_between_samples,
          falls_near_rocking_do_not_depend_on_the_time_between_samples,
          loads_do_not_depend_on_the_time_between_samples,
          what_is_not_checked_does_not_depend_on_the_time_between_samples)
