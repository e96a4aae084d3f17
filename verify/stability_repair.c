// SPDX-License-Identifier: Apache-2.0
// The smallest change of one joint that makes a robot stand: of one that is commanded, a bound that
// its targets keep; of another one, its value from the start on.

#include "base/memory.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"
#include "verify/loop_loads_internal.h"
#include "verify/repairs_internal.h"
#include "verify/standing_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_ANGLE (SOM_PI / 180)
#define UNIT_LENGTH 1e-3
#define MOST_PLACED 1e6 // links, while looking for changes for one fall: less than a second
#define RUN_SAMPLES 12  // of a run that are looked at before all are
#define STEPS_WORK 4    // contacts on steps take so much longer
#define SHORTLY 50      // ticks before a fall: what moves then is tried before what moves earlier
#define QUARTERS 4
#define MOST_FOLLOWED 4 // changes of one size with which the motion is followed
#define SPARE 2         // units

// Units by which a DoF is changed, tried with all DoF before the next.
static const int sizes[] = {2, 4, 8, 16, 32, 60, 90};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef enum Kind {
    KIND_LEFT,      // in a closed loop, or commanded otherwise than by targets
    KIND_COMMANDED, // by targets
    KIND_RESTS,     // never commanded
} Kind;

typedef struct Change {
    int dof;
    bool is_up;
    int units;   // of the bound, as a whole number of them; of a joint at rest, of the change
    double size; // units by which it changes the motion
} Change;

typedef struct Search {
    SomRepairs *repairs;
    const SomFall *fall;
    SomStanding *before;   // followed through the motion as it is
    SomStanding *standing; // to try
    const SomMechanism *m;
    const SomMotionSamples *motion;
    Kind *kinds;     // of each DoF
    double *posture; // to try
    double *values;  // the motion, to try with a change
    Change *found;
    int found_count;
    double work; // links that may still be placed
} Search;

static double unit_of(const Search *q, int dof) {
    return q->m->joints[dof].joint->type == SOM_JOINT_PRISMATIC ? UNIT_LENGTH : UNIT_ANGLE;
}

static double value_at(const Search *q, int sample, int dof) {
    return q->motion->values[(size_t)sample * (size_t)q->m->dof_count + (size_t)dof];
}

static SomRepair repair_of(const Search *q, const Change *c) {
    double unit = unit_of(q, c->dof);
    SomRepair repair = {.dof = c->dof, .is_up = c->is_up, .bound = c->units * unit};
    if (q->kinds[c->dof] == KIND_RESTS) {
        repair.change = c->units * unit;
        repair.bound = value_at(q, 0, c->dof) + repair.change;
    }
    return repair;
}

static bool is_within_limits(const Search *q, const SomRepair *repair) {
    const SomModuleJoint *joint = q->m->joints[repair->dof].joint;
    return som_limit_fit(joint->low, joint->high, repair->bound) != SOM_LIMIT_BEYOND;
}

// ---- the whole motion

// The first sample that the change changes; the count if none does.
static int first_changed(const Search *q, const SomRepair *repair) {
    for (int i = 0; i < q->motion->count; i++) {
        double value = value_at(q, i, repair->dof);
        if (repair->is_up ? value < repair->bound : value > repair->bound) {
            return i;
        }
    }
    return q->motion->count;
}

// Whether it stands, followed through the motion with the change.
static bool holds(Search *q, const Change *c) {
    SomRepair repair = repair_of(q, c);
    int dofs = q->m->dof_count, count = q->motion->count, first = first_changed(q, &repair);
    q->work -= (double)(count - first) * q->m->link_count;
    if (first == count || !(q->work > 0) || !is_within_limits(q, &repair)) {
        return false;
    }
    for (int i = first; i < count; i++) {
        double value = value_at(q, i, c->dof);
        q->values[(size_t)i * (size_t)dofs + (size_t)c->dof] =
            c->is_up ? fmax(value, repair.bound) : fmin(value, repair.bound);
    }
    SomMotionSamples changed = *q->motion;
    changed.values = q->values;
    som_standing_resume(q->standing, &changed, q->before, first);
    bool does_hold = som_repair_holds(q->standing, &changed, q->fall, first);
    for (int i = first; i < count; i++) {
        q->values[(size_t)i * (size_t)dofs + (size_t)c->dof] = value_at(q, i, c->dof);
    }
    return does_hold;
}

// Played again, it may move a little otherwise: if that is not proved, with a little to spare.
static bool prove(Search *q, Change c, SomRepair *repair) {
    for (int spare = 0; spare <= SPARE; spare += SPARE) {
        Change more = c;
        more.units += c.is_up ? spare : -spare;
        *repair = repair_of(q, &more);
        if (holds(q, &more) && som_repairs_prove(q->repairs, q->fall->finding, repair)) {
            return true;
        }
    }
    return false;
}

static int compare_changes(const void *a, const void *b) {
    const Change *p = a, *q = b;
    return p->size != q->size ? (p->size > q->size) - (p->size < q->size) : p->dof - q->dof;
}

static bool prove_smallest(Search *q, SomRepair *repair) {
    qsort(q->found, (size_t)q->found_count, sizeof *q->found, compare_changes);
    for (int i = 0; i < q->found_count; i++) {
        if (prove(q, q->found[i], repair)) {
            return true;
        }
    }
    return false;
}

// ---- joints that are commanded

// How far the joint goes from a sample to another one.
static double extreme_of(const Search *q, int dof, bool is_up, int first, int last) {
    double far = value_at(q, first, dof);
    for (int i = first + 1; i <= last; i++) {
        far = is_up ? fmin(far, value_at(q, i, dof)) : fmax(far, value_at(q, i, dof));
    }
    return far;
}

// How far the joint may go, of quarters of its way from where it has been up to a sample, and then
// to a unit.
static void find_bound(Search *q, int dof, bool is_up, int kept) {
    double unit = unit_of(q, dof), start = extreme_of(q, dof, is_up, 0, kept);
    double far = extreme_of(q, dof, is_up, 0, q->fall->run->last);
    int best = (int)(is_up ? floor(start / unit + 1e-6) : ceil(start / unit - 1e-6));
    int bad = (int)(is_up ? floor(far / unit + 1e-6) : ceil(far / unit - 1e-6));
    int way = best - bad;
    Change c = {dof, is_up, bad, 0};
    bool does_hold = false;
    for (int k = 1; k <= QUARTERS && way != 0 && !does_hold; k++) {
        bad = c.units;
        c.units = best - way * (QUARTERS - k) / QUARTERS;
        does_hold = holds(q, &c);
    }
    if (!does_hold) {
        return;
    }
    for (best = c.units; abs(bad - best) > 1;) {
        c.units = best + (bad - best) / 2;
        *(holds(q, &c) ? &best : &bad) = c.units;
    }
    c.units = best;
    c.size = fabs(far / unit - best);
    q->found[q->found_count++] = c;
}

// Leaving the motion up to a sample as it is.
static bool repair_commanded(Search *q, int kept, SomRepair *repair) {
    const SomStop *stop = q->repairs->def->stop;
    q->found_count = 0;
    for (int dof = 0; dof < q->m->dof_count && !som_stop_is_asked(stop); dof++) {
        if (q->kinds[dof] == KIND_COMMANDED) {
            find_bound(q, dof, false, kept);
            find_bound(q, dof, true, kept);
        }
    }
    return prove_smallest(q, repair);
}

// ---- joints at rest

// The margin of a sample, turned as before the run, with a change.
static double margin_with(Search *q, int sample, const Change *c) {
    size_t count = (size_t)q->m->dof_count;
    SomRepair repair = repair_of(q, c);
    if (!is_within_limits(q, &repair)) {
        return -(double)INFINITY;
    }
    memcpy(q->posture, q->motion->values + (size_t)sample * count, count * sizeof *q->posture);
    q->posture[c->dof] += repair.change;
    q->work -= q->m->link_count;
    double margin = som_standing_measure(q->standing, q->posture).support.margin;
    return isnan(margin) ? -(double)INFINITY : margin;
}

// Of the worst sample and some more of the run, the ends among them.
static bool may_hold(Search *q, const Change *c) {
    const SomUnsteadyRun *run = q->fall->run;
    int length = run->last - run->first, parts = RUN_SAMPLES - 1;
    bool does_hold = margin_with(q, run->worst, c) >= 0;
    for (int i = 0; i <= parts && length > 0 && does_hold; i++) {
        int sample = run->first + (int)((int64_t)length * i / parts);
        does_hold = margin_with(q, sample, c) >= 0;
    }
    return does_hold;
}

// From a change that may hold down to the smallest one, unit by unit.
static void collect(Search *q, int dof, int units) {
    Change c = {dof, units > 0, units, abs(units)};
    int step = units < 0 ? 1 : -1;
    while (c.units != 0 && q->work > 0 && may_hold(q, &c)) {
        c.units += step;
    }
    if (c.units != units) {
        c.units -= step;
        c.size = abs(c.units);
        q->found[q->found_count++] = c;
    }
}

static void turn_as_before(Search *q) {
    int first = q->fall->run->first;
    som_standing_resume(q->standing, q->motion, q->before, first + 1);
    som_standing_measure_sample(q->standing, first > 0 ? first - 1 : 0);
}

// The smallest of those that were collected with which the motion holds.
static bool repair_with_size(Search *q, SomRepair *repair) {
    qsort(q->found, (size_t)q->found_count, sizeof *q->found, compare_changes);
    int kept = 0;
    for (int i = 0; i < q->found_count && i < MOST_FOLLOWED; i++) {
        Change c = q->found[i];
        if (holds(q, &c)) {
            q->found[kept++] = c;
        }
    }
    q->found_count = kept;
    return prove_smallest(q, repair);
}

static bool repair_at_rest(Search *q, SomRepair *repair) {
    const SomStop *stop = q->repairs->def->stop;
    bool is_found = false;
    for (int i = 0; i < SIZES && !is_found && !som_stop_is_asked(stop) && q->work > 0; i++) {
        turn_as_before(q);
        q->found_count = 0;
        for (int dof = 0; dof < q->m->dof_count && !som_stop_is_asked(stop); dof++) {
            if (q->kinds[dof] == KIND_RESTS) {
                collect(q, dof, sizes[i]);
                collect(q, dof, -sizes[i]);
            }
        }
        is_found = repair_with_size(q, repair);
    }
    return is_found;
}

// ---- all of them

static void find_kinds(Search *q) {
    const SomActionGraph *graph = q->fall->input->graph;
    bool *is_in_loop = som_alloc((size_t)q->m->dof_count + 1);
    som_loop_loads_mark(q->m, is_in_loop);
    for (int dof = 0; dof < q->m->dof_count; dof++) {
        q->kinds[dof] = is_in_loop[dof] ? KIND_LEFT : KIND_RESTS;
    }
    for (int i = 0; graph != NULL && i < graph->action_count; i++) {
        const SomAction *action = &graph->actions[i];
        bool has_target = action->kind == SOM_ACTION_POSITION || action->kind == SOM_ACTION_FOLLOW;
        if (action->kind <= SOM_ACTION_FOLLOW && q->kinds[action->target] != KIND_LEFT) {
            q->kinds[action->target] = has_target ? KIND_COMMANDED : KIND_LEFT;
        } else if (action->kind == SOM_ACTION_HOLD && q->kinds[action->target] == KIND_RESTS) {
            q->kinds[action->target] = KIND_COMMANDED;
        }
    }
    som_free(is_in_loop);
}

bool som_repair_joints(SomRepairs *repairs, const SomFall *fall, SomRepair *repair) {
    const SomMechanism *m = fall->input->mechanism;
    size_t count = (size_t)m->dof_count, size = count * (size_t)fall->motion->count;
    Search q = {.repairs = repairs,
                .fall = fall,
                .before = som_verify_stand(fall->input),
                .standing = som_verify_stand(fall->input),
                .m = m,
                .motion = fall->motion,
                .work = MOST_PLACED / (fall->input->options.step != 0 ? STEPS_WORK : 1)};
    q.kinds = som_alloc((count + 1) * sizeof *q.kinds);
    q.posture = som_alloc((count + 1) * sizeof *q.posture);
    q.values = som_alloc((size + 1) * sizeof *q.values);
    q.found = som_alloc((2 * count + 1) * sizeof *q.found);
    memcpy(q.values, fall->motion->values, size * sizeof *q.values);
    find_kinds(&q);
    som_standing_follow(q.before, fall->motion);
    som_standing_measure_sample(q.before, fall->motion->count - 1);
    bool is_motion = fall->input->graph != NULL;
    int kept = fall->run->first - SHORTLY * som_standing_stride(fall->motion);
    bool is_found = (is_motion && kept > 0 && repair_commanded(&q, kept, repair)) ||
                    (is_motion && repair_commanded(&q, 0, repair)) || repair_at_rest(&q, repair);
    som_free(q.kinds);
    som_free(q.posture);
    som_free(q.values);
    som_free(q.found);
    som_standing_destroy(q.before);
    som_standing_destroy(q.standing);
    return is_found;
}
