// SPDX-License-Identifier: Apache-2.0
// Tests for base/str.c.

#include "base/str.h"
#include "tests/suite.h"

START_TEST(order_is_by_bytes_and_a_prefix_comes_first) {
    ck_assert_int_lt(som_str_compare(SOM_STR("ab"), SOM_STR("abc")), 0);
    ck_assert_int_gt(som_str_compare(SOM_STR("b"), SOM_STR("abc")), 0);
    ck_assert_int_eq(som_str_compare(SOM_STR(""), SOM_STR("")), 0);
}
END_TEST

START_TEST(slices_are_cut_to_the_text) {
    ck_assert(som_str_equal(som_str_slice(SOM_STR("walker"), 4, 99), SOM_STR("er")));
    ck_assert(som_str_equal(som_str_slice(SOM_STR("walker"), 9, 3), SOM_STR("")));
    ck_assert(som_str_starts_with(SOM_STR("walker"), SOM_STR("walk")));
    ck_assert(!som_str_ends_with(SOM_STR("er"), SOM_STR("walker")));
}
END_TEST

START_TEST(the_nearest_name_is_within_two_edits) {
    const SomStr names[] = {SOM_STR("left"), SOM_STR("right"), SOM_STR("tilt"), SOM_STR("T")};
    ck_assert_int_eq(som_str_find_nearest(SOM_STR("rihgt"), names, 4), 1);
    ck_assert_int_eq(som_str_find_nearest(SOM_STR("tlit"), names, 4), 2);
    ck_assert_int_eq(som_str_find_nearest(SOM_STR("back"), names, 4), -1);
    ck_assert_int_eq(som_str_find_nearest(SOM_STR("B"), names, 4), -1); // one letter says nothing
}
END_TEST

START_TEST(words_are_what_blanks_separate) {
    SomStr rest = SOM_STR(" json  csv "), word;
    ck_assert(som_str_next_word(&rest, &word) && som_str_equal(word, SOM_STR("json")));
    ck_assert(som_str_next_word(&rest, &word) && som_str_equal(word, SOM_STR("csv")));
    ck_assert(!som_str_next_word(&rest, &word));
    rest = (SomStr){0};
    ck_assert(!som_str_next_word(&rest, &word));
}
END_TEST

START_TEST(the_case_of_letters_can_be_ignored) {
    ck_assert(som_str_equal_any_case(SOM_STR("SMORES_ep"), SOM_STR("smores_EP")));
    ck_assert(!som_str_equal_any_case(SOM_STR("smores"), SOM_STR("smores_ep")));
    ck_assert(!som_str_equal_any_case(SOM_STR("a@"), SOM_STR("a`")));
}
END_TEST

SOM_SUITE("base/str", words_are_what_blanks_separate, the_case_of_letters_can_be_ignored,
          order_is_by_bytes_and_a_prefix_comes_first, slices_are_cut_to_the_text,
          the_nearest_name_is_within_two_edits)
