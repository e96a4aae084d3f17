// SPDX-License-Identifier: Apache-2.0

#include "verify/ground_dips.h"

#include <stdlib.h>

#define MOST_LEVELS 40 // of bisection
#define GOLDEN 0.61803398874989484820
#define SECTIONS 40          // of an interval of weights, down to a billionth
#define MOST_MEASURED 500000 // heights, of all links; a walk takes some thousand

// What was measured last: the height of the link's lowest point above the ground.
typedef struct Diver {
    const SomDipDef *def;
    const SomMotionTree *tree;
    SomMotionPath path;
    double resolution;
    double height;
    bool is_measured;
    long left; // heights that may still be measured
    double *values, *weights;
    double *scratch; // values of the path, two of a tick and one for each level
    SomVec3 *axes;
    SomDip dip; // depth 0: none
} Diver;

// How far a part is outside a step, whose top is at `top` and which begins at `at` in the direction
// `side` of x; negative: how far it would have to go up or back. It is the least over its points of
// the larger of both ways, and that, since parts are convex, the most over weights of both ways of
// the least weighted sum: looked for by the golden section. No more than what is true is returned.
static double outside_step(const SomLinkSolid *part, const SomPose *pose, double top, double at,
                           double side, double enough) {
    double low = 0, high = 1, best = -HUGE_VAL;
    double place[2] = {0, 1}, value[2];
    for (int i = 0; i < SECTIONS && best < enough; i++) {
        for (int k = 0; k < 2; k++) {
            double up = place[k], back = 1 - up;
            SomVec3 towards = som_vec3(back * side, 0, -up);
            value[k] = back * side * at - up * top - som_solid_height(part, pose, towards);
            best = fmax(best, value[k]);
        }
        // the first round looks at the ends
        low = i > 0 && value[0] < value[1] ? place[0] : low;
        high = i > 0 && value[0] >= value[1] ? place[1] : high;
        place[0] = high - GOLDEN * (high - low);
        place[1] = low + GOLDEN * (high - low);
    }
    return best;
}

// How far a link is above the ground, or in front of a step.
static double above_ground(const SomDipDef *def, int link, const SomPose *pose) {
    const SomLinkSolid *solid = def->pairs->solids[link];
    double step = def->step;
    double height = -som_solid_height(solid, pose, som_vec3(0, 0, -1)) - def->height;
    if (step == 0) {
        return height;
    }
    double top = def->height + fmax(step, 0), side = step > 0 ? 1 : -1;
    height -= fmin(step, 0);
    for (int i = 0; i < solid->part_count; i++) {
        SomLinkSolid part = {.parts = &solid->parts[i], .part_count = 1};
        height = fmin(height, outside_step(&part, pose, top, def->step_at, side, height));
    }
    return height;
}

static double measure(Diver *d, const double *values, double place) {
    SomPose pose, world;
    const SomVec3 down = {0, 0, -1};
    d->left--;
    som_motion_poses(d->tree, &d->path, values, &pose, &world, d->axes);
    d->height = above_ground(d->def, d->path.link_a, &pose);
    d->is_measured = true;
    memcpy(d->values, values, sizeof *values * (size_t)d->path.count);
    som_motion_weights(d->tree, &d->path, d->axes, down, d->weights);
    for (int i = 0; d->def->step != 0 && i < d->path.count; i++) {
        // on the way to a step any direction between down and along counts
        d->weights[i] = d->path.arms[i];
    }
    double time = som_motion_time(&d->def->motion, place);
    if (d->height < -d->def->tolerance) {
        bool is_new = !(d->dip.depth > 0);
        d->dip.t0 = is_new ? time : fmin(d->dip.t0, time);
        d->dip.t1 = is_new ? time : fmax(d->dip.t1, time);
        if (-d->height > d->dip.depth) {
            d->dip.depth = -d->height;
            d->dip.depth_time = time;
        }
    }
    return d->height;
}

// Lower than this must not be missed: at first any dip, then only deeper ones.
static double need_of(const Diver *d) {
    double depth = d->dip.depth;
    return depth > 0 ? -(depth + som_dip_tolerance(depth)) : -d->def->tolerance;
}

// How low it can be at given values, by what was measured last.
static double bound(const Diver *d, const double *values) {
    return d->height - som_motion_bound(d->weights, d->path.count, d->values, values);
}

static double *scratch_at(Diver *d, int level) {
    return d->scratch + (size_t)level * (size_t)d->path.count;
}

// Between two places of a tick; the first half comes first, so that the first time is found.
static void dive(Diver *d, double from, const double *at_from, double to, const double *at_to,
                 int level) {
    if (d->left <= 0 ||
        (d->is_measured && fmin(bound(d, at_from), bound(d, at_to)) >= need_of(d))) {
        return;
    }
    double middle = from + 0.5 * (to - from);
    double *at_middle = scratch_at(d, level);
    som_motion_values(d->tree, &d->path, middle, at_middle);
    bool was_above = !(d->dip.depth > 0);
    double height = measure(d, at_middle, middle);
    double low = fmin(bound(d, at_from), bound(d, at_to));
    double seconds = som_motion_time(&d->def->motion, to) - som_motion_time(&d->def->motion, from);
    bool is_short = seconds <= d->resolution;
    // what is left may be the first time it goes down, or be deeper
    bool goes_down_here = was_above && height < -d->def->tolerance && !is_short;
    if (level < MOST_LEVELS && (goes_down_here || low < need_of(d)) && middle > from) {
        if (goes_down_here) {
            d->dip.depth = 0; // look for the first time again
        }
        dive(d, from, at_from, middle, at_middle, level + 1);
        if (goes_down_here && !(d->dip.depth > 0)) {
            measure(d, at_middle, middle);
        }
        dive(d, middle, at_middle, to, at_to, level + 1);
    }
}

static void dive_all(Diver *d) {
    int ticks = d->tree->motion->sample_count - 1;
    double *at_from = scratch_at(d, MOST_LEVELS + 1), *at_to = scratch_at(d, MOST_LEVELS + 2);
    som_motion_values(d->tree, &d->path, 0, at_from);
    measure(d, at_from, 0);
    for (int i = 0; i < ticks && d->path.count > 0 && d->left > 0; i++) {
        // what was measured last is mostly a proof for many samples
        int stop = som_motion_first_beyond(d->tree, &d->path, d->weights, d->values,
                                           d->height - need_of(d), i, ticks);
        if (stop > ticks) {
            break;
        }
        i = stop > i ? stop - 1 : i;
        som_motion_values(d->tree, &d->path, i, at_from);
        som_motion_values(d->tree, &d->path, i + 1, at_to);
        dive(d, i, at_from, i + 1, at_to, 0);
    }
    // until when: from the end back, by samples
    for (int i = d->dip.depth > 0 ? ticks : 0;
         i > 0 && som_motion_time(&d->def->motion, i) > d->dip.t1; i--) {
        som_motion_values(d->tree, &d->path, i, at_from);
        if (bound(d, at_from) < -d->def->tolerance && measure(d, at_from, i) < -d->def->tolerance) {
            break;
        }
    }
}

static int by_depth(const void *a, const void *b) {
    const SomDip *x = a, *y = b;
    return x->depth != y->depth ? (x->depth < y->depth) - (x->depth > y->depth) : x->link - y->link;
}

bool som_find_dips(const SomDipDef *def, SomDips *dips) {
    SomMotion motion = def->motion;
    motion.sample_count = som_motion_sane_samples(&motion);
    if (motion.sample_count == 0) {
        return true;
    }
    long left = MOST_MEASURED;
    const SomMechanism *m = def->pairs->mechanism;
    SomMotionTree *tree = som_motion_tree_create(m, def->pairs->solids, &motion);
    size_t most = (size_t)tree->joint_count + 1;
    int *joints = som_alloc(sizeof *joints * most);
    double *memory = som_alloc(sizeof *memory * most * (MOST_LEVELS + 6));
    SomVec3 *axes = som_alloc(sizeof *axes * most);
    for (int i = 0; i < m->link_count; i++) {
        if (def->pairs->solids[i]->part_count == 0 || (def->skips_loose && m->links[i].is_loose)) {
            continue;
        }
        Diver d = {.def = def, .tree = tree, .axes = axes, .left = left};
        d.resolution = def->resolution > 0 ? def->resolution : 5e-4;
        som_motion_path(tree, i, -1, joints, memory, &d.path);
        d.values = memory + most;
        d.weights = memory + 2 * most;
        d.scratch = memory + 3 * most;
        d.dip.link = i;
        dive_all(&d);
        left = d.left;
        if (d.dip.depth > 0) {
            som_array_push(dips, d.dip);
        }
    }
    if (dips->count > 0) {
        qsort(dips->data, (size_t)dips->count, sizeof *dips->data, by_depth);
    }
    som_free(joints);
    som_free(memory);
    som_free(axes);
    som_motion_tree_destroy(tree);
    return left > 0;
}
