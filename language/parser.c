// SPDX-License-Identifier: Apache-2.0
#include "language/parser.h"

#include "base/codes/language_codes.h"
#include "language/parser_internal.h"

// Open nodes beyond this mean that a grammar calls itself without som_parser_enter.
#define MAX_OPEN_NODES (32 * SOM_MAX_NESTING)

SomParser *som_parser_create(const SomParserDef *def, SomDiagnostics *diags) {
    SomParser *p = som_alloc(sizeof *p);
    p->def = *def;
    p->diags = diags;
    p->tokens = som_lex(def->text, def->dialect, def->source1, diags);
    p->partners = som_brackets_pair(&p->tokens);
    size_t count = (size_t)p->tokens.count + 1;
    p->after_blanks = som_realloc(NULL, count, sizeof *p->after_blanks);
    p->after_trivia = som_realloc(NULL, count, sizeof *p->after_trivia);
    for (int i = p->tokens.count; i >= 0; i--) {
        int kind = p->tokens.data[i].kind;
        bool is_blank = kind == SOM_TOKEN_BLANK || kind == SOM_TOKEN_COMMENT;
        bool is_newline = kind == SOM_TOKEN_NEWLINE;
        p->after_blanks[i] = is_blank ? p->after_blanks[i + 1] : i;
        p->after_trivia[i] = is_blank || is_newline ? p->after_trivia[i + 1] : i;
    }
    return p;
}

// Looking.

static int find_ahead(SomParser *p, int ahead) {
    int token = current(p);
    for (; ahead > 0 && token < p->tokens.count; ahead--) {
        token = skip_trivia(p, token + 1);
        p->steps++;
    }
    return token;
}

SomTokenKind som_parser_kind(SomParser *p) {
    return kind_at(p, current(p));
}

SomTokenKind som_parser_peek(SomParser *p, int ahead) {
    return kind_at(p, find_ahead(p, ahead));
}

SomStr som_parser_text(SomParser *p) {
    return text_at(p, current(p));
}

SomStr som_parser_peek_text(SomParser *p, int ahead) {
    return text_at(p, find_ahead(p, ahead));
}

SomSpan som_parser_span(SomParser *p) {
    return span_at(p, current(p));
}

bool som_parser_at(SomParser *p, SomTokenKind kind) {
    return som_parser_kind(p) == kind;
}

bool som_parser_at_any(SomParser *p, SomTokenKinds kinds) {
    return som_token_kinds_has(kinds, som_parser_kind(p));
}

bool som_parser_at_word(SomParser *p, const char *word) {
    return is_word(p, current(p), word);
}

bool som_parser_at_end(SomParser *p) {
    return current(p) >= limit(p);
}

bool som_parser_on_new_line(SomParser *p) {
    int token = p->after_blanks[p->next];
    return kind_at(p, token) == SOM_TOKEN_NEWLINE && current(p) != token;
}

bool som_parser_is_glued(SomParser *p) {
    return current(p) == p->next;
}

// Consuming.

void som_parser_advance(SomParser *p) {
    int token = current(p);
    if (token < p->tokens.count) {
        consume_to(p, token + 1);
        p->silent = false;
    }
}

bool som_parser_accept(SomParser *p, SomTokenKind kind) {
    bool there = som_parser_at(p, kind) && kind != SOM_TOKEN_END;
    if (there) {
        som_parser_advance(p);
    }
    return there;
}

bool som_parser_accept_any(SomParser *p, SomTokenKinds kinds) {
    bool there = som_parser_at_any(p, kinds & ~SOM_BIT(END));
    if (there) {
        som_parser_advance(p);
    }
    return there;
}

bool som_parser_accept_word(SomParser *p, const char *word) {
    bool there = som_parser_at_word(p, word);
    if (there) {
        som_parser_advance(p);
    }
    return there;
}

bool som_parser_expect(SomParser *p, SomTokenKind kind) {
    if (som_parser_accept(p, kind)) {
        return true;
    }
    if (som_parser_expected(p, som_token_kind_shown(kind), NULL) && kind == SOM_TOKEN_SEMICOLON &&
        som_parser_on_new_line(p) && p->def.source1 != 0) {
        uint32_t end = p->tokens.data[p->next].begin;
        som_fix(p->diags, (SomSpan){p->def.source1, end, end}, SOM_STR(";"));
    }
    return false;
}

bool som_parser_expect_word(SomParser *p, const char *word) {
    if (som_parser_accept_word(p, word)) {
        return true;
    }
    char what[64];
    SomStr text = som_str_slice(som_str(word), 0, sizeof what - 3);
    what[0] = '\'';
    memcpy(what + 1, text.data, text.length);
    memcpy(what + 1 + text.length, "'", 2);
    som_parser_expected(p, what, (const char *const[]){word, NULL});
    return false;
}

bool som_parser_expect_any(SomParser *p, SomTokenKinds kinds, const char *what) {
    if (som_parser_accept_any(p, kinds)) {
        return true;
    }
    som_parser_expected(p, what, NULL);
    return false;
}

// Nodes.

static SomMark open_at(SomParser *p, uint32_t first_token, uint32_t first_node) {
    assert(p->open_nodes < MAX_OPEN_NODES && "the grammar nests without som_parser_enter");
    return (SomMark){.first_token = first_token,
                     .first_node = first_node,
                     .errors = p->errors,
                     .depth = (uint16_t)p->open_nodes++};
}

SomMark som_parser_open(SomParser *p) {
    return open_at(p, (uint32_t)p->after_trivia[p->next], (uint32_t)p->nodes.count);
}

static void leave_node(SomParser *p, SomMark mark) {
    p->open_nodes--;
    assert(mark.depth == p->open_nodes && "nodes are closed in the order they were opened");
    (void)mark;
}

SomMark som_parser_close(SomParser *p, SomMark mark, int kind) {
    leave_node(p, mark);
    assert(0 <= kind && kind < p->def.kinds.count);
    if (mark.is_void) {
        return mark;
    }
    Node node = {.first_token = mark.first_token,
                 .first_node = mark.first_node,
                 .kind = (uint16_t)kind,
                 .has_error = kind == SOM_KIND_ERROR || p->errors != mark.errors};
    for (int i = p->nodes.count - 1; i >= (int)mark.first_node;) {
        const Node *child = &p->nodes.data[i];
        node.height = node.height > child->height ? node.height : child->height;
        node.has_error |= child->has_error;
        i = (int)child->first_node - 1;
        p->steps++;
    }
    node.height++;
    // newlines that separated statements are no part of a node's end
    uint32_t end = (uint32_t)p->solid_end;
    node.end_token = end > node.first_token ? end : node.first_token;
    som_array_push(&p->nodes, node);
    p->steps++;
    return mark;
}

void som_parser_abandon(SomParser *p, SomMark mark) {
    leave_node(p, mark);
}

SomMark som_parser_wrap(SomParser *p, SomMark finished) {
    SomMark mark = open_at(p, finished.first_token, finished.first_node);
    const Node *last = p->nodes.count > 0 ? &p->nodes.data[p->nodes.count - 1] : NULL;
    mark.is_void = finished.is_void;
    if (!mark.is_void && last != NULL && last->height >= SOM_MAX_NESTING) {
        som_parser_error(p, SOM_NESTED_TOO_DEEPLY, "this is nested more than %d deep",
                         SOM_MAX_NESTING);
        mark.is_void = true;
    }
    return mark;
}

bool som_parser_enter(SomParser *p) {
    if (p->nesting < SOM_MAX_NESTING) {
        p->nesting++;
        return true;
    }
    som_parser_error(p, SOM_NESTED_TOO_DEEPLY, "this is nested more than %d deep", SOM_MAX_NESTING);
    // something is consumed wherever the caller found something, so that its loops end
    int before = p->next;
    som_parser_recover(p, (SomTokenSet){0});
    if (p->next == before && !som_parser_at_any(p, SOM_BIT(NEWLINE) | SOM_BIT(SEMICOLON))) {
        som_parser_skip(p);
    }
    return false;
}

void som_parser_leave(SomParser *p) {
    assert(p->nesting > 0);
    p->nesting--;
}

// Making the tree.

// Moves the nodes from the order of their ends to the order of their beginnings. A node's place in
// the second is the place of its first descendant in the first plus the number of nodes round it.
static void number_nodes(SomParser *p, SomSyntax *tree) {
    int count = p->nodes.count;
    int *depths = som_alloc((size_t)count * sizeof *depths);
    SomNode *parents = som_alloc((size_t)count * sizeof *parents);
    for (int i = count - 1; i >= 0; i--) {
        const Node *node = &p->nodes.data[i];
        SomNode id = node->first_node + (uint32_t)depths[i] + 1;
        tree->nodes[id] = (SomSyntaxNode){
            .first_token = node->first_token,
            .end_token = node->end_token,
            .parent = parents[i],
            .end = id + ((uint32_t)i - node->first_node) + 1,
            .kind = node->kind,
            .has_error = node->has_error,
        };
        for (int child = i - 1; child >= (int)node->first_node;) {
            depths[child] = depths[i] + 1;
            parents[child] = id;
            child = (int)p->nodes.data[child].first_node - 1;
        }
    }
    som_free(depths);
    som_free(parents);
}

// An empty node was opened at the next token, which may be beyond its parent: it stands at the end
// of the parent then.
static void place_empty_nodes(SomSyntax *tree) {
    for (SomNode id = SOM_ROOT + 1; id <= (SomNode)tree->node_count; id++) {
        SomSyntaxNode *node = &tree->nodes[id];
        const SomSyntaxNode *parent = &tree->nodes[node->parent];
        if (node->first_token > parent->end_token) {
            node->first_token = parent->end_token;
            node->end_token = parent->end_token;
        }
    }
}

static void mark_bad_tokens(SomSyntax *tree) {
    int *bad = som_alloc(((size_t)tree->tokens.count + 1) * sizeof *bad); // bad tokens before
    for (int i = 0; i < tree->tokens.count; i++) {
        SomToken token = tree->tokens.data[i];
        // a wrong blank or comment does not make the statement round it mean something else
        bool is_bad = (token.flags & SOM_TOKEN_BAD) != 0 && !som_token_is_trivia(token.kind);
        bad[i + 1] = bad[i] + is_bad;
    }
    for (int id = 1; id <= tree->node_count; id++) {
        SomSyntaxNode *node = &tree->nodes[id];
        node->has_error |= bad[node->end_token] > bad[node->first_token];
    }
    som_free(bad);
}

SomSyntax *som_parser_finish(SomParser *p, int root_kind) {
    assert(p->brackets.count == 0 && p->open_nodes == 0 && p->nesting == 0);
    if (p->after_trivia[p->next] < p->tokens.count) {
        som_parser_expected(p, som_token_kind_shown(SOM_TOKEN_END), NULL);
        SomMark mark = som_parser_open(p);
        consume_before(p, p->tokens.count);
        som_parser_close(p, mark, SOM_KIND_ERROR);
    }
    p->next = p->tokens.count;
    p->solid_end = p->tokens.count;
    SomMark root = open_at(p, 0, 0);
    root.errors = 0;
    som_parser_close(p, root, root_kind);

    SomSyntax *tree = som_alloc(sizeof *tree);
    *tree = (SomSyntax){
        .text = p->def.text,
        .dialect = p->def.dialect,
        .source1 = p->def.source1,
        .kinds = p->def.kinds,
        .tokens = p->tokens,
        .partners = p->partners,
        .nodes = som_alloc(((size_t)p->nodes.count + 1) * sizeof(SomSyntaxNode)),
        .node_count = p->nodes.count,
        .steps = p->tokens.steps + p->steps,
    };
    number_nodes(p, tree);
    place_empty_nodes(tree);
    mark_bad_tokens(tree);
    som_array_free(&p->nodes);
    som_array_free(&p->brackets);
    som_free(p->after_blanks);
    som_free(p->after_trivia);
    som_free(p);
    return tree;
}
