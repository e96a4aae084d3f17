// SPDX-License-Identifier: Apache-2.0
// Tests for base/text.c.

#include "base/text.h"
#include "tests/suite.h"

#include <stdint.h>

START_TEST(pieces_are_joined_and_terminated) {
    SomText text = {0};
    ck_assert(som_str_equal(som_text_str(&text), SOM_STR("")));
    som_text_add(&text, SOM_STR(""));
    ck_assert_str_eq(text.data, "");
    som_text_add(&text, SOM_STR("six"));
    som_text_add_char(&text, ' ', 1);
    som_text_add_char(&text, '-', 3);
    som_text_add_char(&text, 'x', 0);
    som_text_add_char(&text, 'x', -2);
    som_text_printf(&text, " %d %s%%", 12, "parts");
    som_text_printf(&text, "%s", "");
    ck_assert_str_eq(text.data, "six --- 12 parts%");
    ck_assert_uint_eq(text.length, strlen(text.data));
    som_text_add(&text, SOM_STR("a\0b"));
    ck_assert_uint_eq(text.length, 20);

    size_t capacity = text.capacity;
    som_text_clear(&text);
    ck_assert_str_eq(text.data, "");
    ck_assert_uint_eq(text.capacity, capacity);
    som_text_free(&text);
    ck_assert_ptr_null(text.data);
    som_text_clear(&text); // of nothing
    som_text_free(&text);
}
END_TEST

START_TEST(long_texts_grow_by_every_way_of_adding) {
    SomText text = {0};
    for (int i = 0; i < 3000; i++) {
        som_text_add_char(&text, (char)('a' + i % 26), 1);
        som_text_printf(&text, "%d", i % 10);
    }
    ck_assert_uint_eq(text.length, 6000);
    for (size_t i = 0; i < 3000; i++) {
        ck_assert_int_eq(text.data[2 * i], (char)('a' + i % 26));
        ck_assert_int_eq(text.data[2 * i + 1], (char)('0' + i % 10));
    }
    som_text_free(&text);
}
END_TEST

START_TEST(a_text_can_be_added_to_itself) {
    SomText text = {0};
    som_text_add(&text, SOM_STR("ab"));
    for (int i = 0; i < 10; i++) {
        som_text_add(&text, som_text_str(&text));
        som_text_add(&text, som_str_slice(som_text_str(&text), 1, 2));
    }
    ck_assert_uint_eq(text.length, 3 * 1024 - 1);
    ck_assert(som_str_starts_with(som_text_str(&text), SOM_STR("ababbababbb")));
    ck_assert_uint_eq(strlen(text.data), text.length);
    som_text_free(&text);
}
END_TEST

static void add_too_much(int which) {
    SomText text = {0};
    som_text_add(&text, (SomStr){"", which == 0 ? SIZE_MAX : SIZE_MAX / 4});
}

START_TEST(a_length_that_overflows_aborts) {
    ck_assert(som_test_aborts(add_too_much, 0));
    ck_assert(som_test_aborts(add_too_much, 1));
}
END_TEST

SOM_SUITE("base/text", pieces_are_joined_and_terminated, long_texts_grow_by_every_way_of_adding,
          a_text_can_be_added_to_itself, a_length_that_overflows_aborts)
