// SPDX-License-Identifier: Apache-2.0
// Conditions: postfix programs over what is sensed. som_graph_check has seen to the depth of the
// stack and to every index.

#include "player/player_internal.h"

static double unknown(void) {
    return (double)NAN;
}

static double sensed(const double *values, int32_t index) {
    return values == NULL ? unknown() : values[index];
}

static double error_of(const SomPlayer *p, int32_t node) {
    const SomGraphNode *n = &p->graph->nodes[node];
    if (n->kind != SOM_NODE_ACTION) {
        return unknown();
    }
    const SomAction *action = &p->graph->actions[n->index];
    bool has_target = action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_RELATIVE ||
                      action->kind == SOM_ACTION_FOLLOW;
    return has_target ? fabs(sensed(p->senses->positions, action->target) - p->target[node])
                      : unknown();
}

// What the host gives, or else its source.
static double input_of(const SomPlayer *p, int32_t index) {
    double value = sensed(p->senses->inputs, index);
    bool has_source = som_graph_source(p->graph, index).kind != SOM_SOURCE_UNKNOWN;
    return isnan(value) && has_source ? som_graph_input(p->graph, index, p->time) : value;
}

// What kinematics alone does not tell.
static bool is_asked_for(const SomPlayer *p, const SomInstruction *in) {
    SomInstructionKind kind = (SomInstructionKind)in->kind;
    if (kind == SOM_INSTRUCTION_INPUT &&
        som_source_is_known(som_graph_source(p->graph, in->index))) {
        return false;
    }
    return kind == SOM_INSTRUCTION_EFFORT || kind == SOM_INSTRUCTION_CONTACT ||
           kind == SOM_INSTRUCTION_INPUT || kind == SOM_INSTRUCTION_HEIGHT ||
           kind == SOM_INSTRUCTION_TILT;
}

static double read_sense(const SomPlayer *p, const SomInstruction *in, int32_t node) {
    const SomSenses *s = p->senses;
    if (s->ask != NULL && is_asked_for(p, in)) {
        return s->ask(s->context, in);
    }
    switch ((SomInstructionKind)in->kind) {
    case SOM_INSTRUCTION_NUMBER:
        return in->value;
    case SOM_INSTRUCTION_POSITION:
        return sensed(s->positions, in->index);
    case SOM_INSTRUCTION_SPEED:
        return sensed(s->speeds, in->index);
    case SOM_INSTRUCTION_EFFORT:
        return sensed(s->efforts, in->index);
    case SOM_INSTRUCTION_CONTACT:
        return s->contacts == NULL ? unknown() : (s->contacts[in->index] != 0);
    case SOM_INSTRUCTION_INPUT:
        return input_of(p, in->index);
    case SOM_INSTRUCTION_DOCKED:
        return s->docks == NULL ? unknown() : (s->docks[in->index] == SOM_DOCK_CLOSED);
    case SOM_INSTRUCTION_HEIGHT:
        return s->height;
    case SOM_INSTRUCTION_TILT:
        return s->tilt;
    case SOM_INSTRUCTION_ELAPSED:
        return p->time - p->start[node];
    case SOM_INSTRUCTION_TIME:
        return p->time;
    case SOM_INSTRUCTION_ERROR:
        return error_of(p, node);
    default:
        return unknown();
    }
}

static bool is_true(double value) {
    return value < 0 || value > 0;
}

static bool is_comparison(SomInstructionKind kind) {
    return SOM_INSTRUCTION_LESS <= kind && kind <= SOM_INSTRUCTION_UNEQUAL;
}

static double compute_one(SomInstructionKind kind, double a) {
    switch (kind) {
    case SOM_INSTRUCTION_NEGATE:
        return -a;
    case SOM_INSTRUCTION_ABSOLUTE:
        return fabs(a);
    default:
        return !is_true(a); // not
    }
}

static double compute_two(SomInstructionKind kind, double a, double b) {
    switch (kind) {
    case SOM_INSTRUCTION_ADD:
        return a + b;
    case SOM_INSTRUCTION_SUBTRACT:
        return a - b;
    case SOM_INSTRUCTION_MULTIPLY:
        return a * b;
    case SOM_INSTRUCTION_DIVIDE:
        return a / b;
    case SOM_INSTRUCTION_MINIMUM:
        return a < b ? a : b;
    case SOM_INSTRUCTION_MAXIMUM:
        return a > b ? a : b;
    case SOM_INSTRUCTION_LESS:
        return a < b;
    case SOM_INSTRUCTION_LESS_EQUAL:
        return a <= b;
    case SOM_INSTRUCTION_GREATER:
        return a > b;
    case SOM_INSTRUCTION_GREATER_EQUAL:
        return a >= b;
    case SOM_INSTRUCTION_EQUAL:
        return a == b;
    case SOM_INSTRUCTION_UNEQUAL:
        return a < b || a > b;
    case SOM_INSTRUCTION_AND:
        return is_true(a) && is_true(b);
    case SOM_INSTRUCTION_OR:
        return is_true(a) || is_true(b);
    default:
        return unknown();
    }
}

bool som_player_holds(const SomPlayer *p, int32_t condition, int32_t node) {
    const SomCondition *c = &p->graph->conditions[condition];
    double stack[SOM_CONDITION_MOST_DEPTH];
    int32_t depth = 0;
    for (int32_t i = 0; i < c->count; i++) {
        const SomInstruction *in = &p->graph->instructions[c->first + i];
        SomInstructionKind kind = (SomInstructionKind)in->kind;
        if (kind < SOM_INSTRUCTION_NEGATE) {
            stack[depth++] = read_sense(p, in, node);
        } else if (kind == SOM_INSTRUCTION_NEGATE || kind == SOM_INSTRUCTION_ABSOLUTE ||
                   kind == SOM_INSTRUCTION_NOT) {
            stack[depth - 1] = compute_one(kind, stack[depth - 1]);
        } else {
            stack[depth - 2] = compute_two(kind, stack[depth - 2], stack[depth - 1]);
            depth--;
            if (is_comparison(kind) && p->senses->decide != NULL) {
                bool outcome = is_true(stack[depth - 1]);
                stack[depth - 1] = p->senses->decide(p->senses->context, in, outcome);
            }
        }
    }
    return is_true(stack[0]);
}
