// SPDX-License-Identifier: Apache-2.0
// Parts, names, poses and configs: the text before and after, byte by byte, or why it is refused.

#include "compose/diff.h"
#include "space/trigonometry.h"
#include "tests/compose/edited.h"

#include <math.h>

START_TEST(a_part_is_added_with_its_connection) {
    SomDesign *d = test_edit_begin(test_edit_robot);
    bool done = som_design_add_part(d, S(""),
                                    &(SomPartAddition){.reference = S("Chain3"),
                                                       .name = S("tail"),
                                                       .own = S("head.T"),
                                                       .to = S("body.rear.tail.B"),
                                                       .mating = test_edit_degrees(0)});
    SomText after = {0};
    som_text_add(&after, som_str(test_edit_robot));
    const char *at = strstr(test_edit_robot, "    connect left");
    som_text_clear(&after);
    som_text_add(&after, (SomStr){test_edit_robot, (size_t)(at - test_edit_robot)});
    som_text_add(&after, S("    part tail : Chain3\n"));
    const char *behind = strstr(test_edit_robot, "\n    # Both");
    som_text_add(&after, (SomStr){at, (size_t)(behind - at)});
    som_text_add(&after, S("    connect tail.head.T to body.rear.tail.B\n"));
    som_text_add(&after, som_str(behind));
    test_edit_made(d, done, test_edit_robot, after.data);
    som_text_free(&after);

    d = test_edit_begin(test_edit_robot); // from a file that is not used yet, in the library
    done = som_design_add_part(d, S("Robot"),
                               &(SomPartAddition){.reference = S("Snake(n = 2)"),
                                                  .file = S("snake.som"),
                                                  .own = S("s[1].head.T"),
                                                  .to = S("body.rear.tail.B"),
                                                  .mating = test_edit_degrees(90)});
    ck_assert_msg(done, "%s", test_edit_refusal(d).data);
    ck_assert(som_str_equal(som_design_new_name(d), S("snake")));
    const char *text = som_document_text(som_design_document(d)).data;
    ck_assert_ptr_nonnull(strstr(text, "use \"chain6.som\" # the body\nuse \"snake.som\"\n\n# It"));
    ck_assert_ptr_nonnull(strstr(text, "# legs\n    part snake : Snake(n = 2)\n    connect left"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n    connect snake.s[1].head.T to body.rear.tail.B at 90deg\n\n"));
    som_design_destroy(d);
}
END_TEST

START_TEST(a_design_begins_with_an_empty_text) {
    SomDesign *d = test_edit_begin("");
    bool done = som_design_add_config(d, S("Mine"), S("SMORES"), S("smores.m3l"));
    test_edit_made(d, done, "",
                   "use \"smores.m3l\"\n"
                   "\n"
                   "config Mine {\n"
                   "    part smores : SMORES\n"
                   "}\n");
    d = test_edit_begin("use \"smores.m3l\"\r\n");
    done = som_design_add_config(d, S("Mine"), S("SMORES"), S(""));
    test_edit_made(d, done, "use \"smores.m3l\"\r\n",
                   "use \"smores.m3l\"\r\n"
                   "\r\n"
                   "config Mine {\r\n"
                   "    part smores : SMORES\r\n"
                   "}\r\n");
    const char *one = "config A is SMORES { }\nuse \"smores.m3l\"\n";
    d = test_edit_begin(one);
    done = som_design_add_config(d, S("B"), S("A"), S("robot.som"));
    test_edit_made(d, done, one,
                   "config A is SMORES { }\n"
                   "use \"smores.m3l\"\n"
                   "\n"
                   "config B {\n"
                   "    part a : A\n"
                   "}\n");
    const char *bare = "# mine\n\nlet a = 3\n";
    d = test_edit_begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S("chain3.som"));
    test_edit_made(d, done, bare,
                   "# mine\n\nuse \"chain3.som\"\n\nlet a = 3\n"
                   "\n"
                   "config B {\n"
                   "    part chain3 : Chain3\n"
                   "}\n");
    d = test_edit_begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S(""));
    test_edit_refused(d, done, bare, "SOM2602: no file that is used defines 'Chain3'");
    d = test_edit_begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S("chain33.som"));
    test_edit_refused(d, done, bare,
                      "SOM2602: 'chain33.som' is neither beside this file nor in the library");
    d = test_edit_begin(test_edit_robot);
    done = som_design_add_config(d, S("Robot"), S("Chain3"), S(""));
    test_edit_refused(d, done, test_edit_robot, "SOM2603: there is a config 'Robot' already");
}
END_TEST

static const char *const small = "use \"smores.m3l\"\r\n"
                                 "config Small {\r\n"
                                 "\tpart a, b : SMORES\r\n"
                                 "\tconnect a.B to b.T\r\n"
                                 "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                                 "}\r\n";

START_TEST(other_line_ends_and_tabs_are_kept) {
    SomDesign *d = test_edit_begin(small);
    bool done = som_design_add_part(d, S(""),
                                    &(SomPartAddition){.reference = S("SMORES"),
                                                       .name = S("b"),
                                                       .own = S("T"),
                                                       .to = S("b.B"),
                                                       .mating = test_edit_degrees(90)});
    test_edit_made(d, done, small,
                   "use \"smores.m3l\"\r\n"
                   "config Small {\r\n"
                   "\tpart a, b : SMORES\r\n"
                   "\tpart b2 : SMORES\r\n"
                   "\tconnect a.B to b.T\r\n"
                   "\tconnect b2.T to b.B at 90deg\r\n"
                   "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                   "}\r\n");
    d = test_edit_begin(small);
    done = som_design_duplicate_part(d, S(""), S("b"),
                                     &(SomPartAddition){.own = S("T"), .to = S("b.B")});
    test_edit_made(d, done, small,
                   "use \"smores.m3l\"\r\n"
                   "config Small {\r\n"
                   "\tpart a, b : SMORES\r\n"
                   "\tpart b2 : SMORES\r\n"
                   "\tconnect a.B to b.T\r\n"
                   "\tconnect b2.T to b.B\r\n"
                   "\tpose low { b.tilt = 10deg; b2.tilt = 10deg; a.left = 20deg }\r\n"
                   "}\r\n");
    d = test_edit_begin(small);
    done = som_design_set_value(d, S(""), S("high"), S("a.tilt"), SOM_PI / 6);
    test_edit_made(d, done, small,
                   "use \"smores.m3l\"\r\n"
                   "config Small {\r\n"
                   "\tpart a, b : SMORES\r\n"
                   "\tconnect a.B to b.T\r\n"
                   "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                   "\tpose high {\r\n"
                   "\t    a.tilt = 30deg\r\n"
                   "\t}\r\n"
                   "}\r\n");
    d = test_edit_begin(small);
    done = som_design_remove_part(d, S(""), S("b"), false);
    test_edit_made(d, done, small,
                   "use \"smores.m3l\"\r\n"
                   "config Small {\r\n"
                   "\tpart a : SMORES\r\n"
                   "\tpose low { a.left = 20deg }\r\n"
                   "}\r\n");
}
END_TEST

START_TEST(a_part_is_replaced_by_another_with_the_same_names) {
    SomDesign *d = test_edit_begin(test_edit_robot);
    bool done = som_design_replace_part(d, S(""), S("left"), S("Snake(n = 1)"), S("snake.som"));
    test_edit_refused(d, done, test_edit_robot,
                      "SOM2607: this cannot be done: 'left' has no part 'head'");
    static const char *const two = "use \"chain6.som\"\n"
                                   "config Other {\n"
                                   "    part head : Module\n"
                                   "    part tail : Module\n"
                                   "    connect head.B to tail.T\n"
                                   "}\n"
                                   "config Robot {\n"
                                   "    part a, b, c : Chain3 # all\n"
                                   "    part d[2] : Chain3\n"
                                   "    connect a.tail.B to b.head.T\n"
                                   "    connect b.tail.B to c.head.T\n"
                                   "    connect a.head.L to d[1].head.T\n"
                                   "    connect a.head.R to d[2].head.T\n"
                                   "}\n";
    d = test_edit_begin(two);
    done = som_design_replace_part(d, S("Robot"), S("b"), S("Other"), S(""));
    test_edit_made(d, done, two,
                   "use \"chain6.som\"\n"
                   "config Other {\n"
                   "    part head : Module\n"
                   "    part tail : Module\n"
                   "    connect head.B to tail.T\n"
                   "}\n"
                   "config Robot {\n"
                   "    part a, c : Chain3 # all\n"
                   "    part b : Other\n"
                   "    part d[2] : Chain3\n"
                   "    connect a.tail.B to b.head.T\n"
                   "    connect b.tail.B to c.head.T\n"
                   "    connect a.head.L to d[1].head.T\n"
                   "    connect a.head.R to d[2].head.T\n"
                   "}\n");
    d = test_edit_begin(two);
    done = som_design_replace_part(d, S("Robot"), S("d[1]"), S("Other"), S(""));
    test_edit_refused(
        d, done, two,
        "SOM2604: 'd[1]' is one of the array 'd[2]' in line 9; all of it is replaced, or "
        "nothing");
    d = test_edit_begin(two);
    done = som_design_replace_part(d, S("Robot"), S("d"), S("Other"), S(""));
    ck_assert(done);
    ck_assert_ptr_nonnull(
        strstr(som_document_text(som_design_document(d)).data, "part d[2] : Other\n"));
    som_design_destroy(d);
}
END_TEST

START_TEST(other_configs_of_the_file_must_compose_too) {
    static const char *const text = "use \"chain3.som\"\n"
                                    "config A { part m : Chain3 }\n"
                                    "config B {\n"
                                    "    part a : A\n"
                                    "    pose p { a.m.head.tilt = 1deg }\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_replace_part(d, S("A"), S("m"), S("SMORES"), S("smores.m3l"));
    test_edit_refused(d, done, text,
                      "SOM2607: this cannot be done: 'a.m' is a module and has no parts");
}
END_TEST

START_TEST(a_part_is_renamed_wherever_it_is_named) {
    static const char *const text =
        "use \"chain3.som\"\n"
        "config Robot {\n"
        "    part leg, arm : Chain3\n"
        "    let leg = 3deg # another leg\n"
        "    connect leg.head.L to arm.head.L\n"
        "    dock grip: leg.tail.B to arm.tail.B open\n"
        "    pose low { leg.leg; leg.head.left = leg*2 }\n"
        "    base leg.head on ground\n"
        "    behavior leg = series(leg.drive(1mm/s, 1s), hold leg.head)\n"
        "    behavior up = series(leg to pose leg,\n"
        "        leg.head.tilt to leg until effort(leg.head.tilt) > 1Nm,\n"
        "        connect leg.tail.B to arm.tail.B)\n"
        "}\n"
        "config Two {\n"
        "    part leg : Robot # of a leg\n"
        "    pose low { leg.leg.leg; leg.low }\n"
        "    behavior go = series(leg.up, leg.leg.drive(1mm/s, 1s))\n"
        "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_rename_part(d, S(""), S("leg"), S("left leg"));
    test_edit_made(
        d, done, text,
        "use \"chain3.som\"\n"
        "config Robot {\n"
        "    part \"left leg\", arm : Chain3\n"
        "    let leg = 3deg # another leg\n"
        "    connect \"left leg\".head.L to arm.head.L\n"
        "    dock grip: \"left leg\".tail.B to arm.tail.B open\n"
        "    pose low { \"left leg\".leg; \"left leg\".head.left = leg*2 }\n"
        "    base \"left leg\".head on ground\n"
        "    behavior leg = series(\"left leg\".drive(1mm/s, 1s), hold \"left leg\".head)\n"
        "    behavior up = series(\"left leg\" to pose leg,\n"
        "        \"left leg\".head.tilt to leg until effort(\"left leg\".head.tilt) > 1Nm,\n"
        "        connect \"left leg\".tail.B to arm.tail.B)\n"
        "}\n"
        "config Two {\n"
        "    part leg : Robot # of a leg\n"
        "    pose low { leg.\"left leg\".leg; leg.low }\n"
        "    behavior go = series(leg.up, leg.\"left leg\".drive(1mm/s, 1s))\n"
        "}\n");
    d = test_edit_begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S("arm"));
    test_edit_refused(d, done, text, "SOM2603: there is a part 'arm' already");
    d = test_edit_begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S(""));
    test_edit_refused(d, done, text, "SOM2603: a name has at least one letter");
    d = test_edit_begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S("a\nb"));
    test_edit_refused(d, done, text, "SOM2603: 'a\nb' cannot be a name");
    d = test_edit_begin(text);
    done = som_design_rename_part(d, S("Two"), S("leg"), S("r"));
    ck_assert(done);
    ck_assert_ptr_nonnull(strstr(som_document_text(som_design_document(d)).data,
                                 "    part r : Robot # of a leg\n"
                                 "    pose low { r.leg.leg; r.low }\n"
                                 "    behavior go = series(r.up, r.leg.drive(1mm/s, 1s))\n"));
    som_design_destroy(d);
}
END_TEST

START_TEST(values_of_poses_are_set_and_taken_away) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config Row {\n"
                                    "    part s[3] : SMORES\n"
                                    "    connect s[i].B to s[i+1].T for i in 1..2\n"
                                    "    pose low {\n"
                                    "        s[1].tilt = 10deg + 5deg # first\n"
                                    "        s[i].left = 5deg for i in 1..3\n"
                                    "    }\n"
                                    "    pose high { low; s[2].left = 1deg }\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_set_value(d, S(""), S("high"), S("s[2].left"), 30 * SOM_PI / 180);
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Row {\n"
                   "    part s[3] : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..2\n"
                   "    pose low {\n"
                   "        s[1].tilt = 10deg + 5deg # first\n"
                   "        s[i].left = 5deg for i in 1..3\n"
                   "    }\n"
                   "    pose high { low; s[2].left = 30deg }\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_set_value(d, S(""), S("low"), S("s[2].left"), 30 * SOM_PI / 180);
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Row {\n"
                   "    part s[3] : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..2\n"
                   "    pose low {\n"
                   "        s[1].tilt = 10deg + 5deg # first\n"
                   "        s[i].left = 5deg for i in 1..3\n"
                   "        s[2].left = 30deg\n"
                   "    }\n"
                   "    pose high { low; s[2].left = 1deg }\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_clear_value(d, S(""), S("low"), S("s[2].left"));
    test_edit_refused(d, done, text, "SOM2604: 's[2].left' comes from the loop in line 7");
    d = test_edit_begin(text);
    done = som_design_clear_value(d, S(""), S("high"), S("s[1].left"));
    test_edit_refused(d, done, text, "SOM2604: 's[1].left' is taken over in line 9");
    d = test_edit_begin(text);
    done = som_design_clear_value(d, S(""), S("low"), S("s[1].bend"));
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Row {\n"
                   "    part s[3] : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..2\n"
                   "    pose low {\n"
                   "        s[i].left = 5deg for i in 1..3\n"
                   "    }\n"
                   "    pose high { low; s[2].left = 1deg }\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_set_start(d, S(""), S("high"));
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Row {\n"
                   "    part s[3] : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..2\n"
                   "    pose low {\n"
                   "        s[1].tilt = 10deg + 5deg # first\n"
                   "        s[i].left = 5deg for i in 1..3\n"
                   "    }\n"
                   "    pose high { low; s[2].left = 1deg }\n"
                   "    start high\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_remove_pose(d, S(""), S("low"));
    test_edit_refused(d, done, text, "SOM2607: this cannot be done: 'Row' has no pose 'low'");
    d = test_edit_begin(text);
    done = som_design_set_start(d, S(""), S("middle"));
    test_edit_refused(d, done, text, "SOM2602: the design has no pose 'middle'");
    d = test_edit_begin(text);
    done = som_design_set_value(d, S(""), S("low"), S("s[4].left"), 0);
    test_edit_refused(d, done, text, "SOM2602: 's[4].left' is no joint of this design that moves");
}
END_TEST

START_TEST(an_entry_keeps_the_name_of_its_joint) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config One {\n"
                                    "    part m : SMORES\n"
                                    "    pose low { m.tilt = 10deg }\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_set_value(d, S(""), S("low"), S("m.bend"), 30 * SOM_PI / 180);
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config One {\n"
                   "    part m : SMORES\n"
                   "    pose low { m.tilt = -30deg }\n"
                   "}\n");
}
END_TEST

START_TEST(the_base_is_placed) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config Pair {\n"
                                    "    part a, b : SMORES\n"
                                    "    connect a.B to b.T\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_set_base(
        d, S(""),
        &(SomBaseSetting){
            .module = S("b"), .frame = S("lab"), .is_on_ground = true, .turn = {0, 0, SOM_PI / 2}});
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Pair {\n"
                   "    part a, b : SMORES\n"
                   "    connect a.B to b.T\n"
                   "    base b frame lab on ground turned (0deg, 0deg, 90deg)\n"
                   "}\n");
    static const char *const based = "use \"smores.m3l\"\n"
                                     "config Pair {\n"
                                     "    part a, b : SMORES\n"
                                     "    base a on ground # here\n"
                                     "    connect a.B to b.T\n"
                                     "}\n";
    d = test_edit_begin(based);
    done = som_design_set_base(d, S(""),
                               &(SomBaseSetting){.module = S("b"), .position = {0.1, 0, 0.25}});
    test_edit_made(d, done, based,
                   "use \"smores.m3l\"\n"
                   "config Pair {\n"
                   "    part a, b : SMORES\n"
                   "    base b at (100mm, 0mm, 250mm) # here\n"
                   "    connect a.B to b.T\n"
                   "}\n");
    d = test_edit_begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){0});
    test_edit_made(d, done, based, text);
    d = test_edit_begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){.module = S("c")});
    test_edit_refused(d, done, based, "SOM2602: 'c' is no module of this design");
    d = test_edit_begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){.module = S("a"), .frame = S("x")});
    test_edit_refused(d, done, based, "SOM2602: 'a' has no frame 'x'");
    d = test_edit_begin(based);
    done = som_design_set_base(
        d, S(""), &(SomBaseSetting){.module = S("a"), .position = {(double)NAN, 0, 0}});
    test_edit_refused(d, done, based,
                      "SOM2602: the position or turn of the base is not finite, or too large");
}
END_TEST

START_TEST(a_config_is_renamed_where_it_is_used) {
    static const char *const text = "use \"chain3.som\"\n"
                                    "config A(n: count = 2) { part m : Chain3 }\n"
                                    "config B { part a : A(n = 3) # an A\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_rename_config(d, S("A(n = 4)"), S("Long name"));
    test_edit_made(d, done, text,
                   "use \"chain3.som\"\n"
                   "config \"Long name\"(n: count = 2) { part m : Chain3 }\n"
                   "config B { part a : \"Long name\"(n = 3) # an A\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_rename_config(d, S("A"), S("B"));
    test_edit_refused(d, done, text, "SOM2603: there is a config 'B' already");
    d = test_edit_begin(text);
    done = som_design_rename_config(d, S("A"), S("Chain3"));
    test_edit_refused(d, done, text,
                      "SOM2603: 'Chain3' of another file is used here and would be hidden");
    d = test_edit_begin(text);
    done = som_design_rename_config(d, S("C"), S("D"));
    test_edit_refused(d, done, text, "SOM2602: this file has no config 'C'");
}
END_TEST

static const char *const with_places =
    "use \"smores.m3l\"\n"
    "config Leg {\n"
    "    part hip, foot : SMORES\n"
    "    connect hip.B to foot.T\n"
    "    let knee = foot.tilt\n"
    "}\n"
    "config Bot {\n"
    "    part body : SMORES\n"
    "    part leg[2], foot : Leg\n"
    "    connect body.L to leg[1].hip.T\n"
    "    connect body.R to leg[2].hip.T\n"
    "    connect body.B to foot.hip.T\n"
    "    let back = foot\n"
    "    let ankle = back.foot.tilt\n"
    "    behavior step(foot: joint, l: Leg, m: SMORES) = series(\n"
    "        foot to 1deg, l.foot.tilt to 2deg, m.tilt to 3deg)\n"
    "    behavior go = step(ankle, foot, m = back.foot)\n"
    "}\n";

START_TEST(renaming_follows_lets_and_parameters) {
    SomDesign *d = test_edit_begin(with_places);
    // the part, and not the parameter or the part of Leg of that name
    bool done = som_design_rename_part(d, S("Bot"), S("foot"), S("tail"));
    SomText after = {0};
    som_text_add(&after, som_document_text(som_design_document(d)));
    ck_assert_ptr_nonnull(strstr(after.data, "part leg[2], tail : Leg\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "connect body.B to tail.hip.T\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "let back = tail\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "let ankle = back.foot.tilt\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "foot to 1deg, l.foot.tilt to 2deg"));
    ck_assert_ptr_nonnull(strstr(after.data, "step(ankle, tail, m = back.foot)\n"));
    test_edit_made(d, done, with_places, after.data);
    som_text_clear(&after);
    d = test_edit_begin(with_places);
    done = som_design_rename_part(d, S("Leg"), S("foot"), S("toe"));
    som_text_add(&after, som_document_text(som_design_document(d)));
    ck_assert_ptr_nonnull(strstr(after.data, "part leg[2], foot : Leg\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "let knee = toe.tilt\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "let ankle = back.toe.tilt\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "foot to 1deg, l.toe.tilt to 2deg"));
    ck_assert_ptr_nonnull(strstr(after.data, "step(ankle, foot, m = back.toe)\n"));
    test_edit_made(d, done, with_places, after.data);
    som_text_clear(&after);
    d = test_edit_begin(with_places);
    done = som_design_rename_config(d, S("Leg"), S("joint"));
    som_text_add(&after, som_document_text(som_design_document(d)));
    ck_assert_ptr_nonnull(strstr(after.data, "part leg[2], foot : joint\n"));
    ck_assert_ptr_nonnull(strstr(after.data, "(foot: joint, l: \"joint\", m: SMORES)"));
    test_edit_made(d, done, with_places, after.data);
    som_text_free(&after);
}
END_TEST

START_TEST(lets_of_a_removed_part_go_with_what_needs_them) {
    SomDesign *d = test_edit_begin(with_places);
    bool done = som_design_remove_part(d, S("Bot"), S("foot"), false);
    test_edit_refused(d, done, with_places,
                      "SOM2605: 'foot' is still needed: 1 other thing would have to go with it / "
                      "the behavior 'go' needs it");
    d = test_edit_begin(with_places);
    done = som_design_remove_part(d, S("Bot"), S("foot"), true);
    SomText after = {0};
    som_text_add(&after, som_document_text(som_design_document(d)));
    ck_assert_ptr_null(strstr(after.data, "let back"));
    ck_assert_ptr_null(strstr(after.data, "let ankle"));
    ck_assert_ptr_nonnull(strstr(after.data, "behavior step("));
    ck_assert_ptr_null(strstr(after.data, "behavior go"));
    test_edit_made(d, done, with_places, after.data);
    som_text_free(&after);
}
END_TEST

START_TEST(a_text_with_errors_is_not_edited) {
    static const char *const wrong = "use \"smores.m3l\"\nconfig A { part a : SMORSE }\n";
    SomDesign *d = som_design_create(som_str(test_library), S("robot.som"), som_str(wrong));
    ck_assert_ptr_null(som_design_compose(d, S("")));
    ck_assert_int_gt(som_diagnostics_error_count(som_design_diagnostics(d)), 0);
    bool done = som_design_rename_part(d, S(""), S("a"), S("b"));
    test_edit_refused(
        d, done, wrong,
        "SOM2601: first correct the text: there is no config or module type 'SMORSE'; did you "
        "mean 'SMORES'?");
    d = som_design_create(som_str(test_library), S("robot.txt"), som_str(wrong));
    done = som_design_rename_part(d, S(""), S("a"), S("b"));
    test_edit_refused(d, done, wrong,
                      "SOM2601: the file is no design: 'robot.txt' is not a .som or .m3l file");
    // after typing it right, all is well again
    d = som_design_create(som_str(test_library), S("robot.som"), som_str(wrong));
    som_document_set_text(som_design_document(d),
                          S("use \"smores.m3l\"\nconfig A { part a : SMORES }\n"));
    ck_assert(som_design_rename_part(d, S(""), S("a"), S("b")));
    ck_assert_str_eq(som_document_text(som_design_document(d)).data,
                     "use \"smores.m3l\"\nconfig A { part b : SMORES }\n");
    som_design_destroy(d);
}
END_TEST

// ---- the Walkbot, from parts

START_TEST(the_walkbot_is_built_by_operations_alone) {
    SomDesign *d = test_edit_begin("");
    SomStr w = S("Walkbot");
    ck_assert(som_design_add_config(d, w, S("Chain6"), S("chain6.som")));
    ck_assert(som_design_rename_part(d, w, som_design_new_name(d), S("body")));
    static const struct {
        const char *name, *own, *to;
        double angle;
    } legs[] = {{"front_left", "head.L", "body.front.middle.L", 270},
                {"front_right", "head.R", "body.front.middle.R", 90},
                {"rear_left", "head.L", "body.rear.middle.L", 270},
                {"rear_right", "head.R", "body.rear.middle.R", 90}};
    for (int i = 0; i < 4; i++) {
        ck_assert(
            som_design_add_part(d, w,
                                &(SomPartAddition){.reference = S("Chain3"),
                                                   .name = som_str(legs[i].name),
                                                   .own = som_str(legs[i].own),
                                                   .to = som_str(legs[i].to),
                                                   .mating = test_edit_degrees(legs[i].angle)}));
    }
    for (int i = 0; i < 4; i++) {
        SomText joint = {0};
        som_text_printf(&joint, "%s.head.bend", legs[i].name);
        ck_assert(som_design_set_value(d, w, S("stand"), som_text_str(&joint), SOM_PI / 2));
        som_text_free(&joint);
    }
    ck_assert(som_design_set_start(d, w, S("stand")));
    ck_assert(som_design_set_base(
        d, w, &(SomBaseSetting){.module = S("body.front.head"), .is_on_ground = true}));
    ck_assert_str_eq(som_document_text(som_design_document(d)).data,
                     "use \"chain6.som\"\n"
                     "\n"
                     "config Walkbot {\n"
                     "    part body : Chain6\n"
                     "    part front_left : Chain3\n"
                     "    part front_right : Chain3\n"
                     "    part rear_left : Chain3\n"
                     "    part rear_right : Chain3\n"
                     "    connect front_left.head.L to body.front.middle.L at 270deg\n"
                     "    connect front_right.head.R to body.front.middle.R at 90deg\n"
                     "    connect rear_left.head.L to body.rear.middle.L at 270deg\n"
                     "    connect rear_right.head.R to body.rear.middle.R at 90deg\n"
                     "    pose stand {\n"
                     "        front_left.head.bend = 90deg\n"
                     "        front_right.head.bend = 90deg\n"
                     "        rear_left.head.bend = 90deg\n"
                     "        rear_right.head.bend = 90deg\n"
                     "    }\n"
                     "    start stand\n"
                     "    base body.front.head on ground\n"
                     "}\n");
    TestDesign library = test_design("use \"walkbot.som\"\n");
    SomConfiguration *theirs = test_compose(&library, "Walkbot");
    SomDiff *diff = som_diff_create(theirs, som_design_compose(d, w));
    ck_assert_int_eq(diff->change_count, 0);
    ck_assert(diff->is_same_structure);
    som_diff_destroy(diff);
    som_configuration_destroy(theirs);
    test_design_free(&library);
    SomDocument *document = som_design_document(d);
    int steps = 0;
    while (som_document_undo(document)) {
        steps++;
    }
    ck_assert_int_eq(steps, 2 + 4 + 4 + 2);
    ck_assert_int_eq((int)som_document_text(document).length, 0);
    som_design_destroy(d);
}
END_TEST

SOM_SUITE("compose/design_edit", a_part_is_added_with_its_connection,
          a_design_begins_with_an_empty_text, other_line_ends_and_tabs_are_kept,
          a_part_is_replaced_by_another_with_the_same_names,
          other_configs_of_the_file_must_compose_too, a_part_is_renamed_wherever_it_is_named,
          values_of_poses_are_set_and_taken_away, an_entry_keeps_the_name_of_its_joint,
          the_base_is_placed, a_config_is_renamed_where_it_is_used,
          renaming_follows_lets_and_parameters, lets_of_a_removed_part_go_with_what_needs_them,
          a_text_with_errors_is_not_edited, the_walkbot_is_built_by_operations_alone)
