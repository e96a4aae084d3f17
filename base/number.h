// base/number.h - numbers in text, the same in every locale.
//
// Printing gives the shortest text that reads back to the same double ("0.1", "1e-09" never
// "0.1000000000000000055"); reading rounds correctly. Neither looks at the user's locale, which GTK
// sets: a German desktop must not write 0,5 into a robot.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Enough for any number som_number_print writes, with its terminator.
#define SOM_NUMBER_TEXT 32

// Writes "-12.5", "1e-9", "6.02e23", "0", "-0", "inf", "-inf" or "nan" and a terminator; returns
// the length. Plain digits from 1e-5 to below 1e17, an exponent outside.
int som_number_print(double value, char text[SOM_NUMBER_TEXT]);
void som_text_number(SomText *text, double value);

// Reads the longest number at the start of `text`: digits, at most one point, an optional exponent,
// an optional leading '-' or '+'; returns its length, 0 if there is none. A result too large for a
// double is infinite, one too small is zero, as in IEEE 754.
size_t som_number_read(SomStr text, double *value);

#ifdef __cplusplus
}
#endif
