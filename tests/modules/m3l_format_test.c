// SPDX-License-Identifier: Apache-2.0

#include "base/utf8.h"
#include "modules/m3l_format.h"
#include "modules/m3l_syntax.h"
#include "tests/modules/module_files.h"
#include "tests/suite.h"

static SomText format(SomStr text) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_m3l_parse(text, &som_dialect_m3l, 0, diags);
    SomText out = {0};
    ck_assert(som_m3l_format(tree, &out));
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    return out;
}

// Everything but blanks, newlines, backslashes and blanks in comments.
static SomText essence(SomStr text) {
    SomText out = {0};
    for (size_t i = 0; i < text.length; i++) {
        if (strchr(" \n\r\t\\", text.data[i]) == NULL) {
            som_text_add_char(&out, text.data[i], 1);
        }
    }
    return out;
}

static void check_formatting(SomStr text) {
    SomText once = format(text), twice = format(som_text_str(&once));
    ck_assert_str_eq(once.data, twice.data);
    SomText before = essence(text), after = essence(som_text_str(&once));
    ck_assert_str_eq(before.data, after.data);
    som_text_free(&once);
    som_text_free(&twice);
    som_text_free(&before);
    som_text_free(&after);
}

START_TEST(formatting_keeps_every_token_and_is_stable) {
    static const char *const listings[] = {"tests/modules/data/mtran.m3l",
                                           "tests/modules/data/molecube.m3l",
                                           "tests/modules/data/atron.m3l"};
    for (int i = 0; i < 3; i++) {
        check_formatting(som_test_source(listings[i]));
    }
}
END_TEST

START_TEST(the_library_is_formatted) {
    for (int i = 0; som_test_module_files[i] != NULL; i++) {
        SomText path = {0};
        som_text_printf(&path, "library/modules/%s.m3l", som_test_module_files[i]);
        SomText out = format(som_test_source(path.data));
        ck_assert_msg(som_str_equal(som_text_str(&out), som_test_source(path.data)),
                      "%s is not in canonical form", path.data);
        som_text_free(&out);
        som_text_free(&path);
    }
}
END_TEST

START_TEST(comments_stay_where_they_are) {
    SomStr text = SOM_STR("# first\n\n\n\n# of the module\nmodule  M :  # behind\n"
                          "link a:mass=1,#why\n# own line\nfriction =2 # end\n# last\n");
    SomText out = format(text);
    ck_assert_str_eq(out.data,
                     "# first\n\n# of the module\nmodule M: # behind\n"
                     "link a: mass=1, #why\n    # own line\n    friction=2 # end\n# last\n");
    som_text_free(&out);
    check_formatting(text);
}
END_TEST

START_TEST(long_definitions_break_between_attributes) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("robot r: modules=("));
    for (int i = 0; i < 60; i++) {
        som_text_printf(&text, "%sMTRAN module_%d", i > 0 ? "," : "", i);
    }
    som_text_add(&text, SOM_STR("), connections=((a.b,c.d),(e.f,g.h,3))"));
    SomText out = format(som_text_str(&text));
    int column = 0;
    for (size_t i = 0; i < out.length; i++) {
        column = out.data[i] == '\n' ? 0 : column + 1;
        ck_assert_int_le(column, SOM_M3L_WIDTH);
    }
    check_formatting(som_text_str(&text));
    som_text_free(&out);
    som_text_free(&text);
}
END_TEST

START_TEST(a_text_with_errors_is_left_alone) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_m3l_parse(SOM_STR("module M: ("), &som_dialect_m3l, 0, diags);
    SomText out = {0};
    ck_assert(!som_m3l_format(tree, &out));
    ck_assert_uint_eq(out.length, 0);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("modules/m3l_format", formatting_keeps_every_token_and_is_stable,
          the_library_is_formatted, comments_stay_where_they_are,
          long_definitions_break_between_attributes, a_text_with_errors_is_left_alone)
