// SPDX-License-Identifier: Apache-2.0
// Tests for player/decimal_number.c and player/player_text.c.

#include "player/decimal_number.h"
#include "player/player_text.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double read(const char *text) {
    double value;
    return som_decimal_number_read(text, strlen(text), &value) ? value : (double)NAN;
}

START_TEST(decimals_are_read_as_the_library_reads_them) {
    SomTestRandom random = {7};
    int count = som_test_count(20000, 2000000);
    for (int i = 0; i < count; i++) {
        char text[64];
        double size = pow(10, som_test_int(&random, -9, 9));
        double value = som_test_uniform(&random, -1, 1) * size;
        snprintf(text, sizeof text, i % 2 == 0 ? "%.17g" : "%.12g", value);
        // smaller ones have more places behind the point than are read exactly
        ck_assert_msg(fabs(value) < 1e-10 || read(text) == strtod(text, NULL), "%s", text);
    }
}
END_TEST

START_TEST(tiny_and_large_ones_are_near_enough) {
    SomTestRandom random = {8};
    for (int i = 0; i < 2000; i++) {
        char text[64];
        double value = som_test_uniform(&random, 1, 10) * pow(10, som_test_int(&random, -300, 300));
        snprintf(text, sizeof text, "%.17g", value);
        ck_assert_msg(fabs(read(text) - value) <= 1e-13 * value, "%s", text);
    }
}
END_TEST

START_TEST(what_is_no_number_is_refused) {
    const char *const bad[] = {"",      "-",  ".",     "e5",    "1e",    "1e+",
                               "0x1p3", "1 ", " 1",    "nan",   "inf",   "1,5",
                               "--1",   "+1", "1e999", "1e400", "1.2.3", "12345678901234567890123"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 5;
        ck_assert_msg(!som_decimal_number_read(bad[i], strlen(bad[i]), &value), "%s", bad[i]);
        ck_assert_double_eq(value, 5);
    }
    ck_assert_double_eq(read("-0.5"), -0.5);
    ck_assert_double_eq(read("5."), 5);
    ck_assert_double_eq(read("1e-400"), 0);
    ck_assert_double_eq(read("0.000000000000000000000000000000000000000000"), 0);
}
END_TEST

START_TEST(billionths_are_printed) {
    const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {1.25, "1.25"},
                 {-0.1, "-0.1"},
                 {1e-9, "0.000000001"},
                 {-4e-10, "0"},
                 {0.9999999996, "1"},
                 {-1.9999999996, "-2"},
                 {123456789.5, "123456789.5"},
                 {1e18, "1000000000000000000"},
                 {(double)NAN, "nan"},
                 {-(double)INFINITY, "-inf"},
                 {1e300, "inf"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SOM_DECIMAL_NUMBER_TEXT];
        ck_assert_int_eq(som_decimal_number_print(cases[i].value, text),
                         (int)strlen(cases[i].text));
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

START_TEST(text_is_cut_and_counted) {
    char buffer[6];
    SomPlayerText text = {buffer, sizeof buffer, 0};
    som_player_text_word(&text, "ab");
    som_player_text_quoted(&text, "c\"\n");
    ck_assert_uint_eq(som_player_text_end(&text), 2 + 2 + 1 + 2 + 4);
    ck_assert_str_eq(buffer, "ab\"c\\");
    SomPlayerText none = {NULL, 0, 0};
    som_player_text_whole(&none, INT64_MIN);
    som_player_text_decimal(&none, -0.5);
    ck_assert_uint_eq(som_player_text_end(&none), 20 + 4);
}
END_TEST

SOM_SUITE("player/decimal_number", decimals_are_read_as_the_library_reads_them,
          tiny_and_large_ones_are_near_enough, what_is_no_number_is_refused, billionths_are_printed,
          text_is_cut_and_counted)
