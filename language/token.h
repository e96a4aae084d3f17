// language/token.h - the smallest pieces of a text.
//
// Tokens cover a text without gaps: token i reaches from its `begin` to the `begin` of token i + 1,
// and an END token of no length stands after the last one. Blanks, newlines and comments are tokens
// too (trivia), so printing all tokens prints the text.
//
// A number and the unit glued to it are two tokens, NUMBER and UNIT: a mark or a fix-it for a wrong
// unit then has its own place, an editor can colour it, and a grammar reads `NUMBER [UNIT]`. A unit
// is one token even where it looks like a division: 40deg/s is NUMBER(40) UNIT(deg/s).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomTokenKind {
#define SOM_TOKEN(name, text, shown) SOM_TOKEN_##name,
#include "language/tokens.inc"
#undef SOM_TOKEN
    SOM_TOKEN_KIND_COUNT
} SomTokenKind;

// A diagnostic about the token was reported already; say nothing more about its text.
#define SOM_TOKEN_BAD 1

typedef struct SomToken {
    uint32_t begin; // byte offset
    uint8_t kind;   // SomTokenKind
    uint8_t flags;  // SOM_TOKEN_BAD or 0
} SomToken;

// data[count] is the END token. Free with som_tokens_free.
typedef struct SomTokens {
    SomToken *data;
    int count; // without END
    int capacity;
    uint64_t steps; // looks at the text that lexing took
} SomTokens;

void som_tokens_free(SomTokens *tokens);

// "a name", "'('", "the end of the line": for messages such as "expected ')'".
const char *som_token_kind_shown(SomTokenKind kind);

// The bytes of a kind that always has the same ("<="), else empty.
SomStr som_token_kind_text(SomTokenKind kind);

static inline bool som_token_is_trivia(unsigned kind) {
    return kind <= SOM_TOKEN_COMMENT;
}

static inline bool som_token_is_opener(unsigned kind) {
    return kind == SOM_TOKEN_LEFT_PAREN || kind == SOM_TOKEN_LEFT_BRACKET ||
           kind == SOM_TOKEN_LEFT_BRACE;
}

static inline bool som_token_is_closer(unsigned kind) {
    return kind == SOM_TOKEN_RIGHT_PAREN || kind == SOM_TOKEN_RIGHT_BRACKET ||
           kind == SOM_TOKEN_RIGHT_BRACE;
}

// The closer of an opener and the other way round.
static inline SomTokenKind som_token_other_bracket(unsigned kind) {
    return (SomTokenKind)(som_token_is_opener(kind) ? kind + 1 : kind - 1);
}

// A set of kinds is the sum of their bits.
typedef uint64_t SomTokenKinds;

#define SOM_BIT(name) (UINT64_C(1) << SOM_TOKEN_##name)

static inline bool som_token_kinds_has(SomTokenKinds kinds, unsigned kind) {
    return (kinds >> kind & 1) != 0;
}

// What a name may be: a word, or any text in quotes.
#define SOM_NAME_KINDS (SOM_BIT(WORD) | SOM_BIT(STRING))

#ifdef __cplusplus
}
#endif
