// SPDX-License-Identifier: Apache-2.0
// Which pairs are looked at, and when. Neighbours, links of one module or of connected ones, are
// near each other all the time and few: they are followed through the whole motion. Parts of one
// rigid body are looked at once. Of all others
// the kernel of verify/batch.h tells those that it cannot part at a place even if both links move
// on for half a step, so that the places together leave no time out. A step is a tick, or where
// links go far in one, as the tail of a long snake does, a part of it.

#include "verify/batch.h"
#include "verify/certificate_internal.h"

#include <stdlib.h>

// Metres that links may go in half a step, and steps of a tick at most.
#define FAR 0.1
#define MOST_PARTS 64

// Pairs that the kernel looks at while one distance is measured.
#define LOOKS 64

// Hits that are told when the work is over.
#define MOST_LEFT 10000

typedef struct Front {
    SomCertifier *q;
    const SomMechanism *m;
    SomPairs pairs; // without those that are near
    SomBatch *batch;
    int parts;      // steps of a tick
    long last;      // step
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
            SomPairRule rule = som_pairs_rule(pairs, a, b, &allowed);
            if (rule == SOM_PAIR_BUILT) {
                som_certifier_look_at_built(q, a, b, allowed);
            } else if (som_pair_is_tested(rule)) {
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

// ---- parts of one rigid body

// A link with its body, and where it is along the x axis.
typedef struct Extent {
    int body, link;
    double low, high;
} Extent;

static int by_body(const void *a, const void *b) {
    const Extent *x = a, *y = b;
    if (x->body != y->body) {
        return (x->body > y->body) - (x->body < y->body);
    }
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low)
                            : (x->link > y->link) - (x->link < y->link);
}

static SomBall ball_of(const SomCertifier *q, int link) {
    return som_solid_ball(q->def.pairs->solids[link], &q->tree->links[link].place);
}

static void look_at_part(SomCertifier *q, int link_a, int link_b) {
    double allowed;
    SomPairRule rule = som_pairs_rule(q->def.pairs, link_a, link_b, &allowed);
    SomBall a = ball_of(q, link_a), b = ball_of(q, link_b);
    double apart = som_vec3_length(som_vec3_sub(b.center, a.center));
    bool is_seen = som_pairs_are_neighbors(q->def.pairs, link_a, link_b);
    if (som_pair_is_tested(rule) && !is_seen && apart < a.radius + b.radius) {
        int low = link_a < link_b ? link_a : link_b, high = low == link_a ? link_b : link_a;
        SomTrack *track = som_certifier_track(q, low, high, allowed, true);
        som_certifier_look(q, track, 0, q->def.motion.sample_count - 1);
    }
}

static void look_at_bodies(SomCertifier *q) {
    const SomPairs *p = q->def.pairs;
    Extent *all = som_alloc(sizeof *all * ((size_t)p->mechanism->link_count + 1));
    int count = 0;
    for (int i = 0; i < p->mechanism->link_count; i++) {
        if (p->solids[i]->part_count > 0) {
            SomBall ball = ball_of(q, i);
            double x = ball.center.x;
            all[count++] = (Extent){p->bodies[i], i, x - ball.radius, x + ball.radius};
        }
    }
    qsort(all, (size_t)count, sizeof *all, by_body);
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count && all[k].body == all[i].body && all[k].low <= all[i].high;
             k++) {
            look_at_part(q, all[i].link, all[k].link);
        }
    }
    som_free(all);
}

// ---- the others, by the kernel

static double place_of(const Front *f, double step) {
    return fmin(fmax(step, 0), (double)f->last) / f->parts;
}

// Places eight steps, the last one again and again if there are fewer.
static void place_batch(Front *f, long first) {
    const SomMotion *motion = &f->q->def.motion;
    int dofs = motion->dof_count;
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        long step = first + lane < f->last ? first + lane : f->last;
        double rest = (double)(step % f->parts) / f->parts;
        const double *values = motion->values + (size_t)(step / f->parts) * (size_t)dofs;
        for (int dof = 0; dof < dofs; dof++) {
            double to = rest > 0 ? values[dofs + dof] - values[dof] : 0;
            f->values[dof * SOM_BATCH + lane] = values[dof] + rest * to;
        }
    }
    som_batch_place(f->batch, f->values);
}

// Half of the largest step of each link from the tick in which the one before the batch begins to
// that in which the one after it ends.
static void find_slack(Front *f, long first) {
    int links = f->m->link_count, ticks = f->q->def.motion.sample_count - 1;
    memset(f->slack, 0, sizeof *f->slack * (size_t)links);
    int from = (int)((first > 0 ? first - 1 : 0) / f->parts);
    for (int i = from; (long)i * f->parts < first + SOM_BATCH && i < ticks; i++) {
        som_motion_steps(f->q->tree, i, f->steps);
        for (int l = 0; l < links; l++) {
            double half = 0.5 * f->steps[l] / f->parts;
            f->slack[l] = half > f->slack[l] ? half : f->slack[l];
        }
    }
}

static void divide_ticks(Front *f) {
    int ticks = f->q->def.motion.sample_count - 1;
    double most = 0;
    for (int i = 0; i < ticks; i++) {
        som_motion_steps(f->q->tree, i, f->steps);
        for (int l = 0; l < f->m->link_count; l++) {
            most = f->steps[l] > most ? f->steps[l] : most;
        }
    }
    f->parts = (int)fmin(fmax(ceil(0.5 * most / FAR), 1), MOST_PARTS);
    f->last = (long)ticks * f->parts;
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

static void look_at_hit(Front *f, const SomBatchHit *hit, long first) {
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
    for (int lane = 0; lane < SOM_BATCH && first + lane <= f->last; lane++) {
        if ((hit->lanes >> lane & 1) == 0) {
            continue;
        }
        int end = lane;
        while (end + 1 < SOM_BATCH && (hit->lanes >> (end + 1) & 1) != 0) {
            end++;
        }
        som_certifier_look(f->q, track, place_of(f, (double)(first + lane) - 0.5),
                           place_of(f, (double)(first + end) + 0.5));
        lane = end;
    }
}

void som_certifier_run_front(SomCertifier *q) {
    Front f = {.q = q, .m = q->def.pairs->mechanism, .pairs = *q->def.pairs};
    f.pairs.leaves_out_near = true;
    f.batch = som_batch_create(f.m, &f.pairs);
    f.values = som_alloc(sizeof *f.values * SOM_BATCH * (size_t)(f.m->dof_count + 1));
    f.steps = som_alloc(sizeof *f.steps * 2 * (size_t)f.m->link_count);
    f.slack = f.steps + f.m->link_count;
    look_at_neighbors(q);
    look_at_bodies(q);
    divide_ticks(&f);
    long looked = 0;
    for (long first = 0; first <= f.last && !som_certifier_is_over(q); first += SOM_BATCH) {
        place_batch(&f, first);
        find_slack(&f, first);
        // what is nearer than the level is of interest, and what is allowed counts as apart there
        double margin = fmax(som_certifier_level(q), 0) + SOM_CERTIFIED_DEPTH;
        const SomBatchHit *hits;
        int count = som_batch_find(f.batch, margin, f.slack, false, &hits);
        q->work += (som_batch_looked(f.batch) - looked) / LOOKS;
        looked = som_batch_looked(f.batch);
        int i = 0;
        while (i < count && !som_certifier_is_over(q)) {
            look_at_hit(&f, &hits[i++], first);
        }
        for (int left = 0; i + left < count && left < MOST_LEFT; left++) {
            const SomBatchHit *hit = &hits[i + left];
            som_certifier_leave(q, hit->link_a, hit->link_b, place_of(&f, (double)first));
        }
        if (i < count || som_batch_is_cut(f.batch)) {
            break; // of what comes later nothing is known
        }
        q->end = place_of(&f, (double)(first + SOM_BATCH) - 0.5);
        q->is_whole = first + SOM_BATCH > f.last;
    }
    som_batch_destroy(f.batch);
    som_free(f.values);
    som_free(f.steps);
}
