// Tables of joints.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "tests/exchange/lab_files.h"

static const char robot[] =
    "<configuration><modules>"
    "<module><name>M0</name><position>0 0 0.05 0 0 0</position></module>"
    "<module><name>M1</name><position>0 -0.1 0.05 0 0 0</position></module>"
    "</modules><connections><connection><module1>M0</module1><module2>M1</module2>"
    "<node1>0</node1><node2>3</node2></connection></connections></configuration>";

static SomText import_table(const char *table, SomCode *code) {
    const SomStr paths[] = {SOM_STR("robot.conf"), SOM_STR("walk.csv")};
    const SomStr contents[] = {som_str(robot), som_str(table)};
    SomImportOptions options = {.library = som_test_library_root()};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    bool fine = som_import_texts(paths, contents, 2, &options, &texts, &result, diags);
    int count;
    const SomDiagnostic *all = som_diagnostics_get(diags, &count);
    *code = count > 0 ? all[0].code : 0;
    SomText text = {0};
    if (fine) {
        som_text_add(&text, som_text_str(&result.som));
        som_imported_free(&result);
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
    return text;
}

START_TEST(columns_are_followed) {
    static const struct {
        const char *table, *written;
    } cases[] = {
        {"t,M0.bend,M1.left\n0,0,0\n0.5,0.7,0\n1,0,0\n",
         "        M0.bend follow [0s: 0deg, 0.5s: 0.7rad, 1s: 0deg], "
         "M1.left follow [0s: 0deg, 1s: 0deg])"},
        {"# of a robot\n\n\"time (ms)\" , M0.bend (deg)\r\n1000 , 90\r\n2000 , -45\r\n\r\n",
         "parallel(M0.bend follow [1s: 90deg, 2s: -45deg])"},
        {"\xEF\xBB\xBFtime [ms],M0.bend [deg]\n0,0\n500,45\n",
         "parallel(M0.bend follow [0s: 0deg, 0.5s: 45deg])"},
        {"t,M0.bend\n0,0\n1,0\n2,0\n3,0\n4,1\n", "follow [0s: 0deg, 3s: 0deg, 4s: 1rad])"},
        {"t,\"M1\".front\n0,1e-3", "parallel(M1.front follow [0s: 0.001rad])"}, // as play prints
        {"t,M1.front\n0,1e-3", "parallel(M1.front follow [0s: 0.001rad])"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomText text = import_table(cases[i].table, &code);
        ck_assert_msg(code == 0 && text.length > 0, "%s: %d", cases[i].table, (int)code);
        ck_assert_msg(strstr(text.data, cases[i].written) != NULL, "%s", text.data);
        som_text_free(&text);
    }
}
END_TEST

START_TEST(wrong_tables_are_refused) {
    static const struct {
        const char *table;
        SomCode code;
    } cases[] = {
        {"", SOM_TABLE_SYNTAX},
        {"t\n0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n", SOM_TABLE_SYNTAX},
        {"M0.bend,t\n0,0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n0,1,2\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n0,x\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n0,nan\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend\n0,1e300\n", SOM_IMPORT_OUT_OF_RANGE},
        {"t (h),M0.bend\n0,0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend (s)\n0,0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend (\n0,0\n", SOM_TABLE_SYNTAX},
        {"t,M0.bend [rad)\n0,0\n", SOM_TABLE_SYNTAX},
        {"t,bend\n0,0\n", SOM_TABLE_JOINT_UNKNOWN},
        {"t,M0.knee\n0,0\n", SOM_TABLE_JOINT_UNKNOWN},
        {"t,M7.bend\n0,0\n", SOM_IMPORT_NAME_UNKNOWN},
        {"t,M0.bend,M0.bend\n0,0,0\n", SOM_IMPORT_NAME_TAKEN},
        {"t,M0.bend\n-1,0\n", SOM_TABLE_TIMES},
        {"t,M0.bend\n0,0\n0,1\n", SOM_TABLE_TIMES},
        {"t,M0.bend\n1,0\n0.5,1\n", SOM_TABLE_TIMES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomText text = import_table(cases[i].table, &code);
        ck_assert_msg(text.length == 0 && code == cases[i].code, "%s: %d", cases[i].table,
                      (int)code);
    }
    ck_assert_int_eq(som_test_refusal("a.csv", SOM_STR("t,M0.bend\n0,0\n")), SOM_GAIT_NO_ROBOT);
    SomText many = {0};
    SomCode code;
    som_text_add(&many, SOM_STR("t,M0.bend\n"));
    for (int i = 0; i < 100001; i++) {
        som_text_printf(&many, "%d,0\n", i);
    }
    SomText text = import_table(many.data, &code);
    ck_assert(text.length == 0 && code == SOM_TABLE_TOO_MUCH);
    som_text_free(&many);
}
END_TEST

SOM_SUITE("exchange/joint_table", columns_are_followed, wrong_tables_are_refused)
