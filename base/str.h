// base/str.h - a borrowed piece of text: pointer and length, not terminated, never owned.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomStr {
    const char *data;
    size_t length;
} SomStr;

#define SOM_STR(literal) ((SomStr){(literal), sizeof(literal) - 1})

// Arguments for a "%.*s" conversion.
#define SOM_STR_ARG(s) (int)(s).length, (s).data

static inline SomStr som_str(const char *terminated) {
    SomStr s = {terminated, strlen(terminated)};
    return s;
}

static inline bool som_str_equal(SomStr a, SomStr b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

int som_str_compare(SomStr a, SomStr b); // by bytes; <0, 0, >0
bool som_str_starts_with(SomStr text, SomStr prefix);
bool som_str_ends_with(SomStr text, SomStr suffix);

bool som_str_equal_any_case(SomStr a, SomStr b); // but for the case of ASCII letters

// The next of the words that blanks separate in `rest`, which loses it. False at the end.
bool som_str_next_word(SomStr *rest, SomStr *word);

// The piece from byte `begin` to before byte `end`; both are cut to the text.
SomStr som_str_slice(SomStr text, size_t begin, size_t end);

// The name of `names` that `wrong` was probably meant to be: the nearest one within two edits
// (insert, delete, replace, swap of neighbours) and at most a third of its length; -1 if none is.
int som_str_find_nearest(SomStr wrong, const SomStr *names, int count);

#ifdef __cplusplus
}
#endif
