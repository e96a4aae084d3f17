// SPDX-License-Identifier: Apache-2.0
// Links of one module that overlap by construction: until when the overlap lasts with which the
// motion begins.

#include "verify/certificate_internal.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b) {
    const SomOverlap *x = a, *y = b;
    return (x->t0 > y->t0) - (x->t0 < y->t0);
}

// Whether a piece continues an overlap that ends at a place, but for the resolution.
static bool continues(const SomCertifier *q, double end, const SomOverlap *piece) {
    const SomMotion *motion = &q->def.motion;
    return som_motion_time(motion, piece->t0) <= som_motion_time(motion, end) + q->def.resolution;
}

// Looks at the whole motion, and takes the overlap with which it begins out of the pieces. False if
// the links are apart there.
static bool take_built(SomCertifier *q, SomTrack *track, SomOverlap *built) {
    int first = q->pieces.count, count = 0;
    som_certifier_look(q, track, 0, q->def.motion.sample_count - 1);
    int found = q->pieces.count - first;
    if (found == 0) {
        return false;
    }
    SomOverlap *pieces = &q->pieces.data[first];
    qsort(pieces, (size_t)found, sizeof *pieces, by_place);
    *built = (SomOverlap){track->path.link_a, track->path.link_b, 0, 0, 0, 0};
    for (; count < found && continues(q, built->t1, &pieces[count]); count++) {
        built->t1 = fmax(built->t1, pieces[count].t1);
        if (pieces[count].depth > built->depth) {
            built->depth = pieces[count].depth;
            built->depth_time = pieces[count].depth_time;
        }
    }
    memmove(pieces, pieces + count, sizeof *pieces * (size_t)(found - count));
    q->pieces.count -= count;
    return count > 0;
}

void som_certifier_look_at_built(SomCertifier *q, int link_a, int link_b, double allowed) {
    const SomLinkSolid *const *solids = q->def.pairs->solids;
    double flush = som_pair_flush(solids[link_a], solids[link_b]);
    SomTrack *track = som_certifier_track(q, link_a, link_b, flush, true);
    SomOverlap built;
    if (take_built(q, track, &built)) {
        som_array_push(&q->built, built);
        track->allowed = allowed;
        track->last = -1; // looked at from the start again
        som_certifier_look(q, track, 0, built.t1);
    }
}
