// SPDX-License-Identifier: Apache-2.0
// Tests for language/quantity_text.c: values with units outside of files.

#include "language/quantity_text.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static void refused(const char *text, SomDimensionName wanted, const char *words) {
    double value = 7;
    SomText why = {0};
    ck_assert(!som_quantity_parse(som_str(text), wanted, &value, &why));
    ck_assert_str_eq(why.data, words);
    som_text_free(&why);
}

static void read(const char *text, SomDimensionName wanted, double expected) {
    double value;
    SomText why = {0};
    ck_assert_msg(som_quantity_parse(som_str(text), wanted, &value, &why), "%s: %s", text,
                  why.length > 0 ? why.data : "");
    ck_assert_double_eq(value, expected);
    som_text_free(&why);
}

START_TEST(values_with_units_are_read) {
    read("10ms", SOM_DIMENSION_TIME, 0.01);
    read("1e-3s", SOM_DIMENSION_TIME, 0.001);
    read("-180deg", SOM_DIMENSION_ANGLE, -3.14159265358979323846);
    read("12mm", SOM_DIMENSION_LENGTH, 0.012);
    read("0.6", SOM_DIMENSION_NUMBER, 0.6);
    read("1240kg/m^3", SOM_DIMENSION_DENSITY, 1240);
}
END_TEST

START_TEST(a_value_without_its_unit_is_refused_with_a_hint) {
    refused("10", SOM_DIMENSION_TIME, "'10' has no unit; write 10ms or 10s");
    refused("0", SOM_DIMENSION_ANGLE, "'0' has no unit; write 0deg or 0rad");
    refused("-5", SOM_DIMENSION_LENGTH, "'-5' has no unit; write -5mm or -5m");
    refused("2", SOM_DIMENSION_MASS, "'2' has no unit; write 2kg");
}
END_TEST

START_TEST(what_is_not_such_a_value_is_refused) {
    refused("10deg", SOM_DIMENSION_TIME, "'10deg' is not a time");
    refused("", SOM_DIMENSION_TIME, "'' is not a time");
    refused("ten", SOM_DIMENSION_ANGLE, "'ten' is not an angle");
    refused("3s", SOM_DIMENSION_NUMBER, "'3s' is not a number without unit");
    refused("45dge", SOM_DIMENSION_ANGLE, "unit 'dge' is not known; did you mean 45deg?");
    refused("45 deg", SOM_DIMENSION_ANGLE, "'45 deg' has a blank before its unit; write 45deg");
    refused("1e999deg", SOM_DIMENSION_ANGLE, "'1e999deg' is too large");
}
END_TEST

SOM_SUITE("language/quantity_text", values_with_units_are_read,
          a_value_without_its_unit_is_refused_with_a_hint, what_is_not_such_a_value_is_refused)
