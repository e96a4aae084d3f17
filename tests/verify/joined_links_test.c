// SPDX-License-Identifier: Apache-2.0
// Two links that a joint joins: what touches away from the joint is found, and what overlaps at the
// joint is no collision. The same of two that a connection joins, and its faces.

#include "base/codes/verify_codes.h"
#include "tests/verify/verified.h"
#include "verify/pairs.h"

#include <math.h>
#include <stdio.h>

static TestVerified verify_in(const char *file, const char *config, const char *behavior) {
    char path[512];
    snprintf(path, sizeof path, "%s/../tests/verify/%s.som", test_library, file);
    return test_verify_file(path, config, behavior);
}

static TestVerified verify_joined(const char *config, const char *behavior) {
    return verify_in("joined", config, behavior);
}

static void check_collision(const char *config, const char *behavior, double from, double to,
                            double depth) {
    TestVerified v = verify_joined(config, behavior);
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_msg(found != NULL, "%s %s", config, behavior);
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert_msg(fabs(found->t0 - from) < 2e-3, "%s", test_findings(&v));
    ck_assert_msg(fabs(found->t1 - to) < 2e-3, "%s", test_findings(&v));
    ck_assert_msg(fabs(-found->value - depth) < 1e-3, "%s", test_findings(&v));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    test_verified_free(&v);
}

// What is claimed ("": nothing), and how many pairs are listed with the reason of a rule.
static void check_safe(const char *config, const char *behavior, const char *claim, long tested,
                       SomPairRule rule) {
    TestVerified v = verify_joined(config, behavior);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    SomText text = {0};
    if (som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION)) {
        som_verification_print_claim(v.found, SOM_CHECK_SELF_COLLISION, &text);
    }
    ck_assert_str_eq(text.length > 0 ? text.data : "", claim);
    ck_assert_int_eq(v.found->coverage[SOM_CHECK_SELF_COLLISION].pairs_total, tested);
    bool is_listed = false;
    for (int i = 0; i < v.found->skipped.count; i++) {
        is_listed |=
            som_str_equal(v.found->skipped.data[i].reason, som_str(som_pair_rule_reason(rule)));
    }
    ck_assert_msg(is_listed == (rule != SOM_PAIR_FREE), "%s %s", config, behavior);
    som_text_free(&text);
    test_verified_free(&v);
}

#define CLAIM "no links collide at any time"

START_TEST(links_that_are_apart_at_zero_are_tested_like_any_others) {
    check_collision("Column", "fold", 0.672, 1.95, 0.0872);
    check_safe("Column", "half", CLAIM, 1, SOM_PAIR_FREE);
    check_safe("Column", NULL, CLAIM, 1, SOM_PAIR_FREE);
    check_collision("Slide", "pass", 0.48, 0.72, 0.06);
    check_collision("Slide", "back", 0.02, 0.2, 0.06);
    check_safe("Slide", "before", CLAIM, 1, SOM_PAIR_FREE);
}
END_TEST

START_TEST(links_that_slide_may_only_touch) {
    check_collision("Stop", "on", 0.002, 0.11, 0.05);
    check_safe("Stop", "away", CLAIM, 1, SOM_PAIR_FLUSH);
}
END_TEST

START_TEST(nothing_is_claimed_where_no_pair_was_tested) {
    check_safe("Sunk", "turn", "", 0, SOM_PAIR_JOINED);
    check_safe("Sunk", NULL, "", 0, SOM_PAIR_JOINED);
    check_safe("Hinge", "fold", "", 0, SOM_PAIR_HINGED);
}
END_TEST

// A deep socket hides no other part of its link, and neither does a part at a hinge.
START_TEST(parts_away_from_the_joint_are_tested) {
    check_collision("Socket", "fold", 0.763, 1.238, 0.0547);
    check_collision("Door", "open", 0.454, 0.723, 0.0799);
    check_collision("Wall", "fold", 0.558, 1.01, 0.1403);
    check_safe("Socket", "half", CLAIM, 1, SOM_PAIR_PARTS_JOINED);
    check_safe("Door", "half",
               CLAIM ", except 'frame' and 'door', whose parts at their joint are not tested", 1,
               SOM_PAIR_PARTS_HINGED);
    check_safe("Wall", "half",
               CLAIM ", except 'base' and 'arm', whose parts at their joint are not tested", 1,
               SOM_PAIR_PARTS_HINGED);
}
END_TEST

// A shoe made of a disc, which is 3 mm deep in the body at zero, and of a block around it.
START_TEST(a_part_beside_the_hinge_may_be_as_deep_as_that) {
    TestVerified v = test_verify("use \"rofi.m3l\"\nconfig A is RoFI_UM {}\n", "",
                                 "series(alpha to 90deg, alpha to -90deg)");
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_claim_names_links_that_overlap_at_their_joint) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config A {\n"
                                 "    part m[2] : SMORES\n"
                                 "    connect m[1].B to m[2].T\n"
                                 "}\n",
                                 "", "m[1].bend to 30deg");
    SomText text = {0};
    som_verification_print_claim(v.found, SOM_CHECK_SELF_COLLISION, &text);
    ck_assert_str_eq(
        text.data,
        "no links collide at any time, except 'm[1].CircuitHolder' and "
        "'m[1].UHolderBody' (and 1 more pair), whose parts at their joint are not tested");
    som_text_free(&text);
    test_verified_free(&v);
}
END_TEST

// Blocks 0.55 mm apart, one of which turns into the other: that is a hinge drawn like that.
START_TEST(a_small_gap_at_a_hinge_counts_as_touching) {
    TestVerified v =
        test_verify("use \"smores_ep.m3l\"\nconfig A is \"SMORES-EP\" {}\n", "", "tilt to 90deg");
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) == NULL, "%s", test_findings(&v));
    SomText text = {0};
    som_verification_print_claim(v.found, SOM_CHECK_SELF_COLLISION, &text);
    ck_assert_str_eq(text.data, CLAIM ", except 'base_link' and 'tilt_body', whose parts at "
                                      "their joint are not tested");
    som_text_free(&text);
    test_verified_free(&v);
}
END_TEST

START_TEST(links_that_come_apart_are_tested_from_there) {
    check_safe("Latch", "open",
               CLAIM ", except 'base' and 'bar' while they overlap by construction", 1,
               SOM_PAIR_BUILT);
    check_collision("Latch", "over", 1.914, 2.01, 0.01);
}
END_TEST

START_TEST(links_that_carry_docked_faces_may_only_touch) {
    for (int i = 0; i < 2; i++) {
        TestVerified v = verify_in("docked", "TwoPosts", i == 0 ? NULL : "rest");
        const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
        ck_assert_ptr_nonnull(found);
        ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
        ck_assert_double_eq_tol(found->value, -0.02, 1e-4);
        test_verified_free(&v);
    }
    TestVerified v = verify_in("docked", "TwoRings", NULL);
    ck_assert_msg(test_find(&v, SOM_SELF_COLLISION) == NULL, "%s", test_findings(&v));
    ck_assert(som_verification_claims(v.found, SOM_CHECK_SELF_COLLISION));
    ck_assert_int_eq(v.found->coverage[SOM_CHECK_SELF_COLLISION].pairs_total, 1);
    test_verified_free(&v);
}
END_TEST

START_TEST(details_name_the_first_of_several_pairs_of_one_module) {
    TestVerified v = verify_joined("Arm", "fold");
    const SomFinding *found = test_find(&v, SOM_SELF_COLLISION);
    ck_assert_ptr_nonnull(found);
    ck_assert_msg(
        som_str_starts_with(found->details, SOM_STR("links 'a' and 'c' and others, deep")), "%.*s",
        SOM_STR_ARG(found->details));
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/joined_links", links_that_are_apart_at_zero_are_tested_like_any_others,
          links_that_slide_may_only_touch, nothing_is_claimed_where_no_pair_was_tested,
          parts_away_from_the_joint_are_tested, a_part_beside_the_hinge_may_be_as_deep_as_that,
          a_claim_names_links_that_overlap_at_their_joint,
          a_small_gap_at_a_hinge_counts_as_touching, links_that_come_apart_are_tested_from_there,
          links_that_carry_docked_faces_may_only_touch,
          details_name_the_first_of_several_pairs_of_one_module)
