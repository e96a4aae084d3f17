// SPDX-License-Identifier: Apache-2.0
#include "language/outline.h"

#include "language/parser.h"

#include <assert.h>

static const char *const kind_names[] = {
    "error", "file", "statement", "parens", "brackets", "braces", "element",
};

static_assert(sizeof kind_names / sizeof *kind_names == SOM_OUTLINE_KIND_COUNT, "a name per kind");

static void statements(SomParser *p, const SomDialect *dialect);
static void group(SomParser *p, const SomDialect *dialect);

// A bracket group, or any token.
static void item(SomParser *p, const SomDialect *dialect) {
    SomTokenKind kind = som_parser_kind(p);
    if (som_token_is_opener(kind)) {
        group(p, dialect);
    } else if (som_token_is_closer(kind)) {
        som_parser_skip(p); // one that closes nothing
    } else {
        som_parser_advance(p);
    }
}

// Does the element go on at the current token? In a bracket that is never closed it ends with its
// line, or everything up to the end of the file would be in it.
static bool element_goes_on(SomParser *p) {
    if (som_parser_at_end(p) || som_parser_at(p, SOM_TOKEN_COMMA)) {
        return false;
    }
    bool is_over = som_parser_on_new_line(p) || som_parser_at(p, SOM_TOKEN_SEMICOLON) ||
                   som_token_is_closer(som_parser_kind(p));
    return !(is_over && som_parser_in_unclosed_bracket(p));
}

static void element(SomParser *p, const SomDialect *dialect) {
    SomMark mark = som_parser_open(p);
    if (!element_goes_on(p)) {
        som_parser_expected(p, "a list element", NULL);
    }
    while (element_goes_on(p)) {
        item(p, dialect);
    }
    som_parser_close(p, mark, SOM_OUTLINE_ELEMENT);
}

static void group(SomParser *p, const SomDialect *dialect) {
    if (!som_parser_enter(p)) {
        return;
    }
    SomTokenKind opener = som_parser_kind(p);
    SomMark mark = som_parser_open(p);
    som_parser_open_bracket(p, opener);
    if (opener == SOM_TOKEN_LEFT_BRACE) {
        statements(p, dialect);
    } else {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            element(p, dialect);
        }
    }
    som_parser_close_bracket(p);
    som_parser_close(p, mark,
                     opener == SOM_TOKEN_LEFT_PAREN     ? SOM_OUTLINE_PARENS
                     : opener == SOM_TOKEN_LEFT_BRACKET ? SOM_OUTLINE_BRACKETS
                                                        : SOM_OUTLINE_BRACES);
    som_parser_leave(p);
}

// Behind a token of this kind, is the statement over?
static bool is_over(SomParser *p, const SomDialect *dialect, SomTokenKind last) {
    if (som_parser_at_end(p)) {
        return true;
    }
    if (dialect->newline_ends) {
        return som_parser_at_any(p, SOM_BIT(NEWLINE) | SOM_BIT(SEMICOLON));
    }
    if (dialect->semicolon_is_part) {
        return last == SOM_TOKEN_SEMICOLON || last == SOM_TOKEN_LEFT_BRACE;
    }
    return som_parser_on_new_line(p) && last != SOM_TOKEN_COMMA;
}

static void statement(SomParser *p, const SomDialect *dialect) {
    SomMark mark = som_parser_open(p);
    SomTokenKind last;
    do {
        last = som_parser_kind(p);
        item(p, dialect);
    } while (!is_over(p, dialect, last));
    som_parser_close(p, mark, SOM_OUTLINE_STATEMENT);
}

static void statements(SomParser *p, const SomDialect *dialect) {
    SomLoop loop = {0};
    while (dialect->newline_ends ? som_parser_next_statement(p, &loop)
                                 : som_parser_next_item(p, &loop)) {
        statement(p, dialect);
    }
}

SomSyntax *som_outline_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                             SomDiagnostics *diags) {
    SomParserDef def = {
        .text = text,
        .dialect = dialect,
        .source1 = source1,
        .kinds = {kind_names, SOM_OUTLINE_KIND_COUNT},
    };
    SomParser *p = som_parser_create(&def, diags);
    statements(p, dialect);
    return som_parser_finish(p, SOM_OUTLINE_FILE);
}
