// SPDX-License-Identifier: Apache-2.0

#include "tests/verify/verified.h"

#include <math.h>

// Two modules in a row, the first on the ground; the second goes down and comes up again.
static const char nod[] = "use \"module.som\"\n"
                          "config Nod {\n"
                          "    part a, b : Module\n"
                          "    connect a.B to b.T\n"
                          "    base a on ground\n"
                          "    behavior nod(x: angle) = series(a.bend to x, a.bend to 0deg)\n"
                          "}\n";

// The lowest corner of the chain's end, below the ground, for a bend of the first module by x.
static double lowest_end(double x) {
    // the back plate of b: 0.1 + 0.04915 m from the axis, 0.04395 m below it
    return -(0.14915 * sin(x) + 0.04395 * cos(x));
}

START_TEST(what_goes_below_the_ground_is_told) {
    TestVerified v = test_verify(nod, "", "nod(-20deg)");
    const SomFinding *found = test_find(&v, SOM_BELOW_START_GROUND);
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(found->severity, SOM_NOTE);
    ck_assert(som_str_equal(found->subjects[0], SOM_STR("b.UHolderBody")));
    // the lowest that the joint came to, a little before 20 deg: within the tolerance of its action
    ck_assert_double_le(found->value, lowest_end(0.25) + 0.045275);
    ck_assert_double_ge(found->value, lowest_end(0.35) + 0.045275 - 1e-6);
    ck_assert(found->t0 > 0 && found->t0 < found->worst && found->worst < found->t1);
    ck_assert_str_eq(test_place(&v, found), "6:37");
    test_verified_free(&v);

    v = test_verify(nod, "", "nod(20deg)"); // up, but its wheels are round and stay as low
    ck_assert_msg(test_find(&v, SOM_BELOW_START_GROUND) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_base_at_a_height_must_be_high_enough) {
    TestVerified v = test_verify("use \"module.som\"\n"
                                 "config Low {\n"
                                 "    part a : Module\n"
                                 "    base a at (0mm, 0mm, 40mm)\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *found = test_find(&v, SOM_GROUND_PENETRATION);
    ck_assert_ptr_nonnull(found);
    ck_assert(!v.found->is_safe);
    ck_assert_double_eq_tol(found->value, 0.04 - 0.045275, 1e-9);
    ck_assert(strstr(found->fix.data, "raise the base by 5.275 mm") != NULL);
    ck_assert_str_eq(test_place(&v, found), "4:5");
    test_verified_free(&v);

    v = test_verify("use \"module.som\"\n"
                    "config High {\n"
                    "    part a : Module\n"
                    "    base a at (0mm, 0mm, 46mm)\n"
                    "}\n",
                    "", NULL);
    ck_assert_ptr_null(test_find(&v, SOM_GROUND_PENETRATION));
    test_verified_free(&v);
}
END_TEST

START_TEST(without_a_word_about_it_there_is_no_ground) {
    TestVerified v =
        test_verify("use \"module.som\"\nconfig A {\n    part a : Module\n}\n", "", NULL);
    ck_assert_ptr_null(test_find(&v, SOM_GROUND_PENETRATION));
    int skipped = 0;
    for (int i = 0; i < v.found->skipped.count; i++) {
        skipped +=
            som_str_equal(v.found->skipped.data[i].what, SOM_STR("heights above the ground"));
    }
    ck_assert_int_eq(skipped, 1);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/ground", what_goes_below_the_ground_is_told,
          a_base_at_a_height_must_be_high_enough, without_a_word_about_it_there_is_no_ground)
