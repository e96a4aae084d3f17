// SPDX-License-Identifier: Apache-2.0
// Fuzz target: numbers in any text are read as glibc reads them, and print and read back.
//
// For every text: reading takes a part of it that glibc takes whole, with the same bits; the value
// prints to a text that both read back to it. For the first eight bytes taken as a double: the
// same, and no decimal of one digit less that is nearest to it reads back (unless doubles lie
// closer below it than above). An integer is parsed if and only if glibc parses all of it without
// overflow.

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static int significant_digits(const char *text) {
    int count = 0, zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if ('0' <= *text && *text <= '9' && (count > 0 || *text != '0')) {
            count++;
            zeros = *text == '0' ? zeros + 1 : 0;
        }
    }
    return count - zeros;
}

static void check_printing(double value) {
    char text[SOM_NUMBER_TEXT];
    int length = som_number_print(value, text);
    require(strlen(text) == (size_t)length);
    if (!isfinite(value)) {
        return;
    }
    double again;
    require(som_number_parse((SomStr){text, (size_t)length}, &again) && same_bits(again, value));
    require(same_bits(strtod(text, NULL), value));
    int exponent, digits = significant_digits(text);
    require(digits <= 17);
    if (digits > 1 && fabs(frexp(value, &exponent)) != 0.5) {
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
        require(!same_bits(strtod(shorter, NULL), value));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size > 0 ? size : 1); // of its exact size, for the sanitizer
    char *terminated = malloc(size + 1);
    if (size > 0) {
        memcpy(bytes, data, size);
        memcpy(terminated, data, size);
    }
    double value;
    size_t length = som_number_read((SomStr){bytes, size}, &value);
    require(length <= size);
    terminated[length] = '\0';
    char *end;
    require(length == 0 || same_bits(strtod(terminated, &end), value));
    require(length == 0 || end == terminated + length);
    check_printing(value);
    if (size >= sizeof value) {
        memcpy(&value, bytes, sizeof value);
        check_printing(value);
    }

    int64_t integer;
    bool parsed = som_integer_parse((SomStr){bytes, size}, &integer);
    if (size > 0) {
        memcpy(terminated, data, size);
    }
    terminated[size] = '\0';
    errno = 0;
    long long expected = strtoll(terminated, &end, 10);
    bool blank = size > 0 && strchr(" \t\n\v\f\r", bytes[0]) != NULL;
    bool whole = size > 0 && end == terminated + size && errno == 0 && !blank;
    require(parsed == whole && integer == (whole ? expected : 0));
    free(bytes);
    free(terminated);
    return 0;
}
