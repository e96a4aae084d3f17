// exchange/legal_names.h - names that every other program takes, each once.
//
//     SomLegalNames names = som_legal_names_begin(&arena, 100);   // for so many names
//     som_legal_names_take(&names, SOM_STR("world"));             // nobody else gets this one
//     SomStr name = som_legal_names_take_word(&names, path, "body");   // s[1].head: "s_1_head"
//     som_legal_names_end(&names);
//
// Letters and digits of ASCII stay, all between them becomes one underscore. The second of a name
// gets "_2" behind it. Names live in the arena.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomLegalNames {
    SomArena *arena;
    struct SomTakenName *slots; // a hash table, never more than half full
    uint32_t mask;
} SomLegalNames;

SomLegalNames som_legal_names_begin(SomArena *arena, int count);
void som_legal_names_end(SomLegalNames *names);

// This name, or one like it if it is taken.
SomStr som_legal_names_take(SomLegalNames *names, SomStr wanted);
// The same of a path, made a word.
SomStr som_legal_names_take_word(SomLegalNames *names, SomStr path, const char *otherwise);

// The word alone, which replaces the text; `otherwise` where nothing of the path is left.
SomStr som_legal_word(SomText *out, SomStr path, const char *otherwise);

#ifdef __cplusplus
}
#endif
