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
        const SomBinding *binding = &u->bindings.data[i];
        if (som_str_equal(binding->name, name)) {
            *value = binding->value;
            return binding->kind == SOM_PARAMETER_VALUE;
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

const SomBinding *som_compiler_find_place_binding(SomCompiler *c, SomStr name) {
    const SomUnfolding *u = c->unfolding;
    for (int i = u->bindings.count - 1; i >= 0; i--) {
        const SomBinding *binding = &u->bindings.data[i];
        if (som_str_equal(binding->name, name)) {
            return binding->kind != SOM_PARAMETER_VALUE ? binding : NULL;
        }
    }
    return NULL;
}

static bool find(void *context, SomStr name, SomNode node, SomValue *value) {
    SomCompiler *c = context;
    if (som_compiler_find_value(c, name, value)) {
        return true;
    }
    bool is_place = som_compiler_find_place_binding(c, name) != NULL ||
                    som_configuration_find_place(c->configuration, c->unfolding->part, name) >= 0;
    if (is_place) {
        som_compiler_report(c, SOM_UNKNOWN_VALUE, som_compiler_span(c, node),
                            "'%.*s' stands for a joint or part and has no value here",
                            SOM_STR_ARG(name));
        *value = (SomValue){SOM_VALUE_NONE, 0, {0, 0, 0, 0}};
    }
    return is_place;
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
    SomBinding binding = {.name = name, .value = value};
    som_array_push(&c->unfolding->bindings, binding);
}

void som_compiler_unbind(SomCompiler *c, int count) {
    c->unfolding->bindings.count = count;
}
