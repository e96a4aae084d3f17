// SDF that is read stands as its numbers say, by formulas of our own.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/file.h"
#include "exchange/import.h"
#include "tests/exchange/matrix.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- texts

// A model of some version, with this in it.
static SomTestRead read_model(const char *version, const char *inside) {
    SomText text = {0};
    som_text_printf(&text, "<sdf version='%s'><model name='m'>%s</model></sdf>", version, inside);
    SomTestRead r = som_test_read_text("m.sdf", som_text_str(&text), NULL);
    som_text_free(&text);
    return r;
}

static SomTestMatrix pose(double x, double y, double z, double roll, double pitch, double yaw) {
    return som_test_rpy((double[6]){x, y, z, roll, pitch, yaw});
}

static SomPose link_pose(const SomTestRead *r, const char *name, const double *values) {
    SomPose placed[16];
    double zero[16] = {0};
    ck_assert_ptr_nonnull(r->type);
    ck_assert_int_le(r->type->link_count, 16);
    som_module_type_place(r->type, values != NULL ? values : zero, placed);
    int link = som_module_type_find_link(r->type, som_str(name));
    ck_assert_msg(link >= 0, "no link %s", name);
    return som_pose_compose(placed[link], r->type->links[link].frame);
}

// Where link `name` stands in link `in`.
static void check_pose(const SomTestRead *r, const char *in, const char *name, const double *values,
                       SomTestMatrix wanted) {
    SomPose is = som_pose_relative(link_pose(r, in, values), link_pose(r, name, values));
    double most = som_test_matrix_distance(wanted, is);
    ck_assert_msg(most <= 1e-9, "%s in %s is %g off", name, in, most);
}

#define MASS "<inertial><mass>1</mass></inertial>"
#define LINK(name, rest) "<link name='" name "'>" MASS rest "</link>"
#define FIXED(name, parent, child)                                                                 \
    "<joint name='" name "' type='fixed'><parent>" parent "</parent><child>" child                 \
    "</child></joint>"

START_TEST(poses_are_relative_to_what_they_say) {
    SomTestRead r = read_model(
        "1.9",
        LINK("a", "<pose>1 2 3 0.1 0.2 0.3</pose>") LINK(
            "b", "<pose relative_to='f'>0 0 1 0 0.5 0</pose>")
            LINK("c", "<pose relative_to='j'>0 1 0 0.7 0 0</pose>") LINK(
                "d", "<pose relative_to='__model__'/>") "<frame name='f' attached_to='g'><pose>0.5 "
                                                        "0 0 0 0 1</pose></frame>"
                                                        "<frame name='g' attached_to='a'><pose "
                                                        "relative_to='__model__'>"
                                                        "0 0 2 1 0 0</pose></frame>"
                                                        "<joint name='j' type='fixed'><pose "
                                                        "relative_to='b'>1 0 0 0 0 -0.4</pose>"
                                                        "<parent>b</parent><child>c</child></"
                                                        "joint>" FIXED("k", "f", "b")
                                                            FIXED("l", "a", "d"));
    SomTestMatrix a = pose(1, 2, 3, 0.1, 0.2, 0.3);
    SomTestMatrix f = som_test_multiply(pose(0, 0, 2, 1, 0, 0), pose(0.5, 0, 0, 0, 0, 1));
    SomTestMatrix b = som_test_multiply(f, pose(0, 0, 1, 0, 0.5, 0));
    SomTestMatrix j = som_test_multiply(b, pose(1, 0, 0, 0, 0, -0.4));
    SomTestMatrix c = som_test_multiply(j, pose(0, 1, 0, 0.7, 0, 0));
    check_pose(&r, "a", "b", NULL, som_test_multiply(som_test_invert(a), b));
    check_pose(&r, "a", "c", NULL, som_test_multiply(som_test_invert(a), c));
    check_pose(&r, "d", "c", NULL, c);
    ck_assert_int_eq(som_diagnostics_error_count(r.diags), 0);
    som_test_free_read(&r);
}
END_TEST

START_TEST(turns_are_radians_degrees_or_quaternions) {
    SomTestRead r = read_model(
        "1.9", LINK("a", "") LINK("b", "<pose degrees='true'>1 0 0 10 20 30</pose>")
                   LINK("c", "<pose rotation_format='euler_rpy' degrees='true'>0 0 0 0 0 90</pose>")
                       LINK("d", "<pose rotation_format='quat_xyzw'>0 1 0 0 0.6 0 0.8</pose>")
                           FIXED("j", "a", "b") FIXED("k", "a", "c") FIXED("l", "a", "d"));
    double degree = acos(-1) / 180;
    check_pose(&r, "a", "b", NULL, pose(1, 0, 0, 10 * degree, 20 * degree, 30 * degree));
    check_pose(&r, "a", "c", NULL, pose(0, 0, 0, 0, 0, 90 * degree));
    check_pose(&r, "a", "d", NULL, pose(0, 1, 0, 0, 2 * atan2(0.6, 0.8), 0));
    som_test_free_read(&r);
}
END_TEST

// The joint is at (0, 0, 1) of the child b, which leans by 0.5 about x; b turns by 0.3.
START_TEST(axes_are_in_the_frame_of_their_version) {
    static const struct {
        const char *version, *before, *after;
        bool is_of_model, is_of_a;
    } cases[] = {
        {"1.4", "<xyz>0 0 1</xyz>", "", true, false},
        {"1.5", "<xyz>0 0 1</xyz>", "", false, false},
        {"1.5", "<xyz>0 0 1</xyz>", "<use_parent_model_frame>1</use_parent_model_frame>", true,
         false},
        {"1.6", "<xyz>0 0 1</xyz>", "<use_parent_model_frame>true</use_parent_model_frame>", true,
         false},
        {"1.6", "<xyz>0 0 2</xyz>", "", false, false},
        {"1.7", "<xyz>0 0 1</xyz>", "", false, false},
        {"1.7", "<xyz expressed_in='__model__'>0 0 1</xyz>", "", true, false},
        {"1.11", "<xyz expressed_in='a'>0 0 1</xyz>", "", false, true},
    };
    SomTestMatrix a = pose(0, 0, 0, 0, 0.8, 0), b = pose(1, 0, 0, 0.5, 0, 0),
                  j = pose(0, 0, 1, 0, 0.2, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText inside = {0};
        som_text_printf(
            &inside,
            LINK("a", "<pose>0 0 0 0 0.8 0</pose>") LINK(
                "b",
                "<pose>1 0 0 0.5 0 0</pose>") "<joint name='j' type='revolute'><pose>0 0 1 0 0.2 "
                                              "0</pose><parent>a"
                                              "</parent><child>b</child><axis>%s%s</axis></joint>",
            cases[i].before, cases[i].after);
        SomTestRead r = read_model(cases[i].version, inside.data);
        // a turn about z of the frame that the axis is in, through the origin of the joint
        SomTestMatrix origin = som_test_multiply(b, j), frame = cases[i].is_of_model
                                                                    ? pose(0, 0, 0, 0, 0, 0)
                                                                : cases[i].is_of_a ? a
                                                                                   : origin;
        for (int k = 0; k < 3; k++) {
            frame.m[k][3] = origin.m[k][3];
        }
        SomTestMatrix turned =
            som_test_multiply(som_test_multiply(som_test_multiply(frame, pose(0, 0, 0, 0, 0, 0.3)),
                                                som_test_invert(frame)),
                              b);
        check_pose(&r, "a", "b", (double[16]){0.3}, som_test_multiply(som_test_invert(a), turned));
        som_test_free_read(&r);
        som_text_free(&inside);
    }
}
END_TEST

START_TEST(models_in_models_are_one) {
    SomTestRead r = read_model(
        "1.9",
        LINK("a",
             "<pose>0 0 1 0 0 0.1</pose>") "<model name='n' placement_frame='p'><pose "
                                           "relative_to='a'>1 0 0 0 0.2 0</pose>" LINK(
                                               "a", "<pose>0 2 0 0 0 0</pose>")
                                               LINK("p", "<pose relative_to='a'>0 0 3 1 0 0</pose>")
                                                   FIXED("j", "a", "p") "</model>" FIXED("j", "a",
                                                                                         "n::a"));
    SomTestMatrix p = pose(1, 0, 0, 0, 0.2, 0), in_n = pose(0, 0, 3, 1, 0, 0);
    check_pose(&r, "a", "n_p", NULL, p);
    check_pose(&r, "a", "n_a", NULL, som_test_multiply(p, som_test_invert(in_n)));
    som_test_free_read(&r);
}
END_TEST

START_TEST(included_models_are_found_and_merged) {
    static const char hand[] =
        "<sdf version='1.9'><model name='hand'><pose>9 9 9 0 0 0</pose>" LINK(
            "palm", "<pose>0 0 1 0.3 0 0</pose>") "</model></sdf>";
    static const char *const merges[] = {"", " merge='true'"};
    for (int i = 0; i < 2; i++) {
        SomText arm = {0};
        som_text_printf(&arm,
                        "<sdf version='1.10'><model name='arm'>" LINK(
                            "a", "") "<include%s><uri>hand.sdf</uri><name>h</name>"
                                     "<pose>1 0 0 0 0 0.5</pose></include>" FIXED(
                                         "j", "a", "%s") "</model></sdf>",
                        merges[i], i == 0 ? "h::palm" : "palm");
        const SomStr paths[] = {SOM_STR("arm.sdf"), SOM_STR("hand.sdf")};
        const SomStr texts[] = {som_text_str(&arm), SOM_STR(hand)};
        SomTestRead r = som_test_read_texts(paths, texts, 2, NULL);
        check_pose(&r, "a", i == 0 ? "h_palm" : "palm", NULL,
                   som_test_multiply(pose(1, 0, 0, 0, 0, 0.5), pose(0, 0, 1, 0.3, 0, 0)));
        som_test_free_read(&r);
        som_text_free(&arm);
    }
}
END_TEST

// Every model has a model.config: that of the including one is not that of the included one.
START_TEST(included_folders_are_those_of_their_names) {
    static const char *const files[][2] = {
        {"arm/model.config", "<model><sdf version='1.9'>model.sdf</sdf></model>"},
        {"arm/model.sdf",
         "<sdf version='1.9'><model name='arm'>" LINK(
             "a", "") "<include><uri>model://hand</uri></include>"
                      "<include><uri>hand</uri><name>other</name></include>" FIXED(
                          "j", "a", "hand::palm") FIXED("k", "a", "other::palm") "</model></sdf>"},
        {"hand/model.config", "<model><sdf version='1.4'>model.sdf</sdf>"
                              "<sdf version='1.9'>new.sdf</sdf></model>"},
        {"hand/model.sdf", "<sdf version='1.4'><model name='hand'/></sdf>"},
        {"hand/new.sdf", "<sdf version='1.9'><model name='hand'>" LINK(
                             "palm", "<pose>0 0 1 0 0 0</pose>") "</model></sdf>"},
    };
    static const char *const folders[] = {"arm", "hand"};
    const int count = sizeof files / sizeof *files;
    char root[] = "/tmp/somite-sdf-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(root));
    SomText path = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    for (int i = 0; i < 2; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, folders[i]);
        ck_assert(som_file_make_folder(path.data, diags));
    }
    for (int i = 0; i < count; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, files[i][0]);
        ck_assert(som_file_save(path.data, som_str(files[i][1]), diags));
    }
    som_text_clear(&path);
    som_text_printf(&path, "%s/arm/model.sdf", root);
    SomStr given = som_text_str(&path), search = som_str(root);
    for (int searches = 0; searches < 2; searches++) {
        SomImportOptions options = {.searches = &search, .search_count = searches};
        SomTestRead r = som_test_read_path(given, &options);
        ck_assert_int_eq(r.type != NULL, searches);
        ck_assert_int_eq(som_diagnostics_has(r.diags, SOM_SDF_INCLUDE_MISSING), !searches);
        if (r.type != NULL) {
            check_pose(&r, "a", "hand_palm", NULL, pose(0, 0, 1, 0, 0, 0));
            check_pose(&r, "a", "other_palm", NULL, pose(0, 0, 1, 0, 0, 0));
        }
        som_test_free_read(&r);
    }
    for (int i = 0; i < count + 2; i++) {
        som_text_clear(&path);
        som_text_printf(&path, "%s/%s", root, i < count ? files[i][0] : folders[i - count]);
        ck_assert_int_eq(remove(path.data), 0);
    }
    ck_assert_int_eq(rmdir(root), 0);
    som_text_free(&path);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(moments_turn_with_the_pose_of_the_inertia) {
    SomTestRead r = read_model("1.9", "<link name='a'><inertial><pose>0.1 0.2 0.3 0 0 0.6</pose>"
                                      "<mass>2</mass><inertia><ixx>0.02</ixx><iyy>0.03</iyy>"
                                      "<izz>0.04</izz></inertia></inertial></link>");
    ck_assert_ptr_nonnull(r.type);
    SomInertia is =
        som_inertia_transform(som_pose_invert(r.type->links[0].frame), r.type->links[0].inertia);
    double c = cos(0.6), s = sin(0.6);
    ck_assert_double_eq(is.mass, 2);
    ck_assert_double_le(fabs(is.center.y - 0.2), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[0][0] - (c * c * 0.02 + s * s * 0.03)), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[0][1] - c * s * (0.02 - 0.03)), 1e-12);
    ck_assert_double_le(fabs(is.moments.m[2][2] - 0.04), 1e-12);
    som_test_free_read(&r);
}
END_TEST

#define PLAYER(weld)                                                                               \
    "<plugin filename='SomitePlayer' name='somite::Player'><weld name='w' " weld                   \
    " parent='a' child='b'/></plugin>"

START_TEST(only_closed_docks_hold) {
    static const char two[] = LINK("a", "") LINK("b", "<pose>0 0 1 0 0 0</pose>");
    SomText inside = {0};
    som_text_printf(&inside, "%s%s", two, PLAYER("dock='d' state='closed'"));
    SomTestRead r = read_model("1.9", inside.data);
    check_pose(&r, "a", "b", NULL, pose(0, 0, 1, 0, 0, 0));
    ck_assert(som_diagnostics_has(r.diags, SOM_SDF_WELDS));
    som_test_free_read(&r);
    som_text_clear(&inside);
    som_text_printf(&inside, "%s%s", two, PLAYER("dock='d' state='open'"));
    r = read_model("1.9", inside.data);
    ck_assert_ptr_null(r.type);
    ck_assert(som_diagnostics_has(r.diags, SOM_MODEL_IN_PIECES));
    som_test_free_read(&r);
    som_text_clear(&inside);
    som_text_printf(&inside, "%s%s%s", two, FIXED("j", "a", "b"), PLAYER(""));
    r = read_model("1.9", inside.data);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(r.type->joint_count, 1);
    ck_assert(som_diagnostics_has(r.diags, SOM_SDF_WELDS)); // a loop that nothing closes here
    som_test_free_read(&r);
    som_text_free(&inside);
}
END_TEST

// ---- what is not carried over

static bool is_said(const SomTestRead *r, SomCode code, const char *word) {
    int count;
    const SomDiagnostic *all = som_diagnostics_get(r->diags, &count);
    for (int i = 0; i < count; i++) {
        SomText message = {0};
        som_text_add(&message, all[i].message);
        bool found = all[i].code == code && strstr(message.data, word) != NULL;
        som_text_free(&message);
        if (found) {
            return true;
        }
    }
    return false;
}

#define BOX "<geometry><box><size>0.1 0.1 0.1</size></box></geometry>"
#define TURNING(rest)                                                                              \
    LINK("a", "")                                                                                  \
    LINK("b", "")                                                                                  \
    "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis>" rest                \
    "</axis></joint>"
#define MESH(name) "<geometry><mesh><uri>" name ".stl</uri></mesh></geometry>"

// Each with a meaning that is lost, and the word by which the warning names it.
START_TEST(what_is_left_out_is_said) {
    static const char *const cases[][2] = {
        {TURNING("<dynamics><spring_stiffness>3</spring_stiffness></dynamics>"),
         "'spring_stiffness'"},
        {TURNING("<dynamics><spring_reference>3</spring_reference></dynamics>"),
         "'spring_reference'"},
        {TURNING("<limit><stiffness>3</stiffness></limit>"), "'limit/stiffness'"},
        {TURNING("<limit><dissipation>3</dissipation></limit>"), "'limit/dissipation'"},
        {TURNING("<initial_position>1</initial_position>"), "'initial_position'"},
        {TURNING("<mimic joint='k'/>"), "'mimic'"},
        {"<pose>0 0 1 0.5 0 0</pose>" TURNING(""), "'pose'"},
        {"<link name='a'><inertial><mass>1</mass><fluid_added_mass/></inertial></link>",
         "'fluid_added_mass'"},
        {"<link name='a'><inertial auto='true'><auto_inertia_params/></inertial><collision "
         "name='c'>" BOX "</collision></link>",
         "'auto_inertia_params'"},
        {LINK("a", "<visual name='v'><cast_shadows>0</cast_shadows>" MESH("x") "</visual>"),
         "'cast_shadows'"},
        {LINK("a", "") "<model name='n'><allow_auto_disable>0</allow_auto_disable>" LINK(
             "b", "") "</model>" FIXED("j", "a", "n::b"),
         "'allow_auto_disable'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomTestRead r = read_model("1.9", cases[i][0]);
        ck_assert_msg(is_said(&r, SOM_SDF_LEFT_OUT, cases[i][1]), "%s", cases[i][1]);
        som_test_free_read(&r);
    }
    // what says what SDF has anyway loses nothing
    SomTestRead r = read_model(
        "1.9", TURNING("<initial_position>0</initial_position><limit><stiffness>1e8</stiffness>"
                       "<dissipation>1</dissipation></limit><dynamics><spring_stiffness>0"
                       "</spring_stiffness></dynamics>"));
    ck_assert(!som_diagnostics_has(r.diags, SOM_SDF_LEFT_OUT));
    som_test_free_read(&r);
}
END_TEST

// Shapes of primitives are kept with all that is said of them.
START_TEST(what_shapes_say_is_kept) {
    static const char *const cases[][2] = {
        {"<max_contacts>3</max_contacts>", "'max_contacts'"},
        {"<surface><friction><torsional/></friction></surface>", "'torsional'"},
        {"<surface><friction><ode><mu>1</mu><mu2>2</mu2></ode></friction></surface>", "'mu2'"},
        {"<surface><friction><ode><slip1>0.1</slip1></ode></friction></surface>", "'slip1'"},
        {"<surface><bounce><threshold>3</threshold></bounce></surface>", "'bounce'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText inside = {0};
        som_text_printf(&inside,
                        "<link name='a'>" MASS "<collision name='c'>" BOX
                        "</collision><collision name='d'>" BOX "%s</collision></link>",
                        cases[i][0]);
        SomTestRead r = read_model("1.9", inside.data);
        ck_assert_ptr_nonnull(r.type);
        ck_assert_msg(is_said(&r, SOM_SDF_KEPT, cases[i][1]), "%s", cases[i][1]);
        SomText kept = {0};
        som_text_add(&kept, r.type->links[0].kept.sdf);
        ck_assert_msg(strstr(kept.data, cases[i][0]) != NULL, "%s", kept.data);
        som_text_free(&kept);
        som_text_free(&inside);
        som_test_free_read(&r);
    }
}
END_TEST

START_TEST(kinds_are_told_once_each) {
    SomText inside = {0};
    for (int i = 0; i < 40; i++) {
        som_text_printf(&inside, "<thing_%d/><thing_%d/>", i, i);
    }
    som_text_printf(&inside, LINK("a", ""));
    SomTestRead r = read_model("1.9", inside.data);
    int count, kept = 0;
    const SomDiagnostic *all = som_diagnostics_get(r.diags, &count);
    for (int i = 0; i < count; i++) {
        kept += all[i].code == SOM_SDF_KEPT;
        ck_assert_uint_lt(all[i].message.length, 1000);
    }
    ck_assert_int_eq(kept, 1);
    ck_assert(is_said(&r, SOM_SDF_KEPT, "'thing_1' (2), "));
    ck_assert(is_said(&r, SOM_SDF_KEPT, " (and 48 more) mean"));
    som_test_free_read(&r);
    som_text_free(&inside);
}
END_TEST

START_TEST(of_a_world_joints_between_models_are_said) {
    static const char world[] =
        "<sdf version='1.9'><world name='w'><light name='l' type='point'/><model name='m'>" LINK(
            "a", "") "</model><joint name='j' type='fixed'><parent>world</parent><child>m</child>"
                     "</joint></world></sdf>";
    SomTestRead r = som_test_read_text("w.sdf", SOM_STR(world), NULL);
    ck_assert(is_said(&r, SOM_SDF_LEFT_OUT, "'joint'"));
    som_test_free_read(&r);
}
END_TEST

// The plane is no shape here; the densities are those of the two boxes, one of its own.
START_TEST(computed_masses_are_of_their_own_shapes) {
    SomTestRead r = read_model(
        "1.11", "<link name='a'><inertial auto='true'><density>300</density></inertial>"
                "<collision name='p'><density>9</density><geometry><plane/></geometry></collision>"
                "<collision name='c'><density>500</density>" BOX "</collision>"
                "<collision name='d'>" BOX "</collision></link>");
    ck_assert_ptr_nonnull(r.type);
    ck_assert_double_le(fabs(r.type->links[0].inertia.mass - (500 + 300) * 1e-3), 1e-12);
    som_test_free_read(&r);
}
END_TEST

SOM_SUITE("exchange/sdf_read", poses_are_relative_to_what_they_say,
          turns_are_radians_degrees_or_quaternions, axes_are_in_the_frame_of_their_version,
          models_in_models_are_one, included_models_are_found_and_merged,
          included_folders_are_those_of_their_names, moments_turn_with_the_pose_of_the_inertia,
          only_closed_docks_hold, what_is_left_out_is_said, what_shapes_say_is_kept,
          kinds_are_told_once_each, of_a_world_joints_between_models_are_said,
          computed_masses_are_of_their_own_shapes)
