// SPDX-License-Identifier: Apache-2.0

#include "base/codes/compose_text_codes.h"
#include "compose/value.h"
#include "space/trigonometry.h"
#include "tests/suite.h"

#include <math.h>

static bool find(void *context, SomStr name, SomNode node, SomValue *value) {
    (void)context;
    (void)node;
    *value = som_value_quantity(3, som_dimension(SOM_DIMENSION_LENGTH));
    return som_str_equal(name, SOM_STR("three metres"));
}

// Evaluates `let a = expression`; the codes of reports go to *code, the last one.
static SomValue evaluate(const char *expression, SomCode *code) {
    SomText text = {0};
    som_text_printf(&text, "let a = %s", expression);
    SomDiagnostics *diags = som_diagnostics_create();
    uint32_t source1 = som_diagnostics_add_source(diags, SOM_STR("a"), som_text_str(&text));
    SomSyntax *tree = som_som_parse(som_text_str(&text), &som_dialect_somite, source1, diags);
    SomNode let = som_syntax_first_child(tree, SOM_ROOT);
    SomEvaluator evaluator = {.tree = tree, .diags = diags, .find = find};
    SomValue value = som_value_evaluate(
        &evaluator, som_syntax_next_sibling(tree, som_syntax_first_child(tree, let)));
    int count;
    const SomDiagnostic *entries = som_diagnostics_get(diags, &count);
    *code = count > 0 ? entries[0].code : SOM_NO_CODE;
    som_syntax_destroy(tree);
    som_diagnostics_destroy(diags);
    som_text_free(&text);
    return value;
}

static void check(const char *expression, const char *expected) {
    SomCode code;
    SomText shown = {0};
    som_value_print(evaluate(expression, &code), &shown);
    ck_assert_msg(code == SOM_NO_CODE, "%s: %d", expression, (int)code);
    ck_assert_msg(strcmp(shown.data, expected) == 0, "%s is %s, not %s", expression, shown.data,
                  expected);
    som_text_free(&shown);
}

static void check_wrong(const char *expression, SomCode expected) {
    SomCode code;
    SomValue value = evaluate(expression, &code);
    ck_assert_msg(code == expected, "%s: %d", expression, (int)code);
    ck_assert_int_eq(value.kind, SOM_VALUE_NONE);
}

START_TEST(operators_compute_with_units) {
    check("1 + 2*3 - 4/2", "5");
    check("-2^2", "-4");
    check("2^-1", "0.5");
    check("2^3^2", "512");
    check("(-3)^3", "-27");
    check("90deg + 0.5turn", "270deg");
    check("3m*2m", "6m^2");
    check("6m/2s", "3m/s");
    check("10m/2m", "5");
    check("(2m)^2", "4m^2");
    check("300mm - 5cm", "0.25m");
    check("\"three metres\"*2", "6m");
    check("2*pi", "6.283185307179586");
}
END_TEST

START_TEST(conditions_are_no_numbers) {
    check("1 < 2", "true");
    check("2 <= 1 or 3 != 3", "false");
    check("not 1 > 2 and true", "true");
    check("1m == 100cm", "true");
    check("true == false", "false");
    check("if 2 > 1 then 3m else 4s", "3m");
    check("if false then 1/0 else 2", "2");
    check_wrong("if 1 then 2 else 3", SOM_NOT_A_CONDITION);
    check_wrong("1 + true", SOM_WRONG_DIMENSION);
    check_wrong("true < false", SOM_WRONG_DIMENSION);
}
END_TEST

START_TEST(functions_have_the_dimensions_of_mathematics) {
    check("sin(30deg)", "0.5");
    check("cos(pi)", "-1");
    check("sqrt(9m^2)", "3m");
    check("asin(1)", "90deg");
    check("atan2(1m, 1m)", "45deg");
    check("abs(-3s)", "3s");
    check("max(1m, 30cm, 2m)", "2m");
    check("min(4)", "4");
    check("floor(-1.5) + ceil(1.2) + round(2.5)", "3");
    check("mod(7, 3)", "1");
    check("mod(-1, 3)", "2");
    check("mod(370deg, 1turn) < 11deg", "true");
    check("odd(3) and even(0) and odd(-1)", "true");
    check("clamp(5m, 0m, 3m)", "3m");
    check("sign(-2kg)", "-1");
    check_wrong("sin(3s)", SOM_WRONG_DIMENSION);
    check_wrong("max(1m, 2)", SOM_WRONG_DIMENSION);
    check_wrong("floor(2m)", SOM_WRONG_DIMENSION);
    check_wrong("sqrt(2m)", SOM_WRONG_DIMENSION);
    check_wrong("sqrt(-4)", SOM_UNDEFINED_VALUE);
    check_wrong("odd(0.5)", SOM_NOT_WHOLE);
    check_wrong("sinus(1)", SOM_UNKNOWN_FUNCTION);
    check_wrong("sin()", SOM_WRONG_ARGUMENTS);
    check_wrong("nobody", SOM_UNKNOWN_VALUE);
}
END_TEST

// Random sums and products, against the same in doubles.
START_TEST(chains_are_computed_from_left_to_right) {
    SomTestRandom random = {3};
    int wrong = 0;
    for (int round = 0; round < som_test_count(300, 10000); round++) {
        SomText text = {0};
        double expected = som_test_int(&random, -9, 9);
        som_text_printf(&text, "%d", (int)expected);
        bool is_sum = som_test_int(&random, 0, 1) == 0;
        for (int i = som_test_int(&random, 0, 12); i > 0; i--) {
            int operand = som_test_int(&random, 1, 9);
            bool is_first = som_test_int(&random, 0, 1) == 0;
            som_text_printf(&text, " %s %d",
                            is_sum ? (is_first ? "+" : "-") : (is_first ? "*" : "/"), operand);
            expected = is_sum ? (is_first ? expected + operand : expected - operand)
                              : (is_first ? expected * operand : expected / operand);
        }
        SomCode code;
        SomValue value = evaluate(text.data, &code);
        wrong += value.kind != SOM_VALUE_QUANTITY || value.number != expected;
        som_text_free(&text);
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

START_TEST(a_place_is_reported_once) {
    SomReportedPlaces places = {0};
    int fresh = 0;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 1000; i++) {
            fresh += som_reported_places_add(&places, SOM_UNKNOWN_VALUE, (SomSpan){1, i, i + 1});
        }
    }
    ck_assert_int_eq(fresh, 1000);
    ck_assert(som_reported_places_add(&places, SOM_UNKNOWN_VALUE, (SomSpan){2, 0, 1}));
    ck_assert(som_reported_places_add(&places, SOM_WRONG_DIMENSION, (SomSpan){1, 0, 1}));
    som_reported_places_free(&places);
}
END_TEST

SOM_SUITE("compose/value", operators_compute_with_units, conditions_are_no_numbers,
          functions_have_the_dimensions_of_mathematics, chains_are_computed_from_left_to_right,
          a_place_is_reported_once)
