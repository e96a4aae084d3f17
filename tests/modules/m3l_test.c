// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "modules/m3l.h"
#include "modules/m3l_syntax.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>
#include <time.h>

static SomM3l *read_with(const char *text, SomDiagnostics **diags) {
    *diags = som_diagnostics_create();
    return som_m3l_read(som_str(text), 0, *diags);
}

// ---- the library

START_TEST(the_library_reads_without_complaint) {
    int types = 0;
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomM3l *m3l = som_test_library(som_test_module_files[f]);
        types += m3l->type_count;
        for (int i = 0; i < m3l->type_count; i++) {
            const SomModuleType *type = &m3l->types[i];
            ck_assert_int_gt(type->connector_count, 0);
            for (int k = 0; k < type->link_count; k++) {
                ck_assert(type->links[k].has_mass);
                ck_assert(som_inertia_is_physical(type->links[k].inertia));
                ck_assert_int_gt(type->links[k].part_count, 0);
            }
            for (int k = 0; k < type->joint_count; k++) {
                ck_assert_double_gt(type->joints[k].effort, 0);
                ck_assert_double_gt(type->joints[k].speed, 0);
                ck_assert(type->joints[k].low <= 0 && type->joints[k].high >= 0);
            }
        }
        som_m3l_destroy(m3l);
    }
    ck_assert_int_eq(types, 26);
}
END_TEST

START_TEST(figures_of_the_library_are_the_published_ones) {
    static const struct {
        const char *file, *type;
        double mass;
        int dof;
    } facts[] = {{"smores", "SMORES", 0.5572924, 4},
                 {"smores_ep", "SMORES-EP", 0.4386366, 4},
                 {"atron", "ATRON", 0.8, 1},
                 {"molecube", "MOLECUBE", 0.65, 1},
                 {"ckbot", "UBar", 0.14, 1},
                 {"ckbot", "L7", 0.14, 1},
                 {"triathlete", "TriATHLETE", 141.8, 24},
                 {"athlete", "leg", 36.57, 7},
                 {"gdut", "I", 0.58944 + 1.185, 1},
                 {"gdut", "t", 0.83222 + 0.98367, 1},
                 {"gdut", "L", 0.6, 0},
                 {"tower", "barbell", 1.4, 2}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        SomM3l *m3l = som_test_library(facts[i].file);
        const SomModuleType *type = som_m3l_find_type(m3l, som_str(facts[i].type));
        ck_assert_ptr_nonnull(type);
        ck_assert_double_eq_tol(som_module_type_mass(type), facts[i].mass, 1e-9);
        ck_assert_int_eq(type->joint_count, facts[i].dof);
        som_m3l_destroy(m3l);
    }
}
END_TEST

START_TEST(two_docked_triathletes_have_the_hips_of_an_athlete) {
    SomM3l *m3l = som_test_library("triathlete");
    const SomModuleType *tri = som_m3l_find_type(m3l, SOM_STR("TriATHLETE"));
    const SomModuleType *pallet = som_m3l_find_type(m3l, SOM_STR("pallet"));
    static const char *const sides[] = {"east", "west"};
    int angles_seen = 0;
    for (int s = 0; s < 2; s++) {
        SomMatingChoice choice;
        int port = som_module_type_find_connector(pallet, som_str(sides[s]));
        ck_assert_int_eq(som_m3l_find_matings(m3l, pallet, port, tri, 0, &choice, 1), 1);
        ck_assert(choice.is_reversed);
        for (int limb = 1; limb <= 3; limb++) {
            SomText name = {0};
            som_text_printf(&name, "limb%d_hip_yaw", limb);
            int joint = som_module_type_find_joint(tri, som_text_str(&name), NULL);
            SomVec3 hip = som_pose_apply(choice.transform, tri->joints[joint].frame.position);
            ck_assert_double_eq_tol(sqrt(hip.x * hip.x + hip.y * hip.y), 1.15, 1e-6);
            ck_assert_double_eq_tol(hip.z, 0.106, 1e-9);
            double sixths = som_atan2(hip.y, hip.x) / (SOM_PI / 3);
            ck_assert_double_eq_tol(sixths, round(sixths), 1e-5);
            angles_seen |= 1 << (((int)round(sixths) + 6) % 6);
            som_text_free(&name);
        }
    }
    ck_assert_int_eq(angles_seen, 63);
    som_m3l_destroy(m3l);
}
END_TEST

// An inverted T is mated by its output; both installations and four angles are there.
START_TEST(lettered_modules_mate_either_way_round) {
    SomM3l *m3l = som_test_library("gdut");
    const SomModuleType *i = som_m3l_find_type(m3l, SOM_STR("I"));
    const SomModuleType *t = som_m3l_find_type(m3l, SOM_STR("T"));
    const SomModuleType *small = som_m3l_find_type(m3l, SOM_STR("t"));
    const SomModuleType *adapter = som_m3l_find_type(m3l, SOM_STR("A"));
    int out = som_module_type_find_connector(i, SOM_STR("out"));
    int t_in = som_module_type_find_connector(t, SOM_STR("in"));
    int t_out = som_module_type_find_connector(t, SOM_STR("out"));
    SomMatingChoice choices[8];
    ck_assert_int_eq(som_m3l_find_matings(m3l, i, out, t, t_in, choices, 8), 4);
    // upright, angle 0: T continues along y from the output of I
    for (int k = 0; k < 4; k++) {
        if (choices[k].roll == 0) {
            SomVec3 p = choices[k].transform.position;
            ck_assert_double_eq_tol(p.y, 0.0432 + 0.1466, 1e-12);
            ck_assert_double_lt(
                som_rotation_distance(choices[k].transform.rotation, som_mat3_identity()), 1e-12);
        }
    }
    ck_assert_int_eq(som_m3l_find_matings(m3l, i, out, t, t_out, choices, 8), 4);
    for (int k = 0; k < 4; k++) {
        if (choices[k].roll == 0) { // inverted: turned about z
            SomMat3 back = som_rotation_z(SOM_PI);
            ck_assert_double_lt(som_rotation_distance(choices[k].transform.rotation, back), 1e-12);
            ck_assert_double_eq_tol(choices[k].transform.position.y, 0.0432 + 0.0934, 1e-12);
        }
    }
    // large on small only with an adapter
    ck_assert_int_eq(som_m3l_find_matings(m3l, t, t_out, small, 0, choices, 8), 0);
    ck_assert_int_eq(som_m3l_find_matings(m3l, adapter, 1, small, 0, choices, 8), 4);
    som_m3l_destroy(m3l);
}
END_TEST

// ---- robots

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

// ---- values

START_TEST(units_and_arithmetic) {
    SomM3l *m3l = som_test_m3l(
        "t",
        SOM_STR("module M: unit=2 cm, timeout=0.5min\n"
                "link a: shape=box((1, 10mm, (1+1)*3/2), (1,1,1)), mass=200g\n"
                "link b: shape=sphere((sqrt(4), cos(60deg), sin(pi/6)), 1mm), density=1g/cm^3\n"
                "joint j: type=revolute, value=[-pi/2, 45deg], effort=3 Nm, speed=60rpm,\n"
                "pair=((a,(axis: origin=(1,2,3), direction=(0,0,2))),(b,(axis: origin=(1,2,9), "
                "direction=(0,0,-1))))"));
    const SomModuleType *type = &m3l->types[0];
    ck_assert_double_eq(type->timeout, 30);
    ck_assert_double_eq(type->links[0].inertia.mass, 0.2);
    SomVec3 a = type->links[0].parts[0].pose.position, b = type->links[1].parts[0].pose.position;
    ck_assert_double_eq_tol(a.x, 0.02, 1e-15);
    ck_assert_double_eq_tol(a.y, 0.01, 1e-15);
    ck_assert_double_eq_tol(a.z, 0.06, 1e-15);
    ck_assert_double_eq_tol(b.x, 0.04, 1e-15);
    ck_assert_double_eq_tol(b.y, 0.01, 1e-15);
    ck_assert_double_eq_tol(b.z, 0.01, 1e-15);
    ck_assert_double_eq_tol(type->links[1].inertia.mass, 1000 * 4 * SOM_PI / 3 * 1e-9, 1e-15);
    ck_assert_double_eq(type->joints[0].low, -SOM_PI / 2);
    ck_assert_double_eq(type->joints[0].high, SOM_PI / 4);
    ck_assert_double_eq_tol(type->joints[0].speed, 2 * SOM_PI, 1e-15);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(masses_are_computed_from_shapes) {
    SomM3l *m3l = som_test_m3l(
        "t", SOM_STR("module M:\n"
                     "link a: shape=(box((0,0,0),(1,2,3)), box((0,0,10),(1,2,3))), mass=12\n"
                     "link b: shape=box((1,0,0),(1,1,1)), mass=6, com=(1,0,0.25), inertia=(2,2,3)\n"
                     "link c: (point p1: coords=(0,0,0)) (point p2: coords=(1,0,0)) (point p3: "
                     "coords=(0,1,0)) (point p4: coords=(0,0,1)) hull=convex(c.point)\n"
                     "joint j: type=fixed, pair=((a,(axis: origin=(0,0,0), "
                     "direction=(0,0,1))),(b,(axis: origin=(0,0,0), direction=(0,0,-1))))\n"
                     "joint k: type=fixed, pair=((c,(axis: origin=(0,0,0), "
                     "direction=(0,0,1))),(b,(axis: origin=(0,0,0), direction=(0,0,-1))))"));
    const SomModuleLink *links = m3l->types[0].links;
    ck_assert_double_eq_tol(links[0].inertia.center.z, 5, 1e-12);
    ck_assert_double_eq_tol(links[0].inertia.moments.m[2][2], 12.0 * (1 + 4) / 12, 1e-12);
    ck_assert_double_eq_tol(links[0].inertia.moments.m[0][0], 12.0 * (4 + 9) / 12 + 12 * 25, 1e-11);
    ck_assert_double_eq_tol(links[1].inertia.center.z, 0.25, 1e-15);
    ck_assert_double_eq_tol(links[1].inertia.moments.m[2][2], 3, 1e-15);
    ck_assert_double_eq_tol(links[2].inertia.mass, 1000.0 / 6, 1e-10);
    ck_assert_double_eq_tol(links[2].inertia.center.x, 0.25, 1e-12);
    ck_assert(!links[2].has_mass);
    som_m3l_destroy(m3l);
}
END_TEST

// ---- errors

START_TEST(everything_wrong_is_reported_in_one_pass) {
    SomDiagnostics *diags;
    SomM3l *m3l = read_with("module M:\n"
                            "point p: coords=(0,0)\n"
                            "point q: coords=(0,0,0), connector\n"
                            "point q: coords=(0,0,0)\n"
                            "link a: grouping=(nobody), mass=-1, masss=2\n"
                            "link b: mass=1m\n"
                            "axis x: origin=(0,0,0), direction=(0,0,0)\n"
                            "joint j: type=rotary, value=[2,1], pair=((a,x),(c,x))\n"
                            "robot r: modules=(M m, N n), connections=((m.q, k.q))",
                            &diags);
    static const SomCode codes[] = {SOM_M3L_WRONG_VALUE,  SOM_M3L_DEFINED_TWICE,
                                    SOM_M3L_UNKNOWN_NAME, SOM_M3L_OUT_OF_RANGE,
                                    SOM_M3L_WRONG_UNIT,   SOM_M3L_UNKNOWN_ATTRIBUTE,
                                    SOM_M3L_NOT_GROUPED,  SOM_M3L_RANGE_REVERSED};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        ck_assert_msg(som_diagnostics_has(diags, codes[i]), "SOM%d is missing", (int)codes[i]);
    }
    ck_assert_int_eq(som_diagnostics_error_count(diags), 13);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(axes_that_are_not_opposite_are_told_by_how_much) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("module M:\nlink a: mass=1\nlink b: mass=1\n"
                                "axis x: origin=(0,0,0), direction=(0,0,1)\n"
                                "axis y: origin=(0,0,0), direction=(sin(0.3),0,-cos(0.3))\n"
                                "joint joint_1: type=revolute, pair=((a,x),(b,y))"));
    SomDiagnostics *diags;
    SomM3l *m3l = read_with(text.data, &diags);
    SomText shown = {0};
    som_diagnostics_print(diags, 0, &shown);
    ck_assert_ptr_nonnull(
        strstr(shown.data, "axes of joint 'joint_1' are not opposite: 0.3rad apart"));
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
    som_text_free(&shown);
    som_text_free(&text);
}
END_TEST

START_TEST(one_error_does_not_cause_others) {
    // a broken module: the rule, and the robot made of it, stay silent
    SomDiagnostics *diags;
    SomText text = {0};
    SomStr listing = som_test_source("tests/modules/data/mtran.m3l");
    const char *place = strstr(listing.data, "coords=(-1, 0, 1), connector");
    som_text_add(&text, som_str_slice(listing, 0, (size_t)(place - listing.data)));
    som_text_add(&text, SOM_STR("coords=(-1, 0, 1m/s), connector"));
    som_text_add(&text, som_str(place + strlen("coords=(-1, 0, 1), connector")));
    SomM3l *m3l = read_with(text.data, &diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    ck_assert_int_eq(som_diagnostics_warning_count(diags), 0);
    som_m3l_destroy(m3l);
    som_diagnostics_destroy(diags);
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

// ---- the page

START_TEST(every_example_of_the_page_reads_without_complaint) {
    SomStr page = som_test_source("docs/m3l.md");
    int examples = 0;
    const char *at = page.data;
    while ((at = strstr(at, "```m3l\n")) != NULL) {
        at += strlen("```m3l\n");
        const char *end = strstr(at, "```");
        ck_assert_ptr_nonnull(end);
        som_m3l_destroy(som_test_m3l("docs/m3l.md", (SomStr){at, (size_t)(end - at)}));
        examples++;
        at = end;
    }
    ck_assert_int_ge(examples, 3);
}
END_TEST

SOM_SUITE("modules/m3l", the_library_reads_without_complaint,
          figures_of_the_library_are_the_published_ones,
          two_docked_triathletes_have_the_hips_of_an_athlete,
          lettered_modules_mate_either_way_round, both_quadrupeds_choose_the_published_matings,
          the_loops_of_both_quadrupeds_close, a_robot_of_ten_thousand_modules_reads_within_a_second,
          units_and_arithmetic, masses_are_computed_from_shapes,
          everything_wrong_is_reported_in_one_pass, axes_that_are_not_opposite_are_told_by_how_much,
          one_error_does_not_cause_others, robots_made_of_robots_end_in_a_diagnostic,
          every_example_of_the_page_reads_without_complaint)
