// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

// Room for `more` bytes and the terminator.
static void reserve(SomText *text, size_t more) {
    if (more > SIZE_MAX / 4 - text->length) {
        som_realloc(NULL, SIZE_MAX, 2); // aborts
    }
    size_t needed = text->length + more + 1;
    if (needed > text->capacity) {
        size_t doubled = 2 * text->capacity;
        text->capacity = needed > doubled ? needed : doubled;
        text->data = som_realloc(text->data, text->capacity, 1);
    }
}

void som_text_add(SomText *text, SomStr piece) {
    // a piece of the text itself moves when the text grows
    uintptr_t offset = (uintptr_t)piece.data - (uintptr_t)text->data;
    bool inside = text->data != NULL && offset < text->length;
    reserve(text, piece.length);
    if (piece.length > 0) {
        piece.data = inside ? text->data + offset : piece.data;
        memcpy(text->data + text->length, piece.data, piece.length);
    }
    text->length += piece.length;
    text->data[text->length] = '\0';
}

void som_text_add_char(SomText *text, char c, int count) {
    if (count <= 0) {
        return;
    }
    reserve(text, (size_t)count);
    memset(text->data + text->length, c, (size_t)count);
    text->length += (size_t)count;
    text->data[text->length] = '\0';
}

void som_text_vprintf(SomText *text, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length > 0) {
        reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, args);
        text->length += (size_t)length;
    }
}

void som_text_printf(SomText *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    som_text_vprintf(text, format, args);
    va_end(args);
}

void som_text_clear(SomText *text) {
    text->length = 0;
    if (text->data != NULL) {
        text->data[0] = '\0';
    }
}

void som_text_free(SomText *text) {
    som_free(text->data);
    *text = (SomText){0};
}
