// compose/mechanism.h - a configuration as one flat tree of links, for placing it fast.
//
// Links stand in the order of modules and of the links of their types, so that link k of module m
// is first_link[m] + k. `order` is a way through them in which every link comes behind its parent.
//
//     SomMechanism *mechanism = som_mechanism_create(configuration);
//     SomPose *links = som_alloc(sizeof *links * (size_t)mechanism->link_count);
//     som_mechanism_place(mechanism, &posture, links);
//     SomPose arm = som_mechanism_module_pose(mechanism, links, module);
//     SomVec3 com = som_mechanism_com(mechanism, links);
//
// A link has the frame of its module while all joints of it are at zero. The root link of each
// piece stays: piece 0 is that of the base, which "the" mass and centre of mass are of. A link
// hangs on its parent by
//     pose of the parent * frame * M(sign * value) * frame^-1        where a DoF moves it,
//     pose of the parent * frame                                     else.
//
// Ownership: immutable; borrows the configuration, which must outlive it. Placing allocates
// nothing.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/posture.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomMechanismLink {
    SomStr path; // head.UHolderBody
    int module;
    int module_link;           // of the module's type
    const SomModuleLink *link; // its shapes, inertia and colour, in its own frame
    int parent;                // link; -1 for the root of a piece
    int dof;                   // that moves it; -1 if it is fixed to its parent
    int connection;            // by which it hangs on its parent; -1 if in its own module
    SomJointType type;         // of the DoF; SOM_JOINT_FIXED if none
    double sign;               // -1: the DoF moves the parent seen from this link
    SomPose frame;             // of the root of a piece: in the world
    bool is_loose;             // of another piece than that of the base
    int piece;                 // 0: that of the base; else 1 + the index of the configuration's
} SomMechanismLink;

// What is connected as docks are now.
typedef struct SomMechanismPiece {
    int root;      // link
    SomPose pose;  // of the root in the world
    bool is_fixed; // the root is bolted to the world
    double mass;
    int base; // of the configuration's bases; -1: docks have left it behind
} SomMechanismPiece;

// A DoF: joints[dof].
typedef struct SomMechanismJoint {
    const SomModuleJoint *joint; // limits, speed, …
    int child;                   // the link it moves, away from the base
    int parent;
    double sign;
} SomMechanismJoint;

// What the tree leaves out: link b is at link a * frame (a connection), or moves against it as a
// joint does, of a closed chain in one module, whose mobility frame is `frame` in both.
typedef struct SomMechanismClosure {
    int connection; // -1: a joint
    int joint;      // of the module's type; -1: a connection
    int module;     // of the joint, or module b of the connection
    int link_a, link_b;
    SomJointType type; // SOM_JOINT_FIXED for a connection
    SomPose frame;
} SomMechanismClosure;

typedef struct SomMechanism {
    const SomConfiguration *configuration;
    const SomMechanismLink *links;
    int link_count;
    const int *first_link; // of each module, and link_count
    const int *order;
    const SomMechanismPiece *pieces; // pieces[0] is that of the base
    int piece_count;                 // at least 1
    const SomMechanismJoint *joints; // of each DoF
    int dof_count;
    const SomMechanismClosure *closures;
    int closure_count;
    SomPose base;  // pieces[0].pose
    bool is_fixed; // pieces[0].is_fixed
    double mass;   // pieces[0].mass
    SomArena arena;
} SomMechanism;

typedef struct SomMechanismPair {
    int link_a, link_b;
} SomMechanismPair;

// How far apart the two sides of a closure are: of a connection at its connectors, of a joint where
// its axis is.
typedef struct SomGap {
    double metres;
    double radians;
} SomGap;

// Open by no more than this is shut, in metres and radians.
#define SOM_LOOP_TOLERANCE 1e-6

SomMechanism *som_mechanism_create(const SomConfiguration *configuration);
// A piece as a robot of its own, moved as a rigid body: it has the base, and everything else is
// loose and anywhere. DoF, modules and links are numbered as in the whole, which it does not
// borrow.
SomMechanism *som_mechanism_create_piece(const SomMechanism *whole, int piece, SomPose moved);
void som_mechanism_destroy(SomMechanism *mechanism); // NULL is allowed

// World poses of all links.
void som_mechanism_place(const SomMechanism *mechanism, const SomPosture *posture, SomPose *links);

int som_mechanism_link_of(const SomMechanism *mechanism, int module, int module_link);

// Of the module frame, which is that of the module's root link.
SomPose som_mechanism_module_pose(const SomMechanism *mechanism, const SomPose *links, int module);
// Of a frame of the module's type, or -1 the module frame.
SomPose som_mechanism_frame_pose(const SomMechanism *mechanism, const SomPose *links, int module,
                                 int frame);
SomPose som_mechanism_connector_pose(const SomMechanism *mechanism, const SomPose *links,
                                     int module, int connector);

// Of one piece.
SomVec3 som_mechanism_piece_com(const SomMechanism *mechanism, const SomPose *links, int piece);
// Without loose pieces.
SomVec3 som_mechanism_com(const SomMechanism *mechanism, const SomPose *links);
// Of all shapes; low is above high if there is none.
SomBounds som_mechanism_bounds(const SomMechanism *mechanism, const SomPose *links);
SomBounds som_mechanism_piece_bounds(const SomMechanism *mechanism, const SomPose *links,
                                     int piece);
SomBounds som_mechanism_link_bounds(const SomMechanism *mechanism, const SomPose *links, int link);

SomGap som_mechanism_gap(const SomMechanism *mechanism, const SomPose *links, int closure);
// Of any connection of two modules of it, one of a dock that is open, say.
SomGap som_mechanism_connection_gap(const SomMechanism *mechanism, const SomPose *links,
                                    const SomConnection *connection);
double som_gap_size(SomGap gap); // the larger of both
// The closure that is widest open, -1 if there is none, and its gap; NULL is allowed for both. True
// if it is not shut: then values of joints have torn a loop.
bool som_mechanism_worst_gap(const SomMechanism *mechanism, const SomPose *links, int *closure,
                             SomGap *gap);
// "the loop closed by 'a.B' and 'c.T'", "the chain closed by joint 'knee' of 'a'".
void som_mechanism_print_closure(const SomMechanism *mechanism, int closure, SomText *out);
void som_gap_print(SomGap gap, SomText *out); // "12.5 mm and 3 deg"

#ifdef __cplusplus
}
#endif
