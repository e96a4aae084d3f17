// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "exchange/chain.h"
#include "exchange/conf.h"
#include "exchange/import.h"
#include "language/som_format.h"
#include "language/som_syntax.h"
#include "space/trigonometry.h"
#include "tests/exchange/lab_files.h"
#include "tests/modules/module_files.h"

#include <math.h>

// ---- what comes out is canonical text

static void check_text(SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse(text, &som_dialect_somite, 0, diags);
    SomText again = {0};
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    ck_assert(som_som_format(tree, &again));
    ck_assert(som_str_equal(text, som_text_str(&again)));
    som_text_free(&again);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}

START_TEST(texts_are_canonical) {
    static const struct {
        const char *path, *name;
        int warnings;
    } files[] = {{"tests/golden/diagnostics/component.conf", "a.conf", 0},
                 {"tests/golden/diagnostics/SOM5115-roll-not-offered.conf", "a b.conf", 1},
                 {"tests/golden/diagnostics/SOM5117-beyond-limit.conf", "connect.conf", 1},
                 {"tests/golden/diagnostics/SOM5118-gap-in-poses.conf", "7.conf", 1},
                 {"library/modules/mtran.m3l", "mtran.m3l", 0}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        SomImported result =
            som_test_import(files[i].name, som_test_source(files[i].path), files[i].warnings);
        check_text(som_text_str(&result.som));
        som_imported_free(&result);
    }
}
END_TEST

// ---- configurations

typedef struct Setting {
    SomImported imported;
    SomImportOptions options;
    SomArena texts;
    SomImporter importer;
    SomLabType type;
} Setting;

static void set_up(Setting *setting) {
    *setting = (Setting){.options = {.library = som_test_library_root()}};
    setting->importer = (SomImporter){.options = &setting->options,
                                      .texts = &setting->texts,
                                      .diags = som_diagnostics_create(),
                                      .result = &setting->imported};
    ck_assert(som_lab_type(&setting->importer, &setting->type));
}

static void tear_down(Setting *setting) {
    som_importer_free(&setting->importer);
    som_diagnostics_destroy(setting->importer.diags);
    som_arena_free(&setting->texts);
}

// Rolls, gaps and all poses of a file are found again.
static double read_back(Setting *setting, const SomLabModel *robot, SomTestRandom *random) {
    SomText text = {0};
    som_test_print_conf(robot, random, &text);
    SomLabModel read = {0};
    SomImportFile file = {SOM_STR("robot.conf"), som_text_str(&text), 0};
    ck_assert(som_conf_read(&setting->importer, &file, &read));
    som_lab_derive(&read, &setting->type, &setting->importer.arena, setting->importer.diags);
    ck_assert_int_eq(read.modules.count, robot->modules.count);
    ck_assert_int_eq(read.connections.count, robot->connections.count);
    double worst = 0;
    for (int i = 0; i < robot->connections.count; i++) {
        const SomLabConnection *a = &robot->connections.data[i], *b = &read.connections.data[i];
        double turn = (a->roll - b->roll) / (2 * SOM_PI);
        worst = fmax(worst, fabs(turn - round(turn)) * 2 * SOM_PI);
        worst = fmax(worst, fabs(a->gap - b->gap));
    }
    SomPose *poses = som_alloc((size_t)read.modules.count * sizeof *poses);
    som_lab_place(&read, &setting->type, 0, poses);
    for (int i = 0; i < robot->modules.count; i++) {
        worst = fmax(worst, som_pose_distance(poses[i], robot->modules.data[i].pose));
    }
    som_free(poses);
    som_lab_free(&read);
    som_text_free(&text);
    return worst;
}

START_TEST(rolls_and_gaps_come_from_the_poses) {
    Setting setting;
    set_up(&setting);
    SomTestRandom random = {1};
    double worst = 0;
    for (int i = 0; i < som_test_count(150, 5000); i++) {
        SomLabModel robot = {0};
        som_test_random_robot(&random, som_test_int(&random, 1, 25), i % 3 == 0, &setting.type,
                              &robot);
        worst = fmax(worst, read_back(&setting, &robot, &random));
        som_lab_free(&robot);
    }
    ck_assert_double_lt(worst, 1e-7);
    ck_assert(!som_diagnostics_has(setting.importer.diags, SOM_IMPORT_POSES_DO_NOT_FIT));
    ck_assert(som_diagnostics_has(setting.importer.diags, SOM_IMPORT_ROLL_NOT_OFFERED));
    tear_down(&setting);
}
END_TEST

// The formula of the lab's modules, written out, against the type of the library.
START_TEST(a_bent_module_carries_its_neighbour) {
    Setting setting;
    set_up(&setting);
    SomLabModel model = {0};
    SomLabModule a = {.name = SOM_STR("a"), .pose = som_pose_identity(), .joints = {0, 0, 0, 1}};
    SomLabModule b = {.name = SOM_STR("b"), .pose = som_pose_identity(), .joints = {0.5, 0, 0, 0}};
    som_array_push(&model.modules, a);
    som_array_push(&model.modules, b);
    SomLabConnection c = {
        .a = 0, .b = 1, .face_a = 3, .face_b = 0, .roll = SOM_PI / 2, .gap = 0.02};
    som_array_push(&model.connections, c);
    SomPose poses[2];
    som_lab_place(&model, &setting.type, 0, poses);
    // the back of a points to (0, cos 1, sin 1); b's centre lies 0.05 + 0.02 + 0.05 m along it
    SomVec3 expected = som_vec3(0, 0.12 * cos(1.0), 0.12 * sin(1.0));
    ck_assert_double_lt(som_vec3_length(som_vec3_sub(poses[1].position, expected)), 1e-15);
    som_lab_free(&model);
    tear_down(&setting);
}
END_TEST

// ---- limits

START_TEST(too_many_modules_are_refused) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<configuration><modules>"));
    for (int i = 0; i <= SOM_IMPORT_MAX_MODULES; i++) {
        som_text_printf(&text, "<module><name>m%d</name><position>0 0 0 0 0 0</position></module>",
                        i);
    }
    som_text_add(&text, SOM_STR("</modules></configuration>"));
    ck_assert_int_eq(som_test_refusal("large.conf", som_text_str(&text)), SOM_IMPORT_TOO_MANY);
    som_text_clear(&text);
    som_text_add(&text, SOM_STR("I"));
    for (int i = 0; i <= SOM_IMPORT_MAX_MODULES; i++) {
        som_text_add(&text, SOM_STR("-T0"));
    }
    ck_assert_int_eq(som_test_refusal("large.chain", som_text_str(&text)), SOM_IMPORT_TOO_MANY);
    som_text_free(&text);
}
END_TEST

// Twenty thousand modules in a row take a moment, not minutes.
START_TEST(large_robots_are_read) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("<configuration><modules>"));
    for (int i = 0; i < SOM_IMPORT_MAX_MODULES; i++) {
        som_text_printf(&text,
                        "<module><name>m%d</name><position>0 %d.%d 0 0 0 0</position></module>", i,
                        i / 10, i % 10);
    }
    som_text_add(&text, SOM_STR("</modules><connections>"));
    for (int i = 1; i < SOM_IMPORT_MAX_MODULES; i++) {
        som_text_printf(&text,
                        "<connection><module1>m%d</module1><module2>m%d</module2>"
                        "<node1>0</node1><node2>3</node2></connection>",
                        i, i - 1);
    }
    som_text_add(&text, SOM_STR("</connections></configuration>"));
    SomImported result = som_test_import("large.conf", som_text_str(&text), 0);
    ck_assert_int_eq(result.module_count, SOM_IMPORT_MAX_MODULES);
    som_imported_free(&result);
    som_text_free(&text);
}
END_TEST

// ---- chains

START_TEST(chains_are_read_as_printed) {
    static const struct {
        const char *text;
        SomChainModule last;
        int count;
    } chains[] = {
        {"I-T'0-T'0-A0-t0-i0-g0", {'g', false, 0, {0}}, 7},
        {"I-T0-T0-A-i0-t180-g90", {'g', false, 90, {0}}, 7},
        {"G'", {'G', true, 0, {0}}, 1},
        {"I-T(-90)", {'T', false, -90, {0}}, 2},
        {"I-T-90", {'T', false, -90, {0}}, 2},
        {"I-T'-90-G0", {'G', false, 0, {0}}, 3},
        {"I - T 0", {'T', false, 0, {0}}, -1}, // a blank before the angle
        {" I - T0 ", {'T', false, 0, {0}}, 2},
        {"I-T270", {'T', false, -90, {0}}, 2},
        {"I-T\xe2\x80\x99"
         "180",
         {'T', true, 180, {0}},
         2},
        {"I\xe2\x80\x93T(\xe2\x88\x92"
         "90)",
         {'T', false, -90, {0}},
         2},
        {"", {0}, -1},
        {"I-", {0}, -1},
        {"-I", {0}, -1},
        {"I--T0", {0}, -1},
        {"I-T0-0T-0I'0", {0}, -1},
        {"I-T91", {0}, -1},
        {"I-T(90", {0}, -1},
        {"I-T()", {0}, -1},
        {"I-T9999999", {0}, -1},
        {"I0-T0", {0}, -1},
        {"I-x0", {0}, -1},
    };
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomChain chain = {0};
        SomStr text = som_str(chains[i].text);
        uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("x.chain"), text);
        bool fine = som_chain_parse(text, 0, text.length, source1, &chain, diags);
        ck_assert_msg(fine == (chains[i].count > 0), "%s", chains[i].text);
        ck_assert_int_eq(som_diagnostics_error_count(diags), !fine);
        if (fine) {
            ck_assert_int_eq(chain.count, chains[i].count);
            const SomChainModule *last = &chain.data[chain.count - 1];
            ck_assert_int_eq(last->type, chains[i].last.type);
            ck_assert_int_eq(last->is_inverted, chains[i].last.is_inverted);
            ck_assert_int_eq(last->degrees, chains[i].last.degrees);
        }
        som_array_free(&chain);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

SOM_SUITE("exchange/import", texts_are_canonical, rolls_and_gaps_come_from_the_poses,
          a_bent_module_carries_its_neighbour, too_many_modules_are_refused, large_robots_are_read,
          chains_are_read_as_printed)
