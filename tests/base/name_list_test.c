// SPDX-License-Identifier: Apache-2.0
#include "base/name_list.h"
#include "tests/suite.h"

static SomText list_of(int count, int max) {
    SomText out = {0};
    SomNameList list = {.out = &out, .max = max};
    for (int i = 0; i < count; i++) {
        som_name_list_add(&list, "'m%d'", i);
    }
    som_name_list_end(&list);
    return out;
}

static void check(int count, int max, const char *expected) {
    SomText out = list_of(count, max);
    ck_assert_str_eq(out.length > 0 ? out.data : "", expected);
    som_text_free(&out);
}

START_TEST(few_names_are_all_listed) {
    check(0, 0, "");
    check(1, 0, "'m0'");
    check(3, 0, "'m0', 'm1', 'm2'");
    check(5, 5, "'m0', 'm1', 'm2', 'm3', 'm4'");
}
END_TEST

START_TEST(many_names_are_cut_and_counted) {
    check(4, 0, "'m0', 'm1', 'm2' (and 1 more)");
    check(68, 0, "'m0', 'm1', 'm2' (and 65 more)");
    check(6, 5, "'m0', 'm1', 'm2', 'm3', 'm4' (and 1 more)");
}
END_TEST

SOM_SUITE("base/name_list", few_names_are_all_listed, many_names_are_cut_and_counted)
