// SPDX-License-Identifier: Apache-2.0
// Bounds of durations. A walk in the order of the graph keeps, for each DoF, an interval in which
// it is for sure; from it follow the nearest and the farthest way of each action. Then the nodes
// are added up from the leaves.
//
// Where a DoF may come by different ways (the branches of any and choose, the passes of a
// repetition) the interval first grows by all that may happen below that node. Inside any and
// choose, and in the ninth repetition above one another, it then only grows.

#include "behaviors/static_checks.h"

#define MOST_REPEATS 8

typedef struct Interval {
    double low;
    double high;
} Interval;

typedef struct Walk {
    const SomStaticDef *def;
    const SomActionGraph *graph;
    Interval *where;               // by DoF
    SomDuration *durations;        // by node
    int32_t growing_until;         // up to this node, intervals only grow
    int32_t repeats[MOST_REPEATS]; // ends of the repetitions around
    int repeat_count;
} Walk;

static Interval anywhere(const Walk *w, int32_t dof) {
    const SomServoModel *servo = w->def->servos == NULL ? NULL : &w->def->servos[dof];
    if (servo != NULL && servo->low < servo->high) {
        return (Interval){servo->low, servo->high};
    }
    return (Interval){-(double)INFINITY, (double)INFINITY};
}

static void grow(Interval *a, double low, double high) {
    a->low = low < a->low ? low : a->low;
    a->high = high > a->high ? high : a->high;
}

// All the places to which an action may bring its DoF.
static Interval reach_of(const Walk *w, const SomAction *a) {
    Interval reach = {a->value - a->tolerance, a->value + a->tolerance};
    if (a->kind == SOM_ACTION_RELATIVE || a->kind == SOM_ACTION_VELOCITY) {
        return anywhere(w, a->target);
    }
    if (a->kind == SOM_ACTION_FOLLOW) {
        const SomKeyframe *frames = w->graph->keyframes + a->first_keyframe;
        reach = (Interval){frames[0].value, frames[0].value};
        for (int32_t i = 0; i < a->keyframe_count; i++) {
            grow(&reach, frames[i].value - a->tolerance, frames[i].value + a->tolerance);
        }
    }
    if (a->kind == SOM_ACTION_HOLD) {
        reach = w->where[a->target];
    }
    return reach;
}

static bool moves_dof(const SomAction *a) {
    return a->kind <= SOM_ACTION_HOLD;
}

static void grow_below(Walk *w, int32_t node) {
    for (int32_t i = node; i < w->graph->nodes[node].end; i++) {
        if (w->graph->nodes[i].kind == SOM_NODE_ACTION) {
            const SomAction *a = &w->graph->actions[w->graph->nodes[i].index];
            if (moves_dof(a)) {
                Interval reach = reach_of(w, a);
                grow(&w->where[a->target], reach.low, reach.high);
            }
        }
    }
}

static void enter(Walk *w, int32_t node) {
    const SomGraphNode *n = &w->graph->nodes[node];
    while (w->repeat_count > 0 && w->repeats[w->repeat_count - 1] <= node) {
        w->repeat_count--;
    }
    if (node < w->growing_until) {
        return;
    }
    if (n->kind == SOM_NODE_ANY || n->kind == SOM_NODE_CHOOSE ||
        (n->kind == SOM_NODE_REPEAT && w->repeat_count == MOST_REPEATS)) {
        grow_below(w, node);
        w->growing_until = n->end;
    } else if (n->kind == SOM_NODE_REPEAT) {
        grow_below(w, node);
        w->repeats[w->repeat_count++] = n->end;
    }
}

// ---- one action

// An upper bound of the time for a way, from whatever speed.
static double slowest(const Walk *w, const SomAction *a, double way) {
    if (w->def->servos == NULL) {
        return (double)INFINITY;
    }
    SomServoModel servo = w->def->servos[a->target];
    if (servo.kind == SOM_SERVO_LABORATORY) {
        const double law_speed = 0.8 * 2.4086;
        servo.most_acceleration = 0;
        servo.most_speed =
            servo.most_speed > 0 && servo.most_speed < law_speed ? servo.most_speed : law_speed;
        double most = som_servo_duration(&servo, way, a->speed);
        for (double left = 0.3; left > 0.5 * a->tolerance; left *= 0.5) {
            most += 0.1; // more than ln 2 / 7.5 for each half
        }
        return most;
    }
    double top = servo.most_speed, speed_up = servo.most_acceleration;
    if (!(speed_up > 0)) {
        return som_servo_duration(&servo, way, a->speed);
    }
    if (!(top > 0)) {
        return (double)INFINITY; // it may come at any speed
    }
    return som_servo_duration(&servo, way + top * top / speed_up, a->speed) + 2 * top / speed_up;
}

static double fastest(const Walk *w, const SomAction *a, double way) {
    if (w->def->servos == NULL || !(way > 0)) {
        return 0;
    }
    SomServoModel servo = w->def->servos[a->target];
    if (servo.kind == SOM_SERVO_LABORATORY && !(servo.most_speed > 0)) {
        servo.most_speed = 0.8 * 2.4086;
    }
    double most = servo.most_speed;
    if (a->speed > 0 && !(most > 0 && most < a->speed) && !(servo.most_acceleration > 0)) {
        most = a->speed; // with bounded acceleration it may still be faster from before
    }
    return most > 0 ? way / most : 0;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// Until it has arrived, if nothing else ends it.
static SomDuration arrival(const Walk *w, const SomAction *a) {
    Interval where = a->kind <= SOM_ACTION_HOLD ? w->where[a->target] : (Interval){0, 0};
    double width = where.high - where.low;
    if (a->kind == SOM_ACTION_POSITION) {
        double near = larger(0, larger(where.low - a->value, a->value - where.high)) - a->tolerance;
        double far = larger(fabs(where.low - a->value), fabs(where.high - a->value));
        return (SomDuration){fastest(w, a, near), slowest(w, a, far)};
    }
    if (a->kind == SOM_ACTION_RELATIVE) {
        return (SomDuration){0, slowest(w, a, fabs(a->value) + width + 2 * a->tolerance)};
    }
    if (a->kind == SOM_ACTION_FOLLOW) {
        const SomKeyframe *last = &w->graph->keyframes[a->first_keyframe + a->keyframe_count - 1];
        Interval reach = reach_of(w, a);
        grow(&reach, where.low, where.high);
        return (SomDuration){last->time, last->time + slowest(w, a, reach.high - reach.low)};
    }
    bool is_instant = a->kind == SOM_ACTION_HOLD;
    return (SomDuration){0, is_instant ? 0 : (double)INFINITY};
}

static SomDuration duration_of(const Walk *w, const SomAction *a) {
    bool never_arrives = a->kind == SOM_ACTION_VELOCITY || a->kind == SOM_ACTION_WAIT;
    bool has_duration = a->duration < SOM_NO_TIME;
    SomDuration d = {0, (double)INFINITY};
    if (a->kind == SOM_ACTION_HOLD) {
        return (SomDuration){0, 0};
    }
    if (a->until == SOM_NONE && (has_duration || never_arrives)) {
        d.least = (double)INFINITY;
    } else if (a->until == SOM_NONE) {
        d = arrival(w, a);
    }
    double cut = smaller(a->duration, a->timeout);
    d.least = larger(smaller(d.least, cut), w->def->tick);
    d.most = smaller(d.most, cut) + w->def->tick;
    return d;
}

// Where its DoF is when the action has ended.
static void move_dof(Walk *w, int32_t node, const SomAction *a) {
    Interval *where = &w->where[a->target];
    Interval reach = reach_of(w, a);
    double cut = smaller(a->duration, a->timeout);
    bool has_arrived =
        a->kind == SOM_ACTION_POSITION && a->until == SOM_NONE && !(a->duration < SOM_NO_TIME) &&
        (!(cut < SOM_NO_TIME) ||
         slowest(w, a, larger(fabs(where->low - a->value), fabs(where->high - a->value))) +
                 w->def->tick <
             cut);
    if (has_arrived && node >= w->growing_until) {
        *where = reach;
    } else {
        grow(where, reach.low, reach.high);
    }
}

// ---- adding up

static double times(double count, double seconds) {
    return count == 0 || seconds == 0 ? 0 : count * seconds;
}

static SomDuration add_up(const Walk *w, int32_t node) {
    const SomGraphNode *nodes = w->graph->nodes;
    const SomGraphNode *n = &nodes[node];
    bool is_empty = n->end == node + 1, has_else = false;
    SomDuration sum = {0, 0}, max = {0, 0}, min = {(double)INFINITY, (double)INFINITY};
    for (int32_t child = node + 1; child < n->end; child = nodes[child].end) {
        SomDuration d = w->durations[child];
        sum = (SomDuration){sum.least + d.least, sum.most + d.most};
        max = (SomDuration){larger(max.least, d.least), larger(max.most, d.most)};
        min = (SomDuration){smaller(min.least, d.least), smaller(min.most, d.most)};
        has_else = has_else || nodes[child].guard == SOM_NONE;
    }
    switch ((SomNodeKind)n->kind) {
    case SOM_NODE_SERIES:
        return sum;
    case SOM_NODE_PARALLEL:
        return max;
    case SOM_NODE_ANY:
        return is_empty ? sum : min;
    case SOM_NODE_CHOOSE:
        return (SomDuration){has_else ? min.least : 0, max.most};
    case SOM_NODE_REPEAT: {
        bool is_counted = n->index != SOM_FOREVER;
        double passes = is_counted ? n->index : (double)INFINITY;
        return (SomDuration){times(n->until == SOM_NONE ? passes : smaller(1, passes), sum.least),
                             times(passes, sum.most)};
    }
    case SOM_NODE_ACTION:
    case SOM_NODE_KINDS:
        break;
    }
    return sum;
}

SomDuration *som_static_durations(const SomStaticDef *def) {
    const SomActionGraph *g = def->graph;
    Walk w = {.def = def, .graph = g};
    w.durations = som_alloc((size_t)g->node_count * sizeof *w.durations);
    w.where = som_alloc((size_t)(g->symbol_count[SOM_SYMBOL_DOF] + 1) * sizeof *w.where);
    for (int32_t i = 0; i < g->symbol_count[SOM_SYMBOL_DOF]; i++) {
        w.where[i] =
            def->initial != NULL ? (Interval){def->initial[i], def->initial[i]} : anywhere(&w, i);
    }
    for (int32_t i = 0; i < g->node_count; i++) {
        enter(&w, i);
        if (g->nodes[i].kind == SOM_NODE_ACTION) {
            const SomAction *a = &g->actions[g->nodes[i].index];
            w.durations[i] = duration_of(&w, a);
            if (moves_dof(a)) {
                move_dof(&w, i, a);
            }
        }
    }
    for (int32_t i = g->node_count - 1; i >= 0; i--) {
        if (g->nodes[i].kind != SOM_NODE_ACTION) {
            w.durations[i] = add_up(&w, i);
        }
    }
    som_free(w.where);
    return w.durations;
}
