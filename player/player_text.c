// SPDX-License-Identifier: Apache-2.0
#include "player/player_text.h"

#include "player/decimal_number.h"

void som_player_text_char(SomPlayerText *text, char c) {
    if (text->length + 1 < text->size) {
        text->buffer[text->length] = c;
    }
    text->length++;
}

void som_player_text_word(SomPlayerText *text, const char *word) {
    while (*word != '\0') {
        som_player_text_char(text, *word++);
    }
}

void som_player_text_whole(SomPlayerText *text, int64_t value) {
    char digits[24];
    int count = 0;
    uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        som_player_text_char(text, '-');
    }
    while (count > 0) {
        som_player_text_char(text, digits[--count]);
    }
}

void som_player_text_decimal(SomPlayerText *text, double value) {
    char digits[SOM_DECIMAL_NUMBER_TEXT];
    som_decimal_number_print(value, digits);
    som_player_text_word(text, digits);
}

void som_player_text_quoted(SomPlayerText *text, const char *name) {
    som_player_text_char(text, '"');
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 0x20 || c == 0x7f) {
            som_player_text_word(text, "\\x");
            som_player_text_char(text, "0123456789abcdef"[c / 16]);
            som_player_text_char(text, "0123456789abcdef"[c % 16]);
        } else {
            if (c == '"' || c == '\\') {
                som_player_text_char(text, '\\');
            }
            som_player_text_char(text, *name);
        }
    }
    som_player_text_char(text, '"');
}

size_t som_player_text_end(SomPlayerText *text) {
    if (text->size > 0) {
        text->buffer[text->length < text->size ? text->length : text->size - 1] = '\0';
    }
    return text->length;
}
