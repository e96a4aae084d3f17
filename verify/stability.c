// SPDX-License-Identifier: Apache-2.0

#include "verify/stability_internal.h"

#include <math.h>
#include <string.h>

SomStanding *som_standing_create(const SomMechanism *mechanism, const SomTerrain *terrain,
                                 double tolerance) {
    SomStanding *s = som_alloc(sizeof *s);
    s->m = mechanism;
    s->terrain = terrain != NULL ? *terrain : (SomTerrain){0};
    s->down = terrain != NULL ? som_terrain_down(terrain) : som_vec3(0, 0, -1);
    s->finder = som_contact_finder_create(mechanism, terrain, tolerance);
    s->links = som_alloc(sizeof *s->links * (size_t)(mechanism->link_count + 1));
    s->turned = som_alloc(sizeof *s->turned * (size_t)(mechanism->link_count + 1));
    s->values = som_alloc(sizeof *s->values * (size_t)(mechanism->dof_count + 1));
    s->begin = s->attitude = som_pose_identity();
    s->nothing.drop = (double)NAN;
    return s;
}

void som_standing_destroy(SomStanding *s) {
    if (s != NULL) {
        som_contact_finder_destroy(s->finder);
        som_support_work_free(&s->work);
        som_array_free(&s->points);
        som_array_free(&s->settled);
        som_free(s->links);
        som_free(s->turned);
        som_free(s->values);
        som_free(s);
    }
}

void som_standing_set_stop(SomStanding *s, const SomStop *stop) {
    s->stop = stop;
}

void som_standing_continue(SomStanding *s, const SomPose *begin, double unsteady) {
    s->begin = begin != NULL && !s->m->is_fixed ? *begin : som_pose_identity();
    s->unsteady = unsteady;
}

const SomStop *som_standing_stop(const SomStanding *s) {
    return s->stop;
}

const SomMechanism *som_standing_mechanism(const SomStanding *s) {
    return s->m;
}

static bool stands(double margin) {
    return margin >= -SOM_STANDING_SLACK; // not if it is not known
}

void som_standing_place(SomStanding *s, const double *values) {
    SomPosture posture = {(double *)values, s->m->dof_count}; // only read
    som_mechanism_place(s->m, &posture, s->links);
    for (int i = 0; s->is_turned && i < s->m->link_count; i++) {
        s->links[i] = som_pose_compose(s->attitude, s->links[i]);
    }
}

void som_standing_turn(SomStanding *s, SomPose attitude) {
    s->is_turned = s->is_turned || memcmp(&attitude, &s->attitude, sizeof attitude) != 0;
    s->attitude = attitude;
}

SomStance som_standing_measure_placed(SomStanding *s) {
    const SomContacts *contacts =
        s->m->is_fixed ? &s->nothing : som_contact_finder_find(s->finder, s->links);
    SomStance stance = {.contacts = contacts, .links = s->links};
    stance.com = som_mechanism_com(s->m, s->links);
    som_array_reserve(&s->points, contacts->count);
    for (int i = 0; i < contacts->count; i++) {
        s->points.data[i] = contacts->items[i].point;
    }
    int count = s->m->mass > 0 ? contacts->count : 0;
    stance.support = som_support_find(s->points.data, count, stance.com, s->down, &s->work);
    if (s->m->is_fixed) {
        stance.support.margin = (double)INFINITY;
    }
    stance.stands = stands(stance.support.margin);
    return stance;
}

SomStance som_standing_measure(SomStanding *s, const double *values) {
    som_standing_place(s, values);
    return som_standing_measure_placed(s);
}

double som_standing_margin_centres(SomStanding *s, int sample) {
    SomPosture posture = {(double *)som_standing_values(s, sample), s->m->dof_count}; // only read
    som_mechanism_place(s->m, &posture, s->links);
    return som_support_margin_centres(s->m, s->links, &s->work);
}

// ---- over a motion

int som_standing_next_tick(const SomMotionSamples *motion, int sample) {
    int stride = som_standing_stride(motion), last = motion->count - 1;
    int next = (sample / stride + 1) * stride;
    return sample >= last ? motion->count : next < last ? next : last;
}

int som_standing_tick_count(const SomMotionSamples *motion) {
    int stride = som_standing_stride(motion);
    return motion->count > 0 ? (motion->count - 2 + stride) / stride + 1 : 0;
}

static bool is_tick(const SomMotionSamples *motion, int sample) {
    return sample % som_standing_stride(motion) == 0 || sample == motion->count - 1;
}

static bool is_unsteady(const SomStability *found, int sample) {
    return !stands(found->margins[sample]) || found->leans[sample] > 0;
}

// From a tick on; `end` gets the first tick after it.
static SomUnsteadyRun read_run(const SomStability *found, const SomMotionSamples *motion, int first,
                               int *end) {
    SomUnsteadyRun run = {.first = first, .worst = first, .is_lean = found->leans[first] > 0};
    int k = first;
    for (; k < found->first_blocked && is_unsteady(found, k);
         k = som_standing_next_tick(motion, k)) {
        bool is_worse = run.is_lean ? found->leans[k] > found->leans[run.worst]
                                    : found->margins[k] < found->margins[run.worst];
        run.worst = is_worse ? k : run.worst;
        run.last = k;
    }
    run.margin = found->margins[run.worst];
    run.is_at_end = k >= motion->count;
    *end = k;
    return run;
}

// What is between two ticks makes no run: the verdict is one for any number of samples.
static void find_runs(SomStability *found, const SomMotionSamples *motion, double before,
                      double t_max) {
    double tick = motion->dt * som_standing_stride(motion);
    int capacity = 0, end;
    for (int i = 0; i < found->first_blocked; i = end) {
        if (!is_unsteady(found, i)) {
            end = som_standing_next_tick(motion, i);
            continue;
        }
        SomUnsteadyRun run = read_run(found, motion, i, &end);
        double time = (run.last - run.first) * motion->dt + tick + (i == 0 ? before : 0);
        run.is_fall = time > t_max * (1 + 1e-9); // but for rounding
        if (found->run_count == capacity) {
            capacity = som_array_grow(capacity, found->run_count + 1);
            found->runs = som_realloc(found->runs, (size_t)capacity, sizeof *found->runs);
        }
        found->runs[found->run_count++] = run;
    }
}

static void keep_place(const SomStanding *s, const SomStance *stance, int sample,
                       SomStability *found) {
    double drop = stance->contacts->drop;
    found->heights[sample] = stance->com.z - drop;
    found->places[sample] = s->attitude;
    found->places[sample].position.z -= isnan(drop) ? 0 : drop;
}

SomStability *som_stability_measure(SomStanding *s, const SomMotionSamples *motion, double t_max) {
    SomStability *found = som_alloc(sizeof *found);
    found->margins = som_alloc(sizeof *found->margins * (size_t)(motion->count + 1));
    found->leans = som_alloc(sizeof *found->leans * (size_t)(motion->count + 1));
    found->heights = som_alloc(sizeof *found->heights * (size_t)(motion->count + 1));
    found->places = som_alloc(sizeof *found->places * (size_t)(motion->count + 1));
    found->lowest = -1;
    found->first_blocked = motion->count;
    found->margin_centres = (double)NAN;
    som_standing_follow(s, motion);
    for (int i = 0; i < motion->count && !som_stop_is_asked(s->stop); i++) {
        SomStance stance = som_standing_measure_sample(s, i);
        keep_place(s, &stance, i, found);
        double margin = found->margins[i] = stance.is_blocked ? (double)NAN : stance.support.margin;
        found->leans[i] = stance.is_blocked ? 0 : stance.lean;
        if (!is_tick(motion, i)) {
            continue; // for plots only
        }
        if (stance.is_blocked && i < found->first_blocked) {
            found->first_blocked = i;
        }
        double centres = som_standing_margin_centres(s, i);
        found->margin_centres = fmin(found->margin_centres, centres);
        found->unknown += isnan(margin) && !stance.is_blocked;
        if (!isnan(margin) && (found->lowest < 0 || margin < found->margins[found->lowest])) {
            found->lowest = i;
        }
    }
    find_runs(found, motion, s->unsteady, t_max);
    return found;
}

void som_stability_destroy(SomStability *found) {
    if (found != NULL) {
        som_free(found->margins);
        som_free(found->leans);
        som_free(found->heights);
        som_free(found->places);
        som_free(found->runs);
        som_free(found);
    }
}
