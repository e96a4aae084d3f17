// SPDX-License-Identifier: Apache-2.0
// Compiled conditions → the language. Programs hold numbers without units; which they have follows
// from what they are compared with.

#include "base/number.h"
#include "exchange/bt_internal.h"

// What an instruction of a program leaves.
typedef struct Term {
    const SomInstruction *in;
    int a, b; // what it takes; -1: nothing
    bool is_truth;
    bool is_known; // its dimension is; else that is what it would be if numbers had no unit
    SomDimension dimension;
} Term;

typedef struct Printer {
    const SomBtDef *def;
    Term *terms;
    SomText *out;
} Printer;

// ---- values

static bool slides(const SomConfiguration *design, int dof) {
    return som_configuration_joint(design, dof)->type == SOM_JOINT_PRISMATIC;
}

static void print_quantity(SomText *out, double value, SomDimension dimension) {
    if (som_dimension_equal(dimension, som_dimension(SOM_DIMENSION_ANGLE))) {
        som_write_angle(out, value);
    } else if (som_dimension_equal(dimension, som_dimension(SOM_DIMENSION_ANGULAR_SPEED))) {
        som_write_angular_speed(out, value);
    } else {
        som_quantity_print((SomQuantity){value == 0 ? 0 : value, dimension}, NULL, out);
    }
}

static SomDimension dimension_of(const SomConfiguration *design, int dof) {
    return som_dimension(slides(design, dof) ? SOM_DIMENSION_LENGTH : SOM_DIMENSION_ANGLE);
}

static SomDimension speed_of(const SomConfiguration *design, int dof) {
    return som_dimension_divide(dimension_of(design, dof), som_dimension(SOM_DIMENSION_TIME));
}

void som_bt_print_value(const SomConfiguration *design, int dof, double value, bool is_speed,
                        SomText *out) {
    print_quantity(out, value, is_speed ? speed_of(design, dof) : dimension_of(design, dof));
}

// ---- which unit

static Term known(SomDimension dimension) {
    return (Term){.is_known = true, .dimension = dimension};
}

static Term sense(const SomBtDef *def, const SomInstruction *in, int32_t dof) {
    switch ((SomInstructionKind)in->kind) {
    case SOM_INSTRUCTION_NUMBER:
        return (Term){0};
    case SOM_INSTRUCTION_POSITION:
        return known(dimension_of(def->design, in->index));
    case SOM_INSTRUCTION_SPEED:
        return known(speed_of(def->design, in->index));
    case SOM_INSTRUCTION_EFFORT:
        return known(som_dimension(slides(def->design, in->index) ? SOM_DIMENSION_FORCE
                                                                  : SOM_DIMENSION_TORQUE));
    case SOM_INSTRUCTION_HEIGHT:
        return known(som_dimension(SOM_DIMENSION_LENGTH));
    case SOM_INSTRUCTION_TILT:
        return known(som_dimension(SOM_DIMENSION_ANGLE));
    case SOM_INSTRUCTION_ELAPSED:
    case SOM_INSTRUCTION_TIME:
        return known(som_dimension(SOM_DIMENSION_TIME));
    case SOM_INSTRUCTION_ERROR:
        return known(dof >= 0 ? dimension_of(def->design, dof)
                              : som_dimension(SOM_DIMENSION_ANGLE));
    case SOM_INSTRUCTION_INPUT:
        return known(som_dimension(SOM_DIMENSION_NUMBER));
    default: // contact, docked
        return (Term){.is_truth = true};
    }
}

// What can be said of an operation by what it is made of.
static Term operation(const SomInstruction *in, const Term *a, const Term *b) {
    switch ((SomInstructionKind)in->kind) {
    case SOM_INSTRUCTION_NEGATE:
    case SOM_INSTRUCTION_ABSOLUTE:
    case SOM_INSTRUCTION_ADD:
    case SOM_INSTRUCTION_SUBTRACT:
    case SOM_INSTRUCTION_MINIMUM:
    case SOM_INSTRUCTION_MAXIMUM: {
        const Term *known_one = b != NULL && !a->is_known ? b : a;
        return (Term){.is_known = known_one->is_known, .dimension = known_one->dimension};
    }
    case SOM_INSTRUCTION_MULTIPLY:
        return (Term){.is_known = a->is_known && b->is_known,
                      .dimension = som_dimension_multiply(a->dimension, b->dimension)};
    case SOM_INSTRUCTION_DIVIDE:
        return (Term){.is_known = a->is_known && b->is_known,
                      .dimension = som_dimension_divide(a->dimension, b->dimension)};
    default: // comparisons and connectives
        return (Term){.is_truth = true};
    }
}

static void settle(Term *terms, int index, const Term *wanted);

// Of a product or quotient one factor may be a number, whose unit makes up for the rest.
static void settle_factors(Term *terms, const Term *t, SomDimension whole) {
    Term a = terms[t->a], b = terms[t->b];
    bool is_product = t->in->kind == SOM_INSTRUCTION_MULTIPLY;
    Term number = known(som_dimension(SOM_DIMENSION_NUMBER));
    if (a.is_known) {
        b = b.is_known ? b
                       : known(is_product ? som_dimension_divide(whole, a.dimension)
                                          : som_dimension_divide(a.dimension, whole));
    } else {
        b = b.is_known ? b : number;
        a = known(is_product ? som_dimension_divide(whole, b.dimension)
                             : som_dimension_multiply(whole, b.dimension));
    }
    settle(terms, t->a, &a);
    settle(terms, t->b, &b);
}

// Gives numbers the units that they must have for `wanted`.
static void settle(Term *terms, int index, const Term *wanted) {
    Term *t = &terms[index];
    static const Term truth = {.is_truth = true};
    if (t->a < 0) {
        if (t->in->kind == SOM_INSTRUCTION_NUMBER) {
            t->is_truth = wanted->is_truth;
            t->dimension = wanted->dimension;
        }
        return;
    }
    Term own = t->is_known ? *t : *wanted;
    switch ((SomInstructionKind)t->in->kind) {
    case SOM_INSTRUCTION_MULTIPLY:
    case SOM_INSTRUCTION_DIVIDE:
        settle_factors(terms, t, own.dimension);
        return;
    case SOM_INSTRUCTION_NEGATE:
    case SOM_INSTRUCTION_ABSOLUTE:
    case SOM_INSTRUCTION_ADD:
    case SOM_INSTRUCTION_SUBTRACT:
    case SOM_INSTRUCTION_MINIMUM:
    case SOM_INSTRUCTION_MAXIMUM:
        break;
    case SOM_INSTRUCTION_AND:
    case SOM_INSTRUCTION_OR:
    case SOM_INSTRUCTION_NOT:
        own = truth;
        break;
    default: { // a comparison: like the side that is known
        const Term *a = &terms[t->a], *b = &terms[t->b];
        bool is_left = a->is_known || (!b->is_known && a->a >= 0);
        own = a->is_truth || b->is_truth ? truth : is_left ? *a : *b;
    }
    }
    settle(terms, t->a, &own);
    if (t->b >= 0) {
        settle(terms, t->b, &own);
    }
}

// ---- words

// A quantity of a dimension that has no unit is made of those that have one: 3*1rad/1kg.
static void print_factors(SomText *out, const char *unit, int exponent) {
    for (int i = 0; i < exponent; i++) {
        som_text_printf(out, "*1%s", unit);
    }
    for (int i = 0; i > exponent; i--) {
        som_text_printf(out, "/1%s", unit);
    }
}

static void print_number(Printer *p, const Term *t) {
    double value = t->in->value;
    if (t->is_truth) {
        som_text_add(p->out, value != 0 ? SOM_STR("true") : SOM_STR("false"));
        return;
    }
    bool has_unit = som_dimension_info(t->dimension) != NULL;
    som_text_add(p->out, value < 0 || !has_unit ? SOM_STR("(") : SOM_STR(""));
    if (has_unit) {
        print_quantity(p->out, value, t->dimension);
    } else {
        som_text_number(p->out, value);
        print_factors(p->out, "m", t->dimension.metre);
        print_factors(p->out, "kg", t->dimension.kilogram);
        print_factors(p->out, "s", t->dimension.second);
        print_factors(p->out, "rad", t->dimension.radian);
    }
    som_text_add(p->out, value < 0 || !has_unit ? SOM_STR(")") : SOM_STR(""));
}

static void print_sense(Printer *p, const Term *t) {
    static const SomSymbolKind kinds[] = {[SOM_OPERAND_DOF] = SOM_SYMBOL_DOF,
                                          [SOM_OPERAND_CONTACT] = SOM_SYMBOL_CONTACT,
                                          [SOM_OPERAND_INPUT] = SOM_SYMBOL_INPUT,
                                          [SOM_OPERAND_DOCK] = SOM_SYMBOL_DOCK};
    SomInstructionInfo info = som_instruction_info((SomInstructionKind)t->in->kind);
    if (info.operand == SOM_OPERAND_NUMBER) {
        print_number(p, t);
    } else if (t->in->kind == SOM_INSTRUCTION_TILT) {
        som_text_add(p->out, SOM_STR("bodyTilt"));
    } else if (info.operand == SOM_OPERAND_NOTHING) {
        som_text_add(p->out, som_str(info.word));
    } else {
        SomStr name = som_str(som_graph_name(p->def->graph, kinds[info.operand], t->in->index));
        som_text_printf(p->out, "%s(", info.word);
        if (info.operand == SOM_OPERAND_INPUT) { // a bare name, the others are paths
            som_write_name(p->out, name);
        } else {
            som_text_add(p->out, name);
        }
        som_text_add(p->out, SOM_STR(")"));
    }
}

static void print_term(Printer *p, int index, bool is_inside) {
    const Term *t = &p->terms[index];
    if (t->a < 0) {
        print_sense(p, t);
        return;
    }
    int kind = t->in->kind;
    SomInstructionInfo info = som_instruction_info((SomInstructionKind)kind);
    bool is_call = kind == SOM_INSTRUCTION_ABSOLUTE || kind == SOM_INSTRUCTION_MINIMUM ||
                   kind == SOM_INSTRUCTION_MAXIMUM;
    if (is_call) {
        som_text_printf(p->out, "%s(", info.word);
    } else if (is_inside) {
        som_text_add(p->out, SOM_STR("("));
    }
    if (t->b < 0 && !is_call) {
        som_text_add(p->out, kind == SOM_INSTRUCTION_NOT ? SOM_STR("not ") : SOM_STR("-"));
    }
    print_term(p, t->a, !is_call);
    if (t->b >= 0) {
        som_text_printf(p->out, is_call ? ", " : " %s ", info.word);
        print_term(p, t->b, !is_call);
    }
    som_text_add(p->out, is_call || is_inside ? SOM_STR(")") : SOM_STR(""));
}

void som_bt_print_condition(const SomBtDef *def, int32_t condition, int32_t dof, SomText *out) {
    const SomCondition *c = &def->graph->conditions[condition];
    Term *terms = som_alloc((size_t)c->count * sizeof *terms);
    int stack[SOM_CONDITION_MOST_DEPTH];
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        const SomInstruction *in = &def->graph->instructions[c->first + i];
        int takes = som_instruction_info((SomInstructionKind)in->kind).takes;
        int a = takes > 0 ? stack[count - takes] : -1, b = takes == 2 ? stack[count - 1] : -1;
        terms[i] =
            takes == 0 ? sense(def, in, dof) : operation(in, &terms[a], b >= 0 ? &terms[b] : NULL);
        terms[i].in = in;
        terms[i].a = a;
        terms[i].b = b;
        count -= takes;
        stack[count++] = i;
    }
    Printer printer = {def, terms, out};
    settle(terms, c->count - 1, &(Term){.is_truth = true});
    print_term(&printer, c->count - 1, false);
    som_free(terms);
}
