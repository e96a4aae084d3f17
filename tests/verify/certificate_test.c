// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "tests/verify/library.h"
#include "tests/verify/motions.h"
#include "tests/verify/walkbot_near.h"
#include "verify/certificate.h"

#include <math.h>
#include <stdio.h>

#define RESOLUTION 5e-4

// ---- against dense sampling

typedef struct Dense {
    const SomPairs *pairs;
    const SomMotion *motion;
    const SomCertificate *found;
    int missed, wrong_clearance;
} Dense;

static bool is_told(const SomCertificate *found, int a, int b, double time) {
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *o = &found->overlaps.data[i];
        if (o->link_a == a && o->link_b == b && time >= o->t0 - RESOLUTION &&
            time <= o->t1 + RESOLUTION) {
            return true;
        }
    }
    for (int i = 0; i < found->undecided.count; i++) {
        const SomUndecided *u = &found->undecided.data[i];
        if (u->link_a == a && u->link_b == b && time >= u->t0 && time <= u->t1) {
            return true;
        }
    }
    return false;
}

static void sample_densely(Dense *q, double place) {
    const SomMechanism *m = q->pairs->mechanism;
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    test_place_at(m, q->motion, place, links);
    double time = som_motion_time(q->motion, place), reach = q->found->clearance.distance;
    for (int a = 0; a < m->link_count; a++) {
        for (int b = a + 1; b < m->link_count; b++) {
            double allowed;
            if (!som_pair_is_tested(som_pairs_rule(q->pairs, a, b, &allowed))) {
                continue;
            }
            double d = som_solid_distance(q->pairs->solids[a], &links[a], q->pairs->solids[b],
                                          &links[b], 1.1 * reach + 1e-3, NULL)
                           .distance;
            q->missed += d < -allowed - 1.1 * SOM_CERTIFIED_DEPTH && !is_told(q->found, a, b, time);
            q->wrong_clearance +=
                !som_pairs_are_near(q->pairs, a, b) && d < reach - 1.1e-4 && d > 0;
        }
    }
    som_free(links);
}

// The distance of the links of an overlap at a time.
static double distance_at(const SomPairs *pairs, const SomMotion *motion, int a, int b,
                          double time) {
    const SomMechanism *m = pairs->mechanism;
    double tick = motion->sample_count > 1 ? motion->times[1] - motion->times[0] : 1;
    double place = fmin(fmax(time / tick, 0), motion->sample_count - 1);
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    test_place_at(m, motion, place, links);
    double d =
        som_solid_distance(pairs->solids[a], &links[a], pairs->solids[b], &links[b], 1e9, NULL)
            .distance;
    som_free(links);
    return d;
}

// What is told of overlaps is so: they begin where it says and are as deep.
static int wrong_overlaps(const SomPairs *pairs, const SomMotion *motion,
                          const SomCertificate *found) {
    int wrong = 0;
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *o = &found->overlaps.data[i];
        double allowed;
        som_pairs_rule(pairs, o->link_a, o->link_b, &allowed);
        double deep = distance_at(pairs, motion, o->link_a, o->link_b, o->depth_time);
        bool is_deep = deep < -allowed && fabs(deep + o->depth) < 1e-6;
        double before = o->t0 - 2 * RESOLUTION;
        bool was_apart = before < 0 || distance_at(pairs, motion, o->link_a, o->link_b, before) >=
                                           -allowed - SOM_CERTIFIED_DEPTH;
        wrong += !is_deep || !was_apart || !(o->t0 <= o->t1);
    }
    return wrong;
}

static void compare(const SomPairs *pairs, const SomMotion *motion, int each, const char *name,
                    long *overlaps) {
    SomCertificate found = {0};
    som_certify(&(SomCertificateDef){.pairs = pairs, .motion = *motion, .resolution = RESOLUTION},
                &found);
    Dense dense = {pairs, motion, &found, 0, 0};
    for (int i = 0; i < (motion->sample_count - 1) * each; i++) {
        sample_densely(&dense, (double)i / each);
    }
    sample_densely(&dense, motion->sample_count - 1);
    ck_assert_msg(dense.missed == 0, "%s: missed %d", name, dense.missed);
    ck_assert_msg(dense.wrong_clearance == 0, "%s: nearer %d times", name, dense.wrong_clearance);
    ck_assert_msg(wrong_overlaps(pairs, motion, &found) == 0, "%s: wrong overlaps", name);
    ck_assert_int_eq(found.undecided.count, 0);
    *overlaps += found.overlaps.count;
    som_certificate_free(&found);
}

static const char *const files[] = {"smores", "mtran", "gdut", "athlete", "molecube", "ckbot"};

START_TEST(nothing_is_missed_of_random_mechanisms) {
    SomTestRandom random = {77};
    long overlaps = 0;
    for (int i = 0; i < som_test_count(18, 400); i++) {
        SomM3l *m3l = som_test_library(files[i % 6]);
        SomBuilder *builder = test_begin_random(&random, m3l, som_test_int(&random, 2, 5));
        SomConfiguration *c = test_finish(builder);
        SomMechanism *m = som_mechanism_create(c);
        SomPairs *pairs = som_pairs_create(m);
        SomPosture start = test_random_posture(&random, c);
        TestMotion t = test_random_motion(&random, m, start.values, 25, 0.5, 4);
        compare(pairs, &t.motion, som_test_count(10, 100), files[i % 6], &overlaps);
        test_motion_free(&t);
        som_posture_free(&start);
        som_pairs_destroy(pairs);
        som_mechanism_destroy(m);
        som_configuration_destroy(c);
        som_m3l_destroy(m3l);
    }
    ck_assert_int_gt(overlaps, 20);
}
END_TEST

START_TEST(nothing_is_missed_of_designs_of_the_library) {
    SomTestLibrary library = som_test_library_open();
    SomTestRandom random = {78};
    long overlaps = 0;
    for (int i = 0; i < library.designs.count; i++) {
        const SomConfiguration *c = library.designs.data[i];
        SomMechanism *m = som_mechanism_create(c);
        SomPairs *pairs = som_pairs_create(m);
        SomPosture start = som_posture_start(c);
        bool is_large = m->link_count > 60;
        int samples = is_large ? som_test_count(4, 40) : som_test_count(15, 60);
        TestMotion t = test_random_motion(&random, m, start.values, samples, 0.5, 2);
        compare(pairs, &t.motion, som_test_count(4, 50), c->name.data, &overlaps);
        test_motion_free(&t);
        som_posture_free(&start);
        som_pairs_destroy(pairs);
        som_mechanism_destroy(m);
    }
    som_test_library_close(&library);
}
END_TEST

// ---- cases

static SomCertificate certify(const SomPairs *pairs, const SomMotion *motion) {
    SomCertificate found = {0};
    som_certify(&(SomCertificateDef){.pairs = pairs, .motion = *motion}, &found);
    return found;
}

// By SMORES's real discs, at 47.8 % of the motion.
START_TEST(legs_toward_each_other_touch_at_48_percent) {
    WalkbotNear w = walkbot_near();
    SomPairs *pairs = som_pairs_create(w.m);
    SomCertificate found = certify(pairs, &w.t.motion);
    ck_assert_int_gt(found.overlaps.count, 0);
    const SomOverlap *first = &found.overlaps.data[0];
    ck_assert_double_eq_tol(first->t0, 0.478, 0.005);
    ck_assert_double_eq_tol(first->t1, 1, 1e-9);
    ck_assert(
        som_str_equal(w.c->modules[w.m->links[first->link_a].module].path, SOM_STR("front.tail")));
    ck_assert(
        som_str_equal(w.c->modules[w.m->links[first->link_b].module].path, SOM_STR("rear.tail")));
    som_certificate_free(&found);
    som_pairs_destroy(pairs);
    walkbot_near_free(&w);
}
END_TEST

SOM_SUITE("verify/certificate", nothing_is_missed_of_random_mechanisms,
          nothing_is_missed_of_designs_of_the_library, legs_toward_each_other_touch_at_48_percent)
