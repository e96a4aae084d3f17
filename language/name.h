// language/name.h - names as people write them: a word, or any text in quotes.
//
//     som_name_read(SOM_STR("\"left \\\"3\\\"\""), &text); // left "3"
//     som_name_print(&out, SOM_STR("left-front-wheel"));    // "left-front-wheel", with its quotes
//
// What som_name_print writes, som_name_read reads back.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Can the name be written without quotes?
bool som_name_is_word(SomStr name);

// Writes a name as a token: as it is, or in quotes with escapes. What quotes cannot hold (control
// characters, bytes that are not UTF-8) becomes '?'.
void som_name_print(SomText *out, SomStr name);
void som_name_print_quoted(SomText *out, SomStr name); // in quotes always: a name that is a keyword

// Adds the value of a WORD or STRING token: without quotes, escapes resolved.
void som_name_read(SomStr token_text, SomText *out);

// Of one of many, leg[2], the name of them all as it is written: leg. Of others, the same.
SomStr som_name_of_array(SomStr element);

#ifdef __cplusplus
}
#endif
