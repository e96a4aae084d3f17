// verify/certificate_internal.h - the parts of verify/certificate.h: the front line finds which
// pairs come near in which part of the motion, tracks prove them apart or find where they overlap.
//
// A place is a time in samples: 12.5 is half-way between samples 12 and 13.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/certificate.h"

// A pair of links that came near, and what was measured of it.
typedef struct SomTrack {
    SomMotionPath path;
    double allowed;
    SomPartPairs except; // parts that are not tested
    bool is_near;        // som_pairs_are_near: its clearance is not asked for
    SomDistanceCache cache;
    double *anchors; // what was measured: see Anchor
    int anchor_count, next_anchor, room;
    int proof;      // the anchor that settled a piece last, or was measured after that
    double deepest; // of the overlap that goes on
    double last;    // place up to which it was looked at
} SomTrack;

typedef struct SomCertifier {
    SomCertificateDef def;
    SomMotionTree *tree;
    SomCertificate *out;
    SOM_ARRAY(SomTrack) tracks;
    int *table; // hash of two links to 1 + track
    int table_size;
    SOM_ARRAY(SomOverlap) pieces; // of overlaps, in no order, times are places
    SOM_ARRAY(SomOverlap) built;  // the same, with which the motion begins
    SOM_ARRAY(SomUndecided) left;
    double *scratch; // values of a path, for each level of bisection
    int scratch_size;
    SomVec3 *axes; // of a path
    SomArena arena;
    long work;   // distances measured, those along many joints counting more
    size_t kept; // numbers of anchors
    double end;  // place up to which all pairs were looked at
    bool is_whole;
} SomCertifier;

// The track of a tested pair; made if it is new.
SomTrack *som_certifier_track(SomCertifier *certifier, int link_a, int link_b, double allowed,
                              bool is_near);

// Looks at a pair from one place to another: proves it apart, or notes overlaps.
void som_certifier_look(SomCertifier *certifier, SomTrack *track, double from, double to);

// Looks at a pair that overlaps by construction, and may by as much as is allowed until it is first
// apart.
void som_certifier_look_at_built(SomCertifier *certifier, int link_a, int link_b, double allowed);

// Below this the clearance of modules that are not neighbours is still of interest.
double som_certifier_level(const SomCertifier *certifier);

// Whether no more distances may be measured, or kept, or overlaps noted.
bool som_certifier_is_over(const SomCertifier *certifier);

// From a place on nothing is known of the pair.
void som_certifier_leave(SomCertifier *certifier, int link_a, int link_b, double from);

// Looks at all pairs in the parts of the motion in which they come near.
void som_certifier_run_front(SomCertifier *certifier);
