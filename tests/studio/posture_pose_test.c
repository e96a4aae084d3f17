// Tests for studio/posture_pose.c: joints as they are, kept in poses, and shown again.

// SPDX-License-Identifier: Apache-2.0

#include "space/trigonometry.h"
#include "studio/posture_pose.h"
#include "tests/compose/texts.h"

#define DEGREES(a) ((a)*SOM_PI / 180)

#define PAIR                                                                                       \
    "use \"smores.m3l\"\n"                                                                         \
    "config Pair {\n"                                                                              \
    "    part a, b : SMORES\n"                                                                     \
    "    connect a.B to b.T\n"
#define LOW "    pose low { a.tilt = 10deg; b.left = 20deg } # low\n"

static SomProject *begin(const char *text) {
    SomProject *project = som_project_create(som_str(test_library));
    som_project_set_text(project, som_str(text));
    ck_assert(!som_project_is_stale(project));
    return project;
}

static void move(SomProject *project, const char *joint, double degrees) {
    const SomConfiguration *c = som_project_model(project)->configuration;
    int dof = som_configuration_find_dof(c, som_str(joint), NULL);
    ck_assert_int_ge(dof, 0);
    som_project_move(project, dof, DEGREES(degrees));
}

static double value_of(SomProject *project, const char *joint) {
    const SomModel *model = som_project_model(project);
    int dof = som_configuration_find_dof(model->configuration, som_str(joint), NULL);
    return model->posture.values[dof] * 180 / SOM_PI;
}

static void check_text(SomProject *project, const char *expected) {
    SomText text = {0};
    som_text_add(&text, som_project_text(project));
    ck_assert_str_eq(text.data, expected);
    som_text_free(&text);
}

static int find_pose(SomProject *project, const char *name) {
    int pose =
        som_configuration_find_pose(som_project_model(project)->configuration, som_str(name));
    ck_assert_int_ge(pose, 0);
    return pose;
}

START_TEST(what_was_moved_is_kept_in_a_new_pose) {
    SomProject *project = begin(PAIR "}\n");
    move(project, "b.bend", -12.5);
    move(project, "a.front", 30);
    check_text(project, PAIR "}\n"); // moving is no edit
    ck_assert(som_project_keep(project, 0, SOM_STR("bent over")));
    check_text(project, PAIR "    pose \"bent over\" {\n"
                             "        a.front = 30deg\n"
                             "        b.bend = -12.5deg\n"
                             "    }\n"
                             "}\n");
    ck_assert_double_eq_tol(value_of(project, "b.bend"), -12.5, 1e-9);
    ck_assert(som_project_pose_is_shown(project, find_pose(project, "\"bent over\"")));
    ck_assert(som_project_undo(project));
    check_text(project, PAIR "}\n");
    som_project_destroy(project);
}
END_TEST

START_TEST(a_pose_that_is_there_gets_only_what_differs) {
    SomProject *project = begin(PAIR LOW "}\n");
    som_project_show_pose(project, find_pose(project, "low"));
    ck_assert_double_eq_tol(value_of(project, "a.bend"), -10, 1e-9);
    move(project, "b.left", 25);
    ck_assert(!som_project_pose_is_shown(project, find_pose(project, "low")));
    ck_assert(som_project_keep(project, 0, SOM_STR("low")));
    check_text(project, PAIR "    pose low { a.tilt = 10deg; b.left = 25deg } # low\n}\n");
    ck_assert(som_project_keep(project, 0, SOM_STR("low"))); // nothing more to say
    ck_assert(som_project_undo(project));
    check_text(project, PAIR LOW "}\n");
    som_project_destroy(project);
}
END_TEST

START_TEST(a_new_pose_says_what_others_say_so_that_it_can_be_gone_back_to) {
    SomProject *project = begin(PAIR LOW "}\n");
    move(project, "a.front", 5);
    ck_assert(som_project_keep(project, 0, SOM_STR("high")));
    check_text(project, PAIR LOW "    pose high {\n"
                                 "        a.front = 5deg\n"
                                 "        a.bend = 0deg\n"
                                 "        b.left = 0deg\n"
                                 "    }\n"
                                 "}\n");
    som_project_destroy(project);
}
END_TEST

START_TEST(the_joints_of_one_part_are_kept_alone) {
    SomProject *project = begin(PAIR "}\n");
    move(project, "a.left", 5);
    move(project, "b.left", 6);
    int b = som_configuration_find_part(som_project_model(project)->configuration, SOM_STR("b"));
    ck_assert(som_project_keep(project, b, SOM_STR("turned")));
    check_text(project, PAIR "    pose turned {\n        b.left = 6deg\n    }\n}\n");
    som_project_destroy(project);
}
END_TEST

START_TEST(a_pose_is_shown_from_wherever_joints_are) {
    SomProject *project = begin(PAIR LOW "    pose high { a.tilt = -5deg }\n    start high\n}\n");
    move(project, "b.front", 77);
    som_project_show_pose(project, find_pose(project, "low"));
    ck_assert_double_eq(value_of(project, "b.front"), 0);
    ck_assert_double_eq_tol(value_of(project, "b.left"), 20, 1e-9);
    som_project_show_pose(project, find_pose(project, "high"));
    ck_assert_double_eq(value_of(project, "b.left"), 0);
    ck_assert_double_eq_tol(value_of(project, "a.bend"), 5, 1e-9);
    ck_assert(som_project_pose_is_own(project, find_pose(project, "high")));
    som_project_destroy(project);
}
END_TEST

static unsigned told;

static void listen_to(void *context, unsigned changes) {
    (void)context;
    told |= changes;
}

START_TEST(what_is_no_name_is_refused) {
    SomProject *project = begin(PAIR "}\n");
    som_project_listen(project, listen_to, NULL);
    told = 0;
    ck_assert(!som_project_keep(project, 0, SOM_STR("")));
    ck_assert_uint_eq(told, SOM_PROJECT_REFUSAL);
    check_text(project, PAIR "}\n");
    som_project_destroy(project);
    project = som_project_create(som_str(test_library)); // of no design
    ck_assert(!som_project_keep(project, 0, SOM_STR("low")));
    som_project_destroy(project);
}
END_TEST

SOM_SUITE("studio/posture_pose", what_was_moved_is_kept_in_a_new_pose,
          a_pose_that_is_there_gets_only_what_differs,
          a_new_pose_says_what_others_say_so_that_it_can_be_gone_back_to,
          the_joints_of_one_part_are_kept_alone, a_pose_is_shown_from_wherever_joints_are,
          what_is_no_name_is_refused)
