// SPDX-License-Identifier: Apache-2.0
// Relative moves that certainly lead beyond a limit.

#include "behaviors/graph_builder.h"
#include "behaviors/static_set_points.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"

#include <math.h>
#include <stdlib.h>

typedef SomStaticRange Range;
typedef SomStaticItem Item;

// A run of an action that leads beyond a limit, or the one that leads farthest.
typedef struct Run {
    int32_t item;
    bool is_high; // beyond the upper limit
    Range from, to;
    double number; // 1 is the first run of the action; infinite: not known
    bool is_certain;
} Run;

// Of a joint: the only statement that leads it beyond a limit, and a value of it that does not.
typedef struct Fit {
    SomSpan statement;
    double value; // NAN: none is known
} Fit;

typedef struct Search {
    SomStaticJoint joint;
    SomStaticExcesses *found;
    SOM_ARRAY(Run) runs; // of the joint, one per action that leads beyond
    double excess;       // the farthest of the joint
    double slope;        // and how that changes with the tried value; NAN: not known
    bool is_complete;    // all runs of all relative moves are known
    Fit *fits;           // by joint
} Search;

// More repetitions above one another: no run is counted.
#define MOST_LOOPS 256

static double outwards(const Search *s, bool is_high, Range range) {
    return is_high ? range.low - s->joint.servo->high : s->joint.servo->low - range.high;
}

static bool is_beyond(const Search *s, bool is_high, Range range) {
    const SomServoModel *servo = s->joint.servo;
    return outwards(s, is_high, range) > 0 &&
           som_limit_fit(servo->low, servo->high, is_high ? range.low : range.high) ==
               SOM_LIMIT_BEYOND;
}

// ---- the first of many runs

static const SomGraphNode *node_of(const Search *s, int32_t item) {
    return &s->joint.graph->nodes[s->joint.items.data[item].node];
}

// The repetitions around an item, from the outermost. Returns how many; -1: too many.
static int loops_around(const Search *s, int32_t item, int32_t *loops) {
    int count = 0;
    for (int32_t i = item; i != SOM_NONE; i = s->joint.items.data[i].parent) {
        if (node_of(s, i)->kind == SOM_NODE_REPEAT) {
            if (count == MOST_LOOPS) {
                return -1;
            }
            loops[count++] = i;
        }
    }
    for (int i = 0; i < count / 2; i++) {
        int32_t swapped = loops[i];
        loops[i] = loops[count - 1 - i];
        loops[count - 1 - i] = swapped;
    }
    return count;
}

// The most passes of at most `most` that can be left out so that the rest still leads beyond.
static double spare_passes(const Search *s, const Run *run, Range growth, double most) {
    double excess = outwards(s, run->is_high, run->to);
    double by = run->is_high ? growth.low : -growth.high;
    double spare = fmin(most, ceil((excess - SOM_LIMIT_TOLERANCE) / by));
    for (int i = 0; i < 3 && spare > 0; i++, spare--) { // but for rounding, one less is enough
        Range back = som_static_range_multiply(growth, -spare);
        if (is_beyond(s, run->is_high, som_static_range_add(run->to, back))) {
            return spare;
        }
    }
    return 0;
}

// What each pass of a repetition adds, outwards.
static double step_of(const Run *run, const Item *loop) {
    return run->is_high ? loop->growth.low : -loop->growth.high;
}

// From the run that leads farthest to the first that leads beyond: repetitions make as few passes
// as that takes, the outermost first.
static void find_first(const Search *s, Run *run, SomStaticPasses choice) {
    int32_t loops[MOST_LOOPS];
    int count = loops_around(s, run->item, loops), fixed = 0;
    for (int i = 0; i < count; i++) { // where a later pass begins anew, passes around do not matter
        const Item *loop = &s->joint.items.data[loops[i]];
        fixed = loop->pass[choice] > 1 && !(step_of(run, loop) > 0) ? i : fixed;
    }
    double number = 0;
    bool is_counted = count >= 0;
    for (int i = 0; i < count; i++) {
        const Item *loop = &s->joint.items.data[loops[i]];
        double pass = i < fixed ? 1 : loop->pass[choice];
        if (pass > 1 && step_of(run, loop) > 0) {
            double spare = spare_passes(s, run, loop->growth, pass - 1);
            Range back = som_static_range_multiply(loop->growth, -spare);
            run->to = som_static_range_add(run->to, back);
            run->from = som_static_range_add(run->from, back);
            pass -= spare;
        }
        const SomGraphNode *n = node_of(s, loops[i]);
        is_counted = is_counted && (number == 0 || n->until == SOM_NONE);
        number = number * fmax(n->index, 1) + pass - 1;
    }
    run->number = is_counted ? number + 1 : (double)INFINITY;
}

// ---- all actions of a joint

static void widen(Search *s, const Run *run) {
    double excess = outwards(s, run->is_high, run->to);
    if (excess > s->excess) {
        s->excess = excess;
        s->slope = run->is_high ? run->to.slope : -run->to.slope;
    }
}

// Whether the run that leads farthest in these passes leads beyond; then the first that does.
static bool leaves(Search *s, Run *run, SomStaticPasses choice) {
    const Item *item = &s->joint.items.data[run->item];
    run->from = run->is_certain ? item->at[choice] : som_static_joint_anywhere(&s->joint);
    run->to = som_static_range_add(run->from, som_static_joint_way(&s->joint, item->node));
    widen(s, run);
    if (!is_beyond(s, run->is_high, run->to)) {
        return false;
    }
    if (run->is_certain) {
        find_first(s, run, choice);
    }
    return true;
}

static void look_at(Search *s, int32_t index) {
    const Item *item = &s->joint.items.data[index];
    bool is_certain =
        !item->is_disturbed && s->joint.reached.certainty[item->node] != SOM_REACHED_PERHAPS;
    Run earliest = {.item = SOM_NONE};
    s->is_complete = s->is_complete && !item->is_disturbed &&
                     s->joint.reached.certainty[item->node] == SOM_REACHED_ALWAYS &&
                     item->at[SOM_PASS_HIGHEST].low == item->at[SOM_PASS_HIGHEST].high;
    for (int i = 0; i < SOM_PASS_CHOICES; i++) { // all of them, for the farthest
        Run run = {.item = index,
                   .number = (double)INFINITY,
                   .is_high = som_static_is_high((SomStaticPasses)i),
                   .is_certain = is_certain};
        if (leaves(s, &run, (SomStaticPasses)i) &&
            (earliest.item == SOM_NONE || run.number < earliest.number)) {
            earliest = run;
        }
    }
    if (earliest.item != SOM_NONE) {
        som_array_push(&s->runs, earliest);
    }
}

static void look_at_all(Search *s) {
    som_static_joint_walk(&s->joint);
    s->runs.count = 0;
    s->excess = -(double)INFINITY;
    s->slope = 0;
    s->is_complete = true;
    for (int i = 0; i < s->joint.items.count; i++) {
        const SomGraphNode *n = node_of(s, i);
        s->is_complete = s->is_complete && !(n->kind == SOM_NODE_REPEAT && n->until != SOM_NONE);
        if (n->kind == SOM_NODE_ACTION &&
            s->joint.graph->actions[n->index].kind == SOM_ACTION_RELATIVE) {
            look_at(s, i);
        }
    }
}

// ---- another value

#define MOST_TRIES 8
#define DISPLAYED 1e-3 // of a degree or millimetre: the last digit of a value that is suggested

// The unit of the joint in which values are shown.
static double unit_of(const Search *s) {
    const SomConfiguration *design = s->joint.def->design;
    if (design == NULL) {
        return 1;
    }
    return som_configuration_joint(design, s->joint.dof)->type == SOM_JOINT_REVOLUTE ? SOM_PI / 180
                                                                                     : 1e-3;
}

// Whether all moves that are written at the place of this one go the same way.
static bool is_one_value(const Search *s, double value) {
    for (int i = 0; i < s->joint.items.count; i++) {
        int32_t node = s->joint.items.data[i].node;
        const SomGraphNode *n = node_of(s, i);
        if (n->kind == SOM_NODE_ACTION && som_static_joint_is_tried(&s->joint, node) &&
            s->joint.graph->actions[n->index].value != value) {
            return false;
        }
    }
    return true;
}

// The nearest value with which no relative move of the joint leads beyond a limit; NAN if none is
// found. The farthest run is linear in the value, so that a few steps lead there.
static double find_nearest(Search *s, int32_t node) {
    SomStaticJoint *j = &s->joint;
    double value = j->graph->actions[j->graph->nodes[node].index].value;
    double unit = unit_of(s) * DISPLAYED;
    j->tried = som_graph_span(j->graph, node);
    j->value = value;
    if (j->tried.source1 == 0 || !is_one_value(s, value)) {
        return (double)NAN;
    }
    j->is_trying = true;
    look_at_all(s);
    for (int i = 0; i < MOST_TRIES && s->runs.count > 0; i++) {
        j->value -= s->excess / s->slope;
        double rounded = j->value / unit;
        bool is_rounding = fabs(rounded - round(rounded)) < 1e-6;
        rounded = is_rounding ? round(rounded) : j->value < value ? floor(rounded) : ceil(rounded);
        j->value = rounded * unit;
        look_at_all(s);
    }
    bool is_found = s->runs.count == 0 && s->is_complete && j->value * value > 0;
    j->is_trying = false;
    return is_found ? j->value : (double)NAN;
}

// ---- what is reported

static bool is_any_target_beyond(const Search *s, const int32_t *actions, int count) {
    const SomActionGraph *g = s->joint.graph;
    const SomServoModel *servo = s->joint.servo;
    for (int i = 0; i < count; i++) {
        const SomAction *a = &g->actions[g->nodes[actions[i]].index];
        int frames = a->kind == SOM_ACTION_FOLLOW ? a->keyframe_count : 0;
        for (int k = 0; k < frames; k++) {
            double value = g->keyframes[a->first_keyframe + k].value;
            if (som_limit_fit(servo->low, servo->high, value) == SOM_LIMIT_BEYOND) {
                return true;
            }
        }
        if (a->kind == SOM_ACTION_POSITION &&
            som_limit_fit(servo->low, servo->high, a->value) == SOM_LIMIT_BEYOND) {
            return true;
        }
    }
    return false;
}

// Keeps the runs that leave the limits; those that begin beyond them only go on. If all do, and no
// other action is to blame, keeps the first.
static void keep_causes(Search *s, const int32_t *actions, int count) {
    int kept = 0, all = s->runs.count;
    for (int i = 0; i < all; i++) {
        const Run run = s->runs.data[i];
        if (!is_beyond(s, run.is_high, run.from)) {
            s->runs.data[kept++] = run;
        }
    }
    bool is_explained = kept > 0 || is_any_target_beyond(s, actions, count);
    s->runs.count = is_explained || all == 0 ? kept : 1;
}

// The excesses of a joint, and of the statement that is the only cause another value that fits.
static void search(Search *s, int32_t dof, const int32_t *actions, int count) {
    som_static_joint_choose(&s->joint, dof, actions, count);
    look_at_all(s);
    keep_causes(s, actions, count);
    int first = s->found->found.count, causes = 0;
    for (int i = 0; i < s->runs.count; i++) {
        const Run *run = &s->runs.data[i];
        SomStaticExcess excess = {.node = s->joint.items.data[run->item].node,
                                  .from = run->is_high ? run->from.low : run->from.high,
                                  .to = run->is_high ? run->to.low : run->to.high,
                                  .is_exact = run->from.low == run->from.high,
                                  .run = isfinite(run->number) ? run->number : 0};
        SomSpan cause = som_graph_span(s->joint.graph, excess.node);
        causes += i == 0 || som_span_compare(cause, s->fits[dof].statement) != 0;
        s->fits[dof].statement = cause;
        som_array_push(&s->found->found, excess);
    }
    s->fits[dof].value =
        causes == 1 ? find_nearest(s, s->found->found.data[first].node) : (double)NAN;
}

// ---- what fits all joints of a statement

typedef struct Move {
    SomSpan statement;
    int32_t dof;
} Move;

static int compare_moves(const void *left, const void *right) {
    return som_span_compare(((const Move *)left)->statement, ((const Move *)right)->statement);
}

// Of a statement that moves several joints: the value that was found for all of them, or none.
static void keep_common(Search *s, const Move *moves, int count) {
    double common = s->fits[moves[0].dof].value;
    for (int i = 0; i < count; i++) {
        const Fit *fit = &s->fits[moves[i].dof];
        bool is_tried = som_span_compare(fit->statement, moves[i].statement) == 0;
        common = is_tried && fit->value == common ? common : (double)NAN;
    }
    for (int i = 0; i < count; i++) {
        Fit *fit = &s->fits[moves[i].dof];
        if (som_span_compare(fit->statement, moves[i].statement) == 0) {
            fit->value = common;
        }
    }
}

static void fill_in_nearest(Search *s, const int32_t *actions, int count) {
    const SomActionGraph *g = s->joint.graph;
    SOM_ARRAY(Move) moves = {0};
    for (int i = 0; i < count; i++) {
        const SomAction *a = &g->actions[g->nodes[actions[i]].index];
        if (a->kind == SOM_ACTION_RELATIVE) {
            som_array_push(&moves, ((Move){som_graph_span(g, actions[i]), a->target}));
        }
    }
    qsort(moves.data, (size_t)moves.count, sizeof *moves.data, compare_moves);
    for (int i = 0, end; i < moves.count; i = end) {
        for (end = i; end < moves.count && compare_moves(&moves.data[i], &moves.data[end]) == 0;) {
            end++;
        }
        keep_common(s, &moves.data[i], end - i);
    }
    for (int i = 0; i < s->found->found.count; i++) {
        SomStaticExcess *excess = &s->found->found.data[i];
        excess->nearest = s->fits[g->actions[g->nodes[excess->node].index].target].value;
    }
    som_array_free(&moves);
}

// ---- all joints

// The joint that an action commands, if it has limits; else SOM_NONE.
static int32_t limited_of(const SomStaticDef *def, int32_t node) {
    const SomGraphNode *n = &def->graph->nodes[node];
    const SomAction *a = n->kind == SOM_NODE_ACTION ? &def->graph->actions[n->index] : NULL;
    bool is_limited = a != NULL && a->kind <= SOM_ACTION_HOLD &&
                      def->servos[a->target].low < def->servos[a->target].high;
    return is_limited ? a->target : SOM_NONE;
}

static bool is_limited_move(const SomStaticDef *def, int32_t node) {
    return limited_of(def, node) != SOM_NONE &&
           def->graph->actions[def->graph->nodes[node].index].kind == SOM_ACTION_RELATIVE;
}

static bool has_limited_moves(const SomStaticDef *def) {
    bool has = false;
    for (int32_t i = 0; def->servos != NULL && i < def->graph->node_count && !has; i++) {
        has = is_limited_move(def, i);
    }
    return has;
}

// Of joints that are moved by values, all actions: by joint, in the order of the graph. The actions
// of a joint begin at its number in `begin` and end at the next one.
static int32_t *sort_actions(const SomStaticDef *def, int *begin) {
    const SomActionGraph *g = def->graph;
    int32_t dofs = g->symbol_count[SOM_SYMBOL_DOF];
    bool *is_moved = som_alloc(((size_t)dofs + 1) * sizeof *is_moved);
    int32_t *actions = som_alloc((size_t)g->node_count * sizeof *actions);
    for (int32_t i = 0; i < g->node_count; i++) {
        if (is_limited_move(def, i)) {
            is_moved[limited_of(def, i)] = true;
        }
    }
    for (int32_t i = 0; i < g->node_count; i++) {
        int32_t dof = limited_of(def, i);
        if (dof != SOM_NONE && is_moved[dof]) {
            begin[dof + 2]++;
        }
    }
    for (int32_t i = 0; i < dofs; i++) {
        begin[i + 2] += begin[i + 1];
    }
    for (int32_t i = 0; i < g->node_count; i++) {
        int32_t dof = limited_of(def, i);
        if (dof != SOM_NONE && is_moved[dof]) {
            actions[begin[dof + 1]++] = i;
        }
    }
    som_free(is_moved);
    return actions;
}

void som_static_excesses(const SomStaticDef *def, SomStaticExcesses *excesses) {
    int32_t dofs = def->graph->symbol_count[SOM_SYMBOL_DOF];
    if (!has_limited_moves(def)) {
        return;
    }
    int *begin = som_alloc(((size_t)dofs + 2) * sizeof *begin);
    int32_t *actions = sort_actions(def, begin);
    Search s = {.joint = som_static_joint_create(def), .found = excesses};
    s.fits = som_alloc((size_t)dofs * sizeof *s.fits);
    for (int32_t dof = 0; dof < dofs; dof++) {
        search(&s, dof, actions + begin[dof], begin[dof + 1] - begin[dof]);
    }
    fill_in_nearest(&s, actions, begin[dofs]);
    som_static_joint_free(&s.joint);
    som_array_free(&s.runs);
    som_free(s.fits);
    som_free(begin);
    som_free(actions);
}
