// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <assert.h>

int som_utf8_length(SomStr text) {
    if (text.length == 0) {
        return 0;
    }
    const unsigned char *s = (const unsigned char *)text.data;
    if (s[0] < 0x80) {
        return 1;
    }
    // the allowed range of the second byte is what excludes overlong forms and surrogates
    unsigned char low = 0x80, high = 0xBF;
    size_t length;
    if (s[0] >= 0xC2 && s[0] <= 0xDF) {
        length = 2;
    } else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        length = 3;
        low = s[0] == 0xE0 ? 0xA0 : low;
        high = s[0] == 0xED ? 0x9F : high;
    } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        length = 4;
        low = s[0] == 0xF0 ? 0x90 : low;
        high = s[0] == 0xF4 ? 0x8F : high;
    } else {
        return 0;
    }
    if (text.length < length || s[1] < low || s[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if (!som_utf8_is_continuation(text.data[i])) {
            return 0;
        }
    }
    return (int)length;
}

// As som_utf8_length, without a call for what most texts are made of.
static int length_at(SomStr text, size_t at) {
    return (unsigned char)text.data[at] < 0x80
               ? 1
               : som_utf8_length(som_str_slice(text, at, text.length));
}

int som_utf8_count(SomStr text) {
    int count = 0;
    for (size_t at = 0; at < text.length; count++) {
        int length = length_at(text, at);
        at += (size_t)(length > 0 ? length : 1);
    }
    return count;
}

size_t som_utf8_find_invalid(SomStr text) {
    size_t at = 0;
    while (at < text.length) {
        int length = length_at(text, at);
        if (length == 0) {
            break;
        }
        at += (size_t)length;
    }
    return at;
}

int som_utf8_encode(uint32_t character, char bytes[4]) {
    assert(character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF));
    if (character < 0x80) {
        bytes[0] = (char)character;
        return 1;
    }
    int length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (character & 0x3F));
        character >>= 6;
    }
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    bytes[0] = (char)(lead[length] | character);
    return length;
}
