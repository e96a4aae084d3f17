// SPDX-License-Identifier: Apache-2.0
// Tests for verify/stability.c and stability_check.c.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/stability.h"

#include <math.h>

#define WALKBOT                                                                                    \
    "use \"walkbot.som\"\n"                                                                        \
    "config A {\n"                                                                                 \
    "    part w : Walkbot\n"                                                                       \
    "    pose p { w.stand }\n"                                                                     \
    "    start p\n"                                                                                \
    "    behavior kneel(a: angle) = parallel(\n"                                                   \
    "        w.front_left.middle.bend to a, w.rear_left.middle.bend to a)\n"                       \
    "}\n"

// ---- the rule

// A mast with a weight on an arm that slides: the base is 0.2 m wide, the weight 9 of 10 kg, so the
// centre leaves the base at 1/9 m.
#define MAST                                                                                       \
    "module A: root=a\n"                                                                           \
    "link a: shape=box((0, 0, 0.05), (0.2, 0.2, 0.1)), mass=1kg, com=(0, 0, 0.05)\n"               \
    "link b: shape=box((0, 0, 0.5), (0.1, 0.1, 0.1)), mass=9kg, com=(0, 0, 0.5)\n"                 \
    "axis ab: origin=(0, 0, 0.5), direction=(1, 0, 0)\n"                                           \
    "axis aa: origin=(0, 0, 0.5), direction=(-1, 0, 0)\n"                                          \
    "joint arm: type=prismatic, value=[-1, 1], pair=((b, ab), (a, aa))\n"

typedef struct Mast {
    PlacedRobot robot;
    SomStanding *standing;
} Mast;

static Mast raise_mast(void) {
    Mast mast = {.robot = place_module(MAST, som_vec3(0, 0, 0), som_vec3(0, 0, 0))};
    mast.standing = som_standing_create(mast.robot.mechanism, NULL, 1e-3);
    return mast;
}

static void fell_mast(Mast *mast) {
    som_standing_destroy(mast->standing);
    placed_free(&mast->robot);
}

START_TEST(the_margin_of_a_mast_follows_its_weight) {
    Mast mast = raise_mast();
    for (int i = -10; i <= 10; i++) {
        double x = i * 0.03;
        SomStance stance = som_standing_measure(mast.standing, &x);
        ck_assert_double_eq_tol(stance.support.margin, 0.1 - 0.9 * fabs(x), 1e-9);
        ck_assert(i == 0 || stance.support.direction.x * i > 0);
    }
    fell_mast(&mast);
}
END_TEST

START_TEST(runs_longer_than_t_max_and_runs_at_the_end_are_falls) {
    Mast mast = raise_mast();
    // out for 2 samples, for 3, and for one at the end
    double values[20] = {0};
    values[3] = values[4] = -0.3;
    values[8] = 0.2, values[9] = 0.3, values[10] = 0.25;
    values[19] = 0.2;
    SomMotionSamples motion = {values, 20, 0.1, 0, 0, 0, false};
    // 3 * 0.1 is not more than 0.3, but more than 0.2: the rule is strict
    const double limits[] = {0.3, 0.2, 0.15, 0};
    const int falls[] = {0, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        SomStability *found = som_stability_measure(mast.standing, &motion, limits[k]);
        ck_assert_int_eq(found->run_count, 3);
        ck_assert(found->runs[0].first == 3 && found->runs[0].last == 4);
        ck_assert(found->runs[1].first == 8 && found->runs[1].last == 10);
        ck_assert_int_eq(found->runs[1].worst, 9);
        ck_assert_double_eq_tol(found->runs[1].margin, 0.1 - 0.27, 1e-9);
        int count = 0;
        for (int i = 0; i < 3; i++) {
            count += found->runs[i].is_fall;
            ck_assert_int_eq(found->runs[i].is_at_end, i == 2);
        }
        ck_assert_int_eq(count, falls[k]);
        ck_assert((found->lowest == 3 || found->lowest == 9) && found->unknown == 0);
        som_stability_destroy(found);
    }
    fell_mast(&mast);
}
END_TEST

START_TEST(what_is_not_known_does_not_stand) {
    Mast mast = raise_mast();
    double values[] = {0, (double)NAN, (double)INFINITY, 0};
    SomMotionSamples motion = {values, 4, 0.1, 0, 0, 0, false};
    SomStability *found = som_stability_measure(mast.standing, &motion, 0.1);
    ck_assert_int_eq(found->unknown, 2);
    ck_assert_int_eq(found->run_count, 1);
    ck_assert(found->runs[0].is_fall && isnan(found->runs[0].margin));
    som_stability_destroy(found);
    fell_mast(&mast);
}
END_TEST

// ---- rocking

START_TEST(a_module_on_two_wheels_rocks_onto_its_front) {
    PlacedRobot robot = place_text("use \"module.som\"\nconfig A is SMORES {}", "A");
    SomStanding *standing = som_standing_create(robot.mechanism, NULL, 1e-4);
    SomStance stance = som_standing_measure(standing, robot.posture.values);
    ck_assert_double_lt(stance.support.margin, 0);
    SomRest rock = som_standing_settle(standing, robot.posture.values, 5 * SOM_PI / 180);
    // wheels are 45.275 mm high, the front disc is 42 mm, 49 mm before them: 3.8 degrees
    ck_assert(rock.does_rest);
    ck_assert_double_eq_tol(rock.angle, 3.8 * SOM_PI / 180, 0.2 * SOM_PI / 180);
    ck_assert_str_eq(robot.mechanism->links[rock.link].path.data, "FrontWheel");
    som_standing_destroy(standing);
    placed_free(&robot);
}
END_TEST

START_TEST(a_mast_that_leans_out_does_not_rock) {
    Mast mast = raise_mast();
    double out = 0.5;
    SomRest rock = som_standing_settle(mast.standing, &out, 5 * SOM_PI / 180);
    ck_assert(!rock.does_rest);
    fell_mast(&mast);
}
END_TEST

// ---- findings

START_TEST(the_walker_stands_and_walks) {
    TestVerified v = test_verify(WALKBOT, "", NULL);
    ck_assert_int_eq(test_count_of(&v, SOM_UNSTABLE), 0);
    ck_assert_double_eq_tol(v.found->margin_centres, 0.1, 1e-6);
    ck_assert_double_eq_tol(v.found->min_margin, 0.14585, 1e-6);
    ck_assert(isnan(v.found->min_margin_time));
    test_verified_free(&v);
    v = test_verify(WALKBOT, "", "w.walk");
    ck_assert_msg(test_count_of(&v, SOM_FALLS) == 0 && test_count_of(&v, SOM_UNSTABLE_END) == 0,
                  "%s", test_findings(&v));
    ck_assert_double_gt(v.found->min_margin, 0.01); // on two feet across from each other
    test_verified_free(&v);
}
END_TEST

START_TEST(a_walker_that_kneels_too_long_falls_with_time_place_and_repair) {
    // its left side sinks until it leans by more than 20 degrees
    TestVerified v = test_verify(WALKBOT, "", "kneel(80deg)");
    ck_assert_int_eq(test_count_of(&v, SOM_ROCKS), 1);
    const SomFinding *f = test_find(&v, SOM_UNSTABLE_END);
    ck_assert_msg(f != NULL && v.found->verdict == SOM_VERDICT_UNSAFE, "%s", test_findings(&v));
    ck_assert(f->t0 > 0.5 && f->t1 == v.found->times[v.found->sample_count - 1]);
    ck_assert_str_eq(f->fix.data, "keep 'w.rear_left.middle.bend' at or below 77 deg");
    ck_assert_int_ne(f->action, SOM_NONE);
    test_verified_free(&v);
    v = test_verify(WALKBOT, "", "kneel(70deg)");
    ck_assert_msg(v.found->verdict != SOM_VERDICT_UNSAFE && v.found->min_margin > 0.05, "%s",
                  test_findings(&v));
    test_verified_free(&v);

    // with its base as it is put down it is out of balance: the rule of the paper
    SomVerifyOptions options = som_verify_default_options();
    options.rocking = 0;
    v = test_verify_with(WALKBOT, "", "kneel(80deg)", &options);
    ck_assert_int_eq(test_count_of(&v, SOM_FALLS), 2);
    ck_assert_int_eq(test_count_of(&v, SOM_ROCKS), 0);
    for (int i = 0; i < v.found->findings.count; i++) {
        f = v.found->findings.data[i].code == SOM_FALLS ? &v.found->findings.data[i] : f;
    }
    ck_assert(f->t0 > 0 && f->t1 == v.found->times[v.found->sample_count - 1]);
    ck_assert(f->value < 0 && f->worst >= f->t0 && f->worst <= f->t1);
    ck_assert_int_ge(f->subject_count, 1);
    ck_assert_ptr_nonnull(
        strstr(f->message.data, "out of balance for too long: the centre of mass is"));
    ck_assert_ptr_nonnull(strstr(f->message.data, " on"));
    ck_assert_int_ne(f->action, SOM_NONE);
    test_verified_free(&v);

    // one foot pushed down lifts the others, but not far
    v = test_verify(WALKBOT, "", "w.front_left.tail.bend to 40deg");
    ck_assert_msg(test_find(&v, SOM_FALLS) == NULL && test_find(&v, SOM_ROCKS) != NULL, "%s",
                  test_findings(&v));
    test_verified_free(&v);

    // all four legs bent alike stand
    v = test_verify(WALKBOT, "", "w.legs(0deg, 30deg, 0deg, 30deg)");
    ck_assert_msg(test_find(&v, SOM_FALLS) == NULL && test_find(&v, SOM_UNSTABLE_END) == NULL, "%s",
                  test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_posture_that_tips_over_names_its_edge) {
    // the paper's Fig. 9: two legs reversed
    TestVerified v = test_verify("use \"chain3.som\"\n"
                                 "config A {\n"
                                 "    part body[5] : Module\n"
                                 "    part fl, fr, rl, rr : Chain3\n"
                                 "    connect body[i].B to body[i+1].T for i in 1..4\n"
                                 "    connect fl.head.L to body[2].L at 270deg\n"
                                 "    connect fr.head.R to body[2].R at 90deg\n"
                                 "    connect rl.head.L to body[5].L at 90deg\n"
                                 "    connect rr.head.R to body[5].R at 270deg\n"
                                 "    pose stand { fl.leg; fr.leg; rl.leg; rr.leg }\n"
                                 "    start stand\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *f = test_find(&v, SOM_UNSTABLE);
    ck_assert_msg(f != NULL, "%s", test_findings(&v));
    ck_assert(isnan(f->t0) && isnan(f->worst));
    ck_assert_int_eq(f->subject_count, 2);
    ck_assert_ptr_nonnull(strstr(f->message.data, "outside the edge from"));
    ck_assert_ptr_nonnull(strstr(f->message.data, "'fl.tail'"));
    ck_assert_ptr_nonnull(strstr(f->message.data, "'fr.tail'"));
    ck_assert_double_eq_tol(v.found->margin_centres, -0.135294, 1e-6);
    test_verified_free(&v);
}
END_TEST

START_TEST(small_margins_and_slopes_are_told) {
    SomVerifyOptions options = som_verify_default_options();
    options.margin = 0.2;
    TestVerified v = test_verify_with(WALKBOT, "", NULL, &options);
    const SomFinding *f = test_find(&v, SOM_SMALL_MARGIN);
    ck_assert(f != NULL && f->severity == SOM_WARNING && v.found->verdict == SOM_VERDICT_SAFE);
    ck_assert_double_eq_tol(f->value, 0.14585, 1e-6);
    test_verified_free(&v);
    options = som_verify_default_options();
    options.slope = 1;
    v = test_verify_with(WALKBOT, "", NULL, &options);
    ck_assert_ptr_nonnull(test_find(&v, SOM_UNSTABLE));
    test_verified_free(&v);
}
END_TEST

static bool does_fall(const TestVerified *v) {
    return test_find(v, SOM_FALLS) != NULL || test_find(v, SOM_UNSTABLE_END) != NULL;
}

// What lies on the ground does not fall, whatever its base does: it is turned little by little, or
// rolls on its side.
START_TEST(snakes_and_cars_that_move_do_not_fall) {
    static const char ring[] =
        "use \"module.som\"\n"
        "config A {\n"
        "    part m[6] : Module\n"
        "    connect m[i].B to m[i+1].T for i in 1..5\n"
        "    dock ends: m[6].B to m[1].T open\n"
        "    behavior bend(a: angle) = parallel(for i in 1..6: m[i].tilt to a within 1deg)\n"
        "    behavior curlAndBack = series(bend(360deg/6), connect ends timeout 5s, wait 2s,\n"
        "        disconnect ends timeout 5s, bend(0deg))\n"
        "}\n";
    static const char *const moves[][2] = {
        {"use \"snake.som\"\nconfig A { part s : Snake(n = 2) }", "s.nSnakeSineGait"},
        {"use \"snake.som\"\nconfig A { part s : Snake(n = 3) }", "s.nSnakeSineGait"},
        {"use \"chain3.som\"\nconfig A { part c : Chain3 }", "c.sineGait"},
        {"use \"chain3.som\"\nconfig A { part c : Chain3 }", "c.steeringPose"},
        {"use \"chain6.som\"\nconfig A { part c : Chain6 }", "c.turn"},
        {ring, "curlAndBack"},
        {"use \"car.som\"\nconfig A { part c : Car }", "c.spine.steer(30deg)"}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        TestVerified v = test_verify(moves[i][0], "", moves[i][1]);
        ck_assert_msg(!does_fall(&v), "%s: %s", moves[i][1], test_findings(&v));
        test_verified_free(&v);
    }
}
END_TEST

// The same motions with a base that never turns, by the rule of the paper.
START_TEST(by_the_strict_rule_what_is_out_of_balance_for_long_falls) {
    static const char *const chain = "use \"chain3.som\"\nconfig A { part c : Chain3 }";
    SomVerifyOptions options = som_verify_default_options();
    options.rocking = options.rolling = 0;
    TestVerified v = test_verify_with(chain, "", "c.steeringPose", &options);
    const SomFinding *f = test_find(&v, SOM_FALLS);
    ck_assert_msg(f != NULL && test_find(&v, SOM_ROCKS) == NULL, "%s", test_findings(&v));
    ck_assert_double_eq_tol(f->t0, 0.01, 1e-9);
    test_verified_free(&v);
    // longer than it lasts
    options.t_max = 1;
    v = test_verify_with(chain, "", "c.steeringPose", &options);
    ck_assert_msg(!does_fall(&v), "%s", test_findings(&v));
    test_verified_free(&v);
    // it rolls by some 40 degrees at once in the end
    options = som_verify_default_options();
    options.rolling = 30 * SOM_PI / 180;
    v = test_verify_with(chain, "", "c.steeringPose", &options);
    ck_assert_ptr_nonnull(test_find(&v, SOM_UNSTABLE_END));
    test_verified_free(&v);
}
END_TEST

// What a robot does in between is looked at where samples are far apart.
START_TEST(coarse_samples_do_not_make_falls) {
    SomVerifyOptions options = som_verify_default_options();
    options.dt = 0.1;
    TestVerified v = test_verify_with("use \"snake.som\"\nconfig A { part s : Snake(n = 2) }", "",
                                      "s.nSnakeSineGait", &options);
    ck_assert_msg(!does_fall(&v), "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// Samples may be asked for in any order.
START_TEST(a_motion_is_followed_whatever_is_asked_first) {
    TestVerified v =
        test_verify("use \"chain3.som\"\nconfig A { part c : Chain3 }", "", "c.sineGait");
    SomPrediction played = {0};
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = v.mechanism, .graph = v.graph, .motion = &played});
    SomMotionSamples motion = {
        played.positions.data, played.times.count, 0.01, 0.1, 0.8, 0.4, false};
    SomStanding *ordered = som_standing_create(v.mechanism, NULL, 1e-3);
    SomStanding *other = som_standing_create(v.mechanism, NULL, 1e-3);
    som_standing_follow(ordered, &motion);
    som_standing_follow(other, &motion);
    som_standing_measure_sample(other, motion.count - 1);
    for (int i = 0; i < motion.count; i++) {
        double margin = som_standing_measure_sample(ordered, i).support.margin;
        double again = som_standing_measure_sample(other, i).support.margin;
        ck_assert_double_eq(margin, again);
        ck_assert_double_ge(margin, -SOM_STANDING_SLACK);
        ck_assert_double_eq(som_standing_base_lean(ordered, i), som_standing_base_lean(other, i));
    }
    ck_assert_double_gt(som_standing_base_lean(ordered, motion.count - 1), 0.01);
    som_standing_destroy(ordered);
    som_standing_destroy(other);
    som_prediction_free(&played);
    som_verification_destroy(found);
    test_verified_free(&v);
}
END_TEST

// A tower that leans over its edge tips by itself, and late.
START_TEST(a_tower_that_leans_too_far_falls_when_it_does) {
    TestVerified v =
        test_verify("use \"smores.m3l\"\n"
                    "config A {\n"
                    "    part m[5] : SMORES\n"
                    "    connect m[i].B to m[i+1].T for i in 1..4\n"
                    "    base m[1] on ground turned (90deg, 0deg, 0deg)\n"
                    "    behavior bow = series(wait 1s, m[2].bend to 80deg at 40deg/s)\n"
                    "}\n",
                    "", "bow");
    const SomFinding *f = test_find(&v, SOM_FALLS);
    ck_assert_msg(f != NULL, "%s", test_findings(&v));
    ck_assert_double_gt(f->t0, 1.1);
    ck_assert_str_eq(f->fix.data, "keep 'm[2].bend' at or below 20 deg");
    test_verified_free(&v);
}
END_TEST

// It rests, but leans: that is why it does not stand, and its margin is that at rest.
START_TEST(what_leans_too_far_is_told_so_with_its_angle) {
    static const char text[] =
        "use \"smores.m3l\"\n"
        "config Tall {\n"
        "    part m[4] : SMORES\n"
        "    connect m[i].B to m[i+1].T for i in 1..3\n"
        "    base m[1] on ground turned (-90deg, 0deg, 0deg)\n"
        "    behavior late = series(wait 1s, m[2].bend to 30deg, m[3].bend to 60deg)\n"
        "}\n";
    TestVerified v = test_verify(text, "", "late");
    const SomFinding *f = test_find(&v, SOM_FALLS);
    ck_assert_msg(f != NULL, "%s", test_findings(&v));
    ck_assert_double_eq_tol(f->t0, 1.34, 1e-9);
    ck_assert_int_eq(f->dimension, SOM_DIMENSION_ANGLE);
    ck_assert_double_gt(f->value, f->limit);
    ck_assert_double_eq(f->limit, som_verify_default_options().lean);
    ck_assert_ptr_nonnull(strstr(f->message.data, "it leans by 24.5 deg from 1.34 s on"));
    ck_assert_ptr_null(strstr(f->message.data, "outside"));
    ck_assert_str_eq(f->fix.data, "keep 'm[3].bend' at or below 20 deg");
    // the warning is of the base while the robot stands
    const SomFinding *base = test_find(&v, SOM_ROCKS);
    ck_assert(base != NULL && base->t1 < f->t0);
    ck_assert_double_eq_tol(base->value, 49 * SOM_PI / 180, 0.01);
    const SomSeries *margins = NULL;
    for (int i = 0; i < v.found->series.count; i++) {
        bool is_it = som_str_equal(v.found->series.data[i].name, SOM_STR("stability margin"));
        margins = is_it ? &v.found->series.data[i] : margins;
    }
    ck_assert_ptr_nonnull(margins);
    ck_assert_double_ge(margins->values[134], 0);
    test_verified_free(&v);
    // it may lean farther: then it falls later, or not at all
    SomVerifyOptions options = som_verify_default_options();
    options.lean = 30 * SOM_PI / 180;
    v = test_verify_with(text, "", "late", &options);
    f = test_find(&v, SOM_FALLS);
    ck_assert_msg(f == NULL || f->t0 > 1.345, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// One point of contact, right below the centre of mass, and next to it by less than can be told.
START_TEST(what_balances_on_a_point_is_a_warning) {
    SomText path = {0};
    som_text_printf(&path, "%s/../tests/verify/balancing.som", test_library);
    static const char *const behaviors[] = {NULL, "sway"};
    for (int i = 0; i < 2; i++) {
        TestVerified v = test_verify_file(path.data, "", behaviors[i]);
        const SomFinding *f = test_find(&v, SOM_SMALL_MARGIN);
        // contacts on one point cannot hold it up exactly, so its loads are not known
        ck_assert_msg(f != NULL && v.found->verdict != SOM_VERDICT_UNSAFE, "%s", test_findings(&v));
        ck_assert_ptr_nonnull(strstr(f->message.data, "balances on the point on which 'm[1]'"));
        ck_assert_double_eq(f->value, 0);
        ck_assert_double_eq(v.found->min_margin, 0);
        test_verified_free(&v);
    }
    som_text_free(&path);
}
END_TEST

START_TEST(rocking_from_the_start_is_a_warning) {
    TestVerified v = test_verify("use \"module.som\"\nconfig A is SMORES {\n"
                                 "    behavior roll = parallel(left spin 1rad/s during 1s,\n"
                                 "        right spin 1rad/s during 1s)\n}\n",
                                 "", "roll");
    const SomFinding *f = test_find(&v, SOM_ROCKS);
    ck_assert_msg(f != NULL && v.found->verdict != SOM_VERDICT_UNSAFE, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(strstr(f->message.data, "its base leans by up to"));
    test_verified_free(&v);
}
END_TEST

// It would tip by 29.5 degrees as it is put down: only what moves may roll so far.
START_TEST(what_does_not_move_may_tip_no_farther_than_a_configuration) {
    static const char text[] = "use \"smores.m3l\"\n"
                               "config R {\n"
                               "    part m[3] : SMORES\n"
                               "    connect m[1].R to m[2].R at 180deg\n"
                               "    connect m[1].L to m[3].R at 90deg\n"
                               "    base m[1] on ground\n"
                               "    pose p { m[1].bend = -60deg; m[2].bend = -60deg }\n"
                               "    start p\n"
                               "}\n";
    static const char *const still[] = {"hold", "wait 500ms",
                                        "series(wait 300ms, m[3].tilt to 5deg)"};
    TestVerified v = test_verify(text, "", NULL);
    ck_assert_int_eq(test_count_of(&v, SOM_UNSTABLE), 1);
    test_verified_free(&v);
    for (int i = 0; i < 3; i++) {
        v = test_verify(text, "", still[i]);
        ck_assert_int_eq(v.found->verdict, SOM_VERDICT_UNSAFE);
        ck_assert_int_eq(test_count_of(&v, i == 0 ? SOM_UNSTABLE_END : SOM_FALLS), 1);
        test_verified_free(&v);
    }
    v = test_verify(text, "", "m[3].tilt to 45deg");
    ck_assert_int_ne(v.found->verdict, SOM_VERDICT_UNSAFE);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/stability", what_does_not_move_may_tip_no_farther_than_a_configuration,
          the_margin_of_a_mast_follows_its_weight,
          runs_longer_than_t_max_and_runs_at_the_end_are_falls, what_is_not_known_does_not_stand,
          a_module_on_two_wheels_rocks_onto_its_front, a_mast_that_leans_out_does_not_rock,
          the_walker_stands_and_walks,
          a_walker_that_kneels_too_long_falls_with_time_place_and_repair,
          a_posture_that_tips_over_names_its_edge, small_margins_and_slopes_are_told,
          snakes_and_cars_that_move_do_not_fall,
          by_the_strict_rule_what_is_out_of_balance_for_long_falls,
          coarse_samples_do_not_make_falls, a_motion_is_followed_whatever_is_asked_first,
          a_tower_that_leans_too_far_falls_when_it_does, what_balances_on_a_point_is_a_warning,
          what_leans_too_far_is_told_so_with_its_angle, rocking_from_the_start_is_a_warning)
