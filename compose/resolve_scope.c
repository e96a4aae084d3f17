// SPDX-License-Identifier: Apache-2.0
// Values of names: loop variables, parameters, lets of configs and of files.

#include "base/codes/compose_text_codes.h"
#include "compose/resolve_internal.h"
#include "language/name.h"

#include <stdarg.h>

// ---- reports

bool som_scope_report(SomScope *scope, SomCode code, SomSpan span, const char *format, ...) {
    som_resolver_fail(scope->r);
    if (!som_reported_places_add(&scope->r->workspace->reported, code, span)) {
        return false;
    }
    va_list args;
    va_start(args, format);
    som_report_list(scope->r->diags, code, span, format, args);
    va_end(args);
    return true;
}

bool som_scope_is_reported(SomScope *scope, SomCode code, SomSpan span) {
    bool is_reported = som_reported_places_has(&scope->r->workspace->reported, code, span);
    if (is_reported) {
        som_resolver_fail(scope->r);
    }
    return is_reported;
}

void som_scope_report_unknown(SomScope *scope, SomCode code, SomSpan span, const char *text,
                              SomStr wrong, const SomStr *names, int count) {
    int nearest = som_scope_wants_hints(scope) ? som_str_find_nearest(wrong, names, count) : -1;
    SomStr near = nearest >= 0 ? names[nearest] : SOM_STR("");
    if (som_scope_report(scope, code, span,
                         nearest >= 0 ? "%s '%.*s'; did you mean '%.*s'?" : "%s '%.*s'%.*s", text,
                         SOM_STR_ARG(wrong), SOM_STR_ARG(near)) &&
        nearest >= 0) {
        SomText fix = {0};
        som_name_print(&fix, near);
        som_fix(scope->r->diags, span, som_text_str(&fix));
        som_text_free(&fix);
    }
}

SomStr som_scope_name(SomScope *scope, SomNode name) {
    return som_workspace_name(scope->r->workspace, som_scope_tree(scope), name);
}

// ---- lets

static void report_let_cycle(SomScope *scope, const SomLocal *let, bool is_cycle) {
    if (is_cycle) {
        som_scope_report(scope, SOM_LET_CYCLE, let->span, "'%.*s' is needed to compute itself",
                         SOM_STR_ARG(let->name));
    } else {
        som_scope_report(scope, SOM_LET_CYCLE, let->span,
                         "'%.*s' is needed by more than %d values, each for the next",
                         SOM_STR_ARG(let->name), SOM_MAX_LET_DEPTH);
    }
}

// The value of a let or of a parameter's default, in a scope without loops.
static SomValue evaluate_local(SomScope *inner, const SomLocal *local, SomLetValue *slot,
                               const SomParameter *parameter) {
    SomResolver *r = inner->r;
    if (slot->state == SOM_LET_KNOWN) {
        if (slot->value.kind == SOM_VALUE_NONE) {
            som_resolver_fail(r); // it may have been computed for another config
        }
        return slot->value;
    }
    if (slot->state == SOM_LET_COMPUTING || r->let_depth >= SOM_MAX_LET_DEPTH) {
        report_let_cycle(inner, local, slot->state == SOM_LET_COMPUTING);
        return (SomValue){SOM_VALUE_NONE, 0, {0, 0, 0, 0}};
    }
    slot->state = SOM_LET_COMPUTING;
    r->let_depth++;
    if (parameter != NULL) {
        slot->value = som_scope_parameter(inner, parameter, local->node);
    } else {
        SomEvaluator evaluator = som_scope_evaluator(inner);
        slot->value = som_value_evaluate(&evaluator, local->node);
    }
    r->let_depth--;
    slot->state = SOM_LET_KNOWN;
    if (slot->value.kind == SOM_VALUE_NONE) {
        som_resolver_fail(r);
    }
    return slot->value;
}

static SomValue instance_value(SomResolver *r, SomInstance *instance, int at) {
    const SomLocal *local = &instance->locals->data[at];
    SomScope inner = {.r = r, .file = instance->file, .instance = instance};
    bool is_parameter = local->index < instance->info->param_count;
    return evaluate_local(&inner, local, &instance->values[local->index],
                          is_parameter ? &instance->info->params[local->index] : NULL);
}

SomValue som_file_value(SomResolver *r, int file, int at) {
    SomFileDraft *draft = r->workspace->files.data[file];
    if (draft->let_values == NULL) {
        draft->let_values = som_alloc((size_t)draft->lets.count * sizeof *draft->let_values);
    }
    SomScope inner = {.r = r, .file = file};
    return evaluate_local(&inner, &draft->lets.data[at], &draft->let_values[at], NULL);
}

void som_instance_evaluate(SomResolver *r, SomInstance *instance) {
    for (int i = 0; i < instance->locals->count; i++) {
        instance_value(r, instance, i);
    }
}

void som_file_evaluate(SomResolver *r, int file) {
    for (int i = 0; i < r->workspace->files.data[file]->lets.count; i++) {
        som_file_value(r, file, i);
    }
}

// ---- looking names up

static bool find_value(void *context, SomStr name, SomNode node, SomValue *value) {
    SomScope *scope = context;
    SomResolver *r = scope->r;
    if (scope->loop_name.length > 0 && som_str_equal(scope->loop_name, name)) {
        *value = som_value_number(scope->loop_value);
        return true;
    }
    if (scope->instance != NULL) {
        int at = som_locals_find(scope->instance->locals, name);
        if (at >= 0) {
            *value = instance_value(r, scope->instance, at);
            return true;
        }
    }
    int where;
    const SomDefinition *rival;
    const SomDefinition *found =
        som_workspace_find(r->workspace, scope->file, name, SOM_DEFINES_LET, &where, &rival);
    if (found != NULL) {
        if (rival != NULL &&
            som_scope_report(scope, SOM_AMBIGUOUS_NAME,
                             som_syntax_span(som_scope_tree(scope), node),
                             "'%.*s' is defined in two files that are used", SOM_STR_ARG(name))) {
            som_note(r->diags, found->span, "here");
            som_note(r->diags, rival->span, "and here");
        }
        *value = som_file_value(r, where, found->index);
        return true;
    }
    // a name that may be in what could not be read is not reported again
    bool is_quiet = r->workspace->files.data[scope->file]->file.is_incomplete;
    som_resolver_fail(r);
    *value = (SomValue){SOM_VALUE_NONE, 0, {0, 0, 0, 0}};
    return is_quiet;
}

static int list_values(void *context, SomStr *names, int max) {
    SomScope *scope = context;
    int count = 0;
    if (scope->loop_name.length > 0 && count < max) {
        names[count++] = scope->loop_name;
    }
    for (int i = 0; scope->instance != NULL && i < scope->instance->locals->count && count < max;
         i++) {
        names[count++] = scope->instance->locals->data[i].name;
    }
    return count + som_workspace_names(scope->r->workspace, scope->file, SOM_DEFINES_LET,
                                       names + count, max - count);
}

SomEvaluator som_scope_evaluator(SomScope *scope) {
    return (SomEvaluator){.tree = som_scope_tree(scope),
                          .diags = scope->r->diags,
                          .reported = &scope->r->workspace->reported,
                          .find = find_value,
                          .list = list_values,
                          .context = scope,
                          .steps_left = &scope->r->steps_left};
}

// ---- values of a kind

bool som_scope_quantity(SomScope *scope, SomNode node, SomDimensionName wanted, double *number) {
    SomEvaluator e = som_scope_evaluator(scope);
    SomValue value = som_value_evaluate(&e, node);
    bool fine = som_value_is(&e, value, som_dimension(wanted), node, number);
    if (!fine) {
        som_resolver_fail(scope->r);
    }
    return fine;
}

bool som_scope_whole(SomScope *scope, SomNode node, int low, int high, int *whole) {
    SomEvaluator e = som_scope_evaluator(scope);
    bool fine = som_value_is_whole(&e, som_value_evaluate(&e, node), node, low, high, whole);
    if (!fine) {
        som_resolver_fail(scope->r);
    }
    return fine;
}

SomValue som_scope_parameter(SomScope *scope, const SomParameter *parameter, SomNode node) {
    SomEvaluator e = som_scope_evaluator(scope);
    SomValue value = som_value_evaluate(&e, node);
    int whole;
    double number;
    bool fine =
        parameter->is_known &&
        (parameter->is_count ? som_value_is_whole(&e, value, node, 0, 1000000000, &whole)
                             : som_value_is(&e, value, parameter->dimension, node, &number));
    if (!fine) {
        som_resolver_fail(scope->r);
    }
    return fine ? value : (SomValue){SOM_VALUE_NONE, 0, {0, 0, 0, 0}};
}

// ---- loops

void som_scope_repeat(SomScope *scope, SomNode loop, void (*body)(SomScope *scope, void *context),
                      void *context) {
    if (loop == 0) {
        body(scope, context);
        return;
    }
    const SomSyntax *tree = som_scope_tree(scope);
    SomNode name = som_syntax_find_child(tree, loop, SOM_SOM_NAME);
    SomNode range = som_syntax_find_child(tree, loop, SOM_SOM_RANGE);
    SomNode condition = range != 0 ? som_syntax_next_sibling(tree, range) : 0;
    SomNode first = som_syntax_first_child(tree, range);
    int low, high;
    bool has_low = som_scope_whole(scope, first, -1000000000, 1000000000, &low);
    bool has_high = som_scope_whole(scope, som_syntax_next_sibling(tree, first), -1000000000,
                                    1000000000, &high);
    if (!has_low || !has_high) {
        return;
    }
    SomStr outer_name = scope->loop_name;
    double outer_value = scope->loop_value;
    SomStr loop_name = som_scope_name(scope, name);
    for (int i = low; i <= high && scope->r->steps_left > 0; i++) {
        scope->r->steps_left--;
        scope->loop_name = loop_name;
        scope->loop_value = i;
        bool is_wanted = true;
        if (condition != 0) {
            SomEvaluator e = som_scope_evaluator(scope);
            if (!som_value_is_truth(&e, som_value_evaluate(&e, condition), condition, &is_wanted)) {
                som_resolver_fail(scope->r);
                break;
            }
        }
        if (is_wanted) {
            body(scope, context);
        }
    }
    scope->loop_name = outer_name;
    scope->loop_value = outer_value;
}
