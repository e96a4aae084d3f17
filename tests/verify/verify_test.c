// SPDX-License-Identifier: Apache-2.0
// Tests for verify/verify.c and verify/blame.c.

#include "tests/verify/verified.h"

#include <math.h>

static const char *const pair = "use \"smores.m3l\"\n"
                                "config Pair {\n"
                                "    part a, b : SMORES\n"
                                "    connect a.B to b.T\n"
                                "    behavior up = series(a.tilt to 30deg, wait 100ms)\n"
                                "    behavior swing = repeat forever: series(a.tilt to 30deg, "
                                "a.tilt to 0deg)\n"
                                "}\n";

START_TEST(a_configuration_has_one_sample_and_no_time) {
    TestVerified v = test_verify(pair, "", NULL);
    ck_assert(!v.found->is_behavior && v.found->duration == 0);
    ck_assert_int_eq(v.found->sample_count, 1);
    test_verified_free(&v);
}
END_TEST

START_TEST(a_behavior_has_a_sample_at_every_tick) {
    TestVerified v = test_verify(pair, "", "up");
    const SomVerification *found = v.found;
    ck_assert(found->is_behavior && found->duration > 0.1);
    for (int i = 1; i < found->sample_count; i++) {
        ck_assert(fabs(found->times[i] - found->times[i - 1] - 0.01) < 1e-9);
    }
    ck_assert(fabs(found->times[found->sample_count - 1] - found->duration) < 1e-9);
    test_verified_free(&v);
}
END_TEST

START_TEST(what_has_not_ended_is_told_and_not_looked_at_for_ever) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 3;
    TestVerified v = test_verify_with(pair, "", "swing", &options);
    const SomFinding *found = test_find(&v, SOM_VERIFY_INCOMPLETE);
    ck_assert(found != NULL && fabs(found->t0 - 3) < 0.02);
    ck_assert_str_eq(test_place(&v, found), "6:22");
    test_verified_free(&v);
}
END_TEST

START_TEST(values_that_are_no_numbers_are_told_and_nothing_else_is_said) {
    TestDesign design = test_design(pair);
    SomConfiguration *configuration = test_compose(&design, "");
    SomMechanism *mechanism = som_mechanism_create(configuration);
    SomPosture start = som_posture_start(configuration);
    start.values[1] = (double)NAN;
    start.values[2] = (double)INFINITY;
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = mechanism, .start = start.values});
    ck_assert_int_eq(found->findings.count, 2);
    ck_assert_int_eq(found->findings.data[0].code, SOM_JOINT_NO_NUMBER);
    ck_assert(!found->is_safe &&
              som_str_equal(found->findings.data[0].subjects[0], configuration->dofs[1].path));
    som_verification_destroy(found);
    som_posture_free(&start);
    som_mechanism_destroy(mechanism);
    som_configuration_destroy(configuration);
    test_design_free(&design);
}
END_TEST

static const char *const ring =
    "use \"smores.m3l\"\n"
    "config Ring(n: count = 6) {\n"
    "    part m[n] : SMORES\n"
    "    connect m[i].B to m[i+1].T for i in 1..n-1\n"
    "    dock ends: m[n].B to m[1].T open\n"
    "    behavior curl = series(parallel(for i in 1..n: m[i].tilt to 360deg/n within 1deg),\n"
    "        connect ends timeout 5s)\n"
    "    behavior pull = series(curl, m[3].tilt by 20deg)\n"
    "    behavior open = series(curl, disconnect ends timeout 5s, m[3].tilt by 20deg)\n"
    "    behavior tooSoon = series(m[1].tilt to 10deg, connect ends timeout 1s)\n"
    "}\n";

START_TEST(a_dock_that_has_closed_makes_a_loop_until_it_opens) {
    TestVerified v = test_verify(ring, "", "pull");
    const SomFinding *found = test_find(&v, SOM_LOOP_TEARS);
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 1, "%s", test_findings(&v));
    ck_assert(found->t0 > 0.44 && found->t0 < 0.5 && !v.found->is_void[SOM_CHECK_LOOP]);
    ck_assert_str_eq(test_place(&v, found), "8:34");
    test_verified_free(&v);
    v = test_verify(ring, "", "open");
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_dock_that_does_not_close_is_told) {
    TestVerified v = test_verify(ring, "", "tooSoon");
    const SomFinding *found = test_find(&v, SOM_NOT_DOCKABLE);
    ck_assert(found != NULL && !v.found->is_safe);
    ck_assert_str_eq(test_place(&v, found), "10:51");
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/verify", a_dock_that_has_closed_makes_a_loop_until_it_opens,
          a_dock_that_does_not_close_is_told, a_configuration_has_one_sample_and_no_time,
          a_behavior_has_a_sample_at_every_tick,
          what_has_not_ended_is_told_and_not_looked_at_for_ever,
          values_that_are_no_numbers_are_told_and_nothing_else_is_said)
