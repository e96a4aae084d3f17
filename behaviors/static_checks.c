// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_checks.h"

#include "base/number.h"
#include "behaviors/graph_builder.h"
#include "behaviors/static_reports.h"
#include "compose/posture.h"
#include "compose/words.h"
#include "modules/joint_limit.h"

#include <math.h>

// Whether something ends.
typedef enum Ending { ENDS, MAY_END, NEVER_ENDS } Ending;

typedef struct Checker {
    const SomStaticDef *def;
    const SomActionGraph *graph;
    SomStaticReports reports;
    Ending *ending; // by node
} Checker;

static const SomAction *action_of(const Checker *c, int32_t node) {
    const SomGraphNode *n = &c->graph->nodes[node];
    return n->kind == SOM_NODE_ACTION ? &c->graph->actions[n->index] : NULL;
}

// A report about an action; `inside` is how it begins where the action is in a behavior that is
// run.
static void report(Checker *c, SomCode code, int32_t node, const char *here, const char *inside,
                   const char *problem) {
    SomStaticReport report = {.code = code, .node = node};
    som_static_report(&c->reports, &report, "%s%s",
                      som_static_is_inside(c->graph, node) ? inside : here, problem);
}

// ---- endings

// 1 or 0 for a condition that is just a number, -1 for one that depends on something.
static int constant_of(const SomActionGraph *g, int32_t condition) {
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

static Ending ending_of_action(const SomActionGraph *g, const SomAction *a) {
    if (a->kind == SOM_ACTION_HOLD || is_timed(a)) {
        return ENDS;
    }
    if (a->until != SOM_NONE) {
        int constant = constant_of(g, a->until);
        return constant == 0 ? NEVER_ENDS : holds_later(g, a->until) ? ENDS : MAY_END;
    }
    if (a->kind == SOM_ACTION_VELOCITY || a->kind == SOM_ACTION_WAIT) {
        return NEVER_ENDS;
    }
    bool is_dock = a->kind == SOM_ACTION_CONNECT || a->kind == SOM_ACTION_DISCONNECT;
    return is_dock ? MAY_END : ENDS; // a joint arrives; what stops it is for the prediction
}

static Ending ending_of_repeat(const SomActionGraph *g, const SomGraphNode *n, Ending body) {
    if (n->index == 0) {
        return ENDS;
    }
    bool is_left = n->until != SOM_NONE && constant_of(g, n->until) != 0;
    if (body == NEVER_ENDS || (n->index == SOM_FOREVER && !is_left)) {
        return NEVER_ENDS;
    }
    return n->index == SOM_FOREVER && !holds_later(g, n->until) ? MAY_END : body;
}

static Ending ending_of(const Checker *c, int32_t node) {
    const SomGraphNode *nodes = c->graph->nodes;
    const SomGraphNode *n = &nodes[node];
    Ending best = NEVER_ENDS, worst = ENDS;
    bool has_else = false;
    for (int32_t child = node + 1; child < n->end; child = nodes[child].end) {
        best = c->ending[child] < best ? c->ending[child] : best;
        worst = c->ending[child] > worst ? c->ending[child] : worst;
        has_else = has_else || nodes[child].guard == SOM_NONE;
    }
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
    case SOM_NODE_PARALLEL:
        return worst;
    case SOM_NODE_ANY:
        return n->end == node + 1 ? ENDS : best;
    case SOM_NODE_CHOOSE:
        return worst == NEVER_ENDS && (best != NEVER_ENDS || !has_else) ? MAY_END : worst;
    case SOM_NODE_REPEAT:
        return ending_of_repeat(c->graph, n, c->ending[node + 1]);
    case SOM_NODE_ACTION:
        return ending_of_action(c->graph, &c->graph->actions[n->index]);
    case SOM_NODE_KINDS:
        break;
    }
    return ENDS;
}

// By node: the best ending of the `any`s above it, which end it with them.
static Ending *endings_around(const Checker *c) {
    const SomActionGraph *g = c->graph;
    Ending *around = som_alloc((size_t)g->node_count * sizeof *around);
    for (int32_t i = 0; i < g->node_count; i++) {
        int32_t parent = g->nodes[i].parent;
        around[i] = parent == SOM_NONE ? NEVER_ENDS : around[parent];
        if (parent != SOM_NONE && g->nodes[parent].kind == SOM_NODE_ANY &&
            c->ending[parent] < around[i]) {
            around[i] = c->ending[parent];
        }
    }
    return around;
}

static void check_endings(Checker *c) {
    for (int32_t i = c->graph->node_count - 1; i >= 0; i--) {
        c->ending[i] = ending_of(c, i);
    }
    Ending *around = endings_around(c);
    for (int32_t i = 0; i < c->graph->node_count; i++) {
        const SomAction *a = action_of(c, i);
        if (a == NULL || c->ending[i] == ENDS) {
            continue;
        }
        if (c->ending[i] == NEVER_ENDS && around[i] == NEVER_ENDS) {
            report(c, SOM_ACTION_NEVER_ENDS, i, "this action", "an action of this behavior",
                   " never ends: it has no 'until', 'during' or 'timeout' that ends it");
        } else if (c->ending[i] == MAY_END && around[i] != ENDS) {
            report(c, SOM_ACTION_MAY_NOT_END, i, "this action", "an action of this behavior",
                   " may never end: it has no time-out");
        }
    }
    som_free(around);
}

// ---- what is never played

static void report_unreachable(Checker *c, int32_t node, int32_t cause, const char *why) {
    bool is_inside = som_static_is_inside(c->graph, node);
    SomStaticReport report = {.code = SOM_ACTION_UNREACHABLE,
                              .node = node,
                              .cause = cause,
                              .why =
                                  is_inside && som_static_is_inside(c->graph, cause) ? NULL : why};
    som_static_report(&c->reports, &report, "%s is never played",
                      is_inside ? "a part of this behavior" : "this");
}

// Of a series, what follows a child that never ends; of choose, what follows a branch that is
// always taken, and branches that are never.
static void check_children(Checker *c, int32_t node) {
    const SomGraphNode *nodes = c->graph->nodes;
    int32_t blocking = SOM_NONE;
    for (int32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        int guard = nodes[child].guard == SOM_NONE ? 1 : constant_of(c->graph, nodes[child].guard);
        if (blocking != SOM_NONE) {
            bool is_series = nodes[node].kind == SOM_NODE_SERIES;
            report_unreachable(c, child, blocking,
                               is_series ? "this never ends"
                                         : "this branch is always taken before");
            return;
        }
        if (nodes[node].kind == SOM_NODE_SERIES) {
            blocking = c->ending[child] == NEVER_ENDS ? child : SOM_NONE;
        } else if (guard == 0) {
            report_unreachable(c, child, child, "its condition never holds");
        } else if (guard == 1) {
            blocking = child;
        }
    }
}

static void check_reached(Checker *c) {
    for (int32_t i = 0; i < c->graph->node_count; i++) {
        const SomGraphNode *n = &c->graph->nodes[i];
        if (n->kind == SOM_NODE_SERIES || n->kind == SOM_NODE_CHOOSE) {
            check_children(c, i);
        } else if (n->kind == SOM_NODE_REPEAT && n->index == 0) {
            report_unreachable(c, i + 1, i, "this is repeated zero times");
        }
    }
}

// ---- limits

// With its unit, if the design tells what kind of joint it is.
static void print_value(const Checker *c, const SomAction *a, double value, SomText *out) {
    if (c->def->design == NULL) {
        som_text_rounded(out, value, 6);
    } else {
        som_words_joint_value(out, som_configuration_joint(c->def->design, a->target), value);
    }
}

// In the name and convention that the action is written in.
static void report_target(Checker *c, int32_t node, const SomAction *a, double value) {
    const SomServoModel *servo = &c->def->servos[a->target];
    double bound = value > servo->high ? servo->high : servo->low;
    SomText text = {0}, limit = {0};
    SomAlias alias;
    const char *name = som_graph_joint_name(c->graph, node, &alias);
    print_value(c, a, som_alias_from_joint(alias, value), &text);
    print_value(c, a, som_alias_from_joint(alias, bound), &limit);
    som_static_report(
        &c->reports,
        &(SomStaticReport){.code = SOM_TARGET_BEYOND_LIMIT, .node = node, .name = name},
        "'%s' is sent to %s, its limit is %s", name, text.data, limit.data);
    som_text_free(&text);
    som_text_free(&limit);
}

static void report_speed(Checker *c, int32_t node, const SomAction *a, double speed) {
    SomText text = {0}, limit = {0};
    const char *name = som_graph_joint_name(c->graph, node, NULL);
    print_value(c, a, fabs(speed), &text);
    print_value(c, a, c->def->servos[a->target].most_speed, &limit);
    som_static_report(&c->reports,
                      &(SomStaticReport){.code = SOM_SPEED_ABOVE_LIMIT, .node = node, .name = name},
                      "'%s' is to move at %s/s, its limit is %s/s", name, text.data, limit.data);
    som_text_free(&text);
    som_text_free(&limit);
}

static bool is_within(const SomServoModel *servo, double value) {
    return servo->low >= servo->high ||
           som_limit_fit(servo->low, servo->high, value) != SOM_LIMIT_BEYOND;
}

static bool is_slow_enough(const SomServoModel *servo, double speed) {
    return !(servo->most_speed > 0) ||
           som_limit_fit(0, servo->most_speed, fabs(speed)) != SOM_LIMIT_BEYOND;
}

static void check_keyframes(Checker *c, int32_t node, const SomAction *a) {
    const SomServoModel *servo = &c->def->servos[a->target];
    const SomKeyframe *frames = c->graph->keyframes + a->first_keyframe;
    for (int32_t i = 0; i < a->keyframe_count; i++) {
        if (!is_within(servo, frames[i].value)) {
            report_target(c, node, a, frames[i].value);
            return;
        }
    }
    for (int32_t i = 1; i < a->keyframe_count; i++) {
        double speed =
            (frames[i].value - frames[i - 1].value) / (frames[i].time - frames[i - 1].time);
        if (!is_slow_enough(servo, speed)) {
            report_speed(c, node, a, speed);
            return;
        }
    }
}

static void check_limits(Checker *c, int32_t node, const SomAction *a) {
    const SomServoModel *servo = &c->def->servos[a->target];
    bool has_limits = servo->low < servo->high;
    if (a->kind == SOM_ACTION_POSITION && !is_within(servo, a->value)) {
        report_target(c, node, a, a->value);
    }
    if (a->kind == SOM_ACTION_RELATIVE && has_limits &&
        som_limit_fit(0, servo->high - servo->low, fabs(a->value)) == SOM_LIMIT_BEYOND) {
        // from its other limit it would end here
        report_target(c, node, a, a->value > 0 ? servo->low + a->value : servo->high + a->value);
    }
    if (!is_slow_enough(servo, a->kind == SOM_ACTION_VELOCITY ? a->value : a->speed)) {
        report_speed(c, node, a, a->kind == SOM_ACTION_VELOCITY ? a->value : a->speed);
    }
    if (a->kind == SOM_ACTION_FOLLOW) {
        check_keyframes(c, node, a);
    }
}

void som_static_check(const SomStaticDef *def, SomDiagnostics *diags) {
    Checker c = {.def = def, .graph = def->graph, .reports = {.graph = def->graph}};
    c.ending = som_alloc((size_t)def->graph->node_count * sizeof *c.ending);
    som_static_report_conflicts(def->graph, diags);
    check_endings(&c);
    check_reached(&c);
    for (int32_t i = 0; def->servos != NULL && i < def->graph->node_count; i++) {
        const SomAction *a = action_of(&c, i);
        if (a != NULL && a->kind <= SOM_ACTION_HOLD) {
            check_limits(&c, i, a);
        }
    }
    som_free(c.ending);
    som_static_reports_end(&c.reports, diags);
}
