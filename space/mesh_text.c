// SPDX-License-Identifier: Apache-2.0
// Words and numbers of the mesh formats that are text.

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/mesh_internal.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// The length of a '\' and the line end after it; 0 if there is none.
static size_t joint_length(SomStr text, size_t at) {
    if (text.data[at] != '\\') {
        return 0;
    }
    size_t next = at + 1;
    next += next < text.length && text.data[next] == '\r';
    return next < text.length && text.data[next] == '\n' ? next + 1 - at : 0;
}

static void skip_blanks(SomStr text, size_t *at, bool in_line) {
    while (*at < text.length) {
        char c = text.data[*at];
        size_t joint = in_line ? joint_length(text, *at) : 0;
        if (joint > 0) {
            *at += joint;
        } else if (is_blank(c) || (!in_line && c == '\n')) {
            (*at)++;
        } else if (in_line && c == '#') {
            som_mesh_skip_line(text, at);
        } else {
            break;
        }
    }
}

SomStr som_mesh_next_word(SomStr text, size_t *at, bool in_line) {
    skip_blanks(text, at, in_line);
    size_t begin = *at;
    while (*at < text.length && !is_blank(text.data[*at]) && text.data[*at] != '\n' &&
           !(in_line && (text.data[*at] == '#' || joint_length(text, *at) > 0))) {
        (*at)++;
    }
    return som_str_slice(text, begin, *at);
}

void som_mesh_skip_line(SomStr text, size_t *at) {
    const char *end = *at < text.length ? memchr(text.data + *at, '\n', text.length - *at) : NULL;
    *at = end != NULL ? (size_t)(end - text.data) : text.length;
}

bool som_mesh_word_is(SomStr word, const char *lower_case) {
    size_t length = strlen(lower_case);
    if (word.length != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = word.data[i];
        if ('A' <= c && c <= 'Z') {
            c = (char)(c - 'A' + 'a');
        }
        if (c != lower_case[i]) {
            return false;
        }
    }
    return true;
}

// What C libraries print for numbers that are none: nan, -nan(ind), inf, 1.#INF.
static bool is_not_finite(SomStr word) {
    size_t sign = word.length > 0 && (word.data[0] == '-' || word.data[0] == '+') ? 1 : 0;
    SomStr start = som_str_slice(word, sign, sign + 3);
    return som_mesh_word_is(start, "nan") || som_mesh_word_is(start, "inf") ||
           som_mesh_word_is(start, "1.#");
}

bool som_mesh_take_number(SomMeshReader *reader, SomStr word, size_t begin, double *value) {
    if (word.length == 0) {
        return som_mesh_fail_at_end(reader, begin, "a number");
    }
    if (is_not_finite(word)) {
        return som_mesh_fail(reader, SOM_MESH_NOT_FINITE, begin, "'%.*s' is not a finite number",
                             SOM_MESH_WORD_ARG(word));
    }
    if (som_number_read(word, value) != word.length) {
        return som_mesh_fail(reader, SOM_MESH_SYNTAX, begin, "'%.*s' stands where a number belongs",
                             SOM_MESH_WORD_ARG(word));
    }
    return true;
}

bool som_mesh_read_number(SomMeshReader *reader, size_t *at, bool in_line, double *value) {
    SomStr word = som_mesh_next_word(reader->bytes, at, in_line);
    return som_mesh_take_number(reader, word, *at - word.length, value);
}

bool som_mesh_read_point(SomMeshReader *reader, size_t *at, bool in_line, SomVec3 *point) {
    return som_mesh_read_number(reader, at, in_line, &point->x) &&
           som_mesh_read_number(reader, at, in_line, &point->y) &&
           som_mesh_read_number(reader, at, in_line, &point->z);
}

bool som_mesh_fail_at_end(SomMeshReader *reader, size_t at, const char *wanted) {
    if (at >= reader->bytes.length) {
        return som_mesh_fail(reader, SOM_MESH_TRUNCATED, at, "the file ends where %s belongs",
                             wanted);
    }
    return som_mesh_fail(reader, SOM_MESH_SYNTAX, at, "the line ends where %s belongs", wanted);
}
