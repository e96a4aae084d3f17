// verify/batch_internal.h - what the files of the sample kernel share.
//
// A batch is four steps, each with a file:
//
//   batch_place.c   joint values -> rigid bodies -> solids: centre, rotation, swept box
//   batch_sweep.c   boxes of modules, then of solids, that overlap -> pairs worth a look
//   batch_pair.c    a pair: a plane between them, or a point in both, in each lane
//   batch_margin.c  contacts with the ground -> support polygon -> margin
//
// These are compiled for each set of instructions, batch.c once. A
// solid is one convex part of a link; links fixed to each other are one body, whose frame is that
// of the joint that moves it.
//
// Numbers: bodies and centres are doubles, and all that is about a pair is floats, of differences
// of centres. Two errors are bounded, with u the half unit in the last place of 1.
//
// Places, u = 2^-53: a joint multiplies a rotation by two others, each entry a sum of at most three
// products of which the factors are columns of length 1, and sine and cosine are good to 0.8 units.
// That adds at most 8 u to each entry, 24 u to the rotation as a whole; what hangs on it is moved
// by that times its distance, and rounded sums of coordinates add less than 8 u of them. After n
// joints a centre is off by at most 32 n u times the length of the way, `reach`; `rounding` is four
// times as much, for poses that are no perfect rotations.
//
// Pairs, u = 2^-24: differences and entries of rotations are rounded once. Relative rotations have
// entries good to 5 u, so a distance along an axis is off by at most 10 u |difference of centres| +
// 14 u of each radius from products, 4 u of all from the length of the axis, and less than 28 u of
// their sum altogether: SOM_BATCH_ROUNDING is 32 u. A point seen from the other solid is off by
// less than that, too.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "space/distance.h"
#include "verify/batch.h"

#define SOM_BATCH_ALIGN 64

// Of |difference of centres| + both radii, see above; with the error of places it is the guard.
#define SOM_BATCH_ROUNDING 0x1p-19f

// Hulls with more vertices or planes are boxes here, and settled by space/distance.h.
#define SOM_BATCH_HULL 128

typedef struct SomBatchStand SomBatchStand; // of batch_margin.c

// A rotation that does not change. Most are by right angles: columns of what they turn, with signs.
typedef struct SomAlignment {
    SomMat3 rotation;
    bool is_aligned;
    int columns[3];
    double signs[3];
} SomAlignment;

typedef struct SomBody {
    int parent; // -1: the base, or the root of a loose piece
    int dof;    // -1 without a parent
    bool is_sliding;
    double sign;
    SomAlignment turn; // of its frame, all joints at zero, seen from its parent's
    SomVec3 origin;
    SomPose root;   // in the world, without a parent
    double mass;    // 0 of loose pieces
    SomVec3 moment; // centre of mass times mass
} SomBody;

// Where a body is in all lanes.
typedef struct SomBodyLanes {
    double rotation[9][SOM_BATCH]; // rows
    double position[3][SOM_BATCH];
} SomBodyLanes;

typedef struct SomSolid {
    const SomShape *shape;
    SomPose shape_pose; // of the shape in its body
    SomPose pose;       // the same, with the solid's centre as its origin
    SomVec3 center;     // in the shape: of hulls, the centre of the box round it; else 0
    SomAlignment turn;  // of `pose`
    SomVec3 origin;
    int link, body;
    int part;          // of the link
    SomShapeKind kind; // as it is treated here: large hulls are boxes
    float half[3];     // box and hull; of round ones radius, radius and half the straight length
    float radius;      // of a ball round the centre
    float thin;        // no point is deeper inside
    const float *vertices; // three numbers each, from the centre
    const float *planes;   // four each: normal and offset
    int vertex_count, plane_count;
} SomSolid;

typedef struct SomSolidLanes {
    double center[3][SOM_BATCH];
    float rotation[9][SOM_BATCH];
} SomSolidLanes;

typedef struct SomBoxLanes {
    float low[3][SOM_BATCH], high[3][SOM_BATCH];
} SomBoxLanes;

// What is remembered of two solids.
typedef struct SomPairMemory {
    float axis[3];  // of length 1, that parted them last, from the solid in whose frame it is
    float reach;    // of that solid along it
    float point[3]; // of the first, in its frame: in both, or near the second
    double allowed; // by how much they may overlap
    uint8_t has_axis;
    uint8_t is_in_b; // whose frame the axis is in
} SomPairMemory;

// What is asked of a pair.
typedef struct SomPairQuery {
    const SomSolid *a, *b;
    const SomSolidLanes *lanes_a, *lanes_b;
    SomPairMemory *memory;
    double margin; // apart is: farther than this; it may be negative
    double place_error;
    uint32_t lanes; // that are asked for; the others are apart
} SomPairQuery;

typedef struct SomPairAnswer {
    uint32_t apart, close; // lanes proven farther than the margin, and not farther
} SomPairAnswer;

// All pairs of solids of two modules, found by a hash of the modules.
typedef struct SomModulePair {
    int module_a, module_b;
    int first; // slot of its first pair
} SomModulePair;

// Two links and what was found of them.
typedef struct SomLinkPair {
    int32_t link_a, link_b;
    int index;
} SomLinkPair;

// Tells of two solids whose boxes overlap in some lanes.
typedef void SomVisit(SomBatch *batch, const void *query, int solid_a, int solid_b, uint32_t lanes,
                      SomPairMemory *memory);

typedef struct SomBatchKernel {
    void (*place)(SomBatch *batch, const double *values);
    void (*weigh)(SomBatch *batch);  // centres of mass
    void (*lowest)(SomBatch *batch); // heights of lowest points
    void (*sweep)(SomBatch *batch, double margin, const double *slack, SomVisit *visit,
                  const void *query);
    SomPairAnswer (*look)(const SomPairQuery *query);
    // Distances of lanes that are close, lower bounds of those that are apart.
    SomPairAnswer (*measure)(const SomPairQuery *query, double distance[SOM_BATCH]);
} SomBatchKernel;

struct SomBatch {
    const SomMechanism *mechanism;
    const SomPairs *pairs;
    SomBatchKernel kernel;
    SomArena arena;

    SomBody *bodies; // parents first
    int body_count;
    SomPose *link_in_body;
    int *body_of_link;
    SomSolid *solids; // by links, so by modules
    int solid_count;
    int *first_solid; // of each module, and solid_count
    int module_count;
    int *flat_links; // that have points but no solid
    int flat_count;
    double reach;    // no centre is farther from the origin, but for sliding
    double rounding; // of places, in parts of the reach

    SomBodyLanes *places;
    SomSolidLanes *lanes;
    SomBoxLanes *boxes; // of solids
    uint8_t *broken;    // lanes in which a solid is nowhere
    uint32_t any_broken;
    double place_error; // of any centre
    double (*com)[SOM_BATCH];
    bool has_com;   // found for these places
    double *lowest; // of solids and lanes

    // the sweep
    SomBoxLanes *grown;        // boxes with half the margin and the slack of each solid
    SomBoxLanes *module_boxes; // round all solids of each module
    float *module_ends;        // low and high of these over all lanes, along the axis of the sweep
    int *order;                // modules by their low ends
    int *spare_order;
    int *touched; // solids of a module that are in the box of another
    int *hash;    // of module pairs: index + 1
    int hash_size;
    SOM_ARRAY(SomModulePair) module_pairs;
    SOM_ARRAY(int32_t) slots; // of a pair of solids: 0 not seen yet, -1 never tested, else memory
    SOM_ARRAY(SomPairMemory) memories; // the first is not used

    // answers
    SOM_ARRAY(SomLinkPair) found, sorted;
    int most_found; // the sweep ends there
    long looked;
    SOM_ARRAY(SomBatchHit) hits;
    SOM_ARRAY(SomBatchClearance) measured, clearances;
    int *count_of_link; // for sorting
    SomBatchStand *stand;
};

// Compiled for each path.
#define SOM_BATCH_FUNCTIONS(path)                                                                  \
    void som_batch_place_##path(SomBatch *batch, const double *values);                            \
    void som_batch_weigh_##path(SomBatch *batch);                                                  \
    void som_batch_lowest_##path(SomBatch *batch);                                                 \
    void som_batch_sweep_##path(SomBatch *batch, double margin, const double *slack,               \
                                SomVisit *visit, const void *query);                               \
    SomPairAnswer som_batch_look_##path(const SomPairQuery *query);                                \
    SomPairAnswer som_batch_measure_##path(const SomPairQuery *query, double distance[SOM_BATCH]);

SOM_BATCH_FUNCTIONS(baseline)
SOM_BATCH_FUNCTIONS(avx2)

// batch.c: whether two solids, by links, are ever tested, and by how much their links may overlap.
bool som_batch_is_tested(const SomBatch *batch, const SomSolid *a, const SomSolid *b,
                         double *allowed);

SomBatchStand *som_batch_stand_create(void);
void som_batch_stand_destroy(SomBatchStand *stand);
