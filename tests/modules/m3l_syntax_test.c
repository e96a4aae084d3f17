// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"
#include "modules/m3l_syntax.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

static const char *const listings[] = {"tests/modules/data/mtran.m3l",
                                       "tests/modules/data/molecube.m3l",
                                       "tests/modules/data/atron.m3l"};

static SomSyntax *parse(SomStr text, SomDiagnostics *diags) {
    return som_m3l_parse(text, &som_dialect_m3l,
                         som_diagnostics_add_source(diags, SOM_STR("t.m3l"), text), diags);
}

START_TEST(listings_of_the_paper_parse_unchanged_and_print_back) {
    for (int i = 0; i < 3; i++) {
        SomStr text = som_test_source(listings[i]);
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *tree = parse(text, diags);
        int count;
        som_diagnostics_get(diags, &count);
        ck_assert_int_eq(count, 0);
        SomText printed = {0};
        som_syntax_print(tree, &printed);
        ck_assert(som_str_equal(som_text_str(&printed), text));
        som_text_free(&printed);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

START_TEST(a_definition_has_its_nested_points_and_attributes) {
    SomStr text = SOM_STR("point c1: (point _1: coords=(1,-2,pi/2)) coords=(0,0,0), connector,\n"
                          "gender=\"male\", extended=[bool]");
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = parse(text, diags);
    SomText dump = {0};
    SomNode point = som_syntax_find_child(tree, SOM_ROOT, SOM_M3L_DEFINITION);
    ck_assert_uint_ne(point, 0);
    ck_assert_uint_ne(som_syntax_find_child(tree, point, SOM_M3L_NESTED), 0);
    int attributes = 0;
    SomNode node = som_syntax_find_child(tree, point, SOM_M3L_ATTRIBUTE);
    for (; node != 0; node = som_syntax_find_next(tree, node, SOM_M3L_ATTRIBUTE)) {
        attributes++;
    }
    ck_assert_int_eq(attributes, 4);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_text_free(&dump);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(all_errors_are_reported_in_one_pass) {
    SomStr text = SOM_STR("module M\n"                                   // no colon
                          "point a: coords=(1,,3)\n"                     // no value
                          "link b c: mass=1\n"                           // two names
                          "joint j: type revolute\n"                     // no '='
                          "axis x: origin=(0,0,0) direction=(0,0,1)\n"); // no comma
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = parse(text, diags);
    int count, lines = 0, last = 0;
    som_diagnostics_sort(diags);
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT) {
            int line = som_diagnostics_place(diags, 1, entries[i].span.begin).line;
            lines += line != last;
            last = line;
        }
    }
    ck_assert_int_eq(lines, 5);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_unit_may_stand_apart_from_its_number) {
    static const char *const texts[] = {"module M: unit=0.0325 m", "module M: unit=0.0325m",
                                        "link l: inertia=(1 kg*m^2, 2kg*m^2, 3 g*cm^2)"};
    for (int i = 0; i < 3; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *tree = parse(som_str(texts[i]), diags);
        ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
        int units = 0;
        for (SomNode node = SOM_ROOT; node != 0; node = som_syntax_next(tree, node)) {
            units += som_syntax_kind(tree, node) == SOM_M3L_UNIT;
        }
        ck_assert_int_eq(units, i < 2 ? 1 : 3);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

START_TEST(deep_nesting_ends_in_a_diagnostic) {
    static const char *const openers[] = {"(point p: ", "(", "(not ", "-"};
    for (int k = 0; k < 4; k++) {
        SomText text = {0};
        som_text_add(&text, k == 0 ? SOM_STR("module M: point q: ")
                                   : SOM_STR("connection c: conditions="));
        for (int i = 0; i < 100000; i++) {
            som_text_add(&text, som_str(openers[k]));
        }
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *tree = parse(som_text_str(&text), diags);
        ck_assert_int_gt(som_diagnostics_error_count(diags), 0);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
        som_text_free(&text);
    }
}
END_TEST

// Newlines are blanks: what follows a number may be the next definition, and is no unit then.
START_TEST(definitions_may_share_a_line) {
    static const struct {
        const char *text;
        int errors;
    } cases[] = {{"module M: unit=2 link a: mass=1 link b: mass=1 kg", 0},
                 {"module M: unit=2 feet\nlink a: mass=1", 1},
                 {"connection c: conditions=(a.x==1 and b.x==2 or a.y != 3)", 0},
                 {"connection c: conditions=(a.x==1 or)", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomDiagnostics *diags = som_diagnostics_create();
        SomSyntax *tree = parse(som_str(cases[i].text), diags);
        ck_assert_msg(som_diagnostics_error_count(diags) == cases[i].errors, "%s", cases[i].text);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
    }
}
END_TEST

SOM_SUITE("modules/m3l_syntax", listings_of_the_paper_parse_unchanged_and_print_back,
          a_definition_has_its_nested_points_and_attributes, all_errors_are_reported_in_one_pass,
          a_unit_may_stand_apart_from_its_number, definitions_may_share_a_line,
          deep_nesting_ends_in_a_diagnostic)
