// SPDX-License-Identifier: Apache-2.0
// Tests for language/lexer_number.c.

#include "base/codes/language_codes.h"
#include "language/lexer.h"
#include "tests/suite.h"

// The tokens of a text separated by '|', then the codes of reports.
static void split(SomStr text, const SomDialect *dialect, SomText *out) {
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a"), text);
    SomTokens tokens = som_lex(text, dialect, source1, diags);
    som_text_clear(out);
    for (int i = 0; i < tokens.count; i++) {
        const char *mark = tokens.data[i].kind == SOM_TOKEN_NUMBER ? "n:"
                           : tokens.data[i].kind == SOM_TOKEN_UNIT ? "u:"
                                                                   : "";
        som_text_printf(out, "%s%s", i > 0 ? "|" : "", mark);
        som_text_add(out, som_str_slice(text, tokens.data[i].begin, tokens.data[i + 1].begin));
    }
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    for (int i = 0; i < count; i++) {
        if (entries[i].kind == SOM_DIAGNOSTIC_REPORT) {
            som_text_printf(out, " %d", (int)entries[i].code);
        } else {
            som_text_printf(out, " [%.*s]", SOM_STR_ARG(entries[i].message));
        }
    }
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
}

#define CHECK_SPLIT(dialect, text, expected)                                                       \
    do {                                                                                           \
        SomText out = {0};                                                                         \
        split(SOM_STR(text), &som_dialect_##dialect, &out);                                        \
        ck_assert_str_eq(out.data, expected);                                                      \
        som_text_free(&out);                                                                       \
    } while (0)

START_TEST(ranges_are_not_fractions) {
    CHECK_SPLIT(somite, "1..5", "n:1|..|n:5");
    CHECK_SPLIT(somite, "1.5..2.5", "n:1.5|..|n:2.5");
    CHECK_SPLIT(somite, "1..n", "n:1|..|n");
    CHECK_SPLIT(somite, "1...5", "n:1|..|.|n:5");
    CHECK_SPLIT(somite, "1e3..2", "n:1e3|..|n:2");
    CHECK_SPLIT(somite, "1deg..2deg", "n:1|u:deg|..|n:2|u:deg");
}
END_TEST

START_TEST(points_may_stand_before_and_behind_digits) {
    CHECK_SPLIT(m3l, "(.5,1.,-0.2)", "(|n:.5|,|n:1.|,|-|n:0.2|)");
    CHECK_SPLIT(m3l, "1.e5 .5e-2", "n:1.e5| |n:.5e-2");
    CHECK_SPLIT(somite, "a.5 s[1].5 f().5 \"a\".5",
                "a|.|n:5| |s|[|n:1|]|.|n:5| |f|(|)|.|n:5| |\"a\"|.|n:5");
    CHECK_SPLIT(somite, "1.x 1.e 2.m", "n:1|.|x| |n:1|.|e| |n:2|.|m");
}
END_TEST

START_TEST(units_are_glued_and_the_longest_wins) {
    CHECK_SPLIT(somite, "90deg 0.5m 40deg/s 3m/s^2",
                "n:90|u:deg| |n:0.5|u:m| |n:40|u:deg/s| |n:3|u:m/s^2");
    CHECK_SPLIT(somite, "5N*m 5N*x 10m/n 2m*m",
                "n:5|u:N*m| |n:5|u:N|*|x| |n:10|u:m|/|n| |n:2|u:m|*|m");
    CHECK_SPLIT(somite, "40deg /s 40 deg", "n:40|u:deg| |/|s| |n:40| |deg");
    CHECK_SPLIT(somite, "1e3m 1min 1mm 3m/s^20",
                "n:1e3|u:m| |n:1|u:min| |n:1|u:mm| |n:3|u:m/s|^|n:20");
    CHECK_SPLIT(m3l, "mass=0.4kg,", "mass|=|n:0.4|u:kg|,");
}
END_TEST

START_TEST(wrong_units_are_reported_with_what_was_meant) {
    CHECK_SPLIT(somite, "40dge", "n:40|u:dge 1023 [deg]");
    CHECK_SPLIT(somite, "40Deg", "n:40|u:Deg 1023 [deg]");
    CHECK_SPLIT(somite, "40degrees", "n:40|u:degrees 1023 [deg]");
    CHECK_SPLIT(somite, "40dge/s", "n:40|u:dge/s 1023 [deg/s]");
    CHECK_SPLIT(somite, "40xyz/s", "n:40|u:xyz|/|s 1023");
    CHECK_SPLIT(somite, "3D 0x1F 1_000", "n:3|u:D| |n:0|u:x1F| |n:1|u:_000 1023 1023 1023");
    CHECK_SPLIT(somite, "5ä", "n:5|u:ä 1023");
    CHECK_SPLIT(role, "45deg", "n:45|u:deg 1024");
}
END_TEST

START_TEST(malformed_numbers_are_one_token_and_one_report) {
    CHECK_SPLIT(somite, "1.2.3", "n:1.2.3 1021");
    CHECK_SPLIT(somite, "1.2.3.4m", "n:1.2.3.4|u:m 1021");
    CHECK_SPLIT(somite, "1e 1e+ 2E-", "n:1e| |n:1e+| |n:2E- 1021 1021 1021");
    CHECK_SPLIT(role, "1e;", "n:1e|; 1021");
    CHECK_SPLIT(somite, "1eV", "n:1|u:eV 1023");
    CHECK_SPLIT(somite, "1.2.x", "n:1.2|.|x");
}
END_TEST

START_TEST(numbers_beyond_a_double_are_reported) {
    CHECK_SPLIT(somite, "1e308", "n:1e308");
    CHECK_SPLIT(somite, "1e309", "n:1e309 1022");
    CHECK_SPLIT(somite, "1e-999", "n:1e-999");
    char digits[401];
    memset(digits, '9', 400);
    SomDiagnostics *diags = som_diagnostics_create();
    SomTokens tokens = som_lex((SomStr){digits, 400}, &som_dialect_m3l, 0, diags);
    ck_assert_int_eq(tokens.count, 1);
    ck_assert(som_diagnostics_has(diags, SOM_NUMBER_TOO_LARGE));
    som_tokens_free(&tokens);
    som_diagnostics_destroy(diags);
}
END_TEST

SOM_SUITE("language/lexer_number", ranges_are_not_fractions,
          points_may_stand_before_and_behind_digits, units_are_glued_and_the_longest_wins,
          wrong_units_are_reported_with_what_was_meant,
          malformed_numbers_are_one_token_and_one_report, numbers_beyond_a_double_are_reported)
