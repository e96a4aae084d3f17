// behaviors/static_set_points.h - which set-points a joint may have when its actions begin, without
// playing the behavior.
//
//     SomStaticJoint joint = som_static_joint_create(def);
//     som_static_joint_choose(&joint, dof, actions, count); // all that command the joint
//     som_static_joint_walk(&joint);
//     for (int i = 0; i < joint.items.count; i++) ... joint.items.data[i].at[SOM_PASS_HIGHEST] ...
//     som_static_joint_free(&joint);
//
// The actions of a joint and the nodes above them form a small tree. Going up that tree, each node
// knows its effect on a set-point: it adds something, sets it, or either. Going down again, each
// node gets the set-point with which it begins, in those passes of the repetitions around it in
// which that is highest or lowest. Passes are multiplied, never counted: the work is proportional
// to the tree. What sensors, time or other branches decide makes a set-point a range.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "behaviors/static_reached.h"

#ifdef __cplusplus
extern "C" {
#endif

// Set-points that are possible, or ways.
typedef struct SomStaticRange {
    double low, high;
    double slope; // by how much it grows with the value of the tried statement; NAN: not known
} SomStaticRange;

// Of a node on a set-point. One that does both does one of them.
typedef struct SomStaticEffect {
    bool adds, sets;
    SomStaticRange sum, set;
} SomStaticEffect;

// Which passes of repetitions are looked at. Early ones are the first, but for repetitions of which
// each pass adds something.
typedef enum SomStaticPasses {
    SOM_PASS_EARLY_HIGHEST,
    SOM_PASS_EARLY_LOWEST,
    SOM_PASS_HIGHEST,
    SOM_PASS_LOWEST,
    SOM_PASS_CHOICES,
} SomStaticPasses;

// An action of the joint, or a node above some.
typedef struct SomStaticItem {
    int32_t node;
    int32_t parent;    // item; SOM_NONE
    int branches;      // children that command the joint
    bool has_relative; // it is or contains a relative move
    bool is_shared;    // several branches command the joint at the same time
    bool is_disturbed; // likewise, of a node above
    SomStaticEffect effect;
    SomStaticRange at[SOM_PASS_CHOICES]; // where it begins
    double pass[SOM_PASS_CHOICES];       // of a repetition: which one, from 1
    SomStaticRange growth;               // of a repetition: what each pass adds, if it only adds
} SomStaticItem;

typedef struct SomStaticJoint {
    const SomStaticDef *def;
    const SomActionGraph *graph;
    SomEnding *endings;
    SomStaticReached reached;
    int32_t *children; // by node, how many
    int32_t *item_of;  // by node; SOM_NONE
    int32_t dof;
    const SomServoModel *servo;
    SOM_ARRAY(SomStaticItem) items; // in the order of the graph
    bool is_trying;                 // the relative moves written at `tried` have another value
    SomSpan tried;
    double value;
} SomStaticJoint;

// Whether the highest set-points are looked at, not the lowest.
bool som_static_is_high(SomStaticPasses passes);

SomStaticJoint som_static_joint_create(const SomStaticDef *def);
void som_static_joint_free(SomStaticJoint *joint);

// From now on it is about this joint. Its actions in the order of the graph.
void som_static_joint_choose(SomStaticJoint *joint, int32_t dof, const int32_t *actions, int count);

// Fills in the items.
void som_static_joint_walk(SomStaticJoint *joint);

// By how much a relative move changes the set-point, and whether it is a tried one.
SomStaticRange som_static_joint_way(const SomStaticJoint *joint, int32_t node);
bool som_static_joint_is_tried(const SomStaticJoint *joint, int32_t node);

SomStaticRange som_static_range_add(SomStaticRange a, SomStaticRange b);
SomStaticRange som_static_range_multiply(SomStaticRange a, double count);

// Anywhere within the limits of the joint.
SomStaticRange som_static_joint_anywhere(const SomStaticJoint *joint);

#ifdef __cplusplus
}
#endif
