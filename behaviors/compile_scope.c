// SPDX-License-Identifier: Apache-2.0
// Values of names in behaviors: numbers of ranges, parameters, lets.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"
#include "language/name.h"

#include <stdarg.h>

// ---- reports

bool som_compiler_report(SomCompiler *c, SomCode code, SomSpan span, const char *format, ...) {
    c->has_failed = true;
    if (!som_reported_places_add(c->reported, code, span)) {
        return false;
    }
    va_list args;
    va_start(args, format);
    som_report_list(c->diags, code, span, format, args);
    va_end(args);
    return true;
}

void som_compiler_report_unknown(SomCompiler *c, SomCode code, SomSpan span, const char *text,
                                 SomStr wrong, const SomStr *names, int count) {
    int nearest = som_str_find_nearest(wrong, names, count);
    if (nearest >= 0 && som_str_equal(names[nearest], wrong)) {
        nearest = -1; // it is there, but is something else
    }
    SomStr near = nearest >= 0 ? names[nearest] : SOM_STR("");
    if (som_compiler_report(c, code, span,
                            nearest >= 0 ? "%s '%.*s'; did you mean '%.*s'?" : "%s '%.*s'%.*s",
                            text, SOM_STR_ARG(wrong), SOM_STR_ARG(near)) &&
        nearest >= 0) {
        SomText fix = {0};
        som_name_print(&fix, near);
        som_fix(c->diags, span, som_text_str(&fix));
        som_text_free(&fix);
    }
}

SomSpan som_compiler_span(const SomCompiler *c, SomNode node) {
    return node != 0 ? som_syntax_span(c->unfolding->tree, node) : c->unfolding->call;
}

SomStr som_compiler_name(SomCompiler *c, SomNode name) {
    SomStr text = som_syntax_text(c->unfolding->tree, name);
    if (text.length == 0 || text.data[0] != '"') {
        return text;
    }
    SomText read = {0};
    som_name_read(text, &read);
    SomStr copy = som_arena_copy(&c->arena, som_text_str(&read));
    som_text_free(&read);
    return copy;
}

// ---- looking names up

// The first constant of a part.
static int first_constant(const SomConfiguration *configuration, int part) {
    int low = 0, high = configuration->constant_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (configuration->constants[middle].part < part) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool som_compiler_find_value(SomCompiler *c, SomStr name, SomValue *value) {
    const SomUnfolding *u = c->unfolding;
    c->steps_left -= u->bindings.count / 16;
    for (int i = u->bindings.count - 1; i >= 0; i--) {
        if (som_str_equal(u->bindings.data[i].name, name)) {
            *value = u->bindings.data[i].value;
            return true;
        }
    }
    int at = som_configuration_find_constant(c->configuration, u->part, name);
    if (at >= 0) {
        const SomConstant *constant = &c->configuration->constants[at];
        *value = constant->is_truth ? som_value_truth(constant->number != 0)
                                    : som_value_quantity(constant->number, constant->dimension);
        return true;
    }
    return u->file >= 0 && som_workspace_find_let(c->workspace, u->file, name, value);
}

static bool find(void *context, SomStr name, SomNode node, SomValue *value) {
    (void)node;
    return som_compiler_find_value(context, name, value);
}

static int list(void *context, SomStr *names, int max) {
    const SomCompiler *c = context;
    const SomUnfolding *u = c->unfolding;
    int count = 0;
    for (int i = 0; i < u->bindings.count && count < max; i++) {
        names[count++] = u->bindings.data[i].name;
    }
    const SomConfiguration *configuration = c->configuration;
    int i = first_constant(configuration, u->part);
    for (; i < configuration->constant_count && configuration->constants[i].part == u->part; i++) {
        if (count < max) {
            names[count++] = configuration->constants[i].name;
        }
    }
    return count;
}

SomEvaluator som_compiler_evaluator(SomCompiler *c) {
    return (SomEvaluator){.tree = c->unfolding->tree,
                          .diags = c->diags,
                          .reported = c->reported,
                          .find = find,
                          .list = list,
                          .context = c,
                          .steps_left = &c->steps_left};
}

SomValue som_compiler_evaluate(SomCompiler *c, SomNode node) {
    SomEvaluator evaluator = som_compiler_evaluator(c);
    SomValue value = som_value_evaluate(&evaluator, node);
    c->has_failed |= value.kind == SOM_VALUE_NONE;
    return value;
}

bool som_compiler_quantity(SomCompiler *c, SomNode node, SomDimension wanted, double *number) {
    SomEvaluator evaluator = som_compiler_evaluator(c);
    bool fine =
        som_value_is(&evaluator, som_value_evaluate(&evaluator, node), wanted, node, number);
    c->has_failed |= !fine;
    return fine;
}

bool som_compiler_time(SomCompiler *c, SomNode node, double *seconds) {
    if (!som_compiler_quantity(c, node, som_dimension(SOM_DIMENSION_TIME), seconds)) {
        return false;
    }
    if (*seconds < 0) {
        som_compiler_report(c, SOM_ACTION_VALUE, som_compiler_span(c, node),
                            "a time cannot be negative");
    }
    return *seconds >= 0;
}

bool som_compiler_whole(SomCompiler *c, SomNode node, int low, int high, int *whole) {
    SomEvaluator evaluator = som_compiler_evaluator(c);
    bool fine = som_value_is_whole(&evaluator, som_value_evaluate(&evaluator, node), node, low,
                                   high, whole);
    c->has_failed |= !fine;
    return fine;
}

void som_compiler_bind(SomCompiler *c, SomStr name, SomValue value) {
    SomBinding binding = {name, value};
    som_array_push(&c->unfolding->bindings, binding);
}

void som_compiler_unbind(SomCompiler *c, int count) {
    c->unfolding->bindings.count = count;
}

// ---- arguments

static bool is_of(const SomEvaluator *e, SomValue value, const SomParameter *parameter,
                  SomNode node) {
    int whole;
    double number;
    return parameter->is_count ? som_value_is_whole(e, value, node, 0, 1000000000, &whole)
                               : som_value_is(e, value, parameter->dimension, node, &number);
}

// The parameter an argument is for: by name or, for the n-th, by place; -1 after a report.
static int match(SomCompiler *c, SomStr behavior, const SomParameter *params, int count,
                 SomNode argument, int nth) {
    SomNode name_node = som_syntax_find_child(c->unfolding->tree, argument, SOM_SOM_NAME);
    if (name_node == 0) {
        if (nth >= count) {
            som_compiler_report(c, SOM_WRONG_ARGUMENTS, som_compiler_span(c, argument),
                                count > 0 ? "'%.*s' has no more parameters than %d"
                                          : "'%.*s' has no parameters",
                                SOM_STR_ARG(behavior), count);
        }
        return nth < count ? nth : -1;
    }
    SomStr name = som_compiler_name(c, name_node);
    SomStr names[SOM_COMPILE_MOST_HINTS];
    int named = 0;
    for (int i = 0; i < count; i++) {
        if (som_str_equal(params[i].name, name)) {
            return i;
        }
        if (named < SOM_COMPILE_MOST_HINTS) {
            names[named++] = params[i].name;
        }
    }
    SomText text = {0};
    som_text_printf(&text, "'%.*s' has no parameter", SOM_STR_ARG(behavior));
    som_compiler_report_unknown(c, SOM_WRONG_ARGUMENTS, som_compiler_span(c, name_node), text.data,
                                name, names, named);
    som_text_free(&text);
    return -1;
}

static bool read_arguments(SomCompiler *c, SomStr behavior, const SomParameter *params, int count,
                           SomNode arguments, SomValue *values) {
    const SomSyntax *tree = c->unfolding->tree;
    SomEvaluator e = som_compiler_evaluator(c);
    bool fine = true;
    SomNode argument =
        arguments != 0 ? som_syntax_find_child(tree, arguments, SOM_SOM_ARGUMENT) : 0;
    for (int nth = 0; argument != 0; nth++) {
        int at = match(c, behavior, params, count, argument, nth);
        SomNode expression = som_syntax_first_child(tree, argument);
        if (som_syntax_kind(tree, expression) == SOM_SOM_NAME) {
            expression = som_syntax_next_sibling(tree, expression);
        }
        SomValue value = som_value_evaluate(&e, expression);
        if (at >= 0 && values[at].kind != SOM_VALUE_NONE) {
            som_compiler_report(c, SOM_WRONG_ARGUMENTS, som_compiler_span(c, argument),
                                "'%.*s' is given twice", SOM_STR_ARG(params[at].name));
            fine = false;
        } else if (at >= 0 && is_of(&e, value, &params[at], expression)) {
            values[at] = value;
        } else {
            fine = false;
        }
        argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT);
    }
    return fine;
}

// A parameter that was not given, from its default in the text of the behavior.
static bool use_default(SomCompiler *c, SomUnfolding *inner, const SomParameter *parameter,
                        SomStr behavior, SomSpan call, SomValue *value) {
    if (parameter->otherwise == 0) {
        if (som_compiler_report(c, SOM_WRONG_ARGUMENTS, call,
                                "'%.*s' needs a value for its parameter '%.*s'",
                                SOM_STR_ARG(behavior), SOM_STR_ARG(parameter->name))) {
            som_note(c->diags, parameter->span, "which has no default");
        }
        return false;
    }
    SomUnfolding *outer = c->unfolding;
    c->unfolding = inner;
    SomEvaluator e = som_compiler_evaluator(c);
    *value = som_value_evaluate(&e, parameter->otherwise);
    bool fine = is_of(&e, *value, parameter, parameter->otherwise);
    c->unfolding = outer;
    return fine;
}

bool som_compiler_pass(SomCompiler *c, SomUnfolding *inner, SomNode arguments, SomSpan call) {
    SomCompileDef def = {.workspace = c->workspace, .configuration = c->configuration};
    int count;
    const SomParameter *params = som_compile_parameters(&def, inner->behavior, &count);
    SomStr behavior = c->configuration->behaviors[inner->behavior].name;
    SomValue *values = som_alloc((size_t)(count + 1) * sizeof *values);
    bool fine = read_arguments(c, behavior, params, count, arguments, values);
    for (int i = 0; fine && i < count; i++) {
        bool is_given = values[i].kind != SOM_VALUE_NONE;
        if (!params[i].is_known ||
            (!is_given && !use_default(c, inner, &params[i], behavior, call, &values[i]))) {
            fine = false;
            break;
        }
        SomBinding binding = {params[i].name, values[i]};
        som_array_push(&inner->bindings, binding);
    }
    som_free(values);
    c->has_failed |= !fine;
    return fine;
}
