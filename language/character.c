// SPDX-License-Identifier: Apache-2.0
#include "language/character.h"

#include "base/utf8.h"

typedef struct Range {
    uint32_t first;
    uint32_t last;
} Range;

static const Range not_in_names[] = {
#include "language/not_in_names.inc"
};

static const SomConfusable confusables[] = {
#define SOM_CONFUSABLE(code, kind, meant) {code, SOM_TOKEN_##kind, {meant, sizeof(meant) - 1}},
#include "language/confusables.inc"
#undef SOM_CONFUSABLE
};

uint32_t som_character_read(SomStr text, size_t *length) {
    *length = (size_t)som_utf8_length(text);
    const unsigned char *s = (const unsigned char *)text.data;
    switch (*length) {
    case 1:
        return s[0];
    case 2:
        return (s[0] & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    case 3:
        return (s[0] & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    case 4:
        return (s[0] & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
    default:
        return 0;
    }
}

static bool is_in_names(uint32_t code) {
    size_t low = 0, high = sizeof not_in_names / sizeof *not_in_names;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > not_in_names[middle].last) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == sizeof not_in_names / sizeof *not_in_names || code < not_in_names[low].first;
}

size_t som_character_name_length(SomStr text) {
    if (text.length == 0) {
        return 0;
    }
    unsigned char c = (unsigned char)text.data[0];
    if (c < 0x80) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    }
    size_t length;
    uint32_t code = som_character_read(text, &length);
    return length > 0 && is_in_names(code) ? length : 0;
}

bool som_character_is_bidi_control(uint32_t code) {
    return code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool som_character_is_invisible(uint32_t code) {
    return (code >= 0x80 && code <= 0x9F && code != 0x85) || code == 0xAD || code == 0x180E ||
           (code >= 0x200B && code <= 0x200D) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
           (code >= 0xE0001 && code <= 0xE007F) || som_character_is_bidi_control(code);
}

const SomConfusable *som_confusable_find(uint32_t code) {
    size_t low = 0, high = sizeof confusables / sizeof *confusables;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > confusables[middle].code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < sizeof confusables / sizeof *confusables && confusables[low].code == code;
    return found ? &confusables[low] : NULL;
}
