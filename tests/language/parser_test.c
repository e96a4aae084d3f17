// SPDX-License-Identifier: Apache-2.0
// Tests for language/parser.c, with a small grammar.

#include "base/codes/language_codes.h"
#include "tests/language/calculator.h"
#include "tests/language/parsed.h"

static Parsed parse(SomStr text) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = calculator_parse(text, &som_dialect_somite, source1, parsed.diags);
    check_tree(parsed.tree);
    return parsed;
}

START_TEST(nodes_stand_round_what_was_consumed) {
    Parsed parsed = parse(SOM_STR("let a = 1 + 2m*(b - f(3, -c)) # end\n"));
    ck_assert_str_eq(parsed_codes(&parsed), "");
    ck_assert_str_eq(parsed_dump(&parsed), "file\n"
                                           "  let\n"
                                           "    WORD let\n"
                                           "    WORD a\n"
                                           "    EQUAL =\n"
                                           "    sum\n"
                                           "      number\n"
                                           "        NUMBER 1\n"
                                           "      PLUS +\n"
                                           "      product\n"
                                           "        number\n"
                                           "          NUMBER 2\n"
                                           "          UNIT m\n"
                                           "        STAR *\n"
                                           "        parens\n"
                                           "          LEFT_PAREN (\n"
                                           "          sum\n"
                                           "            name\n"
                                           "              WORD b\n"
                                           "            MINUS -\n"
                                           "            call\n"
                                           "              name\n"
                                           "                WORD f\n"
                                           "              LEFT_PAREN (\n"
                                           "              number\n"
                                           "                NUMBER 3\n"
                                           "              COMMA ,\n"
                                           "              negation\n"
                                           "                MINUS -\n"
                                           "                name\n"
                                           "                  WORD c\n"
                                           "              RIGHT_PAREN )\n"
                                           "          RIGHT_PAREN )\n");
    ck_assert(!som_syntax_has_error(parsed.tree, SOM_ROOT));
    parsed_free(&parsed);
}
END_TEST

START_TEST(newlines_end_statements_only_outside_parens) {
    Parsed parsed = parse(SOM_STR("let a = f(1,\n  2\n)\nblock b {\nlet c = 1; let d = 2\n\n}\n"));
    ck_assert_str_eq(parsed_codes(&parsed), "");
    SomNode let = som_syntax_find_child(parsed.tree, SOM_ROOT, CALCULATOR_LET);
    SomNode block = som_syntax_find_next(parsed.tree, let, CALCULATOR_BLOCK);
    ck_assert(som_str_equal(som_syntax_text(parsed.tree, let), SOM_STR("let a = f(1,\n  2\n)")));
    SomNode c = som_syntax_find_child(parsed.tree, block, CALCULATOR_LET);
    SomNode d = som_syntax_find_next(parsed.tree, c, CALCULATOR_LET);
    ck_assert(som_str_equal(som_syntax_text(parsed.tree, d), SOM_STR("let d = 2")));
    ck_assert_uint_eq(som_syntax_find_next(parsed.tree, d, CALCULATOR_LET), 0);
    parsed_free(&parsed);
    parsed = parse(SOM_STR("let a = 1\n + 2\n"));
    ck_assert_str_eq(parsed_codes(&parsed), "2:2 1031");
    parsed_free(&parsed);
}
END_TEST

START_TEST(an_empty_node_stands_where_it_was_expected) {
    Parsed parsed = parse(SOM_STR("let a =   # nothing\nlet b = 1"));
    SomNode let = som_syntax_find_child(parsed.tree, SOM_ROOT, CALCULATOR_LET);
    SomNode missing = som_syntax_find_child(parsed.tree, let, CALCULATOR_MISSING);
    ck_assert_uint_eq(som_syntax_span(parsed.tree, missing).begin, 7);
    ck_assert_uint_eq(som_syntax_span(parsed.tree, missing).end, 7);
    ck_assert_uint_eq(som_syntax_span(parsed.tree, let).end, 7);
    ck_assert(som_syntax_has_error(parsed.tree, missing));
    ck_assert(som_syntax_has_error(parsed.tree, let));
    ck_assert(!som_syntax_has_error(parsed.tree, som_syntax_next_sibling(parsed.tree, let)));
    ck_assert_str_eq(parsed_codes(&parsed), "1:8 1031");
    parsed_free(&parsed);
}
END_TEST

START_TEST(keywords_are_names_elsewhere) {
    Parsed parsed = parse(SOM_STR("let let = block + let(1)"));
    ck_assert_str_eq(parsed_codes(&parsed), "");
    parsed_free(&parsed);
}
END_TEST

START_TEST(errors_are_in_the_nodes_round_them) {
    Parsed parsed = parse(SOM_STR("block a {\n let b = 1 @ 2\n let c = 3\n}\nlet d = 4dge"));
    ck_assert_str_eq(parsed_codes(&parsed), "2:12 1008, 5:10 1023");
    SomNode block = som_syntax_find_child(parsed.tree, SOM_ROOT, CALCULATOR_BLOCK);
    SomNode b = som_syntax_find_child(parsed.tree, block, CALCULATOR_LET);
    SomNode c = som_syntax_find_next(parsed.tree, b, CALCULATOR_LET);
    SomNode d = som_syntax_find_child(parsed.tree, SOM_ROOT, CALCULATOR_LET);
    ck_assert(som_syntax_has_error(parsed.tree, block));
    ck_assert(!som_syntax_has_error(parsed.tree, c));
    ck_assert(som_syntax_has_error(parsed.tree, d)); // the lexer said so
    parsed_free(&parsed);
}
END_TEST

// The depth of the tree.
static int depth_of(const SomSyntax *tree) {
    int deepest = 0;
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        int depth = 0;
        for (SomNode up = n; up != 0 && depth < 10000; up = som_syntax_parent(tree, up)) {
            depth++;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

START_TEST(towers_of_wrapped_nodes_stop_at_the_limit_with_one_report) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("let a = 1"));
    for (int i = 0; i < 2000; i++) {
        som_text_add(&text, SOM_STR("+1"));
    }
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), som_text_str(&text));
    parsed.tree =
        calculator_parse_towers(som_text_str(&text), &som_dialect_somite, source1, parsed.diags);
    check_tree(parsed.tree);
    ck_assert_str_eq(parsed_codes(&parsed), "1:520 1035");
    ck_assert_int_le(depth_of(parsed.tree), SOM_MAX_NESTING + 3);
    parsed_free(&parsed);

    parsed = parse(som_text_str(&text)); // a flat sum has no limit
    ck_assert_str_eq(parsed_codes(&parsed), "");
    parsed_free(&parsed);
    som_text_free(&text);
}
END_TEST

START_TEST(deep_nesting_is_one_report_and_no_overflow) {
    const char *const openers[] = {"(", "-", "f(", "block a {"};
    for (int i = 0; i < 4; i++) {
        SomText text = {0};
        som_text_add(&text, i < 3 ? SOM_STR("let a = ") : SOM_STR(""));
        for (int n = 0; n < 100000; n++) {
            som_text_add(&text, som_str(openers[i]));
        }
        Parsed parsed = parse(som_text_str(&text));
        ck_assert_int_eq(som_diagnostics_error_count(parsed.diags), 1);
        ck_assert(som_diagnostics_has(parsed.diags, SOM_NESTED_TOO_DEEPLY));
        ck_assert_int_le(depth_of(parsed.tree), 3 * SOM_MAX_NESTING);
        parsed_free(&parsed);
        som_text_free(&text);
    }
}
END_TEST

// What a grammar leaves over.
static SomSyntax *parse_one_word(SomStr text, SomDiagnostics *diags, uint32_t source1) {
    static const char *const names[] = {"error", "file"};
    SomParserDef def = {
        .text = text, .dialect = &som_dialect_somite, .source1 = source1, .kinds = {names, 2}};
    SomParser *p = som_parser_create(&def, diags);
    som_parser_expect(p, SOM_TOKEN_WORD);
    return som_parser_finish(p, 1);
}

START_TEST(what_a_grammar_leaves_over_is_reported_and_kept) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    SomStr text = SOM_STR("one two )\n three # four\n");
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = parse_one_word(text, parsed.diags, source1);
    check_tree(parsed.tree);
    ck_assert_str_eq(parsed_codes(&parsed), "1:5 1031");
    ck_assert_str_eq(parsed_dump(&parsed), "file\n  WORD one\n  error\n    WORD two\n"
                                           "    RIGHT_PAREN )\n    WORD three\n");
    parsed_free(&parsed);
}
END_TEST

START_TEST(peeking_sees_what_consuming_would) {
    SomDiagnostics *diags = som_diagnostics_create();
    static const char *const names[] = {"error", "file"};
    SomParserDef def = {
        .text = SOM_STR("a # c\n( b\n c )d"), .dialect = &som_dialect_somite, .kinds = {names, 2}};
    SomParser *p = som_parser_create(&def, diags);
    ck_assert_int_eq(som_parser_peek(p, 0), SOM_TOKEN_WORD);
    ck_assert_int_eq(som_parser_peek(p, 1), SOM_TOKEN_NEWLINE);
    ck_assert_int_eq(som_parser_peek(p, 2), SOM_TOKEN_LEFT_PAREN);
    ck_assert_int_eq(som_parser_peek(p, 99), SOM_TOKEN_END);
    som_parser_advance(p);
    ck_assert(som_parser_accept(p, SOM_TOKEN_NEWLINE));
    ck_assert(som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN));
    ck_assert(som_str_equal(som_parser_peek_text(p, 1), SOM_STR("c"))); // no newline in parens
    ck_assert(!som_parser_is_glued(p));
    som_parser_advance(p);
    ck_assert(som_parser_on_new_line(p));
    som_parser_advance(p);
    ck_assert(som_parser_at_end(p));
    ck_assert(som_parser_close_bracket(p));
    ck_assert(som_parser_is_glued(p));
    som_parser_advance(p);
    som_parser_advance(p); // nothing happens at the end
    som_syntax_destroy(som_parser_finish(p, 1));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 0);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("language/parser", nodes_stand_round_what_was_consumed,
          newlines_end_statements_only_outside_parens, an_empty_node_stands_where_it_was_expected,
          keywords_are_names_elsewhere, errors_are_in_the_nodes_round_them,
          towers_of_wrapped_nodes_stop_at_the_limit_with_one_report,
          deep_nesting_is_one_report_and_no_overflow,
          what_a_grammar_leaves_over_is_reported_and_kept, peeking_sees_what_consuming_would)
