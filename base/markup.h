// base/markup.h - characters that mean something in XML, SVG and HTML, as text.
//
//     if (!som_markup_add(&out, c)) {
//         som_text_add_char(&out, c, 1);
//     }
//
// What else a format cannot hold (controls, bytes that are no UTF-8) is for its writer to decide.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the entity of &, <, > or ", which do in texts and in attributes; false, and nothing is
// added, for any other character.
bool som_markup_add(SomText *out, char c);

#ifdef __cplusplus
}
#endif
