// URDF that is read stands and moves as its numbers say, by formulas of our own; what is odd in it
// is said, and what means nothing here is kept.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "tests/exchange/matrix.h"
#include "tests/exchange/read_type.h"

#include <math.h>
#include <stdio.h>

// ---- forward kinematics of the file's numbers, with the C library's functions

// A turn about, or a way along, an axis of any length.
static SomTestMatrix moved(const double a[3], double value, bool is_turn) {
    double way = value / sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    return is_turn ? som_test_rotate(value, a[0], a[1], a[2])
                   : som_test_translate(way * a[0], way * a[1], way * a[2]);
}

static void add_numbers(SomText *out, const char *name, const double *values, int count) {
    som_text_printf(out, " %s=\"", name);
    for (int i = 0; i < count; i++) {
        som_text_add(out, i > 0 ? SOM_STR(" ") : SOM_STR(""));
        som_text_number(out, values[i]);
    }
    som_text_add(out, SOM_STR("\""));
}

#define LINKS 9
START_TEST(links_stand_where_the_numbers_say) {
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed"};
    SomTestRandom random = {11};
    for (int round = 0; round < som_test_count(60, 2000); round++) {
        SomText text = {0};
        double origin[LINKS][6], axis[LINKS][3], value[LINKS] = {0};
        int parent[LINKS], type[LINKS];
        som_text_add(&text, SOM_STR("<robot name='tree'><link name='l0'/>"));
        for (int i = 1; i < LINKS; i++) {
            parent[i] = som_test_int(&random, 0, i - 1);
            type[i] = som_test_int(&random, 0, 3);
            for (int k = 0; k < 9; k++) {
                double v = som_test_uniform(&random, -3, 3);
                *(k < 6 ? &origin[i][k] : &axis[i][k - 6]) = v;
            }
            value[i] = type[i] == 3 ? 0 : som_test_uniform(&random, -1, 1);
            som_text_printf(&text,
                            "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>"
                            "<limit lower='-2' upper='2' effort='1' velocity='1'/><origin",
                            i, types[type[i]], parent[i], i);
            add_numbers(&text, "xyz", origin[i], 3);
            add_numbers(&text, "rpy", origin[i] + 3, 3);
            som_text_add(&text, SOM_STR("/><axis"));
            add_numbers(&text, "xyz", axis[i], 3);
            som_text_printf(&text, "/></joint><link name='l%d'/>", i);
        }
        som_text_add(&text, SOM_STR("</robot>"));
        SomTestRead r = som_test_read_text("tree.urdf", som_text_str(&text), NULL);
        ck_assert_ptr_nonnull(r.type);
        SomTestMatrix wanted[LINKS] = {som_test_identity()};
        SomPose placed[LINKS];
        double values[LINKS] = {0};
        for (int i = 1; i < LINKS; i++) {
            wanted[i] =
                som_test_multiply(som_test_multiply(wanted[parent[i]], som_test_rpy(origin[i])),
                                  moved(axis[i], value[i], type[i] < 2));
            char name[16];
            snprintf(name, sizeof name, "j%d", i);
            values[som_module_type_find_joint(r.type, som_str(name), NULL)] = value[i];
        }
        som_module_type_place(r.type, values, placed);
        for (int i = 0; i < LINKS; i++) {
            char name[16];
            snprintf(name, sizeof name, "l%d", i);
            int link = som_module_type_find_link(r.type, som_str(name));
            ck_assert_int_ge(link, 0);
            SomPose pose = som_pose_compose(placed[link], r.type->links[link].frame);
            ck_assert_double_le(som_test_matrix_distance(wanted[i], pose), 1e-11);
        }
        som_test_free_read(&r);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(planar_and_floating_joints_have_all_their_axes) {
    const char *text =
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
        "<joint name='p' type='planar'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
        "</joint><joint name='f' type='floating'><parent link='b'/><child link='c'/>"
        "<origin xyz='0 0 1' quat_xyzw='0 0 1 1'/></joint></robot>";
    SomTestRead r = som_test_read_text("r.urdf", som_str(text), NULL);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(r.type->joint_count, 9);
    ck_assert_int_eq(som_diagnostics_warning_count(r.diags), 0);
    double values[9] = {0};
    values[som_module_type_find_joint(r.type, SOM_STR("p_axis_1"), NULL)] = 0.3;
    values[som_module_type_find_joint(r.type, SOM_STR("p"), NULL)] = 1.5707963267948966;
    values[som_module_type_find_joint(r.type, SOM_STR("f_axis_1"), NULL)] = 0.5;
    SomPose placed[16];
    som_module_type_place(r.type, values, placed);
    int c = som_module_type_find_link(r.type, SOM_STR("c"));
    SomPose pose = som_pose_compose(placed[c], r.type->links[c].frame);
    // x is y after the planar turn, and -x after that of the origin
    ck_assert_double_le(fabs(pose.position.x - (0.3 - 0.5)), 1e-12);
    ck_assert_double_le(fabs(pose.position.y), 1e-12);
    ck_assert_double_le(fabs(pose.position.z - 1), 1e-12);
    som_test_free_read(&r);
}
END_TEST

// ---- what a link has

static const char arm[] =
    "<robot name='arm'>\n"
    "<link name='base'>\n"
    " <inertial><origin xyz='0 0 0.1' rpy='0 0 1.5707963267948966'/><mass value='2'/>\n"
    "  <inertia ixx='0.01' iyy='0.02' izz='0.025' ixy='0' ixz='0' iyz='0'/></inertial>\n"
    " <visual><geometry><box size='1 2 3'/></geometry><material name='late'/></visual>\n"
    " <collision><origin xyz='0 0 1'/><geometry><cylinder radius='0.5' length='2'/></geometry>"
    "</collision>\n"
    " <collision><geometry><sphere radius='0.25'/></geometry></collision>\n"
    " <collision><geometry><capsule radius='0.25' length='1'/></geometry></collision>\n"
    " <sensor name='s'/>\n"
    "</link>\n"
    "<link name='hand'/>\n"
    "<joint name='wrist' type='revolute'><parent link='base'/><child link='hand'/>\n"
    " <axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='3' velocity='4'/>\n"
    " <dynamics damping='0.5' friction='0.25'/><mimic joint='x' multiplier='2'/>\n"
    " <safety_controller k_velocity='1'/></joint>\n"
    "<gazebo reference='hand'>\n  <mu1>0.5</mu1> <!-- as it is -->\n</gazebo>\n"
    "<transmission name='t'/>\n"
    "<material name='late'><color rgba='1 0.5 0 1'/></material>\n"
    "</robot>\n";

START_TEST(what_links_and_joints_have_is_carried) {
    SomTestRead r = som_test_read_text("arm.URDF", SOM_STR(arm), NULL);
    ck_assert_ptr_nonnull(r.type);
    const SomModuleLink *base = &r.type->links[0];
    ck_assert_double_eq(base->inertia.mass, 2);
    ck_assert_double_le(fabs(base->inertia.center.z - 0.1), 1e-15);
    ck_assert_double_le(fabs(base->inertia.moments.m[0][0] - 0.02), 1e-15); // turned
    ck_assert_double_le(fabs(base->inertia.moments.m[1][1] - 0.01), 1e-15);
    ck_assert_int_eq(base->part_count, 3);
    ck_assert_int_eq(base->parts[0].shape.kind, SOM_SHAPE_CYLINDER);
    ck_assert_double_eq(base->parts[0].shape.half_length, 1);
    ck_assert_double_eq(base->parts[0].pose.position.z, 1);
    ck_assert_int_eq(base->parts[2].shape.kind, SOM_SHAPE_CAPSULE);
    ck_assert_double_eq(base->color[1], 0.5);
    ck_assert(base->mesh.length > 0); // it is seen as another than it is touched
    ck_assert(som_str_equal(base->kept.urdf, SOM_STR("<sensor name='s'/>")));
    const SomModuleJoint *wrist = &r.type->joints[0];
    ck_assert(wrist->low == -1 && wrist->high == 2 && wrist->effort == 3 && wrist->speed == 4);
    ck_assert(wrist->damping == 0.5 && wrist->friction == 0.25);
    ck_assert(som_str_equal(wrist->kept.urdf, SOM_STR("<mimic joint='x' multiplier='2'/>\n"
                                                      "<safety_controller k_velocity='1'/>")));
    ck_assert(som_str_equal(r.type->kept.urdf,
                            SOM_STR("<gazebo reference='hand'>\n  <mu1>0.5</mu1> <!-- as it is -->"
                                    "\n</gazebo>\n<transmission name='t'/>")));
    ck_assert(som_diagnostics_has(r.diags, SOM_URDF_MIMIC));
    ck_assert_int_eq(som_diagnostics_warning_count(r.diags), 1);
    som_test_free_read(&r);
}
END_TEST

START_TEST(links_become_connectors) {
    const SomStr connectors[] = {SOM_STR("hand"), SOM_STR("base:-z")};
    SomImportOptions options = {.connectors = connectors, .connector_count = 2};
    SomTestRead r = som_test_read_text("arm.urdf", SOM_STR(arm), &options);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(r.type->connector_count, 2);
    ck_assert_double_eq(r.type->connectors[1].frame.rotation.m[2][0], -1);
    ck_assert_int_eq(r.m3l->rule_count, 1);
    som_test_free_read(&r);
}
END_TEST

#define TWO "<link name='a'/><link name='b'/>"
#define AB "<parent link='a'/><child link='b'/>"
#define JOINT(type, rest) "<joint name='j' type='" type "'>" AB rest "</joint>"
#define BOX(size) "<collision><geometry><box size='" size "'/></geometry></collision>"

START_TEST(odd_files_are_read_and_told) {
    static const struct {
        const char *inside;
        SomCode code;
        const char *written; // in the module type; NULL: refused
    } cases[] = {
        {TWO JOINT("revolute", ""), SOM_URDF_LIMIT, "joint j: type=revolute,\n    pair"},
        {TWO JOINT("revolute", "<limit effort='1' velocity='2'/>"), SOM_URDF_LIMIT,
         "type=revolute, effort=1, speed=2"},
        {TWO JOINT("revolute", "<limit lower='2' upper='-1' effort='0'/>"), SOM_URDF_LIMIT,
         "value=[-1, 2]"},
        {TWO JOINT("revolute", "<limit upper='1' acceleration='3'/>"), SOM_URDF_LEFT_OUT,
         "value=[0, 1]"},
        {TWO JOINT("continuous", "<axis xyz='0 0 0'/>"), SOM_URDF_HALF_WRITTEN,
         "direction=(1, 0, 0)"},
        {TWO JOINT("continuous", "<axis xyz='0 one 0'/>"), SOM_URDF_HALF_WRITTEN,
         "direction=(1, 0, 0)"},
        {TWO JOINT("hinge", ""), SOM_URDF_HALF_WRITTEN, "type=fixed"},
        {TWO JOINT("fixed", "<origin quat_xyzw='0 0 0 0'/>"), SOM_URDF_HALF_WRITTEN, "type=fixed"},
        {"<link name='a'>" BOX("1 1 1") "</link>", SOM_MODEL_NO_MASS, "shape=(box"},
        {"<link name='a'><inertial><mass value='0'/></inertial>" BOX("1 1 1") "</link>",
         SOM_URDF_HALF_WRITTEN, "shape=(box"},
        {"<link name='a'>" BOX("1 1 0") "</link>", SOM_URDF_HALF_WRITTEN, "grouping=()"},
        {"<link name='a'><visual/></link>", SOM_URDF_HALF_WRITTEN, "grouping=()"},
        {"<link name='a'><visual><geometry><mesh/></geometry></visual></link>",
         SOM_URDF_HALF_WRITTEN, "grouping=()"},
        {"<link name='a'><visual><geometry><mesh filename='package://x/no.STL' "
         "scale='1 -1 1'/></geometry></visual></link>",
         SOM_MODEL_NO_MESH, "grouping=()"},
        {"<link name='a'><visual><geometry><box size='1 1 1'/></geometry><material name='no'/>"
         "</visual></link>",
         SOM_URDF_HALF_WRITTEN, "mesh="},
        {"<link name='a'/><material name='m'><texture filename='x.png'/></material>",
         SOM_URDF_LEFT_OUT, "grouping=()"},
        {"<link name='a'/><link/>", SOM_URDF_HALF_WRITTEN, "grouping=()"},
        {"<link name='a'/><joint name='j' type='fixed'><parent link='a'/></joint>",
         SOM_URDF_HALF_WRITTEN, "grouping=()"},
        {TWO JOINT("fixed", "") "<!-- <somite:closure name='w' a='a' b='b' xyz='0 0 1' "
                                "rpy='0 0 0'/> -->",
         SOM_URDF_CLOSURE, "joint j"},
        {"<link name='a'/><link name='a'/>", SOM_URDF_DUPLICATE, NULL},
        {TWO JOINT("fixed", "") JOINT("fixed", ""), SOM_URDF_DUPLICATE, NULL},
        {"<link name='a'/>" JOINT("fixed", ""), SOM_URDF_LINK_UNKNOWN, NULL},
        {TWO JOINT("fixed", "") "<joint name='k' type='fixed'>" AB "</joint>", SOM_URDF_TWO_PARENTS,
         NULL},
        {TWO JOINT("fixed", "") "<joint name='k' type='fixed'><parent link='b'/>"
                                "<child link='a'/></joint>",
         SOM_URDF_CYCLE, NULL},
        {TWO, SOM_MODEL_IN_PIECES, NULL},
        {"", SOM_MODEL_EMPTY, NULL},
        {"<link name='a&#10;b'/>", SOM_IMPORT_BAD_NAME, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, "<robot name='odd'>%s</robot>", cases[i].inside);
        SomTestRead r = som_test_read_text("odd.urdf", som_text_str(&text), NULL);
        ck_assert_msg(som_diagnostics_has(r.diags, cases[i].code), "case %zu", i);
        ck_assert_msg((r.type != NULL) == (cases[i].written != NULL), "case %zu", i);
        if (r.type != NULL) {
            SomStr written = r.result.files.data[0].content;
            ck_assert_msg(strstr(written.data, cases[i].written) != NULL, "case %zu: %s", i,
                          written.data);
        }
        som_test_free_read(&r);
        som_text_free(&text);
    }
}
END_TEST

// How often a code is told, and whether one of them has these words.
static int count_told(const SomTestRead *r, SomCode code, const char *words) {
    int count, told = 0;
    bool has_words = false;
    const SomDiagnostic *all = som_diagnostics_get(r->diags, &count);
    for (int i = 0; i < count; i++) {
        bool is_it = all[i].code == code;
        told += is_it;
        has_words = has_words || (is_it && strstr(all[i].message.data, words) != NULL);
    }
    ck_assert_msg(has_words, "%s", words);
    return told;
}

START_TEST(what_is_left_out_is_told_once_a_kind) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<robot name='r'><link name='l0'>" BOX("1 1 1") "</link>"));
    for (int i = 1; i <= 20; i++) {
        som_text_printf(
            &text,
            "<link name='l%d'><inertial><mass value='1'/><extra/></inertial><inertial/>"
            "<collision group='g'><geometry><box size='1 1 1' a=''/><sphere radius='1'/>"
            "</geometry><verbose/></collision><sensor/></link><link name='m%d'>" BOX(
                "1 1 1") "</link><joint name='j%d' type='revolute'><parent link='l0'/>"
                         "<child link='l%d'/><limit lower='%d' upper='1' jerk='2'/>"
                         "<calibration rising='1'/></joint><joint name='k%d' type='%s'>"
                         "<parent link='l0'/><child link='m%d'/><limit/></joint>",
            i, i, i, i, i % 2 == 0 ? 2 : 0, i, i % 2 == 0 ? "planar" : "revolute", i);
    }
    som_text_add(&text, SOM_STR("</robot>"));
    SomTestRead r = som_test_read_text("many.urdf", som_text_str(&text), NULL);
    ck_assert_ptr_nonnull(r.type);
    // of each link a second inertial and sphere, and what is in shapes and inertias
    ck_assert_int_eq(count_told(&r, SOM_URDF_LEFT_OUT, "'extra' was left out; likewise "), 3);
    count_told(&r, SOM_URDF_LEFT_OUT, "'sphere'");
    count_told(&r, SOM_URDF_LEFT_OUT, "'verbose'");
    count_told(&r, SOM_URDF_LEFT_OUT, "'group' was left out; likewise 'a', 'jerk'");
    count_told(&r, SOM_URDF_LEFT_OUT, "'k2' moves several ways, so its <limit> and <dynamics>");
    ck_assert_int_eq(
        count_told(&r, SOM_URDF_LIMIT, "exchanged; likewise 'j4', 'j6', 'j8' (and 6 more)"), 2);
    count_told(&r, SOM_URDF_LIMIT, "has none here; likewise 'k3', 'k5'");
    ck_assert_int_eq(
        count_told(&r, SOM_MODEL_NO_MASS, "of its shape; likewise 'm1', 'm2', 'm3' (and 17 more)"),
        1);
    ck_assert_int_eq(count_told(&r, SOM_URDF_HALF_WRITTEN, "shape and mass; likewise 'l2', 'l3'"),
                     1);
    ck_assert(som_str_equal(r.type->links[1].kept.urdf, SOM_STR("<sensor/>")));
    som_test_free_read(&r);
    som_text_free(&text);
}
END_TEST

// HEBI's robots begin with <robot> and have actuators, too.
START_TEST(transmissions_are_no_robots_of_others) {
    SomTestRead r = som_test_read_text(
        "a.urdf",
        SOM_STR("<robot name='r'><link name='a'/><transmission name='t'><joint name='j'/>"
                "<actuator name='m'><mechanicalReduction>50</mechanicalReduction></actuator>"
                "</transmission></robot>"),
        NULL);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(som_diagnostics_error_count(r.diags), 0);
    som_test_free_read(&r);
}
END_TEST

START_TEST(closures_of_our_own_files_are_joints_again) {
    SomTestRead r = som_test_read_text(
        "loop.urdf",
        SOM_STR(
            "<robot name='loop'><link name='a'/><link name='b'/><link name='c'/>"
            "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
            "<joint name='k' type='continuous'><parent link='a'/><child link='c'/>"
            "<origin xyz='0 0 1'/></joint>"
            "<!-- <somite:closure name=\"weld_1\" a=\"b\" b=\"c\" xyz=\"0 0 1\" rpy=\"0 0 0\"/> -->"
            "</robot>"),
        NULL);
    ck_assert_ptr_nonnull(r.type);
    ck_assert_int_eq(r.type->joint_count, 3);
    ck_assert_int_eq(r.type->tree_joint_count, 2);
    ck_assert_int_eq(som_diagnostics_warning_count(r.diags), 0);
    som_test_free_read(&r);
}
END_TEST

SOM_SUITE("exchange/urdf_read", links_stand_where_the_numbers_say,
          planar_and_floating_joints_have_all_their_axes, what_links_and_joints_have_is_carried,
          links_become_connectors, odd_files_are_read_and_told,
          what_is_left_out_is_told_once_a_kind, transmissions_are_no_robots_of_others,
          closures_of_our_own_files_are_joints_again)
