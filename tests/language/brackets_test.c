// SPDX-License-Identifier: Apache-2.0
// Tests for language/brackets.c, through the outline's tree.

#include "tests/language/parsed.h"

// The text with every bracket that has no partner replaced by '?', and each pair by the same digit.
static void check_pairs(const char *text, const char *expected) {
    Parsed parsed = parse_outline(som_str(text), &som_dialect_role);
    char pairs[64] = "";
    strcpy(pairs, text);
    int next = 0;
    for (int i = 0; i < som_syntax_token_count(parsed.tree); i++) {
        SomTokenKind kind = som_syntax_token_kind(parsed.tree, i);
        int partner = som_syntax_partner(parsed.tree, i);
        uint32_t at = som_syntax_token_span(parsed.tree, i).begin;
        if (partner == SOM_NO_TOKEN) {
            bool is_bracket = som_token_is_opener(kind) || som_token_is_closer(kind);
            pairs[at] = is_bracket ? '?' : pairs[at];
            continue;
        }
        ck_assert_int_eq(som_syntax_partner(parsed.tree, partner), i);
        uint32_t other = som_syntax_token_span(parsed.tree, partner).begin;
        pairs[at] = partner > i ? (char)('0' + next++) : pairs[other];
    }
    ck_assert_str_eq(pairs, expected);
    parsed_free(&parsed);
}

START_TEST(balanced_brackets_pair) {
    check_pairs("a(b[c]{d}())", "a0b1c12d2330");
}
END_TEST

START_TEST(a_closer_takes_the_nearest_opener_of_its_shape) {
    check_pairs("([)]", "0?0?");
    check_pairs("(()", "?00");
    check_pairs("())", "00?");
    check_pairs("[(]", "0?0");
    check_pairs("]", "?");
}
END_TEST

START_TEST(parens_do_not_reach_over_braces) {
    check_pairs("({)}", "?0?0");
    check_pairs("{(}", "0?0");
    check_pairs("{[(}{)}", "0??01?1");
    check_pairs("({})", "0110");
}
END_TEST

SOM_SUITE("language/brackets", balanced_brackets_pair,
          a_closer_takes_the_nearest_opener_of_its_shape, parens_do_not_reach_over_braces)
