// tests/base/json_tree.h - compares trees of base/json_reader.h and writes them out again, for the
// round trips of the unit tests and the fuzz target.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_reader.h"
#include "base/json_writer.h"

// Levels of arrays and objects; 0 for a plain value.
static inline int json_tree_depth(const SomJson *tree) {
    int deepest = 0;
    bool nests = tree->kind == SOM_JSON_ARRAY || tree->kind == SOM_JSON_OBJECT;
    for (int i = 0; nests && i < tree->count; i++) {
        int depth = json_tree_depth(tree->kind == SOM_JSON_ARRAY ? &tree->items[i]
                                                                 : &tree->members[i].value);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + nests;
}

static inline void json_tree_write(const SomJson *tree, SomJsonWriter *json) {
    switch (tree->kind) {
    case SOM_JSON_NULL:
        som_json_null(json);
        break;
    case SOM_JSON_BOOLEAN:
        som_json_boolean(json, tree->boolean);
        break;
    case SOM_JSON_NUMBER:
        som_json_number(json, tree->number);
        break;
    case SOM_JSON_STRING:
        som_json_string(json, tree->string);
        break;
    case SOM_JSON_ARRAY:
        som_json_open_array(json);
        for (int i = 0; i < tree->count; i++) {
            json_tree_write(&tree->items[i], json);
        }
        som_json_close_array(json);
        break;
    case SOM_JSON_OBJECT:
        som_json_open_object(json);
        for (int i = 0; i < tree->count; i++) {
            som_json_key(json, tree->members[i].key);
            json_tree_write(&tree->members[i].value, json);
        }
        som_json_close_object(json);
        break;
    }
}

// Equal in everything but place; numbers by their bits.
static inline bool json_tree_equal(const SomJson *a, const SomJson *b) {
    if (a->kind != b->kind || a->count != b->count) {
        return false;
    }
    switch (a->kind) {
    case SOM_JSON_NULL:
        return true;
    case SOM_JSON_BOOLEAN:
        return a->boolean == b->boolean;
    case SOM_JSON_NUMBER:
        return memcmp(&a->number, &b->number, sizeof a->number) == 0;
    case SOM_JSON_STRING:
        return som_str_equal(a->string, b->string);
    case SOM_JSON_ARRAY:
        for (int i = 0; i < a->count; i++) {
            if (!json_tree_equal(&a->items[i], &b->items[i])) {
                return false;
            }
        }
        return true;
    case SOM_JSON_OBJECT:
        for (int i = 0; i < a->count; i++) {
            if (!som_str_equal(a->members[i].key, b->members[i].key) ||
                !json_tree_equal(&a->members[i].value, &b->members[i].value)) {
                return false;
            }
        }
        return true;
    }
    return false;
}
