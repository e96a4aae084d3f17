// SPDX-License-Identifier: Apache-2.0
#include "exchange/graph_words.h"

#include "base/markup.h"
#include "base/number.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" // U+FFFD
#define ELLIPSIS "\xe2\x80\xa6"

// Bytes of the first character; 0 if XML cannot hold it.
static int xml_length(SomStr text) {
    int length = som_utf8_length(text);
    unsigned char c = (unsigned char)text.data[0];
    bool is_control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    bool is_noncharacter = length == 3 && c == 0xef && (unsigned char)text.data[1] == 0xbf &&
                           (unsigned char)text.data[2] >= 0xbe;
    return is_control || is_noncharacter ? 0 : length;
}

void som_xml_escape(SomText *out, SomStr text) {
    while (text.length > 0) {
        int length = xml_length(text);
        if (!som_markup_add(out, text.data[0])) {
            som_text_add(out, length > 0 ? som_str_slice(text, 0, (size_t)length)
                                         : SOM_STR(REPLACEMENT));
        }
        text = som_str_slice(text, length > 0 ? (size_t)length : 1, text.length);
    }
}

// East Asian characters and pictures are twice as wide; all from U+1100 on count so, but for
// punctuation and signs that are as narrow as letters.
static int columns_of(SomStr character) {
    unsigned char c = (unsigned char)character.data[0];
    return c >= 0xf0 || (c >= 0xe3 && c <= 0xed) || c == 0xe1 ? 2 : 1;
}

int som_text_columns(SomStr text) {
    int columns = 0;
    while (text.length > 0) {
        int length = som_utf8_length(text);
        columns += length > 0 ? columns_of(text) : 1;
        text = som_str_slice(text, length > 0 ? (size_t)length : 1, text.length);
    }
    return columns;
}

void som_text_add_cut(SomText *out, SomStr text, int columns) {
    if (som_text_columns(text) <= columns) {
        som_text_add(out, text);
        return;
    }
    size_t end = 0;
    int taken = 1;
    while (end < text.length) {
        SomStr rest = som_str_slice(text, end, text.length);
        int length = som_utf8_length(rest);
        taken += length > 0 ? columns_of(rest) : 1;
        if (taken > columns) {
            break;
        }
        end += length > 0 ? (size_t)length : 1;
    }
    som_text_add(out, som_str_slice(text, 0, end));
    som_text_add(out, SOM_STR(ELLIPSIS));
}

void som_text_seconds(SomText *out, double seconds) {
    som_text_number(out, som_number_round(seconds, 3));
}
