// SPDX-License-Identifier: Apache-2.0
#include "tests/language/calculator.h"

static const char *const kind_names[] = {
    "error",  "file", "let",  "block",  "sum",     "product", "negation",
    "number", "name", "call", "parens", "missing", "tower",
};

static const char *const starters[] = {"let", "block", NULL};

static SomMark sum(SomParser *p);

static void arguments(SomParser *p) {
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            sum(p);
        }
        som_parser_close_bracket(p);
    }
}

static SomMark call(SomParser *p) {
    SomMark mark = som_parser_open(p);
    if (som_parser_accept(p, SOM_TOKEN_NUMBER)) {
        som_parser_accept(p, SOM_TOKEN_UNIT);
        return som_parser_close(p, mark, CALCULATOR_NUMBER);
    }
    if (som_parser_accept_any(p, SOM_NAME_KINDS)) {
        SomMark name = som_parser_close(p, mark, CALCULATOR_NAME);
        if (!som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
            return name;
        }
        mark = som_parser_wrap(p, name);
        arguments(p);
        return som_parser_close(p, mark, CALCULATOR_CALL);
    }
    if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN);
        sum(p);
        som_parser_close_bracket(p);
        return som_parser_close(p, mark, CALCULATOR_PARENS);
    }
    som_parser_expected(p, "a value", NULL);
    return som_parser_close(p, mark, CALCULATOR_MISSING);
}

static SomMark negation(SomParser *p) {
    SomMark mark = som_parser_open(p);
    if (!som_parser_enter(p)) {
        return som_parser_close(p, mark, CALCULATOR_MISSING);
    }
    SomMark result;
    if (som_parser_accept(p, SOM_TOKEN_MINUS)) {
        negation(p);
        result = som_parser_close(p, mark, CALCULATOR_NEGATION);
    } else {
        som_parser_abandon(p, mark);
        result = call(p);
    }
    som_parser_leave(p);
    return result;
}

static SomMark product(SomParser *p) {
    const SomTokenKinds operators = SOM_BIT(STAR) | SOM_BIT(SLASH);
    SomMark first = negation(p);
    if (!som_parser_at_any(p, operators)) {
        return first;
    }
    SomMark mark = som_parser_wrap(p, first);
    while (som_parser_accept_any(p, operators)) {
        negation(p);
    }
    return som_parser_close(p, mark, CALCULATOR_PRODUCT);
}

static SomMark sum(SomParser *p) {
    const SomTokenKinds operators = SOM_BIT(PLUS) | SOM_BIT(MINUS);
    SomMark first = product(p);
    if (!som_parser_at_any(p, operators)) {
        return first;
    }
    SomMark mark = som_parser_wrap(p, first);
    while (som_parser_accept_any(p, operators)) {
        product(p);
    }
    return som_parser_close(p, mark, CALCULATOR_SUM);
}

static void tower(SomParser *p) {
    SomMark done = product(p);
    while (som_parser_at(p, SOM_TOKEN_PLUS)) {
        SomMark mark = som_parser_wrap(p, done);
        som_parser_advance(p);
        product(p);
        done = som_parser_close(p, mark, CALCULATOR_TOWER);
    }
}

static void statement(SomParser *p, bool towers);

static void statements(SomParser *p, bool towers) {
    SomLoop loop = {0};
    while (som_parser_next_statement(p, &loop)) {
        statement(p, towers);
    }
}

static void statement(SomParser *p, bool towers) {
    if (!som_parser_enter(p)) {
        return;
    }
    SomMark mark = som_parser_open(p);
    if (som_parser_accept_word(p, "let")) {
        som_parser_expect_any(p, SOM_NAME_KINDS, "a name");
        som_parser_expect(p, SOM_TOKEN_EQUAL);
        if (towers) {
            tower(p);
        } else {
            sum(p);
        }
        som_parser_close(p, mark, CALCULATOR_LET);
    } else if (som_parser_accept_word(p, "block")) {
        if (!som_parser_expect_any(p, SOM_NAME_KINDS, "a name")) {
            som_parser_recover(p, (SomTokenSet){.kinds = SOM_BIT(LEFT_BRACE)});
        }
        if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACE)) {
            statements(p, towers);
            som_parser_close_bracket(p);
        }
        som_parser_close(p, mark, CALCULATOR_BLOCK);
    } else {
        som_parser_expected(p, "'let' or 'block'", starters);
        som_parser_recover(p, (SomTokenSet){0});
        som_parser_abandon(p, mark);
    }
    som_parser_leave(p);
}

static SomSyntax *parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                        SomDiagnostics *diags, bool towers) {
    SomParserDef def = {
        .text = text,
        .dialect = dialect,
        .source1 = source1,
        .kinds = {kind_names, CALCULATOR_KIND_COUNT},
        .starters = starters,
    };
    SomParser *p = som_parser_create(&def, diags);
    statements(p, towers);
    return som_parser_finish(p, CALCULATOR_FILE);
}

SomSyntax *calculator_parse(SomStr text, const SomDialect *dialect, uint32_t source1,
                            SomDiagnostics *diags) {
    return parse(text, dialect, source1, diags, false);
}

SomSyntax *calculator_parse_towers(SomStr text, const SomDialect *dialect, uint32_t source1,
                                   SomDiagnostics *diags) {
    return parse(text, dialect, source1, diags, true);
}
