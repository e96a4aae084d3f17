// SPDX-License-Identifier: Apache-2.0
// The smallest change of one joint that makes a robot stand.

#include "base/memory.h"
#include "modules/joint_limit.h"
#include "space/trigonometry.h"
#include "verify/loop_loads_internal.h"
#include "verify/stability.h"

#include <math.h>
#include <string.h>

#define UNIT_ANGLE (SOM_PI / 180)
#define UNIT_LENGTH 1e-3
#define MOST_PLACED 1e6 // links, while looking for a first change that does: some 100 ms
#define RUN_SAMPLES 12  // of a run that are looked at

// Units by which a DoF is changed, tried with all DoF before the next.
static const int sizes[] = {2, 4, 8, 16, 32, 60, 90};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct Search {
    SomStanding *standing;
    const SomMechanism *m;
    const SomMotionSamples *motion;
    const SomUnsteadyRun *run;
    bool *is_in_loop; // of each DoF
    double *values;   // a posture to try
} Search;

static double unit_of(const Search *q, int dof) {
    return q->m->joints[dof].joint->type == SOM_JOINT_PRISMATIC ? UNIT_LENGTH : UNIT_ANGLE;
}

// The margin of a sample with one DoF changed as far as in the worst sample, but no farther than
// needed: a joint that goes too far is stopped earlier. Below any if a limit is in the way.
static double margin_with(Search *q, int sample, int dof, double change) {
    const SomModuleJoint *joint = q->m->joints[dof].joint;
    size_t count = (size_t)q->m->dof_count;
    double bound = q->motion->values[(size_t)q->run->worst * count + (size_t)dof] + change;
    memcpy(q->values, q->motion->values + (size_t)sample * count, count * sizeof *q->values);
    double value = change < 0 ? fmin(q->values[dof], bound) : fmax(q->values[dof], bound);
    q->values[dof] = value;
    if (som_limit_fit(joint->low, joint->high, value) == SOM_LIMIT_BEYOND) {
        return -(double)INFINITY;
    }
    double margin = som_standing_measure(q->standing, q->values).support.margin;
    return isnan(margin) ? -(double)INFINITY : margin;
}

// The smallest margin of some samples of the run, the ends among them.
static double margin_of_run(Search *q, int dof, double change) {
    int length = q->run->last - q->run->first, parts = RUN_SAMPLES - 1;
    double least = (double)INFINITY;
    for (int i = 0; i <= parts && least >= 0; i++) {
        int sample = q->run->first + (int)((int64_t)length * i / parts);
        least = fmin(least, margin_with(q, sample, dof, change));
    }
    return least;
}

// From a change that does down to the smallest one, unit by unit.
static SomRepair shrink(Search *q, int dof, int units) {
    SomRepair repair = {.dof = -1};
    int step = units < 0 ? 1 : -1;
    for (int n = units; n != 0; n += step) {
        double change = n * unit_of(q, dof);
        if (margin_with(q, q->run->worst, dof, change) < 0) {
            break;
        }
        double margin = margin_of_run(q, dof, change);
        if (margin < 0) {
            break;
        }
        double bound =
            q->motion->values[(size_t)q->run->worst * (size_t)q->m->dof_count + (size_t)dof];
        repair = (SomRepair){dof, change, bound + change, margin};
    }
    return repair;
}

static SomRepair try_size(Search *q, int size) {
    SomRepair best = {.dof = -1};
    double least = (double)INFINITY; // units
    const SomStop *stop = som_standing_stop(q->standing);
    for (int dof = 0; dof < q->m->dof_count && !som_stop_is_asked(stop); dof++) {
        for (int sign = 1; sign >= -1 && !q->is_in_loop[dof]; sign -= 2) {
            double change = sign * size * unit_of(q, dof);
            if (margin_with(q, q->run->worst, dof, change) < 0) {
                continue;
            }
            SomRepair repair = shrink(q, dof, sign * size);
            double units = fabs(repair.change) / unit_of(q, dof);
            if (repair.dof >= 0 && units < least - 0.5) {
                best = repair;
                least = units;
            }
        }
    }
    return best;
}

SomRepair som_stability_repair(SomStanding *standing, const SomMotionSamples *motion,
                               const SomUnsteadyRun *run) {
    const SomMechanism *m = som_standing_mechanism(standing);
    SomRepair repair = {.dof = -1};
    double work = 2.0 * m->dof_count * m->link_count * SIZES;
    if (isnan(run->margin) || work > MOST_PLACED) {
        return repair;
    }
    Search q = {standing, m, motion, run, NULL, NULL};
    q.is_in_loop = som_alloc((size_t)m->dof_count + 1);
    q.values = som_alloc(sizeof *q.values * ((size_t)m->dof_count + 1));
    som_loop_loads_mark(m, q.is_in_loop);
    for (int i = 0; i < SIZES && repair.dof < 0; i++) {
        repair = try_size(&q, sizes[i]);
    }
    som_free(q.is_in_loop);
    som_free(q.values);
    return repair;
}
