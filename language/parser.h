// language/parser.h - the toolkit with which grammars are written as plain recursive descent.
//
//     static SomMark product(SomParser *p) {              // factor { ("*" | "/") factor }
//         SomMark first = factor(p);
//         if (!som_parser_at_any(p, SOM_BIT(STAR) | SOM_BIT(SLASH))) {
//             return first;
//         }
//         SomMark node = som_parser_wrap(p, first);       // one flat node for a*b/c, see below
//         while (som_parser_accept_any(p, SOM_BIT(STAR) | SOM_BIT(SLASH))) {
//             factor(p);
//         }
//         return som_parser_close(p, node, KIND_PRODUCT);
//     }
//
// A grammar looks at the current token, consumes it, and opens and closes nodes round what it
// consumed. It never fails: what is missing is reported and left out, what is too much is skipped
// into an error node, and every token ends up in the tree.
//
// Errors. One report per place: after a report, and after skipped tokens, the parser is silent
// until a token is consumed in the regular way. Tokens the lexer reported are not reported again.
//
// Newlines. Where the dialect ends statements with newlines, NEWLINE is the current token outside
// brackets and directly inside { }, and is skipped like a blank inside ( ) and [ ]. In other
// dialects it is always skipped. In a bracket that is never closed, recovery stops at every
// newline.
//
// Brackets are paired before parsing, so that recovery jumps over whole groups and never leaves the
// innermost bracket that has a partner: a missing ')' costs one statement, not the file.
//
// Depth. Every function that can call itself starts with som_parser_enter; chains (a+b+c, a.b.c)
// are one flat node and not a tower of them, or som_parser_wrap stops wrapping at the same limit.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "language/syntax.h"

#ifdef __cplusplus
extern "C" {
#endif

// Deeper nesting is reported and skipped. Far above what people write, far below what the stack of
// a thread holds.
#define SOM_MAX_NESTING 256

typedef struct SomParser SomParser;

typedef struct SomParserDef {
    SomStr text; // borrowed, also by the tree
    const SomDialect *dialect;
    uint32_t source1; // of the text in diags
    SomKinds kinds;   // static
    // Words that begin a statement, ended by NULL: recovery stops before one that is first on its
    // line. May be NULL.
    const char *const *starters;
} SomParserDef;

// Lexes the text. `diags` must live until the parser is finished.
SomParser *som_parser_create(const SomParserDef *def, SomDiagnostics *diags);

// Makes the tree, whose root has this kind and covers the whole text, and destroys the parser. What
// the grammar left over is reported and becomes an error node.
SomSyntax *som_parser_finish(SomParser *p, int root_kind);

// Looking. None of these consumes anything, but looks are counted: a grammar that only looks and
// never consumes is stopped by an assertion. Keywords are words that the grammar compares by their
// text, so a name may be a keyword elsewhere.

SomTokenKind som_parser_kind(SomParser *p);            // of the current token; END at the end
SomTokenKind som_parser_peek(SomParser *p, int ahead); // 0 is the current token
SomStr som_parser_text(SomParser *p);
SomStr som_parser_peek_text(SomParser *p, int ahead);
SomSpan som_parser_span(SomParser *p);
bool som_parser_at(SomParser *p, SomTokenKind kind);
bool som_parser_at_any(SomParser *p, SomTokenKinds kinds);
bool som_parser_at_word(SomParser *p, const char *word);
bool som_parser_at_end(SomParser *p);      // the end of the text or of the innermost bracket
bool som_parser_on_new_line(SomParser *p); // is a newline before the current token?
bool som_parser_is_glued(SomParser *p);    // no trivia between it and the token before?

// Consuming. Each returns whether it did.

void som_parser_advance(SomParser *p); // whatever it is, but not END
bool som_parser_accept(SomParser *p, SomTokenKind kind);
bool som_parser_accept_any(SomParser *p, SomTokenKinds kinds);
bool som_parser_accept_word(SomParser *p, const char *word);
bool som_parser_expect(SomParser *p, SomTokenKind kind); // reports if it is something else
bool som_parser_expect_word(SomParser *p, const char *word);
bool som_parser_expect_any(SomParser *p, SomTokenKinds kinds, const char *what); // "a name"

// Nodes.

// Where a node begins, and what it was opened round. Pass by value.
typedef struct SomMark {
    uint32_t first_token;
    uint32_t first_node;
    uint32_t errors; // noticed before it was opened
    uint16_t depth;
    bool is_void; // too deep: closing it makes no node
} SomMark;

SomMark som_parser_open(SomParser *p);
SomMark som_parser_close(SomParser *p, SomMark mark, int kind); // the result may be wrapped
void som_parser_abandon(SomParser *p, SomMark mark);            // its children go to its parent

// Opens a node whose first child is `finished`, the node that was closed last.
SomMark som_parser_wrap(SomParser *p, SomMark finished);

// For every function that calls itself. False, after a report, where nesting is too deep: then the
// rest up to the end of the bracket or statement was skipped, and the caller returns at once.
bool som_parser_enter(SomParser *p);
void som_parser_leave(SomParser *p);

// Reporting, at the current token; at the end of the token before where the current one is on
// another line or is the end. Both return whether anything was reported (false: silent), so that
// notes and fix-its can be added.

__attribute__((format(printf, 3, 4))) bool som_parser_error(SomParser *p, SomCode code,
                                                            const char *format, ...);

// "expected WHAT, found 'x'". If `words` (ended by NULL, may be NULL) has a word near the current
// one, it is offered as a fix-it.
bool som_parser_expected(SomParser *p, const char *what, const char *const *words);

// Adds a fix-it to the report just made: only where one of the two returned true.
void som_parser_fix(SomParser *p, SomSpan span, SomStr replacement);

// Recovery.

typedef struct SomTokenSet {
    SomTokenKinds kinds;
    const char *const *words; // ended by NULL; may be NULL
} SomTokenSet;

// Skips to a token of the set, into an error node. Also stops, whatever the set, before the end of
// the statement (newline, ';'), a starter, and the end of the innermost bracket. Returns whether it
// stands at a token of the set.
bool som_parser_recover(SomParser *p, SomTokenSet set);

// Skips the current token (a bracket with all that is in it) into an error node, with a report
// unless silent.
void som_parser_skip(SomParser *p);

// Brackets. `opener` is LEFT_PAREN, LEFT_BRACKET or LEFT_BRACE; each open that returned true needs
// its close, which skips to the partner, or reports where it is missing and to close what.

bool som_parser_open_bracket(SomParser *p, SomTokenKind opener);
bool som_parser_close_bracket(SomParser *p);
bool som_parser_in_unclosed_bracket(SomParser *p); // is the innermost one never closed?

// Loops that always end: where the body consumed nothing, the next call skips a token.
//
//     if (som_parser_open_bracket(p, SOM_TOKEN_LEFT_PAREN)) {
//         SomLoop loop = {0};
//         while (som_parser_next_element(p, &loop, SOM_TOKEN_COMMA)) {
//             expression(p);
//         }
//         som_parser_close_bracket(p);
//     }
typedef struct SomLoop {
    uint32_t last; // 1 + the token the last round began with
} SomLoop;

// Rounds until the end of the bracket or text.
bool som_parser_next_item(SomParser *p, SomLoop *loop);

// The same for elements with separators between; one behind the last is allowed. What follows an
// element and is no separator is reported and skipped to the next one.
bool som_parser_next_element(SomParser *p, SomLoop *loop, SomTokenKind separator);

// The same for statements that end with a newline or ';'. What follows a statement on its line is
// reported and skipped.
bool som_parser_next_statement(SomParser *p, SomLoop *loop);

#ifdef __cplusplus
}
#endif
