// SPDX-License-Identifier: Apache-2.0
// Tests for language/parser_recovery.c, with a small grammar.

#include "tests/language/calculator.h"
#include "tests/language/parsed.h"

static Parsed parse(SomStr text) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = calculator_parse(text, &som_dialect_somite, source1, parsed.diags);
    check_tree(parsed.tree);
    return parsed;
}

static void check_codes(const char *text, const char *expected) {
    Parsed parsed = parse(som_str(text));
    ck_assert_str_eq(parsed_codes(&parsed), expected);
    parsed_free(&parsed);
}

START_TEST(one_cause_is_one_report) {
    check_codes("let a = 1 2 3\nlet b = 2\n", "1:11 1031");
    check_codes("let = 1\nlet b = 2\n", "1:5 1031");
    check_codes("let a 1\nlet b = 2\n", "1:7 1031");
    check_codes("let a = (1 + ) * 2\n", "1:14 1031");
    check_codes("let a = f(1, , 2)\n", "1:14 1031");
    check_codes("let a = f(1 2, 3)\n", "1:13 1031");
    check_codes("let a = f(1, $$, 3) + \n", "1:14 1008, 1:15 1008, 1:22 1031");
    check_codes("foo bar\nlet a = 1\nbaz\n", "1:1 1031, 3:1 1031");
    check_codes("block { let a = 1 }\nlet b = 1", "1:7 1031");
    check_codes("block 1 (2; {3}) { let a = 1 }\n", "1:7 1031"); // a group is skipped whole
    check_codes("let a = f(1 2 (3, 4), 5) 6\n", "1:13 1031, 1:26 1031");
}
END_TEST

START_TEST(a_missing_paren_costs_one_statement) {
    check_codes("let a = f(1, 2\nlet b = g(3)\nlet c = 4\n", "1:15 1032");
    check_codes("block x {\n  let a = f(1,\n  g(2)\n  let b = 3\n}\nlet c = 4\n", "3:7 1032");
    check_codes("let a = (1 + 2\nlet b = 3", "1:15 1032");
    check_codes("let a = f(1, (2, 3)\nlet b = 4\n", "1:16 1031, 1:20 1032");
    check_codes("let a = f(", "1:11 1032");
    // the closer that is too many further down is not taken for the missing one
    check_codes("let a = f(1, 2\nlet b = (3 + 4))\nlet c = 5\n", "1:15 1032, 2:16 1031");
    check_codes("block x {\n  let a = (1\n  let b = 2)\n}\nlet c = 4\n", "2:13 1032, 3:12 1031");
}
END_TEST

START_TEST(brackets_that_do_not_match_are_reported_where_they_are) {
    check_codes("let a = f(1, 2]\nlet b = 1\n", "1:15 1034");
    check_codes("let a = 1)\nlet b = 1\n", "1:10 1033");
    check_codes(")\nlet b = 1\n", "1:1 1033");
    check_codes("block a { let b = f(1 }\nlet c = 1", "1:23 1032");
    check_codes("block a {\nlet b = 1\n", "3:1 1032");
    check_codes("block a {\nlet b = 1\n}}\nlet c = 2\n", "3:2 1033");
}
END_TEST

START_TEST(a_report_says_what_was_expected_and_found) {
    Parsed parsed = parse(SOM_STR("let a = f(1, 2\nlte b = \"x\" \"y\"\n"));
    ck_assert_str_eq(parsed_diagnostics(&parsed),
                     "a:1:15: error: expected ',' or ')', found the end of the line [SOM1032]\n"
                     "    1 | let a = f(1, 2\n"
                     "      |               ^\n"
                     "a:1:10: note: to close '(' opened here\n"
                     "    1 | let a = f(1, 2\n"
                     "      |          ^\n"
                     "a:2:1: error: expected 'let' or 'block', found 'lte' [SOM1031]\n"
                     "    2 | lte b = \"x\" \"y\"\n"
                     "      | ^~~\n"
                     "fix-it:\"a\":{2:1-2:4}:\"let\"\n");
    parsed_free(&parsed);
    parsed = parse(SOM_STR("let a = 1 \"y\"\nblock b "));
    ck_assert_str_eq(parsed_diagnostics(&parsed),
                     "a:1:11: error: expected a new line or ';', found \"y\" [SOM1031]\n"
                     "    1 | let a = 1 \"y\"\n"
                     "      |           ^~~\n"
                     "a:2:8: error: expected '{', found the end of the file [SOM1031]\n"
                     "    2 | block b \n"
                     "      |        ^\n");
    parsed_free(&parsed);
}
END_TEST

START_TEST(recovery_keeps_what_is_skipped_in_an_error_node) {
    Parsed parsed = parse(SOM_STR("block 1 [2, }] + 3 { let a = 1 }\n"));
    ck_assert_str_eq(parsed_codes(&parsed), "1:7 1031");
    ck_assert_str_eq(parsed_dump(&parsed), "file\n"
                                           "  block\n"
                                           "    WORD block\n"
                                           "    error\n"
                                           "      NUMBER 1\n"
                                           "      LEFT_BRACKET [\n"
                                           "      NUMBER 2\n"
                                           "      COMMA ,\n"
                                           "      RIGHT_BRACE }\n"
                                           "      RIGHT_BRACKET ]\n"
                                           "      PLUS +\n"
                                           "      NUMBER 3\n"
                                           "    LEFT_BRACE {\n"
                                           "    let\n"
                                           "      WORD let\n"
                                           "      WORD a\n"
                                           "      EQUAL =\n"
                                           "      number\n"
                                           "        NUMBER 1\n"
                                           "    RIGHT_BRACE }\n");
    parsed_free(&parsed);
}
END_TEST

START_TEST(a_semicolon_missing_at_the_end_of_a_line_is_offered) {
    static const char *const names[] = {"error", "file"};
    SomStr text = SOM_STR("a\nb;");
    Parsed parsed = {.diags = som_diagnostics_create()};
    SomParserDef def = {.text = text,
                        .dialect = &som_dialect_role,
                        .source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text),
                        .kinds = {names, 2}};
    SomParser *p = som_parser_create(&def, parsed.diags);
    SomLoop loop = {0};
    while (som_parser_next_item(p, &loop)) {
        som_parser_expect(p, SOM_TOKEN_WORD);
        som_parser_expect(p, SOM_TOKEN_SEMICOLON);
    }
    parsed.tree = som_parser_finish(p, 1);
    ck_assert_str_eq(parsed_diagnostics(&parsed),
                     "a:1:2: error: expected ';', found 'b' [SOM1031]\n"
                     "    1 | a\n"
                     "      |  ^\n"
                     "fix-it:\"a\":{1:2-1:2}:\";\"\n");
    parsed_free(&parsed);
}
END_TEST

START_TEST(loops_go_on_where_the_grammar_does_not) {
    static const char *const names[] = {"error", "file"};
    SomStr text = SOM_STR("1 ( 2 3 ) ; ] 4");
    Parsed parsed = {.diags = som_diagnostics_create()};
    SomParserDef def = {.text = text,
                        .dialect = &som_dialect_role,
                        .source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text),
                        .kinds = {names, 2}};
    SomParser *p = som_parser_create(&def, parsed.diags);
    SomLoop loop = {0};
    int rounds = 0;
    while (som_parser_next_item(p, &loop)) {
        rounds++; // consumes nothing
    }
    parsed.tree = som_parser_finish(p, 1);
    check_tree(parsed.tree);
    ck_assert_int_eq(rounds, 5); // each token and the group, but for the last
    ck_assert_int_eq(som_diagnostics_error_count(parsed.diags), 1);
    parsed_free(&parsed);
}
END_TEST

START_TEST(recovery_stops_before_words_that_begin_a_statement) {
    static const char *const names[] = {"error", "file"};
    static const char *const points[] = {"point", NULL};
    SomStr text = SOM_STR("point a 1 point 2\n 3 # c\n  point b\npoint");
    Parsed parsed = {.diags = som_diagnostics_create()};
    SomParserDef def = {.text = text,
                        .dialect = &som_dialect_m3l,
                        .source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text),
                        .kinds = {names, 2},
                        .starters = points};
    SomParser *p = som_parser_create(&def, parsed.diags);
    SomLoop loop = {0};
    while (som_parser_next_item(p, &loop)) {
        if (!som_parser_expect_word(p, "point") || !som_parser_expect(p, SOM_TOKEN_WORD)) {
            som_parser_recover(p, (SomTokenSet){0});
        }
    }
    parsed.tree = som_parser_finish(p, 1);
    ck_assert_str_eq(parsed_codes(&parsed), "1:9 1031, 4:6 1031");
    ck_assert_str_eq(parsed_dump(&parsed), "file\n  WORD point\n  WORD a\n  error\n"
                                           "    NUMBER 1\n    WORD point\n    NUMBER 2\n"
                                           "    NUMBER 3\n  WORD point\n  WORD b\n"
                                           "  WORD point\n");
    parsed_free(&parsed);
}
END_TEST

// Texts made of pieces that matter to the toolkit, at random.
START_TEST(random_texts_keep_the_facts_of_trees) {
    const char *const pieces[] = {"let ", "block ", "a ",   "b", "1",     "2deg", "(",   ")",
                                  "[",    "]",      "{",    "}", ",",     ";",    "\n",  "+",
                                  "-",    "*",      "=",    "@", "\"x\"", "\"",   "# c", " ",
                                  "$",    "1.2.3",  "\\\n", "−", "\r\n"};
    SomTestRandom random = {11};
    for (int i = 0; i < som_test_count(3000, 300000); i++) {
        SomText text = {0};
        som_text_add(&text, SOM_STR(""));
        for (int n = som_test_int(&random, 0, 40); n > 0; n--) {
            int last = (int)(sizeof pieces / sizeof *pieces) - 1;
            som_text_add(&text, som_str(pieces[som_test_int(&random, 0, last)]));
        }
        Parsed parsed = parse(som_text_str(&text));
        bool has_error = som_diagnostics_error_count(parsed.diags) > 0;
        ck_assert_int_eq(has_error, som_syntax_has_error(parsed.tree, SOM_ROOT));
        parsed_free(&parsed);
        som_text_free(&text);
    }
}
END_TEST

SOM_SUITE("language/parser_recovery", one_cause_is_one_report, a_missing_paren_costs_one_statement,
          brackets_that_do_not_match_are_reported_where_they_are,
          a_report_says_what_was_expected_and_found,
          recovery_keeps_what_is_skipped_in_an_error_node,
          a_semicolon_missing_at_the_end_of_a_line_is_offered,
          loops_go_on_where_the_grammar_does_not,
          recovery_stops_before_words_that_begin_a_statement, random_texts_keep_the_facts_of_trees)
