// SPDX-License-Identifier: Apache-2.0
// Functions of expressions.

#include "base/codes/compose_text_codes.h"
#include "compose/value_internal.h"
#include "space/trigonometry.h"

#include <math.h>

typedef enum FunctionKind {
    ALIKE,
    ANGLE_TO_NUMBER,
    NUMBER_TO_ANGLE,
    RATIO_TO_ANGLE,
    ROUNDING,
    WHOLE_TO_TRUTH,
    SIGN,
    ROOT
} FunctionKind;

typedef enum FunctionName {
#define SOM_FUNCTION(name, fewest, most, kind) FUNCTION_##name,
#include "compose/functions.inc"
#undef SOM_FUNCTION
    FUNCTION_COUNT
} FunctionName;

typedef struct Function {
    SomStr name;
    int fewest;
    int most;
    FunctionKind kind;
} Function;

static const Function functions[] = {
#define SOM_FUNCTION(name, fewest, most, kind) {{#name, sizeof #name - 1}, fewest, most, kind},
#include "compose/functions.inc"
#undef SOM_FUNCTION
};

typedef struct Call {
    const SomEvaluator *e;
    SomNode node;
    FunctionName name;
    const SomValue *arguments;
    const SomNode *nodes;
    int count;
} Call;

static const SomValue none = {SOM_VALUE_NONE, 0, {0, 0, 0, 0}};

static SomSpan span_of(const Call *call) {
    return som_syntax_span(call->e->tree, call->node);
}

// Whole numbers beyond 2^53 have no odd ones among them.
static bool is_odd(double x) {
    return fmod(x, 2) != 0;
}

static double remainder_of(double a, double b) {
    double r = fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// All arguments have the dimension of the first one.
static SomValue call_alike(const Call *call) {
    double x[SOM_MAX_CALL_ARGUMENTS] = {0};
    SomDimension dimension = call->arguments[0].dimension;
    for (int i = 0; i < call->count; i++) {
        if (!som_value_is(call->e, call->arguments[i], dimension, call->nodes[i], &x[i])) {
            return none;
        }
    }
    double result = x[0];
    switch (call->name) {
    case FUNCTION_abs:
        result = fabs(x[0]);
        break;
    case FUNCTION_clamp:
        result = x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0];
        break;
    case FUNCTION_mod:
        if (x[1] == 0) {
            som_value_report(call->e, SOM_UNDEFINED_VALUE, span_of(call), "division by zero");
            return none;
        }
        result = remainder_of(x[0], x[1]);
        break;
    default:
        for (int i = 1; i < call->count; i++) {
            bool is_better = call->name == FUNCTION_max ? x[i] > result : x[i] < result;
            result = is_better ? x[i] : result;
        }
    }
    return som_value_finite(call->e, result, dimension, span_of(call));
}

static SomValue call_of_angle(const Call *call) {
    SomValue argument = call->arguments[0];
    bool is_plain = argument.kind == SOM_VALUE_QUANTITY &&
                    som_dimension_equal(argument.dimension, som_dimension(SOM_DIMENSION_NUMBER));
    double x = argument.number;
    if (!is_plain &&
        !som_value_is(call->e, argument, som_dimension(SOM_DIMENSION_ANGLE), call->nodes[0], &x)) {
        return none;
    }
    double result = call->name == FUNCTION_sin   ? som_sin(x)
                    : call->name == FUNCTION_cos ? som_cos(x)
                                                 : som_sin(x) / som_cos(x);
    return som_value_finite(call->e, result, som_dimension(SOM_DIMENSION_NUMBER), span_of(call));
}

static SomValue call_to_angle(const Call *call) {
    double x;
    if (!som_value_is(call->e, call->arguments[0], som_dimension(SOM_DIMENSION_NUMBER),
                      call->nodes[0], &x)) {
        return none;
    }
    if (call->name != FUNCTION_atan && !(x >= -1 && x <= 1)) {
        som_value_report(call->e, SOM_UNDEFINED_VALUE, span_of(call),
                         "this takes a number from -1 to 1");
        return none;
    }
    double result = call->name == FUNCTION_asin   ? som_asin(x)
                    : call->name == FUNCTION_acos ? som_acos(x)
                                                  : som_atan2(x, 1);
    return som_value_quantity(result, som_dimension(SOM_DIMENSION_ANGLE));
}

static SomValue call_of_ratio(const Call *call) {
    double x, y = call->arguments[0].number;
    SomDimension dimension = call->arguments[0].dimension;
    if (!som_value_is(call->e, call->arguments[0], dimension, call->nodes[0], &y) ||
        !som_value_is(call->e, call->arguments[1], dimension, call->nodes[1], &x)) {
        return none;
    }
    return som_value_quantity(som_atan2(y, x), som_dimension(SOM_DIMENSION_ANGLE));
}

static SomValue call_rounding(const Call *call) {
    double x;
    if (!som_value_is(call->e, call->arguments[0], som_dimension(SOM_DIMENSION_NUMBER),
                      call->nodes[0], &x)) {
        return none;
    }
    return som_value_number(call->name == FUNCTION_floor  ? floor(x)
                            : call->name == FUNCTION_ceil ? ceil(x)
                                                          : round(x));
}

static SomValue call_of_whole(const Call *call) {
    int whole;
    if (!som_value_is_whole(call->e, call->arguments[0], call->nodes[0], -1000000000, 1000000000,
                            &whole)) {
        return none;
    }
    return som_value_truth(is_odd(whole) == (call->name == FUNCTION_odd));
}

static SomValue call_sign(const Call *call) {
    double x = call->arguments[0].number;
    if (!som_value_is(call->e, call->arguments[0], call->arguments[0].dimension, call->nodes[0],
                      &x)) {
        return none;
    }
    return som_value_number((x > 0) - (x < 0));
}

static SomValue call_root(const Call *call) {
    SomValue x = call->arguments[0];
    double number;
    SomDimension root;
    if (x.kind != SOM_VALUE_QUANTITY || !som_dimension_root(x.dimension, 2, &root)) {
        SomDimension wanted = som_dimension(SOM_DIMENSION_NUMBER);
        som_value_is(call->e, x, wanted, call->nodes[0], &number);
        return none;
    }
    if (x.number < 0) {
        som_value_report(call->e, SOM_UNDEFINED_VALUE, span_of(call),
                         "a negative number has no square root");
        return none;
    }
    return som_value_quantity(sqrt(x.number), root);
}

static SomValue dispatch(const Call *call) {
    switch (functions[call->name].kind) {
    case ALIKE:
        return call_alike(call);
    case ANGLE_TO_NUMBER:
        return call_of_angle(call);
    case NUMBER_TO_ANGLE:
        return call_to_angle(call);
    case RATIO_TO_ANGLE:
        return call_of_ratio(call);
    case ROUNDING:
        return call_rounding(call);
    case WHOLE_TO_TRUTH:
        return call_of_whole(call);
    case SIGN:
        return call_sign(call);
    case ROOT:
        return call_root(call);
    }
    return none;
}

static void report_unknown(const SomEvaluator *e, SomNode name, SomStr text) {
    SomStr names[FUNCTION_COUNT];
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        names[i] = functions[i].name;
    }
    int nearest = som_str_find_nearest(text, names, FUNCTION_COUNT);
    SomStr near = nearest >= 0 ? names[nearest] : SOM_STR("");
    if (som_value_report(e, SOM_UNKNOWN_FUNCTION, som_syntax_span(e->tree, name),
                         nearest >= 0 ? "no function is called '%.*s'; did you mean '%.*s'?"
                                      : "no function is called '%.*s'%.*s",
                         SOM_STR_ARG(text), SOM_STR_ARG(near)) &&
        nearest >= 0) {
        som_fix(e->diags, som_syntax_span(e->tree, name), near);
    }
}

int som_value_find_function(const SomEvaluator *e, SomNode name) {
    SomStr text = som_syntax_text(e->tree, name);
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (som_str_equal(text, functions[i].name)) {
            return i;
        }
    }
    report_unknown(e, name, text);
    return -1;
}

SomValue som_value_call(const SomEvaluator *e, SomNode call, int function,
                        const SomValue *arguments, const SomNode *nodes, int count) {
    const Function *f = &functions[function];
    if (count < f->fewest || count > f->most) {
        som_value_report(e, SOM_WRONG_ARGUMENTS, som_syntax_span(e->tree, call),
                         f->most > 3      ? "'%.*s' takes one or more arguments, not %d"
                         : f->fewest == 1 ? "'%.*s' takes one argument, not %d"
                         : f->fewest == 2 ? "'%.*s' takes two arguments, not %d"
                                          : "'%.*s' takes three arguments, not %d",
                         SOM_STR_ARG(f->name), count);
        return none;
    }
    return dispatch(&(Call){e, call, (FunctionName)function, arguments, nodes, count});
}
