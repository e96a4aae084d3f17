// SPDX-License-Identifier: Apache-2.0

#include "modules/joint_limit.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>

#define QUARTER (SOM_PI / 2)

START_TEST(four_decimals_are_accepted) {
    ck_assert_int_eq(som_limit_fit(-QUARTER, QUARTER, 90 * SOM_PI / 180), SOM_LIMIT_WITHIN);
    ck_assert_int_eq(som_limit_fit(-QUARTER, QUARTER, 1.5708), SOM_LIMIT_ROUNDED);
    ck_assert_int_eq(som_limit_fit(-QUARTER, QUARTER, -1.5708), SOM_LIMIT_ROUNDED);
    ck_assert_int_eq(som_limit_fit(-1.570796, 1.570796, QUARTER), SOM_LIMIT_ROUNDED);
    ck_assert_int_eq(som_limit_fit(-1, 1, 1.00005), SOM_LIMIT_ROUNDED);
}
END_TEST

START_TEST(more_is_beyond) {
    ck_assert_int_eq(som_limit_fit(-QUARTER, QUARTER, 1.571), SOM_LIMIT_BEYOND);
    ck_assert_int_eq(som_limit_fit(-1, 1, 1.00006), SOM_LIMIT_BEYOND);
    ck_assert_int_eq(som_limit_fit(-1, 1, -1.00006), SOM_LIMIT_BEYOND);
    ck_assert_double_eq_tol(som_limit_excess(-1, 1, -1.5), 0.5, 1e-12);
    ck_assert_double_le(som_limit_excess(-1, 1, 0.5), 0);
}
END_TEST

START_TEST(no_limit_is_never_exceeded) {
    ck_assert_int_eq(som_limit_fit(-(double)INFINITY, (double)INFINITY, 1e9), SOM_LIMIT_WITHIN);
    ck_assert_int_eq(som_limit_fit(-1, 1, (double)NAN), SOM_LIMIT_WITHIN);
}
END_TEST

START_TEST(nearest_is_the_limit_or_the_value) {
    ck_assert_double_eq(som_limit_nearest(-1, 1, 2), 1);
    ck_assert_double_eq(som_limit_nearest(-1, 1, -2), -1);
    ck_assert_double_eq(som_limit_nearest(-1, 1, 0.25), 0.25);
}
END_TEST

SOM_SUITE("modules/joint_limit", four_decimals_are_accepted, more_is_beyond,
          no_limit_is_never_exceeded, nearest_is_the_limit_or_the_value)
