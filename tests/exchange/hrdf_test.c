// HEBI's HRDF: formulas, chains and trees stand as a walk over the file says, in matrices written
// out here; what is wrong is named.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/hrdf_formula.h"
#include "space/trigonometry.h"
#include "tests/exchange/lab_files.h"
#include "tests/exchange/placed_text.h"
#include "tests/exchange/read_type.h"

#include <math.h>

START_TEST(formulas_are_those_of_the_format) {
    static const struct {
        const char *text;
        double value;
    } good[] = {{"pi / 4", SOM_PI / 4},
                {"1 + 4", 5},
                {"32*45", 1440},
                {"1 + 2 / 3 - 4 * 5", 1 + 2.0 / 3 - 20},
                {"1 + 2 / (3 - 4) * 5", -9},
                {"(100 + 45) / (3*pi)", 145 / (3 * SOM_PI)},
                {"32e-2*pi", 0.32 * SOM_PI},
                {"-3.24E-2", -0.0324},
                {"1.", 1},
                {"- -2", 2}};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(som_hrdf_number(som_str(good[i].text), &value), "%s", good[i].text);
        ck_assert_double_le(fabs(value - good[i].value), 1e-14);
    }
    static const char *const bad[] = {"2 pi", "PI", "", "2.4.3", "2,000", "(1", "1/0", "1 2", "3e"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(!som_hrdf_number(som_str(bad[i]), &value), "%s", bad[i]);
    }
    SomText deep = {0};
    som_text_add_char(&deep, '(', 100000);
    ck_assert(!som_hrdf_number(som_text_str(&deep), &value));
    som_text_free(&deep);
}
END_TEST

START_TEST(turns_are_products_or_nine_numbers) {
    SomMat3 r;
    ck_assert(som_hrdf_rotation(SOM_STR("Rx(pi/2) * Rz(-pi/4)*Ry(0.1+0.2)"), &r));
    SomMat3 wanted =
        som_mat3_multiply(som_rotation_x(SOM_PI / 2),
                          som_mat3_multiply(som_rotation_z(-SOM_PI / 4), som_rotation_y(0.3)));
    ck_assert_double_le(som_rotation_distance(r, wanted), 1e-12);
    ck_assert(som_hrdf_rotation(SOM_STR("0 -1 0\n1 0 0\n0 0 1"), &r));
    ck_assert_double_le(som_rotation_distance(r, som_rotation_z(SOM_PI / 2)), 1e-12);
    ck_assert(!som_hrdf_rotation(SOM_STR("1 0 0 0 1 0 0 0 2"), &r));
    ck_assert(!som_hrdf_rotation(SOM_STR("Rw(1)"), &r));
    ck_assert(!som_hrdf_rotation(SOM_STR("Rx(1)*"), &r));
}
END_TEST

// ---- robots

// Every DoF gets the value of its place among them: 0.1, 0.2, …
static SomTestPlaced place(SomStr text) {
    SomImported imported = som_test_import("arm.hrdf", text, -1);
    SomTestPlaced p = som_test_place_imported(&imported);
    for (int i = 0; i < p.posture.count; i++) {
        p.posture.values[i] = 0.1 * (i + 1);
    }
    som_mechanism_place(p.mechanism, &p.posture, p.links);
    som_imported_free(&imported);
    return p;
}

static SomPose module_pose(const SomTestPlaced *p, int module) {
    return p->links[p->mechanism->first_link[module]];
}

static SomPose at(SomMat3 rotation, double x, double y, double z) {
    return (SomPose){rotation, som_vec3(x, y, z)};
}

START_TEST(a_chain_stands_as_its_frames_say) {
    SomTestPlaced p = place(SOM_STR(
        "<robot version=\"1.2.0\" rot=\"Rz(pi/2)\" trans=\"0 0 1\">"
        "<actuator type=\"X8-9\" tag=\"base\"/><bracket type=\"X5HeavyRightOutside\"/>"
        "<actuator type=\"X8-16\"/><link type=\"X5\" extension=\"0.325\" twist=\"pi/3\"/>"
        "<actuator type=\"X5-4\"/>"
        "<link type=\"X5\" input=\"Inline\" output=\"RightAngle\" extension=\"0.2\" twist=\"0.4\"/>"
        "<rigid-body mass=\"0.5\" output_rot=\"Ry(pi/2)\" output_trans=\"0.1 0.2 0.3\"/>"
        "<joint axis=\"ty\"/><end-effector/></robot>"));
    SomPose walk = at(som_rotation_z(SOM_PI / 2), 0, 0, 1);
    SomPose steps[] = {
        at(som_rotation_z(0.1), 0, 0, 0.045),
        at(som_rotation_x(SOM_PI / 2), 0, -0.0375, 0.055),
        at(som_rotation_z(0.2), 0, 0, 0.045),
        at(som_rotation_x(SOM_PI / 3), 0.325, -sqrt(0.75) * 0.02, 0.02 * 1.5),
        at(som_rotation_z(0.3), 0, 0, 0.031),
        // in line, then across: z of the output points along (sin t', -cos t', 0), t' = twist - 90
        {som_mat3_multiply(
             som_rotation_z(0.4 - SOM_PI / 2),
             som_mat3_multiply(som_rotation_y(-SOM_PI / 2), som_rotation_x(SOM_PI / 2))),
         som_vec3(0.02 * sin(0.4 - SOM_PI / 2), -0.02 * cos(0.4 - SOM_PI / 2), 0.2)},
        at(som_rotation_y(SOM_PI / 2), 0.1, 0.2, 0.3),
        at(som_mat3_identity(), 0, 0.4, 0)};
    ck_assert_int_eq(p.configuration->module_count, 9);
    for (int i = 0; i < 9; i++) {
        ck_assert_double_le(som_pose_distance(module_pose(&p, i), walk), 1e-9);
        walk = i < 8 ? som_pose_compose(walk, steps[i]) : walk;
    }
    som_test_free_placed(&p);
}
END_TEST

START_TEST(trees_hang_on_outputs) {
    SomTestPlaced p =
        place(SOM_STR("<robot version=\"1.4.0\"><rigid-body mass=\"2\" output_rot=\"Rx(pi)\">"
                      "<output trans=\"1 0 0\"><actuator type=\"X5-1\"/></output>"
                      "<output/><output rot=\"Ry(pi/2)\" trans=\"0 2 0\"><actuator type=\"X5-1\"/>"
                      "</output></rigid-body></robot>"));
    ck_assert_int_eq(p.configuration->module_count, 3);
    ck_assert_double_le(som_pose_distance(module_pose(&p, 1), at(som_rotation_x(SOM_PI), 1, 0, 0)),
                        1e-9);
    ck_assert_double_le(
        som_pose_distance(module_pose(&p, 2), at(som_rotation_y(SOM_PI / 2), 0, 2, 0)), 1e-9);
    som_test_free_placed(&p);
}
END_TEST

// A part of the config is of the type, not of the config itself.
START_TEST(a_config_has_another_name_than_the_types_in_it) {
    SomImported made = som_test_import(
        "joint.hrdf", SOM_STR("<robot version=\"1.2.0\"><joint axis=\"rx\"/></robot>"), -1);
    SomTestPlaced p = som_test_place_imported(&made);
    ck_assert(som_str_equal(p.configuration->name, SOM_STR("joint_2")));
    ck_assert_int_eq(p.configuration->module_count, 1);
    som_test_free_placed(&p);
    som_imported_free(&made);
}
END_TEST

START_TEST(masses_follow_figures_and_offsets) {
    SomTestPlaced p =
        place(SOM_STR("<robot version=\"1.2.0\"><actuator type=\"T8-9\" mass_offset=\"0.2\"/>"
                      "<rigid-body mass=\"1.5\" ixx=\"0.02\" iyy=\"0.03\" izz=\"0.04\" "
                      "com_rot=\"Rz(pi/2)\" com_trans=\"0 0 0.1\"/></robot>"));
    const SomModuleLink *actuator = &p.configuration->modules[0].type->links[0];
    const SomModuleLink *body = &p.configuration->modules[1].type->links[0];
    ck_assert_double_le(fabs(actuator->inertia.mass - 0.775), 1e-12);
    ck_assert_double_le(fabs(body->inertia.moments.m[0][0] - 0.03), 1e-12);
    ck_assert_double_le(fabs(body->inertia.center.z - 0.1), 1e-12);
    som_test_free_placed(&p);
}
END_TEST

START_TEST(what_is_wrong_is_named) {
    static const struct {
        const char *inner;
        SomCode code;
    } cases[] = {
        {"<link type=\"X5\" extension=\"2 pi\" twist=\"0\"/>", SOM_HRDF_FORMULA},
        {"<Actuator type=\"X5-1\"/>", SOM_HRDF_ELEMENT},
        {"<actuator type=\"X5-2\"/>", SOM_HRDF_TYPE},
        {"<actuator type=\"X5-1\"/><actuator type=\"X5-1\"/>", SOM_HRDF_INTERFACE},
        {"<actuator type=\"X5-1\"/><end-effector/><joint axis=\"rx\"/>", SOM_HRDF_INTERFACE},
        {"<bracket type=\"X5LightLeft\"><output/><output/></bracket>", SOM_HRDF_OUTPUTS},
        {"<actuator type=\"X5-1\"><output/></actuator>", SOM_HRDF_OUTPUTS},
        {"<rigid-body mass=\"1\"><output><joint axis=\"rx\"/></output></rigid-body>"
         "<joint axis=\"ry\"/>",
         SOM_HRDF_OUTPUTS},
        {"<include path=\"/etc/passwd\"/>", SOM_HRDF_INCLUDE},
        {"<include path=\"../../etc/passwd\"/>", SOM_HRDF_INCLUDE},
        {"<actuator type=\"R25-8\"/>", SOM_HRDF_NO_FIGURES},
        {"<actuator type=\"X5-1\" mass=\"1\" mass_offset=\"1\"/>", SOM_HRDF_BOTH},
        {"<link type=\"X5\" twist=\"0\"/>", SOM_IMPORT_MISSING},
        {"", SOM_IMPORT_EMPTY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_printf(&text, "<robot version=\"1.2.0\">%s</robot>", cases[i].inner);
        ck_assert_msg(som_test_refusal("arm.hrdf", som_text_str(&text)) == cases[i].code, "%s",
                      cases[i].inner);
        som_text_free(&text);
    }
    SomText many = {0};
    som_text_add(&many, SOM_STR("<robot version=\"1.2.0\">"));
    for (int i = 0; i < 40; i++) {
        som_text_printf(&many, "<rigid-body mass=\"%d\"/>", i + 1);
    }
    som_text_add(&many, SOM_STR("</robot>"));
    ck_assert_int_eq(som_test_refusal("arm.hrdf", som_text_str(&many)), SOM_HRDF_TOO_MUCH);
    som_text_free(&many);
}
END_TEST

START_TEST(what_is_left_out_is_told) {
    SomImported made = som_test_import(
        "arm.xml",
        SOM_STR("<robot version=\"1.2.0\"><actuator type=\"x5-1\"/><joint axis=\"rx\" "
                "gear_ratio=\"10\"/><end-effector type=\"Custom\"/></robot>"),
        2); // SOM_HRDF_CASE and SOM_HRDF_NOT_CARRIED
    ck_assert_int_eq(made.module_count, 3);
    som_imported_free(&made);
}
END_TEST

// Each kind once, with how often.
START_TEST(what_has_no_counterpart_is_told_by_kinds) {
    SomTestRead r = som_test_read_text(
        "arm.hrdf",
        SOM_STR("<robot version=\"2.0.0\" owner=\"me\"><actuator type=\"X5-1\" colour=\"red\"/>"
                "<joint axis=\"rx\" gear_ratio=\"10\"/><joint axis=\"ry\" gear_ratio=\"2\" "
                "limit=\"1\"/><joint axis=\"rz\" gear_ratio=\"1\" limit=\"2\"/><rigid-body "
                "mass=\"1\" output_trans=\"0 0 1\"><output rot=\"Rx(pi)\" spin=\"1\"/><output/>"
                "</rigid-body></robot>"),
        NULL);
    ck_assert_ptr_nonnull(r.type);
    SomText words = {0};
    som_diagnostics_print(r.diags, 0, &words);
    static const char *const told[] = {
        "version '2.0.0' is read as if it were 1.6 [SOM5951]",
        "attribute 'owner' is not known in 'robot' and was left out [SOM5113]",
        "attribute 'colour' is not known in 'actuator' and was left out [SOM5113]",
        "attribute 'limit' is not known in 'joint' and was left out, 2 times [SOM5113]",
        "attribute 'spin' is not known in 'output' and was left out [SOM5113]",
        "the gear ratio is left out: values are those of the output, 2 times [SOM5949]"};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        ck_assert_msg(strstr(words.data, told[i]) != NULL, "%s: %s", told[i], words.data);
    }
    ck_assert_int_eq(som_diagnostics_has(r.diags, SOM_HRDF_NOT_CARRIED), true);
    som_text_free(&words);
    som_test_free_read(&r);
}
END_TEST

SOM_SUITE("exchange/hrdf", formulas_are_those_of_the_format, turns_are_products_or_nine_numbers,
          a_chain_stands_as_its_frames_say, trees_hang_on_outputs,
          a_config_has_another_name_than_the_types_in_it, masses_follow_figures_and_offsets,
          what_is_wrong_is_named, what_is_left_out_is_told,
          what_has_no_counterpart_is_told_by_kinds)
