// verify/batch.h - eight postures of a mechanism at once: where its links are, which of them are
// not apart, how near they come and how firmly the robot stands.
//
//     SomBatch *batch = som_batch_create(mechanism, NULL);
//     som_batch_place(batch, values);                          // values[dof * SOM_BATCH + lane]
//     const SomBatchHit *hits;
//     int count = som_batch_find(batch, 0, NULL, true, &hits); // pairs that touch in some lane
//     som_batch_destroy(batch);
//
// "Apart" is a proof: a plane between the exact shapes, with room for all rounding on the way from
// the joint values (the bounds are in batch_internal.h). Lanes for which no plane and no common
// point is found quickly are settled by space/distance.h. What a NaN moves is apart from nothing.
// Consecutive samples of a motion are fastest, because each pair remembers what parted it last;
// settled answers do not depend on that, nor on the instructions the processor has.
//
// Ownership: a batch borrows the mechanism and the pairs; hits and clearances are its own until the
// next call of the same function. One batch a thread.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_BATCH 8 // samples at once, the lanes

// Pairs of shapes that an answer is made of at most. Heaps of modules have more: see
// som_batch_is_cut.
#define SOM_BATCH_MOST_HITS (1 << 20)
#define SOM_BATCH_MOST_CLEARANCES (1 << 18)

typedef struct SomPairs SomPairs; // verify/pairs.h: which links are tested against which

typedef struct SomBatchHit {
    int32_t link_a, link_b; // link_a < link_b
    uint8_t lanes;          // bit i: lane i
} SomBatchHit;

typedef struct SomBatchClearance {
    int32_t link_a, link_b;
    double distance[SOM_BATCH]; // metres; 0 where they overlap, NAN where the posture is
} SomBatchClearance;

typedef struct SomBatch SomBatch;

// Without pairs (NULL), all are tested but links of one rigid body and links joined by one joint.
SomBatch *som_batch_create(const SomMechanism *mechanism, const SomPairs *pairs);
void som_batch_destroy(SomBatch *batch); // NULL is allowed

// Gives all links their places; what follows is about these postures.
void som_batch_place(SomBatch *batch, const double *values);

// As som_mechanism_place gives it, but for rounding: entries of the rotation differ by at most
// 4e-15 times the joints between base and link, positions by that times the length of the way.
SomPose som_batch_pose(const SomBatch *batch, int link, int lane);
SomVec3 som_batch_com(SomBatch *batch, int lane);

// Pairs not farther apart than margin + slack[link_a] + slack[link_b] in some lane, by link_a, then
// link_b; `slack` of each link may be NULL: 0. With `settle`, exactly those: else all for which no
// plane was found, which is faster and may tell more pairs and lanes.
int som_batch_find(SomBatch *batch, double margin, const double *slack, bool settle,
                   const SomBatchHit **hits);

// Distances of all pairs that come nearer than `limit` in some lane, exact to a hundred thousandth
// of the size of the shapes; in lanes where they are not nearer, a bound not below the limit.
int som_batch_clearances(SomBatch *batch, double limit, const SomBatchClearance **clearances);

// Whether the last answer of the two has its most pairs, and is not all there are.
bool som_batch_is_cut(const SomBatch *batch);
// Pairs of shapes that it has looked at so far, for who has to end some day.
long som_batch_looked(const SomBatch *batch);

// How far the centre of mass is inside the support polygon of each lane, in metres; negative
// outside. The polygon is that of all features (corners, lowest points of round shapes, points of
// rims) no more than `tolerance` above the lowest, to four millionths of the size of their solid;
// NAN without shapes. For mechanisms without loose pieces.
void som_batch_margins(SomBatch *batch, double tolerance, double margins[SOM_BATCH]);

// The instructions in use: the best there are, unless a test wants to see the others.
typedef enum SomBatchPath { SOM_BATCH_BASELINE, SOM_BATCH_AVX2 } SomBatchPath;

bool som_batch_has_path(SomBatchPath path);
void som_batch_use_path(SomBatch *batch, SomBatchPath path);

#ifdef __cplusplus
}
#endif
