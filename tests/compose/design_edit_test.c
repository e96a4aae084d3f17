// SPDX-License-Identifier: Apache-2.0
// Each operation: the text before and after it, byte by byte, or why it is refused.

#include "compose/design_edit.h"
#include "compose/diff.h"
#include "space/trigonometry.h"
#include "tests/compose/texts.h"

#include <math.h>

static SomDesign *begin(const char *text) {
    SomDesign *design =
        som_design_create(som_str(test_library), SOM_STR("robot.som"), som_str(text));
    SomText errors = {0};
    som_diagnostics_print(som_design_diagnostics(design), 0, &errors);
    ck_assert_msg(errors.length == 0, "%s", errors.data);
    return design;
}

static SomText refusal_of(const SomDesign *design) {
    SomText text = {0};
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(som_design_refusal(design), &count);
    for (int i = 0; i < count; i++) {
        if (i == 0) {
            som_text_printf(&text, "SOM%04d: ", (int)entries[i].code);
        } else {
            som_text_add(&text, SOM_STR(" / "));
        }
        som_text_add(&text, entries[i].message);
    }
    som_text_add(&text, SOM_STR(""));
    return text;
}

// Ends a test of an operation that was made: the text is as expected, undone as it was.
static void expect_text(SomDesign *design, bool done, const char *before, const char *after) {
    SomText refusal = refusal_of(design);
    ck_assert_msg(done, "refused: %s", refusal.data);
    ck_assert_uint_eq(refusal.length, 0);
    SomDocument *document = som_design_document(design);
    ck_assert_str_eq(som_document_text(document).data, after);
    ck_assert(som_document_undo(document));
    ck_assert_str_eq(som_document_text(document).data, before);
    ck_assert(!som_document_can_undo(document)); // it was one step
    ck_assert(som_document_redo(document));
    ck_assert_str_eq(som_document_text(document).data, after);
    ck_assert_ptr_nonnull(som_design_compose(design, SOM_STR("")));
    som_text_free(&refusal);
    som_design_destroy(design);
}

// The same of one that was refused.
static void expect_refusal(SomDesign *design, bool done, const char *before, const char *reason) {
    SomText refusal = refusal_of(design);
    ck_assert(!done);
    ck_assert_str_eq(refusal.data, reason);
    ck_assert_str_eq(som_document_text(som_design_document(design)).data, before);
    ck_assert(!som_document_can_undo(som_design_document(design)));
    som_text_free(&refusal);
    som_design_destroy(design);
}

#define S(literal) SOM_STR(literal)

static SomMatingWish degrees(double angle) {
    return (SomMatingWish){.has_roll = true, .roll = angle * SOM_PI / 180};
}

static const char *const robot = "# A robot.\n"
                                 "\n"
                                 "use \"chain6.som\" # the body\n"
                                 "\n"
                                 "# It walks.\n"
                                 "config Robot {\n"
                                 "    part body : Chain6\n"
                                 "    part left, right : Chain3 # legs\n"
                                 "    connect left.head.L to body.front.middle.L at 270deg # one\n"
                                 "    # the other\n"
                                 "    connect right.head.R to body.front.middle.R at 90deg\n"
                                 "\n"
                                 "    # Both down.\n"
                                 "    pose stand {\n"
                                 "        left.leg # one\n"
                                 "        right.head.tilt = -90deg\n"
                                 "    }\n"
                                 "    start stand\n"
                                 "    base body.front.head on ground\n"
                                 "\n"
                                 "    behavior go = parallel(left.legStep, right.legStep)\n"
                                 "    behavior twice = repeat 2: go\n"
                                 "}\n";

START_TEST(a_part_is_added_with_its_connection) {
    SomDesign *d = begin(robot);
    bool done = som_design_add_part(d, S(""),
                                    &(SomPartAddition){.reference = S("Chain3"),
                                                       .name = S("tail"),
                                                       .own = S("head.T"),
                                                       .to = S("body.rear.tail.B"),
                                                       .mating = degrees(0)});
    SomText after = {0};
    som_text_add(&after, som_str(robot));
    const char *at = strstr(robot, "    connect left");
    som_text_clear(&after);
    som_text_add(&after, (SomStr){robot, (size_t)(at - robot)});
    som_text_add(&after, S("    part tail : Chain3\n"));
    const char *behind = strstr(robot, "\n    # Both");
    som_text_add(&after, (SomStr){at, (size_t)(behind - at)});
    som_text_add(&after, S("    connect tail.head.T to body.rear.tail.B\n"));
    som_text_add(&after, som_str(behind));
    expect_text(d, done, robot, after.data);
    som_text_free(&after);

    d = begin(robot); // from a file that is not used yet, in the library
    done = som_design_add_part(d, S("Robot"),
                               &(SomPartAddition){.reference = S("Snake(n = 2)"),
                                                  .file = S("snake.som"),
                                                  .own = S("s[1].head.T"),
                                                  .to = S("body.rear.tail.B"),
                                                  .mating = degrees(90)});
    ck_assert_msg(done, "%s", refusal_of(d).data);
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
    SomDesign *d = begin("");
    bool done = som_design_add_config(d, S("Mine"), S("SMORES"), S("smores.m3l"));
    expect_text(d, done, "",
                "use \"smores.m3l\"\n"
                "\n"
                "config Mine {\n"
                "    part smores : SMORES\n"
                "}\n");
    d = begin("use \"smores.m3l\"\r\n");
    done = som_design_add_config(d, S("Mine"), S("SMORES"), S(""));
    expect_text(d, done, "use \"smores.m3l\"\r\n",
                "use \"smores.m3l\"\r\n"
                "\r\n"
                "config Mine {\r\n"
                "    part smores : SMORES\r\n"
                "}\r\n");
    const char *one = "config A is SMORES { }\nuse \"smores.m3l\"\n";
    d = begin(one);
    done = som_design_add_config(d, S("B"), S("A"), S("robot.som"));
    expect_text(d, done, one,
                "config A is SMORES { }\n"
                "use \"smores.m3l\"\n"
                "\n"
                "config B {\n"
                "    part a : A\n"
                "}\n");
    const char *bare = "# mine\n\nlet a = 3\n";
    d = begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S("chain3.som"));
    expect_text(d, done, bare,
                "# mine\n\nuse \"chain3.som\"\n\nlet a = 3\n"
                "\n"
                "config B {\n"
                "    part chain3 : Chain3\n"
                "}\n");
    d = begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S(""));
    expect_refusal(d, done, bare, "SOM2602: no file that is used defines 'Chain3'");
    d = begin(bare);
    done = som_design_add_config(d, S("B"), S("Chain3"), S("chain33.som"));
    expect_refusal(d, done, bare,
                   "SOM2602: 'chain33.som' is neither beside this file nor in the library");
    d = begin(robot);
    done = som_design_add_config(d, S("Robot"), S("Chain3"), S(""));
    expect_refusal(d, done, robot, "SOM2603: there is a config 'Robot' already");
}
END_TEST

static const char *const small = "use \"smores.m3l\"\r\n"
                                 "config Small {\r\n"
                                 "\tpart a, b : SMORES\r\n"
                                 "\tconnect a.B to b.T\r\n"
                                 "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                                 "}\r\n";

START_TEST(other_line_ends_and_tabs_are_kept) {
    SomDesign *d = begin(small);
    bool done = som_design_add_part(d, S(""),
                                    &(SomPartAddition){.reference = S("SMORES"),
                                                       .name = S("b"),
                                                       .own = S("T"),
                                                       .to = S("b.B"),
                                                       .mating = degrees(90)});
    expect_text(d, done, small,
                "use \"smores.m3l\"\r\n"
                "config Small {\r\n"
                "\tpart a, b : SMORES\r\n"
                "\tpart b2 : SMORES\r\n"
                "\tconnect a.B to b.T\r\n"
                "\tconnect b2.T to b.B at 90deg\r\n"
                "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                "}\r\n");
    d = begin(small);
    done = som_design_duplicate_part(d, S(""), S("b"),
                                     &(SomPartAddition){.own = S("T"), .to = S("b.B")});
    expect_text(d, done, small,
                "use \"smores.m3l\"\r\n"
                "config Small {\r\n"
                "\tpart a, b : SMORES\r\n"
                "\tpart b2 : SMORES\r\n"
                "\tconnect a.B to b.T\r\n"
                "\tconnect b2.T to b.B\r\n"
                "\tpose low { b.tilt = 10deg; b2.tilt = 10deg; a.left = 20deg }\r\n"
                "}\r\n");
    d = begin(small);
    done = som_design_set_value(d, S(""), S("high"), S("a.tilt"), SOM_PI / 6);
    expect_text(d, done, small,
                "use \"smores.m3l\"\r\n"
                "config Small {\r\n"
                "\tpart a, b : SMORES\r\n"
                "\tconnect a.B to b.T\r\n"
                "\tpose low { b.tilt = 10deg; a.left = 20deg }\r\n"
                "\tpose high {\r\n"
                "\t    a.tilt = 30deg\r\n"
                "\t}\r\n"
                "}\r\n");
    d = begin(small);
    done = som_design_remove_part(d, S(""), S("b"), false);
    expect_text(d, done, small,
                "use \"smores.m3l\"\r\n"
                "config Small {\r\n"
                "\tpart a : SMORES\r\n"
                "\tpose low { a.left = 20deg }\r\n"
                "}\r\n");
}
END_TEST

START_TEST(connectors_are_connected_or_it_is_said_why_not) {
    static const char *const square = "use \"smores.m3l\"\n"
                                      "config Square {\n"
                                      "    part a, b, c, d : SMORES\n"
                                      "    connect a.R to b.B\n"
                                      "    connect b.R to c.B\n"
                                      "    connect c.R to d.B\n"
                                      "}\n";
    SomDesign *d = begin(square);
    bool done = som_design_connect(d, S(""), S("a.L"), S("c.B"), degrees(0));
    expect_refusal(d, done, square, "SOM2606: 'c.B' is already connected with 'b.R'");
    d = begin(square);
    done = som_design_connect(d, S(""), S("a.L"), S("a.B"), degrees(0));
    expect_refusal(d, done, square, "SOM2606: 'a.L' and 'a.B' are of one module");
    d = begin(square);
    done = som_design_connect(d, S(""), S("a.X"), S("c.L"), degrees(0));
    expect_refusal(d, done, square, "SOM2602: 'a.X' is no connector of this design");
    d = begin(square);
    done = som_design_connect(d, S(""), S("a.L"), S("d.L"), degrees(45));
    expect_refusal(
        d, done, square,
        "SOM2607: this cannot be done: 'a.L' and 'd.L' cannot be mated at 45deg; they offer "
        "0deg, 90deg, 180deg, 270deg");
    d = begin(square);
    done = som_design_connect(d, S(""), S("d.R"), S("a.B"), degrees(0));
    expect_text(d, done, square,
                "use \"smores.m3l\"\n"
                "config Square {\n"
                "    part a, b, c, d : SMORES\n"
                "    connect a.R to b.B\n"
                "    connect b.R to c.B\n"
                "    connect c.R to d.B\n"
                "    connect d.R to a.B\n"
                "}\n");
}
END_TEST

START_TEST(connections_are_opened_and_moved) {
    static const char *const ring = "use \"smores.m3l\"\n"
                                    "config Square {\n"
                                    "    part a, b, c, d : SMORES\n"
                                    "    connect a.R to b.B; connect b.R to c.B # two\n"
                                    "    connect c.R to d.B\n"
                                    "    # the last\n"
                                    "    connect d.R to a.B\n"
                                    "}\n";
    SomDesign *d = begin(ring);
    bool done = som_design_disconnect(d, S(""), S("c.B"), S("b.R"));
    expect_text(d, done, ring,
                "use \"smores.m3l\"\n"
                "config Square {\n"
                "    part a, b, c, d : SMORES\n"
                "    connect a.R to b.B\n"
                "    connect c.R to d.B\n"
                "    # the last\n"
                "    connect d.R to a.B\n"
                "}\n");
    d = begin(ring);
    done = som_design_disconnect(d, S(""), S("a.B"), S("d.R"));
    expect_text(d, done, ring,
                "use \"smores.m3l\"\n"
                "config Square {\n"
                "    part a, b, c, d : SMORES\n"
                "    connect a.R to b.B; connect b.R to c.B # two\n"
                "    connect c.R to d.B\n"
                "}\n");
    d = begin(ring);
    done = som_design_disconnect(d, S(""), S("a.B"), S("d.L"));
    expect_refusal(d, done, ring, "SOM2602: 'a.B' and 'd.L' are not connected");

    static const char *const row = "use \"smores.m3l\"\n"
                                   "config Row(n: count = 3) {\n"
                                   "    part s[n] : SMORES\n"
                                   "    part tip : SMORES\n"
                                   "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                                   "    connect s[n].B to tip.T at 45deg*2 gap 2mm # end\n"
                                   "}\n";
    d = begin(row);
    done = som_design_disconnect(d, S(""), S("s[2].B"), S("s[3].T"));
    expect_refusal(
        d, done, row,
        "SOM2604: the connection of 's[2].B' and 's[3].T' comes from the loop in line 5");
    d = begin(row);
    done = som_design_disconnect(d, S(""), S("s[3].B"), S("tip.T"));
    expect_refusal(
        d, done, row,
        "SOM2607: this cannot be done: 'tip' is not connected with 's[1]', 's[2]', 's[3]'");
    d = begin(row);
    done = som_design_reconnect(d, S("Row"), S("tip.T"), S("s[3].B"), S("tip.L"), S("s[3].B"),
                                degrees(180));
    expect_text(d, done, row,
                "use \"smores.m3l\"\n"
                "config Row(n: count = 3) {\n"
                "    part s[n] : SMORES\n"
                "    part tip : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                "    connect s[n].B to tip.L at 180deg gap 2mm # end\n"
                "}\n");
    d = begin(row);
    done = som_design_reconnect(d, S("Row(n = 4)"), S("tip.T"), S("s[4].B"), S("tip.T"),
                                S("s[1].L"), degrees(0));
    expect_text(d, done, row,
                "use \"smores.m3l\"\n"
                "config Row(n: count = 3) {\n"
                "    part s[n] : SMORES\n"
                "    part tip : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                "    connect s[1].L to tip.T gap 2mm # end\n"
                "}\n");
    d = begin(robot);
    done = som_design_disconnect(d, S(""), S("body.front.tail.B"), S("body.rear.head.T"));
    expect_refusal(
        d, done, robot,
        "SOM2604: 'body.front.tail.B' and 'body.rear.head.T' are connected by 'Chain6', which "
        "'body' is one of; change that");
}
END_TEST

START_TEST(a_part_is_removed_with_what_is_about_it) {
    SomDesign *d = begin(robot);
    bool done = som_design_remove_part(d, S(""), S("left"), false);
    expect_refusal(d, done, robot,
                   "SOM2605: 'left' is still needed: 2 other things would have to go with it / the "
                   "behavior 'go' needs it / the behavior 'twice' needs it");
    d = begin(robot);
    done = som_design_remove_part(d, S(""), S("left"), true);
    expect_text(d, done, robot,
                "# A robot.\n"
                "\n"
                "use \"chain6.som\" # the body\n"
                "\n"
                "# It walks.\n"
                "config Robot {\n"
                "    part body : Chain6\n"
                "    part right : Chain3 # legs\n"
                "    # the other\n"
                "    connect right.head.R to body.front.middle.R at 90deg\n"
                "\n"
                "    # Both down.\n"
                "    pose stand {\n"
                "        right.head.tilt = -90deg\n"
                "    }\n"
                "    start stand\n"
                "    base body.front.head on ground\n"
                "\n"
                "}\n");
    d = begin(robot);
    done = som_design_remove_part(d, S(""), S("body.front"), false);
    expect_refusal(
        d, done, robot,
        "SOM2604: 'body.front' is made by 'Chain6', which 'body' is one of; change that");
    d = begin(robot);
    done = som_design_remove_part(d, S(""), S("tail"), false);
    expect_refusal(d, done, robot, "SOM2602: the design has no part 'tail'");

    static const char *const chain =
        "use \"smores.m3l\"\n"
        "config Chain {\n"
        "    part a, b, c : SMORES\n"
        "    connect a.B to b.T\n"
        "    connect b.B to c.T\n"
        "    base b frame lab on ground turned (0deg, 0deg, 90deg) # up\n"
        "}\n";
    d = begin(chain);
    done = som_design_remove_part(d, S(""), S("b"), false);
    expect_refusal(
        d, done, chain,
        "SOM2605: 'b' is still needed: 1 other thing would have to go with it / the part 'c' "
        "hangs on it");
    d = begin(chain);
    done = som_design_remove_part(d, S(""), S("b"), true);
    expect_text(d, done, chain,
                "use \"smores.m3l\"\n"
                "config Chain {\n"
                "    part a : SMORES\n"
                "    base a frame lab on ground turned (0deg, 0deg, 90deg) # up\n"
                "}\n");
    static const char *const one = "use \"smores.m3l\"\nconfig One { part a : SMORES }\n";
    d = begin(one);
    done = som_design_remove_part(d, S(""), S("a"), true);
    expect_refusal(d, done, one, "SOM2607: this cannot be done: 'One' has no modules");

    static const char *const array =
        "use \"smores.m3l\"\n"
        "config Star {\n"
        "    part hub : SMORES\n"
        "    part arm[2] : SMORES\n"
        "    connect hub.L to arm[1].T\n"
        "    connect hub.R to arm[2].T\n"
        "    pose up { arm[i].bend = 10deg for i in 1..2; hub.left = 1deg }\n"
        "}\n"
        "config Two {\n"
        "    part star : Star\n"
        "    pose up { star.hub.bend = 3deg }\n"
        "}\n";
    d = begin(array);
    done = som_design_remove_part(d, S(""), S("arm[2]"), true);
    expect_refusal(d, done, array, "SOM2604: 'arm[2]' is one of the array 'arm[2]' in line 4");
    d = begin(array);
    done = som_design_remove_part(d, S(""), S("arm"), false);
    expect_refusal(
        d, done, array,
        "SOM2605: 'arm' is still needed: 1 other thing would have to go with it / the loop in "
        "line 7 names it");
    d = begin(array);
    done = som_design_remove_part(d, S(""), S("hub"), true);
    expect_refusal(d, done, array, "SOM2605: 'hub' is still needed by the config 'Two'");
    d = begin(array);
    done = som_design_remove_part(d, S(""), S("arm"), true);
    expect_text(d, done, array,
                "use \"smores.m3l\"\n"
                "config Star {\n"
                "    part hub : SMORES\n"
                "    pose up { hub.left = 1deg }\n"
                "}\n"
                "config Two {\n"
                "    part star : Star\n"
                "    pose up { star.hub.bend = 3deg }\n"
                "}\n");
}
END_TEST

START_TEST(a_part_is_replaced_by_another_with_the_same_names) {
    SomDesign *d = begin(robot);
    bool done = som_design_replace_part(d, S(""), S("left"), S("Snake(n = 1)"), S("snake.som"));
    expect_refusal(d, done, robot, "SOM2607: this cannot be done: 'left' has no part 'head'");
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
    d = begin(two);
    done = som_design_replace_part(d, S("Robot"), S("b"), S("Other"), S(""));
    expect_text(d, done, two,
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
    d = begin(two);
    done = som_design_replace_part(d, S("Robot"), S("d[1]"), S("Other"), S(""));
    expect_refusal(
        d, done, two,
        "SOM2604: 'd[1]' is one of the array 'd[2]' in line 9; all of it is replaced, or "
        "nothing");
    d = begin(two);
    done = som_design_replace_part(d, S("Robot"), S("d"), S("Other"), S(""));
    ck_assert(done);
    ck_assert_ptr_nonnull(
        strstr(som_document_text(som_design_document(d)).data, "part d[2] : Other\n"));
    som_design_destroy(d);
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
        "    behavior leg = series(leg.drive(1deg/s, 1s), hold leg.head)\n"
        "    behavior up = series(leg to pose leg,\n"
        "        leg.head.tilt to leg until effort(leg.head.tilt) > 1Nm,\n"
        "        connect leg.tail.B to arm.tail.B)\n"
        "}\n"
        "config Two {\n"
        "    part leg : Robot # of a leg\n"
        "    pose low { leg.leg.leg; leg.low }\n"
        "    behavior go = series(leg.up, leg.leg.drive(1deg/s, 1s))\n"
        "}\n";
    SomDesign *d = begin(text);
    bool done = som_design_rename_part(d, S(""), S("leg"), S("left leg"));
    expect_text(
        d, done, text,
        "use \"chain3.som\"\n"
        "config Robot {\n"
        "    part \"left leg\", arm : Chain3\n"
        "    let leg = 3deg # another leg\n"
        "    connect \"left leg\".head.L to arm.head.L\n"
        "    dock grip: \"left leg\".tail.B to arm.tail.B open\n"
        "    pose low { \"left leg\".leg; \"left leg\".head.left = leg*2 }\n"
        "    base \"left leg\".head on ground\n"
        "    behavior leg = series(\"left leg\".drive(1deg/s, 1s), hold \"left leg\".head)\n"
        "    behavior up = series(\"left leg\" to pose leg,\n"
        "        \"left leg\".head.tilt to leg until effort(\"left leg\".head.tilt) > 1Nm,\n"
        "        connect \"left leg\".tail.B to arm.tail.B)\n"
        "}\n"
        "config Two {\n"
        "    part leg : Robot # of a leg\n"
        "    pose low { leg.\"left leg\".leg; leg.low }\n"
        "    behavior go = series(leg.up, leg.\"left leg\".drive(1deg/s, 1s))\n"
        "}\n");
    d = begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S("arm"));
    expect_refusal(d, done, text, "SOM2603: there is a part 'arm' already");
    d = begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S(""));
    expect_refusal(d, done, text, "SOM2603: a name has at least one letter");
    d = begin(text);
    done = som_design_rename_part(d, S(""), S("leg"), S("a\nb"));
    expect_refusal(d, done, text, "SOM2603: 'a\nb' cannot be a name");
    d = begin(text);
    done = som_design_rename_part(d, S("Two"), S("leg"), S("r"));
    ck_assert(done);
    ck_assert_ptr_nonnull(strstr(som_document_text(som_design_document(d)).data,
                                 "    part r : Robot # of a leg\n"
                                 "    pose low { r.leg.leg; r.low }\n"
                                 "    behavior go = series(r.up, r.leg.drive(1deg/s, 1s))\n"));
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
    SomDesign *d = begin(text);
    bool done = som_design_set_value(d, S(""), S("high"), S("s[2].left"), 30 * SOM_PI / 180);
    expect_text(d, done, text,
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
    d = begin(text);
    done = som_design_set_value(d, S(""), S("low"), S("s[2].left"), 30 * SOM_PI / 180);
    expect_text(d, done, text,
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
    d = begin(text);
    done = som_design_clear_value(d, S(""), S("low"), S("s[2].left"));
    expect_refusal(d, done, text, "SOM2604: 's[2].left' comes from the loop in line 7");
    d = begin(text);
    done = som_design_clear_value(d, S(""), S("high"), S("s[1].left"));
    expect_refusal(d, done, text, "SOM2604: 's[1].left' is taken over in line 9");
    d = begin(text);
    done = som_design_clear_value(d, S(""), S("low"), S("s[1].bend"));
    expect_text(d, done, text,
                "use \"smores.m3l\"\n"
                "config Row {\n"
                "    part s[3] : SMORES\n"
                "    connect s[i].B to s[i+1].T for i in 1..2\n"
                "    pose low {\n"
                "        s[i].left = 5deg for i in 1..3\n"
                "    }\n"
                "    pose high { low; s[2].left = 1deg }\n"
                "}\n");
    d = begin(text);
    done = som_design_set_start(d, S(""), S("high"));
    expect_text(d, done, text,
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
    d = begin(text);
    done = som_design_remove_pose(d, S(""), S("low"));
    expect_refusal(d, done, text, "SOM2607: this cannot be done: 'Row' has no pose 'low'");
    d = begin(text);
    done = som_design_set_start(d, S(""), S("middle"));
    expect_refusal(d, done, text, "SOM2602: the design has no pose 'middle'");
    d = begin(text);
    done = som_design_set_value(d, S(""), S("low"), S("s[4].left"), 0);
    expect_refusal(d, done, text, "SOM2602: 's[4].left' is no joint of this design that moves");
}
END_TEST

START_TEST(an_entry_keeps_the_name_of_its_joint) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config One {\n"
                                    "    part m : SMORES\n"
                                    "    pose low { m.tilt = 10deg }\n"
                                    "}\n";
    SomDesign *d = begin(text);
    bool done = som_design_set_value(d, S(""), S("low"), S("m.bend"), 30 * SOM_PI / 180);
    expect_text(d, done, text,
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
    SomDesign *d = begin(text);
    bool done = som_design_set_base(
        d, S(""),
        &(SomBaseSetting){
            .module = S("b"), .frame = S("lab"), .is_on_ground = true, .turn = {0, 0, SOM_PI / 2}});
    expect_text(d, done, text,
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
    d = begin(based);
    done = som_design_set_base(d, S(""),
                               &(SomBaseSetting){.module = S("b"), .position = {0.1, 0, 0.25}});
    expect_text(d, done, based,
                "use \"smores.m3l\"\n"
                "config Pair {\n"
                "    part a, b : SMORES\n"
                "    base b at (100mm, 0mm, 250mm) # here\n"
                "    connect a.B to b.T\n"
                "}\n");
    d = begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){0});
    expect_text(d, done, based, text);
    d = begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){.module = S("c")});
    expect_refusal(d, done, based, "SOM2602: 'c' is no module of this design");
    d = begin(based);
    done = som_design_set_base(d, S(""), &(SomBaseSetting){.module = S("a"), .frame = S("x")});
    expect_refusal(d, done, based, "SOM2602: 'a' has no frame 'x'");
    d = begin(based);
    done = som_design_set_base(
        d, S(""), &(SomBaseSetting){.module = S("a"), .position = {(double)NAN, 0, 0}});
    expect_refusal(d, done, based,
                   "SOM2602: the position or turn of the base is not finite, or too large");
}
END_TEST

START_TEST(a_config_is_renamed_where_it_is_used) {
    static const char *const text = "use \"chain3.som\"\n"
                                    "config A(n: count = 2) { part m : Chain3 }\n"
                                    "config B { part a : A(n = 3) # an A\n"
                                    "}\n";
    SomDesign *d = begin(text);
    bool done = som_design_rename_config(d, S("A(n = 4)"), S("Long name"));
    expect_text(d, done, text,
                "use \"chain3.som\"\n"
                "config \"Long name\"(n: count = 2) { part m : Chain3 }\n"
                "config B { part a : \"Long name\"(n = 3) # an A\n"
                "}\n");
    d = begin(text);
    done = som_design_rename_config(d, S("A"), S("B"));
    expect_refusal(d, done, text, "SOM2603: there is a config 'B' already");
    d = begin(text);
    done = som_design_rename_config(d, S("A"), S("Chain3"));
    expect_refusal(d, done, text,
                   "SOM2603: 'Chain3' of another file is used here and would be hidden");
    d = begin(text);
    done = som_design_rename_config(d, S("C"), S("D"));
    expect_refusal(d, done, text, "SOM2602: this file has no config 'C'");
}
END_TEST

START_TEST(a_text_with_errors_is_not_edited) {
    static const char *const wrong = "use \"smores.m3l\"\nconfig A { part a : SMORSE }\n";
    SomDesign *d = som_design_create(som_str(test_library), S("robot.som"), som_str(wrong));
    ck_assert_ptr_null(som_design_compose(d, S("")));
    ck_assert_int_gt(som_diagnostics_error_count(som_design_diagnostics(d)), 0);
    bool done = som_design_rename_part(d, S(""), S("a"), S("b"));
    expect_refusal(
        d, done, wrong,
        "SOM2601: first correct the text: there is no config or module type 'SMORSE'; did you "
        "mean 'SMORES'?");
    d = som_design_create(som_str(test_library), S("robot.txt"), som_str(wrong));
    done = som_design_rename_part(d, S(""), S("a"), S("b"));
    expect_refusal(d, done, wrong,
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
    SomDesign *d = begin("");
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
        ck_assert(som_design_add_part(d, w,
                                      &(SomPartAddition){.reference = S("Chain3"),
                                                         .name = som_str(legs[i].name),
                                                         .own = som_str(legs[i].own),
                                                         .to = som_str(legs[i].to),
                                                         .mating = degrees(legs[i].angle)}));
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
          connectors_are_connected_or_it_is_said_why_not, connections_are_opened_and_moved,
          a_part_is_removed_with_what_is_about_it,
          a_part_is_replaced_by_another_with_the_same_names, a_part_is_renamed_wherever_it_is_named,
          values_of_poses_are_set_and_taken_away, an_entry_keeps_the_name_of_its_joint,
          the_base_is_placed, a_config_is_renamed_where_it_is_used,
          a_text_with_errors_is_not_edited, the_walkbot_is_built_by_operations_alone)
