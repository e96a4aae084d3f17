// SPDX-License-Identifier: Apache-2.0
#include "language/edit.h"

#include "language/edit_internal.h"

#include <assert.h>
#include <stdlib.h>

// Line ends and indentation as the text has them first; "\n" and four blanks if it has none.
static void find_layout(SomEdits *edits) {
    const SomSyntax *tree = edits->tree;
    edits->newline = SOM_STR("\n");
    edits->indentation = SOM_STR("    ");
    int count = som_syntax_token_count(tree);
    for (int i = 0; i < count; i++) {
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_NEWLINE) {
            bool is_return = som_str_equal(som_syntax_token_text(tree, i), SOM_STR("\r\n"));
            edits->newline = is_return ? SOM_STR("\r\n") : SOM_STR("\n");
            break;
        }
    }
    for (int i = 0; i + 2 < count; i++) {
        if (som_syntax_token_kind(tree, i) == SOM_TOKEN_NEWLINE &&
            som_syntax_token_kind(tree, i + 1) == SOM_TOKEN_BLANK &&
            !som_token_is_trivia(som_syntax_token_kind(tree, i + 2))) {
            SomStr blank = som_syntax_token_text(tree, i + 1);
            edits->indentation = blank.data[0] == '\t' ? SOM_STR("\t") : blank;
            break;
        }
    }
}

SomEdits *som_edits_create(const SomSyntax *tree) {
    SomEdits *edits = som_alloc(sizeof *edits);
    edits->tree = tree;
    find_layout(edits);
    return edits;
}

void som_edits_destroy(SomEdits *edits) {
    if (edits == NULL) {
        return;
    }
    som_array_free(&edits->replacements);
    som_array_free(&edits->removed);
    som_arena_free(&edits->arena);
    som_free(edits);
}

void som_edits_replace_span(SomEdits *edits, uint32_t begin, uint32_t end, SomStr text) {
    assert(begin <= end && end <= som_syntax_source(edits->tree).length);
    SomReplacement replacement = {begin, end, edits->replacements.count,
                                  som_arena_copy(&edits->arena, text)};
    som_array_push(&edits->replacements, replacement);
}

void som_edits_replace(SomEdits *edits, SomNode node, SomStr text) {
    SomSpan span = som_syntax_span(edits->tree, node);
    som_edits_replace_span(edits, span.begin, span.end, text);
}

void som_edits_remove(SomEdits *edits, SomNode member) {
    assert(som_syntax_parent(edits->tree, member) != 0);
    som_array_push(&edits->removed, member);
}

// By place; of two that begin at one place, insertions come first, in the order of the calls.
static int compare(const void *left, const void *right) {
    const SomReplacement *a = left, *b = right;
    if (a->begin != b->begin) {
        return a->begin < b->begin ? -1 : 1;
    }
    bool a_inserts = a->end == a->begin, b_inserts = b->end == b->begin;
    if (a_inserts != b_inserts) {
        return a_inserts ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

static void sort(SomReplacements *all) {
    if (all->count > 1) {
        qsort(all->data, (size_t)all->count, sizeof *all->data, compare);
    }
}

// Do sorted replacements overlap? Two deletions may: together they delete all that either does.
static bool overlap(const SomReplacements *all) {
    uint32_t end = 0;
    bool deletes = false; // is all up to `end` that matters deleted?
    for (int i = 0; i < all->count; i++) {
        const SomReplacement *r = &all->data[i];
        bool is_deletion = r->text.length == 0 && r->end > r->begin;
        if (r->begin < end && !(is_deletion && deletes)) {
            return true;
        }
        deletes = is_deletion;
        end = r->end > end ? r->end : end;
    }
    return false;
}

bool som_edits_apply(const SomEdits *edits, SomText *out) {
    SomReplacements all = {0};
    for (int i = 0; i < edits->replacements.count; i++) {
        som_array_push(&all, edits->replacements.data[i]);
    }
    som_edits_add_deletions(edits, &all);
    sort(&all);
    bool is_fine = !overlap(&all);
    if (is_fine) {
        SomStr source = som_syntax_source(edits->tree);
        size_t at = 0;
        for (int i = 0; i < all.count; i++) {
            som_text_add(out, som_str_slice(source, at, all.data[i].begin));
            som_text_add(out, all.data[i].text);
            at = all.data[i].end > at ? all.data[i].end : at;
        }
        som_text_add(out, som_str_slice(source, at, source.length));
    }
    som_array_free(&all);
    return is_fine;
}

// Fix-its.

// Sorted by place, which fixes overlap one before? All fixes of their report are given up: half of
// a repair is none. `group` is by order, the index of the fix in the diagnostics.
static void reject_overlapping(const SomReplacements *fixes, const int *group, bool *rejected) {
    uint32_t end = 0;
    bool is_first = true;
    for (int i = 0; i < fixes->count; i++) {
        const SomReplacement *fix = &fixes->data[i];
        bool overlaps = !is_first && (fix->begin < end || (fix->begin == end && fix->end == end));
        if (overlaps || rejected[group[fix->order]]) {
            rejected[group[fix->order]] = true;
            continue;
        }
        end = fix->end;
        is_first = false;
    }
}

int som_edits_add_fixes(SomEdits *edits, const SomDiagnostics *diags) {
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    int *group = som_alloc((size_t)count * sizeof *group);
    bool *rejected = som_alloc((size_t)count * sizeof *rejected);
    SomReplacements fixes = {0};
    int report = 0;
    for (int i = 0; i < count; i++) {
        report = entries[i].kind == SOM_DIAGNOSTIC_REPORT ? i : report;
        group[i] = report;
        if (entries[i].kind == SOM_DIAGNOSTIC_FIX &&
            entries[i].span.source1 == som_syntax_source1(edits->tree)) {
            SomReplacement fix = {entries[i].span.begin, entries[i].span.end, i,
                                  entries[i].message};
            som_array_push(&fixes, fix);
        }
    }
    sort(&fixes);
    reject_overlapping(&fixes, group, rejected);
    int added = 0;
    for (int i = 0; i < fixes.count; i++) {
        const SomReplacement *fix = &fixes.data[i];
        if (!rejected[group[fix->order]]) {
            som_edits_replace_span(edits, fix->begin, fix->end, fix->text);
            added++;
        }
    }
    som_array_free(&fixes);
    som_free(group);
    som_free(rejected);
    return added;
}
