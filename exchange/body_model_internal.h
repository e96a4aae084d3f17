// exchange/body_model_internal.h - what the files that make a body model share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/body_model.h"
#include "verify/pairs.h"

// Nearer than this, two shapes count as touching: the play between parts of a module.
#define SOM_BODY_PLAY 1e-4
// Deeper than this where they start, two links do not rest against each other, they collide.
#define SOM_BODY_OVERLAP 1e-3

typedef SOM_ARRAY(SomBodyPair) SomBodyPairs;

// A joint between two nodes: link b is at link a * frame * M(sign * value) * frame^-1.
typedef struct SomBodyEdge {
    int node_a, node_b;
    int link_a, link_b;
    const SomModuleJoint *joint; // NULL: fixed
    int dof;                     // -1: fixed, or of a closed chain
    int dock;                    // that it stands for; -1: none
    double sign;
    double start;
    SomPose frame;
} SomBodyEdge;

// A body before it has its place in a tree.
typedef struct SomBodyNode {
    int link;
    int body;
    int first_edge, edge_count; // of `around`
    bool is_split;              // half of its link
} SomBodyNode;

typedef struct SomBodyMaker {
    const SomBodyDef *def;
    const SomMechanism *m;
    SomBodyModel *model;
    SomPose *links; // in the world, as the mechanism places them
    bool *is_locked;
    bool *is_driven; // one a dock: the graph opens or closes it
    int *node_of;    // of each link
    int *shares;     // of each link: bodies that have a share of its mass
    SOM_ARRAY(SomBodyNode) nodes;
    SOM_ARRAY(SomBodyEdge) edges;
    SOM_ARRAY(SomBodyWeld) welds; // bodies are nodes until these are placed
    int *around;                  // edges of nodes
    SomPairs *rules;
    int *first_unit;       // of each link: its parts, if some of them alone are not to be tested
                           // against another link; else the link is one
    SomBodyPairs ignored;  // units of different bodies that are not to be tested, sorted
    SomBodyPairs untested; // links of SomBodyModel.untested
    SomBodyPairs resting;  // units of SomBodyModel.resting
    int *first_ignored;    // of each unit, in `others`
    int *others;
} SomBodyMaker;

// Where the body of a link is in the world: that link's frame, as other programs know it.
SomPose som_body_maker_pose(const SomBodyMaker *q, int link);
// Where the link is in that body.
SomPose som_body_maker_link_in_own(const SomBodyMaker *q, int link);

// body_tree.c: places the nodes in trees; fills in bodies and joints, without names and shapes.
void som_body_maker_grow_trees(SomBodyMaker *q);

// body_shapes.c: fills in the shapes.
void som_body_maker_add_shapes(SomBodyMaker *q);

// body_pairs.c: which links, or parts of them, are not to be tested against each other, then which
// bodies.
bool som_body_rule_ignores(SomPairRule rule);
void som_body_maker_find_ignored(SomBodyMaker *q);
bool som_body_maker_ignores(const SomBodyMaker *q, int unit_a, int unit_b);
void som_body_maker_add_pairs(SomBodyMaker *q);

// body_reach.c: whether two shapes meet at any value of the joint between their bodies.
bool som_body_shapes_meet(const SomBodyModel *model, const SomBodyJoint *joint, int parent_shape,
                          int child_shape);

// body_shells.c: moves shapes to shells, so that bodies can be told apart as links are.
void som_body_maker_add_shells(SomBodyMaker *q);

// body_names.c: names of bodies, joints and shapes.
void som_body_maker_add_names(SomBodyMaker *q);
