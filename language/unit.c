// SPDX-License-Identifier: Apache-2.0
#include "language/unit.h"

#include "base/number.h"
#include "language/character.h"

#include <assert.h>
#include <math.h>

#define MAX_EXPONENT 100

static const SomDimensionInfo dimensions[] = {
#define SOM_DIMENSION(name, m, kg, s, rad, word, shown, unit)                                      \
    {{m, kg, s, rad},                                                                              \
     {word, sizeof(word) - 1},                                                                     \
     {shown, sizeof(shown) - 1},                                                                   \
     {unit, sizeof(unit) - 1}},
#include "language/units.inc"
#undef SOM_DIMENSION
};

static const SomUnit units[] = {
#define SOM_UNIT(text, dimension, numerator, denominator, has_pi)                                  \
    {{text, sizeof(text) - 1}, SOM_DIMENSION_##dimension, numerator, denominator, has_pi},
#include "language/units.inc"
#undef SOM_UNIT
};

// What people write for our units. Spelling mistakes are found without this.
static const struct {
    const char *written;
    const char *unit;
} aliases[] = {
    {"degree", "deg"},    {"degrees", "deg"},     {"radian", "rad"},    {"radians", "rad"},
    {"rev", "turn"},      {"turns", "turn"},      {"meter", "m"},       {"meters", "m"},
    {"metre", "m"},       {"metres", "m"},        {"millimeter", "mm"}, {"millimeters", "mm"},
    {"millimetre", "mm"}, {"millimetres", "mm"},  {"inch", "in"},       {"inches", "in"},
    {"sec", "s"},         {"secs", "s"},          {"second", "s"},      {"seconds", "s"},
    {"msec", "ms"},       {"milliseconds", "ms"}, {"minute", "min"},    {"minutes", "min"},
    {"hour", "h"},        {"hours", "h"},         {"gram", "g"},        {"grams", "g"},
    {"kilogram", "kg"},   {"kilograms", "kg"},    {"newton", "N"},      {"newtons", "N"},
    {"rps", "turn/s"},    {"dps", "deg/s"},       {"hertz", "Hz"},
};

const SomUnit *som_units(int *count) {
    *count = (int)(sizeof units / sizeof *units);
    return units;
}

const SomDimensionInfo *som_dimensions(int *count) {
    *count = SOM_DIMENSION_COUNT;
    return dimensions;
}

const SomUnit *som_unit_find(SomStr text) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (som_str_equal(units[i].text, text)) {
            return &units[i];
        }
    }
    return NULL;
}

const SomUnit *som_unit_match(SomStr text) {
    const SomUnit *best = NULL;
    char first = text.length > 0 ? text.data[0] : '\0'; // most units begin otherwise
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        SomStr unit = units[i].text;
        if (unit.data[0] == first && (best == NULL || unit.length > best->text.length) &&
            som_str_starts_with(text, unit) &&
            som_character_name_length(som_str_slice(text, unit.length, text.length)) == 0) {
            best = &units[i];
        }
    }
    return best;
}

static bool equal_but_for_case(SomStr a, SomStr b) {
    if (a.length != b.length) {
        return false;
    }
    for (size_t i = 0; i < a.length; i++) {
        char x = a.data[i], y = b.data[i];
        x = (char)(x >= 'A' && x <= 'Z' ? x + 32 : x);
        y = (char)(y >= 'A' && y <= 'Z' ? y + 32 : y);
        if (x != y) {
            return false;
        }
    }
    return true;
}

const SomUnit *som_unit_guess(SomStr wrong) {
    SomStr names[sizeof units / sizeof *units];
    const SomUnit *same = NULL;
    int same_count = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        names[i] = units[i].text;
        if (equal_but_for_case(wrong, names[i])) {
            same = &units[i];
            same_count++;
        }
    }
    if (same_count > 0) {
        // M for m may be meant as a million
        bool is_prefix =
            wrong.data[0] == 'M' && som_str_equal(som_str_slice(wrong, 1, wrong.length),
                                                  som_str_slice(same->text, 1, same->text.length));
        return same_count == 1 && !is_prefix ? same : NULL;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (equal_but_for_case(wrong, som_str(aliases[i].written))) {
            return som_unit_find(som_str(aliases[i].unit));
        }
    }
    int nearest = som_str_find_nearest(wrong, names, (int)(sizeof units / sizeof *units));
    return nearest >= 0 ? &units[nearest] : NULL;
}

// Conversion. A sum of two doubles, the second far smaller, holds about 106 bits; one rounding at
// the end then gives the double nearest to the true product. fma is exact on every machine.

typedef struct Pair {
    double high;
    double low;
} Pair;

static const Pair pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

static Pair multiply(Pair a, Pair b) {
    double high = a.high * b.high;
    return (Pair){high, fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high)};
}

static double divide(Pair a, Pair b) {
    double quotient = a.high / b.high;
    double rest = fma(-quotient, b.high, a.high) + (a.low - quotient * b.low);
    return quotient + rest / b.high;
}

double som_unit_to_si(const SomUnit *unit, double number) {
    if (number == 0 || !isfinite(number) || !isfinite(number * unit->numerator * 4)) {
        return number * unit->numerator; // the sign of zero, infinity, not a number
    }
    Pair product = multiply((Pair){number, 0}, (Pair){unit->numerator, 0});
    product = unit->has_pi ? multiply(product, pi) : product;
    return divide(product, (Pair){unit->denominator, 0});
}

double som_unit_from_si(const SomUnit *unit, double value) {
    if (value == 0 || !isfinite(value) || !isfinite(value * unit->denominator)) {
        return value * unit->denominator;
    }
    Pair factor = {unit->numerator, 0};
    factor = unit->has_pi ? multiply(factor, pi) : factor;
    return divide(multiply((Pair){value, 0}, (Pair){unit->denominator, 0}), factor);
}

bool som_quantity_read(SomStr number, SomStr unit, SomQuantity *quantity) {
    *quantity = (SomQuantity){0};
    const SomUnit *found = unit.length > 0 ? som_unit_find(unit) : NULL;
    double value;
    if (!som_number_parse(number, &value) || (unit.length > 0 && found == NULL)) {
        return false;
    }
    quantity->value = found != NULL ? som_unit_to_si(found, value) : value;
    quantity->dimension = som_dimension(found != NULL ? found->dimension : SOM_DIMENSION_NUMBER);
    return true;
}

// Printing.

// The digits of a positive number: 0.d1d2d3... times ten to the exponent.
typedef struct Digits {
    char digits[SOM_NUMBER_TEXT];
    int count;
    int exponent;
} Digits;

static Digits digits_of(double number) {
    char text[SOM_NUMBER_TEXT];
    int length = som_number_print(number, text);
    Digits d = {0};
    bool after_point = false;
    for (int i = 0; i < length; i++) {
        if (text[i] == 'e') {
            int64_t exponent = 0;
            som_integer_parse((SomStr){text + i + 1, (size_t)(length - i - 1)}, &exponent);
            d.exponent += (int)exponent;
            break;
        }
        if (text[i] == '.') {
            after_point = true;
        } else if (text[i] != '0' || d.count > 0) {
            d.digits[d.count++] = text[i];
            d.exponent += !after_point;
        } else {
            d.exponent -= after_point;
        }
    }
    return d;
}

// The number rounded to `count` of its digits.
static double rounded(const Digits *d, int count) {
    Digits r = *d;
    int exponent = d->exponent;
    bool up = count < d->count && d->digits[count] >= '5';
    for (int i = count - 1; up && i >= 0; i--) {
        up = r.digits[i] == '9';
        r.digits[i] = (char)(up ? '0' : r.digits[i] + 1);
    }
    if (up) {
        r.digits[0] = '1';
        exponent++;
    }
    SomText text = {0};
    som_text_printf(&text, "0.%.*se%d", count, r.digits, exponent);
    double value;
    som_number_parse(som_text_str(&text), &value);
    som_text_free(&text);
    return value;
}

// The shortest number of this unit that is exactly `value`, which is not 0. False if there is none.
static bool find_number(const SomUnit *unit, double value, double *number) {
    double nearest = fabs(som_unit_from_si(unit, value));
    const double candidates[] = {nearest, nextafter(nearest, 0), nextafter(nearest, HUGE_VAL)};
    for (int c = 0; c < 3; c++) {
        Digits d = digits_of(candidates[c]);
        for (int count = 1; count <= d.count; count++) {
            *number = copysign(rounded(&d, count), value);
            if (som_unit_to_si(unit, *number) == value) {
                return true;
            }
        }
    }
    return false;
}

static const SomUnit *find_si_unit(SomDimension dimension) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].numerator == 1 && units[i].denominator == 1 && !units[i].has_pi &&
            som_dimension_equal(som_dimension(units[i].dimension), dimension)) {
            return &units[i];
        }
    }
    return NULL;
}

static void print_base_units(SomDimension a, SomText *out) {
    const char *const names[] = {"kg", "m", "s", "rad"};
    const int exponents[] = {a.kilogram, a.metre, a.second, a.radian};
    bool is_first = true;
    for (int pass = 0; pass < 2; pass++) { // first what multiplies, then what divides
        for (int i = 0; i < 4; i++) {
            int exponent = pass == 0 ? exponents[i] : -exponents[i];
            if (exponent <= 0) {
                continue;
            }
            som_text_printf(out, "%s%s",
                            is_first && pass == 1 ? "1/"
                            : is_first            ? ""
                            : pass == 0           ? "*"
                                                  : "/",
                            names[i]);
            if (exponent > 1) {
                som_text_printf(out, "^%d", exponent);
            }
            is_first = false;
        }
    }
}

void som_quantity_print(SomQuantity quantity, const SomUnit *unit, SomText *out) {
    const SomDimensionInfo *info = som_dimension_info(quantity.dimension);
    if (unit == NULL && info != NULL) {
        unit = som_unit_find(info->unit);
    }
    assert(unit == NULL || som_dimension_equal(som_dimension(unit->dimension), quantity.dimension));
    double number = quantity.value;
    bool is_plain = number == 0 || !isfinite(number);
    if (unit != NULL && !is_plain && !find_number(unit, quantity.value, &number)) {
        unit = find_si_unit(quantity.dimension);
        number = quantity.value;
    }
    som_text_number(out, number);
    if (unit != NULL && isfinite(number)) {
        som_text_add(out, unit->text);
    } else if (info == NULL) {
        som_text_add_char(out, ' ', 1);
        print_base_units(quantity.dimension, out);
    }
}

// Dimensions.

SomDimension som_dimension(SomDimensionName name) {
    return dimensions[name].dimension;
}

bool som_dimension_equal(SomDimension a, SomDimension b) {
    return a.metre == b.metre && a.kilogram == b.kilogram && a.second == b.second &&
           a.radian == b.radian;
}

static int8_t limited(int exponent) {
    int high = exponent > MAX_EXPONENT ? MAX_EXPONENT : exponent;
    return (int8_t)(high < -MAX_EXPONENT ? -MAX_EXPONENT : high);
}

// a and b to the power of `exponent`, multiplied.
static SomDimension combine(SomDimension a, SomDimension b, int exponent) {
    return (SomDimension){
        limited(a.metre + exponent * b.metre), limited(a.kilogram + exponent * b.kilogram),
        limited(a.second + exponent * b.second), limited(a.radian + exponent * b.radian)};
}

SomDimension som_dimension_multiply(SomDimension a, SomDimension b) {
    return combine(a, b, 1);
}

SomDimension som_dimension_divide(SomDimension a, SomDimension b) {
    return combine(a, b, -1);
}

SomDimension som_dimension_power(SomDimension a, int exponent) {
    // beyond twice the limit nothing changes, and the products stay in int
    exponent = exponent > 2 * MAX_EXPONENT ? 2 * MAX_EXPONENT : exponent;
    exponent = exponent < -2 * MAX_EXPONENT ? -2 * MAX_EXPONENT : exponent;
    return combine((SomDimension){0}, a, exponent);
}

bool som_dimension_root(SomDimension a, int degree, SomDimension *root) {
    assert(degree > 0);
    if (a.metre % degree != 0 || a.kilogram % degree != 0 || a.second % degree != 0 ||
        a.radian % degree != 0) {
        return false;
    }
    *root = (SomDimension){(int8_t)(a.metre / degree), (int8_t)(a.kilogram / degree),
                           (int8_t)(a.second / degree), (int8_t)(a.radian / degree)};
    return true;
}

const SomDimensionInfo *som_dimension_info(SomDimension a) {
    for (int i = 0; i < SOM_DIMENSION_COUNT; i++) {
        if (som_dimension_equal(dimensions[i].dimension, a)) {
            return &dimensions[i];
        }
    }
    return NULL;
}

const SomDimensionInfo *som_dimension_find(SomStr name) {
    for (int i = 0; i < SOM_DIMENSION_COUNT; i++) {
        if (som_str_equal(dimensions[i].name, name)) {
            return &dimensions[i];
        }
    }
    return NULL;
}

void som_dimension_print(SomDimension a, SomText *out) {
    const SomDimensionInfo *info = som_dimension_info(a);
    if (info != NULL) {
        som_text_add(out, info->shown);
        return;
    }
    som_text_add(out, SOM_STR("a quantity in "));
    print_base_units(a, out);
}
