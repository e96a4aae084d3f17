// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "modules/m3l.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>
#include <time.h>

static SomM3l *read_with(const char *text, SomDiagnostics **diags) {
    *diags = som_diagnostics_create();
    return som_m3l_read(som_str(text), 0, *diags);
}

START_TEST(both_quadrupeds_choose_the_published_matings) {
    static const int expected[2][10] = {{17, 17, 17, 25, 3, 17, 17, 17, 9, 35},
                                        {17, 17, 19, 9, 35, 19, 17, 17, 25, 3}};
    static const char *const names[] = {"quadruped", "equivalent_quadruped"};
    SomM3l *m3l = som_test_m3l("mtran", som_test_source("tests/modules/data/mtran.m3l"));
    for (int n = 0; n < 2; n++) {
        const SomRobot *robot = som_m3l_find_robot(m3l, som_str(names[n]));
        ck_assert_int_eq(robot->module_count, 9);
        ck_assert_int_eq(robot->connection_count, 10);
        for (int i = 0; i < 10; i++) {
            ck_assert_int_eq(robot->connections[i].index, expected[n][i]);
        }
        ck_assert(robot->has_frame);
        ck_assert(som_str_equal(robot->modules[robot->frame_module].name, SOM_STR("m5")));
        ck_assert_double_eq(robot->frame.position.x, 1);
    }
    som_m3l_destroy(m3l);
}
END_TEST

// Poses at zero joints in the frame of m5, by walking the connections until nothing is new.
START_TEST(the_loops_of_both_quadrupeds_close) {
    static const double z_of_first[2] = {-2, 2};
    SomM3l *m3l = som_test_m3l("mtran", som_test_source("tests/modules/data/mtran.m3l"));
    for (int n = 0; n < 2; n++) {
        const SomRobot *robot = &m3l->robots[n];
        SomPose pose[9];
        bool is_placed[9] = {false};
        pose[4] = som_pose_identity();
        is_placed[4] = true;
        for (int round = 0; round < 9; round++) {
            for (int i = 0; i < robot->connection_count; i++) {
                const SomRobotConnection *c = &robot->connections[i];
                if (is_placed[c->a] && !is_placed[c->b]) {
                    pose[c->b] = som_pose_compose(pose[c->a], c->transform);
                } else if (is_placed[c->b] && !is_placed[c->a]) {
                    pose[c->a] = som_pose_compose(pose[c->b], som_pose_invert(c->transform));
                }
                is_placed[c->a] = is_placed[c->b] = is_placed[c->a] || is_placed[c->b];
            }
        }
        for (int i = 0; i < robot->connection_count; i++) {
            const SomRobotConnection *c = &robot->connections[i];
            SomPose there = som_pose_compose(pose[c->a], c->transform);
            ck_assert_double_lt(som_pose_distance(there, pose[c->b]), 1e-9);
        }
        for (int k = 0; k < 4; k++) {
            ck_assert_double_eq_tol(pose[k].position.x, 6 - 4 * k, 1e-12);
            ck_assert_double_eq_tol(pose[k].position.z, z_of_first[n], 1e-12);
            ck_assert_double_eq_tol(pose[k + 5].position.z, -z_of_first[n], 1e-12);
        }
    }
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(a_robot_of_ten_thousand_modules_reads_within_a_second) {
    SomText text = {0};
    som_text_add(&text, som_test_source("tests/modules/data/mtran.m3l"));
    som_text_add(&text, SOM_STR("\nrobot long_one: modules=(MTRAN m0"));
    for (int i = 1; i < 10000; i++) {
        som_text_printf(&text, ",\nMTRAN m%d", i);
    }
    som_text_add(&text, SOM_STR("), connections=((m0.c2,m1.c5)"));
    for (int i = 1; i < 9999; i++) {
        som_text_printf(&text, ",\n(m%d.c2,m%d.c5%s)", i, i + 1, i % 2 ? ",19" : "");
    }
    som_text_add(&text, SOM_STR(")\n"));
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    SomM3l *m3l = som_test_m3l("long", som_text_str(&text));
    clock_gettime(CLOCK_MONOTONIC, &end);
    const SomRobot *robot = som_m3l_find_robot(m3l, SOM_STR("long_one"));
    ck_assert_int_eq(robot->module_count, 10000);
    ck_assert_int_eq(robot->connection_count, 9999);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    ck_assert_double_lt(seconds, 1);
    som_m3l_destroy(m3l);
    som_text_free(&text);
}
END_TEST

START_TEST(robots_made_of_robots_end_in_a_diagnostic) {
    SomDiagnostics *diags;
    SomM3l *m3l = read_with("robot a: modules=(b m)\nrobot b: modules=(a m, b n)", &diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 3);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

// The paper ends its second robot with three points: the frame is that of the first.
START_TEST(three_points_take_the_frame_of_the_robot_before) {
    SomText text = {0};
    som_text_add(&text, som_test_source("tests/modules/data/mtran.m3l"));
    som_text_add(&text, SOM_STR("robot third: modules=(MTRAN m5)\n"
                                "robot fourth: modules=(MTRAN m5), ...\n"));
    SomM3l *m3l = som_test_m3l("mtran", som_text_str(&text));
    ck_assert_int_eq(m3l->robot_count, 4);
    ck_assert(m3l->robots[1].has_frame);
    ck_assert_int_eq(m3l->robots[1].frame_module, 4);
    ck_assert_int_eq(m3l->robots[1].frame_link, m3l->robots[0].frame_link);
    ck_assert_double_lt(som_pose_distance(m3l->robots[1].frame, m3l->robots[0].frame), 1e-15);
    ck_assert(!m3l->robots[2].has_frame && !m3l->robots[3].has_frame);
    som_m3l_destroy(m3l);
    som_text_free(&text);
    SomDiagnostics *diags;
    m3l = read_with("module M: ...\nlink a: mass=1\n", &diags); // of robots only
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

static int count_errors(const char *text) {
    SomDiagnostics *diags;
    SomM3l *m3l = read_with(text, &diags);
    int count = som_diagnostics_error_count(diags);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    return count;
}

#define FRAME(link, third)                                                                         \
    "robot r: modules=(M a), frame=(a." link ".(axis: origin=(0,0,0), direction=(1,0,0)), a." link \
    ".(axis: origin=(0,0,0), direction=(0,1,0)), a." link                                          \
    ".(axis: origin=(0,0,0), direction=" third "))"

// What cannot be read is told once, not wherever it is named.
START_TEST(frames_are_checked) {
    ck_assert_int_eq(count_errors("module M:\nlink b: mass=1\n" FRAME("b", "(0,0,1)")), 0);
    ck_assert_int_eq(count_errors("module M:\nlink b: mass=1\n" FRAME("b", "(0,0,-1)")), 1);
    ck_assert_int_eq(count_errors("module M:\nlink b: mass=1\n" FRAME("b", "(0,1,1)")), 1);
    ck_assert_int_eq(count_errors("module M:\nlink b: mass=1\n" FRAME("c", "(0,0,1)")), 3);
    ck_assert_int_eq(count_errors("module M:\nlink b: mass=0\n" FRAME("c", "(0,0,1)")), 1);
    ck_assert_int_eq(count_errors("module N:\nlink b: mass=1\n" FRAME("b", "(0,0,1)")), 1);
}
END_TEST

// A ring of marks offers more rolls than anybody would list.
START_TEST(a_mating_is_found_by_any_number) {
    enum { RING = 200 };
    SomText text = {0};
    som_text_add(&text, SOM_STR("module M:\n"));
    for (int side = 0; side < 2; side++) {
        som_text_printf(&text, "point %s: ", side == 0 ? "p" : "q");
        for (int i = 0; i < RING; i++) {
            som_text_printf(&text, "(point _%d: coords=(cos(%d*2*pi/%d),sin(%d*2*pi/%d),%d)) ",
                            i + 1, i, RING, i, RING, side);
        }
        som_text_printf(&text, "coords=(0,0,%d), connector\n", side);
    }
    som_text_add(&text,
                 SOM_STR("link a: grouping=(p,q), shape=box((0,0,0.5),(1,1,1))\n"
                         "connection c: members=(M a, M b), conditions=((a.point x coincident "
                         "b.point y) and (x._1 coincident y.point) and (x._2 coincident "
                         "y.point))\nrobot r: modules=(M a, M b, M c), connections=((a.p, b.q, "));
    SomDiagnostics *diags = som_diagnostics_create();
    SomM3l *m3l = som_m3l_read(som_text_str(&text), 0, diags);
    const SomConnectionRule *rule = &m3l->rules[0];
    ck_assert_int_eq(rule->mating_count, 4 * RING);
    SomMatingChoice choice, first;
    // a with q of b, or b with p of a: numbers of both blocks, the default is the smallest
    ck_assert_int_eq(rule->count[1], RING);
    ck_assert_int_eq(rule->count[2], RING);
    for (int i = 0; i < RING; i++) {
        for (int block = 1; block <= 2; block++) {
            int index = rule->first[block] + i + 1;
            ck_assert(som_m3l_find_mating(m3l, rule->a, 0, rule->a, 1, index, &choice));
            ck_assert_int_eq(choice.index, index);
            ck_assert(choice.is_reversed == (block == 2));
            SomPose wanted = rule->matings[index - 1].transform;
            wanted = block == 2 ? som_pose_invert(wanted) : wanted;
            ck_assert_double_lt(som_pose_distance(choice.transform, wanted), 1e-15);
        }
    }
    ck_assert(som_m3l_find_mating(m3l, rule->a, 0, rule->a, 1, 0, &choice));
    ck_assert_int_eq(som_m3l_find_matings(m3l, rule->a, 0, rule->a, 1, &first, 1), 2 * RING);
    ck_assert_int_eq(choice.index, first.index);
    ck_assert_int_eq(choice.index, rule->first[2] + 1);
    ck_assert(!som_m3l_find_mating(m3l, rule->a, 0, rule->a, 1, rule->first[0] + 1, &choice));
    ck_assert(!som_m3l_find_mating(m3l, rule->a, 0, rule->a, 1, 4 * RING + 1, &choice));
    int last = rule->first[1] + RING;
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_printf(&text, "%d), (b.p, c.q))", last);
    m3l = som_test_m3l("ring", som_text_str(&text));
    ck_assert_int_eq(m3l->robots[0].connections[0].index, last);
    ck_assert(m3l->robots[0].connections[0].is_given);
    ck_assert(!m3l->robots[0].connections[1].is_given);
    som_m3l_destroy(m3l);
    som_text_free(&text);
}
END_TEST

SOM_SUITE("modules/m3l_robot", both_quadrupeds_choose_the_published_matings,
          the_loops_of_both_quadrupeds_close, a_robot_of_ten_thousand_modules_reads_within_a_second,
          robots_made_of_robots_end_in_a_diagnostic,
          three_points_take_the_frame_of_the_robot_before, frames_are_checked,
          a_mating_is_found_by_any_number)
