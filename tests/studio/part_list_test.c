// Tests for studio/part_list.c and studio/joint_item.c: the rows of lists, without a display.

// SPDX-License-Identifier: Apache-2.0

#include "space/trigonometry.h"
#include "studio/joint_item.h"
#include "studio/part_list.h"
#include "tests/compose/texts.h"

static const char *const robot = "use \"chain6.som\"\n"
                                 "config Robot {\n"
                                 "    part body : Chain6\n"
                                 "    part leg[2] : Chain3\n"
                                 "    connect leg[1].head.L to body.front.middle.L at 270deg\n"
                                 "    connect leg[2].head.R to body.front.middle.R at 90deg\n"
                                 "}\n";

// "body leg[1] leg[2]"
static void check_list(GListStore *list, const char *expected) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list)); i++) {
        g_autoptr(SomPartRow) row = g_list_model_get_item(G_LIST_MODEL(list), i);
        g_string_append_printf(text, "%s%s", i > 0 ? " " : "", som_part_row_place(row));
    }
    ck_assert_str_eq(text->str, expected);
    g_string_free(text, TRUE);
    g_object_unref(list);
}

START_TEST(a_list_holds_one_level_of_parts) {
    TestDesign design = test_design(robot);
    SomConfiguration *c = test_compose(&design, "");
    check_list(som_part_list_parts(c, 0), "body leg[1] leg[2]");
    int leg = som_configuration_find_part(c, SOM_STR("leg[2]"));
    check_list(som_part_list_parts(c, leg), "leg[2].head leg[2].middle leg[2].tail");
    int head = som_configuration_find_part(c, SOM_STR("leg[2].head"));
    check_list(som_part_list_parts(c, head), "");
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(a_row_says_what_it_is_and_outlives_its_configuration) {
    TestDesign design = test_design(robot);
    SomConfiguration *c = test_compose(&design, "");
    g_autoptr(SomPartRow) whole = som_part_row_new(c, 0);
    int leg = som_configuration_find_part(c, SOM_STR("leg[2]"));
    g_autoptr(SomPartRow) part = som_part_row_new(c, leg);
    g_autoptr(SomPartRow) module = som_part_row_new(c, leg + 1);
    som_configuration_destroy(c);
    test_design_free(&design);
    ck_assert_str_eq(som_part_row_words(whole), "Robot, configuration of 12 modules");
    ck_assert_str_eq(som_part_row_words(part), "leg[2], Chain3 of 3 modules");
    ck_assert_str_eq(som_part_row_words(module), "head, module of type Module");
    ck_assert_str_eq(som_part_row_kind(part), "Chain3");
    ck_assert_str_eq(som_part_row_place(module), "leg[2].head");
    ck_assert_int_eq(som_part_row_part(part), leg);
    ck_assert(som_part_row_has_parts(part) && !som_part_row_has_parts(module));
}
END_TEST

START_TEST(a_search_finds_places_and_kinds_in_any_case) {
    TestDesign design = test_design(robot);
    SomConfiguration *c = test_compose(&design, "");
    check_list(som_part_list_matches(c, "LEG[1]"), "leg[1] leg[1].head leg[1].middle leg[1].tail");
    check_list(som_part_list_matches(c, "chain6"), "body");
    check_list(som_part_list_matches(c, "front.h"), "body.front.head");
    check_list(som_part_list_matches(c, "wheel"), "");
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(joints_are_shown_in_degrees_with_their_limits) {
    TestDesign design = test_design(robot);
    SomConfiguration *c = test_compose(&design, "");
    int head = som_configuration_find_part(c, SOM_STR("leg[2].head"));
    g_autoptr(GListStore) joints = som_joint_list_of(c, head);
    ck_assert_uint_eq(g_list_model_get_n_items(G_LIST_MODEL(joints)), 4);
    g_autoptr(SomJointItem) wheel = g_list_model_get_item(G_LIST_MODEL(joints), 1);
    ck_assert_str_eq(wheel->name, "left");
    ck_assert_str_eq(wheel->words, "Without limits; also called Left_wheel_hinge");
    ck_assert_double_eq(wheel->low, -360);
    g_autoptr(SomJointItem) bend = g_list_model_get_item(G_LIST_MODEL(joints), 3);
    ck_assert_str_eq(bend->place, "leg[2].head.bend");
    ck_assert_str_eq(bend->words, "-90° to 90°; also called Center_hinge, tilt (counts the other "
                                  "way)");
    ck_assert_double_eq_tol(bend->low, -90, 1e-12);
    ck_assert_double_eq_tol(som_joint_item_from_screen(bend, 45), SOM_PI / 4, 1e-15);
    ck_assert_double_eq_tol(som_joint_item_to_screen(bend, SOM_PI / 4), 45, 1e-13);
    int leg = som_configuration_find_part(c, SOM_STR("leg[2]"));
    g_autoptr(GListStore) all = som_joint_list_of(c, leg);
    g_autoptr(SomJointItem) last = g_list_model_get_item(G_LIST_MODEL(all), 11);
    ck_assert_str_eq(last->name, "tail.bend");
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

START_TEST(slides_are_shown_in_millimetres) {
    TestDesign design = test_design("use \"gdut.m3l\"\nconfig One { part g : G }\n");
    SomConfiguration *c = test_compose(&design, "");
    g_autoptr(GListStore) joints = som_joint_list_of(c, 0);
    g_autoptr(SomJointItem) slide = g_list_model_get_item(G_LIST_MODEL(joints), 0);
    ck_assert(slide->slides && slide->has_limits);
    ck_assert_str_eq(slide->name, "g.close1");
    ck_assert_str_eq(slide->words, "0 mm to 40 mm");
    ck_assert_str_eq(som_joint_item_unit(slide), "mm");
    ck_assert_double_eq_tol(som_joint_item_from_screen(slide, 12.5), 0.0125, 1e-15);
    som_configuration_destroy(c);
    test_design_free(&design);
}
END_TEST

SOM_SUITE("studio/part_list", a_list_holds_one_level_of_parts,
          a_row_says_what_it_is_and_outlives_its_configuration,
          a_search_finds_places_and_kinds_in_any_case,
          joints_are_shown_in_degrees_with_their_limits, slides_are_shown_in_millimetres)
