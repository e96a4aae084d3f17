// SPDX-License-Identifier: Apache-2.0
// Tests for language/document.c.

#include "base/memory.h"
#include "language/document.h"
#include "language/outline.h"
#include "tests/suite.h"

#include <stdlib.h>

static const SomGrammar outline = {&som_dialect_somite, som_outline_parse};

static void check_text(const SomDocument *document, const char *expected) {
    ck_assert(som_str_equal(som_document_text(document), som_str(expected)));
    // the tree is always that of the text
    ck_assert(som_str_equal(som_syntax_source(som_document_tree(document)), som_str(expected)));
}

START_TEST(edits_change_the_text_and_the_tree) {
    SomDocument *document = som_document_create(SOM_STR("w.som"), SOM_STR("a\nb\n"), &outline);
    SomEdits *edits = som_edits_create(som_document_tree(document));
    som_edits_remove(edits, som_syntax_first_child(som_document_tree(document), SOM_ROOT));
    ck_assert(som_document_apply(document, edits));
    som_edits_destroy(edits);
    check_text(document, "b\n");

    edits = som_edits_create(som_document_tree(document));
    som_edits_replace_span(edits, 0, 1, SOM_STR("x"));
    som_edits_replace_span(edits, 0, 1, SOM_STR("y"));
    ck_assert(!som_document_apply(document, edits));
    som_edits_destroy(edits);
    check_text(document, "b\n");
    som_document_destroy(document);
}
END_TEST

START_TEST(undo_and_redo_walk_through_the_texts) {
    SomDocument *document = som_document_create(SOM_STR("w.som"), SOM_STR("0"), &outline);
    ck_assert(!som_document_undo(document));
    som_document_set_text(document, SOM_STR("1"));
    som_document_set_text(document, SOM_STR("1")); // no change, no step
    som_document_set_text(document, SOM_STR("2"));
    ck_assert(!som_document_redo(document));
    ck_assert(som_document_undo(document));
    check_text(document, "1");
    ck_assert(som_document_undo(document));
    check_text(document, "0");
    ck_assert(!som_document_can_undo(document));
    ck_assert(som_document_redo(document));
    check_text(document, "1");
    som_document_set_text(document, SOM_STR("3")); // what was undone is gone
    ck_assert(!som_document_can_redo(document));
    ck_assert(som_document_undo(document));
    check_text(document, "1");
    som_document_destroy(document);
}
END_TEST

START_TEST(diagnostics_are_those_of_the_text) {
    SomDocument *document = som_document_create(SOM_STR("w.som"), SOM_STR("f("), &outline);
    ck_assert_int_eq(som_diagnostics_error_count(som_document_diagnostics(document)), 1);
    som_document_set_text(document, SOM_STR("f()"));
    ck_assert_int_eq(som_diagnostics_error_count(som_document_diagnostics(document)), 0);
    som_document_undo(document);
    ck_assert_int_eq(som_diagnostics_error_count(som_document_diagnostics(document)), 1);
    som_document_destroy(document);
}
END_TEST

START_TEST(the_oldest_texts_are_forgotten) {
    size_t size = 15 * 1024 * 1024;
    char *big = som_alloc(size);
    memset(big, 'a', size);
    SomDocument *document = som_document_create(SOM_STR("w.som"), SOM_STR("small"), &outline);
    for (int i = 0; i < 6; i++) {
        big[0] = (char)('A' + i);
        som_document_set_text(document, (SomStr){big, size});
    }
    int steps = 0;
    while (som_document_undo(document)) {
        steps++;
    }
    ck_assert_int_eq(steps, 3); // four texts of 15 MiB are within 64 MiB
    ck_assert_int_eq(som_document_text(document).data[0], 'C');
    som_document_destroy(document);
    som_free(big);
}
END_TEST

SOM_SUITE("language/document", edits_change_the_text_and_the_tree,
          undo_and_redo_walk_through_the_texts, diagnostics_are_those_of_the_text,
          the_oldest_texts_are_forgotten)
