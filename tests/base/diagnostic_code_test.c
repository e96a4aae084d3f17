// SPDX-License-Identifier: Apache-2.0
// Tests for base/diagnostic_code.c and the lists in base/codes.

#include "base/codes/base_codes.h"
#include "base/diagnostic_code.h"
#include "tests/suite.h"

START_TEST(codes_rise_and_each_says_what_to_do) {
    int count;
    const SomCodeInfo *codes = som_codes(&count);
    ck_assert_int_gt(count, 10);
    for (int i = 0; i < count; i++) {
        ck_assert_int_gt((int)codes[i].code, i == 0 ? 0 : (int)codes[i - 1].code);
        ck_assert_int_le((int)codes[i].code, 9999);
        SomStr help = som_str(codes[i].help);
        ck_assert_msg(help.length > 20 && som_str_ends_with(help, SOM_STR(".")), "SOM%04d: %s",
                      (int)codes[i].code, codes[i].help);
        ck_assert_int_eq(som_code_severity(codes[i].code), codes[i].severity);
    }
}
END_TEST

START_TEST(a_code_is_found_as_people_write_it) {
    const char *const right[] = {"SOM0101", "som0101", "0101"};
    for (int i = 0; i < 3; i++) {
        const SomCodeInfo *info = som_code_find(som_str(right[i]));
        ck_assert_ptr_nonnull(info);
        ck_assert_int_eq(info->code, SOM_FILE_NOT_FOUND);
    }
    const char *const wrong[] = {"",        "SOM",      "101",      "SOM101",   "SOM0000",
                                 "0000",    "SOM01010", "SOX0101",  "SOM01O1",  "-101",
                                 "SOM 101", "SOM0101 ", "\xFF\xFF", "99999999", "SOM9999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(som_code_find(som_str(wrong[i])) == NULL, "%s", wrong[i]);
    }
}
END_TEST

START_TEST(severities_have_words) {
    ck_assert_str_eq(som_severity_word(SOM_NOTE), "note");
    ck_assert_str_eq(som_severity_word(SOM_WARNING), "warning");
    ck_assert_str_eq(som_severity_word(SOM_ERROR), "error");
}
END_TEST

static void ask_for_none(int which) {
    som_code_severity(which == 0 ? SOM_NO_CODE : (SomCode)12345);
}

START_TEST(a_code_that_is_not_listed_aborts) {
    ck_assert(som_test_aborts(ask_for_none, 0));
    ck_assert(som_test_aborts(ask_for_none, 1));
}
END_TEST

SOM_SUITE("base/diagnostic_code", codes_rise_and_each_says_what_to_do,
          a_code_is_found_as_people_write_it, severities_have_words,
          a_code_that_is_not_listed_aborts)
