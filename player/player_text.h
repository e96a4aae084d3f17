// player/player_text.h - text that is put together in memory of the host, as far as it fits.
//
//     SomPlayerText text = {buffer, sizeof buffer, 0};
//     som_player_text_word(&text, "time ");
//     som_player_text_decimal(&text, 1.25);
//     size_t length = som_player_text_end(&text);      // terminated; without the terminator
//
// What does not fit is counted and left out, as snprintf does it: a first call without memory says
// how much is needed.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomPlayerText {
    char *buffer; // may be NULL if size is 0
    size_t size;
    size_t length; // of all that was put, whether it fits or not
} SomPlayerText;

void som_player_text_char(SomPlayerText *text, char c);
void som_player_text_word(SomPlayerText *text, const char *word);
void som_player_text_whole(SomPlayerText *text, int64_t value);
void som_player_text_decimal(SomPlayerText *text, double value);    // player/decimal_number.h
void som_player_text_quoted(SomPlayerText *text, const char *name); // "name"; \" \\ \x0a
size_t som_player_text_end(SomPlayerText *text);

#ifdef __cplusplus
}
#endif
