// Quaternions of files: those that are a rotation, those that were rounded, and those that lost a
// number or digits.

// SPDX-License-Identifier: Apache-2.0

#include "exchange/quaternion.h"
#include "tests/exchange/lab_files.h"

#include <string.h>

// ---- lengths

START_TEST(rounding_explains_small_differences) {
    static const struct {
        SomQuat q;
        SomQuaternionFit fit;
    } cases[] = {
        {{0, 0, 0, 1}, SOM_QUATERNION_UNIT},
        {{0.5, 0.5, 0.5, 0.5}, SOM_QUATERNION_UNIT},
        {{0, 0, 0.707106781187, 0.707106781187}, SOM_QUATERNION_UNIT},
        {{-0.7071068, 0, 0, 0.7071068}, SOM_QUATERNION_UNIT}, // as Unity prints floats
        {{0, 0, 0.7071, 0.7071}, SOM_QUATERNION_ROUNDED},
        {{0, 0, 0.707, 0.707}, SOM_QUATERNION_ROUNDED},
        {{0, 0, 0.71, 0.71}, SOM_QUATERNION_ROUNDED},
        {{0, 0, 0.26, 0.97}, SOM_QUATERNION_ROUNDED},
        {{0, 0, 0.7, 0.7}, SOM_QUATERNION_OFF},        // length 0.98995
        {{0, 0, 0.7, 0.70710678}, SOM_QUATERNION_OFF}, // digits of one are missing
        {{0, 0, 0, 0.995}, SOM_QUATERNION_OFF},
        {{0.5, 0.5, 0.5, 0}, SOM_QUATERNION_OFF},
        {{0, 0, 0, 0}, SOM_QUATERNION_OFF},
        {{0, 0, 1, 1}, SOM_QUATERNION_OFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(som_quaternion_fit(cases[i].q) == cases[i].fit, "case %zu", i);
    }
}
END_TEST

// ---- files

static void print_conf(SomText *out, const char *first, const char *second, int node) {
    som_text_printf(out,
                    "<configuration><modules>"
                    "<module><name>a</name><position>%s</position></module>"
                    "<module><name>b</name><position>%s</position></module></modules>"
                    "<connections><connection><module1>a</module1><module2>b</module2>"
                    "<node1>%d</node1><node2>2</node2><distance>0</distance><angle>0</angle>"
                    "</connection></connections></configuration>",
                    first, second, node);
}

// An import and all it reports.
typedef struct Imported {
    bool fine;
    SomText said;
    SomImported result;
} Imported;

static Imported import(const char *path, const char *text) {
    Imported i = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImportOptions options = {.library = som_test_library_root()};
    i.fine = som_import_text(som_str(path), som_str(text), &options, &texts, &i.result, diags);
    som_diagnostics_print(diags, 0, &i.said);
    som_text_add(&i.said, SOM_STR(""));
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return i;
}

static void discard(Imported *i) {
    som_imported_free(&i->result);
    som_text_free(&i->said);
}

// `words` of NULL: nothing is reported.
static void check_conf(const char *first, const char *second, int node, bool fine,
                       const char *words) {
    SomText text = {0};
    print_conf(&text, first, second, node);
    Imported i = import("robot.conf", text.data);
    ck_assert_msg(i.fine == fine, "%s; %s: %s", first, second, i.said.data);
    ck_assert_msg(words != NULL ? strstr(i.said.data, words) != NULL : i.said.length == 0,
                  "%s; %s: %s", first, second, i.said.data);
    discard(&i);
    som_text_free(&text);
}

START_TEST(conf_files_keep_quaternions_that_are_rotations) {
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 1 0 0 0", 1, true, NULL);
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 0 0 0", 1, true, NULL);
    check_conf("0 0 0.05 0 0 1", "0.05403 0.08415 0.05 0 0 1", 1, true,
               NULL); // angles, all of them
    check_conf(
        "0 0 0.05 0 0 0", "0.1 0 0.05 0.7071 0.7071 0 0", 1, true,
        "note: quaternion is scaled to length 1; as written its length is 0.99999 [SOM5120]");
}
END_TEST

START_TEST(conf_files_with_digits_missing_are_refused) {
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 0.7 0.70710678 0 0", 1, false,
               "quaternion of length 0.994987: a rotation has length 1 [SOM5119]");
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 0.995 0 0 0", 1, false, "SOM5119");
}
END_TEST

START_TEST(conf_files_with_a_number_missing_are_refused) {
    // 1 0 0 0 without its last: once a roll of 57 degrees
    check_conf("0 0 0.05 1 0 0", "0.1 0 0.05 1 0 0", 1, false, "SOM5119");
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 1 0 0", 1, false, "SOM5119");
    check_conf("0 0 0.05 0.707107 0.707107 0", "0.1 0 0.05 1 0 0 0", 1, false, "SOM5119");
    // 0.7071 0 0.7071 0 without its first, which does not fit its connection
    const char *three = "<configuration><modules>"
                        "<module><name>a</name><position>0 0 0.05 0 0 0</position></module>"
                        "<module><name>b</name><position>0.1 0 0.05 0 0.7071 0</position></module>"
                        "<module><name>c</name><position>0.2 0 0.05 1 0 0 0</position></module>"
                        "</modules><connections>"
                        "<connection><module1>a</module1><module2>b</module2><node1>1</node1>"
                        "<node2>2</node2><distance>0</distance><angle>0</angle></connection>"
                        "<connection><module1>b</module1><module2>c</module2><node1>1</node1>"
                        "<node2>2</node2><distance>0</distance><angle>0</angle></connection>"
                        "</connections></configuration>";
    // 0.9239 0.3827 0 0 without its first: a roll that is not offered
    check_conf("0 0 0.05 1 0 0 0", "0.1 0 0.05 0.3827 0 0", 1, false, "SOM5119");
    Imported i = import("robot.conf", three);
    ck_assert_msg(!i.fine && strstr(i.said.data, "the position of 'b' has six numbers") != NULL,
                  "%s", i.said.data);
    discard(&i);
}
END_TEST

START_TEST(faces_that_coincide_are_named) {
    check_conf("0 0 0.05 0 0 0", "0.1 0 0.05 1 0 0 0", 0, true,
               "the connection of face 0 (T) to face 2 (R); at these poses face 1 (L) of 'a' "
               "coincides with face 2 (R) of 'b' [SOM5114]");
    check_conf("0 0 0.05 0 0 0", "0.3 0 0.05 1 0 0 0", 1, true,
               "; at these poses none of their faces coincide [SOM5114]");
}
END_TEST

START_TEST(models_are_scaled_with_a_note) {
#define QUATERNION "0 0 0.7 0.70710678"
    Imported urdf = import(
        "r.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='fixed'>"
        "<parent link='a'/><child link='b'/><origin quat_xyzw='" QUATERNION "'/></joint></robot>");
    ck_assert_msg(urdf.fine && strstr(urdf.said.data, "0.994987 [SOM5120]") != NULL, "%s",
                  urdf.said.data);
    discard(&urdf);
    Imported sdf = import("r.sdf", "<sdf version='1.9'><model name='m'><link name='a'>"
                                   "<pose rotation_format='quat_xyzw'>0 0 0 " QUATERNION
                                   "</pose></link></model></sdf>");
    ck_assert_msg(sdf.fine && strstr(sdf.said.data, "0.994987 [SOM5120]") != NULL, "%s",
                  sdf.said.data);
    discard(&sdf);
}
END_TEST

SOM_SUITE("exchange/quaternion", rounding_explains_small_differences,
          conf_files_keep_quaternions_that_are_rotations,
          conf_files_with_digits_missing_are_refused, conf_files_with_a_number_missing_are_refused,
          faces_that_coincide_are_named, models_are_scaled_with_a_note)
