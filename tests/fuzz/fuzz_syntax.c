// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes get a tree.
//
// The first byte chooses the dialect, the rest is the text. Facts for every text: the tree prints
// as the text, byte for byte; nodes are nested and ordered and begin and end at tokens that are no
// trivia; walks forward and back agree; the root is marked exactly if an error was reported that is
// not about trivia; parsing takes a number of steps that is linear in the size; fix-its do not
// overlap; a number and a unit that were not reported are a quantity. The same for a small grammar
// written with the toolkit.

#include "base/diagnostic.h"
#include "language/edit.h"
#include "language/outline.h"
#include "language/unit.h"
#include "tests/language/calculator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(fact)                                                                              \
    do {                                                                                           \
        if (!(fact)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #fact);                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static void check_lossless(const SomSyntax *tree, SomStr text) {
    SomText printed = {0};
    som_syntax_print(tree, &printed);
    REQUIRE(som_str_equal(som_text_str(&printed), text));
    som_text_free(&printed);
}

static bool is_trivia(const SomSyntax *tree, int token) {
    return som_token_is_trivia(som_syntax_token_kind(tree, token));
}

static void check_node(const SomSyntax *tree, SomNode n) {
    SomSpan span = som_syntax_span(tree, n);
    SomNode parent = som_syntax_parent(tree, n);
    SomNode next = som_syntax_next_sibling(tree, n);
    REQUIRE(span.begin <= span.end);
    REQUIRE(parent < n && (parent == 0) == (n == SOM_ROOT));
    if (parent != 0) {
        SomSpan around = som_syntax_span(tree, parent);
        REQUIRE(around.begin <= span.begin && span.end <= around.end);
        if (span.begin < span.end) {
            int first = som_syntax_first_token(tree, n), last = som_syntax_end_token(tree, n) - 1;
            REQUIRE(!is_trivia(tree, first) && !is_trivia(tree, last));
            REQUIRE(som_syntax_node_at(tree, span.begin) >= n);
        }
        REQUIRE(!som_syntax_has_error(tree, n) || som_syntax_has_error(tree, parent));
    }
    if (next != 0) {
        REQUIRE(span.end <= som_syntax_span(tree, next).begin);
        REQUIRE(som_syntax_previous_sibling(tree, next) == n);
    }
    SomElements it = som_syntax_elements(tree, n);
    uint32_t at = span.begin;
    while (som_elements_next(&it)) {
        SomSpan element =
            it.node != 0 ? som_syntax_span(tree, it.node) : som_syntax_token_span(tree, it.token);
        REQUIRE(at <= element.begin && element.end <= span.end);
        at = element.end;
    }
    som_syntax_leading_comments(tree, n);
    som_syntax_trailing_comment(tree, n);
}

static void check_quantities(const SomSyntax *tree) {
    for (int i = 0; i + 1 < som_syntax_token_count(tree); i++) {
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_NUMBER &&
            !som_syntax_token_is_bad(tree, i)) {
            bool has_unit = som_syntax_token_kind(tree, i + 1) == SOM_TOKEN_UNIT &&
                            !som_syntax_token_is_bad(tree, i + 1);
            SomStr unit = has_unit ? som_syntax_token_text(tree, i + 1) : SOM_STR("");
            SomQuantity quantity;
            REQUIRE(som_quantity_read(som_syntax_token_text(tree, i), unit, &quantity));
            REQUIRE(!isnan(quantity.value) && quantity.value >= 0);
        }
    }
}

static void check_fixes(const SomSyntax *tree, const SomDiagnostics *diags) {
    SomEdits *edits = som_edits_create(tree);
    SomText fixed = {0};
    som_edits_add_fixes(edits, diags);
    REQUIRE(som_edits_apply(edits, &fixed));
    som_text_free(&fixed);
    som_edits_destroy(edits);
}

// An error is marked in the tree unless it is about trivia.
static void check_error_mark(const SomSyntax *tree, const SomDiagnostics *diags) {
    bool expected = false;
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT && entries[i].severity == SOM_ERROR) {
            // an error may point behind the last token, where something is missing
            int token = som_syntax_token_at(tree, entries[i].span.begin);
            bool is_missing = entries[i].span.begin == entries[i].span.end;
            expected |= is_missing || !is_trivia(tree, token);
        }
    }
    REQUIRE(som_syntax_has_error(tree, SOM_ROOT) == expected);
}

static void check_tree(SomSyntax *tree, const SomDiagnostics *diags, SomStr text) {
    check_lossless(tree, text);
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        check_node(tree, n);
    }
    check_quantities(tree);
    check_fixes(tree, diags);
    check_error_mark(tree, diags);
    REQUIRE(som_syntax_steps(tree) <= 300 * (uint64_t)text.length + 20000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const SomDialect *const dialects[] = {&som_dialect_somite, &som_dialect_m3l,
                                                 &som_dialect_role};
    if (size == 0) {
        return 0;
    }
    SomStr text = {(const char *)data + 1, size - 1};
    for (int round = 0; round < 2; round++) {
        const SomDialect *dialect = round == 0 ? dialects[data[0] % 3] : &som_dialect_somite;
        SomDiagnostics *diags = som_diagnostics_create();
        uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a"), text);
        SomSyntax *tree = round == 0 ? som_outline_parse(text, dialect, source1, diags)
                                     : calculator_parse(text, dialect, source1, diags);
        check_tree(tree, diags, text);
        som_syntax_destroy(tree);
        som_diagnostics_destroy(diags);
    }
    return 0;
}
