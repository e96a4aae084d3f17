// SPDX-License-Identifier: Apache-2.0
// Fuzz target: edits change what they should and nothing else.
//
// The first byte chooses the dialect, the second how many bytes after it choose edits, the rest is
// the text. Facts for every text: no edits give the same text; any replacements are either refused
// or give exactly the text with these pieces exchanged. For every text without errors: removing any
// members of rows leaves all other tokens and all comments that do not belong to them, in order,
// and a tree without errors that has just these members less; inserting a member leaves all tokens
// and gives a tree without errors that has one member more, with the text that was inserted.

#include "base/diagnostic.h"
#include "language/edit.h"
#include "language/outline.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(fact)                                                                              \
    do {                                                                                           \
        if (!(fact)) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #fact);                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct Parsed {
    SomDiagnostics *diags;
    SomSyntax *tree;
} Parsed;

static Parsed parse(SomStr text, const SomDialect *dialect) {
    Parsed parsed = {.diags = som_diagnostics_create()};
    uint32_t source1 = som_diagnostics_add_source(parsed.diags, SOM_STR("a"), text);
    parsed.tree = som_outline_parse(text, dialect, source1, parsed.diags);
    return parsed;
}

static void free_parsed(Parsed *parsed) {
    som_syntax_destroy(parsed->tree);
    som_diagnostics_destroy(parsed->diags);
}

static bool is_member(const SomSyntax *tree, SomNode n) {
    int kind = som_syntax_kind(tree, n);
    return kind == SOM_OUTLINE_STATEMENT || kind == SOM_OUTLINE_ELEMENT;
}

static void check_identity(const SomSyntax *tree) {
    SomEdits *edits = som_edits_create(tree);
    SomText out = {0};
    REQUIRE(som_edits_apply(edits, &out));
    REQUIRE(som_str_equal(som_text_str(&out), som_syntax_source(tree)));
    som_text_free(&out);
    som_edits_destroy(edits);
}

// Replacements at random: the same by hand, piece by piece, if they are in order and apart.
static void check_replacements(const SomSyntax *tree, const uint8_t *bytes, size_t count) {
    SomStr source = som_syntax_source(tree);
    SomEdits *edits = som_edits_create(tree);
    SomText out = {0}, expected = {0};
    size_t at = 0;
    bool in_order = true;
    for (size_t i = 0; i + 2 < count; i += 3) {
        size_t begin = bytes[i] % (source.length + 1);
        size_t end = begin + bytes[i + 1] % (source.length - begin + 1);
        SomStr text = som_str_slice(SOM_STR("replace"), 0, bytes[i + 2] % 4);
        som_edits_replace_span(edits, (uint32_t)begin, (uint32_t)end, text);
        in_order &= begin >= at && (i == 0 || begin > at || end > begin);
        som_text_add(&expected, som_str_slice(source, at, begin));
        som_text_add(&expected, text);
        at = end;
    }
    som_text_add(&expected, som_str_slice(source, at, source.length));
    bool done = som_edits_apply(edits, &out);
    REQUIRE(done || out.length == 0);
    if (in_order) {
        REQUIRE(done && som_str_equal(som_text_str(&out), som_text_str(&expected)));
    }
    som_text_free(&out);
    som_text_free(&expected);
    som_edits_destroy(edits);
}

static bool is_separator(SomTokenKind kind) {
    return kind == SOM_TOKEN_COMMA || kind == SOM_TOKEN_SEMICOLON;
}

// The next token that is no trivia and no separator.
static int next_solid(const SomSyntax *tree, int token) {
    SomTokenKind kind = som_syntax_token_kind(tree, token);
    while (kind != SOM_TOKEN_END && (som_token_is_trivia(kind) || is_separator(kind))) {
        token++;
        kind = som_syntax_token_kind(tree, token);
    }
    return token;
}

static bool same_text(const SomSyntax *a, int token, const SomSyntax *b, int other) {
    return som_syntax_token_kind(a, token) == som_syntax_token_kind(b, other) &&
           som_str_equal(som_syntax_token_text(a, token), som_syntax_token_text(b, other));
}

// All solid tokens of `a` but those marked in `gone` are those of `b`.
static void check_solid_tokens(const SomSyntax *a, const bool *gone, const SomSyntax *b) {
    int other = next_solid(b, 0);
    for (int i = next_solid(a, 0); i < som_syntax_token_count(a); i = next_solid(a, i + 1)) {
        if (!gone[i]) {
            REQUIRE(same_text(a, i, b, other));
            other = next_solid(b, other + 1);
        }
    }
    REQUIRE(other == som_syntax_token_count(b));
}

// All comments of `a` but those marked in `gone` are in `b`, in order.
static void check_comments(const SomSyntax *a, const bool *gone, const SomSyntax *b) {
    int other = 0;
    for (int i = 0; i < som_syntax_token_count(a); i++) {
        if (som_syntax_token_kind(a, i) != SOM_TOKEN_COMMENT || gone[i]) {
            continue;
        }
        while (other < som_syntax_token_count(b) && !same_text(a, i, b, other)) {
            other++;
        }
        REQUIRE(other < som_syntax_token_count(b));
        other++;
    }
}

static void mark(bool *gone, int first, int end) {
    for (int i = first; i < end; i++) {
        gone[i] = true;
    }
}

static int subtree_size(const SomSyntax *tree, SomNode node) {
    int size = 1;
    for (SomNode child = som_syntax_first_child(tree, node); child != 0;
         child = som_syntax_next_sibling(tree, child)) {
        size += subtree_size(tree, child);
    }
    return size;
}

// Marks what goes with a removed member: its tokens, its comments, and what stands between it and a
// sibling before it that is removed too.
static void mark_removed(const SomSyntax *tree, const bool *removed, SomNode n, bool *gone) {
    mark(gone, som_syntax_first_token(tree, n), som_syntax_end_token(tree, n));
    SomTokenRange comments = som_syntax_leading_comments(tree, n);
    mark(gone, comments.first, comments.end);
    int trailing = som_syntax_trailing_comment(tree, n);
    if (trailing != SOM_NO_TOKEN) {
        gone[trailing] = true;
    }
    SomNode previous = som_syntax_previous_sibling(tree, n);
    if (previous != 0 && removed[previous]) {
        mark(gone, som_syntax_end_token(tree, previous), som_syntax_first_token(tree, n));
    }
    // a comment between a member and its comma goes too
    for (int i = som_syntax_end_token(tree, n); i < som_syntax_token_count(tree); i++) {
        SomTokenKind kind = som_syntax_token_kind(tree, i);
        if (is_separator(kind)) {
            mark(gone, som_syntax_end_token(tree, n), i);
        }
        if (!som_token_is_trivia(kind)) {
            break;
        }
    }
}

static void check_removal(const Parsed *parsed, const uint8_t *bytes, size_t count) {
    const SomSyntax *tree = parsed->tree;
    int node_count = som_syntax_node_count(tree);
    bool *removed = calloc((size_t)node_count + 1, sizeof *removed);
    bool *gone = calloc((size_t)som_syntax_token_count(tree) + 1, sizeof *gone);
    SomEdits *edits = som_edits_create(tree);
    for (size_t i = 0; i < count; i++) {
        SomNode n = 1 + (SomNode)bytes[i] % (SomNode)node_count;
        if (is_member(tree, n)) {
            som_edits_remove(edits, n);
            removed[n] = true;
        }
    }
    int left = node_count;
    for (SomNode n = SOM_ROOT; n != 0; n = som_syntax_next(tree, n)) {
        bool is_inside = false;
        for (SomNode up = som_syntax_parent(tree, n); up != 0; up = som_syntax_parent(tree, up)) {
            is_inside |= removed[up];
        }
        if (removed[n] && !is_inside) {
            left -= subtree_size(tree, n);
            mark_removed(tree, removed, n, gone);
        }
    }
    SomText out = {0};
    REQUIRE(som_edits_apply(edits, &out));
    Parsed after = parse(som_text_str(&out), som_syntax_dialect(tree));
    REQUIRE(som_diagnostics_error_count(after.diags) == 0);
    check_solid_tokens(tree, gone, after.tree);
    check_comments(tree, gone, after.tree);
    REQUIRE(som_syntax_node_count(after.tree) == left);
    free_parsed(&after);
    som_text_free(&out);
    som_edits_destroy(edits);
    free(removed);
    free(gone);
}

// Does what follows a member become part of it? In M3L behind a comma; in roles where the ';' is
// missing that a grammar would ask for.
static bool is_open_ended(const SomSyntax *tree, SomNode n) {
    SomStr text = som_syntax_text(tree, n);
    bool is_statement = som_syntax_kind(tree, n) == SOM_OUTLINE_STATEMENT;
    bool is_ended = som_str_ends_with(text, SOM_STR(";")) || som_str_ends_with(text, SOM_STR("}"));
    return som_str_ends_with(text, SOM_STR(",")) ||
           (is_statement && som_syntax_dialect(tree)->semicolon_is_part && !is_ended);
}

static void insert(SomEdits *edits, const SomSyntax *tree, SomNode n, int how, SomStr text) {
    if (!is_member(tree, n)) {
        som_edits_insert_into(edits, n, text);
    } else if (how == 0) {
        som_edits_insert_before(edits, n, text);
    } else {
        som_edits_insert_after(edits, n, text);
    }
}

static void check_insertion(const Parsed *parsed, SomNode n, int how) {
    const SomSyntax *tree = parsed->tree;
    SomNode row = is_member(tree, n) ? som_syntax_parent(tree, n) : n;
    for (SomNode child = som_syntax_first_child(tree, row); child != 0;
         child = som_syntax_next_sibling(tree, child)) {
        if (is_open_ended(tree, child)) {
            return;
        }
    }
    int kind = som_syntax_kind(tree, row);
    bool is_list = kind == SOM_OUTLINE_PARENS || kind == SOM_OUTLINE_BRACKETS;
    bool has_semicolon = som_syntax_dialect(tree)->semicolon_is_part && !is_list;
    SomStr text = has_semicolon ? SOM_STR("zqxj;") : SOM_STR("zqxj");
    SomEdits *edits = som_edits_create(tree);
    insert(edits, tree, n, how, text);
    SomText out = {0};
    REQUIRE(som_edits_apply(edits, &out));
    Parsed after = parse(som_text_str(&out), som_syntax_dialect(tree));
    REQUIRE(som_diagnostics_error_count(after.diags) == 0);
    REQUIRE(som_syntax_node_count(after.tree) == som_syntax_node_count(tree) + 1);
    bool found = false;
    bool *is_new = calloc((size_t)som_syntax_token_count(after.tree) + 1, sizeof *is_new);
    bool *nothing = calloc((size_t)som_syntax_token_count(tree) + 1, sizeof *nothing);
    for (SomNode m = SOM_ROOT; m != 0; m = som_syntax_next(after.tree, m)) {
        if (m != SOM_ROOT && som_str_equal(som_syntax_text(after.tree, m), text)) {
            found = true;
            mark(is_new, som_syntax_first_token(after.tree, m),
                 som_syntax_end_token(after.tree, m));
            REQUIRE(is_list == (som_syntax_kind(after.tree, m) == SOM_OUTLINE_ELEMENT));
        }
    }
    REQUIRE(found);
    check_solid_tokens(after.tree, is_new, tree);
    check_comments(tree, nothing, after.tree);
    free(is_new);
    free(nothing);
    free_parsed(&after);
    som_text_free(&out);
    som_edits_destroy(edits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const SomDialect *const dialects[] = {&som_dialect_somite, &som_dialect_m3l,
                                                 &som_dialect_role};
    size_t count = size > 1 ? data[1] % 16u : 0;
    if (size < 2 + count) {
        return 0;
    }
    SomStr text = {(const char *)data + 2 + count, size - 2 - count};
    Parsed parsed = parse(text, dialects[data[0] % 3]);
    check_identity(parsed.tree);
    check_replacements(parsed.tree, data + 2, count);
    bool has_mark = memchr(text.data, 'q', text.length) != NULL; // what insertions look for
    if (som_diagnostics_error_count(parsed.diags) == 0 &&
        !som_syntax_has_error(parsed.tree, SOM_ROOT)) {
        check_removal(&parsed, data + 2, count);
        for (size_t i = 0; i < count && !has_mark; i++) {
            SomNode n = 1 + (SomNode)data[2 + i] % (SomNode)som_syntax_node_count(parsed.tree);
            check_insertion(&parsed, n, (int)(i % 2));
        }
    }
    free_parsed(&parsed);
    return 0;
}
