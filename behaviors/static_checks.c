// SPDX-License-Identifier: Apache-2.0
#include "behaviors/static_checks.h"

#include "base/codes/behaviors_codes.h"
#include "base/number.h"
#include "behaviors/graph_builder.h"
#include "behaviors/static_endings.h"
#include "behaviors/static_reports.h"
#include "compose/posture.h"
#include "compose/words.h"
#include "modules/joint_limit.h"

#include <math.h>

typedef struct Checker {
    const SomStaticDef *def;
    const SomActionGraph *graph;
    SomStaticReports reports;
    SomEnding *ending; // by node
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

// By node: the best ending of the `any`s above it, which end it with them.
static SomEnding *endings_around(const Checker *c) {
    const SomActionGraph *g = c->graph;
    SomEnding *around = som_alloc((size_t)g->node_count * sizeof *around);
    for (int32_t i = 0; i < g->node_count; i++) {
        int32_t parent = g->nodes[i].parent;
        around[i] = parent == SOM_NONE ? SOM_NEVER_ENDS : around[parent];
        if (parent != SOM_NONE && g->nodes[parent].kind == SOM_NODE_ANY &&
            c->ending[parent] < around[i]) {
            around[i] = c->ending[parent];
        }
    }
    return around;
}

static void check_endings(Checker *c) {
    SomEnding *around = endings_around(c);
    for (int32_t i = 0; i < c->graph->node_count; i++) {
        const SomAction *a = action_of(c, i);
        if (a == NULL || c->ending[i] == SOM_ENDS) {
            continue;
        }
        if (c->ending[i] == SOM_NEVER_ENDS && around[i] == SOM_NEVER_ENDS) {
            report(c, SOM_ACTION_NEVER_ENDS, i, "this action", "an action of this behavior",
                   " never ends: it has no 'until', 'during' or 'timeout' that ends it");
        } else if (c->ending[i] == SOM_MAY_END && around[i] != SOM_ENDS) {
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
        int guard =
            nodes[child].guard == SOM_NONE ? 1 : som_static_constant(c->graph, nodes[child].guard);
        if (blocking != SOM_NONE) {
            bool is_series = nodes[node].kind == SOM_NODE_SERIES;
            report_unreachable(c, child, blocking,
                               is_series ? "this never ends"
                                         : "this branch is always taken before");
            return;
        }
        if (nodes[node].kind == SOM_NODE_SERIES) {
            blocking = c->ending[child] == SOM_NEVER_ENDS ? child : SOM_NONE;
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

// Likewise of a relative move: with the set-point it starts from, and which of its runs it is.
static void report_excess(Checker *c, const SomStaticExcess *excess) {
    int32_t node = excess->node;
    const SomAction *a = action_of(c, node);
    const SomServoModel *servo = &c->def->servos[a->target];
    double bound = excess->to > servo->high ? servo->high : servo->low;
    SomText text = {0}, limit = {0}, hint = {0};
    SomAlias alias;
    const char *name = som_graph_joint_name(c->graph, node, &alias);
    if (excess->is_exact) {
        som_text_add(&text, SOM_STR("from "));
        print_value(c, a, som_alias_from_joint(alias, excess->from), &text);
        som_text_add(&text, SOM_STR(" "));
    }
    som_text_add(&text, SOM_STR("to "));
    print_value(c, a, som_alias_from_joint(alias, excess->to), &text);
    som_text_add(&text, excess->is_exact ? SOM_STR("") : SOM_STR(" or farther"));
    if (excess->run > 1) {
        som_text_add(&text, SOM_STR(" in its "));
        som_text_ordinal(&text, excess->run);
        som_text_add(&text, SOM_STR(" run"));
    }
    print_value(c, a, som_alias_from_joint(alias, bound), &limit);
    if (!isnan(excess->nearest)) {
        som_text_add(&hint, SOM_STR("'by "));
        print_value(c, a, alias.sign * excess->nearest, &hint);
        som_text_add(&hint, SOM_STR("' stays within the limits"));
    }
    som_static_report(&c->reports,
                      &(SomStaticReport){.code = SOM_TARGET_BEYOND_LIMIT,
                                         .node = node,
                                         .name = name,
                                         .hint = som_text_str(&hint)},
                      "'%s' is sent %s, its limit is %s", name, text.data, limit.data);
    som_text_free(&text);
    som_text_free(&limit);
    som_text_free(&hint);
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
    if (a->kind == SOM_ACTION_POSITION && !is_within(servo, a->value)) {
        report_target(c, node, a, a->value);
    }
    if (!is_slow_enough(servo, a->kind == SOM_ACTION_VELOCITY ? a->value : a->speed)) {
        report_speed(c, node, a, a->kind == SOM_ACTION_VELOCITY ? a->value : a->speed);
    }
    if (a->kind == SOM_ACTION_FOLLOW) {
        check_keyframes(c, node, a);
    }
}

static void check_relative_moves(Checker *c) {
    SomStaticExcesses excesses = {0};
    som_static_excesses(c->def, &excesses);
    for (int i = 0; i < excesses.found.count; i++) {
        report_excess(c, &excesses.found.data[i]);
    }
    som_array_free(&excesses.found);
}

void som_static_check(const SomStaticDef *def, SomDiagnostics *diags) {
    Checker c = {.def = def, .graph = def->graph, .reports = {.graph = def->graph}};
    c.ending = som_static_endings(def->graph);
    som_static_report_conflicts(def->graph, diags);
    check_endings(&c);
    check_reached(&c);
    for (int32_t i = 0; def->servos != NULL && i < def->graph->node_count; i++) {
        const SomAction *a = action_of(&c, i);
        if (a != NULL && a->kind <= SOM_ACTION_HOLD) {
            check_limits(&c, i, a);
        }
    }
    check_relative_moves(&c);
    som_free(c.ending);
    som_static_reports_end(&c.reports, diags);
}
