// language/syntax.h - the lossless syntax tree of a text, in flat arrays.
//
//     SomSyntax *tree = som_outline_parse(text, dialect, source1, diags);
//     for (SomNode n = som_syntax_first_child(tree, SOM_ROOT); n != 0;
//          n = som_syntax_next_sibling(tree, n)) {
//         SomStr words = som_syntax_text(tree, n);
//     }
//     som_syntax_destroy(tree);
//
// Inner nodes are numbered from 1 in the order of their beginnings (preorder); 0 is no node. Leaves
// are the tokens. A node begins with its first token and ends with its last that is not trivia, so
// its span is what a mark should cover; trivia between two nodes belong to the node round both. A
// node may be empty (an operand that is missing): it then stands where it was expected.
//
// What a kind means is the grammar's affair; kind 0 is SOM_KIND_ERROR, tokens that fit nowhere.
// Ownership: the text is borrowed and must outlive the tree. A tree does not change once it is
// made.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "language/lexer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSyntax SomSyntax;

typedef uint32_t SomNode; // 0 is none

#define SOM_ROOT ((SomNode)1)
#define SOM_KIND_ERROR 0
#define SOM_NO_TOKEN (-1)

// The kinds of a grammar: names[0] is "error".
typedef struct SomKinds {
    const char *const *names;
    int count;
} SomKinds;

void som_syntax_destroy(SomSyntax *tree); // NULL is allowed

SomStr som_syntax_source(const SomSyntax *tree); // the whole text
const SomDialect *som_syntax_dialect(const SomSyntax *tree);
uint32_t som_syntax_source1(const SomSyntax *tree);
int som_syntax_node_count(const SomSyntax *tree); // nodes are 1 .. count

// How often the parser looked at a token, consumed one or stored a node: tests compare it for
// inputs of n and 4n bytes.
uint64_t som_syntax_steps(const SomSyntax *tree);

// Writes the tree back: the text it was made from, whatever was in it.
void som_syntax_print(const SomSyntax *tree, SomText *out);

// One line per node and token, indented, trivia left out: for tests and for looking at grammars.
void som_syntax_dump(const SomSyntax *tree, SomText *out);

// Nodes.

int som_syntax_kind(const SomSyntax *tree, SomNode node);
const char *som_syntax_kind_name(const SomSyntax *tree, SomNode node);
SomSpan som_syntax_span(const SomSyntax *tree, SomNode node);
SomStr som_syntax_text(const SomSyntax *tree, SomNode node);

// Was an error noticed in it, by the grammar or by the lexer in a token that is no trivia? Then
// passes over the meaning keep quiet.
bool som_syntax_has_error(const SomSyntax *tree, SomNode node);

SomNode som_syntax_parent(const SomSyntax *tree, SomNode node); // 0 for the root
SomNode som_syntax_first_child(const SomSyntax *tree, SomNode node);
SomNode som_syntax_next_sibling(const SomSyntax *tree, SomNode node);
SomNode som_syntax_previous_sibling(const SomSyntax *tree, SomNode node);
SomNode som_syntax_next(const SomSyntax *tree, SomNode node); // in preorder; 0 after the last

// The first child of this kind, and the next one after a child; 0 if there is none.
SomNode som_syntax_find_child(const SomSyntax *tree, SomNode node, int kind);
SomNode som_syntax_find_next(const SomSyntax *tree, SomNode child, int kind);

// The nearest node of this kind round `node`, itself included; 0 if there is none.
SomNode som_syntax_find_around(const SomSyntax *tree, SomNode node, int kind);

// The smallest node that holds the place: for a cursor, whose place is between two characters, the
// one to its right wins, then the one to its left. Never 0.
SomNode som_syntax_node_at(const SomSyntax *tree, uint32_t offset);

// Tokens, by index in the text.

int som_syntax_token_count(const SomSyntax *tree); // without END
SomTokenKind som_syntax_token_kind(const SomSyntax *tree, int token);
bool som_syntax_token_is_bad(const SomSyntax *tree, int token);
SomSpan som_syntax_token_span(const SomSyntax *tree, int token);
SomStr som_syntax_token_text(const SomSyntax *tree, int token);
int som_syntax_token_at(const SomSyntax *tree, uint32_t offset); // the END token at the end

// The tokens from the first to before `end` are those of a node with its descendants. Equal where
// the node is empty.
int som_syntax_first_token(const SomSyntax *tree, SomNode node);
int som_syntax_end_token(const SomSyntax *tree, SomNode node);

// The first token of this kind directly in the node (not in a child); SOM_NO_TOKEN if none is.
int som_syntax_find_token(const SomSyntax *tree, SomNode node, SomTokenKind kind);

// The bracket that closes what bracket `token` opens, or the other way round; SOM_NO_TOKEN if it is
// no bracket or has no partner.
int som_syntax_partner(const SomSyntax *tree, int token);

// What stands directly in a node, in order: child nodes and tokens without trivia.
//
//     SomElements it = som_syntax_elements(tree, node);
//     while (som_elements_next(&it)) {
//         if (it.node != 0) { ... } else { ... it.token ... }
//     }
typedef struct SomElements {
    SomNode node; // the element: a child, or 0
    int token;    // the element where node is 0
    const SomSyntax *tree;
    SomNode next_node;
    int next_token;
    int end_token;
} SomElements;

SomElements som_syntax_elements(const SomSyntax *tree, SomNode node);
bool som_elements_next(SomElements *elements);

// Comments and layout.

typedef struct SomTokenRange {
    int first;
    int end;
} SomTokenRange;

// The comments that belong to a node from above: on lines of their own, with no empty line between
// them and the node (trivia between them included). Empty where there are none.
SomTokenRange som_syntax_leading_comments(const SomSyntax *tree, SomNode node);

// The comment behind a node on its last line, with nothing but a separator between; else
// SOM_NO_TOKEN.
int som_syntax_trailing_comment(const SomSyntax *tree, SomNode node);

// Newlines between the node (with its leading comments) and the token before it: 0 means the same
// line, 2 an empty line between, which a formatter keeps.
int som_syntax_newlines_before(const SomSyntax *tree, SomNode node);

// The blanks at the start of the line that holds this offset.
SomStr som_syntax_indentation(const SomSyntax *tree, uint32_t offset);

#ifdef __cplusplus
}
#endif
