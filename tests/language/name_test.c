// SPDX-License-Identifier: Apache-2.0
// Tests for language/name.c.

#include "language/lexer.h"
#include "language/name.h"
#include "tests/suite.h"

#include <stdlib.h>

static void check_print(const char *name, const char *expected) {
    SomText out = {0};
    som_name_print(&out, som_str(name));
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
}

START_TEST(words_are_printed_bare_and_the_rest_in_quotes) {
    check_print("left", "left");
    check_print("_1", "_1");
    check_print("Glied_ä", "Glied_ä");
    check_print("left-front-wheel", "\"left-front-wheel\"");
    check_print("1st", "\"1st\"");
    check_print("", "\"\"");
    check_print("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_print("a\nb\xE4", "\"a?b?\""); // nothing else can be read back
}
END_TEST

static void check_read(const char *token, const char *expected) {
    SomText out = {0};
    som_text_add(&out, SOM_STR(""));
    som_name_read(som_str(token), &out);
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
}

START_TEST(names_are_read_without_quotes_and_escapes) {
    check_read("left", "left");
    check_read("\"left-front wheel\"", "left-front wheel");
    check_read("\"\"", "");
    check_read("\"a\\\"b\\\\c\"", "a\"b\\c");
    check_read("“left”", "left"); // reported by the lexer, and still the name that was meant
    check_read("'male'", "male");
    check_read("\"open", "open");
    check_read("\"", "");
}
END_TEST

START_TEST(what_is_printed_is_one_token_and_reads_back) {
    SomTestRandom random = {7};
    const char *const pieces[] = {"a", "B", "_", "9", " ", "-", "\"", "\\", "#", "ä", "中", "/"};
    for (int i = 0; i < som_test_count(2000, 200000); i++) {
        SomText name = {0}, printed = {0}, read = {0};
        som_text_add(&name, SOM_STR(""));
        for (int n = som_test_int(&random, 0, 8); n > 0; n--) {
            som_text_add(&name, som_str(pieces[som_test_int(&random, 0, 11)]));
        }
        som_name_print(&printed, som_text_str(&name));
        som_name_read(som_text_str(&printed), &read);
        ck_assert(som_str_equal(som_text_str(&read), som_text_str(&name)));

        SomDiagnostics *diags = som_diagnostics_create();
        SomTokens tokens = som_lex(som_text_str(&printed), &som_dialect_somite, 0, diags);
        ck_assert_int_eq(tokens.count, 1);
        ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
        ck_assert_int_eq(tokens.data[0].kind == SOM_TOKEN_WORD,
                         som_name_is_word(som_text_str(&name)));
        som_tokens_free(&tokens);
        som_diagnostics_destroy(diags);
        som_text_free(&name);
        som_text_free(&printed);
        som_text_free(&read);
    }
}
END_TEST

START_TEST(an_array_has_the_name_of_all_of_it) {
    static const char *const pairs[][2] = {{"leg[2]", "leg"}, {"\"a b\"[12]", "\"a b\""},
                                           {"leg", "leg"},    {"\"x]\"", "\"x]\""},
                                           {"[2]", "[2]"},    {"x]", "x]"},
                                           {"", ""},          {"a.b[3]", "a.b"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        ck_assert(som_str_equal(som_name_of_array(som_str(pairs[i][0])), som_str(pairs[i][1])));
    }
}
END_TEST

SOM_SUITE("language/name", words_are_printed_bare_and_the_rest_in_quotes,
          names_are_read_without_quotes_and_escapes, what_is_printed_is_one_token_and_reads_back,
          an_array_has_the_name_of_all_of_it)
