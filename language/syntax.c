// SPDX-License-Identifier: Apache-2.0
#include "language/syntax.h"

#include "base/memory.h"
#include "language/syntax_internal.h"

#include <assert.h>

void som_syntax_destroy(SomSyntax *tree) {
    if (tree == NULL) {
        return;
    }
    som_tokens_free(&tree->tokens);
    som_free(tree->partners);
    som_free(tree->nodes);
    som_free(tree);
}

SomStr som_syntax_source(const SomSyntax *tree) {
    return tree->text;
}

const SomDialect *som_syntax_dialect(const SomSyntax *tree) {
    return tree->dialect;
}

uint32_t som_syntax_source1(const SomSyntax *tree) {
    return tree->source1;
}

int som_syntax_node_count(const SomSyntax *tree) {
    return tree->node_count;
}

uint64_t som_syntax_steps(const SomSyntax *tree) {
    return tree->steps;
}

static const SomSyntaxNode *get(const SomSyntax *tree, SomNode node) {
    assert(1 <= node && node <= (SomNode)tree->node_count);
    return &tree->nodes[node];
}

static const SomToken *get_token(const SomSyntax *tree, int token) {
    assert(0 <= token && token <= tree->tokens.count);
    return &tree->tokens.data[token];
}

static uint32_t token_begin(const SomSyntax *tree, uint32_t token) {
    return tree->tokens.data[token].begin;
}

// Nodes.

int som_syntax_kind(const SomSyntax *tree, SomNode node) {
    return get(tree, node)->kind;
}

const char *som_syntax_kind_name(const SomSyntax *tree, SomNode node) {
    return tree->kinds.names[get(tree, node)->kind];
}

SomSpan som_syntax_span(const SomSyntax *tree, SomNode node) {
    const SomSyntaxNode *n = get(tree, node);
    return (SomSpan){tree->source1, token_begin(tree, n->first_token),
                     token_begin(tree, n->end_token)};
}

SomStr som_syntax_text(const SomSyntax *tree, SomNode node) {
    SomSpan span = som_syntax_span(tree, node);
    return som_str_slice(tree->text, span.begin, span.end);
}

bool som_syntax_has_error(const SomSyntax *tree, SomNode node) {
    return get(tree, node)->has_error;
}

SomNode som_syntax_parent(const SomSyntax *tree, SomNode node) {
    return get(tree, node)->parent;
}

SomNode som_syntax_first_child(const SomSyntax *tree, SomNode node) {
    return get(tree, node)->end > node + 1 ? node + 1 : 0;
}

SomNode som_syntax_next_sibling(const SomSyntax *tree, SomNode node) {
    const SomSyntaxNode *n = get(tree, node);
    return n->parent != 0 && n->end < get(tree, n->parent)->end ? n->end : 0;
}

SomNode som_syntax_previous_sibling(const SomSyntax *tree, SomNode node) {
    SomNode parent = get(tree, node)->parent;
    SomNode before = node - 1;
    if (before == parent) {
        return 0;
    }
    // the node before is the last descendant of the sibling
    while (get(tree, before)->parent != parent) {
        before = get(tree, before)->parent;
    }
    return before;
}

SomNode som_syntax_next(const SomSyntax *tree, SomNode node) {
    return node < (SomNode)tree->node_count ? node + 1 : 0;
}

static SomNode find_from(const SomSyntax *tree, SomNode child, int kind) {
    while (child != 0 && get(tree, child)->kind != kind) {
        child = som_syntax_next_sibling(tree, child);
    }
    return child;
}

SomNode som_syntax_find_child(const SomSyntax *tree, SomNode node, int kind) {
    return find_from(tree, som_syntax_first_child(tree, node), kind);
}

SomNode som_syntax_find_next(const SomSyntax *tree, SomNode child, int kind) {
    return find_from(tree, som_syntax_next_sibling(tree, child), kind);
}

SomNode som_syntax_find_around(const SomSyntax *tree, SomNode node, int kind) {
    while (node != 0 && get(tree, node)->kind != kind) {
        node = get(tree, node)->parent;
    }
    return node;
}

// The smallest node that holds the character at `offset`. Beginnings rise in preorder, so it is
// the last one that begins at or before the character, or round that.
static SomNode node_round_character(const SomSyntax *tree, uint32_t offset) {
    SomNode low = SOM_ROOT, high = (SomNode)tree->node_count + 1;
    while (high - low > 1) {
        SomNode middle = low + (high - low) / 2;
        if (token_begin(tree, tree->nodes[middle].first_token) <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    while (low != SOM_ROOT && token_begin(tree, tree->nodes[low].end_token) <= offset) {
        low = tree->nodes[low].parent;
    }
    return low;
}

SomNode som_syntax_node_at(const SomSyntax *tree, uint32_t offset) {
    int right = som_syntax_token_at(tree, offset);
    bool beside_blank =
        right == tree->tokens.count || som_token_is_trivia(get_token(tree, right)->kind);
    return node_round_character(tree, beside_blank && offset > 0 ? offset - 1 : offset);
}

// Tokens.

int som_syntax_token_count(const SomSyntax *tree) {
    return tree->tokens.count;
}

SomTokenKind som_syntax_token_kind(const SomSyntax *tree, int token) {
    return (SomTokenKind)get_token(tree, token)->kind;
}

bool som_syntax_token_is_bad(const SomSyntax *tree, int token) {
    return (get_token(tree, token)->flags & SOM_TOKEN_BAD) != 0;
}

SomSpan som_syntax_token_span(const SomSyntax *tree, int token) {
    uint32_t begin = get_token(tree, token)->begin;
    bool is_end = token == tree->tokens.count;
    return (SomSpan){tree->source1, begin, is_end ? begin : get_token(tree, token + 1)->begin};
}

SomStr som_syntax_token_text(const SomSyntax *tree, int token) {
    SomSpan span = som_syntax_token_span(tree, token);
    return som_str_slice(tree->text, span.begin, span.end);
}

int som_syntax_token_at(const SomSyntax *tree, uint32_t offset) {
    // the last token that begins at or before the offset
    int low = 0, high = tree->tokens.count + 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (tree->tokens.data[middle].begin <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int som_syntax_first_token(const SomSyntax *tree, SomNode node) {
    return (int)get(tree, node)->first_token;
}

int som_syntax_end_token(const SomSyntax *tree, SomNode node) {
    return (int)get(tree, node)->end_token;
}

int som_syntax_find_token(const SomSyntax *tree, SomNode node, SomTokenKind kind) {
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        if (it.node == 0 && get_token(tree, it.token)->kind == kind) {
            return it.token;
        }
    }
    return SOM_NO_TOKEN;
}

int som_syntax_partner(const SomSyntax *tree, int token) {
    assert(0 <= token && token <= tree->tokens.count);
    return tree->partners[token];
}

SomElements som_syntax_elements(const SomSyntax *tree, SomNode node) {
    const SomSyntaxNode *n = get(tree, node);
    return (SomElements){
        .tree = tree,
        .next_node = som_syntax_first_child(tree, node),
        .next_token = (int)n->first_token,
        .end_token = (int)n->end_token,
    };
}

bool som_elements_next(SomElements *it) {
    const SomSyntax *tree = it->tree;
    while (it->next_node != 0 || it->next_token < it->end_token) {
        const SomSyntaxNode *child = it->next_node != 0 ? get(tree, it->next_node) : NULL;
        if (child != NULL && child->first_token <= (uint32_t)it->next_token) {
            it->node = it->next_node;
            it->token = SOM_NO_TOKEN;
            it->next_token = (int)child->end_token;
            it->next_node = som_syntax_next_sibling(tree, it->node);
            return true;
        }
        it->node = 0;
        it->token = it->next_token++;
        if (!som_token_is_trivia(tree->tokens.data[it->token].kind)) {
            return true;
        }
    }
    return false;
}

// Comments and layout.

// Is there nothing but blanks between the start of its line and the token?
static bool is_first_on_line(const SomSyntax *tree, int token) {
    do {
        token--;
    } while (token >= 0 && tree->tokens.data[token].kind == SOM_TOKEN_BLANK);
    return token < 0 || tree->tokens.data[token].kind == SOM_TOKEN_NEWLINE;
}

SomTokenRange som_syntax_leading_comments(const SomSyntax *tree, SomNode node) {
    int end = (int)get(tree, node)->first_token;
    int first = end;
    int newlines = 0;
    for (int i = end - 1; i >= 0 && newlines < 2; i--) {
        int kind = tree->tokens.data[i].kind;
        if (kind == SOM_TOKEN_NEWLINE) {
            newlines++;
        } else if (kind == SOM_TOKEN_COMMENT && is_first_on_line(tree, i)) {
            first = i;
            newlines = 0;
        } else if (kind != SOM_TOKEN_BLANK) {
            break;
        }
    }
    return (SomTokenRange){first, end};
}

int som_syntax_trailing_comment(const SomSyntax *tree, SomNode node) {
    const SomToken *tokens = tree->tokens.data;
    int comment = SOM_NO_TOKEN;
    bool separator = false;
    for (int i = (int)get(tree, node)->end_token; i < tree->tokens.count; i++) {
        int kind = tokens[i].kind;
        bool is_separator = kind == SOM_TOKEN_COMMA || kind == SOM_TOKEN_SEMICOLON;
        if (kind == SOM_TOKEN_NEWLINE) {
            break;
        } else if (kind == SOM_TOKEN_COMMENT && comment == SOM_NO_TOKEN) {
            comment = i;
        } else if (is_separator && !separator && comment == SOM_NO_TOKEN) {
            separator = true;
        } else if (kind != SOM_TOKEN_BLANK) {
            return SOM_NO_TOKEN;
        }
    }
    return comment;
}

int som_syntax_newlines_before(const SomSyntax *tree, SomNode node) {
    int newlines = 0;
    for (int i = som_syntax_leading_comments(tree, node).first - 1; i >= 0; i--) {
        int kind = tree->tokens.data[i].kind;
        if (!som_token_is_trivia((unsigned)kind) || kind == SOM_TOKEN_COMMENT) {
            break;
        }
        newlines += kind == SOM_TOKEN_NEWLINE;
    }
    return newlines;
}

SomStr som_syntax_indentation(const SomSyntax *tree, uint32_t offset) {
    size_t begin = offset < tree->text.length ? offset : tree->text.length;
    while (begin > 0 && tree->text.data[begin - 1] != '\n' && tree->text.data[begin - 1] != '\r') {
        begin--;
    }
    size_t end = begin;
    while (end < tree->text.length &&
           (tree->text.data[end] == ' ' || tree->text.data[end] == '\t')) {
        end++;
    }
    return som_str_slice(tree->text, begin, end);
}

// Printing.

void som_syntax_print(const SomSyntax *tree, SomText *out) {
    for (int i = 0; i < tree->tokens.count; i++) {
        som_text_add(out, som_syntax_token_text(tree, i));
    }
}

static const char *const token_names[] = {
#define SOM_TOKEN(name, text, shown) #name,
#include "language/tokens.inc"
#undef SOM_TOKEN
};

static void dump_token(const SomSyntax *tree, int token, int depth, SomText *out) {
    SomStr text = som_syntax_token_text(tree, token);
    som_text_add_char(out, ' ', 2 * depth);
    som_text_printf(out, "%s ", token_names[tree->tokens.data[token].kind]);
    som_text_add(out, som_str_slice(text, 0, 60));
    som_text_add(out, text.length > 60 ? SOM_STR("...\n") : SOM_STR("\n"));
}

// The parser limits the depth.
static void dump_node(const SomSyntax *tree, SomNode node, int depth, SomText *out) {
    som_text_add_char(out, ' ', 2 * depth);
    som_text_printf(out, "%s\n", som_syntax_kind_name(tree, node));
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it)) {
        if (it.node != 0) {
            dump_node(tree, it.node, depth + 1, out);
        } else {
            dump_token(tree, it.token, depth + 1, out);
        }
    }
}

void som_syntax_dump(const SomSyntax *tree, SomText *out) {
    dump_node(tree, SOM_ROOT, 0, out);
}
