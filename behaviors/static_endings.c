// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_endings.h"

#include "base/memory.h"

#include <math.h>

int som_static_constant(const SomActionGraph *g, int32_t condition) {
    const SomCondition *c = &g->conditions[condition];
    const SomInstruction *in = &g->instructions[c->first];
    if (c->count != 1 || in->kind != SOM_INSTRUCTION_NUMBER) {
        return -1;
    }
    return in->value != 0;
}

// A value at a time that is far away; what is sensed is not known.
typedef struct Later {
    bool is_known;
    double value;
} Later;

#define FAR_AWAY 1e9 // seconds

static bool is_true(Later a) {
    return a.is_known && !isnan(a.value) && a.value != 0;
}

static bool is_false(Later a) {
    return a.is_known && !is_true(a);
}

static double compute(SomInstructionKind kind, double a, double b) {
    switch (kind) {
    case SOM_INSTRUCTION_NEGATE:
        return -a;
    case SOM_INSTRUCTION_ABSOLUTE:
        return fabs(a);
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
    default:
        return (double)NAN; // equal only for a moment, if at all
    }
}

static Later apply(SomInstructionKind kind, Later a, Later b) {
    switch (kind) {
    case SOM_INSTRUCTION_AND:
        return (Later){is_false(a) || is_false(b) || (a.is_known && b.is_known),
                       is_true(a) && is_true(b)};
    case SOM_INSTRUCTION_OR:
        return (Later){is_true(a) || is_true(b) || (a.is_known && b.is_known),
                       is_true(a) || is_true(b)};
    case SOM_INSTRUCTION_NOT:
        return (Later){a.is_known, is_false(a)};
    case SOM_INSTRUCTION_EQUAL:
    case SOM_INSTRUCTION_UNEQUAL:
        return (Later){false, 0};
    default:
        return (Later){a.is_known && b.is_known, compute(kind, a.value, b.value)};
    }
}

// Whether a condition holds some day, whatever is sensed, because time goes on: `elapsed > 2s`.
static bool holds_later(const SomActionGraph *g, int32_t condition) {
    const SomCondition *c = &g->conditions[condition];
    Later stack[SOM_CONDITION_MOST_DEPTH + 1];
    int top = 0;
    for (int32_t i = c->first; i < c->first + c->count; i++) {
        const SomInstruction *in = &g->instructions[i];
        SomInstructionKind kind = (SomInstructionKind)in->kind;
        int takes = som_instruction_info(kind).takes;
        bool is_time = kind == SOM_INSTRUCTION_ELAPSED || kind == SOM_INSTRUCTION_TIME;
        if (takes == 0) {
            stack[top++] =
                (Later){is_time || kind == SOM_INSTRUCTION_NUMBER, is_time ? FAR_AWAY : in->value};
            continue;
        }
        top -= takes;
        stack[top] = apply(kind, stack[top], takes == 2 ? stack[top + 1] : stack[top]);
        top++;
    }
    return is_true(stack[0]);
}

static bool is_timed(const SomAction *a) {
    return a->duration < SOM_NO_TIME || a->timeout < SOM_NO_TIME;
}

static SomEnding ending_of_action(const SomActionGraph *g, const SomAction *a) {
    if (a->kind == SOM_ACTION_HOLD || is_timed(a)) {
        return SOM_ENDS;
    }
    if (a->until != SOM_NONE) {
        int constant = som_static_constant(g, a->until);
        return constant == 0 ? SOM_NEVER_ENDS : holds_later(g, a->until) ? SOM_ENDS : SOM_MAY_END;
    }
    if (a->kind == SOM_ACTION_VELOCITY || a->kind == SOM_ACTION_WAIT) {
        return SOM_NEVER_ENDS;
    }
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    return is_dock ? SOM_MAY_END : SOM_ENDS; // a joint arrives; what stops it is for the prediction
}

static SomEnding ending_of_repeat(const SomActionGraph *g, const SomGraphNode *n, SomEnding body) {
    if (n->index == 0) {
        return SOM_ENDS;
    }
    bool is_left = n->until != SOM_NONE && som_static_constant(g, n->until) != 0;
    if (body == SOM_NEVER_ENDS || (n->index == SOM_FOREVER && !is_left)) {
        return SOM_NEVER_ENDS;
    }
    return n->index == SOM_FOREVER && !holds_later(g, n->until) ? SOM_MAY_END : body;
}

static SomEnding ending_of(const SomActionGraph *g, const SomEnding *endings, int32_t node) {
    const SomGraphNode *nodes = g->nodes;
    const SomGraphNode *n = &nodes[node];
    SomEnding best = SOM_NEVER_ENDS, worst = SOM_ENDS;
    bool has_else = false;
    for (int32_t child = node + 1; child < n->end; child = nodes[child].end) {
        best = endings[child] < best ? endings[child] : best;
        worst = endings[child] > worst ? endings[child] : worst;
        has_else = has_else || nodes[child].guard == SOM_NONE;
    }
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
    case SOM_NODE_PARALLEL:
        return worst;
    case SOM_NODE_ANY:
        return n->end == node + 1 ? SOM_ENDS : best;
    case SOM_NODE_CHOOSE:
        return worst == SOM_NEVER_ENDS && (best != SOM_NEVER_ENDS || !has_else) ? SOM_MAY_END
                                                                                : worst;
    case SOM_NODE_REPEAT:
        return ending_of_repeat(g, n, endings[node + 1]);
    case SOM_NODE_ACTION:
        return ending_of_action(g, &g->actions[n->index]);
    case SOM_NODE_KINDS:
        break;
    }
    return SOM_ENDS;
}

SomEnding *som_static_endings(const SomActionGraph *graph) {
    SomEnding *endings = som_alloc((size_t)graph->node_count * sizeof *endings);
    for (int32_t i = graph->node_count - 1; i >= 0; i--) {
        endings[i] = ending_of(graph, endings, i);
    }
    return endings;
}
