// SPDX-License-Identifier: Apache-2.0
#include "player/exact_number.h"

#include <math.h>
#include <stdint.h>

#define MOST_PLACES 22                 // 10^22 is the largest power of ten a double holds
#define MOST_WHOLE ((uint64_t)1 << 53) // whole numbers below are doubles
#define MOST_EXPONENT 2000             // of two; beyond, everything is 0 or infinite

static const double powers[MOST_PLACES + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// ---- printing

static int print_whole(uint64_t whole, unsigned base, char *text) {
    char digits[32];
    int count = 0, length = 0;
    do {
        digits[count++] = "0123456789abcdef"[whole % base];
        whole /= base;
    } while (whole > 0);
    while (count > 0) {
        text[length++] = digits[--count];
    }
    return length;
}

static int print_decimal(uint64_t whole, int places, char *text) {
    char digits[32];
    int count = print_whole(whole, 10, digits), length = 0;
    for (int i = 0; i < count - places; i++) {
        text[length++] = digits[i];
    }
    if (count <= places) {
        text[length++] = '0';
    }
    if (places > 0) {
        text[length++] = '.';
    }
    for (int i = count; i < places; i++) {
        text[length++] = '0';
    }
    for (int i = count > places ? count - places : 0; i < count; i++) {
        text[length++] = digits[i];
    }
    return length;
}

// The decimal with the fewest places that is the value, if there is one.
static int print_as_decimal(double value, char *text) {
    for (int places = 0; places <= MOST_PLACES; places++) {
        double scaled = value * powers[places];
        if (!(scaled < (double)MOST_WHOLE - 1)) {
            break;
        }
        uint64_t near = (uint64_t)(scaled + 0.5);
        for (int i = -1; i <= 1; i++) {
            uint64_t whole = i < 0 && near == 0 ? 0 : near + (uint64_t)(int64_t)i;
            if (whole < MOST_WHOLE && (double)whole / powers[places] == value) {
                return print_decimal(whole, places, text);
            }
        }
    }
    return 0;
}

static int print_hexadecimal(double value, char *text) {
    int exponent;
    uint64_t whole = (uint64_t)ldexp(frexp(value, &exponent), 53);
    exponent -= 53;
    while (whole % 2 == 0) {
        whole /= 2;
        exponent++;
    }
    text[0] = '0';
    text[1] = 'x';
    int length = 2 + print_whole(whole, 16, text + 2);
    text[length++] = 'p';
    if (exponent < 0) {
        text[length++] = '-';
    }
    return length + print_whole((uint64_t)(exponent < 0 ? -exponent : exponent), 10, text + length);
}

int som_exact_number_print(double value, char text[SOM_EXACT_NUMBER_TEXT]) {
    int length = 0;
    if (signbit(value)) {
        text[length++] = '-';
        value = -value;
    }
    int digits = isfinite(value) ? print_as_decimal(value, text + length) : 1;
    if (!isfinite(value)) {
        text[length] = '0'; // never asked for
    } else if (digits == 0) {
        digits = print_hexadecimal(value, text + length);
    }
    text[length + digits] = '\0';
    return length + digits;
}

// ---- reading

typedef struct Digits {
    const char *text;
    size_t length;
    size_t at;
} Digits;

static char peek(const Digits *d) {
    return d->at < d->length ? d->text[d->at] : '\0';
}

static int digit_value(char c) {
    if ('0' <= c && c <= '9') {
        return c - '0';
    }
    return 'a' <= c && c <= 'f' ? c - 'a' + 10 : 16;
}

// Reads digits behind those in *whole; returns how many, or -1 where it grows to 2^53.
static int read_digits(Digits *d, unsigned base, uint64_t *whole) {
    int count = 0;
    while (digit_value(peek(d)) < (int)base) {
        *whole = *whole * base + (unsigned)digit_value(peek(d));
        d->at++;
        count++;
        if (*whole >= MOST_WHOLE || count > 64) {
            return -1;
        }
    }
    return count;
}

static bool read_exponent(Digits *d, int *exponent) {
    bool is_negative = peek(d) == '-';
    d->at += is_negative || peek(d) == '+';
    uint64_t whole = 0;
    int count = read_digits(d, 10, &whole);
    if (count < 1 || whole > MOST_EXPONENT) {
        return false;
    }
    *exponent = is_negative ? -(int)whole : (int)whole;
    return true;
}

static bool read_hexadecimal(Digits *d, double *value) {
    uint64_t whole = 0;
    int exponent = 0;
    if (read_digits(d, 16, &whole) < 1) {
        return false;
    }
    if (peek(d) == 'p') {
        d->at++;
        if (!read_exponent(d, &exponent)) {
            return false;
        }
    }
    *value = ldexp((double)whole, exponent);
    return true;
}

static bool read_decimal(Digits *d, double *value) {
    uint64_t whole = 0;
    int before = read_digits(d, 10, &whole), after = 0, exponent = 0;
    if (before >= 0 && peek(d) == '.') {
        d->at++;
        after = read_digits(d, 10, &whole);
    }
    if (before < 0 || after < 0 || before + after == 0) {
        return false;
    }
    if (peek(d) == 'e') {
        d->at++;
        if (!read_exponent(d, &exponent)) {
            return false;
        }
    }
    int places = after - exponent;
    if (places < -MOST_PLACES || places > MOST_PLACES) {
        return false;
    }
    *value = places >= 0 ? (double)whole / powers[places] : (double)whole * powers[-places];
    return true;
}

bool som_exact_number_read(const char *text, size_t length, double *value) {
    Digits d = {text, length, 0};
    bool is_negative = peek(&d) == '-';
    d.at += is_negative;
    bool is_hexadecimal = peek(&d) == '0' && d.at + 1 < length && text[d.at + 1] == 'x';
    d.at += is_hexadecimal ? 2 : 0;
    double read;
    bool is_read = is_hexadecimal ? read_hexadecimal(&d, &read) : read_decimal(&d, &read);
    if (!is_read || d.at != length || !isfinite(read)) {
        return false;
    }
    *value = is_negative ? -read : read;
    return true;
}
