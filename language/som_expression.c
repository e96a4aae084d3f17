// SPDX-License-Identifier: Apache-2.0
// Expressions of Somite, names and places, and ranges.

#include "base/codes/language_codes.h"
#include "language/som_syntax_internal.h"

static const char *const constants[] = {"true", "false", "pi", NULL};

bool som_som_at_name(SomParser *p, int ahead) {
    return som_token_kinds_has(SOM_NAME_KINDS, som_parser_peek(p, ahead));
}

bool som_som_at_word(SomParser *p, int ahead, const char *word) {
    return som_parser_peek(p, ahead) == SOM_TOKEN_WORD &&
           som_str_equal(som_parser_peek_text(p, ahead), som_str(word));
}

bool som_som_at_one_of(SomParser *p, const char *const *words) {
    for (; *words != NULL; words++) {
        if (som_parser_at_word(p, *words)) {
            return true;
        }
    }
    return false;
}

void som_som_name(SomParser *p, const char *what) {
    SomMark node = som_parser_open(p);
    som_parser_expect_any(p, SOM_NAME_KINDS, what);
    som_parser_close(p, node, SOM_SOM_NAME);
}

void som_som_clause(SomParser *p, int kind) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p); // the keyword
    som_som_expression(p);
    som_parser_close(p, node, kind);
}

void som_som_index(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACKET)) {
        som_som_expression(p);
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_INDEX);
}

SomMark som_som_place(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_name(p, "a name");
    for (;;) {
        if (som_parser_accept(p, SOM_TOKEN_DOT)) {
            som_som_name(p, "a name");
        } else if (som_parser_at(p, SOM_TOKEN_LEFT_BRACKET)) {
            som_som_index(p);
        } else {
            break;
        }
    }
    return som_parser_close(p, node, SOM_SOM_PLACE);
}

void som_som_arguments(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            SomMark argument = som_parser_open(p);
            if (som_som_at_name(p, 0) && som_parser_peek(p, 1) == SOM_TOKEN_EQUAL) {
                som_som_name(p, "a name");
                som_parser_advance(p);
            }
            som_som_expression(p);
            som_parser_close(p, argument, SOM_SOM_ARGUMENT);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_ARGUMENTS);
}

// for NAME in a..b [if condition]
void som_som_for(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_expect_word(p, "for");
    som_som_name(p, "a name");
    som_parser_expect_word(p, "in");
    SomMark range = som_parser_open(p);
    som_som_expression(p);
    som_parser_expect(p, SOM_TOKEN_DOT_DOT);
    som_som_expression(p);
    som_parser_close(p, range, SOM_SOM_RANGE);
    if (som_parser_accept_word(p, "if")) {
        som_som_expression(p);
    }
    som_parser_close(p, node, SOM_SOM_FOR);
}

// ---- from the tightest to the loosest

static SomMark quantity(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_parser_accept(p, SOM_TOKEN_UNIT);
    return som_parser_close(p, node, SOM_SOM_QUANTITY);
}

static SomMark group(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        som_som_expression(p);
        som_parser_close_bracket(p);
    }
    return som_parser_close(p, node, SOM_SOM_GROUP);
}

// A constant, a call or a place.
static SomMark named(SomParser *p) {
    SomTokenKind next = som_parser_peek(p, 1);
    if (som_som_at_one_of(p, constants) && next != SOM_TOKEN_DOT && next != SOM_TOKEN_LEFT_PAREN &&
        next != SOM_TOKEN_LEFT_BRACKET) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        return som_parser_close(p, node, SOM_SOM_CONSTANT);
    }
    SomMark place = som_som_place(p);
    if (!som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        return place;
    }
    SomMark node = som_parser_wrap(p, place);
    som_som_arguments(p);
    return som_parser_close(p, node, SOM_SOM_CALL);
}

static SomMark primary(SomParser *p) {
    if (som_parser_at(p, SOM_TOKEN_NUMBER)) {
        return quantity(p);
    }
    if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        return group(p);
    }
    if (som_som_at_name(p, 0)) {
        return named(p);
    }
    SomMark node = som_parser_open(p);
    som_parser_expected(p, "a value", NULL);
    return som_parser_close(p, node, SOM_SOM_ERROR);
}

static SomMark too_deep(SomParser *p) {
    SomMark node = som_parser_open(p);
    return som_parser_close(p, node, SOM_SOM_ERROR);
}

// [- | +] primary [^ unary]: -2^2 is -4, 2^-1 is 0.5, 2^3^2 is 2^9.
static SomMark unary(SomParser *p) {
    if (!som_parser_enter(p)) {
        return too_deep(p);
    }
    SomMark result;
    if (som_parser_at_any(p, SOM_BIT(MINUS) | SOM_BIT(PLUS))) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        unary(p);
        result = som_parser_close(p, node, SOM_SOM_NEGATION);
    } else {
        result = primary(p);
        if (som_parser_at(p, SOM_TOKEN_CARET)) {
            SomMark node = som_parser_wrap(p, result);
            som_parser_advance(p);
            unary(p);
            result = som_parser_close(p, node, SOM_SOM_POWER);
        }
    }
    som_parser_leave(p);
    return result;
}

static SomMark chain(SomParser *p, SomTokenKinds operators, SomMark (*operand)(SomParser *),
                     int kind) {
    SomMark first = operand(p);
    if (!som_parser_at_any(p, operators)) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (som_parser_accept_any(p, operators)) {
        operand(p);
    }
    return som_parser_close(p, node, kind);
}

static SomMark product(SomParser *p) {
    return chain(p, SOM_BIT(STAR) | SOM_BIT(SLASH), unary, SOM_SOM_PRODUCT);
}

static SomMark sum(SomParser *p) {
    return chain(p, SOM_BIT(PLUS) | SOM_BIT(MINUS), product, SOM_SOM_SUM);
}

static SomMark comparison(SomParser *p) {
    const SomTokenKinds operators = SOM_BIT(EQUAL_EQUAL) | SOM_BIT(NOT_EQUAL) | SOM_BIT(LESS) |
                                    SOM_BIT(LESS_EQUAL) | SOM_BIT(GREATER) | SOM_BIT(GREATER_EQUAL);
    SomMark first = sum(p);
    if (!som_parser_at_any(p, operators)) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    som_parser_advance(p);
    sum(p);
    if (som_parser_at_any(p, operators)) {
        som_parser_error(p, SOM_UNEXPECTED_TOKEN,
                         "comparisons do not chain: write 'a < b and b < c'");
        while (som_parser_accept_any(p, operators)) {
            sum(p);
        }
    }
    return som_parser_close(p, node, SOM_SOM_COMPARISON);
}

// A sign of other languages for what is a word here.
static void foreign_sign(SomParser *p, const char *word) {
    if (som_parser_error(p, SOM_UNEXPECTED_TOKEN, "this is written '%s' here", word)) {
        SomStr sign = som_parser_text(p);
        bool is_glued = som_parser_peek_text(p, 1).data == sign.data + sign.length;
        SomText text = {0};
        som_text_printf(&text, "%s%s%s", som_parser_is_glued(p) ? " " : "", word,
                        is_glued ? " " : "");
        som_parser_fix(p, som_parser_span(p), som_text_str(&text));
        som_text_free(&text);
    }
    som_parser_advance(p);
}

// Consumes `word`, or with a report the sign that stands for it elsewhere.
static bool accept_connective(SomParser *p, const char *word, SomTokenKind sign) {
    if (som_parser_at(p, sign)) {
        foreign_sign(p, word);
        return true;
    }
    return som_parser_accept_word(p, word);
}

static SomMark negation(SomParser *p) {
    bool is_not = som_parser_at(p, SOM_TOKEN_NOT) || som_parser_at_word(p, "not");
    if (!is_not || !som_parser_enter(p)) {
        return is_not ? too_deep(p) : comparison(p);
    }
    SomMark node = som_parser_open(p);
    accept_connective(p, "not", SOM_TOKEN_NOT);
    negation(p);
    som_parser_leave(p);
    return som_parser_close(p, node, SOM_SOM_NOT);
}

static SomMark words_chain(SomParser *p, const char *word, SomTokenKind sign,
                           SomMark (*operand)(SomParser *), int kind) {
    SomMark first = operand(p);
    if (!som_parser_at_word(p, word) && !som_parser_at(p, sign)) {
        return first;
    }
    SomMark node = som_parser_wrap(p, first);
    while (accept_connective(p, word, sign)) {
        operand(p);
    }
    return som_parser_close(p, node, kind);
}

static SomMark conjunction(SomParser *p) {
    return words_chain(p, "and", SOM_TOKEN_AND_AND, negation, SOM_SOM_AND);
}

static SomMark disjunction(SomParser *p) {
    return words_chain(p, "or", SOM_TOKEN_OR_OR, conjunction, SOM_SOM_OR);
}

SomMark som_som_expression(SomParser *p) {
    if (!som_parser_at_word(p, "if")) {
        return disjunction(p);
    }
    if (!som_parser_enter(p)) {
        return too_deep(p);
    }
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_som_expression(p);
    som_parser_expect_word(p, "then");
    som_som_expression(p);
    som_parser_expect_word(p, "else");
    som_som_expression(p);
    som_parser_leave(p);
    return som_parser_close(p, node, SOM_SOM_IF);
}
