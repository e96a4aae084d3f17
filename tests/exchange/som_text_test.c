// SPDX-License-Identifier: Apache-2.0

#include "exchange/som_text.h"
#include "language/som_format.h"
#include "language/som_syntax.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>

START_TEST(a_config_is_written_in_canonical_form) {
    SomText out = {0}, again = {0};
    SomStr names[] = {SOM_STR("head"), SOM_STR("part"), SOM_STR("left arm")};
    som_write_use(&out, SOM_STR("smores.m3l"));
    som_write_begin(&out, SOM_STR("What it is,\nin two lines."), SOM_STR("config"));
    som_write_parts(&out, names, 3, SOM_STR("SMORES"));
    SomWrittenConnection c = {
        .a = {{names[0], SOM_STR("B")}, 2}, .b = {{names[1], SOM_STR("T")}, 2}, .roll = SOM_PI / 2};
    som_write_connect(&out, &c);
    c = (SomWrittenConnection){.a = {{names[1], SOM_STR("in")}, 2},
                               .b = {{names[2], SOM_STR("T")}, 2},
                               .gap = 0.002,
                               .is_forced = true};
    som_write_connect(&out, &c);
    c.index = 19;
    c.is_forced = false;
    som_write_connect(&out, &c);
    som_write_pose_begin(&out, SOM_STR("initial"));
    SomWrittenPlace joint = {{names[0], SOM_STR("bend")}, 2};
    som_write_value(&out, &joint, -SOM_PI / 4);
    som_write_pose_end(&out, SOM_STR("initial"), true);
    SomWrittenBase base = {.place = {{names[0]}, 1},
                           .frame = SOM_STR("lab"),
                           .position = {0, -0.0, 0.05},
                           .turn = {0, 0, SOM_PI}};
    som_write_base(&out, &base);
    som_write_end(&out);
    ck_assert_str_eq(out.data,
                     "use \"smores.m3l\"\n"
                     "\n"
                     "# What it is,\n"
                     "# in two lines.\n"
                     "config \"config\" {\n"
                     "    part head, \"part\", \"left arm\" : SMORES\n"
                     "    connect head.B to \"part\".T at 90deg\n"
                     "    connect \"part\".in to \"left arm\".T at 0deg gap 0.002m forced\n"
                     "    connect \"part\".in to \"left arm\".T as 19 gap 0.002m\n"
                     "\n"
                     "    pose initial {\n"
                     "        head.bend = -45deg\n"
                     "    }\n"
                     "    start initial\n"
                     "    base head frame lab at (0m, 0m, 0.05m) turned (0deg, 0deg, 180deg)\n"
                     "}\n");
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(som_text_str(&out), &som_dialect_somite, 0, diags);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert(som_som_format(tree, &again));
    ck_assert_str_eq(out.data, again.data);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&out);
    som_text_free(&again);
}
END_TEST

START_TEST(turns_are_found_again) {
    SomTestRandom random = {5};
    double worst = 0;
    for (int i = 0; i < som_test_count(2000, 100000); i++) {
        double special = som_test_int(&random, -4, 4) * (SOM_PI / 2);
        bool is_locked = som_test_int(&random, 0, 2) == 0;
        SomVec3 turn = {som_test_uniform(&random, -7, 7),
                        is_locked ? special : som_test_uniform(&random, -7, 7),
                        som_test_uniform(&random, -7, 7)};
        SomMat3 rotation = som_turn_rotation(turn);
        SomMat3 again = som_turn_rotation(som_turn_of(rotation));
        worst = fmax(worst, som_rotation_distance(rotation, again));
    }
    ck_assert_double_lt(worst, 1e-8);
}
END_TEST

START_TEST(rounding_of_others_is_taken_off) {
    ck_assert(som_tidy_angle(1.57079632679) == SOM_PI / 2);
    ck_assert(som_tidy_angle(1.22e-16) == 0);
    ck_assert(som_tidy_angle(1.5707) == 1.5707);
    ck_assert(som_tidy_length(6.12323399574e-18) == 0);
    ck_assert(som_tidy_length(0.10000000000000014) == 0.1);
    ck_assert(som_tidy_length(0.1000000001) == 0.1000000001);
}
END_TEST

SOM_SUITE("exchange/som_text", a_config_is_written_in_canonical_form, turns_are_found_again,
          rounding_of_others_is_taken_off)
