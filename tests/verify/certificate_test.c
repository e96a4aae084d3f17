// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "space/trigonometry.h"
#include "tests/verify/library.h"
#include "tests/verify/motions.h"
#include "tests/verify/walkbot_near.h"
#include "verify/batch.h"
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
            double d =
                som_pairs_distance(q->pairs, a, &links[a], b, &links[b], 1.1 * reach + 1e-3, NULL)
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
    double d = som_pairs_distance(pairs, a, &links[a], b, &links[b], 1e9, NULL).distance;
    som_free(links);
    return d;
}

// Whether the two were apart for a moment only: an overlap of theirs, whose end is known to the
// resolution, ends after `before`.
static bool follows_another(const SomCertificate *found, int which, double before) {
    const SomOverlap *o = &found->overlaps.data[which];
    bool does = false;
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *other = &found->overlaps.data[i];
        does = does || (other->link_a == o->link_a && other->link_b == o->link_b &&
                        other->t1 + RESOLUTION >= before && other->t0 < o->t0);
    }
    return does;
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
        bool was_apart = before < 0 || follows_another(found, i, before) ||
                         distance_at(pairs, motion, o->link_a, o->link_b, before) >=
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
        // some so fast that ticks are divided
        double speed = i % 3 == 0 ? 100 : 4;
        TestMotion t = test_random_motion(&random, m, start.values, 25, 0.5, speed);
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
    ck_assert_double_eq(found.clearance.distance, 0);
    ck_assert_double_eq(found.clearance.time, first->t0);
    ck_assert(
        som_str_equal(w.c->modules[w.m->links[first->link_a].module].path, SOM_STR("front.tail")));
    ck_assert(
        som_str_equal(w.c->modules[w.m->links[first->link_b].module].path, SOM_STR("rear.tail")));
    som_certificate_free(&found);
    som_pairs_destroy(pairs);
    walkbot_near_free(&w);
}
END_TEST

typedef struct Sweeper {
    SomM3l *m3l;
    SomConfiguration *c;
    SomMechanism *m;
    SomPairs *pairs;
} Sweeper;

// A cube of 20 mm turns about z at 1 m; a thin post, 1.4 m away at 90 degrees, slides towards it.
static const char sweeper_text[] =
    "module Sweeper: root=ground\n"
    "link ground: shape=box((0, 0, -1), (0.1, 0.1, 0.1))\n"
    "link arm: shape=box((1, 0, 0), (0.02, 0.02, 0.02))\n"
    "link post: shape=box((0, 1.5, 0), (0.002, 0.2, 0.002))\n"
    "axis turn_arm: origin=(0, 0, 0), direction=(0, 0, 1)\n"
    "axis turn_ground: origin=(0, 0, 0), direction=(0, 0, -1)\n"
    "joint turn: type=revolute, pair=((arm, turn_arm), (ground, turn_ground))\n"
    "axis slide_post: origin=(0, 0, 0), direction=(0, -1, 0)\n"
    "axis slide_ground: origin=(0, 0, 0), direction=(0, 1, 0)\n"
    "joint slide: type=prismatic, value=[0, 1], pair=((post, slide_post), (ground, "
    "slide_ground))\n";

static Sweeper make_sweeper(void) {
    Sweeper s = {.m3l = som_test_m3l("sweeper.m3l", som_str(sweeper_text))};
    SomBuilder *builder = som_builder_create(&(SomPartDef){.config = SOM_STR("A")});
    test_add_module(builder, "a", 0, s.m3l, "Sweeper");
    s.c = test_finish(builder);
    s.m = som_mechanism_create(s.c);
    s.pairs = som_pairs_create(s.m);
    return s;
}

static void free_sweeper(Sweeper *s) {
    som_pairs_destroy(s->pairs);
    som_mechanism_destroy(s->m);
    som_configuration_destroy(s->c);
    som_m3l_destroy(s->m3l);
}

static SomCertificate sweep(const Sweeper *s, const double from[2], const double to[2], int samples,
                            double seconds) {
    TestMotion t = test_straight_motion(s->m, from, to, samples, seconds);
    SomCertificate found = certify(s->pairs, &t.motion);
    test_motion_free(&t);
    return found;
}

// 7.33 rad/s, so that the cube passes the post within 3 ms, half-way between two samples.
START_TEST(brushing_past_within_3_ms_is_found) {
    Sweeper s = make_sweeper();
    double half = 7.33 * 0.005, up = SOM_PI / 2;
    double from[2] = {up - 9 * half, 0.395}, to[2] = {up + 9 * half, 0.395};
    SomCertificate found = sweep(&s, from, to, 10, 0.09);
    ck_assert_int_eq(found.overlaps.count, 1);
    const SomOverlap *o = &found.overlaps.data[0];
    ck_assert_double_eq_tol(o->t0, 0.0435, 2e-4);
    ck_assert_double_eq_tol(o->t1, 0.0465, 2e-4);
    ck_assert_double_eq_tol(o->depth, 0.005, 2e-4);
    ck_assert(found.clearance.distance == 0 && found.clearance.time == o->t0); // of neighbours, too
    som_certificate_free(&found);
    from[1] = to[1] = 0.38;
    found = sweep(&s, from, to, 10, 0.09);
    ck_assert_int_eq(found.overlaps.count, 0);
    som_certificate_free(&found);
    free_sweeper(&s);
}
END_TEST

// Bars in a row, each with a cube of 20 mm that turns about its middle at 1 m.
static const char row_text[] =
    "module Bar: root=ground\n"
    "point e: (point _1: coords=(0.5, 0, -0.98)) (point _2: coords=(0.5, 0.02, -1))\n"
    "    coords=(0.5, 0, -1), connector\n"
    "point w: (point _1: coords=(-0.5, 0, -0.98)) (point _2: coords=(-0.5, 0.02, -1))\n"
    "    coords=(-0.5, 0, -1), connector\n"
    "link ground: grouping=(e, w), shape=box((0, 0, -1), (1, 0.1, 0.1))\n"
    "link arm: shape=box((1, 0, 0), (0.02, 0.02, 0.02))\n"
    "joint turn: type=revolute, pair=((arm, (axis: origin=(0, 0, 0), direction=(0, 0, 1))),\n"
    "    (ground, (axis: origin=(0, 0, 0), direction=(0, 0, -1))))\n"
    "connection Bar_to_Bar: members=(Bar a, Bar b), conditions=((a.point p coincident b.point q)\n"
    "    and (p._1 coincident q._1) and (p._2 coincident q._2))\n";

// The cube of the first bar passes that of the third half-way between two samples, 40 mm at the
// speed; the slower one within a tick, the faster one within a part of it.
START_TEST(modules_that_are_no_neighbours_brush_past_each_other) {
    SomM3l *m3l = som_test_m3l("row.m3l", som_str(row_text));
    SomBuilder *builder = som_builder_create(&(SomPartDef){.config = SOM_STR("A")});
    for (int i = 0; i < 3; i++) {
        test_add_module(builder, (const char *[]){"a", "b", "c"}[i], 0, m3l, "Bar");
    }
    test_connect(builder, 0, "e", 1, "w", (double)NAN);
    test_connect(builder, 1, "e", 2, "w", (double)NAN);
    SomConfiguration *c = test_finish(builder);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    const double speeds[] = {13.3, 133};
    for (int i = 0; i < 2; i++) {
        double half = speeds[i] * 0.005, up = SOM_PI / 2;
        TestMotion t = test_straight_motion(m, (double[]){-3 * half, up, 2 * up},
                                            (double[]){3 * half, up, 2 * up}, 4, 0.03);
        SomCertificate found = certify(pairs, &t.motion);
        ck_assert_int_eq(found.overlaps.count, 1);
        ck_assert_double_eq_tol(found.overlaps.data[0].t0, 0.015 - 0.02 / speeds[i], 2e-4);
        ck_assert_double_eq_tol(found.overlaps.data[0].t1, 0.015 + 0.02 / speeds[i], 2e-4);
        som_certificate_free(&found);
        test_motion_free(&t);
    }
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(touching_is_no_collision_but_what_follows_is) {
    Sweeper s = make_sweeper();
    double from[2] = {SOM_PI / 2, 0}, to[2] = {SOM_PI / 2, 0.39};
    SomCertificate found = sweep(&s, from, to, 40, 1); // touches at the end
    ck_assert_int_eq(found.overlaps.count, 0);
    som_certificate_free(&found);
    to[1] = 0.4; // goes in at the last sample but one, exactly
    found = sweep(&s, from, to, 41, 1);
    ck_assert_int_eq(found.overlaps.count, 1);
    ck_assert_double_eq_tol(found.overlaps.data[0].t0, 0.975, 1e-3);
    ck_assert_double_eq_tol(found.overlaps.data[0].t1, 1, 1e-12);
    ck_assert_double_eq_tol(found.overlaps.data[0].depth, 0.01, 1e-4);
    ck_assert_double_eq_tol(found.overlaps.data[0].depth_time, 1, 1e-2);
    som_certificate_free(&found);
    free_sweeper(&s);
}
END_TEST

START_TEST(motions_without_length_are_postures) {
    Sweeper s = make_sweeper();
    double in[2] = {SOM_PI / 2, 0.395}, out[2] = {0, 0.395};
    for (int samples = 1; samples <= 3; samples++) {
        SomCertificate found = sweep(&s, in, in, samples, 0);
        ck_assert_int_eq(found.overlaps.count, 1);
        ck_assert_double_eq(found.overlaps.data[0].t0, 0);
        ck_assert_double_eq(found.overlaps.data[0].t1, 0);
        ck_assert_double_eq_tol(found.overlaps.data[0].depth, 0.005, 1e-6);
        som_certificate_free(&found);
        found = sweep(&s, out, out, samples, 0);
        ck_assert_int_eq(found.overlaps.count, 0);
        som_certificate_free(&found);
    }
    // no time passes in a tick of it: still nothing between is left out
    double from[2] = {SOM_PI / 4, 0.395}, to[2] = {3 * SOM_PI / 4, 0.395};
    SomCertificate found = sweep(&s, from, to, 2, 0);
    ck_assert_int_eq(found.overlaps.count, 1);
    som_certificate_free(&found);
    free_sweeper(&s);
}
END_TEST

START_TEST(numbers_that_are_none_end_what_is_told) {
    Sweeper s = make_sweeper();
    double from[2] = {0, 0}, to[2] = {SOM_PI / 2, 0.4};
    double bad[] = {(double)NAN, (double)INFINITY, -1e300};
    for (int i = 0; i < 3; i++) {
        TestMotion t = test_straight_motion(s.m, from, to, 20, 1);
        t.values[2 * 7 + i % 2] = bad[i];
        SomCertificate found = certify(s.pairs, &t.motion);
        ck_assert_int_eq(found.sane_samples, 7);
        ck_assert_int_eq(found.overlaps.count, 0);
        t.values[0] = bad[i];
        som_certificate_free(&found);
        found = certify(s.pairs, &t.motion);
        ck_assert_int_eq(found.sane_samples, 0);
        som_certificate_free(&found);
        test_motion_free(&t);
    }
    // large steps are no trouble: what cannot be settled is told
    to[0] = 1e8;
    SomCertificateDef def = {.pairs = s.pairs, .most_queries = 1000};
    TestMotion t = test_straight_motion(s.m, (double[]){0, 0.395}, to, 3, 1);
    def.motion = t.motion;
    SomCertificate found = {0};
    som_certify(&def, &found);
    ck_assert_int_gt(found.undecided.count, 0);
    ck_assert_int_le(found.queries, 1100);
    som_certificate_free(&found);
    test_motion_free(&t);
    free_sweeper(&s);
}
END_TEST

START_TEST(one_link_touches_nothing) {
    SomM3l *m3l = som_test_m3l("one.m3l", SOM_STR("module One: root=body\n"
                                                  "link body: shape=box((0, 0, 0), (1, 1, 1))\n"));
    SomBuilder *builder = som_builder_create(&(SomPartDef){.config = SOM_STR("A")});
    test_add_module(builder, "a", 0, m3l, "One");
    SomConfiguration *c = test_finish(builder);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomCertificate found = certify(pairs, &(SomMotion){NULL, (double[]){0}, 1, 0});
    ck_assert_int_eq(found.overlaps.count + found.undecided.count, 0);
    ck_assert_int_eq(found.clearance.link_a, -1);
    som_certificate_free(&found);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(m3l);
}
END_TEST

// Modules 1 and 5 of a chain that is bent by four right angles are in one place.
START_TEST(modules_in_one_place_overlap) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 6);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomPosture posture = som_posture_zero(c);
    for (int i = 0; i < c->module_count; i++) {
        posture.values[c->modules[i].first_dof + 3] = SOM_PI / 2;
    }
    TestMotion t = test_straight_motion(m, posture.values, posture.values, 1, 0);
    SomCertificate found = certify(pairs, &t.motion);
    double deepest = 0;
    for (int i = 0; i < found.overlaps.count; i++) {
        const SomOverlap *o = &found.overlaps.data[i];
        ck_assert(isfinite(o->depth) && o->depth > 0);
        deepest = fmax(deepest, o->depth);
    }
    ck_assert_double_ge(deepest, 0.05);
    ck_assert_int_eq(found.undecided.count, 0);
    som_certificate_free(&found);
    test_motion_free(&t);
    som_posture_free(&posture);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// More pairs than an answer of the kernel has: the rest is told as not looked at.
START_TEST(heaps_of_modules_are_looked_at_in_part) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 700);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomPosture posture = som_posture_zero(c);
    for (int i = 0; i < c->module_count; i++) {
        posture.values[c->modules[i].first_dof + 3] = SOM_PI / 2;
    }
    TestMotion t = test_straight_motion(m, posture.values, posture.values, 1, 0);
    SomCertificateDef def = {.pairs = pairs, .motion = t.motion, .most_queries = 100000};
    SomCertificate found = {0};
    som_certify(&def, &found);
    ck_assert(!found.is_whole);
    ck_assert_double_eq(found.end, 0);
    ck_assert_int_gt(found.overlaps.count, 0);
    ck_assert_int_le(found.undecided.count, 10000 + 700 * 50);
    som_certificate_free(&found);
    // the kernel by itself
    SomBatch *batch = som_batch_create(m, pairs);
    double *values = som_alloc(sizeof *values * SOM_BATCH * (size_t)m->dof_count);
    for (int i = 0; i < SOM_BATCH * m->dof_count; i++) {
        values[i] = posture.values[i / SOM_BATCH];
    }
    som_batch_place(batch, values);
    const SomBatchHit *hits;
    ck_assert_int_le(som_batch_find(batch, 0, NULL, false, &hits), SOM_BATCH_MOST_HITS);
    ck_assert(som_batch_is_cut(batch));
    const SomBatchClearance *near;
    ck_assert_int_le(som_batch_clearances(batch, 0.01, &near), SOM_BATCH_MOST_CLEARANCES);
    ck_assert(som_batch_is_cut(batch));
    som_free(values);
    som_batch_destroy(batch);
    test_motion_free(&t);
    som_posture_free(&posture);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// The work is counted: a clock would tell of the machine.
START_TEST(long_snakes_take_work_in_proportion) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 2001);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomPosture from = som_posture_zero(c), to = som_posture_zero(c);
    TestMotion t = test_straight_motion(m, from.values, to.values, 1, 0);
    SomCertificate found = certify(pairs, &t.motion);
    ck_assert_int_eq(found.overlaps.count + found.undecided.count, 0);
    ck_assert_int_lt(found.queries, 40 * 2001);
    som_certificate_free(&found);
    test_motion_free(&t);
    // the end bends, and one joint in the middle
    for (int i = 1990; i < 2001; i++) {
        to.values[c->modules[i].first_dof + 3] = 0.2;
    }
    to.values[c->modules[1000].first_dof + 3] = 0.1;
    t = test_straight_motion(m, from.values, to.values, 9, 0.08);
    found = certify(pairs, &t.motion);
    ck_assert_int_eq(found.overlaps.count + found.undecided.count, 0);
    ck_assert_int_lt(found.queries, 60 * 2001);
    som_certificate_free(&found);
    test_motion_free(&t);
    som_posture_free(&from);
    som_posture_free(&to);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

// Its tail goes metres in a tick; pairs that never come near are not looked at for that.
START_TEST(snakes_that_wave_are_proven_apart) {
    SomM3l *smores = som_test_library("smores");
    SomConfiguration *c = test_snake(smores, 120);
    SomMechanism *m = som_mechanism_create(c);
    SomPairs *pairs = som_pairs_create(m);
    SomPosture from = som_posture_zero(c), to = som_posture_zero(c);
    for (int i = 0; i < 120; i++) {
        from.values[c->modules[i].first_dof + 3] = 0.05 * som_sin(i * SOM_PI / 3);
        to.values[c->modules[i].first_dof + 3] = -0.05 * som_sin(i * SOM_PI / 3);
    }
    TestMotion t = test_straight_motion(m, from.values, to.values, 3, 0.02);
    SomCertificate found = certify(pairs, &t.motion);
    ck_assert(found.is_whole);
    ck_assert_int_eq(found.overlaps.count + found.undecided.count, 0);
    ck_assert_int_lt(found.pairs, 40000); // of 180,000
    som_certificate_free(&found);
    found = (SomCertificate){0};
    // what it may not find out it tells
    SomCertificateDef def = {.pairs = pairs, .motion = t.motion, .most_queries = 3000};
    som_certify(&def, &found);
    ck_assert_int_eq(found.overlaps.count, 0);
    ck_assert(!found.is_whole);
    ck_assert_int_gt(found.undecided.count, 0);
    ck_assert_int_lt(found.queries, 3001);
    som_certificate_free(&found);
    test_motion_free(&t);
    som_posture_free(&from);
    som_posture_free(&to);
    som_pairs_destroy(pairs);
    som_mechanism_destroy(m);
    som_configuration_destroy(c);
    som_m3l_destroy(smores);
}
END_TEST

SOM_SUITE("verify/certificate", nothing_is_missed_of_random_mechanisms,
          nothing_is_missed_of_designs_of_the_library, legs_toward_each_other_touch_at_48_percent,
          brushing_past_within_3_ms_is_found, touching_is_no_collision_but_what_follows_is,
          motions_without_length_are_postures, numbers_that_are_none_end_what_is_told,
          one_link_touches_nothing, modules_in_one_place_overlap,
          heaps_of_modules_are_looked_at_in_part, long_snakes_take_work_in_proportion,
          snakes_that_wave_are_proven_apart, modules_that_are_no_neighbours_brush_past_each_other)
