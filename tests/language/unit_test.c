// SPDX-License-Identifier: Apache-2.0
// Tests for language/unit.c.

#include "base/number.h"
#include "language/character.h"
#include "language/unit.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static double si(const char *number, const char *unit) {
    SomQuantity q;
    ck_assert(som_quantity_read(som_str(number), som_str(unit), &q));
    return q.value;
}

START_TEST(conversion_gives_the_nearest_double) {
    ck_assert(si("180", "deg") == PI);
    ck_assert(si("90", "deg") == PI / 2);
    ck_assert(si("45", "deg") == PI / 4);
    ck_assert(si("-90", "deg") == -PI / 2);
    ck_assert(si("360", "deg") == 2 * PI);
    ck_assert(si("0.5", "turn") == PI);
    ck_assert(si("60", "deg") == 0x1.0c152382d7366p+0);  // pi/3, from its digits
    ck_assert(si("120", "deg") == 0x1.0c152382d7366p+1); // 2 pi/3
    ck_assert(si("30", "rpm") == PI);
    ck_assert(si("12", "mm") == 0.012);
    ck_assert(si("1", "in") == 0.0254);
    ck_assert(si("2", "min") == 120);
    ck_assert(si("36", "km/h") == 10);
    ck_assert(si("3", "") == 3);
    ck_assert(si("1e300", "km") == 1e303);
    ck_assert(isinf(si("1e308", "km")));
    ck_assert(signbit(si("-0", "deg")));
}
END_TEST

START_TEST(conversion_agrees_with_long_double) {
    int count;
    const SomUnit *units = som_units(&count);
    SomTestRandom random = {3};
    const long double long_pi = 3.14159265358979323846264338327950288L;
    for (int i = 0; i < som_test_count(20000, 2000000); i++) {
        const SomUnit *unit = &units[som_test_int(&random, 0, count - 1)];
        double number = som_test_normal(&random) * pow(10, som_test_int(&random, -6, 6));
        long double factor = (long double)unit->numerator / (long double)unit->denominator;
        long double exact = (long double)number * factor * (unit->has_pi ? long_pi : 1);
        double value = som_unit_to_si(unit, number);
        // within half a step of the true value, and a little of its own error
        long double step = (long double)(nextafter(fabs(value), HUGE_VAL) - fabs(value));
        ck_assert(fabsl(exact - (long double)value) <= 0.501L * step);
        double back = som_unit_from_si(unit, value);
        long double exact_back = (long double)value / (factor * (unit->has_pi ? long_pi : 1));
        step = (long double)(nextafter(fabs(back), HUGE_VAL) - fabs(back));
        ck_assert(fabsl(exact_back - (long double)back) <= 0.501L * step);
    }
}
END_TEST

START_TEST(every_unit_is_found_and_is_of_its_dimension) {
    int count;
    const SomUnit *units = som_units(&count);
    for (int i = 0; i < count; i++) {
        ck_assert_ptr_eq(som_unit_find(units[i].text), &units[i]);
        ck_assert_ptr_eq(som_unit_match(units[i].text), &units[i]);
    }
    int dimension_count;
    const SomDimensionInfo *dimensions = som_dimensions(&dimension_count);
    for (int i = 0; i < dimension_count; i++) {
        ck_assert_ptr_eq(som_dimension_find(dimensions[i].name), &dimensions[i]);
        ck_assert_ptr_eq(som_dimension_info(dimensions[i].dimension), &dimensions[i]);
        const SomUnit *unit = som_unit_find(dimensions[i].unit);
        ck_assert(i == SOM_DIMENSION_NUMBER ? unit == NULL : (int)unit->dimension == i);
    }
    ck_assert_ptr_null(som_unit_find(SOM_STR("parsec")));
    ck_assert_ptr_null(som_dimension_find(SOM_STR("colour")));
}
END_TEST

START_TEST(the_longest_unit_that_ends_a_word_matches) {
    ck_assert(som_str_equal(som_unit_match(SOM_STR("m/s^2)"))->text, SOM_STR("m/s^2")));
    ck_assert(som_str_equal(som_unit_match(SOM_STR("m/s "))->text, SOM_STR("m/s")));
    ck_assert(som_str_equal(som_unit_match(SOM_STR("m/sx"))->text, SOM_STR("m")));
    ck_assert_ptr_null(som_unit_match(SOM_STR("metre")));
    ck_assert_ptr_null(som_unit_match(SOM_STR("mä")));
    ck_assert_ptr_null(som_unit_match(SOM_STR("")));
}
END_TEST

START_TEST(what_people_write_is_guessed) {
    const char *const pairs[][2] = {{"Deg", "deg"},   {"DEG", "deg"},   {"degrees", "deg"},
                                    {"Seconds", "s"}, {"sec", "s"},     {"KG", "kg"},
                                    {"dge", "deg"},   {"trun", "turn"}, {"nm", "Nm"},
                                    {"inches", "in"}, {"hz", "Hz"},     {"deg/S", "deg/s"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const SomUnit *unit = som_unit_guess(som_str(pairs[i][0]));
        ck_assert_msg(unit != NULL, "%s", pairs[i][0]);
        ck_assert(som_str_equal(unit->text, som_str(pairs[i][1])));
    }
    ck_assert_ptr_null(som_unit_guess(SOM_STR("MN"))); // a million
    ck_assert_ptr_null(som_unit_guess(SOM_STR("Mrad")));
    ck_assert_ptr_null(som_unit_guess(SOM_STR("x")));
}
END_TEST

static void check_print(double value, SomDimensionName dimension, const char *unit,
                        const char *expected) {
    SomText out = {0};
    const SomUnit *chosen = unit != NULL ? som_unit_find(som_str(unit)) : NULL;
    som_quantity_print((SomQuantity){value, som_dimension(dimension)}, chosen, &out);
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
}

START_TEST(quantities_print_short_in_the_unit_of_their_dimension) {
    check_print(PI / 2, SOM_DIMENSION_ANGLE, NULL, "90deg");
    check_print(PI / 2, SOM_DIMENSION_ANGLE, "turn", "0.25turn");
    check_print(-0x1.0c152382d7366p+0, SOM_DIMENSION_ANGLE, NULL, "-60deg");
    check_print(0, SOM_DIMENSION_ANGLE, NULL, "0deg");
    check_print(0.0254, SOM_DIMENSION_LENGTH, "mm", "25.4mm");
    check_print(1.5, SOM_DIMENSION_SPEED, NULL, "1.5m/s");
    check_print(3, SOM_DIMENSION_NUMBER, NULL, "3");
    check_print(0.1, SOM_DIMENSION_TIME, "ms", "100ms");
    check_print(1e-9, SOM_DIMENSION_LENGTH, NULL, "1e-9m");
    check_print(HUGE_VAL, SOM_DIMENSION_ANGLE, NULL, "inf");
    SomText out = {0};
    som_quantity_print((SomQuantity){2, {1, 1, -1, 0}}, NULL, &out);
    ck_assert_str_eq(out.data, "2 kg*m/s");
    som_text_free(&out);
}
END_TEST

// Reads "1.5m/s" back through the number and unit readers.
static double read_back(SomStr text) {
    double number;
    size_t length = som_number_read(text, &number);
    SomQuantity q;
    ck_assert(som_quantity_read(som_str_slice(text, 0, length),
                                som_str_slice(text, length, text.length), &q));
    return q.value;
}

START_TEST(every_quantity_reads_back_exactly) {
    int count;
    const SomUnit *units = som_units(&count);
    SomTestRandom random = {5};
    for (int i = 0; i < som_test_count(5000, 500000); i++) {
        const SomUnit *unit = &units[som_test_int(&random, 0, count - 1)];
        double value = som_test_normal(&random) * pow(10, som_test_int(&random, -8, 8));
        SomText out = {0};
        som_quantity_print((SomQuantity){value, som_dimension(unit->dimension)}, unit, &out);
        ck_assert(read_back(som_text_str(&out)) == value);
        som_text_free(&out);
    }
}
END_TEST

START_TEST(what_a_user_wrote_prints_as_written) {
    const SomUnit *deg = som_unit_find(SOM_STR("deg"));
    SomTestRandom random = {6};
    for (int i = 0; i < som_test_count(2000, 200000); i++) {
        double number = som_test_int(&random, -3600000, 3600000) / 1000.0;
        SomText written = {0}, out = {0};
        som_text_number(&written, number);
        som_text_add(&written, SOM_STR("deg"));
        SomQuantity q = {som_unit_to_si(deg, number), som_dimension(SOM_DIMENSION_ANGLE)};
        som_quantity_print(q, NULL, &out);
        ck_assert(som_str_equal(som_text_str(&out), som_text_str(&written)));
        som_text_free(&written);
        som_text_free(&out);
    }
}
END_TEST

START_TEST(wrong_quantities_are_refused) {
    SomQuantity q = {1, {1, 1, 1, 1}};
    ck_assert(!som_quantity_read(SOM_STR("x"), SOM_STR(""), &q));
    ck_assert(!som_quantity_read(SOM_STR("1"), SOM_STR("dge"), &q));
    ck_assert(!som_quantity_read(SOM_STR(""), SOM_STR("m"), &q));
    ck_assert(q.value == 0 && som_dimension_equal(q.dimension, (SomDimension){0, 0, 0, 0}));
}
END_TEST

static void check_shown(SomDimension dimension, const char *expected) {
    SomText out = {0};
    som_dimension_print(dimension, &out);
    ck_assert_str_eq(out.data, expected);
    som_text_free(&out);
}

START_TEST(dimensions_follow_their_values) {
    SomDimension length = som_dimension(SOM_DIMENSION_LENGTH);
    SomDimension time = som_dimension(SOM_DIMENSION_TIME);
    SomDimension force = som_dimension(SOM_DIMENSION_FORCE);
    SomDimension angle = som_dimension(SOM_DIMENSION_ANGLE);
    check_shown(som_dimension_divide(length, time), "a speed");
    check_shown(som_dimension_multiply(force, length), "a torque");
    check_shown(som_dimension_divide(angle, time), "an angular speed");
    check_shown(som_dimension_divide(angle, angle), "a number without unit");
    check_shown(som_dimension_power(length, 2), "an area");
    check_shown(som_dimension_multiply(length, angle), "a quantity in m*rad");
    check_shown(som_dimension_power(time, -2), "a quantity in 1/s^2");
    check_shown((SomDimension){1, 2, -3, -1}, "a quantity in kg^2*m/s^3/rad");
    ck_assert(!som_dimension_equal(angle, som_dimension(SOM_DIMENSION_NUMBER)));

    SomDimension root;
    ck_assert(som_dimension_root(som_dimension(SOM_DIMENSION_AREA), 2, &root));
    ck_assert(som_dimension_equal(root, length));
    ck_assert(!som_dimension_root(length, 2, &root));
}
END_TEST

START_TEST(exponents_stop_at_their_limit) {
    SomDimension d = som_dimension(SOM_DIMENSION_ACCELERATION);
    for (int i = 0; i < 1000; i++) {
        d = som_dimension_multiply(d, som_dimension(SOM_DIMENSION_ACCELERATION));
    }
    ck_assert_int_eq(d.metre, 100);
    ck_assert_int_eq(d.second, -100);
    d = som_dimension_power(som_dimension(SOM_DIMENSION_TIME), -2147483647 - 1);
    ck_assert_int_eq(d.second, -100);
}
END_TEST

SOM_SUITE("language/unit", conversion_gives_the_nearest_double, conversion_agrees_with_long_double,
          every_unit_is_found_and_is_of_its_dimension, the_longest_unit_that_ends_a_word_matches,
          what_people_write_is_guessed, quantities_print_short_in_the_unit_of_their_dimension,
          every_quantity_reads_back_exactly, what_a_user_wrote_prints_as_written,
          wrong_quantities_are_refused, dimensions_follow_their_values,
          exponents_stop_at_their_limit)
