// language/syntax_internal.h - the arrays of a tree, for the parser that fills them.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/syntax.h"

typedef struct SomSyntaxNode {
    uint32_t first_token;
    uint32_t end_token;
    SomNode parent;
    SomNode end; // the node after the last descendant
    uint16_t kind;
    bool has_error;
} SomSyntaxNode;

struct SomSyntax {
    SomStr text;
    const SomDialect *dialect;
    uint32_t source1;
    SomKinds kinds;
    SomTokens tokens;
    int *partners;        // of brackets, by token; SOM_NO_TOKEN elsewhere
    SomSyntaxNode *nodes; // nodes[0] is not used
    int node_count;
    uint64_t steps; // that parsing took
};

// Pairs the brackets of a text; the caller frees the array, one entry per token and one for END.
// Where they are not balanced, a closer takes the nearest opener of its shape and leaves those in
// between without partner, but ) and ] do not reach over a {: statements hold together better than
// expressions.
int *som_brackets_pair(const SomTokens *tokens);
