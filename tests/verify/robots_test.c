// SPDX-License-Identifier: Apache-2.0
// Tests for designs of several pieces, and for pieces that are fixed to the world.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"

#include <math.h>

static TestVerified verify(const char *choice, const char *behavior) {
    SomText path = {0};
    som_text_printf(&path, "%s/../tests/verify/yard.som", test_library);
    TestVerified v = test_verify_file(path.data, choice, behavior);
    som_text_free(&path);
    return v;
}

static bool is_unchecked(const TestVerified *v, SomCheck check, const char *reason) {
    for (int i = 0; i < v->found->skipped.count; i++) {
        const SomSkipped *skipped = &v->found->skipped.data[i];
        if (skipped->check == check && skipped->is_unchecked &&
            som_str_equal(skipped->reason, som_str(reason))) {
            return true;
        }
    }
    return false;
}

static void check_verdict(const char *choice, const char *behavior, SomVerdict verdict) {
    TestVerified v = verify(choice, behavior);
    ck_assert_msg(v.found->verdict == verdict, "%s %s: %s\n%s", choice, behavior,
                  som_verdict_word(v.found->verdict), test_findings(&v));
    test_verified_free(&v);
}

// What a joint holds at the end of a behavior, by the statics of the verification.
static double effort_at_end(const TestVerified *v, const char *path) {
    SomVerification *found = som_verify(
        &(SomVerifyDef){.mechanism = v->mechanism, .graph = v->graph, .wants_efforts = true});
    int dof = som_configuration_find_dof(v->configuration, som_str(path), NULL);
    ck_assert_int_ge(dof, 0);
    double effort = found->efforts[(found->sample_count - 1) * found->dof_count + dof];
    som_verification_destroy(found);
    return effort;
}

START_TEST(what_a_dock_takes_up_loads_the_joints) {
    TestVerified v = verify("Yard", "take");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert_double_eq_tol(fabs(effort_at_end(&v, "crane.lift")), (0.5 + 0.5) * 9.80665, 1e-6);
    test_verified_free(&v);
    v = verify("Yard", "crane.lift to 20cm"); // alone
    ck_assert_double_eq_tol(fabs(effort_at_end(&v, "crane.lift")), 0.5 * 9.80665, 1e-6);
    test_verified_free(&v);
    check_verdict("Yard", "putBack", SOM_VERDICT_SAFE);
}
END_TEST

START_TEST(what_is_dropped_or_starts_in_the_air_falls) {
    static const char *const cases[][4] = {
        {"Yard", "drop",
         "Falling piece: the piece of 'crate' at 0.71 s, released 200 mm above the ground; it "
         "would stand where it lands",
         "released"},
        {"Hung", NULL,
         "Falling piece: the piece of 'crate', starts 300 mm above the ground; it would stand "
         "where it lands",
         "starts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TestVerified v = verify(cases[i][0], cases[i][1]);
        const SomFinding *found = test_find(&v, SOM_RELEASED_ABOVE_GROUND);
        ck_assert_msg(found != NULL, "%s", test_findings(&v));
        ck_assert_ptr_nonnull(strstr(found->message.data, cases[i][3]));
        ck_assert_int_eq(test_count_of(&v, SOM_RELEASED_ABOVE_GROUND), 1);
        ck_assert(i == 0 || strcmp(found->message.data, cases[i][2]) == 0);
        test_verified_free(&v);
    }
}
END_TEST

START_TEST(what_is_fixed_neither_falls_nor_slips) {
    check_verdict("OnWall", NULL, SOM_VERDICT_SAFE);
    TestVerified v = verify("OnWall", "lift");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_STABILITY));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_LOAD));
    ck_assert_double_lt(fabs(effort_at_end(&v, "crane.lift")), 1e-9); // the weight is across
    test_verified_free(&v);
    v = verify("Hammers", NULL);
    ck_assert_int_eq(test_count_of(&v, SOM_UNSTABLE), 1);
    for (int i = 0; i < v.found->findings.count; i++) {
        const char *message = v.found->findings.data[i].message.data;
        ck_assert_msg(strstr(message, "bolted") == NULL, "%s", message);
    }
    test_verified_free(&v);
}
END_TEST

START_TEST(what_is_fixed_does_not_go_below_the_ground) {
    TestVerified v = verify("Yard", "press");
    const SomFinding *found = test_find(&v, SOM_GROUND_PENETRATION);
    ck_assert_msg(found == NULL, "%s", test_findings(&v)); // the hook stays 8 cm above it
    test_verified_free(&v);
    v = test_verify("use \"smores.m3l\"\n"
                    "config Arm {\n"
                    "    part m[2] : SMORES\n"
                    "    connect m[1].T to m[2].B\n"
                    "    base m[1] on ground fixed\n"
                    "    behavior down = m[2].tilt to 40deg\n"
                    "}\n",
                    "", "down");
    found = test_find(&v, SOM_GROUND_PENETRATION);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert_str_eq(test_place(&v, found), "6:21");
    ck_assert_ptr_null(test_find(&v, SOM_BELOW_START_GROUND));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_rests_on_a_fixed_piece_is_not_predicted) {
    TestVerified v = verify("Shelf", NULL);
    ck_assert_msg(test_find(&v, SOM_PIECE_CARRIED) != NULL, "%s", test_findings(&v));
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    ck_assert(is_unchecked(&v, SOM_CHECK_STABILITY, "the piece of 'crate' rests on another one"));
    test_verified_free(&v);
}
END_TEST

START_TEST(robots_that_meet_become_one) {
    TestVerified v = verify("Meeting", "join");
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_STABILITY));
    test_verified_free(&v);
}
END_TEST

START_TEST(docks_that_never_meet_are_errors_and_others_not_predicted) {
    TestVerified v = verify("Meeting(gap=0.5m)", "join");
    const SomFinding *found = test_find(&v, SOM_NOT_DOCKABLE);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    test_verified_free(&v);
    v = verify("Meeting(gap=0.5m)", "drive");
    ck_assert_msg(test_find(&v, SOM_NOT_DOCKABLE) == NULL, "%s", test_findings(&v));
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    ck_assert(is_unchecked(&v, SOM_CHECK_DOCKING,
                           "the piece of 'a' is no longer where the prediction has it"));
    test_verified_free(&v);
    v = verify("Yard", "reach");
    ck_assert_ptr_nonnull(test_find(&v, SOM_NOT_DOCKABLE));
    test_verified_free(&v);
    v = verify("Bolted", "join");
    found = test_find(&v, SOM_NOT_DOCKABLE);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(strstr(found->message.data, "both pieces are fixed to the world"));
    test_verified_free(&v);
}
END_TEST

START_TEST(how_far_a_dock_reaches_is_up_to_its_connectors) {
    TestVerified v = verify("Near", "take");
    ck_assert_ptr_nonnull(test_find(&v, SOM_NOT_DOCKABLE));
    const SomConfiguration *c = v.configuration;
    ck_assert_double_eq(som_dock_reach(c, &c->docks[0]), 0.005);
    ck_assert_double_eq(som_dock_reach(c, &c->docks[1]), 0.02);
    ck_assert_double_eq(som_dock_reach_angle(c, &c->docks[1]), 0.1);
    test_verified_free(&v);
    v = verify("Near", "attract");
    ck_assert_msg(test_find(&v, SOM_NOT_DOCKABLE) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("robots", what_a_dock_takes_up_loads_the_joints,
          what_is_dropped_or_starts_in_the_air_falls, what_is_fixed_neither_falls_nor_slips,
          what_is_fixed_does_not_go_below_the_ground, what_rests_on_a_fixed_piece_is_not_predicted,
          robots_that_meet_become_one, docks_that_never_meet_are_errors_and_others_not_predicted,
          how_far_a_dock_reaches_is_up_to_its_connectors)
