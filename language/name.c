// SPDX-License-Identifier: Apache-2.0
#include "language/name.h"

#include "base/utf8.h"
#include "language/character.h"

bool som_name_is_word(SomStr name) {
    if (name.length == 0 || (name.data[0] >= '0' && name.data[0] <= '9')) {
        return false;
    }
    for (size_t at = 0; at < name.length;) {
        size_t length = som_character_name_length(som_str_slice(name, at, name.length));
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

void som_name_print(SomText *out, SomStr name) {
    if (som_name_is_word(name)) {
        som_text_add(out, name);
    } else {
        som_name_print_quoted(out, name);
    }
}

void som_name_print_quoted(SomText *out, SomStr name) {
    som_text_add_char(out, '"', 1);
    for (size_t at = 0; at < name.length;) {
        size_t length;
        uint32_t code = som_character_read(som_str_slice(name, at, name.length), &length);
        bool is_hidden =
            (code < 0x20 && code != '\t') || code == 0x7F || som_character_is_invisible(code);
        if (length == 0 || is_hidden) {
            som_text_add_char(out, '?', 1);
        } else {
            som_text_add_char(out, '\\', code == '"' || code == '\\');
            som_text_add(out, som_str_slice(name, at, at + length));
        }
        at += length > 0 ? length : 1;
    }
    som_text_add_char(out, '"', 1);
}

// Bytes of the quote a text begins with: ", ' or a curly one, which the lexer reported.
static size_t opening_quote(SomStr text) {
    size_t length;
    uint32_t code = som_character_read(text, &length);
    if (code == '"' || code == '\'') {
        return 1;
    }
    const SomConfusable *confusable = som_confusable_find(code);
    return length > 0 && confusable != NULL && confusable->kind == SOM_TOKEN_STRING ? length : 0;
}

void som_name_read(SomStr token_text, SomText *out) {
    size_t begin = opening_quote(token_text);
    if (begin == 0) {
        som_text_add(out, token_text);
        return;
    }
    for (size_t at = begin; at < token_text.length;) {
        SomStr rest = som_str_slice(token_text, at, token_text.length);
        size_t length = (size_t)som_utf8_length(rest);
        bool is_last = at + (length > 0 ? length : 1) == token_text.length;
        if (is_last && opening_quote(rest) > 0) {
            break;
        }
        bool is_escape = rest.data[0] == '\\' && rest.length > 1 &&
                         (rest.data[1] == '"' || rest.data[1] == '\\');
        at += is_escape;
        length = length > 0 ? length : 1;
        som_text_add(out, som_str_slice(token_text, at, at + length));
        at += length;
    }
}

SomStr som_name_of_array(SomStr element) {
    if (element.length == 0 || element.data[element.length - 1] != ']') {
        return element;
    }
    size_t end = element.length - 1;
    while (end > 0 && element.data[end] != '[') {
        end--;
    }
    return end > 0 ? som_str_slice(element, 0, end) : element;
}
