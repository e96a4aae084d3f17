// SPDX-License-Identifier: Apache-2.0
// Tests for base/memory.c.

#include "base/memory.h"
#include "tests/suite.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

START_TEST(memory_is_zeroed_and_never_null) {
    unsigned char *memory = som_alloc(1000);
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(memory[i], 0);
    }
    som_free(memory);
    void *nothing = som_alloc(0);
    ck_assert_ptr_nonnull(nothing);
    nothing = som_realloc(nothing, 0, 8);
    ck_assert_ptr_nonnull(nothing);
    som_free(nothing);
    som_free(NULL);
}
END_TEST

START_TEST(an_array_keeps_what_is_pushed) {
    SOM_ARRAY(int) squares = {0};
    for (int i = 0; i < 10000; i++) {
        som_array_push(&squares, i * i);
    }
    ck_assert_int_eq(squares.count, 10000);
    ck_assert_int_ge(squares.capacity, squares.count);
    for (int i = 0; i < 10000; i++) {
        ck_assert_int_eq(squares.data[i], i * i);
    }
    const int *before = squares.data;
    som_array_reserve(&squares, squares.capacity);
    ck_assert_ptr_eq(squares.data, before);
    som_array_free(&squares);
    ck_assert_ptr_null(squares.data);
    ck_assert_int_eq(squares.count + squares.capacity, 0);
}
END_TEST

START_TEST(capacities_double_and_stay_in_int) {
    ck_assert_int_eq(som_array_grow(0, 1), 8);
    ck_assert_int_eq(som_array_grow(8, 9), 16);
    ck_assert_int_eq(som_array_grow(8, 100), 100);
    ck_assert_int_eq(som_array_grow(INT_MAX / 2 + 1, INT_MAX / 2 + 2), INT_MAX);
    ck_assert_int_eq(som_array_grow(INT_MAX - 1, INT_MAX), INT_MAX);
}
END_TEST

static void misuse(int which) {
    switch (which) {
    case 0: // the product leaves size_t
        som_realloc(NULL, SIZE_MAX / 2, 3);
        break;
    case 1: // more than any machine has
        som_realloc(NULL, SIZE_MAX / 2, 1);
        break;
    case 2: // a count that left int
        som_array_grow(INT_MAX, INT_MIN);
        break;
    }
}

START_TEST(running_out_of_memory_aborts) {
    for (int which = 0; which <= 2; which++) {
        ck_assert_msg(som_test_aborts(misuse, which), "case %d", which);
    }
}
END_TEST

SOM_SUITE("base/memory", memory_is_zeroed_and_never_null, an_array_keeps_what_is_pushed,
          capacities_double_and_stay_in_int, running_out_of_memory_aborts)
