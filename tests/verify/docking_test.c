// SPDX-License-Identifier: Apache-2.0
// Tests for verify/docking.c and verify/torn_loops.c.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>

START_TEST(forced_connections_and_wide_gaps_are_told_at_their_place) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config A {\n"
                                 "    part a[4] : SMORES\n"
                                 "    connect a[1].B to a[2].T at 45deg forced\n"
                                 "    connect a[2].B to a[3].T gap 2mm\n"
                                 "    connect a[3].B to a[4].T gap 1mm\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *forced = test_find(&v, SOM_DOCK_FORCED);
    const SomFinding *gap = test_find(&v, SOM_DOCK_GAP);
    ck_assert(forced != NULL && gap != NULL);
    ck_assert_int_eq(test_count_of(&v, SOM_DOCK_GAP), 1);
    ck_assert_str_eq(test_place(&v, forced), "4:5");
    ck_assert_str_eq(test_place(&v, gap), "5:5");
    ck_assert(gap->value == 0.002 && gap->limit == 0.001 && isnan(gap->t0));
    ck_assert(som_str_equal(gap->subjects[0], SOM_STR("a[2].B")));
    ck_assert(som_str_equal(gap->subjects[1], SOM_STR("a[3].T")));
    test_verified_free(&v);
}
END_TEST

// Designs cannot be written like this; what reads other files can make them.
START_TEST(faces_that_do_not_face_each_other_cannot_be_docked) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config A {\n"
                                 "    part a[2] : SMORES\n"
                                 "    connect a[1].B to a[2].T\n"
                                 "}\n",
                                 "", NULL);
    SomConnection wrong = v.configuration->connections[0];
    wrong.roll = (double)NAN;
    wrong.rule = NULL;
    SomConfiguration design = *v.configuration;
    design.connections = &wrong;
    SomVerification *out = som_verification_create();
    SomVerifyInput input = {.design = &design, .options = som_verify_default_options()};
    som_check_docking(&input, out);
    ck_assert_int_eq(out->findings.count, 1);
    ck_assert_int_eq(out->findings.data[0].code, SOM_NOT_DOCKABLE);
    som_verification_destroy(out);
    test_verified_free(&v);
}
END_TEST

static const char *const ring = "use \"loop.som\"\n"
                                "config Ring {\n"
                                "    part r : LoopN(n = 8)\n"
                                "    behavior tear = series(wait 500ms, r.m[3].tilt by 10deg)\n"
                                "    behavior hair = r.m[3].tilt by 0.1deg at 1deg/s during 100ms\n"
                                "}\n";

START_TEST(a_loop_is_torn_from_when_its_gap_is_wider_than_allowed) {
    TestVerified v = test_verify(ring, "", "tear");
    const SomFinding *found = test_find(&v, SOM_LOOP_TEARS);
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 1, "%s", test_findings(&v));
    ck_assert(found->t0 > 0.5 && found->t0 < 0.54 && found->t1 == v.found->duration);
    ck_assert(found->worst > found->t0 && found->value > found->limit);
    ck_assert_str_eq(test_place(&v, found), "4:40");
    test_verified_free(&v);
    v = test_verify(ring, "", "hair");
    ck_assert_msg(test_count_of(&v, SOM_LOOP_TEARS) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_loop_that_is_closed_at_first_is_not_torn) {
    TestVerified v = test_verify(ring, "", NULL);
    ck_assert_int_eq(test_count_of(&v, SOM_LOOP_TEARS), 0);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/docking", forced_connections_and_wide_gaps_are_told_at_their_place,
          faces_that_do_not_face_each_other_cannot_be_docked,
          a_loop_is_torn_from_when_its_gap_is_wider_than_allowed,
          a_loop_that_is_closed_at_first_is_not_torn)
