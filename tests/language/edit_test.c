// SPDX-License-Identifier: Apache-2.0
// Tests for language/edit.c.

#include "base/codes/language_codes.h"
#include "language/edit.h"
#include "tests/language/parsed.h"

static Parsed parse(const char *text) {
    return parse_outline(som_str(text), &som_dialect_somite);
}

// The result of edits; "(refused)" if they overlap.
static const char *apply(Parsed *parsed, SomEdits *edits) {
    som_text_clear(&parsed->text);
    som_text_add(&parsed->text, SOM_STR("before "));
    if (!som_edits_apply(edits, &parsed->text)) {
        ck_assert_str_eq(parsed->text.data, "before "); // nothing was added
        return "(refused)";
    }
    return parsed->text.data + strlen("before ");
}

START_TEST(no_edits_give_the_same_text) {
    Parsed parsed = parse("a (b, \n c) # d\n\xE4@");
    SomEdits *edits = som_edits_create(parsed.tree);
    ck_assert_str_eq(apply(&parsed, edits), "a (b, \n c) # d\n\xE4@");
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

START_TEST(nodes_are_replaced_and_the_rest_stays) {
    Parsed parsed = parse("f(a, b) # c\n  g( d )\n");
    SomEdits *edits = som_edits_create(parsed.tree);
    som_edits_replace(edits, parsed_find(&parsed, SOM_OUTLINE_ELEMENT, "d"), SOM_STR("45deg"));
    som_edits_replace(edits, parsed_find(&parsed, SOM_OUTLINE_ELEMENT, "a"), SOM_STR(""));
    som_edits_replace_span(edits, 5, 5, SOM_STR("x"));
    som_edits_replace_span(edits, 5, 5, SOM_STR("y"));
    ck_assert_str_eq(apply(&parsed, edits), "f(, xyb) # c\n  g( 45deg )\n");
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

START_TEST(overlapping_edits_are_refused) {
    const uint32_t spans[][5] = {
        // two edits, and whether they overlap
        {0, 2, 1, 3, 1}, {0, 2, 2, 3, 0}, {0, 4, 1, 2, 1}, {1, 3, 2, 2, 1},
        {1, 3, 1, 1, 0}, {1, 3, 3, 3, 0}, {2, 2, 2, 2, 0}, {1, 3, 1, 3, 1},
    };
    Parsed parsed = parse("abcdef");
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        for (int order = 0; order < 2; order++) {
            SomEdits *edits = som_edits_create(parsed.tree);
            const uint32_t *s = spans[i];
            som_edits_replace_span(edits, s[2 * order], s[2 * order + 1], SOM_STR("x"));
            som_edits_replace_span(edits, s[2 - 2 * order], s[3 - 2 * order], SOM_STR("y"));
            bool refused = strcmp(apply(&parsed, edits), "(refused)") == 0;
            ck_assert_int_eq(refused, s[4] == 1);
            som_edits_destroy(edits);
        }
    }
    parsed_free(&parsed);
}
END_TEST

START_TEST(deletions_may_overlap_and_members_may_be_nested) {
    Parsed parsed = parse("p { a; f(b, c) }\nq\n");
    SomEdits *edits = som_edits_create(parsed.tree);
    som_edits_remove(edits, parsed_find(&parsed, SOM_OUTLINE_ELEMENT, "b"));
    som_edits_remove(edits, parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "p { a; f(b, c) }"));
    som_edits_remove(edits, parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "a"));
    som_edits_remove(edits, parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "a"));
    som_edits_replace_span(edits, 3, 8, SOM_STR(""));
    ck_assert_str_eq(apply(&parsed, edits), "q\n");
    som_edits_replace_span(edits, 4, 4, SOM_STR("x")); // into what is deleted
    ck_assert_str_eq(apply(&parsed, edits), "(refused)");
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

START_TEST(a_member_is_replaced_by_removing_and_inserting) {
    Parsed parsed = parse("a\n# of b\nb # x\nc\n");
    SomNode b = parsed_find(&parsed, SOM_OUTLINE_STATEMENT, "b");
    SomEdits *edits = som_edits_create(parsed.tree);
    som_edits_remove(edits, b);
    som_edits_insert_after(edits, b, SOM_STR("x"));
    som_edits_insert_before(edits, b, SOM_STR("w"));
    ck_assert_str_eq(apply(&parsed, edits), "a\nw\nx\nc\n");
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

START_TEST(fixes_repair_what_they_belong_to) {
    Parsed parsed = parse("a = −90dge\nb = “left” // x\nc = f(1]\nd = \"a\\b\"\n");
    SomEdits *edits = som_edits_create(parsed.tree);
    ck_assert_int_eq(som_edits_add_fixes(edits, parsed.diags), 7);
    const char *fixed = apply(&parsed, edits);
    ck_assert_str_eq(fixed, "a = -90deg\nb = \"left\" # x\nc = f(1)\nd = \"a\\\\b\"\n");
    Parsed again = parse(fixed);
    ck_assert_int_eq(som_diagnostics_error_count(again.diags), 0);
    parsed_free(&again);
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

START_TEST(of_overlapping_fixes_the_first_is_taken_and_no_half_of_a_pair) {
    Parsed parsed = parse("abcdef");
    som_report(parsed.diags, SOM_UNEXPECTED_TOKEN, (SomSpan){1, 0, 1}, "one");
    som_fix(parsed.diags, (SomSpan){1, 0, 2}, SOM_STR("1"));
    som_report(parsed.diags, SOM_UNEXPECTED_TOKEN, (SomSpan){1, 0, 1}, "two");
    som_fix(parsed.diags, (SomSpan){1, 1, 3}, SOM_STR("2"));
    som_fix(parsed.diags, (SomSpan){1, 4, 5}, SOM_STR("2"));
    som_report(parsed.diags, SOM_UNEXPECTED_TOKEN, (SomSpan){1, 0, 1}, "three");
    som_fix(parsed.diags, (SomSpan){1, 6, 6}, SOM_STR(";"));
    som_report(parsed.diags, SOM_UNEXPECTED_TOKEN, (SomSpan){1, 0, 1}, "four");
    som_fix(parsed.diags, (SomSpan){1, 6, 6}, SOM_STR(";")); // the same repair again
    SomEdits *edits = som_edits_create(parsed.tree);
    ck_assert_int_eq(som_edits_add_fixes(edits, parsed.diags), 2);
    ck_assert_str_eq(apply(&parsed, edits), "1cdef;");
    som_edits_destroy(edits);
    parsed_free(&parsed);
}
END_TEST

SOM_SUITE("language/edit", no_edits_give_the_same_text, nodes_are_replaced_and_the_rest_stays,
          overlapping_edits_are_refused, deletions_may_overlap_and_members_may_be_nested,
          a_member_is_replaced_by_removing_and_inserting, fixes_repair_what_they_belong_to,
          of_overlapping_fixes_the_first_is_taken_and_no_half_of_a_pair)
