// SPDX-License-Identifier: Apache-2.0
// What library/modules says, against the figures of its sources.

#include "base/memory.h"
#include "modules/m3l.h"
#include "space/trigonometry.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

#include <math.h>

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
    ck_assert_int_eq(types, 30);
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
                 {"atron", "ATRONWheel", 0.8, 1},
                 {"molecube", "MOLECUBE", 0.65, 1},
                 {"ckbot", "UBar", 0.14, 1},
                 {"ckbot", "L7", 0.14, 1},
                 {"triathlete", "TriATHLETE", 141.8, 24},
                 {"athlete", "leg", 36.57, 7},
                 {"athlete", "deck", 283.6 - 6 * 36.57, 0},
                 {"gdut", "I", 0.58944 + 1.185, 1},
                 {"gdut", "t", 0.83222 + 0.98367, 1},
                 {"gdut", "L", 0.6, 0},
                 {"rofi", "RoFI_UM", 2 * 0.201058 + 2 * 0.089474, 3},
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

// Masses, centres and moments of the two published models, each in the frame of its module.
START_TEST(links_of_smores_weigh_what_the_models_say) {
    static const struct {
        const char *file, *link;
        double mass, center[3], moments[3], friction;
    } facts[] = {
        {"smores",
         "CircuitHolder",
         0.309551,
         {0, -0.00824713, 0},
         {1.52716e-4, 1.66672e-4, 2.06589e-4},
         -1},
        {"smores",
         "UHolderBody",
         0.127498,
         {0, 0.0306753, 0},
         {1.45026e-4, 2.07429e-4, 1.91183e-4},
         0.35},
        {"smores",
         "FrontWheel",
         0.045716,
         {0, -0.0436519, 0},
         {1.94691e-5, 3.74262e-5, 1.94691e-5},
         0.75},
        {"smores",
         "LeftWheel",
         0.0372637,
         {0.0457825, 0, 0},
         {3.37995e-5, 1.71576e-5, 1.71576e-5},
         1},
        {"smores",
         "RightWheel",
         0.0372637,
         {-0.0457825, 0, 0},
         {3.37995e-5, 1.71576e-5, 1.71576e-5},
         1},
        {"smores_ep",
         "base_link",
         0.211267,
         {0.00315, -0.000166, 3.4e-5},
         {2.19e-4, 1.54e-4, 1.53e-4},
         0.08},
        {"smores_ep",
         "left_wheel",
         0.0772296,
         {0.034458, 0.0393234, 0},
         {1.8e-5, 3.3e-5, 1.8e-5},
         1},
        {"smores_ep",
         "right_wheel",
         0.0772296,
         {0.034458, -0.0393234, 0},
         {1.8e-5, 3.3e-5, 1.8e-5},
         1},
        {"smores_ep",
         "tilt_body",
         0.0411944,
         {0.034458 + 0.01888, 0, 0},
         {3.2e-5, 2.4e-5, 3.3e-5},
         -1},
        {"smores_ep",
         "front_wheel",
         0.031716,
         {0.07437 + 0.000657, 0, 0},
         {2.3e-5, 1.2e-5, 1.2e-5},
         1},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        SomM3l *m3l = som_test_library(facts[i].file);
        int link = som_module_type_find_link(&m3l->types[0], som_str(facts[i].link));
        ck_assert_int_ge(link, 0);
        const SomInertia *inertia = &m3l->types[0].links[link].inertia;
        double center[3] = {inertia->center.x, inertia->center.y, inertia->center.z};
        ck_assert_double_eq_tol(inertia->mass, facts[i].mass, 1e-12);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(center[k], facts[i].center[k], 1e-12);
            ck_assert_double_eq_tol(inertia->moments.m[k][k], facts[i].moments[k], 1e-15);
        }
        double friction = m3l->types[0].links[link].friction;
        ck_assert(facts[i].friction < 0 ? isnan(friction) : friction == facts[i].friction);
        som_m3l_destroy(m3l);
    }
}
END_TEST

START_TEST(joints_of_the_library_have_the_published_limits) {
    static const struct {
        const char *file, *type, *joint;
        double high, effort, speed;
    } facts[] = {
        {"smores", "SMORES", "front", HUGE_VAL, 2.3, 2.4086},
        {"smores", "SMORES", "left", HUGE_VAL, 1.2, 2.4086},
        {"smores", "SMORES", "right", HUGE_VAL, 1.2, 2.4086},
        {"smores", "SMORES", "bend", 1.5707963, 2.3, 2.4086},
        {"smores_ep", "SMORES-EP", "left", HUGE_VAL, 0.04, 1.5707963267948966},
        {"smores_ep", "SMORES-EP", "right", HUGE_VAL, 0.04, 1.5707963267948966},
        {"smores_ep", "SMORES-EP", "tilt", 1.5707963, 1.2, 1.5707963267948966},
        {"smores_ep", "SMORES-EP", "pan", HUGE_VAL, 0.1, 1.5707963267948966},
        {"gdut", "I", "joint", HUGE_VAL, 75, 1.1},
        {"gdut", "T", "joint", 2.07, 75, 1.047},
        {"gdut", "i", "joint", HUGE_VAL, 30, 1.29},
        {"gdut", "t", "joint", 2.09, 28, 2.09},
        {"ckbot", "UBar", "hinge", 1.5707963, 2, 1.57},
        {"mtran", "MTRAN", "joint_1", 1.5707963, 1.9, 1.57},
        {"atron", "ATRON", "center", HUGE_VAL, 5, 1.0466667},
        {"athlete", "leg", "hip_yaw", 2.0943951, 1000, 0.5},
        {"triathlete", "TriATHLETE", "limb3_hip_yaw", 2.0943951, 1000, 0.5},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        SomM3l *m3l = som_test_library(facts[i].file);
        const SomModuleType *type = som_m3l_find_type(m3l, som_str(facts[i].type));
        int j = som_module_type_find_joint(type, som_str(facts[i].joint), NULL);
        ck_assert_int_ge(j, 0);
        const SomModuleJoint *joint = &type->joints[j];
        if (isinf(facts[i].high)) {
            ck_assert(isinf(joint->high) && isinf(joint->low));
        } else {
            ck_assert_double_eq_tol(joint->high, facts[i].high, 1e-6);
            ck_assert_double_eq_tol(joint->low, -facts[i].high, 1e-6);
        }
        ck_assert_double_eq(joint->effort, facts[i].effort);
        ck_assert_double_eq(joint->speed, facts[i].speed);
        som_m3l_destroy(m3l);
    }
}
END_TEST

// Between the two faces, along the module.
START_TEST(lettered_modules_have_the_published_lengths) {
    static const struct {
        const char *type;
        double before, behind; // the joint
    } facts[] = {
        {"I", 0.12015, 0.0432}, {"T", 0.1466, 0.0934}, {"i", 0.137, 0}, {"t", 0.131, 0.0825}};
    SomM3l *m3l = som_test_library("gdut");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const SomModuleType *type = som_m3l_find_type(m3l, som_str(facts[i].type));
        int in = som_module_type_find_connector(type, SOM_STR("in"));
        int out = som_module_type_find_connector(type, SOM_STR("out"));
        double joint = type->joints[0].frame.position.y;
        ck_assert_double_eq_tol(joint - type->connectors[in].position.y, facts[i].before, 1e-12);
        ck_assert_double_eq_tol(type->connectors[out].position.y - joint, facts[i].behind, 1e-12);
    }
    const SomModuleType *gripper = som_m3l_find_type(m3l, SOM_STR("G"));
    const SomModuleFrame *tool =
        &gripper->frames[som_module_type_find_frame(gripper, SOM_STR("tcp"))];
    ck_assert_double_eq_tol(tool->pose.position.y - gripper->connectors[0].position.y, 0.17836,
                            1e-12);
    som_m3l_destroy(m3l);
}
END_TEST

START_TEST(no_file_of_the_library_is_forgotten) {
    SomArena arena = {0};
    const SomStr *names;
    int count = som_test_list("library/modules", ".m3l", &arena, &names);
    for (int i = 0; i < count; i++) {
        ck_assert_ptr_nonnull(som_test_module_files[i]);
        SomStr stem = som_str_slice(names[i], 0, names[i].length - strlen(".m3l"));
        ck_assert(som_str_equal(stem, som_str(som_test_module_files[i])));
    }
    ck_assert(count > 0 && som_test_module_files[count] == NULL);
    som_arena_free(&arena);
}
END_TEST

// Every file says where its figures come from before its first definition.
START_TEST(every_file_names_its_sources) {
    for (int f = 0; som_test_module_files[f] != NULL; f++) {
        SomText path = {0};
        som_text_printf(&path, "library/modules/%s.m3l", som_test_module_files[f]);
        SomStr text = som_test_source(path.data);
        const char *begin = strstr(text.data, "\nmodule ");
        ck_assert_ptr_nonnull(begin);
        SomStr head = som_str_slice(text, 0, (size_t)(begin - text.data));
        SomText copy = {0};
        som_text_add(&copy, head);
        ck_assert_msg(copy.data[0] == '#' &&
                          (strstr(copy.data, "ource") != NULL || strstr(copy.data, "/") != NULL ||
                           strstr(copy.data, "and others (") != NULL),
                      "%s names no source", path.data);
        som_text_free(&copy);
        som_text_free(&path);
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

SOM_SUITE("modules/library", the_library_reads_without_complaint,
          figures_of_the_library_are_the_published_ones, links_of_smores_weigh_what_the_models_say,
          joints_of_the_library_have_the_published_limits,
          lettered_modules_have_the_published_lengths, no_file_of_the_library_is_forgotten,
          every_file_names_its_sources, two_docked_triathletes_have_the_hips_of_an_athlete,
          lettered_modules_mate_either_way_round)
