// Tests for studio/transfer.c: what the dialogs for other programs' files run in a thread.

// SPDX-License-Identifier: Apache-2.0

#include "base/file.h"
#include "render/image.h"
#include "studio/transfer.h"
#include "tests/compose/texts.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static void begin(void) {
    strcpy(folder, "/tmp/somite-transfer-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void finish(void) {
    SomText line = {0};
    som_text_printf(&line, "rm -r '%s'", folder);
    ck_assert_int_eq(system(line.data), 0);
    som_text_free(&line);
}

static const char *in_folder(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static SomProject *open_design(const char *name) {
    SomProject *project = som_project_create(som_str(test_library));
    SomDiagnostics *diags = som_diagnostics_create();
    ck_assert(som_project_open(project, som_str(name), diags));
    som_diagnostics_destroy(diags);
    return project;
}

static bool says(const SomTransfer *transfer, const char *words) {
    return transfer->words.length > 0 && strstr(transfer->words.data, words) != NULL;
}

START_TEST(every_format_is_written) {
    begin();
    SomProject *project = open_design("walkbot");
    int count;
    const SomExportFormat *formats = som_export_formats(&count);
    ck_assert_int_ge(count, 4);
    for (int i = 0; i < count; i++) {
        SomTransfer *transfer = som_transfer_export(project, &formats[i], SOM_STR("walk"),
                                                    som_str(in_folder(formats[i].name)));
        som_transfer_run(transfer);
        ck_assert_msg(transfer->is_done, "%s: %s", formats[i].name, transfer->words.data);
        bool is_urdf = som_str_equal(som_str(formats[i].name), SOM_STR("urdf"));
        ck_assert_msg((transfer->words.length > 0) == is_urdf, "%s: %s", formats[i].name,
                      transfer->words.data); // which holds less than a design
        bool is_folder = formats[i].ending == NULL;
        ck_assert_int_eq(som_file_is_folder(in_folder(formats[i].name)), is_folder);
        ck_assert(is_folder ? transfer->files > 1 : transfer->files == 1);
        som_transfer_destroy(transfer);
    }
    ck_assert(som_file_exists(in_folder("sdf/world.sdf")));
    ck_assert(som_file_exists(in_folder("mjcf/model.xml")));
    som_project_destroy(project);
    finish();
}
END_TEST

START_TEST(what_goes_wrong_is_told_in_words) {
    begin();
    SomProject *project = open_design("walkbot");
    const SomExportFormat *svg = som_export_find(SOM_STR("svg"));
    SomTransfer *transfer =
        som_transfer_export(project, svg, SOM_STR("wlak"), som_str(in_folder("a.svg")));
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done && says(transfer, "wlak") && transfer->files == 0);
    som_transfer_destroy(transfer);
    transfer = som_transfer_export(project, svg, SOM_STR("walk"), SOM_STR("/nowhere/at/all.svg"));
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done && says(transfer, "can't write '/nowhere/at/all.svg'"));
    som_transfer_destroy(transfer);
    som_project_begin(project, SOM_STR(""), SOM_STR(""), SOM_STR(""));
    transfer = som_transfer_export(project, svg, SOM_STR("walk"), som_str(in_folder("a.svg")));
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done && says(transfer, "empty"));
    som_transfer_destroy(transfer);
    som_project_destroy(project);
    finish();
}
END_TEST

// With module types of its own it is saved beside the file; nothing that is there is replaced.
START_TEST(an_import_with_module_types_is_saved_beside_its_file) {
    begin();
    SomDiagnostics *diags = som_diagnostics_create();
    SomText text = {0};
    const char *names[2] = {"arm.som", "arm_2.som"};
    const char *robot = "<robot version='1.2.0'><actuator type='X5-1'/><joint axis='rx'/></robot>";
    ck_assert(som_file_save(in_folder("arm.hrdf"), som_str(robot), diags));
    for (int i = 0; i < 2; i++) {
        const char *paths[2] = {in_folder("arm.hrdf"), NULL};
        SomTransfer *transfer = som_transfer_import(som_str(test_library), paths);
        som_transfer_run(transfer);
        ck_assert_msg(transfer->is_done, "%s", transfer->words.data);
        ck_assert_int_eq(transfer->files, 2);
        ck_assert_str_eq(transfer->out.data, in_folder(names[i]));
        ck_assert(som_file_load(in_folder(names[i]), SOM_FILE_LIMIT, &text, diags));
        ck_assert(strstr(text.data, i == 0 ? "use \"arm.m3l\"" : "use \"arm_2.m3l\"") != NULL);
        som_transfer_destroy(transfer);
    }
    som_text_free(&text);
    som_diagnostics_destroy(diags);
    finish();
}
END_TEST

START_TEST(what_is_cancelled_writes_nothing) {
    begin();
    SomProject *project = open_design("walkbot");
    SomTransfer *transfer = som_transfer_export(project, som_export_find(SOM_STR("graph")),
                                                SOM_STR("walk"), som_str(in_folder("a.graph")));
    som_transfer_cancel(transfer);
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done && !som_file_exists(in_folder("a.graph")));
    som_transfer_destroy(transfer);
    som_project_destroy(project);
    finish();
}
END_TEST

// The posture that is shown, not the one the design starts in, is drawn, and by the view's camera.
START_TEST(pictures_are_of_what_is_shown) {
    begin();
    SomProject *project = open_design("chain3");
    SomCamera camera = som_camera_default();
    SomImage images[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        SomTransfer *transfer =
            som_transfer_picture(project, &camera, 320, 200, false, som_str(in_folder("a.png")));
        som_transfer_run(transfer);
        ck_assert_msg(transfer->is_done, "%s", transfer->words.data);
        SomDiagnostics *diags = som_diagnostics_create();
        ck_assert(som_image_load(in_folder("a.png"), &images[i], diags));
        ck_assert(images[i].width == 320 && images[i].height == 200);
        som_diagnostics_destroy(diags);
        som_transfer_destroy(transfer);
        som_project_move(project, 0, 0.7);
    }
    ck_assert_int_gt(som_image_difference(&images[0], &images[1], 8), 20);
    som_image_free(&images[0]);
    som_image_free(&images[1]);
    som_project_destroy(project);
    finish();
}
END_TEST

START_TEST(files_of_other_programs_become_a_text) {
    begin();
    SomDiagnostics *diags = som_diagnostics_create();
    const char *path = in_folder("arm.chain");
    ck_assert(som_file_save(path, SOM_STR("I-T'0-T'0-A0-t0-i0-g0\n"), diags));
    som_diagnostics_destroy(diags);
    const char *const paths[] = {path, NULL};
    SomTransfer *transfer = som_transfer_import(som_str(test_library), paths);
    som_transfer_run(transfer);
    ck_assert_msg(transfer->is_done, "%s", transfer->words.data);
    SomProject *project = som_project_create(som_str(test_library));
    som_project_begin(project, SOM_STR(""), SOM_STR(""), som_text_str(&transfer->made));
    ck_assert_int_eq(som_project_model(project)->configuration->module_count, 7);
    ck_assert_int_eq(som_diagnostics_error_count(som_project_diagnostics(project)), 0);
    som_project_destroy(project);
    som_transfer_destroy(transfer);
    const char *const wrong[] = {"/nowhere/at/all.conf", NULL};
    transfer = som_transfer_import(som_str(test_library), wrong);
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done && says(transfer, "/nowhere/at/all.conf"));
    som_transfer_destroy(transfer);
    finish();
}
END_TEST

START_TEST(a_behavior_with_errors_is_not_exported) {
    begin();
    SomProject *project = open_design("module");
    SomTransfer *transfer = som_transfer_export(project, som_export_find(SOM_STR("graph")),
                                                SOM_STR("parallel(tilt to 20deg, tilt to 40deg)"),
                                                som_str(in_folder("clash.graph")));
    som_transfer_run(transfer);
    ck_assert(!transfer->is_done);
    ck_assert(says(transfer, "SOM3001"));
    ck_assert(!som_file_exists(in_folder("clash.graph")));
    som_transfer_destroy(transfer);
    som_project_destroy(project);
    finish();
}
END_TEST

START_TEST(files_that_exist_are_replaced_only_if_that_was_asked_for) {
    begin();
    SomProject *project = open_design("module");
    for (int round = 0; round < 3; round++) {
        SomTransfer *transfer =
            som_transfer_export(project, som_export_find(SOM_STR("c")),
                                SOM_STR("tiltMiddle(45deg)"), som_str(in_folder("board")));
        transfer->may_replace = round == 2;
        som_transfer_run(transfer);
        ck_assert_int_eq(transfer->is_done, round != 1);
        ck_assert_int_eq(says(transfer, "exists and is not replaced"), round == 1);
        som_transfer_destroy(transfer);
    }
    som_project_destroy(project);
    finish();
}
END_TEST

SOM_SUITE("studio/transfer", every_format_is_written, a_behavior_with_errors_is_not_exported,
          files_that_exist_are_replaced_only_if_that_was_asked_for,
          what_goes_wrong_is_told_in_words, an_import_with_module_types_is_saved_beside_its_file,
          what_is_cancelled_writes_nothing, pictures_are_of_what_is_shown,
          files_of_other_programs_become_a_text)
