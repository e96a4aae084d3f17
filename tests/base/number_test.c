// SPDX-License-Identifier: Apache-2.0
// Tests for base/number.c. The oracle is glibc in the C locale, which rounds correctly both ways.

#include "base/number.h"
#include "tests/suite.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *printed(double value) {
    static char text[SOM_NUMBER_TEXT];
    int length = som_number_print(value, text);
    ck_assert_uint_eq(strlen(text), (size_t)length);
    return text;
}

static double read_back(const char *text) {
    double value;
    ck_assert_msg(som_number_parse(som_str(text), &value), "%s", text);
    return value;
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_reads_as_glibc(const char *text) {
    double value = read_back(text), expected = strtod(text, NULL);
    ck_assert_msg(same_bits(value, expected), "%.60s: %a, not %a", text, value, expected);
}

// The significant digits of a number's text, without zeros at either end.
static int significant_digits(const char *text, char digits[64]) {
    int count = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if ('0' <= *text && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
    return count;
}

// The shortest digits by trial: the nearest decimal of 1, 2, ... digits until one reads back. Just
// above a power of two, where the doubles below lie closer, the next decimal above may as well.
static int oracle_digits(double value, char digits[64]) {
    int exponent;
    bool lopsided = frexp(value, &exponent) == 0.5;
    for (int count = 1;; count++) {
        char text[64];
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        if (strtod(text, NULL) == value) {
            return significant_digits(text, digits);
        }
        if (lopsided) {
            double above = strtod(text, NULL);
            char *last = strchr(text, 'e') - 1;
            if (above < value && *last != '9') {
                (*last)++;
                if (strtod(text, NULL) == value) {
                    return significant_digits(text, digits);
                }
            }
        }
    }
}

static void check_prints_shortest(double value) {
    const char *text = printed(value);
    ck_assert_msg(same_bits(strtod(text, NULL), value), "%s is not %a", text, value);
    ck_assert_msg(same_bits(read_back(text), value), "%s does not read as %a", text, value);
    char ours[64], expected[64];
    significant_digits(text, ours);
    oracle_digits(fabs(value), expected);
    ck_assert_msg(strcmp(ours, expected) == 0, "%a: %s, not %s", value, text, expected);
}

START_TEST(printing_takes_the_form_the_header_promises) {
    const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-12.5, "-12.5"},
        {0.1, "0.1"},
        {100, "100"},
        {1.0 / 3, "0.3333333333333333"},
        {0.00001, "0.00001"},
        {0.0000123, "0.0000123"},
        {0.000009999, "9.999e-6"},
        {1e-9, "1e-9"},
        {1e16, "10000000000000000"},
        {12345678901234567.0, "12345678901234568"},
        {99999999999999984.0, "99999999999999980"},
        {1e17, "1e17"},
        {1.5e17, "1.5e17"},
        {6.02e23, "6.02e23"},
        {1e23, "1e23"},
        {9007199254740993.0, "9007199254740992"},
        {DBL_MAX, "1.7976931348623157e308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {5e-324, "5e-324"},
        {0x1p-44, "5.684341886080802e-14"}, // the nearest 16 digits, ...801, read as the one below
        {HUGE_VAL, "inf"},
        {-HUGE_VAL, "-inf"},
        {(double)NAN, "nan"},
        {-(double)NAN, "nan"},
        {123456.789, "123456.789"},
        {0.1 + 0.2, "0.30000000000000004"},
        {-0.000012345678901234568, "-0.000012345678901234568"}, // the longest
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_str_eq(printed(cases[i].value), cases[i].text);
    }
}
END_TEST

START_TEST(powers_of_two_and_ten_and_their_neighbours_print_shortest) {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
        double power = ldexp(1, exponent);
        check_prints_shortest(power);
        check_prints_shortest(nextafter(power, HUGE_VAL));
        check_prints_shortest(-nextafter(power, 0));
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        double power = strtod(text, NULL);
        check_prints_shortest(power);
        check_prints_shortest(nextafter(power, HUGE_VAL));
        check_prints_shortest(-nextafter(power, 0));
    }
}
END_TEST

START_TEST(random_bit_patterns_print_shortest_and_read_as_glibc_reads_them) {
    SomTestRandom random = {1};
    int count = som_test_count(20000, 3000000);
    for (int i = 0; i < count; i++) {
        double value = from_bits(som_test_bits(&random));
        if (!isfinite(value)) {
            continue;
        }
        check_prints_shortest(value);
        char text[64];
        snprintf(text, sizeof text, "%.17g", value);
        check_reads_as_glibc(text);
    }
}
END_TEST

START_TEST(numbers_as_people_write_them_print_as_written) {
    SomTestRandom random = {2};
    int count = som_test_count(50000, 3000000);
    for (int i = 0; i < count; i++) {
        int digits = som_test_int(&random, 1, 12);
        int64_t limit = 1;
        for (int d = 0; d < digits; d++) {
            limit *= 10;
        }
        int64_t mantissa = (int64_t)(som_test_bits(&random) % (uint64_t)limit);
        char text[64];
        snprintf(text, sizeof text, "%llde%d", (long long)mantissa, som_test_int(&random, -40, 40));
        double value = read_back(text);
        ck_assert(same_bits(value, strtod(text, NULL)));
        char written[64], ours[64];
        significant_digits(text, written);
        significant_digits(printed(value), ours);
        ck_assert_str_eq(ours, written);
    }
}
END_TEST

START_TEST(subnormal_numbers_print_shortest) {
    SomTestRandom random = {3};
    int count = som_test_count(5000, 500000);
    for (int i = 0; i < count; i++) {
        uint64_t bits = som_test_bits(&random) >> som_test_int(&random, 12, 63);
        check_prints_shortest(from_bits(bits > 0 ? bits : 1));
    }
}
END_TEST

START_TEST(published_hard_cases_read_correctly) {
    static const char *const cases[] = {
        "2.2250738585072011e-308", // looped for ever in PHP and Java
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "2.4703282292062327e-324", // just below half of the smallest
        "2.4703282292062328e-324",
        "2.47032822920623272088284396434110686182e-324",
        "4.9406564584124654e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e308", // the middle to the first number that is too large
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704"
        "342711559699508093042880",
        "9007199254740993", // the middle between two doubles: to even
        "9007199254740992.99999999999999999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000001",
        "9007199254740995",
        "18446744073709551615",
        "18446744073709551616",
        "1e23",
        "8.41e21",
        "9.5367431640625e-7",
        "6.631236871469758276785396630275967e-4",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "0.1e-400",
        "1e-400",
        "1e400",
        "1e999999999",
        "1e-999999999",
        "1e99999999999999999999999999",
        "-1e-99999999999999999999999999",
        "0e999999999",
        "123456789012345678901234567890",
        "5708990770823839524233143877797980545530986496e-22",
        "7.2057594037927933e16",
        "1448997445238699",
        "100000000000000000000000000000000000000000000000000000000000000000000",
        "00000000000000000000000000000000000000000000000000000000000000000012.5",
        ".5",
        "5.",
        "5.e1",
        "+7",
        "1E+2",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_reads_as_glibc(cases[i]);
    }
}
END_TEST

// The exact decimal expansion of the middle between a double and the next one, at most 770 digits,
// through glibc: the middle of two doubles is a long double.
static int print_middle(double value, char text[2000]) {
    long double middle = ((long double)value + (long double)nextafter(value, HUGE_VAL)) / 2;
    return snprintf(text, 2000, "%.800Le", middle);
}

START_TEST(the_middle_of_two_doubles_goes_to_even_and_the_last_digit_decides) {
    SomTestRandom random = {4};
    int count = som_test_count(2000, 100000);
    for (int i = 0; i < count; i++) {
        double value = fabs(from_bits(som_test_bits(&random)));
        if (i % 4 == 0) { // subnormal
            value = from_bits(som_test_bits(&random) >> 12);
        }
        if (!isfinite(value) || value == DBL_MAX) {
            continue;
        }
        char text[2000], longer[2000];
        print_middle(value, text);
        check_reads_as_glibc(text);

        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        double next = nextafter(value, HUGE_VAL);
        ck_assert(read_back(text) == (bits & 1 ? next : value));

        // a one far behind the middle goes up
        char *exponent = strchr(text, 'e');
        snprintf(longer, sizeof longer, "%.*s%0*d%s", (int)(exponent - text), text, 900, 1,
                 exponent);
        ck_assert(read_back(longer) == next);
        check_reads_as_glibc(longer);

        // a little less than the middle goes down
        char *last = exponent - 1;
        while (*last == '0' || *last == '.') {
            *last = *last == '0' ? '9' : '.';
            last--;
        }
        (*last)--;
        ck_assert(read_back(text) == value);
        check_reads_as_glibc(text);
    }
}
END_TEST

START_TEST(texts_of_many_digits_read_as_glibc_reads_them) {
    SomTestRandom random = {5};
    int count = som_test_count(3000, 300000);
    for (int i = 0; i < count; i++) {
        char text[3100];
        int length = 0;
        int digits = som_test_int(&random, 1, i % 10 == 0 ? 3000 : 60);
        int point = som_test_int(&random, 0, digits);
        bool zeros = som_test_int(&random, 0, 3) == 0;
        for (int d = 0; d < digits; d++) {
            if (d == point) {
                text[length++] = '.';
            }
            bool zero = zeros && som_test_int(&random, 0, 9) > 0;
            text[length++] = (char)('0' + (zero ? 0 : som_test_int(&random, 0, 9)));
        }
        int exponent = som_test_int(&random, -400, 400) - (i % 2 == 0 ? digits : 0);
        snprintf(text + length, sizeof text - (size_t)length, "e%d", exponent);
        check_reads_as_glibc(text);
    }
}
END_TEST

START_TEST(a_million_zeros_are_made_up_for_by_the_exponent) {
    int zeros = 1000000;
    char *text = malloc((size_t)zeros + 64);
    memcpy(text, "0.", 2);
    memset(text + 2, '0', (size_t)zeros);
    snprintf(text + 2 + zeros, 62, "125e%d", zeros);
    ck_assert(read_back(text) == 0.125);
    text[0] = '7';
    text[1] = '0';
    snprintf(text + 2 + zeros, 62, "e-%d", zeros + 1);
    ck_assert(read_back(text) == 7.0);
    free(text);
}
END_TEST

START_TEST(reading_takes_the_longest_number_and_no_more) {
    const struct {
        const char *text;
        size_t length;
        double value;
    } cases[] = {
        {"45deg", 2, 45}, {"1e", 1, 1},      {"1e+", 1, 1},   {"1e+x", 1, 1},      {"3em", 1, 3},
        {"1..3", 1, 1},   {"1.5.2", 3, 1.5}, {"1.", 2, 1},    {"1.x", 2, 1},       {".5", 2, 0.5},
        {"..5", 0, 0},    {"-.5e1,", 5, -5}, {"-", 0, 0},     {"+-1", 0, 0},       {"", 0, 0},
        {".", 0, 0},      {"e5", 0, 0},      {" 1", 0, 0},    {"inf", 0, 0},       {"nan", 0, 0},
        {"0x10", 1, 0},   {"1,5", 1, 1},     {"1'000", 1, 1}, {"12e3e4", 4, 12e3}, {"-0", 2, -0.0},
        {"0.0e", 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 99;
        ck_assert_msg(som_number_read(som_str(cases[i].text), &value) == cases[i].length, "%s",
                      cases[i].text);
        ck_assert_msg(same_bits(value, cases[i].value), "%s", cases[i].text);
    }
}
END_TEST

START_TEST(reading_stops_at_the_length_and_needs_no_terminator) {
    double value;
    for (size_t length = 0; length <= 9; length++) {
        // malloc, so that the address sanitizer sees a byte read too many
        char *text = malloc(length + 1);
        memcpy(text, "-123.25e+1", length);
        char *exact = realloc(text, length > 0 ? length : 1);
        const size_t expected[] = {0, 0, 2, 3, 4, 5, 6, 7, 7, 7};
        ck_assert_uint_eq(som_number_read((SomStr){exact, length}, &value), expected[length]);
        free(exact);
    }
    ck_assert_uint_eq(som_number_read((SomStr){NULL, 0}, &value), 0);
}
END_TEST

START_TEST(parsing_wants_the_whole_text) {
    double value = 99;
    ck_assert(som_number_parse(SOM_STR("1e-3"), &value));
    ck_assert(same_bits(value, 1e-3));
    ck_assert(!som_number_parse(SOM_STR("1e-3 "), &value));
    ck_assert(same_bits(value, 0));
    ck_assert(!som_number_parse(SOM_STR(""), &value));
    ck_assert(!som_number_parse(SOM_STR("ten"), &value));
}
END_TEST

START_TEST(integers_that_do_not_fit_are_refused) {
    int64_t value = 99;
    ck_assert(som_integer_parse(SOM_STR("9223372036854775807"), &value));
    ck_assert(value == INT64_MAX);
    ck_assert(som_integer_parse(SOM_STR("-9223372036854775808"), &value));
    ck_assert(value == INT64_MIN);
    ck_assert(som_integer_parse(SOM_STR("+0012"), &value));
    ck_assert(value == 12);
    const SomStr wrong[] = {
        SOM_STR("9223372036854775808"),
        SOM_STR("-9223372036854775809"),
        SOM_STR("99999999999999999999999999"),
        SOM_STR(""),
        SOM_STR("-"),
        SOM_STR("1.0"),
        SOM_STR("1e3"),
        SOM_STR(" 1"),
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert(!som_integer_parse(wrong[i], &value));
        ck_assert(value == 0);
    }
}
END_TEST

// Few machines have such a locale; tools/check_tree.py, which always runs, sees to it that the
// sources call nothing that depends on one.
START_TEST(a_decimal_comma_in_the_locale_changes_nothing) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "da_DK.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL) {
            break;
        }
    }
    ck_assert_str_eq(printed(0.5), "0.5");
    ck_assert_str_eq(printed(1.0 / 3), "0.3333333333333333");
    ck_assert(read_back("0.5") == 0.5);
    ck_assert(read_back("12345678901234567890.5e-1") == 1234567890123456789.0);
    setlocale(LC_ALL, "C");
}
END_TEST

// Whether the shortest decimal of a value is halfway between two of so many digits.
static bool is_halfway(double value, int digits) {
    char text[SOM_NUMBER_TEXT];
    som_number_print(value, text);
    int count = 0;
    char last = '0';
    for (const char *at = text; *at != '\0' && *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9' && (count > 0 || *at != '0')) {
            count++;
            last = *at;
        }
    }
    return count == digits + 1 && last == '5';
}

// Against libc, which rounds the exact value where we round the shortest decimal: they agree but
// for values whose shortest decimal is halfway.
START_TEST(rounding_keeps_the_digits_asked_for_at_every_size) {
    SomTestRandom random = {7};
    int wrong = 0;
    for (int i = 0; i < som_test_count(20000, 1000000); i++) {
        double size = som_test_uniform(&random, -306, 307);
        double value = som_test_uniform(&random, -10, 10) * pow(10, size);
        int digits = som_test_int(&random, 1, 12);
        char expected[64];
        snprintf(expected, sizeof expected, "%.*e", digits - 1, value);
        bool agrees = som_number_round(value, digits) == strtod(expected, NULL);
        wrong += !agrees && !is_halfway(value, digits);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_double_eq(som_number_round(1.8000000000000004e-9, 6), 1.8e-9);
    ck_assert_double_eq(som_number_round(0.12345678, 6), 0.123457);
    ck_assert_double_eq(som_number_round(-999999.6, 6), -1e6);
    ck_assert_double_eq(som_number_round(5e-324, 3), 5e-324);
    ck_assert_double_eq(som_number_round(0, 3), 0);
    ck_assert(isnan(som_number_round(nan(""), 3)));
}
END_TEST

START_TEST(ordinals_end_as_they_are_spoken) {
    static const struct {
        double number;
        const char *ordinal;
    } cases[] = {{0, "0th"},     {1, "1st"},     {2, "2nd"},       {3, "3rd"},        {4, "4th"},
                 {11, "11th"},   {12, "12th"},   {13, "13th"},     {21, "21st"},      {42, "42nd"},
                 {103, "103rd"}, {111, "111th"}, {1013, "1013th"}, {90003, "90003rd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SomText text = {0};
        som_text_ordinal(&text, cases[i].number);
        ck_assert_str_eq(text.data, cases[i].ordinal);
        som_text_free(&text);
    }
}
END_TEST

SOM_SUITE("base/number", rounding_keeps_the_digits_asked_for_at_every_size,
          printing_takes_the_form_the_header_promises,
          powers_of_two_and_ten_and_their_neighbours_print_shortest,
          random_bit_patterns_print_shortest_and_read_as_glibc_reads_them,
          numbers_as_people_write_them_print_as_written, subnormal_numbers_print_shortest,
          published_hard_cases_read_correctly,
          the_middle_of_two_doubles_goes_to_even_and_the_last_digit_decides,
          texts_of_many_digits_read_as_glibc_reads_them,
          a_million_zeros_are_made_up_for_by_the_exponent,
          reading_takes_the_longest_number_and_no_more,
          reading_stops_at_the_length_and_needs_no_terminator, parsing_wants_the_whole_text,
          integers_that_do_not_fit_are_refused, a_decimal_comma_in_the_locale_changes_nothing,
          ordinals_end_as_they_are_spoken)
