// tests/verify/eight_postures.h - a robot in eight postures, placed by the sample kernel and one by
// one, for tests that compare the two.
//
//     EightPostures p = eight_begin(mechanism, NULL, SOM_BATCH_BASELINE);
//     p.values[dof * SOM_BATCH + lane] = ...
//     eight_place(&p); // now p.batch and p.links are about the same postures
//     eight_end(&p);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "verify/batch.h"

// A robot in eight postures, placed by the kernel and one by one.
typedef struct EightPostures {
    const SomMechanism *m;
    const SomPairs *pairs;
    SomBatch *batch;
    double *values;
    SomPose *links[SOM_BATCH];
    int *bodies; // of links
} EightPostures;

static inline EightPostures eight_begin(const SomMechanism *m, const SomPairs *pairs,
                                        SomBatchPath path) {
    EightPostures p = {.m = m, .pairs = pairs, .batch = som_batch_create(m, pairs)};
    som_batch_use_path(p.batch, path);
    // not aligned for more than a double
    p.values = som_alloc(sizeof *p.values * (SOM_BATCH * (size_t)(m->dof_count + 1) + 1));
    p.values++;
    p.bodies = som_alloc(sizeof *p.bodies * (size_t)m->link_count);
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        p.links[lane] = som_alloc(sizeof(SomPose) * (size_t)m->link_count);
    }
    for (int i = 0; i < m->link_count; i++) {
        int at = m->order[i];
        bool is_own = m->links[at].parent < 0 || m->links[at].dof >= 0;
        p.bodies[at] = is_own ? at : p.bodies[m->links[at].parent];
    }
    return p;
}

static inline void eight_end(EightPostures *p) {
    som_batch_destroy(p->batch);
    som_free(p->values - 1);
    som_free(p->bodies);
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        som_free(p->links[lane]);
    }
}

static inline void eight_place(EightPostures *p) {
    double *values = som_alloc(sizeof *values * (size_t)(p->m->dof_count + 1));
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        for (int i = 0; i < p->m->dof_count; i++) {
            values[i] = p->values[i * SOM_BATCH + lane];
        }
        som_mechanism_place(p->m, &(SomPosture){values, p->m->dof_count}, p->links[lane]);
    }
    som_free(values);
    som_batch_place(p->batch, p->values);
}

// Sets of instructions there are.
static inline int path_count(void) {
    return som_batch_has_path(SOM_BATCH_AVX2) ? 2 : 1;
}
