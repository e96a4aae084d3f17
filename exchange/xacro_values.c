// SPDX-License-Identifier: Apache-2.0
// Values of xacro: what a text means, how a value is written, and what is in lists and dicts.

#include "base/codes/exchange_codes.h"
#include "base/number.h"
#include "exchange/xacro_internal.h"

#include <math.h>

#define MAX_NESTING 40 // of lists in lists

// ---- making

SomXacroValue som_xacro_number(double number, bool is_integer) {
    return (SomXacroValue){.kind = SOM_XACRO_NUMBER, .number = number, .is_integer = is_integer};
}

SomXacroValue som_xacro_truth(bool truth) {
    return (SomXacroValue){.kind = SOM_XACRO_TRUTH, .number = truth, .is_integer = true};
}

SomXacroValue som_xacro_text(SomStr text) {
    return (SomXacroValue){.kind = SOM_XACRO_TEXT, .text = text};
}

SomXacroValue som_xacro_collect(SomXacro *x, SomXacroKind kind, const SomXacroItem *items,
                                int count, SomSpan span) {
    SomXacroValue value = {.kind = kind};
    if (som_xacro_spend(x, sizeof *items * (size_t)count, (size_t)count, span)) {
        SomXacroItem *copy = som_arena_new(&x->out->arena, SomXacroItem, count + 1);
        for (int i = 0; i < count; i++) {
            copy[i] = items[i];
        }
        value.items = copy;
        value.count = count;
    }
    return value;
}

// What a text means where it is no expression.
SomXacroValue som_xacro_literal(SomStr text) {
    SomStr word = text;
    while (word.length > 0 && (word.data[0] == ' ' || word.data[0] == '\t')) {
        word = som_str_slice(word, 1, word.length);
    }
    while (word.length > 0 && (word.data[word.length - 1] == ' ')) {
        word.length--;
    }
    double number;
    if (text.length >= 2 && text.data[0] == '\'' && text.data[text.length - 1] == '\'') {
        return som_xacro_text(som_str_slice(text, 1, text.length - 1));
    }
    if (som_number_parse(word, &number) && isfinite(number)) {
        bool is_integer = true;
        for (size_t i = 0; i < word.length; i++) {
            char c = word.data[i];
            is_integer = is_integer && ((c >= '0' && c <= '9') || c == '-' || c == '+');
        }
        return som_xacro_number(number, is_integer);
    }
    bool is_true = som_str_equal(word, SOM_STR("true")) || som_str_equal(word, SOM_STR("True"));
    bool is_false = som_str_equal(word, SOM_STR("false")) || som_str_equal(word, SOM_STR("False"));
    return is_true || is_false ? som_xacro_truth(is_true) : som_xacro_text(text);
}

// ---- asking

bool som_xacro_is_number(const SomXacroValue *value) {
    return value->kind == SOM_XACRO_NUMBER || value->kind == SOM_XACRO_TRUTH;
}

static bool is_collection(const SomXacroValue *value) {
    return value->kind == SOM_XACRO_LIST || value->kind == SOM_XACRO_DICT;
}

bool som_xacro_is_true(const SomXacroValue *value) {
    return value->kind == SOM_XACRO_TEXT   ? value->text.length > 0
           : value->kind == SOM_XACRO_NONE ? false
           : is_collection(value)          ? value->count > 0
                                           : value->number != 0;
}

static bool is_equal(SomXacro *x, const SomXacroValue *a, const SomXacroValue *b, int depth) {
    if (!som_xacro_spend(x, 0, 1, (SomSpan){0}) || depth > MAX_NESTING) {
        return false;
    }
    if (som_xacro_is_number(a) && som_xacro_is_number(b)) {
        return a->number == b->number;
    }
    if (a->kind != b->kind || !is_collection(a)) {
        return a->kind == b->kind && som_str_equal(a->text, b->text);
    }
    bool are_equal = a->count == b->count;
    for (int i = 0; i < a->count && are_equal; i++) {
        const SomXacroValue *other = &b->items[i].value;
        if (a->kind == SOM_XACRO_DICT) {
            other = som_xacro_find_item(x, b, &a->items[i].key);
        }
        are_equal = other != NULL && is_equal(x, &a->items[i].value, other, depth + 1);
    }
    return are_equal;
}

bool som_xacro_equal(SomXacro *x, const SomXacroValue *a, const SomXacroValue *b) {
    return is_equal(x, a, b, 0);
}

const SomXacroValue *som_xacro_find_item(SomXacro *x, const SomXacroValue *value,
                                         const SomXacroValue *key) {
    if (value->kind == SOM_XACRO_LIST) {
        double at = key->number + (key->number < 0 ? value->count : 0);
        bool is_there = som_xacro_is_number(key) && key->is_integer && at >= 0 && at < value->count;
        return is_there ? &value->items[(int)at].value : NULL;
    }
    for (int i = value->count - 1; i >= 0 && value->kind == SOM_XACRO_DICT; i--) {
        if (is_equal(x, &value->items[i].key, key, 0)) {
            return &value->items[i].value;
        }
    }
    return NULL;
}

bool som_xacro_contains(SomXacro *x, const SomXacroValue *value, const SomXacroValue *wanted) {
    bool is_there = value->kind == SOM_XACRO_DICT && som_xacro_find_item(x, value, wanted) != NULL;
    for (int i = 0; i < value->count && value->kind == SOM_XACRO_LIST && !is_there; i++) {
        is_there = is_equal(x, &value->items[i].value, wanted, 0);
    }
    if (value->kind == SOM_XACRO_TEXT && wanted->kind == SOM_XACRO_TEXT &&
        som_xacro_spend(x, 0, value->text.length, (SomSpan){0})) {
        for (size_t at = 0; at + wanted->text.length <= value->text.length && !is_there; at++) {
            SomStr rest = som_str_slice(value->text, at, value->text.length);
            is_there = som_str_starts_with(rest, wanted->text);
        }
    }
    return is_there;
}

// ---- parts and wholes

SomXacroValue som_xacro_join(SomXacro *x, const SomXacroValue *a, const SomXacroValue *b,
                             SomSpan span) {
    SOM_ARRAY(SomXacroItem) items = {0};
    SomText text = {0};
    som_text_add(&text, a->text);
    som_text_add(&text, b->text);
    for (int i = 0; i < a->count + b->count; i++) {
        som_array_push(&items, i < a->count ? a->items[i] : b->items[i - a->count]);
    }
    SomXacroValue joined = som_xacro_collect(x, a->kind, items.data, items.count, span);
    joined.text = som_xacro_copy(x, som_text_str(&text), span);
    som_array_free(&items);
    som_text_free(&text);
    return joined;
}

// Where a slice begins or ends, as Python counts.
static int bound_of(const SomXacroValue *given, int count, int otherwise) {
    double at = given != NULL ? given->number + (given->number < 0 ? count : 0) : otherwise;
    return (int)fmin(fmax(at, 0), count);
}

bool som_xacro_slice(SomXacro *x, SomXacroValue *value, const SomXacroValue *begin,
                     const SomXacroValue *end, SomSpan span) {
    bool is_text = value->kind == SOM_XACRO_TEXT;
    bool fine = (begin == NULL || (som_xacro_is_number(begin) && begin->is_integer)) &&
                (end == NULL || (som_xacro_is_number(end) && end->is_integer)) &&
                (is_text || value->kind == SOM_XACRO_LIST);
    int count = is_text ? (int)value->text.length : value->count;
    int first = fine ? bound_of(begin, count, 0) : 0, last = fine ? bound_of(end, count, count) : 0;
    last = last < first ? first : last;
    if (fine && is_text) {
        *value = som_xacro_text(som_str_slice(value->text, (size_t)first, (size_t)last));
    } else if (fine) {
        *value = som_xacro_collect(x, SOM_XACRO_LIST, value->items + first, last - first, span);
    }
    return fine;
}

// ---- writing

// As Python writes it; texts in lists have quotes.
static void print_value(SomXacro *x, const SomXacroValue *value, int depth, SomText *out) {
    if (depth > MAX_NESTING || !som_xacro_spend(x, 0, 1, (SomSpan){0})) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, (SomSpan){0}, "lists lie more than %d deep in lists",
                       MAX_NESTING);
        return;
    }
    size_t begin = out->length;
    switch (value->kind) {
    case SOM_XACRO_TEXT:
        som_text_add_char(out, '\'', depth > 0);
        som_text_add(out, value->text);
        som_text_add_char(out, '\'', depth > 0);
        break;
    case SOM_XACRO_NONE:
        som_text_add(out, SOM_STR("None"));
        break;
    case SOM_XACRO_TRUTH:
        som_text_add(out, value->number != 0 ? SOM_STR("True") : SOM_STR("False"));
        break;
    case SOM_XACRO_NUMBER:
        som_text_number(out, value->number);
        if (!value->is_integer && strcspn(out->data + begin, ".eni") == out->length - begin) {
            som_text_add(out, SOM_STR(".0"));
        }
        break;
    case SOM_XACRO_LIST:
    case SOM_XACRO_DICT:
        som_text_add_char(out, value->kind == SOM_XACRO_LIST ? '[' : '{', 1);
        for (int i = 0; i < value->count && !x->failed; i++) {
            som_text_add(out, i > 0 ? SOM_STR(", ") : SOM_STR(""));
            if (value->kind == SOM_XACRO_DICT) {
                print_value(x, &value->items[i].key, depth + 1, out);
                som_text_add(out, SOM_STR(": "));
            }
            print_value(x, &value->items[i].value, depth + 1, out);
            som_xacro_spend(x, out->length - begin, 0, (SomSpan){0}); // which are copied outwards
        }
        som_text_add_char(out, value->kind == SOM_XACRO_LIST ? ']' : '}', 1);
        break;
    }
}

SomStr som_xacro_print(SomXacro *x, const SomXacroValue *value, SomSpan span) {
    if (value->kind == SOM_XACRO_TEXT) {
        return value->text;
    }
    SomText text = {0};
    x->at = span;
    print_value(x, value, 0, &text);
    SomStr copy = som_xacro_copy(x, som_text_str(&text), span);
    som_text_free(&text);
    return copy;
}
