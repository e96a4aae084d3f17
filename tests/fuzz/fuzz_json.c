// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes are a JSON document or get a report.
//
// There is a tree if and only if no error was reported. Places of values and of reports lie in the
// text, members inside what holds them. A tree that is written and read again is the same tree,
// and written again the same text.

#include "tests/base/json_tree.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static void check_inside(SomSpan inner, uint32_t begin, uint32_t end) {
    require(inner.source1 == 1 && begin <= inner.begin && inner.begin <= inner.end &&
            inner.end <= end);
}

static void check_places(const SomJson *tree, uint32_t begin, uint32_t end) {
    check_inside(tree->span, begin, end);
    for (int i = 0; tree->kind == SOM_JSON_ARRAY && i < tree->count; i++) {
        check_places(&tree->items[i], tree->span.begin + 1, tree->span.end - 1);
    }
    for (int i = 0; tree->kind == SOM_JSON_OBJECT && i < tree->count; i++) {
        const SomJsonMember *member = &tree->members[i];
        check_inside(member->key_span, tree->span.begin + 1, tree->span.end - 1);
        check_places(&member->value, member->key_span.end + 1, tree->span.end - 1);
    }
}

static const SomJson *parse(SomArena *arena, SomStr text, SomDiagnostics *diags) {
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a.json"), text);
    const SomJson *tree = som_json_parse(arena, text, source1, diags);
    require((tree == NULL) == (som_diagnostics_error_count(diags) > 0));
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        check_inside(entries[i].span, 0, (uint32_t)text.length);
    }
    return tree;
}

static void write(const SomJson *tree, SomText *out) {
    SomJsonWriter json = {.out = out};
    json_tree_write(tree, &json);
    som_json_end(&json);
}

static void check_round_trip(const SomJson *tree) {
    SomArena arena = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomText first = {0}, second = {0};
    write(tree, &first);
    const SomJson *again = parse(&arena, som_text_str(&first), diags);
    require(again != NULL && json_tree_equal(tree, again));
    write(again, &second);
    require(som_str_equal(som_text_str(&first), som_text_str(&second)));
    som_text_free(&first);
    som_text_free(&second);
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    SomArena arena = {0};
    SomDiagnostics *diags = som_diagnostics_create();
    SomStr text = {(const char *)data, size};
    const SomJson *tree = parse(&arena, text, diags);
    if (tree != NULL) {
        check_places(tree, 0, (uint32_t)size);
        if (json_tree_depth(tree) < SOM_JSON_WRITER_DEPTH) {
            check_round_trip(tree);
        }
    } else {
        SomText printed = {0};
        som_diagnostics_sort(diags);
        som_diagnostics_print(diags, 0, &printed);
        require(printed.length > 0);
        som_text_free(&printed);
    }
    som_diagnostics_destroy(diags);
    som_arena_free(&arena);
    return 0;
}
