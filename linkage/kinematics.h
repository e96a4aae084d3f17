// linkage/kinematics.h - a linkage compiled for moving: all poses in one pass, closures, Jacobians.
//
// Nodes are links in an order in which every link stands behind its parent and all that hangs on a
// link stands directly behind it. A pass over the nodes places all links; when one joint moves,
// only the nodes behind it are placed again.
//
//     SomKinematics *k = som_kinematics_compile(linkage); // with its values, all links placed
//     int arm = som_kinematics_find(k, arm_link), hand = som_kinematics_find(k, hand_link);
//     som_kinematics_move(k, arm, SOM_DOF_RZ, 0.3); // its parent joint, and what hangs on it
//     SomPose pose = k->nodes[hand].pose;
//     som_kinematics_store(k, linkage);
//     som_kinematics_load(k, linkage); // after the linkage got other values
//
// Ownership: a compiled copy, good while som_linkage_version of the linkage stays the same. Nothing
// but compiling allocates.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

// How much of a constant frame there is to compute.
typedef enum SomFrameKind { SOM_FRAME_NONE, SOM_FRAME_SHIFT, SOM_FRAME_FULL } SomFrameKind;

typedef struct SomKinematicsNode {
    SomLinkId link;
    SomJointId joint; // its parent joint; null for the first node
    int parent;       // node
    int end;          // all that hangs on this node are the nodes up to before this one
    SomJointType type;
    bool is_inverted;
    SomFrameKind parent_kind, child_kind;
    SomPose parent_frame, child_frame;
    double value[6];
    SomPose mobility; // in the world: turned as the axes are, at the point that turns
    SomPose pose;     // the link in the world
} SomKinematicsNode;

// A closure: any joint that is no tree joint, root joints included.
typedef struct SomClosure {
    SomJointId joint;
    SomJointType type;
    bool is_root;
    bool is_inverted;
    bool has_value;
    int node[2];
    SomFrameKind parent_kind, child_kind;
    SomPose parent_frame, child_frame_inverse;
    SomLimits limits;
    double y[6]; // coordinates, near the last ones
} SomClosure;

typedef struct SomKinematics {
    SomKinematicsNode *nodes;
    int node_count;
    SomClosure *closures;
    int closure_count;
    int *node_of_link;   // by index1 of the id
    int *place_of_joint; // by index1: node, or -1 - closure
    int link_slots, joint_slots;
    struct SomLineage *lineage; // of the linkage and its copies; shared
    uint64_t version;
} SomKinematics;

SomKinematics *som_kinematics_compile(const SomLinkage *linkage);
void som_kinematics_destroy(SomKinematics *kinematics); // NULL is allowed

// Values of tree joints and last coordinates of closures, to and from the linkage.
void som_kinematics_load(SomKinematics *kinematics, const SomLinkage *linkage);
void som_kinematics_store(const SomKinematics *kinematics, SomLinkage *linkage);

int som_kinematics_find(const SomKinematics *kinematics, SomLinkId link);
int som_kinematics_find_joint(const SomKinematics *kinematics, SomJointId joint, bool *is_tree);

// Places the nodes from `first` to before `end`; what they hang on must be placed.
void som_kinematics_place(SomKinematics *kinematics, int first, int end);
// Changes one coordinate of a tree joint and places what hangs on it.
void som_kinematics_move(SomKinematics *kinematics, int node, int dof, double value);

// How one free coordinate of a tree joint moves the world: about an axis through a point, or along.
typedef struct SomAxis {
    SomVec3 direction;
    SomVec3 point;
    bool is_turn;
} SomAxis;

// Axes of all free coordinates of a node's joint, in the order of its type's dofs; returns how
// many.
int som_kinematics_axes(const SomKinematics *kinematics, int node, SomAxis axes[6]);

// What the columns of a closure's Jacobian need of the closure itself.
typedef struct SomClosureFrame {
    SomMat3 rotation; // of the frame that the coordinates are seen from
    SomVec3 point;
    SomMat3 turn; // angular velocity there to change of rotation vector
} SomClosureFrame;

// The coordinates of a closure from the poses, kept in it to stay near them next time, and, unless
// `frame` is NULL, its frame.
void som_kinematics_close(SomKinematics *kinematics, int closure, SomClosureFrame *frame);

// d y / d x for one axis on the way to the closure's moving end; negate on the way to the other.
void som_kinematics_column(const SomClosureFrame *frame, const SomAxis *axis, double column[6]);

// The nodes whose joints move a closure: on the way from one end up to where both ways meet. Writes
// node and sign, at most `capacity`; returns how many there are.
int som_kinematics_support(const SomKinematics *kinematics, int closure, int *nodes, int *signs,
                           int capacity);

#ifdef __cplusplus
}
#endif
