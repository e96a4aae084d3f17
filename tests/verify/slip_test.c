// SPDX-License-Identifier: Apache-2.0
// Tests for verify/slip.c and verify/slip_check.c.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/slip.h"

#include <math.h>

// Four balls at the corners of a square of 2 m, of two links of their own friction.
#define CART(mu_a, mu_b)                                                                           \
    "module A: root=a\n"                                                                           \
    "link a: shape=(sphere((1, -1, 0), 0.1), sphere((1, 1, 0), 0.1)), mass=1kg,\n"                 \
    "    com=(1, 0, 0), friction=" mu_a "\n"                                                       \
    "link b: shape=(sphere((-1, -1, 0), 0.1), sphere((-1, 1, 0), 0.1)), mass=1kg,\n"               \
    "    com=(-1, 0, 0), friction=" mu_b "\n"                                                      \
    "axis ab: origin=(0, 0, 0), direction=(0, 1, 0)\n"                                             \
    "axis aa: origin=(0, 0, 0), direction=(0, -1, 0)\n"                                            \
    "joint hip: type=revolute, value=[-3, 3], pair=((b, ab), (a, aa))\n"

static double need_on(const char *m3l, SomTerrain terrain) {
    PlacedRobot robot = place_module(m3l, som_vec3(0, 0, 0), som_vec3(0, 0, 0));
    SomContactFinder *finder = som_contact_finder_create(robot.mechanism, &terrain, 1e-3);
    double need = som_slip_need(robot.mechanism, som_contact_finder_find(finder, robot.links),
                                som_mechanism_com(robot.mechanism, robot.links),
                                som_terrain_down(&terrain), 0.6);
    som_contact_finder_destroy(finder);
    placed_free(&robot);
    return need;
}

START_TEST(one_coefficient_needs_the_tangent_of_the_slope) {
    ck_assert_double_eq(need_on(CART("0.5", "0.5"), (SomTerrain){0}), 0);
    for (int i = 1; i < 10; i++) {
        SomTerrain terrain = {.slope = 0.1 * i, .direction = i};
        ck_assert_double_eq_tol(need_on(CART("0.5", "0.5"), terrain) / (tan(0.1 * i) / 0.5), 1,
                                2e-3);
    }
}
END_TEST

// Two wheels that slip: the others carry half of the weight and hold all of it.
START_TEST(rough_wheels_hold_for_slippery_ones) {
    SomTerrain terrain = {.slope = 0.2, .direction = SOM_PI / 2};
    // across the axle: each side holds its own half, since it cannot lean on the other
    double need = need_on(CART("0.5", "0.5"), terrain);
    ck_assert_double_eq_tol(need, tan(0.2) / 0.5, 2e-3);
    terrain.direction = 0;
    // along: the upper pair carries 1/2 - 0.1 tan(slope) / 2 of the weight, the lower one the rest
    double share = 0.5 - 0.05 * tan(0.2);
    need = need_on(CART("1", "0"), terrain);
    ck_assert_double_eq_tol(need, tan(0.2) / share, 5e-3);
    ck_assert(isinf(need_on(CART("0", "0"), terrain)));
}
END_TEST

START_TEST(steep_slopes_are_a_warning) {
    const char *text = "use \"walkbot.som\"\nconfig A { part w : Walkbot; "
                       "pose p { w.stand }; start p }";
    SomVerifyOptions options = som_verify_default_options();
    options.slope = 0.2; // tan is 0.203, the soles have 0.35
    TestVerified v = test_verify_with(text, "", NULL, &options);
    ck_assert_ptr_null(test_find(&v, SOM_SLIP_RISK));
    test_verified_free(&v);
    options.slope = 0.4;
    v = test_verify_with(text, "", NULL, &options);
    const SomFinding *f = test_find(&v, SOM_SLIP_RISK);
    ck_assert_ptr_nonnull(f);
    ck_assert_double_eq_tol(f->value, tan(0.4) / 0.35, 5e-3);
    ck_assert(f->severity == SOM_WARNING && f->subject_count == 4);
    test_verified_free(&v);
}
END_TEST

START_TEST(every_sample_is_checked_and_level_ground_claims_nothing) {
    const char *text = "use \"smores.m3l\"\nconfig A {\n    part a : SMORES\n"
                       "    base a on ground turned (90deg, 0deg, 0deg)\n}\n";
    SomVerifyOptions options = som_verify_default_options();
    for (int i = 0; i < 2; i++) {
        options.slope = i == 0 ? 0 : 0.1;
        TestVerified v = test_verify_with(text, "", "wait 4s", &options);
        ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
        ck_assert_int_eq(som_verification_claims(v.found, SOM_CHECK_SLIP), i == 1);
        test_verified_free(&v);
    }
}
END_TEST

START_TEST(samples_in_which_it_falls_are_not_checked) {
    const char *text =
        "use \"walkbot.som\"\nconfig A { part w : Walkbot; pose p { w.stand }; start p\n"
        "    behavior kneel = parallel(w.front_left.middle.bend to 80deg,\n"
        "        w.rear_left.middle.bend to 80deg) }\n";
    SomVerifyOptions options = som_verify_default_options();
    options.slope = 0.02;
    TestVerified v = test_verify_with(text, "", "kneel", &options);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_UNSAFE, "%s", test_findings(&v));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_SLIP));
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_LOAD));
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/slip", one_coefficient_needs_the_tangent_of_the_slope,
          rough_wheels_hold_for_slippery_ones, steep_slopes_are_a_warning,
          every_sample_is_checked_and_level_ground_claims_nothing,
          samples_in_which_it_falls_are_not_checked)
