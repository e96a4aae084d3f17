// language/quantity_text.h - a value with its unit as people give it outside of a file: on the
// command line or in a field.
//
//     double seconds;
//     SomText why = {0};
//     if (!som_quantity_parse(SOM_STR("10"), SOM_DIMENSION_TIME, &seconds, &why)) {
//         why.data ... // "'10' has no unit; write 10ms or 10s"
//     }
//
// The rule is that of the language: only a number that has no dimension has no unit.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// In SI units. False if the text is not a value of that dimension; `why` is then a reason.
bool som_quantity_parse(SomStr text, SomDimensionName wanted, double *value, SomText *why);

// "'10' has no unit; write 10ms or 10s"
void som_quantity_print_unitless(SomStr number, SomDimensionName wanted, SomText *out);

#ifdef __cplusplus
}
#endif
