// SPDX-License-Identifier: Apache-2.0

#include "base/codes/verify_codes.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/ground_dips.h"

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
    ck_assert(v.found->verdict == SOM_VERDICT_UNSAFE);
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

// In the world it falls; what it stands like is judged as if it had been put down.
START_TEST(a_base_above_the_ground_is_a_fall) {
    static const char *const text = "use \"module.som\"\n"
                                    "config High {\n"
                                    "    part a : Module\n"
                                    "    base a at (0mm, 0mm, %dmm)%s\n"
                                    "    behavior nod = a.bend to 20deg\n"
                                    "}\n";
    static const int heights[] = {500, 49, 500};
    for (int i = 0; i < 3; i++) {
        SomText high = {0};
        som_text_printf(&high, text, heights[i], i == 2 ? " fixed" : "");
        TestVerified v = test_verify(high.data, "", "nod");
        const SomFinding *found = test_find(&v, SOM_START_ABOVE_GROUND);
        // not within 5 mm, nor of a fixed base
        ck_assert_int_eq(test_count_of(&v, SOM_START_ABOVE_GROUND), i == 0);
        if (found != NULL) {
            ck_assert_int_eq(found->severity, SOM_ERROR);
            ck_assert_int_eq(v.found->verdict, SOM_VERDICT_UNSAFE);
            ck_assert_double_eq_tol(found->value, 0.5 - 0.045275, 1e-9);
            ck_assert_str_eq(found->fix.data, "lower the base by 454.7 mm");
            ck_assert_str_eq(test_place(&v, found), "4:5");
        }
        test_verified_free(&v);
        som_text_free(&high);
    }
}
END_TEST

// It starts 5 mm below the ground, and goes down by more.
START_TEST(a_base_that_is_too_low_tells_the_deepest_of_the_motion) {
    TestVerified v = test_verify("use \"module.som\"\n"
                                 "config Low {\n"
                                 "    part a, b : Module\n"
                                 "    connect a.B to b.T\n"
                                 "    base a at (0mm, 0mm, 40mm)\n"
                                 "    behavior nod = series(a.bend to -20deg, a.bend to 0deg)\n"
                                 "}\n",
                                 "", "nod");
    const SomFinding *found = test_find(&v, SOM_GROUND_PENETRATION);
    ck_assert_msg(found != NULL && test_find(&v, SOM_BELOW_START_GROUND) == NULL, "%s",
                  test_findings(&v));
    ck_assert_double_le(found->value, lowest_end(0.25) + 0.04);
    ck_assert(found->t0 == 0 && 0.05 < found->worst && found->worst < found->t1);
    ck_assert_msg(som_str_starts_with(found->message, SOM_STR("Below ground: 'b' from 0 s to ")),
                  "%s", found->message.data);
    ck_assert_double_eq_tol(found->tolerance, 0.01 * -found->value, 1e-9);
    ck_assert(strstr(found->fix.data, "raise the base by 5.275 mm") != NULL);
    test_verified_free(&v);
}
END_TEST

// What is below the ground when a dock opens has not begun there.
START_TEST(a_dock_that_opens_does_not_make_the_robot_start_anew) {
    static const char *const bases[] = {"at (0mm, 0mm, 46mm)", "on ground"};
    for (int i = 0; i < 2; i++) {
        SomText text = {0};
        som_text_printf(&text,
                        "use \"smores.m3l\"\n"
                        "config Two {\n"
                        "    part a, b : SMORES\n"
                        "    dock d: a.B to b.T closed\n"
                        "    base a %s\n"
                        "    behavior nod = series(a.bend to -20deg, disconnect d timeout 2s,\n"
                        "        a.bend to -25deg)\n"
                        "}\n",
                        bases[i]);
        TestVerified v = test_verify(text.data, "", "nod");
        ck_assert_msg(test_find(&v, SOM_GROUND_PENETRATION) == NULL, "%s", test_findings(&v));
        ck_assert_msg(test_count_of(&v, SOM_BELOW_START_GROUND) == 2, "%s", test_findings(&v));
        test_verified_free(&v);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(without_a_height_the_robot_starts_on_the_ground) {
    const char *text = "use \"smores.m3l\"\nconfig A {\n    part m[3] : SMORES\n"
                       "    connect m[i].B to m[i+1].T for i in 1..2\n}\n";
    TestVerified v = test_verify(text, "", "m[2].bend to -30deg");
    ck_assert_ptr_null(test_find(&v, SOM_GROUND_PENETRATION));
    ck_assert_ptr_nonnull(test_find(&v, SOM_BELOW_START_GROUND));
    int listed = 0;
    for (int i = 0; i < v.found->skipped.count; i++) {
        listed += som_str_equal(v.found->skipped.data[i].what, SOM_STR("height of the base"));
    }
    ck_assert_int_eq(listed, 1);
    test_verified_free(&v);
    v = test_verify(text, "", "m[3].bend to 30deg");
    ck_assert(som_verification_claims(v.found, SOM_CHECK_GROUND));
    test_verified_free(&v);
}
END_TEST

// ---- steps

// A carriage of 0.2 m with an arm, a box of 0.1 m whose lower side is 0.45 m high, that slides
// along.
#define CARRIAGE                                                                                   \
    "module A: root=a\n"                                                                           \
    "link a: shape=box((0, 0, 0.05), (0.2, 0.2, 0.1)), mass=1kg, com=(0, 0, 0.05)\n"               \
    "link b: shape=box((0, 0, 0.5), (0.1, 0.1, 0.1)), mass=1kg, com=(0, 0, 0.5)\n"                 \
    "axis ab: origin=(0, 0, 0.5), direction=(1, 0, 0)\n"                                           \
    "axis aa: origin=(0, 0, 0.5), direction=(-1, 0, 0)\n"                                          \
    "joint arm: type=prismatic, value=[-1, 1], pair=((b, ab), (a, aa))\n"

// It goes out to the left and, to the right, into a step that begins at 0.3 m.
START_TEST(an_arm_goes_into_a_step_as_far_as_it_must_go_up_or_back) {
    PlacedRobot robot = place_module(CARRIAGE, som_vec3(0, 0, 0), som_vec3(0, 0, 0));
    SomPairs *pairs = som_pairs_create(robot.mechanism);
    const double times[] = {0, 1, 2}, values[] = {0, -0.5, 0.5};
    SomDipDef def = {.pairs = pairs,
                     .motion = {times, values, 3, 1},
                     .step_at = 0.3,
                     .tolerance = 1e-3,
                     .resolution = 1e-4};
    SomDips dips = {0};
    ck_assert(som_find_dips(&def, &dips));
    ck_assert_int_eq(dips.count, 0);
    const double steps[] = {0.44, 0.48, 0.7};
    for (int i = 0; i < 3; i++) {
        def.step = steps[i];
        dips.count = 0;
        ck_assert(som_find_dips(&def, &dips));
        ck_assert_int_eq(dips.count, i > 0);
        if (i > 0) {
            // its front is 0.25 m too far to the right in the end, at 1 m/s
            ck_assert_double_eq_tol(dips.data[0].depth, fmin(steps[i] - 0.45, 0.25), 1e-3);
            ck_assert_double_eq_tol(dips.data[0].t0, 1 + 0.5 + 0.25 + 0.001, 2e-4);
            ck_assert_double_eq_tol(dips.data[0].t1, 2, 1e-9);
            ck_assert_int_eq(dips.data[0].link, 1);
        }
    }
    // a step down: the ground on which it stands ends there
    def.step = -0.2;
    dips.count = 0;
    ck_assert(som_find_dips(&def, &dips));
    ck_assert_int_eq(dips.count, 0);
    def.height = 0.46;
    def.step_at = 0.05;
    ck_assert(som_find_dips(&def, &dips));
    ck_assert(dips.count == 2 && dips.data[1].link == 1);
    ck_assert_double_eq_tol(dips.data[1].depth, 0.01, 1e-4);
    som_array_free(&dips);
    som_pairs_destroy(pairs);
    placed_free(&robot);
}
END_TEST

START_TEST(a_robot_on_a_step_stands_on_it_and_one_in_it_is_told) {
    SomVerifyOptions options = som_verify_default_options();
    options.step = 0.01;
    TestVerified v = test_verify_with(nod, "", NULL, &options);
    ck_assert_msg(test_find(&v, SOM_GROUND_PENETRATION) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
    v = test_verify_with("use \"module.som\"\nconfig High {\n    part a : Module\n"
                         "    base a at (0mm, 0mm, 46mm)\n}\n",
                         "", NULL, &options);
    const SomFinding *found = test_find(&v, SOM_GROUND_PENETRATION);
    ck_assert_msg(found != NULL, "%s", test_findings(&v));
    ck_assert_double_eq_tol(found->value, 0.046 - 0.045275 - 0.01, 1e-4);
    ck_assert_ptr_nonnull(strstr(found->fix.data, "raise the base by 9.275 mm"));
    test_verified_free(&v);
    // a slope tilts ground and robot together
    options = som_verify_default_options();
    options.slope = 0.3;
    v = test_verify_with(nod, "", NULL, &options);
    ck_assert_msg(test_find(&v, SOM_GROUND_PENETRATION) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/ground", what_goes_below_the_ground_is_told,
          a_base_that_is_too_low_tells_the_deepest_of_the_motion,
          a_dock_that_opens_does_not_make_the_robot_start_anew,
          a_base_at_a_height_must_be_high_enough, a_base_above_the_ground_is_a_fall,
          without_a_height_the_robot_starts_on_the_ground,
          an_arm_goes_into_a_step_as_far_as_it_must_go_up_or_back,
          a_robot_on_a_step_stands_on_it_and_one_in_it_is_told)
