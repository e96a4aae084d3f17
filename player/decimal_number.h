// player/decimal_number.h - numbers as people write them: in the attributes of a plugin's element,
// in states and traces.
//
//     double value;
//     som_decimal_number_read("0.6108652381980153", 18, &value);   // true: the nearest double
//     char text[SOM_DECIMAL_NUMBER_TEXT];
//     som_decimal_number_print(1.25, text);                        // "1.25"
//
// Up to 19 digits are read, with a power of ten behind `e`; with up to 27 places behind the point
// the result is the nearest double, else it may be off by some units in the last place.
// Printed are nine places at most: of metres and radians, billionths. Nothing depends on a locale.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_DECIMAL_NUMBER_TEXT 32

// Whether the whole text is such a number; only then is *value set. The result is finite.
bool som_decimal_number_read(const char *text, size_t length, double *value);

// Writes any value and a terminator; returns the length. "nan" and "inf" are words, too; what has
// more than 18 digits before the point is called infinite.
int som_decimal_number_print(double value, char text[SOM_DECIMAL_NUMBER_TEXT]);

#ifdef __cplusplus
}
#endif
