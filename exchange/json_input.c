// SPDX-License-Identifier: Apache-2.0

#include "exchange/json_input.h"

#include "base/codes/exchange_codes.h"
#include "base/number.h"

#include <math.h>

#define MOST_KEYS 40
// Of a rotation: matrices are typed with few digits.
#define RIGID 1e-3

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(SomStr text, size_t at) {
    while (at < text.length && is_blank(text.data[at])) {
        at++;
    }
    return at;
}

bool som_json_begins(SomStr text) {
    size_t at = som_str_starts_with(text, SOM_STR("\xEF\xBB\xBF")) ? 3 : 0;
    at = skip_blanks(text, at);
    return at < text.length && (text.data[at] == '{' || text.data[at] == '[');
}

// The end of the string that begins here, behind its quote.
static size_t skip_string(SomStr text, size_t at) {
    for (at++; at < text.length && text.data[at] != '"'; at++) {
        at += text.data[at] == '\\';
    }
    return at + 1 < text.length ? at + 1 : text.length;
}

bool som_json_has_key(const SomJsonKeys *keys, int depth, const char *key) {
    for (int i = 0; i < keys->counts[depth - 1]; i++) {
        if (som_str_equal(keys->names[depth - 1][i], som_str(key))) {
            return true;
        }
    }
    return false;
}

static void add_key(SomJsonKeys *keys, int depth, SomStr key) {
    int *count = &keys->counts[depth - 1];
    SomStr *names = keys->names[depth - 1];
    for (int i = 0; i < *count; i++) {
        if (som_str_equal(names[i], key)) {
            return;
        }
    }
    if (*count < SOM_JSON_SNIFF_KEYS) {
        names[(*count)++] = key;
    }
}

void som_json_sniff(SomStr text, SomJsonKeys *keys) {
    memset(keys->counts, 0, sizeof keys->counts);
    int level = 0;
    for (size_t at = som_json_begins(text) ? 0 : text.length; at < text.length;) {
        char c = text.data[at];
        if (c != '"') {
            level += (c == '{' || c == '[') - (c == '}' || c == ']');
            at++;
            continue;
        }
        size_t end = skip_string(text, at), colon = skip_blanks(text, end);
        if (level >= 1 && level <= SOM_JSON_SNIFF_DEPTH && colon < text.length &&
            text.data[colon] == ':') {
            add_key(keys, level, som_str_slice(text, at + 1, end - 1));
        }
        at = end;
    }
}

// ---- members that mean nothing

static void ignore(SomJsonIgnored *ignored, const SomJsonMember *member) {
    for (int i = 0; i < ignored->keys.count; i++) {
        if (som_str_equal(ignored->keys.data[i].key, member->key)) {
            ignored->keys.data[i].count++;
            return;
        }
    }
    if (ignored->keys.count == MOST_KEYS) {
        ignored->rest++;
        return;
    }
    SomJsonIgnoredKey added = {member->key, member->key_span, 1};
    som_array_push(&ignored->keys, added);
}

void som_json_ignore_others(SomJsonIgnored *ignored, const SomJson *object,
                            const char *const *known) {
    for (int i = 0; object != NULL && object->kind == SOM_JSON_OBJECT && i < object->count; i++) {
        const char *const *name = known;
        while (*name != NULL && !som_str_equal(object->members[i].key, som_str(*name))) {
            name++;
        }
        if (*name == NULL) {
            ignore(ignored, &object->members[i]);
        }
    }
}

void som_json_report_ignored(SomJsonIgnored *ignored, SomDiagnostics *diags) {
    for (int i = 0; i < ignored->keys.count; i++) {
        const SomJsonIgnoredKey *key = &ignored->keys.data[i];
        SomText times = {0};
        if (key->count > 1) {
            som_text_printf(&times, ", %d times", key->count);
        }
        som_report(diags, SOM_IMPORT_ELEMENT_IGNORED, key->span, "'%.*s' was left out%s",
                   SOM_STR_ARG(som_str_slice(key->key, 0, 60)), som_text_str(&times).data);
        som_text_free(&times);
    }
    som_note_more(diags, ignored->rest);
    som_array_free(&ignored->keys);
    ignored->rest = 0;
}

// ---- values

static bool check_limit(const SomJson *value, double limit, SomDiagnostics *diags) {
    if (fabs(value->number) <= limit) {
        return true;
    }
    SomText number = {0};
    som_text_number(&number, value->number);
    som_report(diags, SOM_IMPORT_OUT_OF_RANGE, value->span, "%s is too large", number.data);
    som_text_free(&number);
    return false;
}

bool som_json_need_number(const SomJson *object, const char *key, double limit, double *number,
                          SomDiagnostics *diags) {
    const SomJson *value = som_json_require(object, som_str(key), SOM_JSON_NUMBER, diags);
    if (value == NULL || !check_limit(value, limit, diags)) {
        return false;
    }
    *number = value->number;
    return true;
}

bool som_json_take_number(const SomJson *object, const char *key, double limit, double *number,
                          SomDiagnostics *diags) {
    return som_json_get(object, som_str(key)) == NULL ||
           som_json_need_number(object, key, limit, number, diags);
}

bool som_json_check_kind(const SomJson *object, const char *key, SomJsonKind kind,
                         SomDiagnostics *diags) {
    const SomJson *value = som_json_get(object, som_str(key));
    return value == NULL || value->kind == SOM_JSON_NULL ||
           som_json_require(object, som_str(key), kind, diags) != NULL;
}

bool som_json_take_pose(const SomJson *matrix, double limit, SomPose *pose, SomDiagnostics *diags) {
    double n[16];
    bool has_numbers = som_json_numbers_of(matrix, n, 16), is_rigid = has_numbers;
    for (int i = 0; is_rigid && i < 16; i++) {
        is_rigid = fabs(n[i]) <= (i % 4 == 3 ? limit : 2);
    }
    if (is_rigid) {
        SomMat3 r = {{{n[0], n[1], n[2]}, {n[4], n[5], n[6]}, {n[8], n[9], n[10]}}};
        SomMat3 one = som_mat3_multiply(r, som_mat3_transpose(r));
        for (int i = 0; i < 9; i++) {
            is_rigid = is_rigid && fabs(one.m[i / 3][i % 3] - (i % 4 == 0)) < RIGID;
        }
        SomVec3 x = {n[0], n[4], n[8]}, y = {n[1], n[5], n[9]}, z = {n[2], n[6], n[10]};
        is_rigid = is_rigid && som_vec3_dot(som_vec3_cross(x, y), z) > 0 && n[12] == 0 &&
                   n[13] == 0 && n[14] == 0 && n[15] == 1;
        *pose = (SomPose){som_rotation_normalise(r), {n[3], n[7], n[11]}};
    }
    if (!is_rigid) {
        som_report(diags, SOM_IMPORT_NOT_RIGID, matrix->span, "%s",
                   has_numbers ? "these four rows are not a rotation and a position"
                               : "expected four rows of four numbers");
    }
    return is_rigid;
}
