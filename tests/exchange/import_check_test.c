// What an import makes is checked: texts that have errors are not delivered.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_codes.h"
#include "base/codes/exchange_codes.h"
#include "base/memory.h"
#include "compose/workspace.h"
#include "tests/exchange/lab_files.h"
#include "verify/check_file.h"

#include <string.h>

static const char robot[] =
    "<configuration><modules><module><name>M0</name><position>0 0 0.05 0 0 0</position></module>"
    "<module><name>M1</name><position>0 -0.1 0.05 1 0 0 0</position></module></modules>"
    "<connections><connection><module1>M0</module1><module2>M1</module2><node1>0</node1>"
    "<node2>3</node2></connection></connections></configuration>";
static const char design[] = "use \"smores.m3l\"\nconfig D { part a : SMORES }\n";
#define TREE(node) "<root BTCPP_format=\"4\"><BehaviorTree ID=\"go\">" node "</BehaviorTree></root>"
#define CUBE(id) "{\"id\":" id ",\"type\":\"cube\"}"
#define JOINT(a, from, b, to)                                                                      \
    "{\"from\":{\"id\":" a ",\"connector\":" from "},\"to\":{\"id\":" b ",\"connector\":" to       \
    "},\"orientation\":\"North\"}"

// The first error, or none.
static SomCode import(const char *first, const char *text, const char *second, const char *other,
                      SomText *said) {
    SomStr paths[2] = {som_str(first)}, contents[2] = {som_str(text)};
    int count = 1;
    if (second != NULL) {
        paths[count] = som_str(second);
        contents[count++] = som_str(other);
    }
    SomImportOptions options = {.library = som_test_library_root()};
    SomDiagnostics *diags = som_diagnostics_create();
    SomArena texts = {0};
    SomImported result = {0};
    bool fine = som_import_texts(paths, contents, count, &options, &texts, &result, diags);
    ck_assert_int_eq(fine, som_diagnostics_error_count(diags) == 0);
    ck_assert_int_eq(fine, result.som.length > 0);
    SomCode code = SOM_NO_CODE;
    int reports;
    const SomDiagnostic *all = som_diagnostics_get(diags, &reports);
    for (int i = 0; i < reports && code == SOM_NO_CODE; i++) {
        bool is_error = all[i].kind == SOM_DIAGNOSTIC_REPORT && all[i].severity == SOM_ERROR;
        code = is_error ? all[i].code : code;
    }
    som_diagnostics_print(diags, 0, said);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return code;
}

START_TEST(what_the_check_refuses_is_not_imported) {
    const struct {
        const char *first, *text, *second, *other;
        SomCode code;
    } cases[] = {
        {"r.conf", robot, "g.gait", "M0 i i i p1 ;", SOM_NO_CODE},
        {"r.conf", robot, "g.gait", "M0 i i i p3 ;", SOM_TARGET_BEYOND_LIMIT},
        {"r.conf", robot, "t.csv", "t,M0.bend\n0,0\n1,1\n", SOM_NO_CODE},
        {"r.conf", robot, "t.csv", "t,M0.bend\n0,0\n0.1,1\n", SOM_SPEED_ABOVE_LIMIT},
        {"d.som", design, "t.xml", TREE("<MoveTo joint=\"a.tilt\" target=\"1\"/>"), SOM_NO_CODE},
        {"d.som", design, "t.xml", TREE("<MoveTo joint=\"a.tilt\" target=\"3\"/>"),
         SOM_TARGET_BEYOND_LIMIT},
        {"d.som", "", "t.xml", TREE("<MoveTo joint=\"a.tilt\" target=\"1\"/>"), SOM_BT_NO_ROBOT},
        {"w.json",
         "{\"modules\":[" CUBE("1") "," CUBE("2") "," CUBE("3") "," CUBE(
             "4") "],\"moduleJoints\":[" JOINT("1", "0", "2",
                                               "1") "," JOINT("1", "2", "3",
                                                              "1") "," JOINT("2", "3", "4",
                                                                             "0") "," JOINT("3",
                                                                                            "0",
                                                                                            "4",
                                                                                            "1") "]"
                                                                                                 ","
                                                                                                 "\"spaceJoints\":[]}",
         NULL, NULL, SOM_LOOP_OPEN},
        {"r.m3l",
         "module P: \npoint c: (point _1: coords=(1, 0, 0)) (point _2: coords=(0, 1, 0)) "
         "coords=(0, 0, 0), connector\nlink body: grouping=(c), shape=box((0, 0, -1), (4, 4, 2))\n"
         "robot r: modules=(P p, P q), connections=()\n",
         NULL, NULL, SOM_IMPORT_IN_PIECES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText said = {0};
        SomCode code =
            import(cases[i].first, cases[i].text, cases[i].second, cases[i].other, &said);
        ck_assert_msg(code == cases[i].code, "case %zu: %s", i, som_text_str(&said).data);
        som_text_free(&said);
    }
}
END_TEST

// The line that was made is shown, since that of the file may say nothing about it.
START_TEST(errors_show_the_text_that_was_made) {
    SomText said = {0};
    import("r.conf", robot, "g.gait", "M0 i i i p3 ;", &said);
    ck_assert_msg(strstr(said.data, "imported.som:") == said.data &&
                      strstr(said.data, "M0.bend to 3rad") != NULL &&
                      strstr(said.data, "it has errors and was not written") != NULL,
                  "%s", said.data);
    som_text_free(&said);
}
END_TEST

// Each configuration of the text is checked, also those that groups become.
START_TEST(groups_of_modules_are_one_piece) {
#define MODULE(name, y) "<module><name>" name "</name><position>0 " y " 0 0 0 0</position></module>"
#define CONNECTION(a, b)                                                                           \
    "<connection><module1>" a "</module1><module2>" b                                              \
    "</module2><node1>0</node1><node2>3</node2></connection>"
    SomImported result = som_test_import(
        "r.conf",
        SOM_STR("<configuration><modules>" MODULE("A:M0", "0") MODULE("A:M1", "-0.1")
                    MODULE("B:M0", "-0.2") MODULE("C", "-0.3")
                        MODULE("B:M1", "-0.4") "</modules><connections>" CONNECTION("A:M0", "A:M1")
                            CONNECTION("A:M1", "B:M0") CONNECTION("B:M0", "C")
                                CONNECTION("C", "B:M1") "</connections></configuration>"),
        0);
    const char *text = result.som.data;
    ck_assert_msg(strstr(text, "part \"B:M0\", C, \"B:M1\" : SMORES") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "connect A.M1.T to \"B:M0\".B") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "config A {\n    part M0, M1 : SMORES\n    connect M0.T to M1.B\n}"),
                  "%s", text);
    som_imported_free(&result);
}
END_TEST

SOM_SUITE("exchange/import_check", what_the_check_refuses_is_not_imported,
          errors_show_the_text_that_was_made, groups_of_modules_are_one_piece)
