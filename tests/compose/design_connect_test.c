// SPDX-License-Identifier: Apache-2.0
// Connections, removing and mirroring: the text before and after, or why it is refused.

#include "base/memory.h"
#include "compose/mechanism.h"
#include "tests/compose/edited.h"

START_TEST(connectors_are_connected_or_it_is_said_why_not) {
    static const char *const square = "use \"smores.m3l\"\n"
                                      "config Square {\n"
                                      "    part a, b, c, d : SMORES\n"
                                      "    connect a.R to b.B\n"
                                      "    connect b.R to c.B\n"
                                      "    connect c.R to d.B\n"
                                      "}\n";
    SomDesign *d = test_edit_begin(square);
    bool done = som_design_connect(d, S(""), S("a.L"), S("c.B"), test_edit_degrees(0));
    test_edit_refused(d, done, square, "SOM2606: 'c.B' is already connected with 'b.R'");
    d = test_edit_begin(square);
    done = som_design_connect(d, S(""), S("a.L"), S("a.B"), test_edit_degrees(0));
    test_edit_refused(d, done, square, "SOM2606: 'a.L' and 'a.B' are of one module");
    d = test_edit_begin(square);
    done = som_design_connect(d, S(""), S("a.X"), S("c.L"), test_edit_degrees(0));
    test_edit_refused(d, done, square, "SOM2602: 'a.X' is no connector of this design");
    d = test_edit_begin(square);
    done = som_design_connect(d, S(""), S("a.L"), S("d.L"), test_edit_degrees(45));
    test_edit_refused(
        d, done, square,
        "SOM2607: this cannot be done: 'a.L' and 'd.L' cannot be mated at 45deg; they offer "
        "0deg, 90deg, 180deg, 270deg");
    d = test_edit_begin(square);
    done = som_design_connect(d, S(""), S("d.R"), S("a.B"), test_edit_degrees(0));
    test_edit_made(d, done, square,
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
    SomDesign *d = test_edit_begin(ring);
    bool done = som_design_disconnect(d, S(""), S("c.B"), S("b.R"));
    test_edit_made(d, done, ring,
                   "use \"smores.m3l\"\n"
                   "config Square {\n"
                   "    part a, b, c, d : SMORES\n"
                   "    connect a.R to b.B\n"
                   "    connect c.R to d.B\n"
                   "    # the last\n"
                   "    connect d.R to a.B\n"
                   "}\n");
    d = test_edit_begin(ring);
    done = som_design_disconnect(d, S(""), S("a.B"), S("d.R"));
    test_edit_made(d, done, ring,
                   "use \"smores.m3l\"\n"
                   "config Square {\n"
                   "    part a, b, c, d : SMORES\n"
                   "    connect a.R to b.B; connect b.R to c.B # two\n"
                   "    connect c.R to d.B\n"
                   "}\n");
    d = test_edit_begin(ring);
    done = som_design_disconnect(d, S(""), S("a.B"), S("d.L"));
    test_edit_refused(d, done, ring, "SOM2602: 'a.B' and 'd.L' are not connected");

    static const char *const row = "use \"smores.m3l\"\n"
                                   "config Row(n: count = 3) {\n"
                                   "    part s[n] : SMORES\n"
                                   "    part tip : SMORES\n"
                                   "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                                   "    connect s[n].B to tip.T at 45deg*2 gap 2mm # end\n"
                                   "}\n";
    d = test_edit_begin(row);
    done = som_design_disconnect(d, S(""), S("s[2].B"), S("s[3].T"));
    test_edit_refused(
        d, done, row,
        "SOM2604: the connection of 's[2].B' and 's[3].T' comes from the loop in line 5");
    d = test_edit_begin(row);
    done = som_design_disconnect(d, S(""), S("s[3].B"), S("tip.T"));
    test_edit_refused(
        d, done, row,
        "SOM2607: this cannot be done: 'tip' is not connected with 's[1]', 's[2]', 's[3]' and "
        "has no base");
    d = test_edit_begin(row);
    done = som_design_reconnect(d, S("Row"), S("tip.T"), S("s[3].B"), S("tip.L"), S("s[3].B"),
                                test_edit_degrees(180));
    test_edit_made(d, done, row,
                   "use \"smores.m3l\"\n"
                   "config Row(n: count = 3) {\n"
                   "    part s[n] : SMORES\n"
                   "    part tip : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                   "    connect s[n].B to tip.L at 180deg gap 2mm # end\n"
                   "}\n");
    d = test_edit_begin(row);
    done = som_design_reconnect(d, S("Row(n = 4)"), S("tip.T"), S("s[4].B"), S("tip.T"),
                                S("s[1].L"), test_edit_degrees(0));
    test_edit_made(d, done, row,
                   "use \"smores.m3l\"\n"
                   "config Row(n: count = 3) {\n"
                   "    part s[n] : SMORES\n"
                   "    part tip : SMORES\n"
                   "    connect s[i].B to s[i+1].T for i in 1..n-1\n"
                   "    connect s[1].L to tip.T gap 2mm # end\n"
                   "}\n");
    d = test_edit_begin(test_edit_robot);
    done = som_design_disconnect(d, S(""), S("body.front.tail.B"), S("body.rear.head.T"));
    test_edit_refused(
        d, done, test_edit_robot,
        "SOM2604: 'body.front.tail.B' and 'body.rear.head.T' are connected by 'Chain6', which "
        "'body' is one of; change that");
}
END_TEST

START_TEST(a_part_is_removed_with_what_is_about_it) {
    SomDesign *d = test_edit_begin(test_edit_robot);
    bool done = som_design_remove_part(d, S(""), S("left"), false);
    test_edit_refused(
        d, done, test_edit_robot,
        "SOM2605: 'left' is still needed: 2 other things would have to go with it / the "
        "behavior 'go' needs it / the behavior 'twice' needs it");
    d = test_edit_begin(test_edit_robot);
    done = som_design_remove_part(d, S(""), S("left"), true);
    test_edit_made(d, done, test_edit_robot,
                   "# A test_edit_robot.\n"
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
    d = test_edit_begin(test_edit_robot);
    done = som_design_remove_part(d, S(""), S("body.front"), false);
    test_edit_refused(
        d, done, test_edit_robot,
        "SOM2604: 'body.front' is made by 'Chain6', which 'body' is one of; change that");
    d = test_edit_begin(test_edit_robot);
    done = som_design_remove_part(d, S(""), S("tail"), false);
    test_edit_refused(d, done, test_edit_robot, "SOM2602: the design has no part 'tail'");

    static const char *const chain =
        "use \"smores.m3l\"\n"
        "config Chain {\n"
        "    part a, b, c : SMORES\n"
        "    connect a.B to b.T\n"
        "    connect b.B to c.T\n"
        "    base b frame lab on ground turned (0deg, 0deg, 90deg) # up\n"
        "}\n";
    d = test_edit_begin(chain);
    done = som_design_remove_part(d, S(""), S("b"), false);
    test_edit_refused(
        d, done, chain,
        "SOM2605: 'b' is still needed: 1 other thing would have to go with it / the part 'c' "
        "hangs on it");
    d = test_edit_begin(chain);
    done = som_design_remove_part(d, S(""), S("b"), true);
    test_edit_made(d, done, chain,
                   "use \"smores.m3l\"\n"
                   "config Chain {\n"
                   "    part a : SMORES\n"
                   "    base a frame lab on ground turned (0deg, 0deg, 90deg) # up\n"
                   "}\n");
    static const char *const one = "use \"smores.m3l\"\nconfig One { part a : SMORES }\n";
    d = test_edit_begin(one);
    done = som_design_remove_part(d, S(""), S("a"), true);
    test_edit_refused(d, done, one, "SOM2607: this cannot be done: 'One' has no modules");

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
    d = test_edit_begin(array);
    done = som_design_remove_part(d, S(""), S("arm[2]"), true);
    test_edit_refused(d, done, array, "SOM2604: 'arm[2]' is one of the array 'arm[2]' in line 4");
    d = test_edit_begin(array);
    done = som_design_remove_part(d, S(""), S("arm"), false);
    test_edit_refused(
        d, done, array,
        "SOM2605: 'arm' is still needed: 1 other thing would have to go with it / the loop in "
        "line 7 names it");
    d = test_edit_begin(array);
    done = som_design_remove_part(d, S(""), S("hub"), true);
    test_edit_refused(d, done, array, "SOM2605: 'hub' is still needed by the config 'Two'");
    d = test_edit_begin(array);
    done = som_design_remove_part(d, S(""), S("arm"), true);
    test_edit_made(d, done, array,
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

START_TEST(comments_among_the_names_of_parts_stay_with_theirs) {
    static const char *const text = "use \"smores.m3l\"\n"
                                    "config Three {\n"
                                    "    part a, # first\n"
                                    "        b, # second\n"
                                    "        c : SMORES\n"
                                    "    connect a.B to b.T\n"
                                    "    connect a.L to c.T\n"
                                    "}\n";
    SomDesign *d = test_edit_begin(text);
    bool done = som_design_remove_part(d, S(""), S("c"), false);
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Three {\n"
                   "    part a, # first\n"
                   "        b : SMORES # second\n"
                   "    connect a.B to b.T\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_remove_part(d, S(""), S("b"), false);
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "config Three {\n"
                   "    part a, # first\n"
                   "        c : SMORES\n"
                   "    connect a.L to c.T\n"
                   "}\n");
    d = test_edit_begin(text);
    done = som_design_replace_part(d, S(""), S("b"), S("Module"), S("module.som"));
    test_edit_made(d, done, text,
                   "use \"smores.m3l\"\n"
                   "use \"module.som\"\n"
                   "config Three {\n"
                   "    part a, # first\n"
                   "        c : SMORES\n"
                   "    part b : Module # second\n"
                   "    connect a.B to b.T\n"
                   "    connect a.L to c.T\n"
                   "}\n");
    static const char *const behind = "use \"smores.m3l\"\r\n"
                                      "config Two {\r\n"
                                      "    part a, # first\r\n"
                                      "        b : SMORES # both\r\n"
                                      "    connect a.B to b.T\r\n"
                                      "}\r\n";
    d = test_edit_begin(behind);
    done = som_design_remove_part(d, S(""), S("b"), false);
    test_edit_made(d, done, behind,
                   "use \"smores.m3l\"\r\n"
                   "config Two {\r\n"
                   "    # first\r\n"
                   "    part a : SMORES # both\r\n"
                   "}\r\n");
}
END_TEST

START_TEST(a_part_is_mirrored_to_the_other_side) {
    static const char *const half =
        "use \"chain6.som\"\n"
        "config Robot {\n"
        "    part body : Chain6\n"
        "    part left : Chain3\n"
        "    connect left.head.L to body.front.middle.L at 270deg\n"
        "    pose stand { left.leg }\n"
        "    pose step { left.head.left = 20deg; left.head.pan = 5deg }\n"
        "}\n";
    SomDesign *d = test_edit_begin(half);
    bool done = som_design_mirror_part(d, S(""), S("left"), S("right"));
    test_edit_made(
        d, done, half,
        "use \"chain6.som\"\n"
        "config Robot {\n"
        "    part body : Chain6\n"
        "    part left : Chain3\n"
        "    part right : Chain3\n"
        "    connect left.head.L to body.front.middle.L at 270deg\n"
        "    connect right.head.R to body.front.middle.R at 90deg\n"
        "    pose stand { left.leg; right.leg }\n"
        "    pose step { left.head.left = 20deg; left.head.pan = 5deg; right.head.front = 5deg;"
        " right.head.right = 20deg }\n"
        "}\n");
    static const char *const end = "use \"chain6.som\"\n"
                                   "config Robot {\n"
                                   "    part body : Chain6\n"
                                   "    part left : Chain3\n"
                                   "    connect left.head.T to body.rear.tail.B\n"
                                   "}\n";
    d = test_edit_begin(end);
    done = som_design_mirror_part(d, S(""), S("left"), S("right"));
    test_edit_refused(
        d, done, end,
        "SOM2608: 'left' at 'body.rear.tail.B' has no mirror image that is the same part "
        "again");
    d = test_edit_begin(test_edit_robot);
    done = som_design_mirror_part(d, S(""), S("left"), S(""));
    test_edit_refused(d, done, test_edit_robot,
                      "SOM2607: this cannot be done: 'body.front.middle.R' is already connected");
    d = test_edit_begin(test_edit_robot);
    done = som_design_mirror_part(d, S(""), S("body"), S(""));
    test_edit_refused(d, done, test_edit_robot,
                      "SOM2608: 'body' does not hang on one plain connection");
}
END_TEST

START_TEST(the_image_of_a_part_is_where_a_mirror_shows_it) {
    SomDesign *d = test_edit_begin("use \"chain6.som\"\n"
                                   "config Robot {\n"
                                   "    part body : Chain6\n"
                                   "    part left : Chain3\n"
                                   "    connect left.head.R to body.front.middle.L at 90deg\n"
                                   "    pose step {\n"
                                   "        left.head.left = 20deg; left.head.right = -50deg\n"
                                   "        left.head.pan = 5deg; left.head.bend = 30deg\n"
                                   "        left.middle.tilt = 17deg; left.tail.pan = 40deg\n"
                                   "    }\n"
                                   "    start step\n"
                                   "}\n");
    ck_assert(som_design_mirror_part(d, S(""), S("left"), S("right")));
    const SomConfiguration *c = som_design_compose(d, S(""));
    SomMechanism *mechanism = som_mechanism_create(c);
    SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
    SomPosture posture = som_posture_start(c);
    som_mechanism_place(mechanism, &posture, links);
    int host = som_configuration_find_module(c, S("body.front.middle"));
    SomPose world = som_mechanism_module_pose(mechanism, links, host);
    static const char *const modules[] = {"head", "middle", "tail"};
    static const char *const faces[] = {"T", "B", "L", "R"}, *const images[] = {"T", "B", "R", "L"};
    for (int i = 0; i < 12; i++) {
        SomVec3 points[2];
        for (int side = 0; side < 2; side++) {
            SomText path = {0};
            som_text_printf(&path, "%s.%s", side == 0 ? "left" : "right", modules[i / 4]);
            int module = som_configuration_find_module(c, som_text_str(&path));
            int face = som_module_type_find_connector(
                c->modules[module].type, som_str(side == 0 ? faces[i % 4] : images[i % 4]));
            SomPose pose = som_mechanism_connector_pose(mechanism, links, module, face);
            points[side] = som_pose_apply_inverse(world, pose.position);
            som_text_free(&path);
        }
        points[0].x = -points[0].x; // SMORES has left and right along x
        ck_assert_double_le(som_vec3_length(som_vec3_sub(points[0], points[1])), 1e-9);
    }
    som_posture_free(&posture);
    som_free(links);
    som_mechanism_destroy(mechanism);
    som_design_destroy(d);
}
END_TEST

SOM_SUITE("compose/design_connect", connectors_are_connected_or_it_is_said_why_not,
          connections_are_opened_and_moved, a_part_is_removed_with_what_is_about_it,
          comments_among_the_names_of_parts_stay_with_theirs, a_part_is_mirrored_to_the_other_side,
          the_image_of_a_part_is_where_a_mirror_shows_it)
