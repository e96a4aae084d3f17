// SPDX-License-Identifier: Apache-2.0
// Tests for language/syntax.c.

#include "tests/language/parsed.h"

static const char chain[] = "# about\n"
                            "\n"
                            "# the head\n"
                            "# of it\n"
                            "part head : Module   # first\n"
                            "pose stand { a = 1; b = 2 } # both\n"
                            "\n"
                            "\n"
                            "    use (x, y)";

START_TEST(nodes_are_walked_in_order) {
    Parsed parsed = parse_outline(SOM_STR(chain), &som_dialect_somite);
    SomSyntax *tree = parsed.tree;
    ck_assert_str_eq(parsed_codes(&parsed), "");
    SomNode part = som_syntax_first_child(tree, SOM_ROOT);
    SomNode pose = som_syntax_next_sibling(tree, part);
    SomNode use = som_syntax_next_sibling(tree, pose);
    ck_assert(som_str_equal(som_syntax_text(tree, part), SOM_STR("part head : Module")));
    ck_assert(som_str_equal(som_syntax_text(tree, pose), SOM_STR("pose stand { a = 1; b = 2 }")));
    ck_assert_uint_eq(som_syntax_next_sibling(tree, use), 0);
    ck_assert_uint_eq(som_syntax_previous_sibling(tree, use), pose);
    ck_assert_uint_eq(som_syntax_previous_sibling(tree, part), 0);
    ck_assert_uint_eq(som_syntax_parent(tree, pose), SOM_ROOT);
    ck_assert_uint_eq(som_syntax_parent(tree, SOM_ROOT), 0);
    ck_assert_uint_eq(som_syntax_next_sibling(tree, SOM_ROOT), 0);
    SomNode braces = som_syntax_find_child(tree, pose, SOM_OUTLINE_BRACES);
    SomNode a = som_syntax_find_child(tree, braces, SOM_OUTLINE_STATEMENT);
    SomNode b = som_syntax_find_next(tree, a, SOM_OUTLINE_STATEMENT);
    ck_assert(som_str_equal(som_syntax_text(tree, b), SOM_STR("b = 2")));
    ck_assert_uint_eq(som_syntax_find_next(tree, b, SOM_OUTLINE_STATEMENT), 0);
    ck_assert_uint_eq(som_syntax_find_around(tree, b, SOM_OUTLINE_BRACES), braces);
    ck_assert_uint_eq(som_syntax_find_around(tree, b, SOM_OUTLINE_PARENS), 0);
    ck_assert_str_eq(som_syntax_kind_name(tree, braces), "braces");
    check_tree(tree);
    parsed_free(&parsed);
}
END_TEST

START_TEST(elements_are_children_and_tokens_without_trivia) {
    Parsed parsed = parse_outline(SOM_STR(chain), &som_dialect_somite);
    SomNode parens = parsed_find(&parsed, SOM_OUTLINE_PARENS, "(x, y)");
    SomElements it = som_syntax_elements(parsed.tree, parens);
    SomText seen = {0};
    while (som_elements_next(&it)) {
        SomStr text = it.node != 0 ? som_syntax_text(parsed.tree, it.node)
                                   : som_syntax_token_text(parsed.tree, it.token);
        som_text_printf(&seen, "%s%.*s ", it.node != 0 ? "n:" : "", SOM_STR_ARG(text));
    }
    ck_assert_str_eq(seen.data, "( n:x , n:y ) ");
    som_text_free(&seen);
    int comma = som_syntax_find_token(parsed.tree, parens, SOM_TOKEN_COMMA);
    ck_assert(som_str_equal(som_syntax_token_text(parsed.tree, comma), SOM_STR(",")));
    ck_assert_int_eq(som_syntax_find_token(parsed.tree, parens, SOM_TOKEN_WORD), SOM_NO_TOKEN);
    parsed_free(&parsed);
}
END_TEST

static const char *text_at(Parsed *parsed, uint32_t offset) {
    SomStr text = som_syntax_text(parsed->tree, som_syntax_node_at(parsed->tree, offset));
    som_text_clear(&parsed->text);
    som_text_add(&parsed->text, text);
    return parsed->text.data;
}

START_TEST(a_cursor_is_in_the_smallest_node_beside_it) {
    SomStr text = SOM_STR("f (a, bc) \n g");
    Parsed parsed = parse_outline(text, &som_dialect_somite);
    ck_assert_str_eq(text_at(&parsed, 0), "f (a, bc)"); // f
    ck_assert_str_eq(text_at(&parsed, 2), "(a, bc)");   // (
    ck_assert_str_eq(text_at(&parsed, 3), "a");
    ck_assert_str_eq(text_at(&parsed, 4), "(a, bc)"); // between a and the comma: the right one
    ck_assert_str_eq(text_at(&parsed, 6), "bc");
    ck_assert_str_eq(text_at(&parsed, 7), "bc");
    ck_assert_str_eq(text_at(&parsed, 8), "(a, bc)");
    ck_assert_str_eq(text_at(&parsed, 9), "(a, bc)"); // the blank to the right loses
    ck_assert_uint_eq(som_syntax_node_at(parsed.tree, 11), SOM_ROOT);
    ck_assert_str_eq(text_at(&parsed, 12), "g");
    ck_assert_str_eq(text_at(&parsed, 13), "g"); // the end
    ck_assert_str_eq(text_at(&parsed, 99), som_syntax_text(parsed.tree, SOM_ROOT).data);
    parsed_free(&parsed);
    parsed = parse_outline(SOM_STR(""), &som_dialect_somite);
    ck_assert_uint_eq(som_syntax_node_at(parsed.tree, 0), SOM_ROOT);
    ck_assert_int_eq(som_syntax_token_at(parsed.tree, 0), 0);
    ck_assert_int_eq(som_syntax_token_kind(parsed.tree, 0), SOM_TOKEN_END);
    parsed_free(&parsed);
}
END_TEST

// The smallest node that holds a character, by trying all.
static SomNode slow_node_at(const SomSyntax *tree, uint32_t offset) {
    SomNode best = SOM_ROOT;
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        SomSpan span = som_syntax_span(tree, n);
        if (span.begin <= offset && offset < span.end) {
            best = n;
        }
    }
    return best;
}

START_TEST(finding_a_node_agrees_with_trying_all) {
    SomStr text = SOM_STR("a{b(c[d,,(e)],f);g}h\n{ , }( ,\n k )[,]l;m");
    for (int d = 0; d < 2; d++) {
        Parsed parsed = parse_outline(text, d == 0 ? &som_dialect_somite : &som_dialect_role);
        for (uint32_t at = 0; at < text.length; at++) {
            int token = som_syntax_token_at(parsed.tree, at);
            ck_assert_uint_le(som_syntax_token_span(parsed.tree, token).begin, at);
            ck_assert_uint_gt(som_syntax_token_span(parsed.tree, token).end, at);
            if (!som_token_is_trivia(som_syntax_token_kind(parsed.tree, token))) {
                ck_assert_uint_eq(som_syntax_node_at(parsed.tree, at),
                                  slow_node_at(parsed.tree, at));
            }
        }
        parsed_free(&parsed);
    }
}
END_TEST

static const char *leading(Parsed *parsed, SomNode node) {
    SomTokenRange range = som_syntax_leading_comments(parsed->tree, node);
    som_text_clear(&parsed->text);
    som_text_add(&parsed->text, SOM_STR(""));
    for (int i = range.first; i < range.end; i++) {
        som_text_add(&parsed->text, som_syntax_token_text(parsed->tree, i));
    }
    return parsed->text.data;
}

START_TEST(comments_belong_to_what_they_touch) {
    Parsed parsed = parse_outline(SOM_STR(chain), &som_dialect_somite);
    SomNode part = parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "part head : Module");
    SomNode pose = som_syntax_next_sibling(parsed.tree, part);
    SomNode use = som_syntax_next_sibling(parsed.tree, pose);
    ck_assert_str_eq(leading(&parsed, part), "# the head\n# of it\n"); // not "# about"
    ck_assert_str_eq(leading(&parsed, pose), "");                      // "# first" is the part's
    ck_assert_str_eq(leading(&parsed, use), "");
    int comment = som_syntax_trailing_comment(parsed.tree, part);
    ck_assert(som_str_equal(som_syntax_token_text(parsed.tree, comment), SOM_STR("# first")));
    SomNode a = parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "a = 1");
    ck_assert_int_eq(som_syntax_trailing_comment(parsed.tree, a), SOM_NO_TOKEN);
    ck_assert_int_eq(som_syntax_trailing_comment(parsed.tree, use), SOM_NO_TOKEN);
    ck_assert_int_eq(som_syntax_newlines_before(parsed.tree, part), 2);
    ck_assert_int_eq(som_syntax_newlines_before(parsed.tree, pose), 1);
    ck_assert_int_eq(som_syntax_newlines_before(parsed.tree, use), 3);
    ck_assert_int_eq(som_syntax_newlines_before(parsed.tree, a), 0);
    ck_assert(
        som_str_equal(som_syntax_indentation(parsed.tree, som_syntax_span(parsed.tree, use).end),
                      SOM_STR("    ")));
    parsed_free(&parsed);

    parsed = parse_outline(SOM_STR("x = 1;\n/* one */\n/* two\n */ role A { } // end\n"),
                           &som_dialect_role);
    SomNode role = parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "role A { }");
    ck_assert_str_eq(leading(&parsed, role), "/* one */\n/* two\n */ ");
    parsed_free(&parsed);
}
END_TEST

SOM_SUITE("language/syntax", nodes_are_walked_in_order,
          elements_are_children_and_tokens_without_trivia,
          a_cursor_is_in_the_smallest_node_beside_it, finding_a_node_agrees_with_trying_all,
          comments_belong_to_what_they_touch)
