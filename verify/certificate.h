// verify/certificate.h - whether links collide at any time of a motion: no gap between samples.
//
//     SomCertificate found = {0};
//     som_certify(&(SomCertificateDef){.pairs = pairs, .motion = motion}, &found);
//     if (found.overlaps.count == 0 && found.undecided.count == 0) {
//         // found.clearance: the least distance of modules that are not neighbours, when and where
//     }
//     som_certificate_free(&found);
//
// The distance of two links changes by no more than the motion between them (verify/motion_tree.h).
// So a distance measured once is a proof for all postures near by, and only where it does not reach
// is it measured again, between samples if need be. What is told is true at all times, not only at
// samples:
//   - links that are not under `overlaps` or `undecided` never overlap by more than verify/pairs.h
//     allows and SOM_CERTIFIED_DEPTH;
//   - an overlap begins and ends at its times, but for `resolution`; a gap shorter than that may be
//     passed over; the depth is the largest but for `tolerance`;
//   - links that overlap by construction (SOM_PAIR_BUILT) and have not been apart since the motion
//     began, but for gaps shorter than `resolution`, are under `built` as long as they overlap no
//     deeper than by construction. From then on they are links that touch at home;
//   - no two links of modules that are neither one nor connected come nearer than the clearance,
//     but for `tolerance`. Beyond `reach` it is not measured.
// All this up to `end`: where the work came to its end before the motion did, nothing is told of
// what comes after.
// A motion of one sample is a posture.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "base/stop.h"
#include "verify/motion_tree.h"
#include "verify/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

// Metres. Shapes that slide along each other for ever would be measured without end otherwise.
#define SOM_CERTIFIED_DEPTH 1e-5

// Metres: how exactly distances are known, and depths that are not very deep.
#define SOM_CERTIFIED_DISTANCE 1e-4

// Metres; clearances beyond are not measured unless asked for.
#define SOM_CERTIFIED_REACH 0.02

// Zero is the default for all but pairs and motion.
typedef struct SomCertificateDef {
    const SomPairs *pairs;
    SomMotion motion;
    double resolution; // seconds; 0.5 ms
    double tolerance;  // metres; SOM_CERTIFIED_DISTANCE
    double reach;      // metres; SOM_CERTIFIED_REACH
    // distances that may be measured, those along many joints counting more; 2 million. Then the
    // rest is undecided
    long most_queries;
    const SomStop *stop; // NULL: nobody stops it
} SomCertificateDef;

typedef struct SomOverlap {
    int link_a, link_b;
    double t0, t1;
    double depth, depth_time;
} SomOverlap;

// Neither proven apart nor found to overlap, because the work came to its end.
typedef struct SomUndecided {
    int link_a, link_b;
    double t0, t1;
} SomUndecided;

typedef struct SomClearance {
    int link_a, link_b; // -1: nothing within reach
    double distance;    // 0 if any overlap, neighbours too; `reach` if nothing is within it
    double time;
} SomClearance;

// Zero is empty.
typedef struct SomCertificate {
    SOM_ARRAY(SomOverlap) overlaps; // by time, then by links
    SOM_ARRAY(SomOverlap) built;    // by construction: until they are first apart
    SOM_ARRAY(SomUndecided) undecided;
    SomClearance clearance;
    double end;       // seconds: up to here all pairs were looked at
    bool is_whole;    // and that is the end of the motion
    int sane_samples; // nothing is said from the first sample whose values are no numbers
    long queries;     // distances measured
    long pairs;       // that came near enough to be looked at
} SomCertificate;

// How exactly a depth is known, with the default tolerance; in hundredths of a millimetre.
static inline double som_certified_depth_tolerance(double depth) {
    return ceil(fmax(SOM_CERTIFIED_DISTANCE, 0.01 * depth) * 1e5 - 1e-6) / 1e5;
}

void som_certify(const SomCertificateDef *def, SomCertificate *certificate);
void som_certificate_free(SomCertificate *certificate);

#ifdef __cplusplus
}
#endif
