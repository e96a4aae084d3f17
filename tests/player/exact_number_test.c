// SPDX-License-Identifier: Apache-2.0
// Tests for player/exact_number.c.

#include "player/exact_number.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(numbers_print_short) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {-2.5, "-2.5"},
        {1e-9, "0.000000001"},
        {123456, "123456"},
        {100, "100"},
        {3.141592653589793, "3.141592653589793"},
        {0x1p60, "0x1p60"},
        {0x10c152382d7365p-51, "0x10c152382d7365p-51"},
        {0x1p-1074, "0x1p-1074"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SOM_EXACT_NUMBER_TEXT];
        int length = som_exact_number_print(cases[i].value, text);
        ck_assert_str_eq(text, cases[i].text);
        ck_assert_int_eq(length, (int)strlen(text));
    }
}
END_TEST

START_TEST(what_is_printed_reads_back_and_libc_agrees) {
    SomTestRandom random = {3};
    int wrong = 0;
    for (int i = 0; i < som_test_count(100000, 5000000); i++) {
        double value, again = 0;
        uint64_t bits = som_test_bits(&random);
        memcpy(&value, &bits, sizeof value);
        if (i % 2) {
            value = som_test_int(&random, -100000, 100000) * (i % 4 == 1 ? 0.001 : 0.00017453);
        }
        if (!isfinite(value)) {
            continue;
        }
        char text[SOM_EXACT_NUMBER_TEXT];
        int length = som_exact_number_print(value, text);
        bool is_read = som_exact_number_read(text, (size_t)length, &again);
        double libc = strtod(text, NULL);
        wrong += !is_read || memcmp(&again, &value, sizeof value) != 0 ||
                 memcmp(&libc, &value, sizeof value) != 0;
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(only_exact_numbers_are_read) {
    static const char *const good[] = {"1",      "-1",   "1.",    ".5",      "1e3",
                                       "1.5e-3", "0x1",  "0xap2", "0.00000", "9007199254740991",
                                       "1e22",   "2e-22"};
    static const char *const bad[] = {"",
                                      "-",
                                      ".",
                                      "+1",
                                      "1e",
                                      "1x",
                                      "0x",
                                      "0xp1",
                                      "nan",
                                      "inf",
                                      "1 ",
                                      " 1",
                                      "--1",
                                      "1e23",
                                      "1e-23",
                                      "0x1p",
                                      "0x1p2000",
                                      "9007199254740993",
                                      "0x20000000000001",
                                      "1e99999999999",
                                      "0X1",
                                      "1.5.5",
                                      "0.000000000000000000000000000000000001"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(som_exact_number_read(good[i], strlen(good[i]), &value), "%s", good[i]);
        ck_assert_msg(value == strtod(good[i], NULL), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_msg(!som_exact_number_read(bad[i], strlen(bad[i]), &value), "%s", bad[i]);
    }
}
END_TEST

SOM_SUITE("player/exact_number", numbers_print_short, what_is_printed_reads_back_and_libc_agrees,
          only_exact_numbers_are_read)
