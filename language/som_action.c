// SPDX-License-Identifier: Apache-2.0
// What behaviors do: moves of degrees of freedom, and actions made of actions.

#include "language/som_syntax_internal.h"

static const char *const modes[] = {"to", "by", "spin", "follow", NULL};

static const char *const starts[] = {"series",  "parallel",   "any",    "repeat", "choose",
                                     "wait",    "hold",       "follow", "to",     "if",
                                     "connect", "disconnect", NULL};

// Words that may follow an action, and are not its degree of freedom.
static const char *const followers[] = {"else", "until",  "within", "timeout",
                                        "at",   "during", "hold",   NULL};

typedef struct ClauseWord {
    const char *word;
    int kind;
} ClauseWord;

static const ClauseWord clause_words[] = {
    {"until", SOM_SOM_UNTIL}, {"within", SOM_SOM_WITHIN}, {"timeout", SOM_SOM_TIMEOUT},
    {"at", SOM_SOM_AT},       {"during", SOM_SOM_DURING},
};

static bool clause(SomParser *p) {
    if (som_parser_at_word(p, "hold")) {
        SomMark node = som_parser_open(p);
        som_parser_advance(p);
        som_parser_close(p, node, SOM_SOM_LATCH);
        return true;
    }
    for (size_t i = 0; i < sizeof clause_words / sizeof *clause_words; i++) {
        if (som_parser_at_word(p, clause_words[i].word)) {
            som_som_clause(p, clause_words[i].kind);
            return true;
        }
    }
    return false;
}

static void clauses(SomParser *p) {
    while (clause(p)) {
    }
}

// ---- actions of one degree of freedom or of none

static void key(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_som_expression(p);
    som_parser_expect(p, SOM_TOKEN_COLON);
    som_som_expression(p);
    som_parser_close(p, node, SOM_SOM_KEY);
}

void som_som_keys(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_BRACKET)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            key(p);
        }
        som_parser_close_bracket(p);
    }
    som_parser_close(p, node, SOM_SOM_KEYS);
}

static bool at_to_pose(SomParser *p) {
    return som_parser_at_word(p, "to") && som_som_at_word(p, 1, "pose") && som_som_at_name(p, 2);
}

// to pose PLACE, behind the part whose pose it is or alone
static SomMark to_pose(SomParser *p, SomMark node) {
    som_parser_advance(p);
    som_parser_advance(p);
    som_som_place(p);
    clauses(p);
    return som_parser_close(p, node, SOM_SOM_TO_POSE);
}

static SomMark move(SomParser *p, SomMark node) {
    bool is_course = som_parser_at_word(p, "follow");
    som_parser_advance(p);
    if (is_course && som_parser_at(p, SOM_TOKEN_LEFT_BRACKET)) {
        som_som_keys(p);
    } else {
        som_som_expression(p);
    }
    clauses(p);
    return som_parser_close(p, node, SOM_SOM_MOVE);
}

// What begins with a place: a move, a pose of a part, or a behavior.
static SomMark placed(SomParser *p) {
    SomMark place = som_som_place(p);
    SomMark node = som_parser_wrap(p, place);
    if (at_to_pose(p)) {
        return to_pose(p, node);
    }
    if (som_som_at_one_of(p, modes)) {
        return move(p, node);
    }
    if (som_parser_at(p, SOM_TOKEN_LEFT_PAREN)) {
        som_som_arguments(p);
    }
    return som_parser_close(p, node, SOM_SOM_RUN);
}

static SomMark table(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_parser_expect(p, SOM_TOKEN_STRING);
    clauses(p);
    return som_parser_close(p, node, SOM_SOM_TABLE);
}

static SomMark hold(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    if (som_som_at_name(p, 0) && !som_som_at_one_of(p, followers)) {
        som_som_place(p);
    }
    return som_parser_close(p, node, SOM_SOM_HOLD);
}

// `wait timeout 2s`, but `wait timeout` where a parameter is called so.
static bool at_end_of_wait(SomParser *p) {
    if (som_parser_at_word(p, "until")) {
        return true;
    }
    bool is_word = som_parser_at_word(p, "timeout") || som_parser_at_word(p, "during");
    for (const char *const *word = followers; is_word && *word != NULL; word++) {
        is_word = !som_som_at_word(p, 1, *word);
    }
    SomTokenKind next = som_parser_peek(p, 1);
    return is_word && (next == SOM_TOKEN_NUMBER || next == SOM_TOKEN_LEFT_PAREN ||
                       next == SOM_TOKEN_WORD || next == SOM_TOKEN_STRING);
}

static SomMark wait(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    if (!at_end_of_wait(p)) {
        som_som_expression(p);
    }
    clauses(p);
    return som_parser_close(p, node, SOM_SOM_WAIT);
}

static SomMark docking(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_som_place(p);
    if (som_parser_accept_word(p, "to")) {
        som_som_place(p);
    }
    clauses(p);
    return som_parser_close(p, node, SOM_SOM_DOCKING);
}

// ---- actions made of actions

// An action, or one for every number of a range.
static void element(SomParser *p) {
    if (!som_parser_at_word(p, "for") || !som_som_at_name(p, 1)) {
        som_som_action(p);
        return;
    }
    SomMark node = som_parser_open(p);
    som_som_for(p);
    som_parser_expect(p, SOM_TOKEN_COLON);
    som_som_action(p);
    som_parser_close(p, node, SOM_SOM_EACH);
}

static void branch(SomParser *p) {
    SomMark node = som_parser_open(p);
    if (!som_parser_at_word(p, "else") || som_parser_peek(p, 1) != SOM_TOKEN_COLON) {
        som_som_expression(p);
    } else {
        som_parser_advance(p);
    }
    som_parser_expect(p, SOM_TOKEN_COLON);
    som_som_action(p);
    som_parser_close(p, node, SOM_SOM_BRANCH);
}

static SomMark list(SomParser *p, void (*member)(SomParser *), int kind) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p); // the keyword
    if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
        SomLoop loop = {0};
        while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
            member(p);
        }
        som_parser_close_bracket(p);
    }
    return som_parser_close(p, node, kind);
}

static SomMark repeat(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    if (som_parser_accept_word(p, "until")) {
        som_som_expression(p);
    } else if (!som_parser_accept_word(p, "forever")) {
        som_som_expression(p);
    }
    if (som_parser_at_word(p, "from")) {
        SomMark from = som_parser_open(p);
        som_parser_advance(p);
        som_som_expression(p);
        som_parser_close(p, from, SOM_SOM_FROM);
    }
    if (!som_parser_accept(p, SOM_TOKEN_COLON) && som_parser_expected(p, "':'", NULL) &&
        som_som_at_name(p, 0)) {
        SomSpan span = som_parser_span(p);
        som_parser_fix(p, (SomSpan){span.source1, span.begin, span.begin}, SOM_STR(": "));
    }
    som_som_action(p);
    return som_parser_close(p, node, SOM_SOM_REPEAT);
}

static SomMark either(SomParser *p) {
    SomMark node = som_parser_open(p);
    som_parser_advance(p);
    som_som_expression(p);
    som_parser_expect_word(p, "then");
    som_som_action(p);
    som_parser_expect_word(p, "else");
    som_som_action(p);
    return som_parser_close(p, node, SOM_SOM_EITHER);
}

// ---- any action

// A keyword that needs a bracket behind it: else it is the name of a behavior or part.
static bool at_list(SomParser *p, const char *word, const char *short_word) {
    bool is_word =
        som_parser_at_word(p, word) || (short_word != NULL && som_parser_at_word(p, short_word));
    return is_word && som_parser_peek(p, 1) == SOM_TOKEN_LEFT_PAREN;
}

// A keyword before anything that does not make it the name of a part.
static bool at_keyword(SomParser *p, const char *word) {
    SomTokenKind next = som_parser_peek(p, 1);
    return som_parser_at_word(p, word) && next != SOM_TOKEN_DOT && next != SOM_TOKEN_LEFT_BRACKET;
}

static SomMark composite(SomParser *p, bool *found) {
    *found = true;
    if (at_list(p, "series", "Sc")) {
        return list(p, element, SOM_SOM_SERIES);
    }
    if (at_list(p, "parallel", "Pc")) {
        return list(p, element, SOM_SOM_PARALLEL);
    }
    if (at_list(p, "any", NULL)) {
        return list(p, element, SOM_SOM_ANY);
    }
    if (at_list(p, "choose", NULL)) {
        return list(p, branch, SOM_SOM_CHOOSE);
    }
    if (at_keyword(p, "repeat")) {
        return repeat(p);
    }
    if (at_keyword(p, "if")) {
        return either(p);
    }
    *found = false;
    return (SomMark){0};
}

static SomMark simple(SomParser *p) {
    if (at_keyword(p, "wait")) {
        return wait(p);
    }
    if (at_keyword(p, "hold")) {
        return hold(p);
    }
    if (at_keyword(p, "connect") || at_keyword(p, "disconnect")) {
        return docking(p);
    }
    if (som_parser_at_word(p, "follow") && som_parser_peek(p, 1) == SOM_TOKEN_STRING) {
        return table(p);
    }
    if (at_to_pose(p)) {
        SomMark node = som_parser_open(p);
        return to_pose(p, node);
    }
    if (som_som_at_name(p, 0)) {
        return placed(p);
    }
    SomMark node = som_parser_open(p);
    som_parser_expected(p, "an action", starts);
    return som_parser_close(p, node, SOM_SOM_ERROR);
}

SomMark som_som_action(SomParser *p) {
    if (!som_parser_enter(p)) {
        SomMark node = som_parser_open(p);
        return som_parser_close(p, node, SOM_SOM_ERROR);
    }
    bool is_composite;
    SomMark result = composite(p, &is_composite);
    if (!is_composite) {
        result = simple(p);
    }
    // only what took no clauses itself stands before one
    SomMark node = som_parser_wrap(p, result);
    if (clause(p)) {
        clauses(p);
        result = som_parser_close(p, node, SOM_SOM_LIMITED);
    } else {
        som_parser_abandon(p, node);
    }
    som_parser_leave(p);
    return result;
}
