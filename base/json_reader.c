// SPDX-License-Identifier: Apache-2.0
#include "base/json_reader.h"

#include "base/codes/base_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

// Of a wrong word in a message, no more than this.
#define QUOTED_BYTES 40

typedef struct Reader {
    SomArena *arena;
    SomStr text;
    uint32_t source1;
    SomDiagnostics *diags;
    size_t at;
    int depth;
    int value_count;
    // members of the arrays and objects that are still open, the innermost last
    SOM_ARRAY(SomJsonMember) pending;
} Reader;

static bool read_value(Reader *reader, SomJson *value);

static SomSpan span_of(const Reader *reader, size_t begin, size_t end) {
    return (SomSpan){reader->source1, (uint32_t)begin, (uint32_t)end};
}

// The byte at an offset, or -1 behind the end.
static int byte_at(const Reader *reader, size_t at) {
    return at < reader->text.length ? (unsigned char)reader->text.data[at] : -1;
}

static void skip_space(Reader *reader) {
    int c = byte_at(reader, reader->at);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        c = byte_at(reader, ++reader->at);
    }
}

// The error after which nothing can be said about the rest: something else stands where `expected`
// should. Returns false, for the caller to return.
static bool stop(Reader *reader, const char *expected) {
    size_t at = reader->at;
    if (at == reader->text.length) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, at, at),
                   "the text ends where %s is expected", expected);
        return false;
    }
    SomStr rest = som_str_slice(reader->text, at, reader->text.length);
    int length = som_utf8_length(rest);
    int c = byte_at(reader, at);
    if (length == 0 || c < 0x20) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, at, at + 1),
                   "byte 0x%02X stands where %s is expected", c, expected);
    } else {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, at, at + (size_t)length),
                   "'%.*s' stands where %s is expected", length, rest.data, expected);
    }
    return false;
}

// ---- strings ----

// The code unit of four hexadecimal digits at `at`, or -1.
static int hex_at(const Reader *reader, size_t at) {
    int unit = 0;
    for (size_t i = 0; i < 4; i++) {
        int c = byte_at(reader, at + i);
        int digit = '0' <= c && c <= '9'   ? c - '0'
                    : 'a' <= c && c <= 'f' ? c - 'a' + 10
                    : 'A' <= c && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        unit = 16 * unit + digit;
    }
    return unit;
}

// Reads \uXXXX, or two of them for a character beyond U+FFFF; a wrong one becomes '?'.
static uint32_t read_unicode_escape(Reader *reader) {
    size_t begin = reader->at;
    int unit = hex_at(reader, begin + 2);
    reader->at += unit < 0 ? 2 : 6;
    if (unit < 0) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, begin, begin + 2),
                   "'\\u' is not followed by four hexadecimal digits");
        return '?';
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        return (uint32_t)unit;
    }
    bool paired = byte_at(reader, reader->at) == '\\' && byte_at(reader, reader->at + 1) == 'u';
    int second = unit < 0xDC00 && paired ? hex_at(reader, reader->at + 2) : -1;
    if (second < 0xDC00 || second > 0xDFFF) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, begin, reader->at),
                   "'%.6s' is half of a surrogate pair", reader->text.data + begin);
        return '?';
    }
    reader->at += 6;
    return 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (uint32_t)(second - 0xDC00);
}

static uint32_t read_escape(Reader *reader) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    int c = byte_at(reader, reader->at + 1);
    if (c == 'u') {
        return read_unicode_escape(reader);
    }
    const char *name = c != 0 ? strchr(names, c) : NULL;
    size_t begin = reader->at;
    SomStr rest = som_str_slice(reader->text, begin + 1, reader->text.length);
    int length = som_utf8_length(rest);
    reader->at += 1 + (size_t)(length > 0 ? length : 1);
    if (name == NULL) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, begin, reader->at),
                   "'\\%.*s' is not an escape", length, rest.data);
        return '?';
    }
    return (uint32_t)meanings[name - names];
}

// Whether a byte inside a string stands for itself and need not be looked at more closely.
static bool is_plain(int c) {
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

// Copies a string from its first escape on, or looks for faults, to the quote that closes it.
// Returns false at the end of the line or text. `copy` has room for the rest of the string.
static bool read_rest_of_string(Reader *reader, char *copy, size_t *length) {
    bool valid = true;
    for (;;) {
        int c = byte_at(reader, reader->at);
        if (c == '"') {
            return true;
        }
        bool escaped = c == '\\';
        int next = escaped ? byte_at(reader, reader->at + 1) : c;
        if (next < 0 || next == '\n' || next == '\r') {
            return false;
        }
        if (escaped) {
            *length += (size_t)som_utf8_encode(read_escape(reader), copy + *length);
            continue;
        }
        SomStr rest = som_str_slice(reader->text, reader->at, reader->text.length);
        int bytes = som_utf8_length(rest);
        SomSpan span = span_of(reader, reader->at, reader->at + 1);
        if (bytes == 0 && valid) {
            som_report(reader->diags, SOM_TEXT_NOT_UTF8, span, "byte 0x%02X is not UTF-8", c);
            valid = false; // one report a string: where one byte is wrong most others are
        } else if (c == 0) {
            som_report(reader->diags, SOM_TEXT_HAS_NUL, span, "a zero byte stands in a string");
        } else if (c < 0x20) {
            som_report(reader->diags, SOM_JSON_SYNTAX, span,
                       "control character 0x%02X stands in a string: write it as \\u%04x", c, c);
        }
        bytes = bytes > 0 ? bytes : 1;
        memcpy(copy + *length, rest.data, (size_t)bytes);
        *length += (size_t)bytes;
        reader->at += (size_t)bytes;
    }
}

// The length of the string that starts at `begin`, up to the quote that closes it or to the end of
// its line.
static size_t measure_string(const Reader *reader, size_t begin) {
    size_t at = begin;
    for (int c = byte_at(reader, at); c >= 0 && c != '"' && c != '\n' && c != '\r';
         c = byte_at(reader, at)) {
        at += c == '\\' ? 2 : 1;
    }
    return (at < reader->text.length ? at : reader->text.length) - begin;
}

static bool read_string(Reader *reader, SomStr *string, SomSpan *span) {
    size_t quote = reader->at++;
    size_t begin = reader->at;
    while (is_plain(byte_at(reader, reader->at))) {
        reader->at++;
    }
    *string = som_str_slice(reader->text, begin, reader->at);
    if (byte_at(reader, reader->at) != '"') {
        // what an escape stands for is never longer than itself
        char *copy = som_arena_new(reader->arena, char, measure_string(reader, begin));
        size_t length = string->length;
        memcpy(copy, string->data, length);
        if (!read_rest_of_string(reader, copy, &length)) {
            som_report(reader->diags, SOM_JSON_SYNTAX, span_of(reader, quote, reader->at),
                       "the string is not closed on its line");
            return false;
        }
        *string = (SomStr){copy, length};
    }
    reader->at++;
    *span = span_of(reader, quote, reader->at);
    return true;
}

// ---- numbers and words ----

static size_t skip_digits(SomStr word, size_t at) {
    while (at < word.length && '0' <= word.data[at] && word.data[at] <= '9') {
        at++;
    }
    return at;
}

static bool is_json_number(SomStr word) {
    size_t at = word.length > 0 && word.data[0] == '-';
    size_t begin = at;
    at = skip_digits(word, at);
    if (at == begin || (word.data[begin] == '0' && at > begin + 1)) {
        return false;
    }
    if (at < word.length && word.data[at] == '.') {
        begin = ++at;
        at = skip_digits(word, at);
        if (at == begin) {
            return false;
        }
    }
    if (at < word.length && (word.data[at] == 'e' || word.data[at] == 'E')) {
        at++;
        at += at < word.length && (word.data[at] == '+' || word.data[at] == '-');
        begin = at;
        at = skip_digits(word, at);
        if (at == begin) {
            return false;
        }
    }
    return at == word.length;
}

static bool is_word_byte(int c) {
    return ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

// A word that is none of JSON's. What it was meant to be is offered where that is certain.
static void report_word(Reader *reader, SomStr word, SomSpan span) {
    int shown = (int)(word.length < QUOTED_BYTES ? word.length : QUOTED_BYTES);
    double number;
    if (som_number_parse(word, &number)) {
        som_report(reader->diags, SOM_JSON_SYNTAX, span,
                   "'%.*s' is not a number in JSON: no '+', no zero in front, digits on both sides "
                   "of the point",
                   shown, word.data);
        return;
    }
    som_report(reader->diags, SOM_JSON_SYNTAX, span, "'%.*s' is not a value in JSON", shown,
               word.data);
    const SomStr words[][2] = {
        {SOM_STR("True"), SOM_STR("true")},   {SOM_STR("TRUE"), SOM_STR("true")},
        {SOM_STR("False"), SOM_STR("false")}, {SOM_STR("FALSE"), SOM_STR("false")},
        {SOM_STR("None"), SOM_STR("null")},   {SOM_STR("NULL"), SOM_STR("null")},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (som_str_equal(word, words[i][0])) {
            som_fix(reader->diags, span, words[i][1]);
        }
    }
}

static bool read_word(Reader *reader, SomJson *value) {
    size_t begin = reader->at;
    while (is_word_byte(byte_at(reader, reader->at))) {
        reader->at++;
    }
    if (reader->at == begin) {
        return stop(reader, "a value");
    }
    SomStr word = som_str_slice(reader->text, begin, reader->at);
    SomSpan span = span_of(reader, begin, reader->at);
    *value = (SomJson){.kind = SOM_JSON_NULL, .span = span};
    if (is_json_number(word)) {
        value->kind = SOM_JSON_NUMBER;
        som_number_parse(word, &value->number);
        if (!isfinite(value->number)) {
            som_report(reader->diags, SOM_JSON_NUMBER_TOO_LARGE, span,
                       "the number is too large for a double");
        }
    } else if (som_str_equal(word, SOM_STR("true")) || som_str_equal(word, SOM_STR("false"))) {
        value->kind = SOM_JSON_BOOLEAN;
        value->boolean = word.data[0] == 't';
    } else if (!som_str_equal(word, SOM_STR("null"))) {
        report_word(reader, word, span);
    }
    return true;
}

// ---- arrays and objects ----

static int compare_members(const void *left, const void *right) {
    const SomJsonMember *a = *(const SomJsonMember *const *)left;
    const SomJsonMember *b = *(const SomJsonMember *const *)right;
    int order = som_str_compare(a->key, b->key);
    return order != 0 ? order : (a > b) - (a < b);
}

// By sorting, since comparing each with each would take hours for a million.
static void report_duplicates(Reader *reader, const SomJsonMember *members, int count) {
    if (count < 2) {
        return;
    }
    const SomJsonMember **sorted = som_alloc((size_t)count * sizeof *sorted);
    for (int i = 0; i < count; i++) {
        sorted[i] = &members[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_members);
    for (int i = 1; i < count; i++) {
        SomStr key = sorted[i]->key;
        if (som_str_equal(sorted[i - 1]->key, key)) {
            int shown = (int)(key.length < QUOTED_BYTES ? key.length : QUOTED_BYTES);
            som_report(reader->diags, SOM_JSON_DUPLICATE_KEY, sorted[i]->key_span,
                       "the object has a member '%.*s' already", shown, key.data);
            som_note(reader->diags, sorted[i - 1]->key_span, "it stands here");
        }
    }
    som_free(sorted);
}

// Moves the members from `first` on, of an array or object that ends here, into the tree.
static void take_members(Reader *reader, int first, SomJson *value) {
    int count = reader->pending.count - first;
    if (count == 0) {
        return;
    }
    const SomJsonMember *from = reader->pending.data + first;
    if (value->kind == SOM_JSON_OBJECT) {
        SomJsonMember *members = som_arena_new(reader->arena, SomJsonMember, count);
        memcpy(members, from, (size_t)count * sizeof *members);
        report_duplicates(reader, members, count);
        value->members = members;
    } else {
        SomJson *items = som_arena_new(reader->arena, SomJson, count);
        for (int i = 0; i < count; i++) {
            items[i] = from[i].value;
        }
        value->items = items;
    }
    value->count = count;
    reader->pending.count = first;
}

static bool read_key(Reader *reader, SomJsonMember *member) {
    if (byte_at(reader, reader->at) != '"') {
        return stop(reader, "a key in double quotes");
    }
    if (!read_string(reader, &member->key, &member->key_span)) {
        return false;
    }
    skip_space(reader);
    if (byte_at(reader, reader->at) != ':') {
        return stop(reader, "':' after the key");
    }
    reader->at++;
    skip_space(reader);
    return true;
}

// Up to the closing bracket, which the caller skips.
static bool read_members(Reader *reader, bool keyed, int closing) {
    const char *follower = keyed ? "',' or '}'" : "',' or ']'";
    skip_space(reader);
    while (byte_at(reader, reader->at) != closing) {
        SomJsonMember member = {0};
        if ((keyed && !read_key(reader, &member)) || !read_value(reader, &member.value)) {
            return false;
        }
        som_array_push(&reader->pending, member);
        skip_space(reader);
        if (byte_at(reader, reader->at) == closing) {
            break;
        }
        if (byte_at(reader, reader->at) != ',') {
            return stop(reader, follower);
        }
        SomSpan comma = span_of(reader, reader->at, reader->at + 1);
        reader->at++;
        skip_space(reader);
        if (byte_at(reader, reader->at) == closing) {
            som_report(reader->diags, SOM_JSON_SYNTAX, comma, "no ',' may stand before '%c'",
                       closing);
            som_fix(reader->diags, comma, SOM_STR(""));
        }
    }
    return true;
}

static bool read_container(Reader *reader, SomJson *value) {
    size_t begin = reader->at++;
    if (reader->depth == SOM_JSON_MAX_DEPTH) {
        som_report(reader->diags, SOM_JSON_TOO_LARGE, span_of(reader, begin, begin + 1),
                   "arrays and objects nest more than %d deep", SOM_JSON_MAX_DEPTH);
        return false;
    }
    bool keyed = reader->text.data[begin] == '{';
    value->kind = keyed ? SOM_JSON_OBJECT : SOM_JSON_ARRAY;
    int first = reader->pending.count;
    reader->depth++;
    if (!read_members(reader, keyed, keyed ? '}' : ']')) {
        return false;
    }
    reader->depth--;
    reader->at++;
    take_members(reader, first, value);
    value->span = span_of(reader, begin, reader->at);
    return true;
}

static bool read_value(Reader *reader, SomJson *value) {
    *value = (SomJson){0};
    if (++reader->value_count > SOM_JSON_MAX_VALUES) {
        som_report(reader->diags, SOM_JSON_TOO_LARGE, span_of(reader, reader->at, reader->at),
                   "the document has more than %d values", SOM_JSON_MAX_VALUES);
        return false;
    }
    int c = byte_at(reader, reader->at);
    if (c == '{' || c == '[') {
        return read_container(reader, value);
    }
    if (c == '"') {
        value->kind = SOM_JSON_STRING;
        return read_string(reader, &value->string, &value->span);
    }
    return read_word(reader, value);
}

const SomJson *som_json_parse(SomArena *arena, SomStr text, uint32_t source1,
                              SomDiagnostics *diags) {
    assert(text.length <= UINT32_MAX);
    Reader reader = {.arena = arena, .text = text, .source1 = source1, .diags = diags};
    int errors = som_diagnostics_error_count(diags);
    SomJson *root = som_arena_new(arena, SomJson, 1);

    // a byte order mark may be ignored, says the RFC, and some editors write one
    reader.at = som_str_starts_with(text, SOM_STR("\xEF\xBB\xBF")) ? 3 : 0;
    skip_space(&reader);
    if (read_value(&reader, root)) {
        skip_space(&reader);
        if (reader.at < text.length) {
            stop(&reader, "the end of the text");
        }
    }
    som_array_free(&reader.pending);
    return som_diagnostics_error_count(diags) == errors ? root : NULL;
}

// ---- looking at a tree ----

static bool is_kind(const SomJson *value, SomJsonKind kind) {
    return value != NULL && value->kind == kind;
}

const SomJson *som_json_get(const SomJson *object, SomStr key) {
    for (int i = 0; is_kind(object, SOM_JSON_OBJECT) && i < object->count; i++) {
        if (som_str_equal(object->members[i].key, key)) {
            return &object->members[i].value;
        }
    }
    return NULL;
}

const SomJson *som_json_at(const SomJson *array, int index) {
    bool inside = is_kind(array, SOM_JSON_ARRAY) && 0 <= index && index < array->count;
    return inside ? &array->items[index] : NULL;
}

double som_json_number_or(const SomJson *value, double otherwise) {
    return is_kind(value, SOM_JSON_NUMBER) ? value->number : otherwise;
}

int som_json_integer_or(const SomJson *value, int otherwise) {
    double number = som_json_number_or(value, 0.5);
    bool fits = INT_MIN <= number && number <= INT_MAX && number == trunc(number);
    return fits ? (int)number : otherwise;
}

bool som_json_boolean_or(const SomJson *value, bool otherwise) {
    return is_kind(value, SOM_JSON_BOOLEAN) ? value->boolean : otherwise;
}

SomStr som_json_string_or(const SomJson *value, SomStr otherwise) {
    return is_kind(value, SOM_JSON_STRING) ? value->string : otherwise;
}

// Returns how many were found, counting on beyond `count`; -1 if there is anything else.
static int collect_numbers(const SomJson *array, double *numbers, int filled, int count) {
    for (int i = 0; i < array->count && filled >= 0; i++) {
        const SomJson *item = &array->items[i];
        if (item->kind == SOM_JSON_ARRAY) {
            filled = collect_numbers(item, numbers, filled, count);
        } else if (item->kind == SOM_JSON_NUMBER) {
            if (filled < count) {
                numbers[filled] = item->number;
            }
            filled++;
        } else {
            filled = -1;
        }
    }
    return filled;
}

bool som_json_numbers_of(const SomJson *array, double *numbers, int count) {
    return is_kind(array, SOM_JSON_ARRAY) && collect_numbers(array, numbers, 0, count) == count;
}

static const char *kind_words(SomJsonKind kind) {
    static const char *const words[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return words[kind];
}

const SomJson *som_json_require(const SomJson *object, SomStr key, SomJsonKind kind,
                                SomDiagnostics *diags) {
    if (object == NULL) {
        return NULL;
    }
    if (object->kind != SOM_JSON_OBJECT) {
        som_report(diags, SOM_JSON_WRONG_MEMBER, object->span,
                   "%s stands where an object with '%.*s' is expected", kind_words(object->kind),
                   SOM_STR_ARG(key));
        return NULL;
    }
    const SomJson *value = som_json_get(object, key);
    if (value == NULL) {
        SomSpan opening = {object->span.source1, object->span.begin, object->span.begin + 1};
        som_report(diags, SOM_JSON_WRONG_MEMBER, opening, "the object has no member '%.*s'",
                   SOM_STR_ARG(key));
        return NULL;
    }
    if (value->kind != kind) {
        som_report(diags, SOM_JSON_WRONG_MEMBER, value->span, "'%.*s' is %s, not %s",
                   SOM_STR_ARG(key), kind_words(value->kind), kind_words(kind));
        return NULL;
    }
    return value;
}

bool som_json_require_numbers(const SomJson *object, SomStr key, double *numbers, int count,
                              SomDiagnostics *diags) {
    const SomJson *array = som_json_require(object, key, SOM_JSON_ARRAY, diags);
    if (array != NULL && !som_json_numbers_of(array, numbers, count)) {
        som_report(diags, SOM_JSON_WRONG_MEMBER, array->span, "'%.*s' is not %d numbers",
                   SOM_STR_ARG(key), count);
        return false;
    }
    return array != NULL;
}
