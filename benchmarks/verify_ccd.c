// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "benchmarks/verify_peers.h"

#include <ccd/ccd.h>
#include <math.h>

typedef struct Body {
    const SomVerifyLink *link;
    const SomPose *frame;
    SomVec3 center;
} Body;

typedef struct Peer {
    const SomVerifyWorkload *workload;
    SomVerifyScalar *scalar;
    Body *bodies;
    ccd_t ccd;
} Peer;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
    const Body *body = object;
    const SomVerifyLink *link = body->link;
    SomVec3 d = som_mat3_apply_transposed(
        body->frame->rotation, som_vec3(direction->v[0], direction->v[1], direction->v[2]));
    SomVec3 p;
    if (link->is_box) {
        p = som_vec3(copysign(link->half.x, d.x), copysign(link->half.y, d.y),
                     copysign(link->half.z, d.z));
    } else {
        double v[3] = {d.x, d.y, d.z};
        double along = v[link->axis];
        v[link->axis] = 0;
        double across = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        double scale = across > 0 ? link->radius / across : 0;
        for (int i = 0; i < 3; i++) {
            v[i] *= scale;
        }
        v[link->axis] = copysign(link->half_length, along);
        p = som_vec3(v[0], v[1], v[2]);
    }
    p = som_vec3_add(som_mat3_apply(body->frame->rotation, p), body->center);
    ccdVec3Set(point, p.x, p.y, p.z);
}

static void center(const void *object, ccd_vec3_t *point) {
    const Body *body = object;
    ccdVec3Set(point, body->center.x, body->center.y, body->center.z);
}

static void *create(const SomVerifyWorkload *workload) {
    Peer *p = som_alloc(sizeof *p);
    p->workload = workload;
    p->scalar = som_verify_scalar_create(workload);
    p->bodies = som_alloc(sizeof *p->bodies * (size_t)workload->link_count);
    for (int i = 0; i < workload->link_count; i++) {
        p->bodies[i].link = &workload->links[i];
        p->bodies[i].frame = &som_verify_scalar_frames(p->scalar)[i];
    }
    CCD_INIT(&p->ccd);
    p->ccd.support1 = p->ccd.support2 = support;
    p->ccd.center1 = p->ccd.center2 = center;
    p->ccd.max_iterations = 100;
    return p;
}

static void destroy(void *peer) {
    Peer *p = peer;
    som_verify_scalar_destroy(p->scalar);
    som_free(p->bodies);
    som_free(p);
}

static int find(void *peer, const double *values) {
    Peer *p = peer;
    som_verify_scalar_place(p->scalar, values);
    for (int i = 0; i < p->workload->link_count; i++) {
        p->bodies[i].center = som_pose_apply(*p->bodies[i].frame, p->bodies[i].link->center);
    }
    const SomVerifyPair *pairs;
    int count = som_verify_scalar_pairs(p->scalar, 0, &pairs);
    int hits = 0;
    for (int i = 0; i < count; i++) {
        hits += ccdMPRIntersect(&p->bodies[pairs[i].a], &p->bodies[pairs[i].b], &p->ccd) != 0;
    }
    return hits;
}

const SomVerifyPeer som_verify_ccd = {"libccd + SAP", create, find, destroy};
