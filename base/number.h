// base/number.h - numbers in text, the same in every locale.
//
//     char text[SOM_NUMBER_TEXT];
//     som_number_print(0.1, text);                        // "0.1"
//     som_number_read(SOM_STR("45deg"), &value);          // 2: the length of "45"
//     som_number_parse(SOM_STR("1e-3"), &value);          // true: all of it is one number
//
// Printing gives the shortest text that reads back to the same double ("0.1", never
// "0.1000000000000000055"), and of all with as few digits the one nearest to the value. Reading
// rounds correctly (to nearest, ties to even) whatever the number of digits. Neither looks at the
// user's locale, which GTK sets: a German desktop must not write 0,5 into a robot. Nothing here
// allocates or fails.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Enough for any number som_number_print writes, with its terminator.
#define SOM_NUMBER_TEXT 32

// Writes "-12.5", "1e-9", "6.02e23", "0", "-0", "inf", "-inf" or "nan" and a terminator; returns
// the length. Plain digits from 1e-5 to below 1e17, an exponent outside.
int som_number_print(double value, char text[SOM_NUMBER_TEXT]);
void som_text_number(SomText *text, double value);

// For people: the value rounded to so many significant digits (1 to 15), which then prints short.
double som_number_round(double value, int digits);
void som_text_rounded(SomText *text, double value, int digits);
// With always so many digits (0 to 9) behind the point, for what changes before one's eyes: "0.50".
void som_text_fixed(SomText *text, double value, int decimals);

// "1st", "22nd", "113th": a whole number from 0.
void som_text_ordinal(SomText *text, double number);

// Reads the longest number at the start of `text`: digits with at most one point among, before or
// after them, an optional exponent, an optional leading '-' or '+'; returns its length, 0 if there
// is none (*value is 0 then). Of "1..3" it reads "1": a point followed by a second one is a range.
// A result too large for a double is infinite, one too small is zero, as in IEEE 754.
size_t som_number_read(SomStr text, double *value);

// Whether the whole of `text` is one number, or one integer that fits; *value is 0 if not.
bool som_number_parse(SomStr text, double *value);
bool som_integer_parse(SomStr text, int64_t *value);

#ifdef __cplusplus
}
#endif
