// SPDX-License-Identifier: Apache-2.0
#include "player/decimal_number.h"

#include <math.h>
#include <stdint.h>

#define MOST_DIGITS 19    // below 10^19 a whole number has 64 bits
#define MOST_FIVES 27     // 5^27 is the largest below 2^63
#define MOST_EXPONENT 400 // of ten; beyond, everything is 0 or infinite
#define PLACES 9          // that are printed
#define PLACES_SCALE 1e9  // 10^PLACES
#define MOST_WHOLE 9.0e18 // that is printed

// ---- reading

typedef struct Decimal {
    uint64_t whole; // all digits
    int places;     // of them behind the point, less the exponent
} Decimal;

static bool is_digit(const char *text, size_t length, size_t at) {
    return at < length && '0' <= text[at] && text[at] <= '9';
}

// Digits from *at on; false where there are too many.
static bool read_digits(const char *text, size_t length, size_t *at, uint64_t *whole, int *count) {
    for (; is_digit(text, length, *at); (*at)++) {
        if (*whole >= UINT64_C(1000000000000000000) || *count > MOST_EXPONENT) {
            return false;
        }
        *whole = *whole * 10 + (uint64_t)(text[*at] - '0');
        (*count)++;
    }
    return true;
}

static bool read_exponent(const char *text, size_t length, size_t *at, int *exponent) {
    uint64_t whole = 0;
    int count = 0;
    bool is_negative = *at < length && text[*at] == '-';
    *at += is_negative || (*at < length && text[*at] == '+');
    if (!read_digits(text, length, at, &whole, &count) || count == 0 || whole > MOST_EXPONENT) {
        return false;
    }
    *exponent = is_negative ? -(int)whole : (int)whole;
    return true;
}

static bool read_decimal(const char *text, size_t length, size_t at, Decimal *decimal) {
    int before = 0, after = 0, exponent = 0;
    decimal->whole = 0;
    if (!read_digits(text, length, &at, &decimal->whole, &before)) {
        return false;
    }
    if (at < length && text[at] == '.') {
        at++;
        if (!read_digits(text, length, &at, &decimal->whole, &after)) {
            return false;
        }
    }
    if (before + after == 0) {
        return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (!read_exponent(text, length, &at, &exponent)) {
            return false;
        }
    }
    decimal->places = after - exponent;
    return at == length;
}

// The nearest double of whole / 5^fives, by long division in binary.
static double divide(uint64_t whole, int fives) {
    uint64_t divisor = 1;
    for (int i = 0; i < fives; i++) {
        divisor *= 5;
    }
    uint64_t quotient = whole / divisor, rest = whole % divisor;
    int shift = 0;
    while (quotient < (UINT64_C(1) << 62) && shift < 200) {
        rest *= 2; // below 2^64
        quotient = quotient * 2 + (rest >= divisor);
        rest -= rest >= divisor ? divisor : 0;
        shift++;
    }
    quotient |= rest > 0; // far below what is kept; turns a tie
    return ldexp((double)quotient, -shift);
}

bool som_decimal_number_read(const char *text, size_t length, double *value) {
    Decimal d;
    bool is_negative = length > 0 && text[0] == '-';
    if (!read_decimal(text, length, is_negative, &d)) {
        return false;
    }
    int fives = d.places < 0 ? 0 : d.places < MOST_FIVES ? d.places : MOST_FIVES;
    double read = d.whole == 0 ? 0 : ldexp(divide(d.whole, fives), -fives);
    for (int i = fives; i < d.places; i++) {
        read /= 10;
    }
    for (int i = d.places; i < 0 && d.whole != 0; i++) {
        read *= 10;
    }
    if (!isfinite(read)) {
        return false;
    }
    *value = is_negative ? -read : read;
    return true;
}

// ---- printing

static int print_whole(uint64_t whole, int least, char *text) {
    char digits[24];
    int count = 0, length = 0;
    while (whole > 0 || count < least) {
        digits[count++] = (char)('0' + whole % 10);
        whole /= 10;
    }
    while (count > 0) {
        text[length++] = digits[--count];
    }
    return length;
}

static int print_word(const char *word, char *text) {
    int length = 0;
    for (; word[length] != '\0'; length++) {
        text[length] = word[length];
    }
    return length;
}

// Whole part and billionths, rounded; zeros at the end are left out.
static int print_places(double value, char *text) {
    double whole = floor(value), part = floor((value - whole) * PLACES_SCALE + 0.5);
    if (part >= PLACES_SCALE) {
        whole += 1;
        part = 0;
    }
    int length = print_whole((uint64_t)whole, 1, text);
    if (part > 0) {
        text[length++] = '.';
        length += print_whole((uint64_t)part, PLACES, text + length);
        while (text[length - 1] == '0') {
            length--;
        }
    }
    return length;
}

int som_decimal_number_print(double value, char text[SOM_DECIMAL_NUMBER_TEXT]) {
    int length = 0;
    if (value <= -0.5 / PLACES_SCALE) { // less is zero, which has no sign
        text[length++] = '-';
    }
    double size = fabs(value);
    length += isnan(value)         ? print_word("nan", text + length)
              : size >= MOST_WHOLE ? print_word("inf", text + length)
                                   : print_places(size, text + length);
    text[length] = '\0';
    return length;
}
