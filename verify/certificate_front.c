// SPDX-License-Identifier: Apache-2.0

#include "verify/certificate_internal.h"

#include <stdlib.h>

typedef struct Front {
    SomCertifier *q;
    const SomPairs *pairs;
    const SomMechanism *m;
    SOM_ARRAY(int) near; // tracks of neighbours
    SomPose *places;
    double *steps;  // from the sample before to this one, and on to the next
    double *values; // of a sample
    struct Box *boxes;
    int box_count;
} Front;

// What a link can reach within half a tick of a sample.
typedef struct Box {
    int link;
    SomVec3 center;
    double radius;
    double low; // along the axis of the sweep
} Box;

// ---- neighbours

static bool is_first_of_module(const SomPairs *p, int module, const SomPairNeighbor *neighbor) {
    const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[module]];
    while (n->module != neighbor->module) {
        n++;
    }
    return n == neighbor;
}

static void add_near_links(Front *f, int module_a, int module_b) {
    const int *first = f->m->first_link;
    for (int a = first[module_a]; a < first[module_a + 1]; a++) {
        for (int b = module_a == module_b ? a + 1 : first[module_b]; b < first[module_b + 1]; b++) {
            double allowed;
            if (som_pair_is_tested(som_pairs_rule(f->pairs, a, b, &allowed))) {
                SomTrack *track = som_certifier_track(f->q, a, b, allowed, true);
                som_array_push(&f->near, (int)(track - f->q->tracks.data));
            }
        }
    }
}

static void add_neighbors(Front *f) {
    const SomPairs *p = f->pairs;
    for (int i = 0; i < f->m->configuration->module_count; i++) {
        for (const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[i]]; n->module >= 0; n++) {
            if (n->module >= i && is_first_of_module(p, i, n)) {
                add_near_links(f, i, n->module);
            }
        }
    }
}

// ---- the others, by a sweep

static int by_low(const void *a, const void *b) {
    const Box *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : x->link - y->link;
}

static void place_boxes(Front *f, int sample, const double *before, const double *after) {
    const SomMotion *motion = &f->q->def.motion;
    memcpy(f->values, motion->values + (size_t)sample * (size_t)motion->dof_count,
           sizeof *f->values * (size_t)motion->dof_count);
    som_mechanism_place(f->m, &(SomPosture){f->values, motion->dof_count}, f->places);
    double margin = 0.5 * fmax(0, som_certifier_level(f->q));
    for (int i = 0; i < f->box_count; i++) {
        Box *box = &f->boxes[i];
        SomBall ball = som_solid_ball(f->pairs->solids[box->link], &f->places[box->link]);
        double step = fmax(before[box->link], after[box->link]);
        box->center = ball.center;
        box->radius = ball.radius * (1 + 1e-12) + 0.5 * step + margin;
        box->low = ball.center.x - box->radius;
    }
    if (sample == 0) {
        qsort(f->boxes, (size_t)f->box_count, sizeof *f->boxes, by_low);
    }
    // they were in order at the sample before
    for (int i = 1; i < f->box_count; i++) {
        Box box = f->boxes[i];
        int k = i;
        for (; k > 0 && f->boxes[k - 1].low > box.low; k--) {
            f->boxes[k] = f->boxes[k - 1];
        }
        f->boxes[k] = box;
    }
}

static void look_at_sample(Front *f, SomTrack *track, int sample) {
    int last = f->q->def.motion.sample_count - 1;
    bool is_at_rest = track->path.count == 0; // one look is for all times
    som_certifier_look(f->q, track, is_at_rest ? 0 : fmax(sample - 0.5, 0),
                       is_at_rest ? last : fmin(sample + 0.5, last));
}

static void meet(Front *f, int sample, const Box *a, const Box *b) {
    SomVec3 between = som_vec3_sub(b->center, a->center);
    double reach = a->radius + b->radius;
    if (som_vec3_dot(between, between) > reach * reach) {
        return;
    }
    int link_a = a->link < b->link ? a->link : b->link;
    int link_b = a->link < b->link ? b->link : a->link;
    const SomMotionLink *links = f->q->tree->links;
    bool is_rigid = links[link_a].joint == links[link_b].joint;
    if ((is_rigid && sample > 0) || som_pairs_are_near(f->pairs, link_a, link_b)) {
        return;
    }
    double allowed;
    if (som_pair_is_tested(som_pairs_rule(f->pairs, link_a, link_b, &allowed))) {
        look_at_sample(f, som_certifier_track(f->q, link_a, link_b, allowed, false), sample);
    }
}

static void sweep(Front *f, int sample) {
    for (int i = 0; i < f->box_count; i++) {
        double high = f->boxes[i].center.x + f->boxes[i].radius;
        for (int k = i + 1; k < f->box_count && f->boxes[k].low <= high; k++) {
            meet(f, sample, &f->boxes[i], &f->boxes[k]);
        }
    }
}

// ---- all

void som_certifier_run_front(SomCertifier *q) {
    Front f = {.q = q, .pairs = q->def.pairs, .m = q->def.pairs->mechanism};
    size_t links = (size_t)f.m->link_count;
    int samples = q->def.motion.sample_count;
    f.places = som_alloc(sizeof *f.places * links);
    f.steps = som_alloc(sizeof *f.steps * 2 * links);
    f.values = som_alloc(sizeof *f.values * (size_t)(f.m->dof_count + 1));
    f.boxes = som_alloc(sizeof *f.boxes * links);
    for (int i = 0; i < f.m->link_count; i++) {
        if (f.pairs->solids[i]->part_count > 0) {
            f.boxes[f.box_count++].link = i;
        }
    }
    add_neighbors(&f);
    for (int i = 0; i < f.near.count; i++) {
        som_certifier_look(q, &q->tracks.data[f.near.data[i]], 0, samples - 1);
    }
    for (int i = 0; i < samples; i++) {
        double *before = f.steps + (size_t)(i % 2) * links;
        double *after = f.steps + (size_t)((i + 1) % 2) * links;
        if (i + 1 < samples) {
            som_motion_steps(q->tree, i, after);
        }
        place_boxes(&f, i, before, i + 1 < samples ? after : before);
        sweep(&f, i);
    }
    som_array_free(&f.near);
    som_free(f.places);
    som_free(f.steps);
    som_free(f.values);
    som_free(f.boxes);
}
