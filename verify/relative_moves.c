// SPDX-License-Identifier: Apache-2.0
// Relative moves beyond limits: every run that was predicted, from the set-point that the player
// moved from, and runs that are certain but come after what was predicted.

#include "base/number.h"
#include "behaviors/static_checks.h"
#include "modules/joint_limit.h"
#include "verify/excess_internal.h"

#include <math.h>
#include <stdlib.h>

static const SomModuleJoint *joint_of(const SomVerifyInput *input, int dof) {
    return som_configuration_joint(input->design, dof);
}

// The relative move of a node whose joint has limits; else NULL.
static const SomAction *limited_move(const SomVerifyInput *input, int32_t node) {
    const SomGraphNode *n = &input->graph->nodes[node];
    const SomAction *a = n->kind == SOM_NODE_ACTION ? &input->graph->actions[n->index] : NULL;
    if (a == NULL || a->kind != SOM_ACTION_RELATIVE) {
        return NULL;
    }
    const SomModuleJoint *joint = joint_of(input, a->target);
    return isfinite(joint->low) || isfinite(joint->high) ? a : NULL;
}

// The runs of a relative move that lead beyond a limit. What is said of one run is about the first.
typedef struct Move {
    SomExcess excess;
    double from, to; // set-points
    double at;       // when it starts; NAN: it was not predicted
    double run;      // which one it is, from 1; 0: not known
    bool is_exact;   // it leads there, not perhaps farther
    double nearest;  // way with which the joint stays within its limits; NAN: not known
} Move;

typedef struct Moves {
    SOM_ARRAY(Move) all; // by node
} Moves;

// ---- what was predicted

typedef struct Event {
    int32_t node;
    int index; // in the prediction
} Event;

typedef struct Events {
    SOM_ARRAY(Event) all;
} Events;

static int compare_events(const void *left, const void *right) {
    const Event *a = left, *b = right;
    int order = (a->node > b->node) - (a->node < b->node);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// The starts and ends of relative moves, those of each node in their order.
static Events collect_events(const SomVerifyInput *input) {
    Events events = {0};
    for (int i = 0; i < input->prediction->events.count; i++) {
        int32_t node = input->prediction->events.data[i].node;
        if (limited_move(input, node) != NULL) {
            som_array_push(&events.all, ((Event){node, i}));
        }
    }
    if (events.all.count > 1) {
        qsort(events.all.data, (size_t)events.all.count, sizeof *events.all.data, compare_events);
    }
    return events;
}

// Whether a set-point was moved out of the limits, not only farther from them.
static bool leaves(const SomModuleJoint *joint, double from, double to) {
    bool was_beyond = som_excess_beyond(joint->low, joint->high, from) > 0;
    return !was_beyond || (from > joint->high) != (to > joint->high);
}

// One run. What is cut off in the tick in which it starts was never sent.
static void look_at_run(const SomVerifyInput *input, const SomPredictionEvent *start,
                        const SomPredictionEvent *end, double run, Move *move) {
    const SomAction *action = limited_move(input, start->node);
    const SomModuleJoint *joint = joint_of(input, action->target);
    double to = start->target, from = to - action->value;
    double by = som_excess_beyond(joint->low, joint->high, to);
    bool is_sent = end == NULL || end->reason != SOM_END_CANCELLED || end->time > start->time;
    bool is_first = !(move->excess.by > 0);
    if (!is_sent || !(by > 0) || !isfinite(by) || (is_first && !leaves(joint, from, to))) {
        return;
    }
    if (is_first) {
        move->from = from;
        move->to = to;
        move->at = start->time;
        move->run = run;
    }
    som_excess_widen(&move->excess, to, som_limit_nearest(joint->low, joint->high, to), by,
                     start->time, end != NULL ? end->time : input->prediction->duration);
}

static void look_at_runs(const SomVerifyInput *input, const Events *events, int first, int last,
                         Moves *moves) {
    const SomPredictionEvent *all = input->prediction->events.data;
    int32_t node = events->all.data[first].node;
    Move move = {.excess = {.index = limited_move(input, node)->target, .action = node},
                 .is_exact = true,
                 .nearest = (double)NAN};
    double run = 0;
    for (int i = first; i < last; i++) {
        const SomPredictionEvent *start = &all[events->all.data[i].index];
        const SomPredictionEvent *next = i + 1 < last ? &all[events->all.data[i + 1].index] : NULL;
        if (!start->is_end) {
            run++;
            look_at_run(input, start, next != NULL && next->is_end ? next : NULL, run, &move);
        }
    }
    if (move.excess.by > 0) {
        som_array_push(&moves->all, move);
    }
}

static void look_at_prediction(const SomVerifyInput *input, Moves *moves) {
    Events events = collect_events(input);
    for (int i = 0, end; i < events.all.count; i = end) {
        end = i + 1;
        while (end < events.all.count && events.all.data[end].node == events.all.data[i].node) {
            end++;
        }
        look_at_runs(input, &events, i, end, moves);
    }
    som_array_free(&events.all);
}

// ---- what is certain anyway

// Among the first so many.
static Move *find_move(const Moves *moves, int count, int32_t node) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (moves->all.data[middle].excess.action < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_found = low < count && moves->all.data[low].excess.action == node;
    return is_found ? &moves->all.data[low] : NULL;
}

static int compare_moves(const void *left, const void *right) {
    const Move *a = left, *b = right;
    return (a->excess.action > b->excess.action) - (a->excess.action < b->excess.action);
}

// Of those that were predicted, another way that fits; those that were not, without a time. What
// only might have been reached is known better if it was.
static void add_certain(const SomVerifyInput *input, Moves *moves) {
    SomStaticDef def = {.graph = input->graph,
                        .servos = input->servos,
                        .initial = input->values,
                        .design = input->design,
                        .tick = SOM_VERIFY_TICK};
    SomStaticExcesses certain = {0};
    som_static_excesses(&def, &certain);
    int predicted = moves->all.count;
    for (int i = 0; i < certain.found.count; i++) {
        const SomStaticExcess *c = &certain.found.data[i];
        Move *move = find_move(moves, predicted, c->node);
        if (move != NULL) {
            move->nearest = c->nearest;
        }
        double begin, end;
        bool is_known = !c->is_exact && som_verify_action_times(input, c->node, &begin, &end);
        if (move != NULL || is_known) {
            continue;
        }
        int dof = limited_move(input, c->node)->target;
        const SomModuleJoint *joint = joint_of(input, dof);
        Move added = {{.index = dof, .action = c->node},
                      c->from,
                      c->to,
                      (double)NAN,
                      c->run,
                      c->is_exact,
                      c->nearest};
        som_excess_widen(&added.excess, c->to, som_limit_nearest(joint->low, joint->high, c->to),
                         som_excess_beyond(joint->low, joint->high, c->to), (double)NAN,
                         (double)NAN);
        som_array_push(&moves->all, added);
    }
    if (moves->all.count > 1) {
        qsort(moves->all.data, (size_t)moves->all.count, sizeof *moves->all.data, compare_moves);
    }
    som_array_free(&certain.found);
}

// ---- in words

static void print_run(const Move *move, SomAlias alias, SomDimensionName dimension, SomText *out) {
    double to = som_alias_from_joint(alias, move->to);
    double limit = som_alias_from_joint(alias, move->excess.limit);
    if (move->is_exact) {
        som_text_add(out, SOM_STR(" from "));
        som_text_exact(out, som_alias_from_joint(alias, move->from), to, dimension);
    }
    som_text_add(out, SOM_STR(" to "));
    som_text_exact(out, to, limit, dimension);
    som_text_add(out, move->is_exact ? SOM_STR("") : SOM_STR(" or farther"));
    if (move->run > 1) {
        som_text_add(out, SOM_STR(" in its "));
        som_text_ordinal(out, move->run);
        som_text_add(out, SOM_STR(" run"));
        if (!isnan(move->at)) {
            som_text_add(out, SOM_STR(", at "));
            som_text_value(out, move->at, SOM_DIMENSION_TIME);
        }
    }
    som_text_add(out, SOM_STR(", "));
    som_text_value(out, fabs(to - limit), dimension);
    som_text_add(out, SOM_STR(" beyond its limit of "));
    som_text_exact(out, limit, to, dimension);
    if (move->excess.value != move->to) {
        som_text_add(out, SOM_STR(", and later to "));
        som_text_exact(out, som_alias_from_joint(alias, move->excess.value), limit, dimension);
    }
}

// The way that fits for all moves of a group; NAN: none is known.
static double nearest_of(const Moves *moves, const SomExcessGroup *group) {
    double nearest = (double)NAN;
    for (int i = 0; i < group->count; i++) {
        int32_t node = group->all[i].excess.action;
        double other = find_move(moves, moves->all.count, node)->nearest;
        nearest = i == 0 || other == nearest ? other : (double)NAN;
    }
    return nearest;
}

// In the name and convention of the action.
static void report(const SomVerifyInput *input, const Moves *moves, const SomExcessGroup *group,
                   SomVerification *out) {
    const Move *worst = find_move(moves, moves->all.count, group->worst.action);
    SomStr *subjects = som_alloc((size_t)group->count * sizeof *subjects);
    SomText name = {0}, run = {0}, others = {0};
    SomAlias alias;
    SomFinding finding = som_excess_finding(input, &group->worst, SOM_CHECK_JOINT_LIMIT);
    finding.subjects = subjects;
    finding.subject_count = som_excess_list_joints(input, group, subjects, &others);
    som_excess_add_name(input, &group->worst, &alias, &name);
    print_run(worst, alias, finding.dimension, &run);
    finding.who = som_verification_quote(out, som_text_str(&name));
    finding.details = som_text_str(&others);
    SomFinding *found = som_verification_add(out, &finding, "sent%s", run.data);
    double nearest = nearest_of(moves, group);
    if (!isnan(nearest)) {
        som_text_clear(&run);
        som_text_exact(&run, alias.sign * nearest, 0, finding.dimension);
        som_finding_set_fix(out, found, "the nearest value is '%s' by %s", name.data, run.data);
    }
    som_text_free(&name);
    som_text_free(&run);
    som_text_free(&others);
    som_free(subjects);
}

void som_check_relative_moves(const SomVerifyInput *input, SomVerification *out) {
    Moves moves = {0};
    SomExcessList list = {0};
    SomExcessGroup group;
    if (input->graph == NULL) {
        return;
    }
    look_at_prediction(input, &moves);
    add_certain(input, &moves);
    for (int i = 0; i < moves.all.count; i++) {
        const SomExcess *excess = &moves.all.data[i].excess;
        som_excess_add(&list, som_graph_user_span(input->graph, excess->action), excess);
    }
    while (som_excess_next(&list, &group)) {
        report(input, &moves, &group, out);
    }
    som_excess_free(&list);
    som_array_free(&moves.all);
}
