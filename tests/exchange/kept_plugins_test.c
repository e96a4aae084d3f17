// Plugins in files that are imported: reported, kept, and left out of what is written again unless
// they are asked for.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "exchange/kept_plugins.h"
#include "exchange/sdf.h"
#include "exchange/urdf.h"
#include "tests/exchange/placed_text.h"

#include <string.h>

#define INERTIAL                                                                                   \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"        \
    "</inertial>"

static const char urdf[] =
    "<robot name='r'><link name='a'>" INERTIAL "</link>"
    "<gazebo><plugin name='p' filename='libfirst.so'><x/></plugin></gazebo>"
    "<gazebo reference='a'><sensor name='s' type='camera'><plugin name='c' filename='libcam.so'/>"
    "<update_rate>5</update_rate></sensor></gazebo>"
    "<gazebo><include><uri>model://other</uri></include></gazebo>"
    "<ros2_control name='h' type='system'><hardware><plugin>fake/System</plugin></hardware>"
    "</ros2_control></robot>";

// The second names itself as the player does, and the third lets the player write a file.
static const char sdf[] =
    "<sdf version='1.9'><model name='r'><link name='a'><inertial><mass>1</mass></inertial>"
    "<sensor name='s' type='imu'><plugin name='i' filename='libimu.so'/></sensor></link>"
    "<plugin name='m' filename='libmodel.so'/>"
    "<plugin name='somite::Player' filename='libevil.so'/>"
    "<plugin name='somite::Player' filename='SomitePlayer'><trace>/etc/x</trace><body/></plugin>"
    "</model></sdf>";

// XML that macros make has no text of its own.
static const char xacro[] =
    "<robot name='r' xmlns:xacro='http://x'><link name='a'>" INERTIAL "</link>"
    "<xacro:macro name='m' params='f'><gazebo><plugin name='p' filename='lib${f}.so'/></gazebo>"
    "</xacro:macro><xacro:m f='one'/><xacro:m f='two'/></robot>";

typedef struct Bench {
    SomDiagnostics *diags;
    SomArena texts;
    SomImported imported;
    SomTestPlaced placed;
    SomText text;
} Bench;

static void begin(Bench *b, const char *path, const char *text) {
    *b = (Bench){.diags = som_diagnostics_create()};
    ck_assert(som_import_text(som_str(path), som_str(text), &(SomImportOptions){0}, &b->texts,
                              &b->imported, b->diags));
    b->placed = som_test_place_imported(&b->imported);
}

static void end(Bench *b) {
    som_test_free_placed(&b->placed);
    som_imported_free(&b->imported);
    som_diagnostics_destroy(b->diags);
    som_arena_free(&b->texts);
    som_text_free(&b->text);
}

static int count_reports(const SomDiagnostics *diags, SomCode code, const char *word) {
    int count, found = 0;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        found += all[i].code == code && strstr(all[i].message.data, word) != NULL;
    }
    return found;
}

static void write_out(Bench *b, bool is_urdf, bool has_plugins) {
    som_text_clear(&b->text);
    SomBodyModel *model = som_body_model_create(&(SomBodyDef){
        .mechanism = b->placed.mechanism, .posture = &b->placed.posture, .keeps_root = is_urdf});
    if (is_urdf) {
        SomUrdfDef def = {.model = model, .has_plugins = has_plugins};
        som_urdf_write(&def, &b->text, b->placed.diags);
    } else {
        som_sdf_write_world(&(SomSdfDef){.model = model, .has_plugins = has_plugins}, &b->text);
    }
    som_body_model_destroy(model);
}

static bool has(const Bench *b, const char *word) {
    return strstr(b->text.data, word) != NULL;
}

START_TEST(an_import_reports_each_plugin) {
    Bench b;
    begin(&b, "r.urdf", urdf);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, ""), 3);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, "'p' of file 'libfirst.so'"), 1);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, "'c' of file 'libcam.so'"), 1);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, "<include> of 'model://other'"), 1);
    end(&b);
    begin(&b, "r.sdf", sdf);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, ""), 3);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, "'libevil.so'"), 1);
    end(&b);
    begin(&b, "r.xacro", xacro);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, ""), 2);
    ck_assert_int_eq(count_reports(b.diags, SOM_MODEL_PLUGIN, "'libtwo.so'"), 1);
    end(&b);
}
END_TEST

START_TEST(urdf_is_written_without_plugins) {
    Bench b;
    begin(&b, "r.urdf", urdf);
    write_out(&b, true, false);
    ck_assert(!has(&b, "libfirst") && !has(&b, "libcam") && !has(&b, "include"));
    ck_assert(has(&b, "<sensor name='s' type='camera'><update_rate>5</update_rate></sensor>"));
    ck_assert(has(&b, "<plugin>fake/System</plugin>"));
    ck_assert(!has(&b, "<gazebo></gazebo>"));
    write_out(&b, true, true);
    ck_assert(has(&b, "libfirst") && has(&b, "libcam") && has(&b, "model://other"));
    end(&b);
    begin(&b, "r.xacro", xacro);
    write_out(&b, true, false);
    ck_assert(!has(&b, "plugin") && !has(&b, "gazebo"));
    write_out(&b, true, true);
    ck_assert(has(&b, "libone.so") && has(&b, "libtwo.so"));
    end(&b);
}
END_TEST

START_TEST(sdf_is_written_without_plugins) {
    Bench b;
    begin(&b, "r.sdf", sdf);
    write_out(&b, false, false);
    ck_assert(!has(&b, "libimu") && !has(&b, "libmodel") && !has(&b, "libevil"));
    ck_assert(has(&b, "<sensor name='s' type='imu'></sensor>"));
    ck_assert(has(&b, "filename='SomitePlayer'") && !has(&b, "trace"));
    write_out(&b, false, true);
    ck_assert(has(&b, "libimu") && has(&b, "libmodel") && has(&b, "libevil") && has(&b, "/etc/x"));
    end(&b);
}
END_TEST

START_TEST(what_an_export_leaves_out_is_reported_once) {
    Bench b;
    begin(&b, "r.sdf", sdf);
    som_kept_report_left_out(b.placed.configuration, true, b.diags);
    ck_assert(!som_diagnostics_has(b.diags, SOM_EXPORT_PLUGINS_LEFT_OUT));
    som_kept_report_left_out(b.placed.configuration, false, b.diags);
    ck_assert_int_eq(count_reports(b.diags, SOM_EXPORT_PLUGINS_LEFT_OUT, "3 plugins"), 1);
    ck_assert_int_eq(count_reports(b.diags, SOM_EXPORT_PLUGINS_LEFT_OUT, "'libevil.so'"), 1);
    end(&b);
}
END_TEST

SOM_SUITE("exchange/kept_plugins", an_import_reports_each_plugin, urdf_is_written_without_plugins,
          sdf_is_written_without_plugins, what_an_export_leaves_out_is_reported_once)
