// SPDX-License-Identifier: Apache-2.0
// Tokens, brackets and names of VRML97.

#include "base/codes/space_codes.h"
#include "space/vrml_internal.h"

#include <stdlib.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static bool is_bracket(char c) {
    return c == '{' || c == '}' || c == '[' || c == ']';
}

// Old files end lines with "\r" alone.
static void skip_comment(SomStr text, size_t *at) {
    while (*at < text.length && text.data[*at] != '\n' && text.data[*at] != '\r') {
        ++*at;
    }
}

SomStr som_vrml_next(const SomVrml *vrml, size_t *at) {
    SomStr text = vrml->reader->bytes;
    while (*at < text.length && (is_blank(text.data[*at]) || text.data[*at] == '#')) {
        if (text.data[*at] == '#') {
            skip_comment(text, at);
        } else {
            (*at)++;
        }
    }
    size_t begin = *at;
    if (begin < text.length && text.data[begin] == '"') {
        for (++*at; *at < text.length && text.data[*at] != '"'; ++*at) {
            *at += text.data[*at] == '\\' && *at + 1 < text.length;
        }
        *at += *at < text.length;
    } else if (begin < text.length && is_bracket(text.data[begin])) {
        ++*at;
    } else {
        while (*at < text.length && !is_blank(text.data[*at]) && !is_bracket(text.data[*at]) &&
               text.data[*at] != '#' && text.data[*at] != '"') {
            ++*at;
        }
    }
    return som_str_slice(text, begin, *at);
}

bool som_vrml_is(SomStr token, const char *word) {
    return som_str_equal(token, som_str(word));
}

static size_t place_of(const SomVrml *vrml, SomStr token) {
    return (size_t)(token.data - vrml->reader->bytes.data);
}

static bool fail_at(SomVrml *vrml, SomStr token, const char *wanted) {
    if (token.length == 0) {
        return som_mesh_fail_at_end(vrml->reader, vrml->reader->bytes.length, wanted);
    }
    return som_mesh_fail(vrml->reader, SOM_MESH_SYNTAX, place_of(vrml, token),
                         "'%.*s' stands where %s belongs", SOM_MESH_WORD_ARG(token), wanted);
}

static bool is_word(SomStr token) {
    char c = token.length > 0 ? token.data[0] : '"';
    return c != '"' && !is_bracket(c);
}

static bool looks_like_number(SomStr token) {
    char c = token.length > 0 ? token.data[0] : 'x';
    return ('0' <= c && c <= '9') || c == '-' || c == '+' || c == '.';
}

// The first line says which VRML it is.
static bool check_head(SomMeshReader *reader) {
    SomStr text = reader->bytes;
    if (som_str_starts_with(text, SOM_STR("\x1f\x8b"))) {
        return som_mesh_fail(reader, SOM_MESH_NOT_VRML97, SOM_MESH_NOWHERE,
                             "the file is compressed");
    }
    if (!som_str_starts_with(text, SOM_STR("#VRML V2.0 utf8"))) {
        bool is_old = som_str_starts_with(text, SOM_STR("#VRML V1.0"));
        return som_mesh_fail(reader, SOM_MESH_NOT_VRML97, 0,
                             is_old ? "the file is VRML 1.0"
                                    : "the file does not begin with '#VRML V2.0 utf8'");
    }
    return true;
}

// What is open while brackets are matched.
typedef struct Open {
    int brackets[SOM_VRML_MAX_DEPTH];
    int depth;
    int prototype; // depth at which the body of a PROTO stands or is awaited; -1 if none
} Open;

static bool open_bracket(SomVrml *vrml, Open *open, SomStr token) {
    if (open->depth == SOM_VRML_MAX_DEPTH) {
        return som_mesh_fail(vrml->reader, SOM_MESH_NESTED_TOO_MUCH, place_of(vrml, token),
                             "nodes lie more than %d deep", SOM_VRML_MAX_DEPTH);
    }
    if (vrml->brackets.count == SOM_VRML_MAX_BRACKETS) {
        return som_mesh_fail(vrml->reader, SOM_MESH_NESTED_TOO_MUCH, place_of(vrml, token),
                             "there are more than %d nodes and lists", SOM_VRML_MAX_BRACKETS);
    }
    open->brackets[open->depth++] = vrml->brackets.count;
    SomVrmlBracket bracket = {(uint32_t)place_of(vrml, token), 0};
    som_array_push(&vrml->brackets, bracket);
    return true;
}

static bool close_bracket(SomVrml *vrml, Open *open, SomStr token) {
    bool is_brace = token.data[0] == '}';
    SomVrmlBracket *bracket =
        open->depth > 0 ? &vrml->brackets.data[open->brackets[open->depth - 1]] : NULL;
    if (bracket == NULL || vrml->reader->bytes.data[bracket->begin] != (is_brace ? '{' : '[')) {
        return som_mesh_fail(vrml->reader, SOM_MESH_SYNTAX, place_of(vrml, token),
                             "nothing is open that '%c' could close", token.data[0]);
    }
    bracket->end = (uint32_t)place_of(vrml, token) + 1;
    open->depth--;
    if (is_brace && open->prototype == open->depth) {
        open->prototype = -1;
    }
    return true;
}

static int compare_names(const void *left, const void *right) {
    const SomVrmlName *a = left, *b = right;
    int order = som_str_compare(a->name, b->name);
    return order != 0 ? order : a->begin < b->begin ? -1 : a->begin > b->begin;
}

// Names within a prototype are its own.
static bool add_name(SomVrml *vrml, const Open *open, size_t *at) {
    SomStr name = som_vrml_next(vrml, at);
    size_t begin = *at, behind = *at;
    SomStr type = som_vrml_next(vrml, &behind);
    SomStr brace = som_vrml_next(vrml, &behind);
    if (!is_word(name) || !is_word(type) || !som_vrml_is(brace, "{")) {
        SomStr wrong = !is_word(name) ? name : !is_word(type) ? type : brace;
        return fail_at(vrml, wrong, "a node with a name");
    }
    if (open->prototype < 0) {
        SomVrmlName entry = {name, (uint32_t)begin, vrml->brackets.count};
        som_array_push(&vrml->names, entry);
    }
    return true;
}

bool som_vrml_open(SomVrml *vrml, SomMeshReader *reader) {
    *vrml = (SomVrml){.reader = reader};
    Open open = {.prototype = -1};
    bool good = check_head(reader);
    for (size_t at = 0; good;) {
        SomStr token = som_vrml_next(vrml, &at);
        char c = token.length > 0 ? token.data[0] : '\0';
        if (token.length == 0) {
            break;
        }
        if (c == '"') {
            good = (token.length > 1 && token.data[token.length - 1] == '"') ||
                   som_mesh_fail(reader, SOM_MESH_TRUNCATED, place_of(vrml, token),
                                 "a text in quotes does not end");
        } else if (c == '{' || c == '[') {
            good = open_bracket(vrml, &open, token);
        } else if (c == '}' || c == ']') {
            good = close_bracket(vrml, &open, token);
        } else if (som_vrml_is(token, "DEF")) {
            good = add_name(vrml, &open, &at);
        } else if (som_vrml_is(token, "PROTO") && open.prototype < 0) {
            open.prototype = open.depth;
        }
    }
    if (good && open.depth > 0) {
        const SomVrmlBracket *last = &vrml->brackets.data[open.brackets[open.depth - 1]];
        good = som_mesh_fail(reader, SOM_MESH_TRUNCATED, last->begin,
                             "the file ends before the '%c' of this line is closed",
                             reader->bytes.data[last->begin]);
    }
    if (good && vrml->names.count > 0) {
        qsort(vrml->names.data, (size_t)vrml->names.count, sizeof(SomVrmlName), compare_names);
    }
    return good;
}

void som_vrml_free(SomVrml *vrml) {
    som_array_free(&vrml->brackets);
    som_array_free(&vrml->names);
}

// Behind the bracket that opens at `begin`.
static size_t bracket_end(const SomVrml *vrml, size_t begin) {
    int low = 0, high = vrml->brackets.count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (vrml->brackets.data[middle].begin < begin) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return vrml->brackets.data[low].end;
}

// The last node of that name which ends before `at`; NULL if there is none.
static const SomVrmlName *find_name(const SomVrml *vrml, SomStr name, size_t at) {
    SomVrmlName wanted = {.name = name, .begin = (uint32_t)at};
    int low = 0, high = vrml->names.count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (compare_names(&vrml->names.data[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    // the nearest ones may be those that hold this place
    for (int i = low - 1; i >= 0 && som_str_equal(vrml->names.data[i].name, name); i--) {
        if (vrml->brackets.data[vrml->names.data[i].bracket].end <= at) {
            return &vrml->names.data[i];
        }
    }
    return NULL;
}

static bool follow_use(SomVrml *vrml, size_t *at) {
    SomStr name = som_vrml_next(vrml, at);
    size_t here = place_of(vrml, name);
    const SomVrmlName *found = is_word(name) ? find_name(vrml, name, here) : NULL;
    if (found == NULL) {
        return som_mesh_fail(vrml->reader, SOM_MESH_SYNTAX, here,
                             "'USE %.*s' names no node that ends before it",
                             SOM_MESH_WORD_ARG(name));
    }
    // each costs something, even if it is short
    vrml->used_bytes += vrml->brackets.data[found->bracket].end - found->begin + 64;
    if (vrml->used_bytes > SOM_VRML_MAX_USED_BYTES) {
        return som_mesh_fail(vrml->reader, SOM_MESH_NESTED_TOO_MUCH, here,
                             "nodes that are used again make it more than %d MiB longer",
                             (int)(SOM_VRML_MAX_USED_BYTES >> 20));
    }
    *at = found->begin;
    return true;
}

bool som_vrml_enter(SomVrml *vrml, size_t at, SomVrmlNode *node) {
    *node = (SomVrmlNode){.type = {"", 0}, .body = at, .end = at};
    SomStr token = som_vrml_next(vrml, &at);
    if (som_vrml_is(token, "NULL")) {
        return true;
    }
    if (som_vrml_is(token, "USE")) {
        if (!follow_use(vrml, &at)) {
            return false;
        }
        token = som_vrml_next(vrml, &at);
    } else if (som_vrml_is(token, "DEF")) {
        som_vrml_next(vrml, &at);
        token = som_vrml_next(vrml, &at);
    }
    SomStr brace = som_vrml_next(vrml, &at);
    if (!is_word(token) || !som_vrml_is(brace, "{")) {
        return fail_at(vrml, is_word(token) ? brace : token, "a node");
    }
    node->type = token;
    node->body = at - 1;
    node->end = bracket_end(vrml, at - 1);
    return true;
}

bool som_vrml_skip_value(SomVrml *vrml, size_t *at) {
    static const char *const single[] = {"TRUE", "FALSE", "NULL"};
    SomStr token = som_vrml_next(vrml, at);
    if (som_vrml_is(token, "[")) {
        *at = bracket_end(vrml, *at - 1);
        return true;
    }
    for (int i = 0; i < 3; i++) {
        if (som_vrml_is(token, single[i])) {
            return true;
        }
    }
    if (token.length > 0 && token.data[0] == '"') {
        return true;
    }
    if (looks_like_number(token)) {
        for (size_t next = *at; looks_like_number(som_vrml_next(vrml, &next));) {
            *at = next;
        }
        return true;
    }
    if (som_vrml_is(token, "USE") || som_vrml_is(token, "IS")) {
        som_vrml_next(vrml, at);
        return true;
    }
    if (som_vrml_is(token, "DEF")) {
        som_vrml_next(vrml, at);
        token = som_vrml_next(vrml, at);
    }
    SomStr brace = is_word(token) ? som_vrml_next(vrml, at) : token;
    if (!is_word(token) || !som_vrml_is(brace, "{")) {
        return fail_at(vrml, is_word(token) ? token : brace, "a value or a node");
    }
    *at = bracket_end(vrml, *at - 1);
    return true;
}

bool som_vrml_skip_statement(SomVrml *vrml, SomStr token, size_t *at, bool *skipped) {
    bool is_prototype = som_vrml_is(token, "PROTO");
    *skipped = true;
    if (som_vrml_is(token, "ROUTE")) {
        for (int i = 0; i < 3; i++) { // node.event TO node.event
            SomStr word = som_vrml_next(vrml, at);
            if (!is_word(word)) {
                return fail_at(vrml, word, "an end of a ROUTE");
            }
        }
        return true;
    }
    if (is_prototype || som_vrml_is(token, "EXTERNPROTO")) {
        som_vrml_next(vrml, at); // its name
        if (!som_vrml_skip_value(vrml, at)) {
            return false;
        }
        SomStr brace = som_vrml_next(vrml, at);
        if (is_prototype && som_vrml_is(brace, "{")) {
            *at = bracket_end(vrml, *at - 1);
            return true;
        }
        *at = place_of(vrml, brace);
        return is_prototype ? fail_at(vrml, brace, "the body of a PROTO")
                            : som_vrml_skip_value(vrml, at);
    }
    *skipped = false;
    return true;
}

bool som_vrml_find_fields(SomVrml *vrml, const SomVrmlNode *node, const char *const *names,
                          size_t *values, int count) {
    for (int i = 0; i < count; i++) {
        values[i] = SOM_MESH_NOWHERE;
    }
    for (size_t at = node->body + 1; at < node->end - 1;) {
        SomStr token = som_vrml_next(vrml, &at);
        bool skipped = false;
        if (som_vrml_is(token, "}")) {
            break;
        }
        if (!is_word(token) || looks_like_number(token)) {
            return fail_at(vrml, token, "the name of a field");
        }
        if (!som_vrml_skip_statement(vrml, token, &at, &skipped)) {
            return false;
        }
        for (int i = 0; i < count && !skipped; i++) {
            values[i] = som_vrml_is(token, names[i]) ? at : values[i];
        }
        if (!skipped && !som_vrml_skip_value(vrml, &at)) {
            return false;
        }
    }
    return true;
}

bool som_vrml_read_numbers(SomVrml *vrml, size_t at, double *numbers, int count) {
    for (int i = 0; i < count && at != SOM_MESH_NOWHERE; i++) {
        SomStr token = som_vrml_next(vrml, &at);
        if (!som_mesh_take_number(vrml->reader, token, place_of(vrml, token), &numbers[i])) {
            return false;
        }
    }
    return true;
}

bool som_vrml_read_flag(SomVrml *vrml, size_t at, bool *flag) {
    SomStr token = at != SOM_MESH_NOWHERE ? som_vrml_next(vrml, &at) : SOM_STR("");
    bool is_true = som_vrml_is(token, "TRUE");
    if (token.length > 0 && !is_true && !som_vrml_is(token, "FALSE")) {
        return fail_at(vrml, token, "TRUE or FALSE");
    }
    *flag = token.length > 0 ? is_true : *flag;
    return true;
}

SomVrmlList som_vrml_list(const SomVrml *vrml, size_t at) {
    size_t behind = at != SOM_MESH_NOWHERE ? at : vrml->reader->bytes.length;
    bool has_brackets = som_vrml_is(som_vrml_next(vrml, &behind), "[");
    return (SomVrmlList){has_brackets || at == SOM_MESH_NOWHERE ? behind : at, has_brackets};
}

bool som_vrml_next_number(SomVrml *vrml, SomVrmlList *list, double *number) {
    size_t at = list->at;
    SomStr token = som_vrml_next(vrml, &at);
    bool is_end = list->has_brackets ? som_vrml_is(token, "]") : !looks_like_number(token);
    if (is_end || !som_mesh_take_number(vrml->reader, token, place_of(vrml, token), number)) {
        return false;
    }
    list->at = at;
    return true;
}
