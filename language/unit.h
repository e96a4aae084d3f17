// language/unit.h - units and dimensions of the languages, from language/units.inc.
//
//     SomQuantity q;
//     som_quantity_read(SOM_STR("90"), SOM_STR("deg"), &q); // q.value is the double nearest pi/2
//     if (!som_dimension_equal(q.dimension, som_dimension(SOM_DIMENSION_TIME))) {
//         som_dimension_print(q.dimension, &text);          // "an angle"
//     }
//
// Inside the program every value is in metres, kilograms, seconds and radians. The angle counts as
// a dimension, so that an angle and a number cannot be mixed up. Conversion rounds once: the result
// is the double nearest to number times factor, and 180deg is exactly M_PI.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Exponents of the base units. They stay within -100 and 100: what leaves that stops there.
typedef struct SomDimension {
    int8_t metre;
    int8_t kilogram;
    int8_t second;
    int8_t radian;
} SomDimension;

// Index into som_dimensions().
typedef enum SomDimensionName {
#define SOM_DIMENSION(name, m, kg, s, rad, word, shown, unit) SOM_DIMENSION_##name,
#include "language/units.inc"
#undef SOM_DIMENSION
    SOM_DIMENSION_COUNT
} SomDimensionName;

// A dimension with a name: "angle", for `a: angle`.
typedef struct SomDimensionInfo {
    SomDimension dimension;
    SomStr name;  // "angularSpeed"
    SomStr shown; // "an angular speed"
    SomStr unit;  // that its values are printed in: "deg/s"
} SomDimensionInfo;

typedef struct SomUnit {
    SomStr text;
    SomDimensionName dimension;
    double numerator; // SI value of 1 is numerator / denominator, times pi if has_pi
    double denominator;
    bool has_pi;
} SomUnit;

// A value in SI units.
typedef struct SomQuantity {
    double value;
    SomDimension dimension;
} SomQuantity;

const SomUnit *som_units(int *count);
const SomDimensionInfo *som_dimensions(int *count);

const SomUnit *som_unit_find(SomStr text); // NULL if there is none

// The longest unit at the start of `text`, not followed by a letter, digit or '_'; NULL if none.
const SomUnit *som_unit_match(SomStr text);

// The unit somebody who wrote this probably meant ("Deg", "degrees", "dge"); NULL if unclear.
const SomUnit *som_unit_guess(SomStr wrong);

double som_unit_to_si(const SomUnit *unit, double number);
double som_unit_from_si(const SomUnit *unit, double value); // nearest; may not convert back exactly

// A NUMBER token and the UNIT token behind it, empty if there is none. False if the text is no
// number or the unit is not known; the quantity is then 0 and a number.
bool som_quantity_read(SomStr number, SomStr unit, SomQuantity *quantity);

// The shortest text, with its unit, that reads back as the same value: "90deg", "1.5m/s", "3". In
// `unit`, or in that of its dimension if NULL; where no number in that unit converts to exactly
// this value, in SI units. A dimension without a unit is printed as its number with "kg*m/s" behind
// a blank.
void som_quantity_print(SomQuantity quantity, const SomUnit *unit, SomText *out);

// Dimensions.

SomDimension som_dimension(SomDimensionName name);
bool som_dimension_equal(SomDimension a, SomDimension b);
SomDimension som_dimension_multiply(SomDimension a, SomDimension b);
SomDimension som_dimension_divide(SomDimension a, SomDimension b);
SomDimension som_dimension_power(SomDimension a, int exponent);
bool som_dimension_root(SomDimension a, int degree, SomDimension *root); // false if not whole

const SomDimensionInfo *som_dimension_info(SomDimension a); // NULL if it has no name
const SomDimensionInfo *som_dimension_find(SomStr name);    // "angularSpeed"; NULL if none

// For messages: "an angle", "a quantity in kg*m/s".
void som_dimension_print(SomDimension a, SomText *out);

#ifdef __cplusplus
}
#endif
