// language/lexer_internal.h - what the files of the lexer share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "language/character.h"
#include "language/lexer.h"

#include <assert.h>

typedef struct SomLexer {
    SomStr text;
    const SomDialect *dialect;
    uint32_t source1;
    SomDiagnostics *diags;
    SomTokens tokens;
    size_t at;             // first byte that is in no token yet
    bool no_comment_end;   // there is no */ behind `at`
    bool reported_returns; // a lone carriage return was reported
    uint64_t steps;        // looks at the text
} SomLexer;

static inline SomStr rest(SomLexer *lexer, size_t from) {
    lexer->steps++;
    return som_str_slice(lexer->text, from, lexer->text.length);
}

// The byte there, or 0 behind the end.
static inline unsigned char byte_at(SomLexer *lexer, size_t at) {
    lexer->steps++;
    return at < lexer->text.length ? (unsigned char)lexer->text.data[at] : 0;
}

static inline SomSpan span(const SomLexer *lexer, size_t begin, size_t end) {
    return (SomSpan){lexer->source1, (uint32_t)begin, (uint32_t)end};
}

// A fix-it needs a place in a source.
static inline void add_fix(SomLexer *lexer, size_t begin, size_t end, SomStr replacement) {
    if (lexer->source1 != 0) {
        som_fix(lexer->diags, span(lexer, begin, end), replacement);
    }
}

static inline void add_token(SomLexer *lexer, SomTokenKind kind, bool bad, size_t end) {
    assert(end > lexer->at && end <= lexer->text.length);
    SomToken token = {(uint32_t)lexer->at, (uint8_t)kind, bad ? SOM_TOKEN_BAD : 0};
    som_array_push(&lexer->tokens, token);
    lexer->at = end;
}

static inline bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}

static inline size_t end_of_name(SomLexer *lexer, size_t at) {
    for (size_t length = 1; length > 0; at += length) {
        length = som_character_name_length(rest(lexer, at));
    }
    return at;
}

static inline size_t end_of_digits(SomLexer *lexer, size_t at) {
    while (is_digit(byte_at(lexer, at))) {
        at++;
    }
    return at;
}

// Lexes the number at `at` with its unit.
void som_lexer_number(SomLexer *lexer);

// Does the point at `at` begin a number (.5)?
bool som_lexer_is_number_point(SomLexer *lexer, size_t at);
