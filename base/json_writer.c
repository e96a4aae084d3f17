// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include "base/number.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static uint64_t bit(int level) {
    return (uint64_t)1 << level;
}

static void set_bit(uint64_t *bits, int level, bool value) {
    *bits = value ? *bits | bit(level) : *bits & ~bit(level);
}

static void new_line(SomJsonWriter *json) {
    som_text_add_char(json->out, '\n', 1);
    som_text_add_char(json->out, ' ', 2 * json->depth);
}

// What stands between the value before and this one. Members of objects, and whatever nests inside
// an array, start a line; plain values in an array follow on the same one.
static void start_value(SomJsonWriter *json, bool nests) {
    int level = json->depth;
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    bool first = !(json->has_member & bit(level));
    set_bit(&json->has_member, level, true);
    if (level == 0) {
        assert(first); // a document is one value
        return;
    }
    assert(json->is_array & bit(level)); // a member of an object needs a key
    if (!first) {
        som_text_add_char(json->out, ',', 1);
    }
    if (nests) {
        set_bit(&json->has_nested, level, true);
        new_line(json);
    } else if (!first) {
        som_text_add_char(json->out, ' ', 1);
    }
}

static void open(SomJsonWriter *json, char bracket, bool is_array) {
    start_value(json, true);
    som_text_add_char(json->out, bracket, 1);
    json->depth++;
    assert(json->depth < SOM_JSON_WRITER_DEPTH);
    set_bit(&json->is_array, json->depth, is_array);
    set_bit(&json->has_member, json->depth, false);
    set_bit(&json->has_nested, json->depth, false);
}

static void close(SomJsonWriter *json, char bracket, bool is_array) {
    int level = json->depth;
    assert(level > 0 && !json->after_key && is_array == !!(json->is_array & bit(level)));
    json->depth--;
    if (json->has_nested & bit(level)) {
        new_line(json);
    }
    som_text_add_char(json->out, bracket, 1);
}

void som_json_open_object(SomJsonWriter *json) {
    open(json, '{', false);
}

void som_json_close_object(SomJsonWriter *json) {
    close(json, '}', false);
}

void som_json_open_array(SomJsonWriter *json) {
    open(json, '[', true);
}

void som_json_close_array(SomJsonWriter *json) {
    close(json, ']', true);
}

static void add_escape(SomText *out, unsigned char c) {
    static const char names[] = "\"\\bfnrt", meanings[] = "\"\\\b\f\n\r\t";
    const char *found = c > 0 ? strchr(meanings, c) : NULL;
    if (found != NULL) {
        som_text_printf(out, "\\%c", names[found - meanings]);
    } else {
        som_text_printf(out, "\\u%04x", c);
    }
}

static void add_quoted(SomText *out, SomStr value) {
    som_text_add_char(out, '"', 1);
    size_t plain = 0; // what stands for itself is added in one piece
    for (size_t at = 0; at < value.length;) {
        unsigned char c = (unsigned char)value.data[at];
        bool special = c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
        int length = c < 0x80 ? 1 : som_utf8_length(som_str_slice(value, at, value.length));
        if (length > 0 && !special) {
            at += (size_t)length;
            continue;
        }
        som_text_add(out, som_str_slice(value, plain, at));
        if (special) {
            add_escape(out, c);
        } else {
            som_text_add(out, SOM_STR("\xEF\xBF\xBD")); // U+FFFD
        }
        plain = ++at;
    }
    som_text_add(out, som_str_slice(value, plain, value.length));
    som_text_add_char(out, '"', 1);
}

void som_json_key(SomJsonWriter *json, SomStr key) {
    int level = json->depth;
    assert(level > 0 && !(json->is_array & bit(level)) && !json->after_key);
    if (json->has_member & bit(level)) {
        som_text_add_char(json->out, ',', 1);
    }
    set_bit(&json->has_member, level, true);
    set_bit(&json->has_nested, level, true);
    new_line(json);
    add_quoted(json->out, key);
    som_text_add(json->out, SOM_STR(": "));
    json->after_key = true;
}

void som_json_string(SomJsonWriter *json, SomStr value) {
    start_value(json, false);
    add_quoted(json->out, value);
}

void som_json_number(SomJsonWriter *json, double value) {
    if (!isfinite(value)) {
        som_json_null(json);
        return;
    }
    start_value(json, false);
    som_text_number(json->out, value);
}

void som_json_integer(SomJsonWriter *json, int64_t value) {
    start_value(json, false);
    som_text_printf(json->out, "%" PRId64, value);
}

void som_json_boolean(SomJsonWriter *json, bool value) {
    start_value(json, false);
    som_text_add(json->out, value ? SOM_STR("true") : SOM_STR("false"));
}

void som_json_null(SomJsonWriter *json) {
    start_value(json, false);
    som_text_add(json->out, SOM_STR("null"));
}

void som_json_numbers(SomJsonWriter *json, const double *values, int count) {
    som_json_open_array(json);
    for (int i = 0; i < count; i++) {
        som_json_number(json, values[i]);
    }
    som_json_close_array(json);
}

void som_json_member_string(SomJsonWriter *json, const char *key, SomStr value) {
    som_json_key(json, som_str(key));
    som_json_string(json, value);
}

void som_json_member_number(SomJsonWriter *json, const char *key, double value) {
    som_json_key(json, som_str(key));
    som_json_number(json, value);
}

void som_json_member_integer(SomJsonWriter *json, const char *key, int64_t value) {
    som_json_key(json, som_str(key));
    som_json_integer(json, value);
}

void som_json_member_boolean(SomJsonWriter *json, const char *key, bool value) {
    som_json_key(json, som_str(key));
    som_json_boolean(json, value);
}

void som_json_end(SomJsonWriter *json) {
    assert(json->depth == 0 && !json->after_key && (json->has_member & bit(0)));
    set_bit(&json->has_member, 0, false);
    som_text_add_char(json->out, '\n', 1);
}
