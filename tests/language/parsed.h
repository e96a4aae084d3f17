// tests/language/parsed.h - a text with what the outline says about it, for tests.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "language/outline.h"
#include "language/syntax.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Parsed {
    SomDiagnostics *diags;
    SomSyntax *tree;
    SomText text; // of the last call of a function below
} Parsed;

static inline Parsed parse_outline(SomStr text, const SomDialect *dialect) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = som_outline_parse(text, dialect, source1, parsed.diags);
    return parsed;
}

static inline void parsed_free(Parsed *parsed) {
    som_syntax_destroy(parsed->tree);
    som_diagnostics_destroy(parsed->diags);
    som_text_free(&parsed->text);
}

// The codes of all reports in order of their places, with line and column: "1:3 1007, 2:1 1008".
static inline const char *parsed_codes(Parsed *parsed) {
    som_text_clear(&parsed->text);
    som_text_add(&parsed->text, SOM_STR(""));
    som_diagnostics_sort(parsed->diags);
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(parsed->diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT) {
            SomPlace place = som_diagnostics_place(parsed->diags, 1, entries[i].span.begin);
            som_text_printf(&parsed->text, "%s%d:%d %d", parsed->text.length > 0 ? ", " : "",
                            place.line, place.column, (int)entries[i].code);
        }
    }
    return parsed->text.data;
}

static inline const char *parsed_diagnostics(Parsed *parsed) {
    som_text_clear(&parsed->text);
    som_text_add(&parsed->text, SOM_STR(""));
    som_diagnostics_sort(parsed->diags);
    som_diagnostics_print(parsed->diags, 0, &parsed->text);
    return parsed->text.data;
}

static inline const char *parsed_dump(Parsed *parsed) {
    som_text_clear(&parsed->text);
    som_syntax_dump(parsed->tree, &parsed->text);
    return parsed->text.data;
}

// The first node, in preorder, with this text; 0 if there is none.
static inline SomNode parsed_find(const Parsed *parsed, int kind, const char *text) {
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(parsed->tree, n)) {
        if (som_syntax_kind(parsed->tree, n) == kind &&
            som_str_equal(som_syntax_text(parsed->tree, n), som_str(text))) {
            return n;
        }
    }
    return 0;
}

// Facts of every tree: it prints as its text; spans are nested and ordered; walks agree.
static inline void check_tree(const SomSyntax *tree) {
    SomText printed = {0};
    som_syntax_print(tree, &printed);
    ck_assert(som_str_equal(som_text_str(&printed), som_syntax_source(tree)));
    som_text_free(&printed);
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        SomSpan span = som_syntax_span(tree, n);
        ck_assert_uint_le(span.begin, span.end);
        SomNode parent = som_syntax_parent(tree, n);
        ck_assert((parent == 0) == (n == SOM_ROOT));
        if (parent != 0) {
            SomSpan around = som_syntax_span(tree, parent);
            ck_assert(around.begin <= span.begin && span.end <= around.end);
        }
        SomNode next = som_syntax_next_sibling(tree, n);
        if (next != 0) {
            ck_assert_uint_le(span.end, som_syntax_span(tree, next).begin);
            ck_assert_uint_eq(som_syntax_previous_sibling(tree, next), n);
            ck_assert_uint_eq(som_syntax_parent(tree, next), parent);
        }
    }
}
