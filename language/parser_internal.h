// language/parser_internal.h - what the files of the parser share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "language/parser.h"
#include "language/syntax_internal.h"

#include <assert.h>

// A grammar that looks so often without consuming is stuck. Leaving all levels of the deepest
// nesting takes some thousand looks.
#define MAX_LOOKS 1000000

// A finished node. They are stored in the order in which they are closed, children before parents:
// then a node can still be wrapped by a later one.
typedef struct Node {
    uint32_t first_token;
    uint32_t end_token;
    uint32_t first_node; // of its descendants, which stand directly before it
    uint16_t kind;
    uint16_t height;
    bool has_error;
} Node;

typedef struct Bracket {
    int token;
    int partner; // SOM_NO_TOKEN if it is never closed
    int limit;   // the closer of the innermost bracket that has one: recovery stays before it
} Bracket;

struct SomParser {
    SomParserDef def;
    SomDiagnostics *diags;
    SomTokens tokens;
    int *partners;
    int *after_blanks; // by token: the first at or after it that is no blank and no comment
    int *after_trivia; // likewise, and no newline
    int next;          // the first token not consumed
    int solid_end;     // behind the last consumed one that is no trivia
    SOM_ARRAY(Node) nodes;
    SOM_ARRAY(Bracket) brackets;
    int nesting;
    int open_nodes;
    bool silent;     // an error was reported and nothing consumed since
    uint32_t errors; // noticed, reported or not
    int looks;       // since a token was consumed
    uint64_t steps;
};

static inline const Bracket *innermost(const SomParser *p) {
    return p->brackets.count > 0 ? &p->brackets.data[p->brackets.count - 1] : NULL;
}

static inline bool is_in_expression_bracket(const SomParser *p) {
    const Bracket *bracket = innermost(p);
    return bracket != NULL && p->tokens.data[bracket->token].kind != SOM_TOKEN_LEFT_BRACE;
}

static inline bool sees_newlines(const SomParser *p) {
    return p->def.dialect->newline_ends && !is_in_expression_bracket(p);
}

static inline int skip_trivia(const SomParser *p, int from) {
    return sees_newlines(p) ? p->after_blanks[from] : p->after_trivia[from];
}

static inline int current(SomParser *p) {
    p->looks++;
    p->steps++;
    assert(p->looks < MAX_LOOKS && "the grammar loops without consuming anything");
    return skip_trivia(p, p->next);
}

static inline SomTokenKind kind_at(const SomParser *p, int token) {
    return (SomTokenKind)p->tokens.data[token].kind;
}

static inline SomStr text_at(const SomParser *p, int token) {
    uint32_t begin = p->tokens.data[token].begin;
    uint32_t end = token < p->tokens.count ? p->tokens.data[token + 1].begin : begin;
    return som_str_slice(p->def.text, begin, end);
}

static inline SomSpan span_at(const SomParser *p, int token) {
    uint32_t begin = p->tokens.data[token].begin;
    uint32_t end = token < p->tokens.count ? p->tokens.data[token + 1].begin : begin;
    return (SomSpan){p->def.source1, begin, end};
}

// The token that no recovery goes beyond.
static inline int limit(const SomParser *p) {
    const Bracket *bracket = innermost(p);
    return bracket != NULL ? bracket->limit : p->tokens.count;
}

static inline void consume_to(SomParser *p, int end) {
    p->next = end;
    p->looks = 0;
    p->steps++;
    if (end > 0 && !som_token_is_trivia(kind_at(p, end - 1))) {
        p->solid_end = end;
    }
}

static inline bool is_word(const SomParser *p, int token, const char *word) {
    return kind_at(p, token) == SOM_TOKEN_WORD && som_str_equal(text_at(p, token), som_str(word));
}

// Behind the token, or behind the whole group it opens.
static inline int end_of_group(const SomParser *p, int token) {
    bool opens = som_token_is_opener(kind_at(p, token)) && p->partners[token] != SOM_NO_TOKEN;
    return (opens ? p->partners[token] : token) + 1;
}

// Consumes all up to before token `end` that is no trivia.
static inline void consume_before(SomParser *p, int end) {
    for (int token = p->after_trivia[p->next]; token < end; token = p->after_trivia[p->next]) {
        consume_to(p, end_of_group(p, token));
    }
}
