// language/character.h - characters beyond ASCII: which of them names may hold, and which people
// type or paste for an ASCII one.
//
// Names may hold the letters, marks and digits of every script; language/not_in_names.inc lists
// what is none of them. Where a word processor put a long dash or curly quotes, the meaning is
// certain: language/confusables.inc says what was meant.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/token.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomConfusable {
    uint32_t code;
    SomTokenKind kind; // what it is read as; STRING: it is a quote
    SomStr meant;
} SomConfusable;

// The character at the start of `text` and how many bytes it takes; 0 bytes if it is not UTF-8.
uint32_t som_character_read(SomStr text, size_t *length);

// Bytes of the name character at the start of `text`: a letter, digit or '_'; 0 if it is none.
size_t som_character_name_length(SomStr text);

// Is nothing seen of it? Controls, zero-width characters, changes of the writing direction.
bool som_character_is_invisible(uint32_t code);

// Does it make a line read in another order than it is stored?
bool som_character_is_bidi_control(uint32_t code);

// NULL if it is not mistaken for anything.
const SomConfusable *som_confusable_find(uint32_t code);

#ifdef __cplusplus
}
#endif
