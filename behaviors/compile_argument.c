// SPDX-License-Identifier: Apache-2.0
// Arguments of behaviors: values, joints and parts.

#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"
#include "behaviors/parameter_places.h"
#include "compose/parameter_words.h"

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

// ---- joints and parts

// `found` is what the place is: "is a wheel".
static void report_wrong_place(SomCompiler *c, SomStr behavior, const SomParameter *parameter,
                               SomNode expression, const char *found) {
    SomText text = {0};
    som_words_wrong_place(&text, behavior, parameter,
                          som_syntax_text(c->unfolding->tree, expression), found);
    if (som_compiler_report(c, SOM_WRONG_PLACE, som_compiler_span(c, expression), "%s",
                            text.data)) {
        som_note(c->diags, parameter->span, "'%.*s' is declared here",
                 SOM_STR_ARG(parameter->name));
    }
    som_text_free(&text);
}

// The module type of a part that is a module; NULL if it is made of several.
static const SomModuleType *type_of(const SomCompiler *c, int part) {
    const SomPart *p = &c->configuration->parts[part];
    return p->order == 0 ? c->configuration->modules[p->first_module].type : NULL;
}

static bool is_joint(SomCompiler *c, SomStr behavior, const SomParameter *parameter,
                     SomNode expression, const SomPlaced *placed) {
    SomText found = {0};
    if (placed->member == 0) {
        som_words_part_not_joint(&found, type_of(c, placed->part), parameter->joint_class,
                                 som_syntax_text(c->unfolding->tree, expression));
    } else {
        SomMover mover;
        if (!som_compiler_find_dof(c, expression, &mover)) {
            return false;
        }
        if (!som_joint_class_fits(parameter->joint_class, mover.joint)) {
            som_text_printf(&found, "is a %s",
                            som_joint_class_word(som_joint_class_of(mover.joint)));
        }
    }
    bool fine = found.length == 0;
    if (!fine) {
        report_wrong_place(c, behavior, parameter, expression, found.data);
    }
    som_text_free(&found);
    return fine;
}

static bool is_part(SomCompiler *c, SomStr behavior, const SomParameter *parameter,
                    SomNode expression, const SomPlaced *placed) {
    bool names_joint = placed->member != 0 &&
                       som_configuration_find_dof(c->configuration, placed->path, NULL) >= 0;
    int part;
    if (placed->member != 0 && !names_joint) {
        return som_compiler_find_part(c, expression, &part); // which says that there is none
    }
    SomText found = {0};
    SomStr config = c->configuration->parts[placed->part].config;
    bool fine =
        placed->member == 0 && som_parameter_fits_part(c->configuration, parameter, placed->part);
    if (placed->member != 0) {
        som_text_add(&found, SOM_STR("is not a part"));
    } else {
        som_text_printf(&found, "is a '%.*s'", SOM_STR_ARG(config));
    }
    if (!fine) {
        report_wrong_place(c, behavior, parameter, expression, found.data);
    }
    som_text_free(&found);
    return fine;
}

// The joint or part that an expression of the innermost unfolding names.
static bool read_place(SomCompiler *c, SomStr behavior, const SomParameter *parameter,
                       SomNode expression, SomBinding *binding) {
    SomPlaced placed;
    if (som_syntax_kind(c->unfolding->tree, expression) != SOM_SOM_PLACE) {
        report_wrong_place(c, behavior, parameter, expression, "is a value");
        return false;
    }
    if (!som_compiler_follow(c, expression, &placed) ||
        !(parameter->kind == SOM_PARAMETER_JOINT
              ? is_joint(c, behavior, parameter, expression, &placed)
              : is_part(c, behavior, parameter, expression, &placed))) {
        return false;
    }
    *binding = (SomBinding){.name = parameter->name,
                            .kind = parameter->kind,
                            .part = placed.part,
                            .member = placed.member != 0 ? placed.name : SOM_STR("")};
    return true;
}

// ---- all of a call

static bool is_given(const SomBinding *binding) {
    return binding->kind != SOM_PARAMETER_VALUE || binding->value.kind != SOM_VALUE_NONE;
}

// An expression of the innermost unfolding, for a parameter.
static bool read_argument(SomCompiler *c, SomStr behavior, const SomParameter *parameter,
                          SomNode expression, SomBinding *binding) {
    if (parameter->kind != SOM_PARAMETER_VALUE) {
        return read_place(c, behavior, parameter, expression, binding);
    }
    SomEvaluator e = som_compiler_evaluator(c);
    SomValue value = som_value_evaluate(&e, expression);
    bool fine = is_of(&e, value, parameter, expression);
    if (fine) {
        *binding = (SomBinding){.name = parameter->name, .value = value};
    }
    return fine;
}

static bool read_arguments(SomCompiler *c, SomStr behavior, const SomParameter *params, int count,
                           SomNode arguments, SomBinding *bindings) {
    const SomSyntax *tree = c->unfolding->tree;
    bool fine = true;
    SomNode argument =
        arguments != 0 ? som_syntax_find_child(tree, arguments, SOM_SOM_ARGUMENT) : 0;
    for (int nth = 0; argument != 0; nth++) {
        int at = match(c, behavior, params, count, argument, nth);
        SomNode expression = som_syntax_first_child(tree, argument);
        if (som_syntax_kind(tree, expression) == SOM_SOM_NAME) {
            expression = som_syntax_next_sibling(tree, expression);
        }
        if (at < 0) {
            som_compiler_evaluate(c, expression); // for what is wrong with it, too
            fine = false;
        } else if (is_given(&bindings[at])) {
            som_compiler_report(c, SOM_WRONG_ARGUMENTS, som_compiler_span(c, argument),
                                "'%.*s' is given twice", SOM_STR_ARG(params[at].name));
            fine = false;
        } else {
            fine &= read_argument(c, behavior, &params[at], expression, &bindings[at]);
        }
        argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT);
    }
    return fine;
}

// A parameter that was not given, from its default in the text of the behavior.
static bool use_default(SomCompiler *c, SomUnfolding *inner, const SomParameter *parameter,
                        SomStr behavior, SomSpan call, SomBinding *binding) {
    if (parameter->otherwise == 0) {
        if (som_compiler_report(c, SOM_WRONG_ARGUMENTS, call,
                                "'%.*s' needs a %s for its parameter '%.*s'", SOM_STR_ARG(behavior),
                                som_words_parameter_kind(parameter),
                                SOM_STR_ARG(parameter->name))) {
            som_note(c->diags, parameter->span, "'%.*s' is declared here, without a default",
                     SOM_STR_ARG(parameter->name));
        }
        return false;
    }
    SomUnfolding *outer = c->unfolding;
    c->unfolding = inner;
    bool fine = read_argument(c, behavior, parameter, parameter->otherwise, binding);
    c->unfolding = outer;
    return fine;
}

bool som_compiler_pass(SomCompiler *c, SomUnfolding *inner, SomNode arguments, SomSpan call) {
    SomCompileDef def = {.workspace = c->workspace, .configuration = c->configuration};
    int count;
    const SomParameter *params = som_compile_parameters(&def, inner->behavior, &count);
    SomStr behavior = c->configuration->behaviors[inner->behavior].name;
    SomBinding *bindings = som_alloc((size_t)(count + 1) * sizeof *bindings);
    bool fine = read_arguments(c, behavior, params, count, arguments, bindings);
    for (int i = 0; fine && i < count; i++) {
        if (!params[i].is_known ||
            (!is_given(&bindings[i]) &&
             !use_default(c, inner, &params[i], behavior, call, &bindings[i]))) {
            fine = false;
            break;
        }
        som_array_push(&inner->bindings, bindings[i]);
    }
    som_free(bindings);
    c->has_failed |= !fine;
    return fine;
}

bool som_compiler_takes_places(const SomCompiler *c, int behavior) {
    SomCompileDef def = {.workspace = c->workspace, .configuration = c->configuration};
    int count;
    const SomParameter *params = som_compile_parameters(&def, behavior, &count);
    for (int i = 0; i < count; i++) {
        if (params[i].kind != SOM_PARAMETER_VALUE) {
            return true;
        }
    }
    return false;
}
