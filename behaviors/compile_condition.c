// SPDX-License-Identifier: Apache-2.0
// Conditions that are tested while a behavior runs, as programs in postfix order. What is known
// already is computed now.

#include "base/codes/behaviors_codes.h"
#include "base/codes/compose_text_codes.h"
#include "behaviors/compile_internal.h"

#define MOST_INSTRUCTIONS 4096

// A joint that is called by an alias.
typedef struct Named {
    int at, count; // instructions
    SomMover mover;
} Named;

typedef struct Program {
    SomCompiler *c;
    SomConditionOf of;
    SOM_ARRAY(SomInstruction) code;
    SOM_ARRAY(Named) named;
} Program;

// What a piece of a program leaves; SOM_VALUE_NONE after a report.
typedef struct Left {
    SomValueKind kind;
    SomDimension dimension;
} Left;

static const Left nothing = {SOM_VALUE_NONE, {0, 0, 0, 0}};
static const Left truth = {SOM_VALUE_TRUTH, {0, 0, 0, 0}};

typedef enum Sense {
    SENSE_NONE,
    SENSE_ELAPSED,
    SENSE_TIME,
    SENSE_HEIGHT,
    SENSE_TILT,
    SENSE_REACHED,
    SENSE_ERROR,
    SENSE_POSITION, // from here on with a place
    SENSE_SPEED,
    SENSE_EFFORT,
    SENSE_CONTACT,
    SENSE_INPUT,
    SENSE_DOCKED,
} Sense;

typedef struct SenseWord {
    SomStr word;
    Sense sense;
} SenseWord;

static const SenseWord words[] = {
    {{"elapsed", 7}, SENSE_ELAPSED},   {{"time", 4}, SENSE_TIME},
    {{"height", 6}, SENSE_HEIGHT},     {{"bodyTilt", 8}, SENSE_TILT},
    {{"reached", 7}, SENSE_REACHED},   {{"error", 5}, SENSE_ERROR},
    {{"position", 8}, SENSE_POSITION}, {{"speed", 5}, SENSE_SPEED},
    {{"effort", 6}, SENSE_EFFORT},     {{"contact", 7}, SENSE_CONTACT},
    {{"input", 5}, SENSE_INPUT},       {{"docked", 6}, SENSE_DOCKED},
};

static Sense find_sense(SomStr name, bool is_call) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (som_str_equal(words[i].word, name)) {
            return (words[i].sense >= SENSE_POSITION) == is_call ? words[i].sense : SENSE_NONE;
        }
    }
    return SENSE_NONE;
}

// ---- is it sensed, or known already?

static bool is_sensed_place(SomCompiler *c, SomNode place) {
    SomNode head = som_syntax_first_child(c->unfolding->tree, place);
    SomValue value;
    if (head == 0 || som_syntax_next_sibling(c->unfolding->tree, head) != 0) {
        return true;
    }
    SomStr name = som_compiler_name(c, head);
    return !som_compiler_find_value(c, name, &value) &&
           (find_sense(name, false) != SENSE_NONE || som_compiler_is_dof(c, name));
}

bool som_compiler_is_sensed(SomCompiler *c, SomNode node) {
    const SomSyntax *tree = c->unfolding->tree;
    c->steps_left--;
    int kind = som_syntax_kind(tree, node);
    if (kind == SOM_SOM_PLACE) {
        return is_sensed_place(c, node);
    }
    SomNode child = som_syntax_first_child(tree, node);
    if (kind == SOM_SOM_CALL) {
        if (find_sense(som_syntax_text(tree, child), true) != SENSE_NONE) {
            return true;
        }
        child = som_syntax_next_sibling(tree, child);
    }
    for (; child != 0; child = som_syntax_next_sibling(tree, child)) {
        if (som_compiler_is_sensed(c, child)) {
            return true;
        }
    }
    return false;
}

// ---- pieces

static void add(Program *p, SomInstructionKind kind, int index, double value) {
    SomInstruction instruction = {value, index, (uint8_t)kind};
    if (p->code.count < MOST_INSTRUCTIONS) {
        som_array_push(&p->code, instruction);
    }
}

static Left quantity(SomDimension dimension) {
    return (Left){SOM_VALUE_QUANTITY, dimension};
}

static Left add_known(Program *p, SomNode node) {
    SomValue value = som_compiler_evaluate(p->c, node);
    add(p, SOM_INSTRUCTION_NUMBER, 0, value.number);
    return (Left){value.kind, value.dimension};
}

int som_compiler_symbol(SomCompiler *c, SomSymbolKind kind, SomStr name) {
    for (int i = 0; i < c->symbols[kind].count; i++) {
        if (som_str_equal(c->symbols[kind].data[i], name)) {
            return i;
        }
    }
    SomStr own = som_arena_copy(&c->arena, name);
    som_array_push(&c->symbols[kind], own);
    return som_graph_builder_add_symbol(c->builder, kind, own);
}

// ---- what is sensed

static Left add_of_dof(Program *p, Sense sense, SomNode place) {
    SomMover mover;
    if (!som_compiler_find_dof(p->c, place, &mover)) {
        return nothing;
    }
    SomInstructionKind kind = sense == SENSE_SPEED    ? SOM_INSTRUCTION_SPEED
                              : sense == SENSE_EFFORT ? SOM_INSTRUCTION_EFFORT
                                                      : SOM_INSTRUCTION_POSITION;
    int at = p->code.count;
    add(p, kind, mover.dof, 0);
    if (kind == SOM_INSTRUCTION_POSITION && mover.alias.zero != 0) {
        add(p, SOM_INSTRUCTION_NUMBER, 0, mover.alias.zero);
        add(p, SOM_INSTRUCTION_SUBTRACT, 0, 0);
    }
    if (mover.alias.sign < 0) {
        add(p, SOM_INSTRUCTION_NEGATE, 0, 0);
    }
    if (!som_str_equal(mover.path, p->c->configuration->dofs[mover.dof].path)) {
        som_array_push(&p->named, ((Named){at, p->code.count - at, mover}));
    }
    return quantity(sense == SENSE_SPEED    ? som_mover_speed_dimension(&mover)
                    : sense == SENSE_EFFORT ? som_mover_effort_dimension(&mover)
                                            : som_mover_dimension(&mover));
}

// A link of a module, or all of a module: its path is what the host knows it by.
static Left add_contact(Program *p, SomNode place) {
    SomCompiler *c = p->c;
    SomPlaced placed;
    if (!som_compiler_follow(c, place, &placed)) {
        return nothing;
    }
    const SomPart *part = &c->configuration->parts[placed.part];
    const SomModuleType *type =
        part->order == 0 ? c->configuration->modules[part->first_module].type : NULL;
    if (placed.member != 0 && (type == NULL || som_module_type_find_link(type, placed.name) < 0)) {
        SomStr names[SOM_COMPILE_MOST_HINTS];
        int count = 0;
        for (; type != NULL && count < type->link_count && count < SOM_COMPILE_MOST_HINTS;
             count++) {
            names[count] = type->links[count].name;
        }
        som_compiler_report_unknown(c, SOM_UNKNOWN_PART, som_compiler_span(c, placed.member),
                                    "there is no link or part", placed.name, names, count);
        return nothing;
    }
    add(p, SOM_INSTRUCTION_CONTACT, som_compiler_symbol(c, SOM_SYMBOL_CONTACT, placed.path), 0);
    return truth;
}

static Left add_input(Program *p, SomNode place) {
    int symbol;
    const SomParameter *type;
    if (!som_compiler_input(p->c, place, &symbol, &type)) {
        return nothing;
    }
    add(p, SOM_INSTRUCTION_INPUT, symbol, 0);
    return type->is_condition ? truth : quantity(type->dimension);
}

// position(head.tilt), contact(tail.LeftWheel), input(light)
static Left add_call_of_sense(Program *p, SomNode node, Sense sense) {
    SomCompiler *c = p->c;
    const SomSyntax *tree = c->unfolding->tree;
    SomNode list = som_syntax_find_child(tree, node, SOM_SOM_ARGUMENTS);
    SomNode argument = som_syntax_find_child(tree, list, SOM_SOM_ARGUMENT);
    SomNode place = argument != 0 ? som_syntax_first_child(tree, argument) : 0;
    bool is_single = argument != 0 && som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT) == 0;
    bool is_name = is_single && som_syntax_kind(tree, place) == SOM_SOM_PLACE;
    if (!is_name) {
        som_compiler_report(c, SOM_WRONG_ARGUMENTS, som_compiler_span(c, node), "expected one %s",
                            sense == SENSE_CONTACT  ? "link"
                            : sense == SENSE_INPUT  ? "name of a sensor"
                            : sense == SENSE_DOCKED ? "dock"
                                                    : "joint");
        return nothing;
    }
    if (sense == SENSE_CONTACT) {
        return add_contact(p, place);
    }
    if (sense == SENSE_DOCKED) {
        int dock;
        if (!som_compiler_find_dock(c, place, &dock)) {
            return nothing;
        }
        add(p, SOM_INSTRUCTION_DOCKED, dock, 0);
        return truth;
    }
    if (sense == SENSE_INPUT) {
        return add_input(p, place);
    }
    return add_of_dof(p, sense, place);
}

static Left add_word(Program *p, SomNode node, Sense sense) {
    switch (sense) {
    case SENSE_ELAPSED:
        add(p, SOM_INSTRUCTION_ELAPSED, 0, 0);
        return quantity(som_dimension(SOM_DIMENSION_TIME));
    case SENSE_TIME:
        add(p, SOM_INSTRUCTION_TIME, 0, 0);
        return quantity(som_dimension(SOM_DIMENSION_TIME));
    case SENSE_HEIGHT:
        add(p, SOM_INSTRUCTION_HEIGHT, 0, 0);
        return quantity(som_dimension(SOM_DIMENSION_LENGTH));
    case SENSE_TILT:
        add(p, SOM_INSTRUCTION_TILT, 0, 0);
        return quantity(som_dimension(SOM_DIMENSION_ANGLE));
    default:
        break;
    }
    if (p->of.mover == NULL) {
        som_compiler_report(p->c, SOM_CONDITION_NOT_SENSED, som_compiler_span(p->c, node),
                            "only a move to a value has one that can be reached");
        return nothing;
    }
    add(p, SOM_INSTRUCTION_ERROR, 0, 0);
    if (sense == SENSE_ERROR) {
        return quantity(som_mover_dimension(p->of.mover));
    }
    add(p, SOM_INSTRUCTION_NUMBER, 0, p->of.tolerance);
    add(p, SOM_INSTRUCTION_LESS, 0, 0);
    if (p->of.course_end > 0) { // on the way it is near its set-point, too
        add(p, SOM_INSTRUCTION_ELAPSED, 0, 0);
        add(p, SOM_INSTRUCTION_NUMBER, 0, p->of.course_end - SOM_TIME_SLACK);
        add(p, SOM_INSTRUCTION_GREATER_EQUAL, 0, 0);
        add(p, SOM_INSTRUCTION_AND, 0, 0);
    }
    return truth;
}

static Left add_place(Program *p, SomNode node) {
    const SomSyntax *tree = p->c->unfolding->tree;
    SomNode head = som_syntax_first_child(tree, node);
    bool is_word = head != 0 && som_syntax_next_sibling(tree, head) == 0;
    Sense sense = is_word ? find_sense(som_compiler_name(p->c, head), false) : SENSE_NONE;
    return sense != SENSE_NONE ? add_word(p, node, sense) : add_of_dof(p, SENSE_POSITION, node);
}

// ---- operators

static Left add_expression(Program *p, SomNode node);

static void print_left(Left left, SomText *out) {
    if (left.kind == SOM_VALUE_TRUTH) {
        som_text_add(out, SOM_STR("a condition"));
    } else {
        som_dimension_print(left.dimension, out);
    }
}

static bool are_alike(Program *p, Left a, Left b, SomSpan span, const char *verb) {
    if (a.kind == SOM_VALUE_NONE || b.kind == SOM_VALUE_NONE) {
        return false;
    }
    if (a.kind == SOM_VALUE_QUANTITY && b.kind == SOM_VALUE_QUANTITY &&
        som_dimension_equal(a.dimension, b.dimension)) {
        return true;
    }
    SomText left = {0}, right = {0};
    print_left(a, &left);
    print_left(b, &right);
    som_compiler_report(p->c, SOM_WRONG_DIMENSION, span, "%s and %s cannot be %s", left.data,
                        right.data, verb);
    som_text_free(&left);
    som_text_free(&right);
    return false;
}

static bool is_truth(Program *p, Left left, SomNode node) {
    if (left.kind == SOM_VALUE_QUANTITY) {
        SomText found = {0};
        print_left(left, &found);
        som_compiler_report(p->c, SOM_NOT_A_CONDITION, som_compiler_span(p->c, node),
                            "expected a condition, found %s", found.data);
        som_text_free(&found);
    }
    return left.kind == SOM_VALUE_TRUTH;
}

static Left combine(Program *p, Left a, Left b, int token) {
    const SomSyntax *tree = p->c->unfolding->tree;
    SomSpan span = som_syntax_token_span(tree, token);
    switch (som_syntax_token_kind(tree, token)) {
    case SOM_TOKEN_PLUS:
        add(p, SOM_INSTRUCTION_ADD, 0, 0);
        return are_alike(p, a, b, span, "added") ? a : nothing;
    case SOM_TOKEN_MINUS:
        add(p, SOM_INSTRUCTION_SUBTRACT, 0, 0);
        return are_alike(p, a, b, span, "subtracted") ? a : nothing;
    default:
        break;
    }
    bool is_product = som_syntax_token_kind(tree, token) == SOM_TOKEN_STAR;
    add(p, is_product ? SOM_INSTRUCTION_MULTIPLY : SOM_INSTRUCTION_DIVIDE, 0, 0);
    if (a.kind != SOM_VALUE_QUANTITY || b.kind != SOM_VALUE_QUANTITY) {
        are_alike(p, a, b, span, is_product ? "multiplied" : "divided");
        return nothing;
    }
    return quantity(is_product ? som_dimension_multiply(a.dimension, b.dimension)
                               : som_dimension_divide(a.dimension, b.dimension));
}

static Left add_chain(Program *p, SomNode node) {
    Left result = nothing;
    int token = SOM_NO_TOKEN;
    bool is_first = true;
    SomElements it = som_syntax_elements(p->c->unfolding->tree, node);
    while (som_elements_next(&it)) {
        if (it.node == 0) {
            token = it.token;
        } else {
            Left operand = add_expression(p, it.node);
            result = is_first ? operand : combine(p, result, operand, token);
            is_first = false;
        }
    }
    return result;
}

static Left add_comparison(Program *p, SomNode node) {
    const SomSyntax *tree = p->c->unfolding->tree;
    SomNode left = som_syntax_first_child(tree, node);
    Left a = add_expression(p, left), b = add_expression(p, som_syntax_next_sibling(tree, left));
    SomElements it = som_syntax_elements(tree, node);
    while (som_elements_next(&it) && it.node != 0) {
    }
    SomInstructionKind kind;
    switch (som_syntax_token_kind(tree, it.token)) {
    case SOM_TOKEN_EQUAL_EQUAL:
        kind = SOM_INSTRUCTION_EQUAL;
        break;
    case SOM_TOKEN_NOT_EQUAL:
        kind = SOM_INSTRUCTION_UNEQUAL;
        break;
    case SOM_TOKEN_LESS:
        kind = SOM_INSTRUCTION_LESS;
        break;
    case SOM_TOKEN_LESS_EQUAL:
        kind = SOM_INSTRUCTION_LESS_EQUAL;
        break;
    case SOM_TOKEN_GREATER:
        kind = SOM_INSTRUCTION_GREATER;
        break;
    default:
        kind = SOM_INSTRUCTION_GREATER_EQUAL;
    }
    add(p, kind, 0, 0);
    bool are_truths = a.kind == SOM_VALUE_TRUTH && b.kind == SOM_VALUE_TRUTH &&
                      (kind == SOM_INSTRUCTION_EQUAL || kind == SOM_INSTRUCTION_UNEQUAL);
    SomSpan span = som_syntax_token_span(tree, it.token);
    return are_truths || are_alike(p, a, b, span, "compared") ? truth : nothing;
}

static Left add_connective(Program *p, SomNode node, SomInstructionKind kind) {
    const SomSyntax *tree = p->c->unfolding->tree;
    bool fine = true, is_first = true;
    SomNode operand = som_syntax_first_child(tree, node);
    for (; operand != 0; operand = som_syntax_next_sibling(tree, operand)) {
        fine &= is_truth(p, add_expression(p, operand), operand);
        if (!is_first) {
            add(p, kind, 0, 0);
        }
        is_first = false;
    }
    return fine ? truth : nothing;
}

static Left refuse(Program *p, SomNode node) {
    som_compiler_report(p->c, SOM_CONDITION_NOT_SENSED, som_compiler_span(p->c, node),
                        "this cannot be computed from what is sensed");
    return nothing;
}

static bool has_named_argument(const SomSyntax *tree, SomNode argument) {
    for (; argument != 0; argument = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT)) {
        if (som_syntax_find_child(tree, argument, SOM_SOM_NAME) != 0) {
            return true;
        }
    }
    return false;
}

// abs, min and max of what is sensed
static Left add_function(Program *p, SomNode node) {
    const SomSyntax *tree = p->c->unfolding->tree;
    SomNode head = som_syntax_first_child(tree, node);
    SomStr name = som_syntax_text(tree, head);
    Sense sense = find_sense(name, true);
    if (sense != SENSE_NONE) {
        return add_call_of_sense(p, node, sense);
    }
    bool is_abs = som_str_equal(name, SOM_STR("abs"));
    bool is_min = som_str_equal(name, SOM_STR("min"));
    SomNode argument =
        som_syntax_find_child(tree, som_syntax_next_sibling(tree, head), SOM_SOM_ARGUMENT);
    if ((!is_abs && !is_min && !som_str_equal(name, SOM_STR("max"))) || argument == 0) {
        return refuse(p, node);
    }
    if (has_named_argument(tree, argument)) {
        som_compiler_report(p->c, SOM_WRONG_ARGUMENTS, som_compiler_span(p->c, node),
                            "arguments of functions have no names");
        return nothing;
    }
    Left result = add_expression(p, som_syntax_first_child(tree, argument));
    SomNode next = som_syntax_find_next(tree, argument, SOM_SOM_ARGUMENT);
    if (is_abs) {
        add(p, SOM_INSTRUCTION_ABSOLUTE, 0, 0);
        return next == 0 && result.kind == SOM_VALUE_QUANTITY ? result : refuse(p, node);
    }
    for (; next != 0; next = som_syntax_find_next(tree, next, SOM_SOM_ARGUMENT)) {
        Left other = add_expression(p, som_syntax_first_child(tree, next));
        add(p, is_min ? SOM_INSTRUCTION_MINIMUM : SOM_INSTRUCTION_MAXIMUM, 0, 0);
        if (!are_alike(p, result, other, som_compiler_span(p->c, next), "compared")) {
            result = nothing;
        }
    }
    return result;
}

static Left add_expression(Program *p, SomNode node) {
    SomCompiler *c = p->c;
    const SomSyntax *tree = c->unfolding->tree;
    if (c->steps_left <= 0 || node == 0) {
        return nothing;
    }
    if (!som_compiler_is_sensed(c, node)) {
        return add_known(p, node);
    }
    SomNode first = som_syntax_first_child(tree, node);
    switch (som_syntax_kind(tree, node)) {
    case SOM_SOM_PLACE:
        return add_place(p, node);
    case SOM_SOM_CALL:
        return add_function(p, node);
    case SOM_SOM_GROUP:
        return add_expression(p, first);
    case SOM_SOM_NEGATION: {
        Left left = add_expression(p, first);
        int token = som_syntax_first_token(tree, node);
        if (som_syntax_token_kind(tree, token) == SOM_TOKEN_MINUS) {
            add(p, SOM_INSTRUCTION_NEGATE, 0, 0);
        }
        return left.kind == SOM_VALUE_TRUTH ? refuse(p, node) : left;
    }
    case SOM_SOM_SUM:
    case SOM_SOM_PRODUCT:
        return add_chain(p, node);
    case SOM_SOM_COMPARISON:
        return add_comparison(p, node);
    case SOM_SOM_NOT: {
        Left left = add_expression(p, first);
        add(p, SOM_INSTRUCTION_NOT, 0, 0);
        return is_truth(p, left, first) ? truth : nothing;
    }
    case SOM_SOM_AND:
        return add_connective(p, node, SOM_INSTRUCTION_AND);
    case SOM_SOM_OR:
        return add_connective(p, node, SOM_INSTRUCTION_OR);
    default:
        return refuse(p, node);
    }
}

int som_compiler_condition(SomCompiler *c, SomNode expression, SomConditionOf of) {
    Program p = {.c = c, .of = of};
    int index = SOM_NONE;
    Left left = add_expression(&p, expression);
    if (p.code.count >= MOST_INSTRUCTIONS) {
        som_compiler_report(c, SOM_CONDITION_TOO_DEEP, som_compiler_span(c, expression),
                            "the condition is too long");
    } else if (is_truth(&p, left, expression) && !c->has_failed) {
        index = som_graph_builder_add_condition(c->builder, p.code.data, p.code.count);
        for (int i = 0; i < p.named.count; i++) {
            const Named *n = &p.named.data[i];
            som_graph_builder_set_operand(c->builder, n->at, n->count, n->mover.dof, n->mover.path,
                                          n->mover.alias);
        }
    }
    c->has_failed |= left.kind == SOM_VALUE_NONE;
    som_array_free(&p.code);
    som_array_free(&p.named);
    return index;
}
