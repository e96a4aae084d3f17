// SPDX-License-Identifier: Apache-2.0
// Tests for verify/loads.c and verify/loads_check.c.

#include "base/codes/verify_codes.h"
#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/loads.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

// A foot of 20 kg with a joint at its top that carries an arm of 1 m and `mass` at its end, and a
// connector there for another one, which holds 30 N and 12 N m.
#define ARM(effort)                                                                                \
    "module A: root=foot\n"                                                                        \
    "point end: (point _1: coords=(1, 0, 0.6)) (point _2: coords=(1, 0.1, 0.5))\n"                 \
    "    coords=(1, 0, 0.5), connector, tension=100N, shear=30N, bending=12Nm\n"                   \
    "link foot: shape=box((0, 0, 0.05), (1, 1, 0.1)), mass=20kg, com=(0, 0, 0.05)\n"               \
    "link arm: grouping=(end), shape=box((0.5, 0, 0.5), (1, 0.1, 0.1)), mass=2kg,\n"               \
    "    com=(0.5, 0, 0.5)\n"                                                                      \
    "axis ab: origin=(0, 0, 0.5), direction=(0, 1, 0)\n"                                           \
    "axis aa: origin=(0, 0, 0.5), direction=(0, -1, 0)\n"                                          \
    "joint hip: type=revolute, value=[-3, 3], effort=" effort "Nm,\n"                              \
    "    pair=((arm, ab), (foot, aa))\n"                                                           \
    "module B: root=load\n"                                                                        \
    "point end: (point _1: coords=(0, 0, 0.1)) (point _2: coords=(0, 0.1, 0))\n"                   \
    "    coords=(0, 0, 0), connector, tension=50N, shear=40N, bending=20Nm\n"                      \
    "link load: grouping=(end), shape=box((0.25, 0, 0), (0.5, 0.1, 0.1)), mass=2kg,\n"             \
    "    com=(0.25, 0, 0)\n"                                                                       \
    "connection arm_load: members=(A p, B q), conditions=((p.point x coincident q.point y) and\n"  \
    "    (x._1 coincident y._1) and (x._2 coincident y._2))\n"

static PlacedRobot arm(const char *m3l, bool has_load) {
    PlacedRobot robot = {.m3l = som_test_m3l("a.m3l", som_str(m3l))};
    SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Arm")});
    int a = test_add_module(b, "a", 0, robot.m3l, "A");
    if (has_load) {
        test_connect(b, a, "end", test_add_module(b, "b", 0, robot.m3l, "B"), "end", NAN);
    }
    place_configuration(&robot, test_finish(b));
    return robot;
}

static SomLoads *measure(const PlacedRobot *robot, const double *values, int count, double safety) {
    SomStanding *standing = som_standing_create(robot->mechanism, NULL, 1e-3);
    SomStatics *statics =
        som_statics_create(&(SomStaticsDef){.mechanism = robot->mechanism, .gravity = 10});
    SomMotionSamples motion = {values, count, 0.01, 0, 0, 0, false};
    SomLoads *loads = som_loads_measure(&(SomLoadsDef){
        .standing = standing, .statics = statics, .motion = &motion, .safety = safety});
    som_statics_destroy(statics);
    som_standing_destroy(standing);
    return loads;
}

START_TEST(a_hip_is_overloaded_as_long_as_its_arm_is_out) {
    PlacedRobot robot = arm(ARM("8"), false);
    // 2 kg half a metre out are 10 N m; upright they are none
    double values[101];
    for (int i = 0; i <= 100; i++) {
        values[i] = -SOM_PI / 2 * fabs(i - 50.0) / 50;
    }
    SomLoads *loads = measure(&robot, values, 101, 1);
    const SomLoadPeak *hip = &loads->joints[0];
    ck_assert_double_eq_tol(hip->value, 10, 1e-9);
    ck_assert_double_eq(hip->limit, 8);
    ck_assert_int_eq(hip->worst, 50);
    // 10 cos(q) > 8: within 36.87 degrees
    ck_assert(hip->first == 30 && hip->last == 70);
    ck_assert_double_eq_tol(loads->usage[50], 1.25, 1e-9);
    ck_assert_double_eq_tol(loads->usage[0], 0, 1e-9);
    ck_assert(isnan(loads->connector_usage[0]));
    ck_assert_int_eq(loads->falling, 0);
    som_loads_destroy(loads);
    placed_free(&robot);

    robot = arm(ARM("10.1"), false); // the stronger twin
    loads = measure(&robot, values, 101, 1);
    ck_assert_int_eq(loads->joints[0].first, -1);
    som_loads_destroy(loads);
    loads = measure(&robot, values, 101, 1.1); // but not with a tenth to spare
    ck_assert_int_ge(loads->joints[0].first, 0);
    ck_assert_double_eq_tol(loads->joints[0].value, 11, 1e-9);
    som_loads_destroy(loads);
    placed_free(&robot);
}
END_TEST

START_TEST(a_connection_holds_what_the_weaker_side_holds) {
    PlacedRobot robot = arm(ARM("100"), true);
    double level = 0;
    SomLoads *loads = measure(&robot, &level, 1, 1);
    // 2 kg, a quarter of a metre beyond
    ck_assert_double_eq_tol(loads->connections[SOM_LOAD_SHEAR].value, 20, 1e-9);
    ck_assert_double_eq(loads->connections[SOM_LOAD_SHEAR].limit, 30);
    ck_assert_double_eq_tol(loads->connections[SOM_LOAD_BENDING].value, 5, 1e-9);
    ck_assert_double_eq(loads->connections[SOM_LOAD_BENDING].limit, 12);
    ck_assert_double_eq(loads->connections[SOM_LOAD_TENSION].limit, 50);
    ck_assert_double_eq_tol(loads->connector_usage[0], 2.0 / 3, 1e-9);
    ck_assert_int_eq(loads->connections[SOM_LOAD_SHEAR].first, -1);
    som_loads_destroy(loads);
    loads = measure(&robot, &level, 1, 1.6);
    ck_assert_int_eq(loads->connections[SOM_LOAD_SHEAR].first, 0);
    ck_assert_int_eq(loads->connections[SOM_LOAD_BENDING].first, -1);
    som_loads_destroy(loads);
    placed_free(&robot);
}
END_TEST

static SomVerification *verify(const PlacedRobot *robot, double safety) {
    SomVerifyOptions options = som_verify_default_options();
    options.safety = safety;
    return som_verify(&(SomVerifyDef){.mechanism = robot->mechanism, .options = &options});
}

static const SomFinding *find(const SomVerification *found, SomCode code) {
    for (int i = 0; i < found->findings.count; i++) {
        if (found->findings.data[i].code == code) {
            return &found->findings.data[i];
        }
    }
    return NULL;
}

START_TEST(findings_name_the_hip_and_the_dock) {
    PlacedRobot robot = arm(ARM("8"), true);
    SomVerification *found = verify(&robot, 2);
    const SomFinding *hip = find(found, SOM_ACTUATOR_OVERLOAD);
    ck_assert_ptr_nonnull(hip);
    ck_assert_str_eq(hip->message.data, "Overload: 'a.hip', 68.65 Nm to hold the robot, limit "
                                        "8 Nm");
    ck_assert_double_eq_tol(hip->value, 2 * 9.80665 * 3.5, 1e-6);
    ck_assert(isnan(hip->t0) && hip->severity == SOM_ERROR && found->verdict == SOM_VERDICT_UNSAFE);
    ck_assert(som_str_equal(hip->subjects[0], SOM_STR("a.hip")));
    const SomFinding *dock = find(found, SOM_CONNECTOR_OVERLOAD);
    ck_assert_ptr_nonnull(dock);
    ck_assert_str_eq(dock->message.data, "Overload: connection of 'a.end' and 'b.end', a shear of "
                                         "39.23 N, limit 30 N");
    ck_assert_int_eq(dock->subject_count, 2);
    som_verification_destroy(found);
    placed_free(&robot);
    robot = arm(ARM("40"), true);
    found = verify(&robot, 1);
    ck_assert_ptr_null(find(found, SOM_ACTUATOR_OVERLOAD));
    ck_assert_ptr_null(find(found, SOM_CONNECTOR_OVERLOAD));
    som_verification_destroy(found);
    placed_free(&robot);
}
END_TEST

START_TEST(what_has_no_limit_is_listed) {
    TestVerified v = test_verify("use \"walkbot.som\"\nconfig A { part w : Walkbot; "
                                 "pose p { w.stand }; start p }",
                                 "", NULL);
    bool is_listed = false;
    for (int i = 0; i < v.found->skipped.count; i++) {
        is_listed = is_listed ||
                    (v.found->skipped.data[i].count == 17 &&
                     som_str_equal(v.found->skipped.data[i].what, SOM_STR("loads of connections")));
    }
    ck_assert(is_listed);
    ck_assert_msg(test_find(&v, SOM_ACTUATOR_OVERLOAD) == NULL, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

// Two legs in an A, as stiff as their joint: leaning against each other takes all of the torque off
// it, where the ground is rough.
START_TEST(legs_that_straddle_lean_against_each_other) {
    for (int rough = 0; rough < 2; rough++) {
        char m3l[2000];
        snprintf(m3l, sizeof m3l,
                 "module A: root=a\n"
                 "link a: shape=(sphere((-1, -0.3, -2), 0.1), sphere((-1, 0.3, -2), 0.1)),\n"
                 "    mass=1kg, com=(0, 0, 0), friction=%s\n"
                 "link b: shape=(sphere((1, -0.3, -2), 0.1), sphere((1, 0.3, -2), 0.1)),\n"
                 "    mass=1kg, com=(0, 0, 0), friction=%s\n"
                 "axis ab: origin=(0, 0, 0), direction=(0, 1, 0)\n"
                 "axis aa: origin=(0, 0, 0), direction=(0, -1, 0)\n"
                 "joint hip: type=revolute, value=[-3, 3], effort=3Nm, pair=((b, ab), (a, aa))\n",
                 rough ? "0.6" : "0.1", rough ? "0.6" : "0.1");
        PlacedRobot robot = place_module(m3l, som_vec3(0, 0, 0), som_vec3(0, 0, 0));
        double zero = 0;
        SomLoads *loads = measure(&robot, &zero, 1, 1);
        // 10 N a side, 1 m out; friction pulls inwards at 2.1 m below
        ck_assert_double_eq_tol(loads->joints[0].value, rough ? 0 : 10 - 0.1 * 10 * 2.1, 0.05);
        ck_assert_int_eq(loads->joints[0].first, rough ? -1 : 0);
        som_loads_destroy(loads);
        placed_free(&robot);
    }
}
END_TEST

START_TEST(loads_that_are_not_requested_leave_the_verdict_incomplete) {
    PlacedRobot robot = arm(ARM("8"), false);
    for (int i = 0; i < 2; i++) {
        bool skips = i == 1;
        SomVerification *found =
            som_verify(&(SomVerifyDef){.mechanism = robot.mechanism, .skips_loads = skips});
        int overloads = 0, told = 0;
        for (int k = 0; k < found->findings.count; k++) {
            overloads += found->findings.data[k].code == SOM_ACTUATOR_OVERLOAD;
        }
        for (int k = 0; k < found->skipped.count; k++) {
            told += som_str_equal(found->skipped.data[k].reason, SOM_STR("not requested"));
        }
        ck_assert_int_eq(overloads, skips ? 0 : 1);
        ck_assert_int_eq(told, skips ? 1 : 0);
        ck_assert_int_eq(found->verdict, skips ? SOM_VERDICT_INCOMPLETE : SOM_VERDICT_UNSAFE);
        som_verification_destroy(found);
    }
    placed_free(&robot);
}
END_TEST

static const char *const crane = "use \"smores.m3l\"\n"
                                 "config Crane {\n"
                                 "    part m[7] : SMORES\n"
                                 "    connect m[i].B to m[i+1].T for i in 1..6\n"
                                 "    base m[1] on ground\n"
                                 "    behavior lift = series(m[5].bend to 45deg, wait 1s,\n"
                                 "        parallel(m[6].bend to -10deg, m[7].bend to 20deg))\n"
                                 "}\n";

static TestVerified verify_safely(const char *text, const char *behavior, double safety) {
    SomVerifyOptions options = som_verify_default_options();
    options.safety = safety;
    return test_verify_with(text, "", behavior, &options);
}

START_TEST(joints_that_one_statement_overloads_are_one_finding) {
    TestVerified v = verify_safely(crane, "lift", 60);
    const SomFinding *all[3] = {NULL};
    int count = 0;
    for (int i = 0; i < v.found->findings.count; i++) {
        if (v.found->findings.data[i].code == SOM_ACTUATOR_OVERLOAD) {
            ck_assert_msg(count < 3, "%s", test_findings(&v));
            all[count++] = &v.found->findings.data[i];
        }
    }
    // from the start, from the moment that the tail is lifted, and later
    ck_assert_msg(count == 3, "%s", test_findings(&v));
    ck_assert_int_eq(all[0]->subject_count, 1);
    ck_assert_str_eq(test_place(&v, all[0]), "3:10");
    ck_assert_int_eq(all[1]->subject_count, 14);
    ck_assert_str_eq(test_place(&v, all[1]), "6:28");
    ck_assert(som_str_equal(all[1]->subjects[0], SOM_STR("m[5].bend")));
    ck_assert(som_str_equal(all[1]->subjects[1], SOM_STR("m[1].left")));
    ck_assert_str_eq(all[1]->details.data,
                     "likewise 'm[1].left', 'm[1].right', 'm[2].left' (and 10 more)");
    // it lasts as long as any of them
    ck_assert(all[1]->t0 < all[1]->worst + 1e-9 && all[1]->t1 > 1);
    ck_assert_int_eq(all[2]->subject_count, 2);
    ck_assert(all[2]->t0 > all[1]->t0);
    test_verified_free(&v);
}
END_TEST

// A snake that bends rolls onto its side, and an arch of twelve modules is more than one can lift.
START_TEST(a_robot_that_rests_turned_is_checked) {
    TestVerified v = verify_safely(
        "use \"snake.som\"\nconfig A { part s : Snake; base s.s[1].head on ground }\n",
        "s.nSnakeSineGait", 1);
    const SomFinding *found = test_find(&v, SOM_ACTUATOR_OVERLOAD);
    ck_assert_msg(found != NULL && found->value > 10, "%s", test_findings(&v));
    ck_assert_ptr_nonnull(test_find(&v, SOM_ROCKS));
    test_verified_free(&v);
}
END_TEST

START_TEST(what_holds_once_more_of_it_touches_is_a_warning) {
    TestVerified v =
        verify_safely("use \"backhoe.som\"\nconfig A { part b : Backhoe }\n", "b.turn", 1);
    const SomFinding *found = test_find(&v, SOM_ACTUATOR_SAGS);
    ck_assert_msg(found != NULL && v.found->verdict == SOM_VERDICT_SAFE, "%s", test_findings(&v));
    ck_assert(found->severity == SOM_WARNING);
    ck_assert(!som_verification_claims(v.found, SOM_CHECK_LOAD));
    test_verified_free(&v);
}
END_TEST

START_TEST(joints_that_a_posture_overloads_are_one_finding) {
    TestVerified v = verify_safely(
        "use \"walkbot.som\"\nconfig A { part w : Walkbot; pose p { w.stand }; start p }", NULL,
        60);
    ck_assert_msg(test_count_of(&v, SOM_ACTUATOR_OVERLOAD) == 1, "%s", test_findings(&v));
    ck_assert_int_gt(test_find(&v, SOM_ACTUATOR_OVERLOAD)->subject_count, 4);
    test_verified_free(&v);
}
END_TEST

START_TEST(connections_of_one_statement_that_do_not_hold_are_one_finding) {
    // wheels of both axles are connected by the same lines, once for a moment and once for a force
    TestVerified v =
        verify_safely("use \"atron_car.som\"\nconfig A { part c : ATRONCar }\n", NULL, 100);
    int all = 0, of_two = 0;
    for (int i = 0; i < v.found->findings.count; i++) {
        const SomFinding *found = &v.found->findings.data[i];
        all += found->code == SOM_CONNECTOR_OVERLOAD;
        of_two += found->code == SOM_CONNECTOR_OVERLOAD && found->subject_count == 4 &&
                  strstr(found->details.data, "likewise that of 'c.rear.axle.c") != NULL;
    }
    ck_assert_msg(all == 8 && of_two == 4, "%s", test_findings(&v));
    test_verified_free(&v);
}
END_TEST

START_TEST(a_wait_has_the_loads_of_its_beginning_throughout) {
    PlacedRobot robot = arm(ARM("8"), false);
    double values[30];
    for (int i = 0; i < 30; i++) {
        values[i] = i < 10 ? -SOM_PI / 2 * (10 - i) / 10 : 0; // out from the tenth sample on
    }
    SomLoads *loads = measure(&robot, values, 30, 1);
    const SomLoadPeak *hip = &loads->joints[0];
    ck_assert_double_eq_tol(hip->value, 10, 1e-9);
    ck_assert(hip->first == 6 && hip->worst == 10 && hip->last == 29);
    for (int i = 10; i < 30; i++) {
        ck_assert_double_eq_tol(loads->usage[i], 1.25, 1e-9);
    }
    som_loads_destroy(loads);
    placed_free(&robot);
}
END_TEST

SOM_SUITE("verify/loads", a_wait_has_the_loads_of_its_beginning_throughout,
          a_hip_is_overloaded_as_long_as_its_arm_is_out,
          a_connection_holds_what_the_weaker_side_holds, findings_name_the_hip_and_the_dock,
          what_has_no_limit_is_listed, legs_that_straddle_lean_against_each_other,
          loads_that_are_not_requested_leave_the_verdict_incomplete,
          a_robot_that_rests_turned_is_checked, what_holds_once_more_of_it_touches_is_a_warning,
          joints_that_one_statement_overloads_are_one_finding,
          joints_that_a_posture_overloads_are_one_finding,
          connections_of_one_statement_that_do_not_hold_are_one_finding)
