// SPDX-License-Identifier: Apache-2.0
// Several values of a pose at once, and other names of poses: the text before and after.

#include "space/trigonometry.h"
#include "tests/compose/edited.h"

#define DEGREES(a) ((a)*SOM_PI / 180)

#define ROW                                                                                        \
    "use \"smores.m3l\"\n"                                                                         \
    "config Row {\n"                                                                               \
    "    part s[3] : SMORES\n"                                                                     \
    "    connect s[i].B to s[i+1].T for i in 1..2\n"

START_TEST(several_values_are_one_step) {
    static const char *const text = ROW "    pose low {\n"
                                        "        s[1].tilt = 10deg + 5deg # first\n"
                                        "        s[3].left = 2deg\n"
                                        "    }\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    const SomJointValue values[] = {{S("s[1].bend"), DEGREES(-20)},
                                    {S("s[2].bend"), DEGREES(12.5)},
                                    {S("s[2].left"), DEGREES(90)},
                                    {S("s[3].left"), DEGREES(0)}};
    bool done = som_design_set_values(d, S(""), S("low"), values, 4);
    test_edit_made(d, done, text,
                   ROW "    pose low {\n"
                       "        s[1].tilt = 20deg # first\n"
                       "        s[3].left = 0deg\n"
                       "        s[2].bend = 12.5deg\n"
                       "        s[2].left = 90deg\n"
                       "    }\n"
                       "}\n");
    d = test_edit_begin(text);
    done = som_design_set_values(d, S(""), S("all up"), values, 2);
    test_edit_made(d, done, text,
                   ROW "    pose low {\n"
                       "        s[1].tilt = 10deg + 5deg # first\n"
                       "        s[3].left = 2deg\n"
                       "    }\n"
                       "    pose \"all up\" {\n"
                       "        s[1].bend = -20deg\n"
                       "        s[2].bend = 12.5deg\n"
                       "    }\n"
                       "}\n");
}
END_TEST

START_TEST(values_behind_loops_are_said_again) {
    static const char *const text = ROW "    pose low { s[1].left = 1deg; s[i].left = 5deg for i "
                                        "in 1..3; s[2].left = 1deg }\n"
                                        "}\n";
    SomDesign *d = test_edit_begin(text);
    const SomJointValue values[] = {{S("s[1].left"), DEGREES(7)}, {S("s[2].left"), DEGREES(8)}};
    bool done = som_design_set_values(d, S(""), S("low"), values, 2);
    test_edit_made(d, done, text,
                   ROW "    pose low { s[1].left = 1deg; s[i].left = 5deg for i in 1..3; "
                       "s[2].left = 8deg; s[1].left = 7deg }\n"
                       "}\n");
}
END_TEST

START_TEST(a_pose_may_say_nothing) {
    static const char *const text = ROW "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_set_values(d, S(""), S("rest"), NULL, 0);
    test_edit_made(d, done, text, ROW "    pose rest { }\n}\n");
}
END_TEST

START_TEST(one_wrong_value_refuses_all) {
    static const char *const text = ROW "}\n";
    SomDesign *d = test_edit_begin(text);
    const SomJointValue unknown[] = {{S("s[1].left"), 0}, {S("s[4].left"), 0}};
    bool done = som_design_set_values(d, S(""), S("low"), unknown, 2);
    test_edit_refused(d, done, text, "SOM2602: 's[4].left' is no joint of this design that moves");
    d = test_edit_begin(text);
    const SomJointValue large[] = {{S("s[1].left"), 0}, {S("s[2].left"), 1e7}};
    done = som_design_set_values(d, S(""), S("low"), large, 2);
    test_edit_refused(d, done, text,
                      "SOM2602: the value of 's[2].left' is not finite, or too large");
}
END_TEST

START_TEST(a_pose_is_renamed_where_it_is_named) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config Leg {\n"
                                    "    part m : SMORES\n"
                                    "    pose low { m.tilt = 10deg } # this one\n"
                                    "    pose high { low; m.left = 5deg }\n"
                                    "    start low\n"
                                    "    behavior down = to pose low timeout 2s\n"
                                    "}\n"
                                    "config Robot {\n"
                                    "    part a, b : Leg\n"
                                    "    connect a.m.B to b.m.T\n"
                                    "    pose low { a.low; b.high; b.m.left = 1deg }\n"
                                    "    behavior go = series(a to pose low, to pose a.low,\n"
                                    "        to pose low, b.down)\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_rename_pose(d, S("Leg"), S("low"), S("far down"));
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Leg {\n"
                   "    part m : SMORES\n"
                   "    pose \"far down\" { m.tilt = 10deg } # this one\n"
                   "    pose high { \"far down\"; m.left = 5deg }\n"
                   "    start \"far down\"\n"
                   "    behavior down = to pose \"far down\" timeout 2s\n"
                   "}\n"
                   "config Robot {\n"
                   "    part a, b : Leg\n"
                   "    connect a.m.B to b.m.T\n"
                   "    pose low { a.\"far down\"; b.high; b.m.left = 1deg }\n"
                   "    behavior go = series(a to pose \"far down\", to pose a.\"far down\",\n"
                   "        to pose low, b.down)\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_rename_pose(d, S("Robot"), S("low"), S("down"));
    ck_assert_msg(done, "%s", test_edit_refusal(d).data);
    const char *after = som_document_text(som_design_document(d)).data;
    ck_assert_ptr_nonnull(strstr(after, "    pose down { a.low; b.high; b.m.left = 1deg }\n"));
    ck_assert_ptr_nonnull(strstr(after, "        to pose down, b.down)\n"));
    ck_assert_ptr_nonnull(strstr(after, "    start low\n"));
    som_design_destroy(d);
}
END_TEST

START_TEST(names_of_poses_are_their_own) {
    static const char *const text = ROW "    pose low { }\n    pose high { }\n}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_rename_pose(d, S(""), S("low"), S("high"));
    test_edit_refused(d, done, text, "SOM2603: there is a pose 'high' already");
    d = test_edit_begin(text);
    done = som_design_rename_pose(d, S(""), S("middle"), S("other"));
    test_edit_refused(d, done, text, "SOM2602: the design has no pose 'middle'");
    d = test_edit_begin(text);
    done = som_design_rename_pose(d, S(""), S("low"), S("s"));
    test_edit_refused(d, done, text, "SOM2603: there is a part 's' already");
    d = test_edit_begin(text);
    done = som_design_rename_pose(d, S(""), S("low"), S(""));
    test_edit_refused(d, done, text, "SOM2603: a name has at least one letter");
}
END_TEST

SOM_SUITE("compose/design_pose", several_values_are_one_step, values_behind_loops_are_said_again,
          a_pose_may_say_nothing, one_wrong_value_refuses_all, a_pose_is_renamed_where_it_is_named,
          names_of_poses_are_their_own)
