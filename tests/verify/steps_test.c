// SPDX-License-Identifier: Apache-2.0
// Robots that come to rest on a step of the ground: tests for verify/settling.c.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/stability.h"

#include <math.h>

// A table on four balls, 0.2 m apart, with its centre of mass 0.1 m above theirs.
#define TABLE                                                                                      \
    "module A: root=a\n"                                                                           \
    "link a: mass=1kg, com=(0, 0, 0.12), shape=(\n"                                                \
    "    sphere((0.1, 0.1, 0.02), 0.02), sphere((0.1, -0.1, 0.02), 0.02),\n"                       \
    "    sphere((-0.1, 0.1, 0.02), 0.02), sphere((-0.1, -0.1, 0.02), 0.02))\n"

typedef struct Stand {
    PlacedRobot robot;
    SomStanding *standing;
} Stand;

static Stand stand_on(const char *m3l, double height, double at) {
    SomTerrain terrain = {.steps = {{at, height}}, .step_count = 1};
    Stand s = {.robot = place_module(m3l, som_vec3(0, 0, 0), som_vec3(0, 0, 0))};
    s.standing = som_standing_create(s.robot.mechanism, &terrain, 1e-5);
    return s;
}

static void stand_free(Stand *s) {
    som_standing_destroy(s->standing);
    placed_free(&s->robot);
}

static SomStance rest(Stand *s, double rocking) {
    static const double none = 0;
    SomMotionSamples motion = {&none, 1, 0.01, rocking, 0, 1, false};
    som_standing_follow(s->standing, &motion);
    return som_standing_measure_sample(s->standing, 0);
}

// Two feet on the step: it tips until the others touch, as steep as the step over the distance.
START_TEST(a_table_rests_on_a_step_as_it_leans) {
    for (int i = 1; i <= 8; i++) {
        double height = 4e-3 * i, lean = som_asin(height / 0.2);
        Stand s = stand_on(TABLE, height, i % 2 == 0 ? 0.03 : -0.05);
        SomStance stance = rest(&s, 20 * SOM_PI / 180);
        ck_assert(stance.stands && !stance.is_blocked);
        ck_assert_double_eq_tol(som_standing_base_lean(s.standing, 0), lean, 2e-4);
        ck_assert_double_eq_tol(stance.support.margin, 0.1 * cos(lean) - 0.1 * sin(lean), 2e-4);
        // it may not tip so far
        stance = rest(&s, 0.9 * lean);
        ck_assert(!stance.stands && stance.support.margin < 0);
        stand_free(&s);
    }
}
END_TEST

START_TEST(a_table_falls_down_a_high_step) {
    Stand s = stand_on(TABLE, 0.3, 0.05);
    SomStance stance = rest(&s, 20 * SOM_PI / 180);
    ck_assert(!stance.stands);
    stand_free(&s);
}
END_TEST

// A post below the table that swings against the step as it tips: it is neither lifted onto it nor
// said to fall.
#define POST                                                                                       \
    "module A: root=a\n"                                                                           \
    "link a: mass=1kg, com=(0, 0, 0.12), shape=(\n"                                                \
    "    sphere((0.1, 0.1, 0.02), 0.02), sphere((0.1, -0.1, 0.02), 0.02),\n"                       \
    "    sphere((-0.1, 0.1, 0.02), 0.02), sphere((-0.1, -0.1, 0.02), 0.02),\n"                     \
    "    box((0.06, 0, -0.02), (0.02, 0.02, 0.036)))\n"

START_TEST(what_tips_against_the_side_of_a_step_is_not_predicted) {
    Stand s = stand_on(POST, 0.04, 0.0701);
    SomStance stance = rest(&s, 20 * SOM_PI / 180);
    ck_assert(stance.is_blocked && !stance.stands);
    SomVerifyOptions options = som_verify_default_options();
    options.step = 0.04;
    options.step_at = 0.0701;
    options.rocking = 20 * SOM_PI / 180;
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = s.robot.mechanism, .options = &options});
    ck_assert_int_eq(found->verdict, SOM_VERDICT_INCOMPLETE);
    bool is_told = false;
    for (int i = 0; i < found->skipped.count; i++) {
        is_told = is_told || strstr(found->skipped.data[i].reason.data, "side of a step") != NULL;
    }
    ck_assert(is_told);
    som_verification_destroy(found);
    stand_free(&s);
}
END_TEST

START_TEST(a_car_drives_beside_a_step_with_its_loads_checked) {
    SomVerifyOptions options = som_verify_default_options();
    options.step = 0.02;
    options.step_at = 0.1;
    TestVerified v = test_verify_file_with("car.som", "", "wheels(90deg/s, 90deg/s, 1s)", &options);
    ck_assert_msg(v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(test_find(&v, SOM_ROCKS));
    const SomCoverage *loads = &v.found->coverage[SOM_CHECK_LOAD];
    ck_assert(loads->samples > 100 && loads->samples == loads->samples_total);
    test_verified_free(&v);
}
END_TEST

// All of the robot is on the upper level: that is level ground.
START_TEST(far_behind_a_step_it_is_as_on_level_ground) {
    static const char *const behaviors[][2] = {{"car.som", "spine.steer(30deg)"},
                                               {"chain3.som", "sineGait"},
                                               {"module.som", "tiltMiddle(40deg)"},
                                               {"walkbot.som", "legs(0deg, 30deg, 0deg, 30deg)"}};
    for (int i = 0; i < 4; i++) {
        SomVerifyOptions options = som_verify_default_options();
        TestVerified level = test_verify_file_with(behaviors[i][0], "", behaviors[i][1], &options);
        options.step = 0.02;
        options.step_at = -50;
        TestVerified v = test_verify_file_with(behaviors[i][0], "", behaviors[i][1], &options);
        ck_assert_msg(v.found->verdict == level.found->verdict, "%s: %s", behaviors[i][1],
                      test_findings(&v));
        ck_assert_double_eq_tol(v.found->min_margin, level.found->min_margin, 2e-3);
        test_verified_free(&v);
        test_verified_free(&level);
    }
}
END_TEST

SOM_SUITE("verify/steps", a_table_rests_on_a_step_as_it_leans, a_table_falls_down_a_high_step,
          what_tips_against_the_side_of_a_step_is_not_predicted,
          a_car_drives_beside_a_step_with_its_loads_checked,
          far_behind_a_step_it_is_as_on_level_ground)
