// verify/pairs.h - which links of a robot are tested against each other, and why others are not.
//
//     SomPairs *pairs = som_pairs_create(mechanism);
//     double allowed;
//     if (som_pair_is_tested(som_pairs_rule(pairs, a, b, &allowed))) ...
//         // links a and b collide where their distance is below -allowed
//     for (int i = 0; i < pairs->group_count; i++) ...      // what was skipped, for people
//     som_pairs_destroy(pairs);
//
// All links are tested against all others, except those that the rules below exclude, each for a
// reason that holds in every posture. What touches is no collision: modules of a lattice stand face
// to face. Links may overlap by what rounding and figures in files leave, som_pair_touch. What
// links may do besides follows from how they are at home, while the joints of their module, or of
// their two connected modules, are at zero:
//   - those that touch there may overlap by som_pair_flush;
//   - those of one module that overlap there by more are drawn like that. They may overlap as deep
//     as there, and by som_pair_flush more, from the start of a motion until they are first apart;
//     from then on by som_pair_flush (verify/certificate.h).
// Two links that a joint joins are judged by parts, each part of one with each part of the other.
// Parts that are apart at home, on a hinge by more than 2 mm, are tested like any others. Of those
// that are not, the whole range of the joint is looked at (verify/joint_range.h): parts that are
// nowhere deeper in each other than at home need no test, those that overlap there and are apart
// elsewhere are drawn like that. If they are deeper somewhere, nothing tells the hinge from a
// collision: they are not tested, and what is claimed has to name their links. The same holds for a
// part that is apart at home, touches one of those in its link, and is nowhere deeper than that
// one. Links of two modules in one rigid body may overlap by som_pair_flush, too, and so may those
// that carry the two faces of a connection. Deeper is a collision. The rules do not depend on the
// posture.
//
// Ownership: immutable; borrows the mechanism.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "verify/link_solid.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The first that holds for two links, from the last one up.
typedef enum SomPairRule {
    SOM_PAIR_FREE,   // tested
    SOM_PAIR_FLUSH,  // tested: they touch at home, in one module or at a connection
    SOM_PAIR_BUILT,  // tested: they overlap at home, in one module
    SOM_PAIR_STILL,  // tested: of two modules, parts of one rigid body
    SOM_PAIR_DOCKED, // tested: they carry the two faces of a connection
    // a joint joins them, and all parts but those at the joint are tested: in its whole range these
    SOM_PAIR_PARTS_JOINED, // are no deeper than at home
    SOM_PAIR_PARTS_HINGED, // may be deeper somewhere
    // a joint joins them, and all parts are at the joint: in its whole range they
    SOM_PAIR_HINGED,   // may be deeper somewhere than at home
    SOM_PAIR_JOINED,   // are no deeper than at home
    SOM_PAIR_RIGID,    // of one module, parts of one rigid body
    SOM_PAIR_NO_SHAPE, // one has no solid
    SOM_PAIR_LEFT_OUT, // neighbours that the caller sees to by itself
    SOM_PAIR_APART,    // of two pieces, where one is against the other is not known
    SOM_PAIR_RULES
} SomPairRule;

// Pairs of links of two module types to which one rule applies.
typedef struct SomPairGroup {
    SomPairRule rule;
    const SomModuleType *type_a, *type_b; // type_b is NULL where there is no shape: with any other
    int link_a, link_b;                   // of the types
    long count;                           // pairs of links of the robot
} SomPairGroup;

// Modules that are connected, or one with itself.
typedef struct SomPairKind SomPairKind;

typedef struct SomPairNeighbor {
    int module; // -1 after the last
    const SomPairKind *kind;
    bool is_reversed; // the module is the kind's first
} SomPairNeighbor;

typedef struct SomPairs {
    const SomMechanism *mechanism;
    const SomLinkSolid *const *solids; // of each link
    const int *bodies;                 // the rigid body of each link, from 0
    int body_count;
    const SomPairNeighbor *neighbors; // of all modules; a module is the first of its own
    const int *first_neighbor;        // of each module
    long counts[SOM_PAIR_RULES];      // of pairs of links
    const SomPairGroup *groups;       // all but the free ones, the most frequent rule first
    int group_count;
    const bool *is_apart; // one a piece, set likewise: its place is not known; NULL: all are
    bool leaves_out_near; // set in a copy of the struct, by who looks at them in another way
    SomArena arena;
} SomPairs;

SomPairs *som_pairs_create(const SomMechanism *mechanism);
void som_pairs_destroy(SomPairs *pairs); // NULL is allowed

// The rule for two different links, and by how much they may overlap, in metres, those that overlap
// at home as long as they were never apart; NULL is allowed.
SomPairRule som_pairs_rule(const SomPairs *pairs, int link_a, int link_b, double *allowed);

// Whether they are links of one module or of two that are connected.
bool som_pairs_are_neighbors(const SomPairs *pairs, int link_a, int link_b);

// The same, or parts of one rigid body: how far apart they are is of no interest.
bool som_pairs_are_near(const SomPairs *pairs, int link_a, int link_b);

static inline bool som_pair_is_tested(SomPairRule rule) {
    return rule <= SOM_PAIR_PARTS_HINGED;
}

// The parts of two tested links, link_a < link_b, that are not tested against each other.
SomPartPairs som_pairs_except(const SomPairs *pairs, int link_a, int link_b);

// How far two tested links are apart, link_a < link_b, without these parts: see
// som_solid_distance.
SomDistance som_pairs_distance(const SomPairs *pairs, int link_a, const SomPose *pose_a, int link_b,
                               const SomPose *pose_b, double limit, SomDistanceCache *cache);

// "joined by a joint", for people.
const char *som_pair_rule_reason(SomPairRule rule);

// How deep is no collision: a micrometre, or a ten thousandth of the thinner part if that is less;
// a thousand times that where links touch at home. And what rounding takes of large shapes.
double som_pair_touch(const SomLinkSolid *a, const SomLinkSolid *b);
double som_pair_flush(const SomLinkSolid *a, const SomLinkSolid *b);

#ifdef __cplusplus
}
#endif
