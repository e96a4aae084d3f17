// SPDX-License-Identifier: Apache-2.0
// The YAML that robots have beside their xacro: limits of joints, sizes, masses.
//
// Maps and lists, by indentation or in brackets; numbers, truths, texts with or without quotes;
// comments; anchors and aliases; and the units that xacro knows: !degrees 90. Escapes, texts of
// several lines and other tags are refused.

#include "base/codes/exchange_codes.h"
#include "exchange/named_file.h"
#include "exchange/xacro_internal.h"
#include "space/trigonometry.h"

#define MAX_NESTING 20

typedef SOM_ARRAY(SomXacroItem) Items;

typedef struct Reader {
    SomXacro *x;
    SomStr text;
    uint32_t source1;
    size_t at, line; // `line` is where the line begins
    int depth;
    Items anchors;
} Reader;

static SomXacroValue read_block(Reader *r, size_t column);
static SomXacroValue read_flow(Reader *r);

// ---- words

static SomXacroValue none(void) {
    return (SomXacroValue){.kind = SOM_XACRO_NONE};
}

static SomSpan place_of(const Reader *r) {
    size_t end = r->at < r->text.length ? r->at + 1 : r->at;
    return (SomSpan){r->source1, (uint32_t)r->at, (uint32_t)end};
}

static SomXacroValue refuse(Reader *r, const char *why) {
    som_xacro_fail(r->x, SOM_XACRO_YAML, place_of(r), "%s", why);
    r->at = r->text.length;
    return none();
}

static char peek(const Reader *r, size_t ahead) {
    return r->at + ahead < r->text.length ? r->text.data[r->at + ahead] : '\0';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_end(char c) {
    return c == '\n' || c == '\0';
}

// A comment begins the line or stands behind a blank.
static bool is_comment(const Reader *r, size_t at) {
    return r->text.data[at] == '#' && (at == r->line || is_blank(r->text.data[at - 1]));
}

static void skip_blanks(Reader *r) {
    while (is_blank(peek(r, 0))) {
        r->at++;
    }
}

static bool is_line_over(const Reader *r) {
    return is_end(peek(r, 0)) || is_comment(r, r->at);
}

// To what comes next, on this line or below.
static void skip_lines(Reader *r) {
    for (skip_blanks(r); r->at < r->text.length && is_line_over(r); skip_blanks(r)) {
        while (!is_end(peek(r, 0))) {
            r->at++;
        }
        if (peek(r, 0) == '\n') {
            r->line = ++r->at;
        }
    }
}

static size_t column_of(const Reader *r) {
    return r->at - r->line;
}

static SomXacroValue collect(Reader *r, SomXacroKind kind, Items *items) {
    SomXacroValue value = som_xacro_collect(r->x, kind, items->data, items->count, place_of(r));
    som_array_free(items);
    return value;
}

// ---- scalars

static SomXacroValue read_quoted(Reader *r) {
    char quote = peek(r, 0);
    size_t begin = ++r->at;
    while (!is_end(peek(r, 0)) && peek(r, 0) != quote) {
        if (peek(r, 0) == '\\' && quote == '"') {
            return refuse(r, "escapes in texts are not understood");
        }
        r->at++;
    }
    SomStr text = som_str_slice(r->text, begin, r->at);
    if (is_end(peek(r, 0))) {
        return refuse(r, "a quote is not closed on its line");
    }
    r->at++;
    return peek(r, 0) == quote ? refuse(r, "escapes in texts are not understood")
                               : som_xacro_text(text);
}

// Where a word without quotes ends: with its line, before a comment, ": ", or a sign of brackets.
static SomStr read_word(Reader *r, bool is_in_brackets) {
    size_t begin = r->at;
    while (!is_line_over(r)) {
        char c = peek(r, 0), next = peek(r, 1);
        bool is_sign = is_in_brackets && strchr(",[]{}", c) != NULL;
        if (is_sign || (c == ':' && (is_blank(next) || is_end(next)))) {
            break;
        }
        r->at++;
    }
    size_t end = r->at;
    while (end > begin && is_blank(r->text.data[end - 1])) {
        end--;
    }
    return som_str_slice(r->text, begin, end);
}

static bool is_one_of(SomStr word, const char *const *words) {
    bool is_so = false;
    for (; *words != NULL && !is_so; words++) {
        is_so = som_str_equal(word, som_str(*words));
    }
    return is_so;
}

static SomXacroValue meaning_of(SomStr word) {
    static const char *const yes[] = {"true", "True", "yes", "Yes", "on", "On", NULL};
    static const char *const no[] = {"false", "False", "no", "No", "off", "Off", NULL};
    static const char *const nothing[] = {"", "~", "null", "Null", NULL};
    if (is_one_of(word, yes) || is_one_of(word, no)) {
        return som_xacro_truth(is_one_of(word, yes));
    }
    return is_one_of(word, nothing) ? none() : som_xacro_literal(word);
}

// "&name" before a value, "*name" instead of it.
static SomXacroValue read_anchor_name(Reader *r) {
    size_t begin = ++r->at;
    while (!is_blank(peek(r, 0)) && !is_end(peek(r, 0)) && strchr(",[]{}", peek(r, 0)) == NULL) {
        r->at++;
    }
    return som_xacro_text(som_str_slice(r->text, begin, r->at));
}

static SomXacroValue read_alias(Reader *r) {
    SomXacroValue name = read_anchor_name(r);
    SomXacroValue anchors = {
        .kind = SOM_XACRO_DICT, .items = r->anchors.data, .count = r->anchors.count};
    const SomXacroValue *found = som_xacro_find_item(r->x, &anchors, &name);
    return found != NULL ? *found : refuse(r, "no anchor of this name stands before");
}

static SomXacroValue read_scalar(Reader *r, bool is_in_brackets) {
    char c = peek(r, 0);
    if (c == '\'' || c == '"') {
        return read_quoted(r);
    }
    if (c == '*') {
        return read_alias(r);
    }
    if (strchr("&|>%@`?", c) != NULL && c != '\0') {
        return refuse(r, "this way to write YAML is not understood");
    }
    return meaning_of(read_word(r, is_in_brackets));
}

// "!degrees 90": an expression, in the unit that everything here has.
static SomXacroValue read_unit(Reader *r, bool is_in_brackets) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"!degrees", SOM_PI / 180}, {"!radians", 1},   {"!meters", 1},
                 {"!millimeters", 0.001},    {"!foot", 0.3048}, {"!inches", 0.0254}};
    SomSpan span = place_of(r);
    size_t begin = r->at;
    while (!is_blank(peek(r, 0)) && !is_end(peek(r, 0))) {
        r->at++;
    }
    SomStr unit = som_str_slice(r->text, begin, r->at);
    skip_blanks(r);
    SomStr word = read_word(r, is_in_brackets);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (som_str_equal(unit, som_str(units[i].name))) {
            SomXacroScope nothing = {0};
            SomXacroValue value = som_xacro_calculate(r->x, &nothing, word, span);
            return som_xacro_number(units[i].factor * value.number, false);
        }
    }
    r->at = begin;
    return refuse(r, "a tag is !degrees, !radians, !meters, !millimeters, !foot or !inches");
}

// ---- in brackets

static SomXacroValue read_flow_items(Reader *r, bool is_list) {
    Items items = {0};
    char end = is_list ? ']' : '}';
    r->at++;
    for (skip_lines(r); !r->x->failed && peek(r, 0) != end; skip_lines(r)) {
        SomXacroItem item = {.value = none()};
        if (!is_list) {
            item.key = read_scalar(r, true);
            skip_blanks(r);
            if (peek(r, 0) != ':') {
                refuse(r, "a member of '{…}' is a key and a value");
            }
            r->at++;
            skip_lines(r);
        }
        item.value = read_flow(r);
        som_array_push(&items, item);
        skip_lines(r);
        if (peek(r, 0) == ',') {
            r->at++;
        } else if (peek(r, 0) != end) {
            refuse(r, "a bracket is not closed");
        }
    }
    r->at++;
    return collect(r, is_list ? SOM_XACRO_LIST : SOM_XACRO_DICT, &items);
}

static SomXacroValue read_flow(Reader *r) {
    char c = peek(r, 0);
    if (r->x->failed || ++r->depth > MAX_NESTING) {
        return refuse(r, "it is nested too deeply");
    }
    SomXacroValue value = c == '[' || c == '{' ? read_flow_items(r, c == '[')
                          : c == '!'           ? read_unit(r, true)
                                               : read_scalar(r, true);
    r->depth--;
    return value;
}

// ---- by indentation

static bool is_dash(const Reader *r) {
    return peek(r, 0) == '-' && (is_blank(peek(r, 1)) || is_end(peek(r, 1)));
}

// What stands on the line, behind a key or a dash.
static SomXacroValue read_inline(Reader *r) {
    char c = peek(r, 0);
    SomXacroValue value = c == '[' || c == '{' ? read_flow(r)
                          : c == '!'           ? read_unit(r, false)
                                               : read_scalar(r, false);
    skip_blanks(r);
    return r->x->failed || is_line_over(r) ? value : refuse(r, "this is not understood");
}

static SomXacroValue read_list(Reader *r) {
    Items items = {0};
    size_t column = column_of(r);
    while (!r->x->failed && r->at < r->text.length && column_of(r) == column && is_dash(r)) {
        r->at++;
        skip_blanks(r);
        SomXacroItem item = {.value = read_block(r, column + 1)};
        som_array_push(&items, item);
        skip_lines(r);
    }
    return collect(r, SOM_XACRO_LIST, &items);
}

// Whether a key and a colon stand here.
static bool is_key(const Reader *r) {
    Reader ahead = *r;
    char c = peek(r, 0);
    if (strchr("[{!", c) != NULL) {
        return false;
    }
    if (c == '\'' || c == '"') {
        const char *end = memchr(r->text.data + r->at + 1, c, r->text.length - r->at - 1);
        ahead.at = end != NULL ? (size_t)(end - r->text.data) + 1 : r->text.length;
        skip_blanks(&ahead);
    } else {
        read_word(&ahead, false);
    }
    return peek(&ahead, 0) == ':' && (is_blank(peek(&ahead, 1)) || is_end(peek(&ahead, 1)));
}

// What stands behind a key at this column, on the line or below.
static SomXacroValue read_value(Reader *r, size_t column) {
    SomXacroValue name = none(), value;
    skip_blanks(r);
    if (peek(r, 0) == '&') {
        name = read_anchor_name(r);
        skip_blanks(r);
    }
    if (is_line_over(r)) {
        skip_lines(r);
        bool is_list = column_of(r) == column && is_dash(r); // may stand below its key
        value = is_list ? read_list(r) : read_block(r, column + 1);
    } else {
        value = read_inline(r);
    }
    if (name.kind == SOM_XACRO_TEXT) {
        SomXacroItem anchor = {name, value};
        som_array_push(&r->anchors, anchor);
    }
    return value;
}

static SomXacroValue read_map(Reader *r) {
    Items items = {0};
    size_t column = column_of(r);
    while (!r->x->failed && r->at < r->text.length && column_of(r) == column) {
        if (!is_key(r)) {
            refuse(r, "a key and a colon are expected here");
            break;
        }
        SomXacroItem item = {.key = read_scalar(r, false)};
        skip_blanks(r);
        r->at++;
        item.value = read_value(r, column);
        som_array_push(&items, item);
        skip_lines(r);
    }
    return collect(r, SOM_XACRO_DICT, &items);
}

// What begins at this column or further right; nothing, if what comes next is further left.
static SomXacroValue read_block(Reader *r, size_t column) {
    skip_lines(r);
    for (size_t i = r->line; i < r->at; i++) {
        if (r->text.data[i] == '\t') {
            return refuse(r, "YAML is indented with blanks, not with tabulators");
        }
    }
    if (r->at == r->text.length || column_of(r) < column) {
        return none();
    }
    if (r->x->failed || ++r->depth > MAX_NESTING) {
        return refuse(r, "it is nested too deeply");
    }
    SomXacroValue value = is_dash(r) ? read_list(r) : is_key(r) ? read_map(r) : read_inline(r);
    r->depth--;
    return value;
}

// ---- files

static SomXacroValue read_all(SomXacro *x, const SomImportFile *file) {
    Reader r = {.x = x, .text = file->text, .source1 = file->source1};
    if (!som_xacro_spend(x, 0, file->text.length, (SomSpan){0})) {
        return none();
    }
    skip_lines(&r);
    if (column_of(&r) == 0 &&
        som_str_starts_with(som_str_slice(r.text, r.at, r.text.length), SOM_STR("---"))) {
        r.at += 3;
    }
    SomXacroValue value = read_block(&r, 0);
    skip_lines(&r);
    som_array_free(&r.anchors);
    return x->failed || r.at == r.text.length ? value : refuse(&r, "this is not understood");
}

SomXacroValue som_xacro_load_yaml(SomXacro *x, SomStr name, SomSpan span) {
    SomXacroTable table = {.path = som_asset_find(x->importer, x->file->path, name)};
    for (int i = 0; i < x->tables.count; i++) {
        if (som_str_equal(x->tables.data[i].path, table.path)) {
            return x->tables.data[i].value;
        }
    }
    SomImportFile file = {0};
    if (table.path.length == 0) {
        som_xacro_fail_missing(x, span, name);
        return none();
    }
    if (!som_importer_load(x->importer, table.path, &file)) {
        x->failed = true;
        return none();
    }
    table.value = read_all(x, &file);
    if (x->failed) {
        som_note(x->diags, span, "read for this");
    }
    som_array_push(&x->tables, table);
    return table.value;
}
