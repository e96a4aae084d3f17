// SPDX-License-Identifier: Apache-2.0

#include "compose/value.h"

#include "base/codes/compose_text_codes.h"
#include "base/number.h"
#include "compose/value_internal.h"
#include "language/name.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdarg.h>

// Names looked at for hints.
#define MAX_HINTS 256

static const SomValue none = {SOM_VALUE_NONE, 0, {0, 0, 0, 0}};

// ---- reports

bool som_value_report(const SomEvaluator *e, SomCode code, SomSpan span, const char *format, ...) {
    if (e->reported != NULL && !som_reported_places_add(e->reported, code, span)) {
        return false;
    }
    va_list args;
    va_start(args, format);
    som_report_list(e->diags, code, span, format, args);
    va_end(args);
    return true;
}

// ---- what values are

bool som_value_equal(SomValue a, SomValue b) {
    return a.kind == b.kind && a.number == b.number &&
           som_dimension_equal(a.dimension, b.dimension);
}

void som_value_print(SomValue value, SomText *out) {
    if (value.kind == SOM_VALUE_QUANTITY) {
        som_quantity_print((SomQuantity){value.number, value.dimension}, NULL, out);
    } else if (value.kind == SOM_VALUE_TRUTH) {
        som_text_add(out, value.number != 0 ? SOM_STR("true") : SOM_STR("false"));
    } else {
        som_text_add(out, SOM_STR("?"));
    }
}

// "an angle", "a condition".
static void print_what(SomValue value, SomText *out) {
    if (value.kind == SOM_VALUE_TRUTH) {
        som_text_add(out, SOM_STR("a condition"));
    } else {
        som_dimension_print(value.dimension, out);
    }
}

static bool is_plain(SomValue value) {
    return value.kind == SOM_VALUE_QUANTITY &&
           som_dimension_equal(value.dimension, som_dimension(SOM_DIMENSION_NUMBER));
}

// Angles have a dimension here, so that a speed divided by a radius is a frequency. A plain number
// may as well lack a unit.
static bool lacks_only_angle(SomDimension found, SomDimension wanted) {
    return som_dimension_equal(som_dimension_multiply(found, som_dimension(SOM_DIMENSION_ANGLE)),
                               wanted);
}

static void fix_angle(const SomEvaluator *e, SomNode node) {
    int kind = som_syntax_kind(e->tree, node);
    bool is_loose = kind == SOM_SOM_SUM || kind == SOM_SOM_IF;
    SomSpan span = som_syntax_span(e->tree, node);
    SomStr text = som_syntax_text(e->tree, node);
    SomText fix = {0};
    som_text_printf(&fix, is_loose ? "(%.*s)*1rad" : "%.*s*1rad", SOM_STR_ARG(text));
    if (span.source1 != 0) {
        som_fix(e->diags, span, som_text_str(&fix));
    }
    som_text_free(&fix);
}

bool som_value_is(const SomEvaluator *e, SomValue value, SomDimension dimension, SomNode node,
                  double *number) {
    *number = value.number;
    if (value.kind == SOM_VALUE_NONE) {
        return false;
    }
    if (value.kind == SOM_VALUE_QUANTITY && som_dimension_equal(value.dimension, dimension)) {
        return true;
    }
    SomText wanted = {0}, found = {0};
    som_dimension_print(dimension, &wanted);
    print_what(value, &found);
    if (is_plain(value) && som_dimension_info(dimension) != NULL) {
        som_text_add(&wanted, SOM_STR(" such as "));
        som_text_number(&wanted, value.number);
        som_text_add(&wanted, som_dimension_info(dimension)->unit);
    }
    bool lacks_angle = value.kind == SOM_VALUE_QUANTITY && !is_plain(value) &&
                       lacks_only_angle(value.dimension, dimension);
    bool is_new = som_value_report(e, SOM_WRONG_DIMENSION, som_syntax_span(e->tree, node),
                                   lacks_angle ? "expected %s, found %s; multiply it by 1rad"
                                               : "expected %s, found %s",
                                   wanted.data, found.data);
    if (is_new && lacks_angle) {
        fix_angle(e, node);
    }
    som_text_free(&wanted);
    som_text_free(&found);
    return false;
}

bool som_value_is_whole(const SomEvaluator *e, SomValue value, SomNode node, int low, int high,
                        int *whole) {
    double number;
    *whole = low;
    if (!som_value_is(e, value, som_dimension(SOM_DIMENSION_NUMBER), node, &number)) {
        return false;
    }
    if (number == floor(number) && number >= low && number <= high) {
        *whole = (int)number;
        return true;
    }
    SomText shown = {0};
    som_value_print(value, &shown);
    SomSpan span = som_syntax_span(e->tree, node);
    if (number != floor(number)) {
        som_value_report(e, SOM_NOT_WHOLE, span, "expected a whole number, found %s", shown.data);
    } else {
        som_value_report(e, SOM_NOT_WHOLE, span, "expected a whole number from %d to %d, found %s",
                         low, high, shown.data);
    }
    som_text_free(&shown);
    return false;
}

bool som_value_is_truth(const SomEvaluator *e, SomValue value, SomNode node, bool *truth) {
    *truth = value.number != 0;
    if (value.kind == SOM_VALUE_QUANTITY) {
        SomText found = {0};
        print_what(value, &found);
        som_value_report(e, SOM_NOT_A_CONDITION, som_syntax_span(e->tree, node),
                         "expected a condition, found %s", found.data);
        som_text_free(&found);
    }
    return value.kind == SOM_VALUE_TRUTH;
}

SomValue som_value_finite(const SomEvaluator *e, double number, SomDimension dimension,
                          SomSpan span) {
    if (!isfinite(number)) {
        som_value_report(e, SOM_UNDEFINED_VALUE, span, "this has no finite value");
        return none;
    }
    return som_value_quantity(number, dimension);
}

// ---- operators

// Two quantities of one kind are wanted round an operator.
static bool are_alike(const SomEvaluator *e, SomValue a, SomValue b, int operator_token,
                      const char *verb) {
    bool both = a.kind == SOM_VALUE_QUANTITY && b.kind == SOM_VALUE_QUANTITY;
    if (both && som_dimension_equal(a.dimension, b.dimension)) {
        return true;
    }
    SomText left = {0}, right = {0};
    print_what(a, &left);
    print_what(b, &right);
    som_value_report(e, SOM_WRONG_DIMENSION, som_syntax_token_span(e->tree, operator_token),
                     "%s and %s cannot be %s", left.data, right.data, verb);
    som_text_free(&left);
    som_text_free(&right);
    return false;
}

static SomValue combine(const SomEvaluator *e, SomValue a, SomValue b, int token) {
    SomTokenKind kind = som_syntax_token_kind(e->tree, token);
    SomSpan span = som_syntax_token_span(e->tree, token);
    if (kind == SOM_TOKEN_PLUS || kind == SOM_TOKEN_MINUS) {
        if (!are_alike(e, a, b, token, kind == SOM_TOKEN_PLUS ? "added" : "subtracted")) {
            return none;
        }
        double sum = kind == SOM_TOKEN_PLUS ? a.number + b.number : a.number - b.number;
        return som_value_finite(e, sum, a.dimension, span);
    }
    if (a.kind != SOM_VALUE_QUANTITY || b.kind != SOM_VALUE_QUANTITY) {
        are_alike(e, a, b, token, kind == SOM_TOKEN_STAR ? "multiplied" : "divided");
        return none;
    }
    if (kind == SOM_TOKEN_STAR) {
        return som_value_finite(e, a.number * b.number,
                                som_dimension_multiply(a.dimension, b.dimension), span);
    }
    if (b.number == 0) {
        som_value_report(e, SOM_UNDEFINED_VALUE, span, "division by zero");
        return none;
    }
    return som_value_finite(e, a.number / b.number, som_dimension_divide(a.dimension, b.dimension),
                            span);
}

// a + b - c, a * b / c: from left to right.
static SomValue evaluate_chain(const SomEvaluator *e, SomNode node) {
    SomValue result = none;
    int operator_token = SOM_NO_TOKEN;
    bool is_first = true, failed = false;
    SomElements it = som_syntax_elements(e->tree, node);
    while (som_elements_next(&it)) {
        if (it.node == 0) {
            operator_token = it.token;
            continue;
        }
        SomValue operand = som_value_evaluate(e, it.node);
        if (is_first) {
            result = operand;
        } else if (!failed && operand.kind != SOM_VALUE_NONE) {
            result = combine(e, result, operand, operator_token);
        }
        failed = failed || operand.kind == SOM_VALUE_NONE || result.kind == SOM_VALUE_NONE;
        is_first = false;
    }
    return failed ? none : result;
}

static SomValue evaluate_comparison(const SomEvaluator *e, SomNode node) {
    SomNode left = som_syntax_first_child(e->tree, node);
    SomNode right = som_syntax_next_sibling(e->tree, left);
    SomValue a = som_value_evaluate(e, left), b = som_value_evaluate(e, right);
    int token = som_syntax_end_token(e->tree, left);
    while (som_token_is_trivia(som_syntax_token_kind(e->tree, token))) {
        token++;
    }
    if (a.kind == SOM_VALUE_NONE || b.kind == SOM_VALUE_NONE) {
        return none;
    }
    SomTokenKind kind = som_syntax_token_kind(e->tree, token);
    bool is_equality = kind == SOM_TOKEN_EQUAL_EQUAL || kind == SOM_TOKEN_NOT_EQUAL;
    bool are_truths = a.kind == SOM_VALUE_TRUTH && b.kind == SOM_VALUE_TRUTH;
    if (!(is_equality && are_truths) && !are_alike(e, a, b, token, "compared")) {
        return none;
    }
    switch (kind) {
    case SOM_TOKEN_EQUAL_EQUAL:
        return som_value_truth(a.number == b.number);
    case SOM_TOKEN_NOT_EQUAL:
        return som_value_truth(a.number != b.number);
    case SOM_TOKEN_LESS:
        return som_value_truth(a.number < b.number);
    case SOM_TOKEN_LESS_EQUAL:
        return som_value_truth(a.number <= b.number);
    case SOM_TOKEN_GREATER:
        return som_value_truth(a.number > b.number);
    default:
        return som_value_truth(a.number >= b.number);
    }
}

// and, or: all operands are looked at, so that all errors are found.
static SomValue evaluate_connective(const SomEvaluator *e, SomNode node, bool is_and) {
    bool result = is_and, failed = false;
    SomNode operand = som_syntax_first_child(e->tree, node);
    for (; operand != 0; operand = som_syntax_next_sibling(e->tree, operand)) {
        bool truth;
        failed |= !som_value_is_truth(e, som_value_evaluate(e, operand), operand, &truth);
        result = is_and ? result && truth : result || truth;
    }
    return failed ? none : som_value_truth(result);
}

static double power(double base, int exponent) {
    double result = 1;
    for (unsigned n = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent; n > 0; n >>= 1) {
        result = (n & 1) != 0 ? result * base : result;
        base *= base;
    }
    return exponent < 0 ? 1 / result : result;
}

static SomValue evaluate_power(const SomEvaluator *e, SomNode node) {
    SomNode base_node = som_syntax_first_child(e->tree, node);
    SomNode exponent_node = som_syntax_next_sibling(e->tree, base_node);
    SomValue base = som_value_evaluate(e, base_node);
    SomValue exponent = som_value_evaluate(e, exponent_node);
    int whole;
    if (base.kind == SOM_VALUE_NONE ||
        !som_value_is_whole(e, exponent, exponent_node, -100, 100, &whole)) {
        return none;
    }
    if (base.kind == SOM_VALUE_TRUTH) {
        double number;
        som_value_is(e, base, som_dimension(SOM_DIMENSION_NUMBER), base_node, &number);
        return none;
    }
    return som_value_finite(e, power(base.number, whole),
                            som_dimension_power(base.dimension, whole),
                            som_syntax_span(e->tree, node));
}

static SomValue evaluate_negation(const SomEvaluator *e, SomNode node) {
    SomNode operand = som_syntax_first_child(e->tree, node);
    SomValue value = som_value_evaluate(e, operand);
    if (value.kind == SOM_VALUE_TRUTH) {
        double number;
        som_value_is(e, value, som_dimension(SOM_DIMENSION_NUMBER), operand, &number);
        return none;
    }
    int token = som_syntax_first_token(e->tree, node);
    if (som_syntax_token_kind(e->tree, token) == SOM_TOKEN_MINUS) {
        value.number = -value.number;
    }
    return value;
}

static SomValue evaluate_if(const SomEvaluator *e, SomNode node) {
    SomNode condition = som_syntax_first_child(e->tree, node);
    SomNode yes = som_syntax_next_sibling(e->tree, condition);
    bool truth;
    if (!som_value_is_truth(e, som_value_evaluate(e, condition), condition, &truth)) {
        return none;
    }
    return som_value_evaluate(e, truth ? yes : som_syntax_next_sibling(e->tree, yes));
}

// ---- operands

static SomValue evaluate_quantity(const SomEvaluator *e, SomNode node) {
    int number = som_syntax_first_token(e->tree, node);
    int unit = som_syntax_find_token(e->tree, node, SOM_TOKEN_UNIT);
    SomQuantity quantity;
    if (!som_quantity_read(
            som_syntax_token_text(e->tree, number),
            unit != SOM_NO_TOKEN ? som_syntax_token_text(e->tree, unit) : SOM_STR(""), &quantity)) {
        return none;
    }
    return som_value_quantity(quantity.value, quantity.dimension);
}

static SomValue evaluate_constant(const SomEvaluator *e, SomNode node) {
    SomStr text = som_syntax_text(e->tree, node);
    if (som_str_equal(text, SOM_STR("pi"))) {
        return som_value_number(SOM_PI);
    }
    return som_value_truth(som_str_equal(text, SOM_STR("true")));
}

static SomValue evaluate_place(const SomEvaluator *e, SomNode node) {
    SomNode head = som_syntax_first_child(e->tree, node);
    if (som_syntax_next_sibling(e->tree, head) != 0) {
        SomStr text = som_syntax_text(e->tree, node);
        som_value_report(e, SOM_UNKNOWN_VALUE, som_syntax_span(e->tree, node),
                         "'%.*s' has no value while the design is composed", SOM_STR_ARG(text));
        return none;
    }
    SomText name = {0};
    som_name_read(som_syntax_text(e->tree, head), &name);
    SomValue value = none;
    SomSpan span = som_syntax_span(e->tree, node);
    bool is_found = e->find(e->context, som_text_str(&name), node, &value);
    bool is_reported =
        e->reported != NULL && som_reported_places_has(e->reported, SOM_UNKNOWN_VALUE, span);
    if (!is_found) {
        value = none;
    }
    if (!is_found && !is_reported) {
        SomStr names[MAX_HINTS];
        bool wants_hints = e->list != NULL &&
                           (e->reported == NULL || e->reported->count < SOM_MAX_KEPT_DIAGNOSTICS);
        int count = wants_hints ? e->list(e->context, names, MAX_HINTS) : 0;
        int nearest = som_str_find_nearest(som_text_str(&name), names, count);
        SomStr near = nearest >= 0 ? names[nearest] : SOM_STR("");
        if (som_value_report(e, SOM_UNKNOWN_VALUE, span,
                             nearest >= 0 ? "no value is called '%.*s'; did you mean '%.*s'?"
                                          : "no value is called '%.*s'%.*s",
                             SOM_STR_ARG(som_text_str(&name)), SOM_STR_ARG(near)) &&
            nearest >= 0) {
            SomText fix = {0};
            som_name_print(&fix, near);
            som_fix(e->diags, span, som_text_str(&fix));
            som_text_free(&fix);
        }
    }
    som_text_free(&name);
    return value;
}

static SomValue evaluate_call(const SomEvaluator *e, SomNode node) {
    int function = som_value_find_function(e, som_syntax_first_child(e->tree, node));
    SomNode list = som_syntax_find_child(e->tree, node, SOM_SOM_ARGUMENTS);
    SomValue values[SOM_MAX_CALL_ARGUMENTS];
    SomNode nodes[SOM_MAX_CALL_ARGUMENTS];
    int count = 0;
    bool failed = false;
    if (function < 0) {
        return none;
    }
    SomNode argument = som_syntax_find_child(e->tree, list, SOM_SOM_ARGUMENT);
    for (; argument != 0; argument = som_syntax_find_next(e->tree, argument, SOM_SOM_ARGUMENT)) {
        SomNode expression = som_syntax_first_child(e->tree, argument);
        if (som_syntax_find_child(e->tree, argument, SOM_SOM_NAME) != 0 ||
            count == SOM_MAX_CALL_ARGUMENTS) {
            som_value_report(e, SOM_WRONG_ARGUMENTS, som_syntax_span(e->tree, argument),
                             count < SOM_MAX_CALL_ARGUMENTS ? "arguments of functions have no names"
                                                            : "there are too many arguments");
            return none;
        }
        nodes[count] = expression;
        values[count] = som_value_evaluate(e, expression);
        failed |= values[count].kind == SOM_VALUE_NONE;
        count++;
    }
    return failed ? none : som_value_call(e, node, function, values, nodes, count);
}

SomValue som_value_evaluate(const SomEvaluator *e, SomNode node) {
    if (node == 0 || (e->steps_left != NULL && *e->steps_left <= 0)) {
        return none;
    }
    if (e->steps_left != NULL) {
        --*e->steps_left;
    }
    switch (som_syntax_kind(e->tree, node)) {
    case SOM_SOM_QUANTITY:
        return evaluate_quantity(e, node);
    case SOM_SOM_CONSTANT:
        return evaluate_constant(e, node);
    case SOM_SOM_PLACE:
        return evaluate_place(e, node);
    case SOM_SOM_CALL:
        return evaluate_call(e, node);
    case SOM_SOM_GROUP:
        return som_value_evaluate(e, som_syntax_first_child(e->tree, node));
    case SOM_SOM_NEGATION:
        return evaluate_negation(e, node);
    case SOM_SOM_POWER:
        return evaluate_power(e, node);
    case SOM_SOM_PRODUCT:
    case SOM_SOM_SUM:
        return evaluate_chain(e, node);
    case SOM_SOM_COMPARISON:
        return evaluate_comparison(e, node);
    case SOM_SOM_NOT: {
        SomNode operand = som_syntax_first_child(e->tree, node);
        bool truth;
        bool fine = som_value_is_truth(e, som_value_evaluate(e, operand), operand, &truth);
        return fine ? som_value_truth(!truth) : none;
    }
    case SOM_SOM_AND:
    case SOM_SOM_OR:
        return evaluate_connective(e, node, som_syntax_kind(e->tree, node) == SOM_SOM_AND);
    case SOM_SOM_IF:
        return evaluate_if(e, node);
    default:
        return none;
    }
}
