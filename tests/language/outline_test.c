// SPDX-License-Identifier: Apache-2.0
// Tests for language/outline.c.

#include "base/codes/language_codes.h"
#include "base/memory.h"
#include "tests/language/parsed.h"

static const SomDialect *const dialects[] = {&som_dialect_somite, &som_dialect_m3l,
                                             &som_dialect_role};

// The statements under a node, one a line.
static const char *statements(Parsed *parsed, SomNode node) {
    som_text_clear(&parsed->text);
    for (SomNode n = som_syntax_first_child(parsed->tree, node); n != 0;
         n = som_syntax_next_sibling(parsed->tree, n)) {
        som_text_add(&parsed->text, som_syntax_text(parsed->tree, n));
        som_text_add_char(&parsed->text, '|', 1);
    }
    return parsed->text.data;
}

START_TEST(statements_of_somite_end_with_newline_or_semicolon) {
    Parsed parsed = parse_outline(SOM_STR("use \"a.m3l\"\n"
                                          "config A { part b : C; part d : C\n connect b to d }\n"
                                          "f(1,\n  2) ; g\n"),
                                  &som_dialect_somite);
    ck_assert_str_eq(parsed_codes(&parsed), "");
    ck_assert_str_eq(statements(&parsed, SOM_ROOT),
                     "use \"a.m3l\"|config A { part b : C; part d : C\n connect b to d }|"
                     "f(1,\n  2)|g|");
    SomNode braces = 0;
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(parsed.tree, n)) {
        braces = som_syntax_kind(parsed.tree, n) == SOM_OUTLINE_BRACES ? n : braces;
    }
    ck_assert_str_eq(statements(&parsed, braces), "part b : C|part d : C|connect b to d|");
    parsed_free(&parsed);
}
END_TEST

START_TEST(statements_of_m3l_end_with_lines_that_end_without_comma) {
    Parsed parsed = parse_outline(SOM_STR("module M:\n"
                                          "point c1: (point _1: coords=(-1, 1, 1))\\\n"
                                          "coords=(-1, 0, 1), connector\n"
                                          "robot q: modules=(M m1,M m2),\n"
                                          "connections=((m1.c2,m2.c5),\n"
                                          "(m7.c2,m8.c5))\n"),
                                  &som_dialect_m3l);
    ck_assert_str_eq(parsed_codes(&parsed), "");
    ck_assert_str_eq(statements(&parsed, SOM_ROOT),
                     "module M:|"
                     "point c1: (point _1: coords=(-1, 1, 1))\\\ncoords=(-1, 0, 1), connector|"
                     "robot q: modules=(M m1,M m2),\nconnections=((m1.c2,m2.c5),\n(m7.c2,m8.c5))|");
    parsed_free(&parsed);
}
END_TEST

START_TEST(statements_of_roles_end_with_semicolon_or_block) {
    Parsed parsed = parse_outline(SOM_STR("abstract role A extends Module {\n"
                                          "  x; y = $SOUTH; startup f() { self.go(x,\n 1); }\n"
                                          "} role B extends A { }"),
                                  &som_dialect_role);
    ck_assert_str_eq(parsed_codes(&parsed), "");
    SomNode braces =
        som_syntax_first_child(parsed.tree, som_syntax_first_child(parsed.tree, SOM_ROOT));
    ck_assert_str_eq(statements(&parsed, braces),
                     "x;|y = $SOUTH;|startup f() { self.go(x,\n 1); }|");
    parsed_free(&parsed);
}
END_TEST

static void check_codes(const SomDialect *dialect, const char *text, const char *expected) {
    Parsed parsed = parse_outline(som_str(text), dialect);
    check_tree(parsed.tree);
    ck_assert_str_eq(parsed_codes(&parsed), expected);
    parsed_free(&parsed);
}

START_TEST(brackets_are_checked) {
    check_codes(&som_dialect_somite, "f(1, 2\ng(3)\n", "1:7 1032");
    check_codes(&som_dialect_somite, "a {\n b(1, 2\n}\n", "2:8 1032");
    check_codes(&som_dialect_somite, "a {\n b\n", "3:1 1032");
    check_codes(&som_dialect_somite, "a }\nb )\n", "1:3 1033, 2:3 1033");
    check_codes(&som_dialect_somite, "f(1]\n", "1:4 1034");
    check_codes(&som_dialect_somite, "f(1 ] 2)\n", "1:5 1033");
    check_codes(&som_dialect_role, "role A { require (a(b == 4); x = 1; }", "1:28 1032");
    check_codes(&som_dialect_m3l, "point a: coords=(1,2\npoint b: coords=(1,2)\n", "1:21 1032");
}
END_TEST

START_TEST(lists_are_checked) {
    check_codes(&som_dialect_somite, "f(a, , b)", "1:6 1031");
    check_codes(&som_dialect_somite, "f(, a)", "1:3 1031");
    check_codes(&som_dialect_somite, "f(a, ) [] ()", ""); // one comma behind the last is fine
    check_codes(&som_dialect_somite, "f(a b c)", "");     // no grammar, no opinion
}
END_TEST

START_TEST(all_errors_are_found_in_one_pass) {
    check_codes(&som_dialect_somite,
                "z = 1 )\n"
                "a = 1.2.3\n"
                "b = 5dge − 1\n"
                "c = f(1, 2]\n"
                "d = \"open\n"
                "h = g(1\n"
                "# \xE4\n"
                "i {\n",
                "1:7 1033, 2:5 1021, 3:6 1023, 3:10 1007, 4:11 1034, 5:5 1011, 6:8 1032, 7:3 1004, "
                "9:1 1032");
}
END_TEST

START_TEST(a_million_open_brackets_are_one_report) {
    const char openers[] = "([{";
    for (int i = 0; i < 3; i++) {
        size_t size = 1000000;
        char *text = som_alloc(size);
        memset(text, openers[i], size);
        Parsed parsed = parse_outline((SomStr){text, size}, &som_dialect_somite);
        ck_assert_int_eq(som_diagnostics_error_count(parsed.diags), 1);
        ck_assert(som_diagnostics_has(parsed.diags, SOM_NESTED_TOO_DEEPLY));
        parsed_free(&parsed);
        som_free(text);
    }
}
END_TEST

// Steps and tokens of a text that repeats `piece`, with `middle` in the middle of it.
static uint64_t steps_of(const char *piece, const char *middle, int count,
                         const SomDialect *dialect) {
    SomText text = {0};
    for (int i = 0; i < count; i++) {
        if (i == count / 2) {
            som_text_add(&text, som_str(middle));
        }
        som_text_add(&text, som_str(piece));
    }
    Parsed parsed = parse_outline(som_text_str(&text), dialect);
    uint64_t steps = som_syntax_steps(parsed.tree) + (uint64_t)som_syntax_token_count(parsed.tree);
    parsed_free(&parsed);
    som_text_free(&text);
    return steps;
}

START_TEST(no_input_takes_more_than_linear_time) {
    const char *const pieces[] = {
        "(",      ")",    "[(",       "(]",           "({",  "{(",   "(\n",       "{\n",
        "a(\n",   ",",    "(,",       "\"",           "'",   "“",    "/*",        "*/",
        "//\n",   "#\n",  "\\",       "\\\n",         "\\ ", "1.",   "1..",       ".1",
        "1e",     "1.1.", "9",        "1dge/s",       "a",   "a ",   "$",         "\xE4",
        "ä",      "\r",   "\r\n",     "\n",           ";",   "; ;",  "-",         "f(a,",
        "f(a,\n", "{}",   "()",       "(a)\n",        "[)",  "(a;",  "{a;",       "}",
        "{)}",    "((}",  "\xC2\xA0", "\xE2\x80\x8B", "’“",  "/**/", "/**/ a(\n", "\0",
        "a /*\n", "×\n",  "1°",       "(\n)",
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        for (int d = 0; d < 3; d++) {
            uint64_t small = steps_of(pieces[i], ")}(\n", 2000, dialects[d]);
            uint64_t large = steps_of(pieces[i], ")}(\n", 8000, dialects[d]);
            ck_assert_msg(large <= 5 * small + 1000, "'%s' in %s: %llu and %llu steps", pieces[i],
                          dialects[d]->name.data, (unsigned long long)small,
                          (unsigned long long)large);
        }
    }
}
END_TEST

START_TEST(any_bytes_print_as_they_were) {
    SomTestRandom random = {13};
    const char *const likely = "(){}[],;:.=<>!&|+-*/^\"'#\\\n\r \t$019aeE_\xC3\xA4\xE2\x88\x92";
    int likely_count = (int)strlen(likely);
    for (int i = 0; i < som_test_count(3000, 300000); i++) {
        char text[200];
        size_t size = (size_t)som_test_int(&random, 0, 200);
        for (size_t k = 0; k < size; k++) {
            bool any = som_test_int(&random, 0, 9) == 0;
            text[k] = any ? (char)som_test_int(&random, 0, 255)
                          : likely[som_test_int(&random, 0, likely_count - 1)];
        }
        Parsed parsed = parse_outline((SomStr){text, size}, dialects[i % 3]);
        check_tree(parsed.tree);
        parsed_free(&parsed);
    }
}
END_TEST

SOM_SUITE("language/outline", statements_of_somite_end_with_newline_or_semicolon,
          statements_of_m3l_end_with_lines_that_end_without_comma,
          statements_of_roles_end_with_semicolon_or_block, brackets_are_checked, lists_are_checked,
          all_errors_are_found_in_one_pass, a_million_open_brackets_are_one_report,
          no_input_takes_more_than_linear_time, any_bytes_print_as_they_were)
