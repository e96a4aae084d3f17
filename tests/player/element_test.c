// SPDX-License-Identifier: Apache-2.0
// Tests for player/element.c.

#include "player/element.h"
#include "tests/player/played.h"

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof *(array)))

static const SomAttribute dof_attributes[] = {
    {"name", "leg.bend"}, {"joint", "leg_bend"}, {"kind", "prismatic"}, {"axis", "0 1\n0"},
    {"start", "0.5"},     {"low", "-1.5"},       {"high", "1.5e0"},     {"effort", "2.3"},
    {"speed", "2.4086"},  {"p", "7.5"},          {"d", "0.75"},         {"color", "red"}};

START_TEST(a_dof_is_read) {
    SomRobotDof dof;
    SomElementFault fault;
    ck_assert(som_element_read_dof(dof_attributes, COUNT(dof_attributes), &dof, &fault));
    ck_assert_str_eq(dof.name, "leg.bend");
    ck_assert_str_eq(dof.joint, "leg_bend");
    ck_assert(dof.is_prismatic);
    ck_assert_double_eq(dof.axis[1], 1);
    ck_assert_double_eq(dof.start, 0.5);
    ck_assert_double_eq(dof.drive.servo.low, -1.5);
    ck_assert_double_eq(dof.drive.servo.high, 1.5);
    ck_assert_double_eq(dof.gains[2], 0.75);
    ck_assert_double_eq(dof.drive.servo.most_speed, 2.4086);
    double force[3] = {1, 2, 3}, torque[3] = {4, 5, 6};
    ck_assert_double_eq(som_robot_dof_effort(&dof, force, torque), 2);
    SomAttribute locked[] = {{"name", "x"}, {"locked", "0.25"}};
    ck_assert(som_element_read_dof(locked, 2, &dof, &fault));
    ck_assert_ptr_null(dof.joint);
    ck_assert_double_eq(dof.start, 0.25);
}
END_TEST

START_TEST(every_bad_value_is_told_with_its_attribute) {
    const SomAttribute bad[] = {{"name", ""},      {"axis", "0 1"},     {"axis", "0 0 1 0"},
                                {"axis", "0 0 0"}, {"kind", "screw"},   {"axis", "0 0 2"},
                                {"start", "half"}, {"start", "1e10"},   {"low", "2"},
                                {"high", "nan"},   {"effort", "-1"},    {"speed", "-2"},
                                {"p", "inf"},      {"acceleration", ""}};
    for (int32_t i = 0; i < COUNT(bad); i++) {
        SomAttribute all[COUNT(dof_attributes) + 1] = {bad[i]}; // the first of a name counts
        memcpy(all + 1, dof_attributes, sizeof dof_attributes);
        SomRobotDof dof;
        SomElementFault fault;
        ck_assert_msg(!som_element_read_dof(all, COUNT(all), &dof, &fault), "%s", bad[i].value);
        ck_assert_str_eq(fault.attribute, bad[i].name);
        ck_assert_ptr_nonnull(fault.words);
    }
    SomRobotDof dof;
    SomElementFault fault;
    ck_assert(!som_element_read_dof(NULL, 0, &dof, &fault));
    ck_assert(!som_element_read_dof(dof_attributes, 1, &dof, &fault)); // neither joint nor lock
    ck_assert_str_eq(fault.attribute, "joint");
}
END_TEST

START_TEST(welds_bodies_and_traces_are_read) {
    SomElementFault fault;
    SomRobotWeld weld;
    SomAttribute dock[] = {{"name", "w"},      {"dock", "ends"},   {"state", "open"},
                           {"parent", "a"},    {"child", "b"},     {"position", "0 0 0.1"},
                           {"closing", "0.5"}, {"reach", "0.005"}, {"quaternion_xyzw", "1 0 0 0"}};
    ck_assert(som_element_read_weld(dock, COUNT(dock), &weld, &fault));
    ck_assert_int_eq(weld.state, SOM_DOCK_OPEN);
    ck_assert_double_eq(weld.place.position[2], 0.1);
    ck_assert_double_eq(weld.place.rotation[2][2], -1);
    ck_assert_double_eq(weld.model.closing, 0.5);
    ck_assert(!som_element_read_weld(dock, 4, &weld, &fault)); // a parent without a child
    dock[2].value = "ajar";
    ck_assert(!som_element_read_weld(dock, COUNT(dock), &weld, &fault));
    dock[2].value = "closed";
    dock[8].value = "1 0 0 1";
    ck_assert(!som_element_read_weld(dock, COUNT(dock), &weld, &fault));
    ck_assert_str_eq(fault.attribute, "quaternion_xyzw");
    dock[8].value = "0.99 0 0 0";
    ck_assert(!som_element_read_weld(dock, COUNT(dock), &weld, &fault));
    SomAttribute still[] = {{"name", "k"}, {"dock", "k"}, {"state", "closed"}};
    ck_assert(som_element_read_weld(still, 3, &weld, &fault));
    ck_assert_int_eq(weld.state, SOM_DOCK_CLOSED);
    SomRobotBody body;
    SomAttribute base[] = {{"link", "a"}, {"mass", "2"}, {"base", "1 2 3 0 0 0 1"}};
    ck_assert(som_element_read_body(base, 3, &body, &fault));
    ck_assert(body.is_base);
    ck_assert_double_eq(body.base.position[2], 3);
    ck_assert(!som_element_read_body(base + 1, 2, &body, &fault));
    SomRobotTrace trace;
    SomAttribute every[] = {{"file", "a.csv"}, {"every", "0"}};
    ck_assert(som_element_read_trace(every, 1, &trace, &fault));
    ck_assert_double_eq(trace.every, 0.01);
    ck_assert(!som_element_read_trace(every, 2, &trace, &fault));
}
END_TEST

START_TEST(limits_of_falls_are_read) {
    SomAttribute given[] = {{"lean", "1.5"}, {"friction", "0.6"}, {"rolling", "-1"}};
    SomElementFault fault;
    SomFallLimits fall = som_fall_limits();
    ck_assert(som_element_read_physics(given, 2, &fall, &fault));
    ck_assert_double_eq(fall.lean, 1.5);
    ck_assert_double_eq(fall.rolling, SOM_FALL_ROLLING);
    ck_assert(!som_element_read_physics(given, 3, &fall, &fault));
    ck_assert_str_eq(fault.attribute, "rolling");
}
END_TEST

START_TEST(the_graph_must_be_of_this_robot) {
    Played p;
    played_init(&p, "parallel position 0 1 wait until ( contact 1 ) end");
    SomRobotDof dofs[2] = {{.name = "a", .joint = "x"}, {.name = "b"}};
    SomRobotWeld welds[2] = {{.dock = "l"}, {.dock = "k"}};
    const char *contacts[] = {"right", "left"};
    int32_t contact_of[2];
    SomElement element = {&p.graph, dofs, 2, welds, 2, contacts, 2};
    SomElementFault fault;
    ck_assert(som_element_bind(&element, contact_of, &fault));
    ck_assert_int_eq(contact_of[0], 1);
    ck_assert_int_eq(contact_of[1], 0);
    ck_assert_int_eq(welds[0].index, 1);
    ck_assert_int_eq(welds[1].index, 0);
    welds[0].dock = NULL;
    ck_assert(!som_element_bind(&element, contact_of, &fault));
    ck_assert_str_eq(fault.attribute, "l");
    welds[0].dock = "l";
    contacts[1] = "up";
    ck_assert(!som_element_bind(&element, contact_of, &fault));
    ck_assert_str_eq(fault.attribute, "left");
    contacts[1] = "left";
    dofs[0].joint = NULL; // locked, but moved
    ck_assert(!som_element_bind(&element, contact_of, &fault));
    ck_assert_str_eq(fault.attribute, "a");
    dofs[0].name = "c";
    ck_assert(!som_element_bind(&element, contact_of, &fault));
    element.dof_count = 1;
    ck_assert(!som_element_bind(&element, contact_of, &fault));
    played_free(&p);
}
END_TEST

START_TEST(pieces_of_a_shape_are_known_by_their_names) {
    const char *const pieces[] = {"leg", "leg_box", "leg_ball_1", "leg_ball_12", "leg_end_2"};
    const char *const others[] = {"le", "leg2", "leg_ball_", "leg_ball_1a", "leg_boxes", "xleg"};
    for (int i = 0; i < 5; i++) {
        ck_assert_msg(som_element_is_piece(pieces[i], "leg"), "%s", pieces[i]);
    }
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(!som_element_is_piece(others[i], "leg"), "%s", others[i]);
    }
}
END_TEST

SOM_SUITE("player/element", a_dof_is_read, every_bad_value_is_told_with_its_attribute,
          welds_bodies_and_traces_are_read, limits_of_falls_are_read,
          the_graph_must_be_of_this_robot, pieces_of_a_shape_are_known_by_their_names)
