// SPDX-License-Identifier: Apache-2.0
// Tests for verify/branches.c: which motions of a behavior are verified.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>
#include <stdio.h>

// Five modules in a row on the ground: the whole can fold onto itself.
static const char *const tail = "use \"smores.m3l\"\n"
                                "config Tail {\n"
                                "    part m[5] : SMORES\n"
                                "    connect m[i].B to m[i+1].T for i in 1..4\n"
                                "    base m[1] on ground\n"
                                "    behavior wag = series(m[5].bend to 60deg, m[5].bend to 0deg)\n"
                                "    behavior fold = parallel(for i in 2..5: m[i].bend to 90deg)\n"
                                "    behavior drift = repeat forever: m[5].pan by 0.777deg\n"
                                "}\n";

static bool is_covered(const TestVerified *v) {
    const SomCoverage *c = &v->found->coverage[SOM_CHECK_SELF_COLLISION];
    return c->branches == c->branches_total;
}

static int branches_of(const TestVerified *v) {
    return (int)v->found->coverage[SOM_CHECK_SELF_COLLISION].branches;
}

START_TEST(what_happens_after_a_minute_is_found) {
    TestVerified v = test_verify(tail, "", "series(wait 61s, fold)");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert(found->t0 > 61 && v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert(som_verification_claims(v.found, SOM_CHECK_MOTION));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_time_that_is_given_cuts_any_motion) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 1;
    TestVerified v = test_verify_with(tail, "", "series(wait 2s, fold)", &options);
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_MOTION));
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    test_verified_free(&v);
}
END_TEST

START_TEST(both_branches_of_a_sensor_condition_are_verified) {
    TestVerified v = test_verify(tail, "", "choose(contact(m[5]): fold, else: wag)");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert_ptr_nonnull(strstr(found->message.data, ", if 'm[5]' touches at 0 s"));
    ck_assert_int_eq(branches_of(&v), 2);
    test_verified_free(&v);
    static const char *const values[][2] = {
        {"effort(m[5].bend) > 2Nm", ", if the effort of 'm[5].bend' is 2.5 Nm at 0 s"},
        {"height > 1m", ", if the height is 1.5 m at 0 s"},
        {"bodyTilt > 90deg", ", if the tilt is 118.6 deg at 0 s"},
        {"input(go) > 0.5", ", if input 'go' is 1 at 0 s"}};
    for (int i = 0; i < 4; i++) {
        SomText text = {0};
        som_text_printf(&text, "choose(%s: fold, else: wag)", values[i][0]);
        v = test_verify(tail, "", text.data);
        found = test_find(&v, SOM_SELF_COLLISION);
        ck_assert_ptr_nonnull(found);
        ck_assert_msg(strstr(found->message.data, values[i][1]) != NULL, "%s", found->message.data);
        test_verified_free(&v);
        som_text_free(&text);
    }
    v = test_verify(tail, "", "choose(contact(m[5]): wag, else: wait 1s)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE && is_covered(&v), "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_both_branches_do_is_one_finding) {
    TestVerified v =
        test_verify(tail, "", "series(choose(contact(m[5]): wag, else: wait 1s), fold)");
    ck_assert_int_eq(test_count_of(&v, SOM_SELF_COLLISION), 1);
    ck_assert_ptr_null(strstr(test_find(&v, SOM_SELF_COLLISION)->message.data, "touches"));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_wait_at_rest_is_verified_for_all_its_ends) {
    TestVerified v = test_verify(tail, "", "series(wait until contact(m[5]) timeout 5s, wag)");
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_SAFE);
    test_verified_free(&v);
    // without the contact it waits for ever, with it folds
    v = test_verify(tail, "", "series(wait until contact(m[5]), fold)");
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE && v.found->period > 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(a_move_that_may_end_too_often_is_incomplete) {
    TestVerified v = test_verify(
        tail, "", "series(m[3].bend to 45deg at 10deg/s until contact(m[5]) timeout 9s, wag)");
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    ck_assert_int_eq(branches_of(&v), SOM_VERIFY_MOST_BRANCHES);
    ck_assert(!is_covered(&v) && !som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    test_verified_free(&v);
    v = test_verify(tail, "", "series(m[5].bend to 30deg until contact(m[5]) timeout 3s, wag)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(is_covered(&v) && branches_of(&v) > 10);
    test_verified_free(&v);
}
END_TEST

START_TEST(large_robots_are_verified_in_fewer_branches) {
    SomVerifyOptions brief = som_verify_default_options();
    brief.most_time = 0.02;
    TestVerified v =
        test_verify_with("use \"smores.m3l\"\n"
                         "config Long {\n"
                         "    part m[100] : SMORES\n"
                         "    connect m[i].B to m[i+1].T for i in 1..99\n"
                         "    base m[1] on ground\n"
                         "}\n",
                         "", "m[100].left spin 10deg/s until contact(m[1]) timeout 2s", &brief);
    SomVerification *found = som_verify(
        &(SomVerifyDef){.mechanism = v.mechanism, .graph = v.graph, .skips_loads = true});
    const SomCoverage *c = &found->coverage[SOM_CHECK_STABILITY];
    double links = v.mechanism->link_count;
    ck_assert_int_lt(c->branches, SOM_VERIFY_MOST_BRANCHES);
    ck_assert(c->branches > 1 && c->branches < c->branches_total);
    ck_assert_double_lt((double)(c->samples_total - 250) * links * links, SOM_VERIFY_MOST_WORK);
    ck_assert_int_eq(found->verdict, SOM_VERDICT_INCOMPLETE);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

// Beyond 2^53 numbers are farther apart than 1.
START_TEST(sensors_may_have_values_of_any_size) {
    static const char *const conditions[] = {"input(x) > 1e16", "input(x) < -1e17",
                                             "abs(input(x)) > 1e200", "1e300 < -input(x)"};
    for (int i = 0; i < 4; i++) {
        SomText text = {0};
        som_text_printf(&text, "choose(%s: fold, else: wag)", conditions[i]);
        TestVerified v = test_verify(tail, "", text.data);
        ck_assert_msg(v.found->verdict == SOM_VERDICT_UNSAFE, "%s", text.data);
        test_verified_free(&v);
        som_text_free(&text);
    }
}
END_TEST

// A second has a hundred ticks.
START_TEST(an_ordinary_move_that_a_sensor_may_end_is_complete) {
    TestVerified v = test_verify(tail, "",
                                 "m[5].bend to 60deg at 60deg/s until "
                                 "abs(effort(m[5].bend)) > 0.5Nm");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE && is_covered(&v), "%s", test_findings(&v));
    ck_assert_int_gt(branches_of(&v), 64);
    test_verified_free(&v);
}
END_TEST

START_TEST(comparisons_with_what_is_not_known_may_turn_out_either_way) {
    static const char *const conditions[][2] = {
        {"effort(m[4].bend) > effort(m[5].bend)",
         "if effort(m[4].bend) > effort(m[5].bend) holds at 0 s"},
        {"input(a)*input(b) > 0.5", "if (input(a) * input(b)) > 0.5 holds at 0 s"},
        {"abs(input(a) - 7) < 0.001", "if abs(input(a) - 7) < 0.001 holds at 0 s"},
        {"input(a) >= input(b) and contact(m[5])", "deep, if 'm[5]' touches at 0 s"}};
    for (int i = 0; i < 4; i++) {
        SomText text = {0};
        som_text_printf(&text, "choose(%s: fold, else: wag)", conditions[i][0]);
        TestVerified v = test_verify(tail, "", text.data);
        const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
        ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s", text.data);
        ck_assert_msg(strstr(found->message.data, conditions[i][1]) != NULL, "%s",
                      found->message.data);
        ck_assert(is_covered(&v));
        test_verified_free(&v);
        som_text_free(&text);
    }
    TestVerified v = test_verify(tail, "", "choose(input(a) > input(b): wag, else: wait 1s)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE && is_covered(&v), "%s", test_findings(&v));
    ck_assert_int_eq(branches_of(&v), 2);
    test_verified_free(&v);
}
END_TEST

START_TEST(an_endless_motion_that_repeats_itself_is_complete) {
    TestVerified v = test_verify(tail, "", "repeat forever: wag");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(v.found->period > 0.5 && v.found->duration < 3 * v.found->period);
    ck_assert(som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    test_verified_free(&v);
    v = test_verify(tail, "", "m[5].left spin 90deg/s");
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_SAFE);
    ck_assert_double_eq_tol(v.found->period, 4, 1e-6);
    test_verified_free(&v);
    v = test_verify(tail, "",
                    "repeat forever: choose(contact(m[5]): wag, else: m[5].bend to 0deg)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE && is_covered(&v), "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// Full turns of a wheel make no difference to what follows.
START_TEST(steps_of_a_wheel_repeat_themselves_after_a_turn) {
    TestVerified v =
        test_verify(tail, "", "repeat forever: series(m[5].left by 90deg, wait 100ms)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert_double_eq_tol(v.found->period, 2.88, 1e-6);
    test_verified_free(&v);
    v = test_verify(tail, "",
                    "repeat forever: series(m[5].left by 20deg, hold m[5].left, wait 50ms)");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE && v.found->period > 1, "%s",
                  test_findings(&v));
    test_verified_free(&v);
    // it turns back all the way
    v = test_verify(tail, "", "series(repeat 4: m[5].left by 90deg, m[5].left to 0deg)");
    ck_assert_msg(v.found->duration > 4, "%g", v.found->duration);
    ck_assert_double_eq(v.found->period, 0);
    test_verified_free(&v);
}
END_TEST

// The first pass turns the robot, the second one no more.
START_TEST(passes_are_followed_until_the_robot_is_turned_alike) {
    char path[512];
    snprintf(path, sizeof path, "%s/configs/chain3.som", test_library);
    TestVerified v = test_verify_file(path, "Chain3", "repeat forever: sineGait");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert_double_eq_tol(v.found->period, 1.2, 1e-6);
    ck_assert_double_eq_tol(v.found->duration, 2.53, 1e-6);
    test_verified_free(&v);
}
END_TEST

START_TEST(an_endless_motion_that_does_not_is_incomplete) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 3;
    TestVerified v = test_verify_with(tail, "", "drift", &options);
    ck_assert(v.found->verdict == SOM_VERDICT_INCOMPLETE && v.found->period == 0);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/branches", what_happens_after_a_minute_is_found,
          a_time_that_is_given_cuts_any_motion, both_branches_of_a_sensor_condition_are_verified,
          what_both_branches_do_is_one_finding, a_wait_at_rest_is_verified_for_all_its_ends,
          a_move_that_may_end_too_often_is_incomplete, large_robots_are_verified_in_fewer_branches,
          sensors_may_have_values_of_any_size, an_ordinary_move_that_a_sensor_may_end_is_complete,
          comparisons_with_what_is_not_known_may_turn_out_either_way,
          an_endless_motion_that_repeats_itself_is_complete,
          steps_of_a_wheel_repeat_themselves_after_a_turn,
          passes_are_followed_until_the_robot_is_turned_alike,
          an_endless_motion_that_does_not_is_incomplete)
