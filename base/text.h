// base/text.h - text being written: a growing string that everything we print is printed into.
//
//     SomText out = {0};
//     som_text_printf(&out, "%d modules", count);
//     som_text_number(&out, 0.1);
//     fwrite(out.data, 1, out.length, stdout);
//     som_text_free(&out);
//
// Floating point goes through som_text_number (base/number.h), never through "%g": the decimal
// point of printf depends on the user's locale.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

// Zero is empty. `data` is terminated after `length` bytes as soon as anything was added.
typedef struct SomText {
    char *data;
    size_t length;
    size_t capacity;
} SomText;

void som_text_add(SomText *text, SomStr piece); // may be a piece of the text itself
void som_text_add_char(SomText *text, char c, int count);
__attribute__((format(printf, 2, 3))) void som_text_printf(SomText *text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void som_text_vprintf(SomText *text, const char *format,
                                                            va_list args);
void som_text_clear(SomText *text); // keeps the memory
void som_text_free(SomText *text);

static inline SomStr som_text_str(const SomText *text) {
    SomStr s = {text->length > 0 ? text->data : "", text->length};
    return s;
}

#ifdef __cplusplus
}
#endif
