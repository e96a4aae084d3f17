// player/exact_number.h - numbers in the text of a graph: what is written is read back bit by bit.
//
//     char text[SOM_EXACT_NUMBER_TEXT];
//     som_exact_number_print(0.1, text);              // "0.1"
//     som_exact_number_read("0.1", 3, &value);        // true: 0.1
//
// A decimal is a whole number below 2^53 divided or multiplied by a power of ten up to 22: then one
// operation gives the nearest double. Other values are written as whole number times power of two,
// "0x1921fb54442d18p-51". This takes a few lines where reading any decimal takes a bignum, and
// needs no locale.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_EXACT_NUMBER_TEXT 32

// Writes a finite value and a terminator; returns the length.
int som_exact_number_print(double value, char text[SOM_EXACT_NUMBER_TEXT]);

// Whether the whole text is such a number; only then is *value set. The result is finite.
bool som_exact_number_read(const char *text, size_t length, double *value);

#ifdef __cplusplus
}
#endif
