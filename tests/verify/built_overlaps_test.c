// SPDX-License-Identifier: Apache-2.0
// Links of one module that overlap while their joints are at zero: they are tested in every other
// posture.

#include "base/codes/verify_codes.h"
#include "base/memory.h"
#include "tests/verify/motions.h"
#include "tests/verify/verified.h"
#include "verify/certificate.h"
#include "verify/pairs.h"

#include <math.h>
#include <stdio.h>

static TestVerified verify_gripper(const char *config, const char *behavior) {
    char path[512];
    snprintf(path, sizeof path, "%s/../tests/verify/gripper.som", test_library);
    return test_verify_file(path, config, behavior);
}

// How many pairs are listed as overlapping by construction.
static long count_listed(const TestVerified *v) {
    long count = 0;
    for (int i = 0; i < v->found->skipped.count; i++) {
        const SomSkipped *s = &v->found->skipped.data[i];
        bool is_built = som_str_equal(s->reason, som_str(som_pair_rule_reason(SOM_PAIR_BUILT)));
        count += is_built && !s->is_unchecked ? s->count : 0;
    }
    return count;
}

static void check_collision(const char *config, const char *behavior, double from, double to,
                            double depth) {
    TestVerified v = verify_gripper(config, behavior);
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_msg(found != NULL, "%s", behavior);
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert_double_eq_tol(found->t0, from, 1e-3);
    ck_assert_double_eq_tol(found->t1, to, 1e-3);
    ck_assert_double_eq_tol(-found->value, depth, 1e-3);
    test_verified_free(&v);
}

static void check_safe(const char *config, const char *behavior, int listed) {
    TestVerified v = verify_gripper(config, behavior);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert_int_eq(count_listed(&v), listed);
    SomText claim = {0};
    som_verification_print_claim(v.found, SOM_CHECK_SELF_COLLISION, &claim);
    ck_assert_str_eq(claim.data, listed == 0 ? "no links collide at any time"
                                             : "no links collide at any time, except 'g.left' and "
                                               "'g.right' while they overlap by construction");
    som_text_free(&claim);
    test_verified_free(&v);
}

// Fingers 20 mm wide, each at 100 mm/s, that touch when each is 2 mm from zero.
START_TEST(fingers_are_tested_from_the_moment_they_are_first_apart) {
    check_safe("Gripper", "open", 1);
    check_collision("Gripper", "back", 0.585, 0.775, 0.02);
    check_collision("Gripper", "openAndClose", 0.585, 0.62, 0.0072);
}
END_TEST

START_TEST(a_collision_names_the_actions_that_moved_either_side) {
    TestVerified v = verify_gripper("Gripper", "through");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert(found->action != SOM_NONE && found->other_action != SOM_NONE);
    ck_assert_str_eq(som_graph_joint_name(v.graph, found->action, &(SomAlias){0}), "g.l");
    ck_assert_str_eq(som_graph_joint_name(v.graph, found->other_action, &(SomAlias){0}), "g.r");
    ck_assert(found->span.source1 != 0 && found->other.source1 != 0);
    test_verified_free(&v);
    v = verify_gripper("Gripper", "series(move(10mm), g.l to 20mm)");
    found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(som_graph_joint_name(v.graph, found->action, &(SomAlias){0}), "g.l");
    ck_assert_str_eq(som_graph_joint_name(v.graph, found->other_action, &(SomAlias){0}), "g.r");
    test_verified_free(&v);
}
END_TEST

START_TEST(fingers_go_no_deeper_into_each_other_than_at_joint_value_zero) {
    check_collision("Gripper", "through", 0.105, 0.255, 0.02);
    check_collision("Gripper", "deeper", 0.005, 0.03, 0.0088);
    check_safe("Gripper", "series(move(1mm), move(0mm))", 1);
}
END_TEST

START_TEST(fingers_that_are_apart_at_the_start_are_tested_from_there) {
    check_safe("Opened", NULL, 0);
    check_collision("Opened", "close", 0.185, 0.2, 0.004);
}
END_TEST

START_TEST(a_configuration_lists_what_overlaps_by_construction) {
    check_safe("Gripper", NULL, 1);
    TestVerified v = verify_gripper("Crossed", NULL);
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert_double_eq_tol(found->value, -0.014, 1e-6);
    test_verified_free(&v);
}
END_TEST

// ---- against dense sampling

#define STEP 6e-4 // seconds, longer than the resolution
#define MOST_STEPS 2000

typedef struct Dense {
    const SomPairs *pairs;
    const SomMotion *motion;
    int a, b;
    double flush, allowed;
    bool is_late[MOST_STEPS + 1]; // whether it is a collision, surely
} Dense;

static double distance_at(const Dense *q, double time) {
    SomPose links[8];
    double tick = q->motion->times[1];
    test_place_at(q->pairs->mechanism, q->motion, fmin(time / tick, q->motion->sample_count - 1),
                  links);
    return som_solid_distance(q->pairs->solids[q->a], &links[q->a], q->pairs->solids[q->b],
                              &links[q->b], 1, NULL)
        .distance;
}

// Apart for two steps is longer than the resolution.
static void sample(Dense *q, int steps) {
    int apart = 0;
    for (int i = 0; i <= steps; i++) {
        double depth = -distance_at(q, i * STEP), most = apart > 1 ? q->flush : q->allowed;
        q->is_late[i] = depth > most + 2 * SOM_CERTIFIED_DEPTH;
        apart = apart > 1 || depth <= q->flush ? apart + 1 : 0;
    }
}

static int count_missed(const Dense *q, int steps, const SomCertificate *found) {
    int missed = 0;
    for (int i = 0; i <= steps; i++) {
        bool is_found = !q->is_late[i];
        for (int k = 0; k < found->overlaps.count; k++) {
            const SomOverlap *o = &found->overlaps.data[k];
            is_found |= o->link_a == q->a && o->link_b == q->b && i * STEP >= o->t0 - STEP &&
                        i * STEP <= o->t1 + STEP;
        }
        missed += !is_found;
    }
    return missed;
}

static int count_false(const Dense *q, const SomCertificate *found) {
    int wrong = 0;
    for (int i = 0; i < found->overlaps.count; i++) {
        const SomOverlap *o = &found->overlaps.data[i];
        if (o->link_a == q->a && o->link_b == q->b) {
            wrong +=
                fabs(o->depth + distance_at(q, o->depth_time)) > 1.1e-4 || o->depth <= q->flush;
        }
    }
    for (int i = 0; i < found->built.count; i++) {
        const SomOverlap *o = &found->built.data[i];
        bool is_it = o->link_a == q->a && o->link_b == q->b;
        wrong += is_it && (o->t0 != 0 || -distance_at(q, 0.5 * o->t1) <= q->flush);
    }
    return wrong;
}

START_TEST(nothing_is_missed_of_hands_that_move_at_random) {
    SomTestRandom random = {21};
    TestVerified hand = verify_gripper("Hand", NULL);
    SomPairs *pairs = som_pairs_create(hand.mechanism);
    SomPosture start = som_posture_start(hand.configuration);
    ck_assert_int_eq(pairs->counts[SOM_PAIR_BUILT], 3);
    int built = 0, overlaps = 0;
    for (int i = 0; i < som_test_count(40, 2000); i++) {
        TestMotion t = test_random_motion(&random, hand.mechanism, start.values, 40, 0.7, 0.6);
        SomCertificate found = {0};
        som_certify(&(SomCertificateDef){.pairs = pairs, .motion = t.motion}, &found);
        int steps = (int)(t.motion.times[39] / STEP);
        for (int a = 0; a < hand.mechanism->link_count; a++) {
            for (int b = a + 1; b < hand.mechanism->link_count; b++) {
                Dense q = {.pairs = pairs, .motion = &t.motion, .a = a, .b = b};
                if (som_pairs_rule(pairs, a, b, &q.allowed) == SOM_PAIR_BUILT) {
                    q.flush = som_pair_flush(pairs->solids[a], pairs->solids[b]);
                    sample(&q, steps);
                    ck_assert_int_eq(count_missed(&q, steps, &found), 0);
                    ck_assert_int_eq(count_false(&q, &found), 0);
                }
            }
        }
        built += found.built.count;
        overlaps += found.overlaps.count;
        som_certificate_free(&found);
        test_motion_free(&t);
    }
    ck_assert_int_gt(built, 40);
    ck_assert_int_gt(overlaps, 20);
    som_posture_free(&start);
    som_pairs_destroy(pairs);
    test_verified_free(&hand);
}
END_TEST

SOM_SUITE("verify/built_overlaps", a_collision_names_the_actions_that_moved_either_side,
          fingers_are_tested_from_the_moment_they_are_first_apart,
          fingers_go_no_deeper_into_each_other_than_at_joint_value_zero,
          fingers_that_are_apart_at_the_start_are_tested_from_there,
          a_configuration_lists_what_overlaps_by_construction,
          nothing_is_missed_of_hands_that_move_at_random)
