// Control files of the SMORES lab: gaits of components, composed.

// SPDX-License-Identifier: Apache-2.0

#include "base/codes/exchange_codes.h"
#include "tests/exchange/lab_files.h"

// Two arms of two modules, one behind the other.
static const char arm[] =
    "<configuration><modules>"
    "<module><name>M0</name><position>0 0 0.05 0 0 0</position></module>"
    "<module><name>M1</name><position>0 -0.1 0.05 0 0 0</position></module>"
    "</modules><connections><connection><module1>M0</module1><module2>M1</module2>"
    "<node1>0</node1><node2>3</node2></connection></connections></configuration>";
#define COMPONENT(id)                                                                              \
    "<Component><component_id>" id                                                                 \
    "</component_id><file_path>/x/arm/arm.conf</file_path></Component>"
static const char structure[] = "<Structure><Components>" COMPONENT("A") COMPONENT(
    "B") "</Components><Links><Link>"
         "<component1>" COMPONENT("A") "</component1><component2>" COMPONENT(
             "B") "</component2>"
                  "<module1>M1</module1><module2>M0</module2><node1>0</node1><node2>3</node2>"
                  "</Link></Links></Structure>";
static const char up[] = "M1 i i i p1 {a} ;\nM0 i i i p-1 (a) ;\n";
static const char turn[] = "M1 i p2 i i ;\n";
#define GAIT(id, file)                                                                             \
    "<Block type=\"gait\"><component_id>" id "</component_id><gait_file>/x/arm/" file              \
    "</gait_file></Block>"
#define BLOCK(type, inside) "<Block type=\"" type "\">" inside "</Block>"

// The file with this control; the first code goes to *code, 0 if there is none.
static SomText import_with(const char *control, bool with_structure, SomCode *code) {
    const SomStr paths[] = {SOM_STR("robot.control"), SOM_STR("arm.conf"), SOM_STR("up.gait"),
                            SOM_STR("turn.gait"), SOM_STR("robot.struct")};
    const SomStr contents[] = {som_str(control), som_str(arm), som_str(up), som_str(turn),
                               som_str(structure)};
    SomImportOptions options = {.library = som_test_library_root()};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    bool fine =
        som_import_texts(paths, contents, with_structure ? 5 : 4, &options, &texts, &result, diags);
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

static int count_of(const SomText *text, const char *piece) {
    int count = 0;
    for (const char *at = text->data; (at = strstr(at, piece)) != NULL; at++) {
        count++;
    }
    return count;
}

START_TEST(gaits_become_behaviors_of_their_components) {
    SomCode code;
    SomText text = import_with(
        "<Control>" BLOCK("s_block", BLOCK("p_block", GAIT("A", "up.gait") GAIT("B", "turn.gait"))
                                         GAIT("B", "up.gait")) "</Control>",
        true, &code);
    ck_assert_int_eq(code, 0);
    ck_assert(text.length > 0);
    ck_assert_int_eq(count_of(&text, "behavior robot = series(parallel(A.up, B.turn), B.up)\n"), 1);
    // once each, though two components have them and they were given as well
    ck_assert_int_eq(count_of(&text, "behavior up = series("), 1);
    ck_assert_int_eq(count_of(&text, "behavior turn = "), 1);
    ck_assert_int_eq(count_of(&text, "config "), 2);
    som_text_free(&text);
}
END_TEST

START_TEST(a_control_is_of_the_structure_before_it) {
    const SomStr paths[] = {SOM_STR("arm.conf"), SOM_STR("up.gait"), SOM_STR("one.struct"),
                            SOM_STR("robot.control"), SOM_STR("two.struct")};
    const SomStr contents[] = {som_str(arm), som_str(up), som_str(structure),
                               SOM_STR("<Control>" GAIT("A", "up.gait") "</Control>"),
                               som_str(structure)};
    SomImportOptions options = {.library = som_test_library_root()};
    SomArena texts = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomImported result;
    ck_assert(som_import_texts(paths, contents, 5, &options, &texts, &result, diags));
    const char *behavior = strstr(result.som.data, "behavior robot = A.up");
    const char *one = strstr(result.som.data, "config one {");
    const char *two = strstr(result.som.data, "config two {");
    ck_assert(one != NULL && two != NULL && behavior != NULL);
    ck_assert(one < two ? one < behavior && behavior < two : one < behavior);
    som_imported_free(&result);
    som_diagnostics_destroy(diags);
    som_arena_free(&texts);
}
END_TEST

START_TEST(what_cannot_be_composed_is_refused) {
    static const struct {
        const char *control;
        SomCode code;
    } cases[] = {
        {"<Control>" BLOCK("s_block", "") "</Control>", SOM_CONTROL_BLOCK},
        {"<Control>" BLOCK("q_block", GAIT("A", "up.gait")) "</Control>", SOM_CONTROL_BLOCK},
        {"<Control>" GAIT("A", "up.gait") GAIT("B", "up.gait") "</Control>", SOM_CONTROL_BLOCK},
        {"<Control/>", SOM_IMPORT_MISSING},
        {"<Control><Block type=\"gait\"/></Control>", SOM_IMPORT_MISSING},
        {"<Control>" GAIT("C", "up.gait") "</Control>", SOM_IMPORT_NAME_UNKNOWN},
        {"<Control>" GAIT("A", "down.gait") "</Control>", SOM_CONTROL_GAIT_NOT_FOUND},
        {"<Control>" GAIT("A", "up.conf") "</Control>", SOM_CONTROL_GAIT_NOT_FOUND},
        {"<Control>", SOM_XML_SYNTAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomCode code;
        SomText text = import_with(cases[i].control, true, &code);
        ck_assert_msg(text.length == 0 && code == cases[i].code, "%s: %d", cases[i].control,
                      (int)code);
    }
    SomCode code;
    SomText text = import_with("<Control>" GAIT("A", "up.gait") "</Control>", false, &code);
    ck_assert(text.length == 0 && code == SOM_CONTROL_NO_STRUCTURE);
}
END_TEST

SOM_SUITE("exchange/control", gaits_become_behaviors_of_their_components,
          a_control_is_of_the_structure_before_it, what_cannot_be_composed_is_refused)
