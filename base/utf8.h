// base/utf8.h - the little of UTF-8 that places and names need.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the character at the start of `text`: 1 to 4, or 0 where the text is empty or its start
// is not valid (overlong forms, surrogates and values above U+10FFFF are not).
int som_utf8_length(SomStr text);

// Characters in `text`; a byte that is not part of a valid one counts as one.
int som_utf8_count(SomStr text);

// Offset of the first byte that is not UTF-8; the length of the text if it is all valid.
size_t som_utf8_find_invalid(SomStr text);

// Writes the character, which must not be a surrogate or above U+10FFFF; returns its bytes.
int som_utf8_encode(uint32_t character, char bytes[4]);

static inline bool som_utf8_is_continuation(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

#ifdef __cplusplus
}
#endif
