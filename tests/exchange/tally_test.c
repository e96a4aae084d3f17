// SPDX-License-Identifier: Apache-2.0
// Tests for exchange/tally.c.

#include "base/codes/exchange_codes.h"
#include "exchange/tally.h"
#include "tests/suite.h"

static void check_report(const char *const *names, int count, const char *expected) {
    SomDiagnostics *diags = som_diagnostics_create();
    SomTally tally = {0};
    for (int i = 0; i < count; i++) {
        som_tally_add(&tally, som_str(names[i]), (SomSpan){0});
    }
    som_tally_report(&tally, SOM_MODEL_NO_MASS, "link ", " has no mass", diags);
    som_tally_report(&tally, SOM_MODEL_NO_MASS, "link ", " has no mass", diags); // it is empty now
    SomText text = {0};
    som_diagnostics_print(diags, 0, &text);
    ck_assert_str_eq(som_text_str(&text).data, expected);
    som_text_free(&text);
    som_diagnostics_destroy(diags);
}

START_TEST(names_are_listed_once_and_counted_after_a_few) {
    static const char *const names[] = {"a", "b", "a", "b", "c", "d", "e", "c", "f", "e"};
    check_report(names, 1, "warning: link 'a' has no mass [SOM5806]\n");
    check_report(names, 3, "warning: link 'a' has no mass; likewise 'b' [SOM5806]\n");
    check_report(names, 10,
                 "warning: link 'a' has no mass; likewise 'b', 'c', 'd' (and 2 more) [SOM5806]\n");
}
END_TEST

START_TEST(nothing_found_is_not_reported) {
    check_report(NULL, 0, "");
}
END_TEST

SOM_SUITE("exchange/tally", names_are_listed_once_and_counted_after_a_few,
          nothing_found_is_not_reported)
