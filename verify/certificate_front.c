// SPDX-License-Identifier: Apache-2.0
// Which pairs are looked at, and when. Neighbours, links of one module or of connected ones, are
// near each other all the time and few: they are followed through the whole motion. Of all others
// the kernel of verify/batch.h tells those that it cannot part at a sample even if both links move
// on for half a tick, so that the samples together leave no time out.

#include "verify/batch.h"
#include "verify/certificate_internal.h"

typedef struct Front {
    SomCertifier *q;
    const SomMechanism *m;
    SomPairs pairs; // without neighbours
    SomBatch *batch;
    double *values; // of a batch
    double *steps;  // of links, from one sample to the next
    double *slack;
} Front;

// ---- neighbours

static bool is_first_of_module(const SomPairs *p, int module, const SomPairNeighbor *neighbor) {
    const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[module]];
    while (n->module != neighbor->module) {
        n++;
    }
    return n == neighbor;
}

static void look_at_modules(SomCertifier *q, int module_a, int module_b) {
    const SomPairs *pairs = q->def.pairs;
    const int *first = pairs->mechanism->first_link;
    int last = q->def.motion.sample_count - 1;
    for (int a = first[module_a]; a < first[module_a + 1]; a++) {
        for (int b = module_a == module_b ? a + 1 : first[module_b]; b < first[module_b + 1]; b++) {
            double allowed;
            if (som_pair_is_tested(som_pairs_rule(pairs, a, b, &allowed))) {
                som_certifier_look(q, som_certifier_track(q, a, b, allowed, true), 0, last);
            }
        }
    }
}

static void look_at_neighbors(SomCertifier *q) {
    const SomPairs *p = q->def.pairs;
    for (int i = 0; i < p->mechanism->configuration->module_count; i++) {
        for (const SomPairNeighbor *n = &p->neighbors[p->first_neighbor[i]]; n->module >= 0; n++) {
            if (n->module >= i && is_first_of_module(p, i, n)) {
                look_at_modules(q, i, n->module);
            }
        }
    }
}

// ---- the others, by the kernel

// Places eight samples, the last one again and again if there are fewer.
static void place_batch(Front *f, int first) {
    const SomMotion *motion = &f->q->def.motion;
    int dofs = motion->dof_count, last = motion->sample_count - 1;
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        int sample = first + lane < last ? first + lane : last;
        const double *values = motion->values + (size_t)sample * (size_t)dofs;
        for (int dof = 0; dof < dofs; dof++) {
            f->values[dof * SOM_BATCH + lane] = values[dof];
        }
    }
    som_batch_place(f->batch, f->values);
}

// Half of the largest step of each link from the sample before the batch to the one after it.
static void find_slack(Front *f, int first) {
    int links = f->m->link_count, last = f->q->def.motion.sample_count - 1;
    memset(f->slack, 0, sizeof *f->slack * (size_t)links);
    for (int i = first > 0 ? first - 1 : 0; i < first + SOM_BATCH && i < last; i++) {
        som_motion_steps(f->q->tree, i, f->steps);
        for (int l = 0; l < links; l++) {
            double half = 0.5 * f->steps[l];
            f->slack[l] = half > f->slack[l] ? half : f->slack[l];
        }
    }
}

// Whether two links that rest against each other are too far apart to be of interest: the slack of
// what carries both of them has made them a hit.
static bool are_far(const SomCertifier *q, int link_a, int link_b) {
    const SomLinkSolid *const *solids = q->def.pairs->solids;
    SomBall a = som_solid_ball(solids[link_a], &q->tree->links[link_a].place);
    SomBall b = som_solid_ball(solids[link_b], &q->tree->links[link_b].place);
    double gap = som_vec3_length(som_vec3_sub(b.center, a.center)) - a.radius - b.radius;
    return gap > fmax(som_certifier_level(q), 0) + SOM_CERTIFIED_DEPTH;
}

static void look_at_hit(Front *f, const SomBatchHit *hit, int first) {
    const SomMotionLink *links = f->q->tree->links;
    int last = f->q->def.motion.sample_count - 1;
    bool is_at_rest = links[hit->link_a].joint == links[hit->link_b].joint;
    if (is_at_rest && (first > 0 || are_far(f->q, hit->link_a, hit->link_b))) {
        return; // it was looked at for all times, or need not
    }
    double allowed;
    som_pairs_rule(f->q->def.pairs, hit->link_a, hit->link_b, &allowed);
    SomTrack *track = som_certifier_track(f->q, hit->link_a, hit->link_b, allowed, false);
    if (is_at_rest) {
        som_certifier_look(f->q, track, 0, last);
        return;
    }
    // runs of lanes
    for (int lane = 0; lane < SOM_BATCH && first + lane <= last; lane++) {
        if ((hit->lanes >> lane & 1) == 0) {
            continue;
        }
        int end = lane;
        while (end + 1 < SOM_BATCH && (hit->lanes >> (end + 1) & 1) != 0) {
            end++;
        }
        som_certifier_look(f->q, track, fmax(first + lane - 0.5, 0), fmin(first + end + 0.5, last));
        lane = end;
    }
}

void som_certifier_run_front(SomCertifier *q) {
    Front f = {.q = q, .m = q->def.pairs->mechanism, .pairs = *q->def.pairs};
    f.pairs.leaves_out_neighbors = true;
    f.batch = som_batch_create(f.m, &f.pairs);
    f.values = som_alloc(sizeof *f.values * SOM_BATCH * (size_t)(f.m->dof_count + 1));
    f.steps = som_alloc(sizeof *f.steps * 2 * (size_t)f.m->link_count);
    f.slack = f.steps + f.m->link_count;
    look_at_neighbors(q);
    for (int first = 0; first < q->def.motion.sample_count; first += SOM_BATCH) {
        place_batch(&f, first);
        find_slack(&f, first);
        // what is nearer than the level is of interest, and what is allowed counts as apart there
        double margin = fmax(som_certifier_level(q), 0) + SOM_CERTIFIED_DEPTH;
        const SomBatchHit *hits;
        int count = som_batch_find(f.batch, margin, f.slack, false, &hits);
        for (int i = 0; i < count; i++) {
            look_at_hit(&f, &hits[i], first);
        }
    }
    som_batch_destroy(f.batch);
    som_free(f.values);
    som_free(f.steps);
}
