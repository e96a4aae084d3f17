// SPDX-License-Identifier: Apache-2.0
// Tests for language/lexer.c.

#include "base/codes/language_codes.h"
#include "base/memory.h"
#include "language/lexer.h"
#include "tests/language/parsed.h"

static const char *const letters[] = {
#define SOM_TOKEN(name, text, shown) #name,
#include "language/tokens.inc"
#undef SOM_TOKEN
};

// Lexes and writes "KIND(text) ..." without blanks, with '!' behind tokens that were reported, then
// the codes of the reports.
static void lex(SomStr text, const SomDialect *dialect, SomText *out) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a"), text);
    SomTokens tokens = som_lex(text, dialect, source1, diags);
    som_text_clear(out);
    uint32_t at = 0;
    for (int i = 0; i < tokens.count; i++) {
        SomToken token = tokens.data[i];
        uint32_t end = tokens.data[i + 1].begin;
        ck_assert_uint_eq(token.begin, at);
        ck_assert_uint_gt(end, token.begin);
        at = end;
        bool bad = (token.flags & SOM_TOKEN_BAD) != 0;
        if (token.kind != SOM_TOKEN_BLANK || bad) {
            SomStr shown = som_str_slice(text, token.begin, end);
            som_text_printf(out, "%s", letters[token.kind]);
            if (token.kind == SOM_TOKEN_NEWLINE || token.kind == SOM_TOKEN_BLANK) {
                som_text_printf(out, "%s ", bad ? "!" : "");
            } else {
                som_text_add(out, SOM_STR("("));
                som_text_add(out, shown);
                som_text_printf(out, ")%s ", bad ? "!" : "");
            }
        }
    }
    ck_assert_uint_eq(at, text.length);
    ck_assert_int_eq(tokens.data[tokens.count].kind, SOM_TOKEN_END);
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT) {
            som_text_printf(out, "%d ", (int)entries[i].code);
        } else if (entries[i].kind == SOM_DIAGNOSTIC_FIX) {
            som_text_printf(out, "[%u-%u:%.*s] ", entries[i].span.begin, entries[i].span.end,
                            SOM_STR_ARG(entries[i].message));
        }
    }
    out->length -= out->length > 0;
    som_text_add(out, SOM_STR(""));
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
}

#define CHECK_LEX(dialect, text, expected)                                                         \
    do {                                                                                           \
        SomText out = {0};                                                                         \
        lex(SOM_STR(text), &som_dialect_##dialect, &out);                                          \
        ck_assert_str_eq(out.data, expected);                                                      \
        som_text_free(&out);                                                                       \
    } while (0)

START_TEST(an_empty_text_has_no_tokens) {
    CHECK_LEX(somite, "", "");
    SomDiagnostics *diags = som_diagnostics_create();
    SomTokens tokens = som_lex((SomStr){NULL, 0}, &som_dialect_m3l, 0, diags);
    ck_assert_int_eq(tokens.count, 0);
    ck_assert_int_eq(tokens.data[0].kind, SOM_TOKEN_END);
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(the_look_of_somite) {
    CHECK_LEX(somite, "connect s[i].tail.B to s[i+1].head.T  for i in 1..n-1 # all\n",
              "WORD(connect) WORD(s) LEFT_BRACKET([) WORD(i) RIGHT_BRACKET(]) DOT(.) WORD(tail) "
              "DOT(.) WORD(B) WORD(to) WORD(s) LEFT_BRACKET([) WORD(i) PLUS(+) NUMBER(1) "
              "RIGHT_BRACKET(]) DOT(.) WORD(head) DOT(.) WORD(T) WORD(for) WORD(i) WORD(in) "
              "NUMBER(1) DOT_DOT(..) WORD(n) MINUS(-) NUMBER(1) COMMENT(# all) NEWLINE");
    CHECK_LEX(somite, "pose \"left-front wheel\" { a.tilt = -45deg; }",
              "WORD(pose) STRING(\"left-front wheel\") LEFT_BRACE({) WORD(a) DOT(.) WORD(tilt) "
              "EQUAL(=) MINUS(-) NUMBER(45) UNIT(deg) SEMICOLON(;) RIGHT_BRACE(})");
}
END_TEST

START_TEST(the_look_of_m3l) {
    CHECK_LEX(m3l, "conditions=( (a.point p_a)\\\nand (p_a._1!=\"male\") )",
              "WORD(conditions) EQUAL(=) LEFT_PAREN(() LEFT_PAREN(() WORD(a) DOT(.) WORD(point) "
              "WORD(p_a) RIGHT_PAREN()) WORD(and) LEFT_PAREN(() WORD(p_a) DOT(.) WORD(_1) "
              "NOT_EQUAL(!=) STRING(\"male\") RIGHT_PAREN()) RIGHT_PAREN())");
    CHECK_LEX(m3l, "a \\  \r\nb", "WORD(a) WORD(b)"); // blanks behind the backslash
}
END_TEST

START_TEST(the_look_of_roles) {
    CHECK_LEX(role, "require (sizeof(self.connected($ANY))>=2 && !x || y<3); // neighbours",
              "WORD(require) LEFT_PAREN(() WORD(sizeof) LEFT_PAREN(() WORD(self) DOT(.) "
              "WORD(connected) LEFT_PAREN(() DOLLAR_WORD($ANY) RIGHT_PAREN()) RIGHT_PAREN()) "
              "GREATER_EQUAL(>=) NUMBER(2) AND_AND(&&) NOT(!) WORD(x) OR_OR(||) WORD(y) LESS(<) "
              "NUMBER(3) RIGHT_PAREN()) SEMICOLON(;) COMMENT(// neighbours)");
    CHECK_LEX(role, "a/**//* b\n */c", "WORD(a) COMMENT(/**/) COMMENT(/* b\n */) WORD(c)");
}
END_TEST

START_TEST(line_ends_are_kept_and_a_lone_return_is_reported_once) {
    CHECK_LEX(somite, "a\r\nb\nc", "WORD(a) NEWLINE WORD(b) NEWLINE WORD(c)");
    CHECK_LEX(somite, "#x\rb\rc", "COMMENT(#x) NEWLINE! WORD(b) NEWLINE! WORD(c) 1009 [2-3:\n]");
    CHECK_LEX(somite, "\xEF\xBB\xBFuse", "WORD(use)"); // the mark at the start
    CHECK_LEX(somite, "use\xEF\xBB\xBF", "WORD(use) BLANK! 1006 [3-6:]");
}
END_TEST

START_TEST(words_hold_letters_of_all_scripts) {
    CHECK_LEX(somite, "Glied_ä 左腕 a\xCC\x88", "WORD(Glied_ä) WORD(左腕) WORD(a\xCC\x88)");
    CHECK_LEX(somite, "a🤖b", "WORD(a) ERROR(🤖)! WORD(b) 1008");
    CHECK_LEX(somite, "a-b", "WORD(a) MINUS(-) WORD(b)");
}
END_TEST

START_TEST(quotes_hold_all_but_their_end) {
    CHECK_LEX(somite, "\"a b#c\"x", "STRING(\"a b#c\") WORD(x)");
    CHECK_LEX(somite, "\"a\\\"b\\\\\"x", "STRING(\"a\\\"b\\\\\") WORD(x)");
    CHECK_LEX(somite, "\"a\\b\"x", "STRING(\"a\\b\")! WORD(x) 1013 [2-3:\\\\]");
    CHECK_LEX(somite, "\"a # b\nc", "STRING(\"a # b)! NEWLINE WORD(c) 1011");
    CHECK_LEX(somite, "\"a\\\nc", "STRING(\"a\\)! NEWLINE WORD(c) 1011");
    CHECK_LEX(somite, "\"a\\", "STRING(\"a\\)! 1011");
    CHECK_LEX(somite, "\"a\001\002\xE4\xE5\"", "STRING(\"a\001\002\xE4\xE5\")! 1005 [2-4:] 1003");
    CHECK_LEX(somite, "\"a\xE2\x80\xAE\"", "STRING(\"a\xE2\x80\xAE\")! 1006 [2-5:]");
}
END_TEST

START_TEST(wrong_quotes_are_strings_with_a_fix) {
    CHECK_LEX(m3l, "=\"x\" 'male'",
              "EQUAL(=) STRING(\"x\") STRING('male')! 1007 [5-6:\"] [10-11:\"]");
    CHECK_LEX(somite, "“left”", "STRING(“left”)! 1007 [0-3:\"] [7-10:\"]");
    CHECK_LEX(somite, "«a» ‚b‘",
              "STRING(«a»)! STRING(‚b‘)! 1007 [0-2:\"] [3-5:\"] 1007 [6-9:\"] [10-13:\"]");
    CHECK_LEX(somite, "“a\\b”", "STRING(“a\\b”)! 1007"); // no certain fix
    CHECK_LEX(somite, "it's\n'", "WORD(it) ERROR(')! WORD(s) NEWLINE ERROR(')! 1007 1007");
}
END_TEST

START_TEST(confusable_characters_are_read_as_what_was_meant) {
    CHECK_LEX(somite, "a−1", "WORD(a) MINUS(−)! NUMBER(1) 1007 [1-4:-]");
    CHECK_LEX(somite, "2×b", "NUMBER(2) STAR(×)! WORD(b) 1007 [1-3:*]");
    CHECK_LEX(somite, "1…3", "NUMBER(1) DOT_DOT(…)! NUMBER(3) 1007 [1-4:..]");
    CHECK_LEX(role, "a≤b", "WORD(a) LESS_EQUAL(≤)! WORD(b) 1007 [1-4:<=]");
    CHECK_LEX(somite, "f（a）",
              "WORD(f) LEFT_PAREN(（)! WORD(a) RIGHT_PAREN(）)! 1007 [1-4:(] 1007 [5-8:)]");
    CHECK_LEX(somite,
              "a\xC2\xA0\xC2\xA0"
              "b",
              "WORD(a) BLANK! WORD(b) 1007 [1-5:  ]");
    CHECK_LEX(somite,
              "a\xE2\x80\xA8"
              "b",
              "WORD(a) NEWLINE! WORD(b) 1007 [1-4:\n]");
    CHECK_LEX(somite, "90°", "NUMBER(90) UNIT(°)! 1007 [2-4:deg]");
    CHECK_LEX(somite, "a°", "WORD(a) ERROR(°)! 1007 [1-3:deg]");
}
END_TEST

START_TEST(bytes_that_are_no_text_are_reported_once_each) {
    CHECK_LEX(somite, "a\0\0b", "WORD(a) BLANK! WORD(b) 1005 [1-3:]");
    CHECK_LEX(somite, "a\xFF\xFEz", "WORD(a) ERROR(\xFF\xFE)! WORD(z) 1003");
    CHECK_LEX(somite, "# \xE4\001 \xE5\xE6\nb",
              "COMMENT(# \xE4\001 \xE5\xE6) NEWLINE WORD(b) 1004 1004");
    CHECK_LEX(somite, "# \xE2\x80\xAE", "COMMENT(# \xE2\x80\xAE) 1006 [2-5:]");
    CHECK_LEX(somite, "@?`~", "ERROR(@)! ERROR(?)! ERROR(`)! ERROR(~)! 1008 1008 1008 1008");
    CHECK_LEX(somite, "$a & \\ |",
              "ERROR($)! WORD(a) ERROR(&)! ERROR(\\)! ERROR(|)! 1008 1008 1008 1008");
    CHECK_LEX(role, "$ a\\\n", "ERROR($)! WORD(a) ERROR(\\)! NEWLINE 1008 1008");
}
END_TEST

START_TEST(text_that_is_not_utf_8_at_all_is_one_token) {
    CHECK_LEX(somite, "\xFF\xFEu\0s\0e\0", "ERROR(\xFF\xFEu");
    SomDiagnostics *diags = som_diagnostics_create();
    SomTokens tokens = som_lex(SOM_STR("u\0s\0e\0"), &som_dialect_somite, 0, diags);
    ck_assert_int_eq(tokens.count, 1);
    ck_assert(som_diagnostics_has(diags, SOM_NOT_UTF8_TEXT));
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
}
END_TEST

START_TEST(a_text_that_is_too_long_is_one_token) {
    size_t size = SOM_MAX_SOURCE_BYTES + 1;
    char *big = som_alloc(size);
    memset(big, 'a', size);
    SomDiagnostics *diags = som_diagnostics_create();
    SomTokens tokens = som_lex((SomStr){big, size}, &som_dialect_somite, 0, diags);
    ck_assert_int_eq(tokens.count, 1);
    ck_assert_int_eq(tokens.data[0].kind, SOM_TOKEN_ERROR);
    ck_assert(som_diagnostics_has(diags, SOM_SOURCE_TOO_LARGE));
    som_tokens_free(&tokens);
    tokens = som_lex((SomStr){big, size - 1}, &som_dialect_somite, 0, diags);
    ck_assert_int_eq(tokens.data[0].kind, SOM_TOKEN_WORD);
    ck_assert_int_eq(som_diagnostics_error_count(diags), 1);
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
    som_free(big);
}
END_TEST

START_TEST(comments_of_other_languages_are_comments_with_a_fix) {
    CHECK_LEX(somite, "a // b\nc", "WORD(a) COMMENT(// b)! NEWLINE WORD(c) 1014 [2-4:#]");
    CHECK_LEX(role, "a # b\nc", "WORD(a) COMMENT(# b)! NEWLINE WORD(c) 1014 [2-3://]");
    CHECK_LEX(m3l, "a /* b\n */ c", "WORD(a) COMMENT(/* b\n */)! WORD(c) 1014");
    CHECK_LEX(m3l, "a /* b\nc", "WORD(a) COMMENT(/* b)! NEWLINE WORD(c) 1014");
    CHECK_LEX(role, "a /* b\nc", "WORD(a) COMMENT(/* b\nc)! 1012");
    CHECK_LEX(m3l, "# a \\\nb", "COMMENT(# a \\) NEWLINE WORD(b)"); // a comment is not joined
}
END_TEST

START_TEST(dialects_are_found_by_the_end_of_a_name) {
    ck_assert_ptr_eq(som_dialect_find(SOM_STR("a/walker.som")), &som_dialect_somite);
    ck_assert_ptr_eq(som_dialect_find(SOM_STR("mtran.m3l")), &som_dialect_m3l);
    ck_assert_ptr_eq(som_dialect_find(SOM_STR("gait.role")), &som_dialect_role);
    ck_assert_ptr_null(som_dialect_find(SOM_STR("gait.txt")));
}
END_TEST

SOM_SUITE("language/lexer", an_empty_text_has_no_tokens, the_look_of_somite, the_look_of_m3l,
          the_look_of_roles, line_ends_are_kept_and_a_lone_return_is_reported_once,
          words_hold_letters_of_all_scripts, quotes_hold_all_but_their_end,
          wrong_quotes_are_strings_with_a_fix, confusable_characters_are_read_as_what_was_meant,
          bytes_that_are_no_text_are_reported_once_each, text_that_is_not_utf_8_at_all_is_one_token,
          a_text_that_is_too_long_is_one_token, comments_of_other_languages_are_comments_with_a_fix,
          dialects_are_found_by_the_end_of_a_name)
