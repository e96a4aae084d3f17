// SPDX-License-Identifier: Apache-2.0
// Tests for verify/coverage.c, and for what the checks claim.

#include "tests/verify/verified.h"

#include <math.h>

// Modules in a row on the ground: their types give efforts and speeds, but no strength of
// connectors.
#define ROW                                                                                        \
    "use \"smores.m3l\"\n"                                                                         \
    "config Row {\n"                                                                               \
    "    part m[3] : SMORES\n"                                                                     \
    "    connect m[i].B to m[i+1].T for i in 1..2\n"                                               \
    "    base m[1] on ground\n"                                                                    \
    "    behavior nod = m[3].bend to 20deg\n"                                                      \
    "    behavior drift = repeat forever: m[3].pan by 1deg\n"                                      \
    "}\n"

// "" if the check claims nothing.
static const char *claim(TestVerified *v, SomCheck check) {
    SomText *text = &v->design.text;
    som_text_clear(text);
    som_text_add(text, SOM_STR(""));
    if (som_verification_claims(v->found, check)) {
        som_verification_print_claim(v->found, check, text);
    }
    return text->data;
}

START_TEST(what_no_source_gives_is_not_claimed_and_leaves_the_verdict) {
    TestVerified v = test_verify(ROW, "", "nod");
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_SAFE);
    ck_assert_str_eq(claim(&v, SOM_CHECK_LOAD), "actuators hold");
    ck_assert_str_eq(claim(&v, SOM_CHECK_SLIP), ""); // on level ground nothing is looked at
    ck_assert_str_eq(
        claim(&v, SOM_CHECK_SELF_COLLISION),
        "no links collide at any time, except 'm[1].CircuitHolder' and "
        "'m[1].UHolderBody' (and 2 more pairs), whose parts at their joint are not tested");
    test_verified_free(&v);
}
END_TEST

START_TEST(coverage_counts_samples_and_pairs_of_each_check) {
    TestVerified v = test_verify(ROW, "", "nod");
    for (int i = 0; i < SOM_CHECKS; i++) {
        const SomCoverage *c = &v.found->coverage[i];
        bool is_void = i == SOM_CHECK_LOOP || i == SOM_CHECK_SLIP || i == SOM_CHECK_SECOND_OPINION;
        ck_assert_int_eq(c->samples_total, is_void ? 0 : v.found->sample_count);
        ck_assert_int_eq(c->samples, c->samples_total);
        ck_assert_int_eq(c->branches_total, is_void ? 0 : 1);
        ck_assert_int_eq(c->pairs, c->pairs_total);
        ck_assert((c->pairs_total > 0) == (i == SOM_CHECK_SELF_COLLISION));
    }
    test_verified_free(&v);
}
END_TEST

START_TEST(nothing_is_claimed_of_a_motion_that_was_not_looked_at_to_its_end) {
    SomVerifyOptions options = som_verify_default_options();
    options.most_time = 0.2;
    TestVerified v = test_verify_with(ROW, "", "drift", &options);
    ck_assert_int_eq(v.found->verdict, SOM_VERDICT_INCOMPLETE);
    for (int i = 0; i < SOM_CHECKS; i++) {
        ck_assert_str_eq(claim(&v, (SomCheck)i), "");
    }
    test_verified_free(&v);
}
END_TEST

START_TEST(nothing_is_claimed_of_postures_that_are_no_numbers) {
    TestVerified v = test_verify(ROW, "", NULL);
    SomPosture start = som_posture_start(v.configuration);
    start.values[0] = (double)NAN;
    som_verification_destroy(v.found);
    v.found = som_verify(&(SomVerifyDef){.mechanism = v.mechanism, .start = start.values});
    ck_assert_str_eq(claim(&v, SOM_CHECK_SELF_COLLISION), "");
    ck_assert_str_eq(claim(&v, SOM_CHECK_STABILITY), "");
    ck_assert_int_eq(v.found->coverage[SOM_CHECK_STABILITY].samples, 0);
    som_posture_free(&start);
    test_verified_free(&v);
}
END_TEST

START_TEST(what_was_skipped_is_printed_with_its_share) {
    SomText text = {0};
    SomSkipped skipped = {.check = SOM_CHECK_LOAD,
                          .is_unchecked = true,
                          .what = SOM_STR("samples"),
                          .count = 141,
                          .total = 143,
                          .reason = SOM_STR("the robot is not level")};
    som_skipped_print(&skipped, &text);
    ck_assert_str_eq(text.data, "loads not checked: 141 of 143 samples (the robot is not level)");
    som_text_clear(&text);
    skipped.count = skipped.total = 1;
    som_skipped_print(&skipped, &text);
    ck_assert_str_eq(text.data, "loads not checked: 1 of 1 sample (the robot is not level)");
    som_text_clear(&text);
    skipped = (SomSkipped){.is_unchecked = true,
                           .what = SOM_STR("what follows"),
                           .count = 1,
                           .reason = SOM_STR("long")};
    som_skipped_print(&skipped, &text);
    ck_assert_str_eq(text.data, "motion not checked: what follows (long)");
    som_text_free(&text);
}
END_TEST

// Where two pieces are lost at the same time, samples are left out once.
START_TEST(samples_that_two_pieces_leave_out_count_once) {
    static const char *const text =
        "use \"smores.m3l\"\n"
        "config Rel {\n"
        "    part m[4] : SMORES\n"
        "    connect m[i].B to m[i+1].T for i in 1..2\n"
        "    dock last: m[3].B to m[4].T closed\n"
        "    base m[1] on ground\n"
        "    behavior above = series(m[3].bend to 45deg, disconnect last timeout 1s, wait 500ms)\n"
        "    behavior flat = series(disconnect last timeout 1s, m[3].bend to 45deg,\n"
        "        m[3].bend to 0deg, connect last timeout 1s)\n"
        "}\n";
    for (int i = 0; i < 2; i++) {
        TestVerified v = test_verify(text, "", i == 0 ? "above" : "flat");
        for (int k = 0; k < SOM_CHECKS; k++) {
            const SomCoverage *c = &v.found->coverage[k];
            ck_assert(0 <= c->samples && c->samples <= c->samples_total);
        }
        const SomCoverage *c = &v.found->coverage[SOM_CHECK_SELF_COLLISION];
        ck_assert_int_eq(c->samples, i == 0 ? 33 : 7);
        ck_assert_int_eq(c->samples_total, i == 0 ? 83 : 65);
        test_verified_free(&v);
    }
}
END_TEST

SOM_SUITE("verify/coverage", what_no_source_gives_is_not_claimed_and_leaves_the_verdict,
          coverage_counts_samples_and_pairs_of_each_check,
          nothing_is_claimed_of_a_motion_that_was_not_looked_at_to_its_end,
          nothing_is_claimed_of_postures_that_are_no_numbers,
          samples_that_two_pieces_leave_out_count_once, what_was_skipped_is_printed_with_its_share)
