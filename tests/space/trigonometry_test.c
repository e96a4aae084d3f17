// SPDX-License-Identifier: Apache-2.0
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

// The error of `value` in units of the last place of a double; long double is our reference.
static double error_in_places(double value, long double exact) {
    int exponent;
    frexpl(exact, &exponent);
    long double place = ldexpl(1, exponent - 53 < -1074 ? -1074 : exponent - 53);
    return (double)(fabsl((long double)value - exact) / place);
}

static void raise_to(double *worst, double error) {
    if (!(error <= *worst)) {
        *worst = error;
    }
}

// The order of calls in an argument list is the compiler's choice; here it is ours.
static double random_scaled(SomTestRandom *random, int low, int high) {
    double x = som_test_uniform(random, -1, 1);
    return ldexp(x, som_test_int(random, low, high));
}

// Small, middle, large and huge angles and, worst, the doubles next to multiples of pi/2.
static double some_angle(SomTestRandom *random, int i) {
    switch (i % 5) {
    case 0:
        return som_test_uniform(random, -1, 1);
    case 1:
        return som_test_uniform(random, -20, 20);
    case 2:
        return som_test_uniform(random, -2e6, 2e6);
    case 3:
        return random_scaled(random, -60, 1023);
    default:
        return som_test_int(random, -1000000, 1000000) * (SOM_PI / 2);
    }
}

START_TEST(sine_and_cosine_are_good_to_the_last_place) {
    SomTestRandom random = {1};
    double worst = 0;
    for (int i = 0; i < som_test_count(200000, 20000000); i++) {
        double x = some_angle(&random, i);
        raise_to(&worst, error_in_places(som_sin(x), sinl((long double)x)));
        raise_to(&worst, error_in_places(som_cos(x), cosl((long double)x)));
    }
    ck_assert_double_lt(worst, 0.8);
}
END_TEST

START_TEST(sincos_gives_the_bits_of_both) {
    SomTestRandom random = {2};
    for (int i = 0; i < 100000; i++) {
        double x = some_angle(&random, i);
        double s, c;
        som_sincos(x, &s, &c);
        ck_assert(s == som_sin(x) && c == som_cos(x));
    }
}
END_TEST

START_TEST(arc_tangent_is_good_to_the_last_place) {
    SomTestRandom random = {3};
    double worst = 0;
    for (int i = 0; i < som_test_count(300000, 20000000); i++) {
        int spread = i % 3 == 0 ? 0 : i % 3 == 1 ? 80 : 1000;
        double y = random_scaled(&random, -spread, spread);
        double x = random_scaled(&random, -spread, spread);
        raise_to(&worst, error_in_places(som_atan2(y, x), atan2l((long double)y, (long double)x)));
    }
    ck_assert_double_lt(worst, 0.6);
}
END_TEST

START_TEST(arc_sine_and_cosine_are_good_to_two_places) {
    SomTestRandom random = {4};
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double x = som_test_uniform(&random, -1, 1);
        double near_end = 1 - ldexp(x * x, -som_test_int(&random, 0, 50));
        raise_to(&worst, error_in_places(som_acos(x), acosl((long double)x)));
        raise_to(&worst, error_in_places(som_asin(x), asinl((long double)x)));
        raise_to(&worst, error_in_places(som_acos(near_end), acosl((long double)near_end)));
        raise_to(&worst, error_in_places(som_asin(near_end), asinl((long double)near_end)));
    }
    ck_assert_double_lt(worst, 2.5);
    ck_assert(isnan(som_acos(1.5)) && isnan(som_asin(-1.5)));
}
END_TEST

static bool same_number(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

START_TEST(special_values_are_those_of_the_standard) {
    const double special[] = {
        0.0,         -0.0,   1,       -1,      (double)INFINITY, -(double)INFINITY,
        (double)NAN, 5e-324, -5e-324, DBL_MAX, -DBL_MAX};
    int count = (int)(sizeof special / sizeof *special);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            ck_assert(
                same_number(som_atan2(special[i], special[j]), atan2(special[i], special[j])));
        }
    }
    ck_assert(same_number(som_sin(-0.0), -0.0));
    ck_assert(same_number(som_sin(5e-324), 5e-324));
    ck_assert(som_cos(0) == 1);
    ck_assert(isnan(som_sin((double)INFINITY)) && isnan(som_cos((double)NAN)));
    double s, c;
    som_sincos(-(double)INFINITY, &s, &c);
    ck_assert(isnan(s) && isnan(c));
    ck_assert(som_sin(1e22) == -0.8522008497671888); // the classic test of the reduction
}
END_TEST

START_TEST(results_are_the_pinned_bits) {
    SomTestRandom random = {5};
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 100000; i++) {
        double x = some_angle(&random, i), y = some_angle(&random, i + 1);
        double values[3] = {som_sin(x), som_cos(x), som_atan2(x, y)};
        for (int k = 0; k < 3; k++) {
            uint64_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    ck_assert_uint_eq(hash, 1612575442967559745u);
}
END_TEST

SOM_SUITE("space/trigonometry", sine_and_cosine_are_good_to_the_last_place,
          sincos_gives_the_bits_of_both, arc_tangent_is_good_to_the_last_place,
          arc_sine_and_cosine_are_good_to_two_places, special_values_are_those_of_the_standard,
          results_are_the_pinned_bits)
