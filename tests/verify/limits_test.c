// SPDX-License-Identifier: Apache-2.0
// Tests for verify/limits.c.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "tests/verify/verified.h"

#include <math.h>

#define DEG (SOM_PI / 180)

static const char *const one =
    "use \"smores.m3l\"\n"
    "config One is SMORES {\n"
    "    behavior far = series(wait 200ms, tilt to 120deg timeout 1s)\n"
    "    behavior quick = left spin 200deg/s during 100ms\n"
    "    behavior hasty = bend to 45deg at 3rad/s\n"
    "    behavior calm = parallel(left spin 2.4rad/s during 100ms, bend to 45deg at 1rad/s)\n"
    "    behavior course = bend follow [0s: 0deg, 100ms: 40deg, 1s: 95deg] during 1s\n"
    "    behavior against = bend spin 90deg/s during 1500ms\n"
    "    behavior both_ways = series(bend spin 90deg/s during 1200ms, bend spin -90deg/s during "
    "3s)\n"
    "    behavior waiting = repeat 2: series(bend spin 90deg/s during 1s, wait 500ms,\n"
    "        bend to 0deg within 0.001deg)\n"
    "    behavior until_there = bend spin 90deg/s until position(bend) > 80deg timeout 5s\n"
    "}\n";

static const SomFinding *only(TestVerified *v, SomCode code) {
    ck_assert_msg(test_count_of(v, code) == 1, "%s", test_findings(v));
    return test_find(v, code);
}

static void assert_near(double actual, double expected, double tolerance) {
    ck_assert_msg(fabs(actual - expected) <= tolerance, "%g is not %g", actual, expected);
}

static void assert_message(const SomFinding *found, const char *message, const char *fix) {
    ck_assert_msg(som_str_equal(found->message, som_str(message)), "%s", found->message.data);
    ck_assert_msg(som_str_equal(found->fix, som_str(fix)), "%s", found->fix.data);
}

START_TEST(a_target_beyond_a_limit_is_reported_in_the_words_of_the_action) {
    TestVerified v = test_verify(one, "", "far");
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    assert_message(
        found,
        "Limit: 'tilt' from 0.2 s to 1.2 s, sent to 120 deg, 30 deg beyond its limit of 90 deg",
        "the nearest value is 'tilt' 90 deg");
    assert_near(found->value, -120 * DEG, 1e-9);
    assert_near(found->limit, -90 * DEG, 1e-9);
    assert_near(found->t0, 0.2, 0.011);
    assert_near(found->t1, 1.2, 0.011);
    ck_assert_str_eq(test_place(&v, found), "3:39");
    ck_assert_int_ge(found->action, 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(speeds_that_are_asked_for_are_compared_with_those_of_the_joint) {
    TestVerified v = test_verify(one, "", "quick");
    const SomFinding *found = only(&v, SOM_JOINT_SPEED);
    assert_message(
        found, "Speed: 'left' from 0 s to 0.1 s, asked to move at 200 deg/s, limit 138.003 deg/s",
        "move 'left' at 138.003 deg/s or less");
    assert_near(found->t1 - found->t0, 0.1, 0.011);
    test_verified_free(&v);
    v = test_verify(one, "", "hasty");
    ck_assert_str_eq(test_place(&v, only(&v, SOM_JOINT_SPEED)), "5:22");
    test_verified_free(&v);
    v = test_verify(one, "", "calm");
    ck_assert_int_eq(test_count_of(&v, SOM_JOINT_SPEED), 0);
    test_verified_free(&v);
}
END_TEST

START_TEST(courses_are_looked_at_in_all_their_keys) {
    TestVerified v = test_verify(one, "", "course");
    assert_near(only(&v, SOM_JOINT_LIMIT)->value, 95 * DEG, 1e-9);
    assert_near(only(&v, SOM_JOINT_SPEED)->value, 400 * DEG, 1e-6);
    // the time is that of the piece that is too fast
    assert_near(only(&v, SOM_JOINT_SPEED)->t0, 0, 1e-9);
    assert_near(only(&v, SOM_JOINT_SPEED)->t1, 0.1, 0.011);
    test_verified_free(&v);
}
END_TEST

START_TEST(a_velocity_against_a_stop_is_told_from_when_the_joint_stands_still) {
    TestVerified v = test_verify(one, "", "against");
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    assert_near(found->t0, 1, 0.02);
    assert_near(found->t1, 1.5, 0.02);
    ck_assert_str_eq(test_place(&v, found), "8:24");
    test_verified_free(&v);
    v = test_verify(one, "", "bend spin -90deg/s during 1500ms");
    assert_near(only(&v, SOM_JOINT_LIMIT)->value, -90 * DEG, 1e-6);
    test_verified_free(&v);
    v = test_verify(one, "", "until_there");
    ck_assert_int_eq(test_count_of(&v, SOM_JOINT_LIMIT), 0);
    test_verified_free(&v);
}
END_TEST

// Of each run of a velocity: one that has ended drives nothing while the joint waits at its limit.
START_TEST(velocities_drive_a_joint_only_while_they_last) {
    TestVerified v = test_verify(one, "", "both_ways");
    ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 2, "%s", test_findings(&v));
    const SomFinding *first = test_find(&v, SOM_JOINT_LIMIT), *second = first + 1;
    while (second->code != SOM_JOINT_LIMIT) {
        second++;
    }
    assert_message(
        first,
        "Limit: 'bend' from 1 s to 1.2 s, driven against its limit of 90 deg, where it stands "
        "still",
        "end the action when 'bend' reaches 90 deg");
    assert_near(first->t0, 1, 1e-9);
    assert_near(first->t1, 1.2, 1e-9);
    assert_near(second->value, -90 * DEG, 1e-9);
    assert_near(second->t0, 3.2, 1e-9);
    assert_near(second->t1, 4.2, 1e-9);
    test_verified_free(&v);
    v = test_verify(one, "", "waiting");
    ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 0, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(times_do_not_depend_on_the_samples) {
    static const char *const behaviors[] = {"far",     "quick",     "hasty",  "course",
                                            "against", "both_ways", "waiting"};
    SomVerifyOptions options = som_verify_default_options();
    for (int i = 0; i < 7; i++) {
        SomText texts[2] = {{0}, {0}};
        for (int k = 0; k < 2; k++) {
            options.dt = k == 0 ? 0.01 : 0.0011;
            TestVerified v = test_verify_with(one, "", behaviors[i], &options);
            for (int f = 0; f < v.found->findings.count; f++) {
                const SomFinding *found = &v.found->findings.data[f];
                if (found->check == SOM_CHECK_JOINT_LIMIT || found->check == SOM_CHECK_SPEED) {
                    som_text_printf(&texts[k], "%.6f %.6f %s\n", found->t0, found->t1,
                                    found->message.data);
                }
            }
            som_text_add(&texts[k], SOM_STR("end"));
            test_verified_free(&v);
        }
        ck_assert_str_eq(texts[0].data, texts[1].data);
        som_text_free(&texts[0]);
        som_text_free(&texts[1]);
    }
}
END_TEST

START_TEST(a_start_beyond_a_limit_is_reported_at_its_pose) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config A {\n"
                                 "    part a, b : SMORES\n"
                                 "    connect a.B to b.T\n"
                                 "    pose far { b.bend = 91deg }\n"
                                 "    start far\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    ck_assert(isnan(found->t0) && isnan(found->t1) && found->action == SOM_NONE);
    ck_assert(som_str_equal(found->subjects[0], SOM_STR("b.bend")));
    ck_assert_str_eq(test_place(&v, found), "5:16");
    test_verified_free(&v);
}
END_TEST

static const char *const start = "use \"smores.m3l\"\n"
                                 "config A {\n"
                                 "    part a, b, c : SMORES\n"
                                 "    connect a.B to b.T\n"
                                 "    connect b.B to c.T\n"
                                 "    pose far { c.tilt = 95deg; b.tilt = 91deg; a.tilt = 92deg }\n"
                                 "    behavior nod = a.bend to 10deg\n"
                                 "    start far\n"
                                 "}\n"
                                 "config B { part x : A; pose go { x.far }; start go }\n"
                                 "config C { part x : A }\n";

// At 0 s an action that begins there has not moved its joint.
START_TEST(an_action_that_begins_is_not_blamed_for_the_start) {
    TestVerified v = test_verify(start, "", "nod");
    ck_assert_msg(test_count_of(&v, SOM_JOINT_LIMIT) == 3, "%s", test_findings(&v));
    for (int i = 0; i < v.found->findings.count; i++) {
        const SomFinding *found = &v.found->findings.data[i];
        if (found->code == SOM_JOINT_LIMIT &&
            som_str_equal(found->subjects[0], SOM_STR("a.bend"))) {
            ck_assert_int_eq(found->action, SOM_NONE);
            ck_assert_str_eq(test_place(&v, found), "6:48");
            ck_assert_msg(som_str_starts_with(found->message,
                                              SOM_STR("Limit: 'a.tilt' at 0 s, reaching 92 deg")),
                          "%s", found->message.data);
        }
    }
    test_verified_free(&v);
}
END_TEST

START_TEST(what_one_line_of_a_pose_sets_beyond_limits_is_one_finding) {
    TestVerified v = test_verify(start, "B", NULL);
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    ck_assert_str_eq(test_place(&v, found), "10:34");
    ck_assert_str_eq(found->details.data, "likewise 'x.a.tilt', 'x.b.tilt'");
    assert_message(found, "Limit: 'x.c.tilt', reaching 95 deg, 5 deg beyond its limit of 90 deg",
                   "the nearest value is 'x.c.tilt' 90 deg");
    ck_assert_int_eq(found->subject_count, 3);
    test_verified_free(&v);
    v = test_verify(start, "C", NULL); // it starts as its part does
    ck_assert_int_eq(test_count_of(&v, SOM_JOINT_LIMIT), 3);
    ck_assert_str_eq(test_place(&v, test_find(&v, SOM_JOINT_LIMIT)), "6:48");
    test_verified_free(&v);
}
END_TEST

// A motion that did not come from our servos: an imported one, or one of a simulator.
START_TEST(speeds_over_the_motion_itself_are_looked_at) {
    TestVerified v = test_verify(one, "", "calm");
    SomPrediction motion = {.status = SOM_PLAYER_COMPLETED, .duration = 0.03, .dof_count = 4};
    for (int i = 0; i < 4; i++) {
        som_array_push(&motion.times, 0.01 * i);
        for (int dof = 0; dof < 4; dof++) {
            som_array_push(&motion.positions, dof == 1 && i >= 2 ? 0.5 : 0.0);
        }
        som_array_push(&motion.active_end, 0);
    }
    SomVerification *found = som_verify(
        &(SomVerifyDef){.mechanism = v.mechanism, .graph = v.graph, .prediction = &motion});
    int count = 0;
    for (int i = 0; i < found->findings.count; i++) {
        const SomFinding *f = &found->findings.data[i];
        if (f->code == SOM_JOINT_SPEED) {
            count++;
            assert_near(f->t0, 0.01, 1e-9);
            assert_near(f->t1, 0.02, 1e-9);
            assert_near(f->value, 50, 1e-9);
        }
    }
    ck_assert_int_eq(count, 1);
    som_verification_destroy(found);
    som_prediction_free(&motion);
    test_verified_free(&v);
}
END_TEST

START_TEST(what_one_statement_asks_of_many_joints_is_one_finding) {
    TestVerified v =
        test_verify("use \"walkbot.som\"\n"
                    "config Wide {\n"
                    "    part bot : Walkbot\n"
                    "    behavior far = bot.legs(80deg, 60deg, 0deg, 0deg) timeout 50ms\n"
                    "}\n",
                    "", "far");
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    ck_assert_str_eq(
        found->message.data,
        "Limit: 'bot.front_left.tail.bend' from 0 s to 0.05 s, sent to -140 deg, 50 deg "
        "beyond its limit of -90 deg");
    ck_assert_str_eq(found->details.data,
                     "likewise 'bot.front_left.middle.bend', 'bot.rear_right.middle.bend', "
                     "'bot.rear_right.tail.bend'");
    ck_assert_int_eq(found->subject_count, 4);
    ck_assert_str_eq(test_place(&v, found), "4:20");
    test_verified_free(&v);
}
END_TEST

START_TEST(a_start_beyond_a_limit_is_reported_in_the_words_of_its_pose) {
    TestVerified v = test_verify("use \"smores.m3l\"\n"
                                 "config One {\n"
                                 "    part m : SMORES\n"
                                 "    pose up { m.tilt = 120deg }\n"
                                 "    start up\n"
                                 "}\n",
                                 "", NULL);
    const SomFinding *found = only(&v, SOM_JOINT_LIMIT);
    assert_message(found, "Limit: 'm.tilt', reaching 120 deg, 30 deg beyond its limit of 90 deg",
                   "the nearest value is 'm.tilt' 90 deg");
    assert_near(found->value, -120 * DEG, 1e-9);
    test_verified_free(&v);
}
END_TEST

SOM_SUITE("verify/limits", a_target_beyond_a_limit_is_reported_in_the_words_of_the_action,
          speeds_that_are_asked_for_are_compared_with_those_of_the_joint,
          courses_are_looked_at_in_all_their_keys,
          a_velocity_against_a_stop_is_told_from_when_the_joint_stands_still,
          velocities_drive_a_joint_only_while_they_last, times_do_not_depend_on_the_samples,
          a_start_beyond_a_limit_is_reported_at_its_pose,
          an_action_that_begins_is_not_blamed_for_the_start,
          what_one_line_of_a_pose_sets_beyond_limits_is_one_finding,
          a_start_beyond_a_limit_is_reported_in_the_words_of_its_pose,
          speeds_over_the_motion_itself_are_looked_at,
          what_one_statement_asks_of_many_joints_is_one_finding)
