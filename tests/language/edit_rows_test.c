// SPDX-License-Identifier: Apache-2.0
// Tests for language/edit_rows.c: members put into rows and taken out.

#include "language/edit.h"
#include "language/som_syntax.h"
#include "tests/language/parsed.h"

typedef enum Action { REMOVE, BEFORE, AFTER, INTO } Action;

// Does one thing at each member with one of these texts (separated by '|') and checks the result.
static void check_edit(const SomDialect *dialect, const char *text, Action action,
                       const char *members, const char *added, const char *expected) {
    Parsed parsed = parse_outline(som_str(text), dialect);
    SomEdits *edits = som_edits_create(parsed.tree);
    const char *at = members;
    for (;;) {
        size_t length = strcspn(at, "|");
        SomStr member = {at, length};
        SomNode found = 0;
        for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(parsed.tree, n)) {
            if (som_str_equal(som_syntax_text(parsed.tree, n), member) &&
                (n != SOM_ROOT || action == INTO)) {
                found = n;
                break;
            }
        }
        ck_assert_msg(found != 0, "no '%s'", members);
        switch (action) {
        case REMOVE:
            som_edits_remove(edits, found);
            break;
        case BEFORE:
            som_edits_insert_before(edits, found, som_str(added));
            break;
        case AFTER:
            som_edits_insert_after(edits, found, som_str(added));
            break;
        case INTO:
            som_edits_insert_into(edits, found, som_str(added));
            break;
        }
        at += length;
        if (*at == '\0') {
            break;
        }
        at++;
    }
    SomText out = {0};
    som_text_add(&out, SOM_STR(""));
    ck_assert(som_edits_apply(edits, &out));
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
    som_edits_destroy(edits);
    parsed_free(&parsed);
}

static const SomDialect *const som = &som_dialect_somite;
static const SomDialect *const role = &som_dialect_role;
static const SomDialect *const m3l = &som_dialect_m3l;

START_TEST(a_statement_goes_with_its_line_and_its_comments) {
    check_edit(som, "a\nb # two\nc\n", REMOVE, "b", "", "a\nc\n");
    check_edit(som, "a # one\n\n# about b\n# more\n  b\n\nc\n", REMOVE, "b", "",
               "a # one\n\n\nc\n");
    check_edit(som, "# file\n\na\nb", REMOVE, "a", "", "# file\n\nb");
    check_edit(som, "a\nb", REMOVE, "b", "", "a\n");
    check_edit(som, "a {\n    b\n    c # x\n}\n", REMOVE, "c", "", "a {\n    b\n}\n");
    check_edit(som, "a\r\nb\r\nc\r\n", REMOVE, "b", "", "a\r\nc\r\n");
    check_edit(som, "a\nf(1,\n  2) # f\nc\n", REMOVE, "f(1,\n  2)", "", "a\nc\n");
    check_edit(som, "a\nb;\nc", REMOVE, "b", "", "a\nc");
    check_edit(role, "x = 1;\ny = 2; // two\nz = 3;\n", REMOVE, "y = 2;", "", "x = 1;\nz = 3;\n");
    check_edit(m3l, "module A:\npoint a: x=(1,\n2)\nlink b:\n", REMOVE, "point a: x=(1,\n2)", "",
               "module A:\nlink b:\n");
}
END_TEST

START_TEST(statements_that_share_a_line_leave_the_others) {
    check_edit(som, "p { a; b; c }", REMOVE, "a", "", "p { b; c }");
    check_edit(som, "p { a; b; c }", REMOVE, "b", "", "p { a; c }");
    check_edit(som, "p { a; b; c }", REMOVE, "c", "", "p { a; b }");
    check_edit(som, "p { a; b; c }", REMOVE, "b|a", "", "p { c }");
    check_edit(som, "p { a; b; c }", REMOVE, "b|c", "", "p { a }");
    check_edit(som, "p { a; b; c }", REMOVE, "c|a", "", "p { b }");
    check_edit(som, "p { a; b; c }", REMOVE, "a|b|c", "", "p { }");
    check_edit(som, "a; b\nc\n", REMOVE, "b", "", "a\nc\n");
    check_edit(som, "a; b # x\nc\n", REMOVE, "a", "", "b # x\nc\n");
    check_edit(som, "p { a\n b }", REMOVE, "a", "", "p {\n b }");
    check_edit(role, "x = 1; y = 2;\nz = 3;\n", REMOVE, "y = 2;", "", "x = 1;\nz = 3;\n");
    check_edit(role, "x = 1; y = 2;\nz = 3;\n", REMOVE, "x = 1;", "", "y = 2;\nz = 3;\n");
}
END_TEST

START_TEST(an_element_goes_with_its_comma) {
    check_edit(som, "f(a, b, c)", REMOVE, "a", "", "f(b, c)");
    check_edit(som, "f(a, b, c)", REMOVE, "b", "", "f(a, c)");
    check_edit(som, "f(a, b, c)", REMOVE, "c", "", "f(a, b)");
    check_edit(som, "f(a, b, c)", REMOVE, "a|b", "", "f(c)");
    check_edit(som, "f(a, b, c)", REMOVE, "b|c", "", "f(a)");
    check_edit(som, "f(a, b, c)", REMOVE, "a|c", "", "f(b)");
    check_edit(som, "f(a, b, c)", REMOVE, "a|b|c", "", "f()");
    check_edit(som, "f( a )", REMOVE, "a", "", "f( )");
    check_edit(som, "f(a, b,)", REMOVE, "b", "", "f(a,)");
    check_edit(som, "f(a, b,)", REMOVE, "a|b", "", "f()");
    check_edit(som, "f(a ,b)", REMOVE, "a", "", "f(b)");
}
END_TEST

START_TEST(an_element_on_its_own_line_goes_with_it) {
    check_edit(som, "f(\n  a, # one\n  b,\n  c)\n", REMOVE, "a", "", "f(\n  b,\n  c)\n");
    check_edit(som, "f(\n  a,\n  b,\n  c)\n", REMOVE, "c", "", "f(\n  a,\n  b)\n");
    check_edit(som, "f(\n  a,\n  b, # two\n  c)\n", REMOVE, "c", "", "f(\n  a,\n  b # two\n)\n");
    check_edit(som, "f(\n  a,\n  b\n)\n", REMOVE, "b", "", "f(\n  a\n)\n");
    check_edit(som, "f(\n  a,\n  b,\n)\n", REMOVE, "b", "", "f(\n  a,\n)\n");
    check_edit(som, "f(a, # one\n  b)\n", REMOVE, "a", "", "f(\n  b)\n");
    check_edit(som, "f(a,\n  b)\n", REMOVE, "a", "", "f(\n  b)\n");
    check_edit(som, "f(a\n  ,b\n  ,c)\n", REMOVE, "b", "", "f(a\n  ,c)\n");
    check_edit(som, "f(a,\n  b\n  , c)\n", REMOVE, "b", "", "f(a,\n  c)\n");
}
END_TEST

START_TEST(a_new_statement_stands_like_its_neighbours) {
    check_edit(som, "a\nb\n", AFTER, "a", "x", "a\nx\nb\n");
    check_edit(som, "a\nb\n", BEFORE, "a", "x", "x\na\nb\n");
    check_edit(som, "a # one\n\n# two\nb\n", AFTER, "a", "x", "a # one\nx\n\n# two\nb\n");
    check_edit(som, "a # one\n\n# two\nb\n", BEFORE, "b", "x", "a # one\n\nx\n# two\nb\n");
    check_edit(som, "p {\n    a\n}\n", AFTER, "a", "x {\n    y\n}",
               "p {\n    a\n    x {\n        y\n    }\n}\n");
    check_edit(som, "a\r\nb\r\n", AFTER, "b", "x", "a\r\nb\r\nx\r\n");
    check_edit(som, "a\nb", AFTER, "b", "x", "a\nb\nx");
    check_edit(som, "a\nb # end", AFTER, "b", "x", "a\nb # end\nx");
    check_edit(som, "p { a; b }", AFTER, "a", "x", "p { a; x; b }");
    check_edit(som, "p { a; b }", AFTER, "b", "x", "p { a; b; x }");
    check_edit(som, "p { a;b }", BEFORE, "a", "x", "p { x;a;b }");
    check_edit(som, "p { a }", AFTER, "a", "x", "p { a; x }");
    check_edit(som, "p { a\n    b\n}", AFTER, "a", "x", "p { a\n    x\n    b\n}");
    check_edit(som, "p {\n  a }\n", AFTER, "a", "x", "p {\n  a\n  x }\n");
    check_edit(role, "x = 1; y = 2;\n", AFTER, "x = 1;", "n;", "x = 1; n; y = 2;\n");
    check_edit(role, "r { z;; }", BEFORE, "z;", "n;", "r { n; z;; }");
    check_edit(role, "r {\n\tx;\n}\n", AFTER, "x;", "n;", "r {\n\tx;\n\tn;\n}\n");
}
END_TEST

START_TEST(a_new_element_stands_like_its_neighbours) {
    check_edit(som, "f(a, b)", AFTER, "a", "x", "f(a, x, b)");
    check_edit(som, "f(a, b)", AFTER, "b", "x", "f(a, b, x)");
    check_edit(som, "f(a,b)", AFTER, "b", "x", "f(a,b,x)");
    check_edit(som, "f(a, b)", BEFORE, "a", "x", "f(x, a, b)");
    check_edit(som, "f(a)", AFTER, "a", "x", "f(a, x)");
    check_edit(som, "s[i]", BEFORE, "i", "x", "s[x, i]");
    check_edit(som, "f(a, b,)", AFTER, "b", "x", "f(a, b, x,)");
    check_edit(som, "f(\n  a,\n  b)\n", AFTER, "a", "x", "f(\n  a,\n  x,\n  b)\n");
    check_edit(som, "f(\n  a,\n  b)\n", AFTER, "b", "x", "f(\n  a,\n  b,\n  x)\n");
    check_edit(som, "f(\n  a,\n  b # two\n)\n", AFTER, "b", "x", "f(\n  a,\n  b, # two\n  x\n)\n");
    check_edit(som, "f(\n  a, # one\n  b,\n)\n", AFTER, "b", "x",
               "f(\n  a, # one\n  b,\n  x,\n)\n");
    check_edit(som, "f(\n  a, # one\n  b\n)\n", AFTER, "a", "x", "f(\n  a, # one\n  x,\n  b\n)\n");
    check_edit(som, "f(a,\n  b)\n", AFTER, "a", "x", "f(a,\n  x,\n  b)\n");
}
END_TEST

START_TEST(an_empty_row_takes_its_first_member) {
    check_edit(som, "f()", INTO, "()", "x", "f(x)");
    check_edit(som, "f( )", INTO, "( )", "x", "f(x)");
    check_edit(som, "p {}", INTO, "{}", "x", "p {\n    x\n}");
    check_edit(som, "q {\n\tp { }\n}\n", INTO, "{ }", "x\ny", "q {\n\tp {\n\t\tx\n\t\ty\n\t}\n}\n");
    check_edit(som, "p {\n  # nothing\n}\n", INTO, "{\n  # nothing\n}", "x",
               "p {\n  # nothing\n    x\n}\n");
    check_edit(som, "", INTO, "", "x", "x\n");
    check_edit(som, "# only\n", INTO, "# only\n", "x", "# only\nx\n");
    check_edit(som, "# only", INTO, "# only", "x", "# only\nx\n");
    check_edit(som, "f(a, b)", INTO, "(a, b)", "x", "f(a, b, x)");
    check_edit(som, "a\n", INTO, "a\n", "x", "a\nx\n");
}
END_TEST

START_TEST(a_list_behind_a_word_has_commas) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomSyntax *tree = som_som_parse_action(SOM_STR("series( hold)"), 0, diags);
    SomEdits *edits = som_edits_create(tree);
    SomNode list = som_syntax_first_child(tree, SOM_ROOT);
    som_edits_insert_before(edits, som_syntax_first_child(tree, list), SOM_STR("wait 1s"));
    som_edits_insert_after(edits, som_syntax_first_child(tree, list), SOM_STR("wait 2s"));
    SomText out = {0};
    ck_assert(som_edits_apply(edits, &out));
    ck_assert_str_eq(out.data, "series( wait 1s, hold, wait 2s)");
    som_text_free(&out);
    som_edits_destroy(edits);
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("language/edit_rows", a_statement_goes_with_its_line_and_its_comments,
          statements_that_share_a_line_leave_the_others, an_element_goes_with_its_comma,
          an_element_on_its_own_line_goes_with_it, a_new_statement_stands_like_its_neighbours,
          a_new_element_stands_like_its_neighbours, an_empty_row_takes_its_first_member,
          a_list_behind_a_word_has_commas)
