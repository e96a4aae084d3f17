// SPDX-License-Identifier: Apache-2.0
// Names of xacro, and texts with ${…} and $(…) in them.

#include "base/codes/exchange_codes.h"
#include "exchange/named_file.h"
#include "exchange/xacro_internal.h"

#include <stdarg.h>
#include <stdlib.h>

#define MAX_VALUE 65536 // bytes of one text

// ---- bounds

void som_xacro_fail_missing(SomXacro *x, SomSpan span, SomStr name) {
    if (!x->failed) {
        som_asset_report_missing(x->importer, SOM_XACRO_INCLUDE, span.source1 > 0 ? span : x->at,
                                 "", x->file->path, name);
        x->failed = true;
    }
}

void som_xacro_fail(SomXacro *x, SomCode code, SomSpan span, const char *format, ...) {
    if (x->failed) {
        return;
    }
    va_list args;
    va_start(args, format);
    som_report_list(x->diags, code, span.source1 > 0 ? span : x->at, format, args);
    va_end(args);
    x->failed = true;
}

bool som_xacro_spend(SomXacro *x, size_t text, size_t steps, SomSpan span) {
    x->text_length += text;
    x->steps += steps;
    if (x->text_length > SOM_XACRO_MAX_TEXT || x->nodes.count > SOM_XACRO_MAX_NODES) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, span,
                       "macros became more than %d elements, or %d bytes", SOM_XACRO_MAX_NODES,
                       SOM_XACRO_MAX_TEXT);
    } else if (x->steps > SOM_XACRO_MAX_STEPS) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, span, "macros came to no end");
    }
    return !x->failed;
}

SomStr som_xacro_copy(SomXacro *x, SomStr text, SomSpan span) {
    return som_xacro_spend(x, text.length, 1, span) ? som_arena_copy(&x->out->arena, text)
                                                    : SOM_STR("");
}

// ---- names

SomXacroSymbol *som_xacro_find(SomXacro *x, SomXacroScope *scope, SomStr name, bool is_block,
                               SomXacroScope **owner) {
    for (; scope != NULL; scope = scope->outer) {
        if (!som_xacro_spend(x, 0, (size_t)scope->symbols.count, (SomSpan){0})) {
            return NULL;
        }
        for (int i = 0; i < scope->symbols.count; i++) {
            SomXacroSymbol *symbol = &scope->symbols.data[i];
            if (symbol->is_block == is_block && som_str_equal(symbol->name, name)) {
                if (owner != NULL) {
                    *owner = scope;
                }
                return symbol;
            }
        }
    }
    return NULL;
}

void som_xacro_define(SomXacro *x, SomXacroScope *scope, const SomXacroSymbol *symbol) {
    SomXacroScope only = {NULL, {scope->symbols.data, scope->symbols.count, 0}};
    SomXacroSymbol *known = som_xacro_find(x, &only, symbol->name, symbol->is_block, NULL);
    if (known != NULL) {
        *known = *symbol;
    } else {
        som_array_push(&scope->symbols, *symbol);
    }
}

bool som_xacro_value_of(SomXacro *x, SomXacroScope *scope, SomStr name, SomXacroValue *value) {
    SomXacroScope *owner = NULL;
    SomXacroSymbol *symbol = som_xacro_find(x, scope, name, false, &owner);
    if (symbol == NULL) {
        return false;
    }
    if (symbol->is_open) {
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, symbol->span, "'%.*s' is defined by itself",
                       SOM_STR_ARG(name));
    }
    if (!symbol->is_evaluated && !x->failed) {
        symbol->is_open = true;
        x->depth++;
        SomXacroValue found = som_xacro_evaluate(x, owner, symbol->raw, symbol->span);
        x->depth--;
        symbol->value = found.kind == SOM_XACRO_TEXT ? som_xacro_literal(found.text) : found;
        symbol->is_open = false;
        symbol->is_evaluated = true;
    }
    symbol->is_needed = true;
    *value = symbol->value;
    return true;
}

// ---- texts

static SomStr word_after(SomStr text, SomStr command) {
    SomStr rest = som_str_slice(text, command.length, text.length);
    while (rest.length > 0 && rest.data[0] == ' ') {
        rest = som_str_slice(rest, 1, rest.length);
    }
    while (rest.length > 0 && rest.data[rest.length - 1] == ' ') {
        rest.length--;
    }
    return rest;
}

static void add_found(SomStr package, SomText *out) {
    static const char *const before[] = {"file:///", "file://"};
    for (int i = 0; i < 2; i++) {
        if (som_str_ends_with(som_text_str(out), som_str(before[i]))) {
            out->length -= strlen(before[i]);
        }
    }
    som_text_printf(out, "package://%.*s", SOM_STR_ARG(package));
}

static void add_argument(SomXacro *x, SomStr name, SomSpan span, SomText *out) {
    SomXacroValue value;
    if (som_xacro_value_of(x, &x->arguments, name, &value)) {
        som_text_add(out, som_xacro_print(x, &value, span));
    } else {
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, span,
                       "the argument '%.*s' has no value here; give it one with %.*s:=VALUE",
                       SOM_STR_ARG(name), SOM_STR_ARG(name));
    }
}

// "NAME", of the environment; "NAME what else" with `is_optional`. What is read from memory has
// none.
static void add_variable(SomXacro *x, SomStr words, bool is_optional, SomSpan span, SomText *out) {
    const char *blank = memchr(words.data, ' ', words.length);
    size_t length = blank != NULL ? (size_t)(blank - words.data) : words.length;
    SomStr name = som_arena_copy(&x->out->arena, som_str_slice(words, 0, length));
    const char *value = x->importer->is_in_memory ? NULL : getenv(name.data);
    if (value != NULL) {
        som_tally_add(&x->variables, name, span);
        som_text_add(out, som_xacro_copy(x, som_str(value), span));
    } else if (is_optional) {
        som_text_add(out, word_after(words, name));
    } else {
        som_xacro_fail(x, SOM_XACRO_UNKNOWN, span, "the environment has no variable '%.*s'",
                       SOM_STR_ARG(som_str_slice(name, 0, 200)));
    }
}

// $(find arm) becomes package://arm, which is where files are looked for.
static void add_command(SomXacro *x, SomXacroScope *scope, SomStr written, SomSpan span,
                        SomText *out) {
    SomStr command = som_xacro_evaluate_text(x, scope, written, span);
    if (som_str_starts_with(command, SOM_STR("find "))) {
        add_found(word_after(command, SOM_STR("find ")), out);
    } else if (som_str_starts_with(command, SOM_STR("arg "))) {
        add_argument(x, word_after(command, SOM_STR("arg ")), span, out);
    } else if (som_str_starts_with(command, SOM_STR("env "))) {
        add_variable(x, word_after(command, SOM_STR("env ")), false, span, out);
    } else if (som_str_starts_with(command, SOM_STR("optenv "))) {
        add_variable(x, word_after(command, SOM_STR("optenv ")), true, span, out);
    } else if (som_str_equal(command, SOM_STR("dirname"))) {
        som_text_add(out, SOM_STR("."));
    } else {
        som_xacro_fail(x, SOM_XACRO_EXPRESSION, span, "'$(%.*s)' is not understood",
                       SOM_STR_ARG(som_str_slice(written, 0, 200)));
    }
}

// The next "${…}" or "$(…)" from *at on: its length, 0 if there is none. "$${" is a "${" as it is.
static size_t find_piece(SomStr text, size_t *at) {
    for (; *at + 1 < text.length; (*at)++) {
        char next = text.data[*at + 1];
        if (text.data[*at] != '$' || (next != '{' && next != '(')) {
            continue;
        }
        const char *end = memchr(text.data + *at, next == '{' ? '}' : ')', text.length - *at);
        if (end != NULL) {
            return (size_t)(end - text.data) + 1 - *at;
        }
    }
    *at = text.length;
    return 0;
}

// Nothing is open behind the last piece.
static void check_closed(SomXacro *x, SomStr rest, SomSpan span) {
    for (size_t i = 0; i + 1 < rest.length && !x->failed; i++) {
        bool is_open = rest.data[i] == '$' && (rest.data[i + 1] == '{' || rest.data[i + 1] == '(');
        if (is_open && (i == 0 || rest.data[i - 1] != '$')) {
            som_xacro_fail(x, SOM_XACRO_EXPRESSION, span, "'%.*s' is not closed",
                           SOM_STR_ARG(som_str_slice(rest, i, i + 100)));
        }
    }
}

SomXacroValue som_xacro_evaluate(SomXacro *x, SomXacroScope *scope, SomStr text, SomSpan span) {
    SomXacroValue value = {.kind = SOM_XACRO_TEXT, .text = text};
    if (text.length < 3 || memchr(text.data, '$', text.length) == NULL) {
        return value;
    }
    SomText out = {0};
    size_t done = 0, at = 0;
    x->at = span.source1 > 0 ? span : x->at;
    x->depth++;
    if (x->depth > SOM_XACRO_MAX_DEPTH) {
        som_xacro_fail(x, SOM_XACRO_TOO_MUCH, span,
                       "elements and macros lie more than %d deep in each other",
                       SOM_XACRO_MAX_DEPTH);
    }
    for (size_t length; !x->failed && (length = find_piece(text, &at)) > 0; done = at) {
        bool is_escaped = at > done && text.data[at - 1] == '$';
        som_text_add(&out, som_str_slice(text, done, is_escaped ? at - 1 : at));
        SomStr piece = som_str_slice(text, at, at + length);
        SomStr inner = som_str_slice(piece, 2, length - 1);
        at += length;
        if (is_escaped) {
            som_text_add(&out, piece);
        } else if (piece.data[1] == '(') {
            add_command(x, scope, inner, span, &out);
        } else {
            SomXacroValue part = som_xacro_calculate(x, scope, inner, span);
            if (length == text.length) {
                x->depth--;
                som_text_free(&out);
                return part;
            }
            som_text_add(&out, som_xacro_print(x, &part, span));
        }
        if (out.length > MAX_VALUE) {
            som_xacro_fail(x, SOM_XACRO_TOO_MUCH, span, "a text is longer than %d bytes",
                           MAX_VALUE);
        }
    }
    x->depth--;
    check_closed(x, som_str_slice(text, done, text.length), span);
    som_text_add(&out, som_str_slice(text, done, text.length));
    value.text = som_xacro_copy(x, som_text_str(&out), span);
    som_text_free(&out);
    return value;
}

SomStr som_xacro_evaluate_text(SomXacro *x, SomXacroScope *scope, SomStr text, SomSpan span) {
    SomXacroValue value = som_xacro_evaluate(x, scope, text, span);
    return som_xacro_print(x, &value, span);
}
