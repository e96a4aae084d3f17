// exchange/body_model.h - a design as rigid bodies and joints, the way physics engines want it:
// what all writers of simulators' files share.
//
//     SomBodyModel *model = som_body_model_create(&(SomBodyDef){.mechanism = mechanism,
//                                                               .posture = &posture,
//                                                               .graph = graph});
//     for (int i = 0; i < model->body_count; i++) ... model->bodies[i].parent < i ...
//     som_body_model_destroy(model);
//
// Reduced, which is the default: links that are fixed to each other are one body, with masses and
// moments added exactly; DoF that the graph never commands stay where they start and fix their two
// links, too, except where they close a loop with one that moves; and of the shapes of a body those
// touch the ground that decide how it stands (exchange/contact_shapes.h). All touch other bodies of
// the robot. A full model has one body for each
// link, and fixed joints.
//
// Bodies hang in trees. A loop is cut where the mechanism cuts it: at its fixed connection, which
// becomes a weld of two bodies. A closing joint in a module gets a body of its own, half of the
// link that it would move, which is welded to the other half. Docks that the graph opens or closes
// are welds, held at first or not; what only such docks hold together are trees of their own.
//
// Engines never test shapes of one body against each other, and some do not test those of a body
// against those of its parent either. Only links that are connected or overlap by construction may
// be ignored so (verify/pairs.h), and a body that was merged has many more. With `contacts`, some
// of its shapes are therefore moved to bodies of their own, its shells, which are fixed to it.
//
// Names are words of ASCII letters, digits and underscores, unique among bodies and joints; the
// paths beside them are those of the design. World poses are at the start, pieces dropped on the
// ground: what is bolted to the world, or put elsewhere beside other pieces, stays where it is.
//
// Ownership: immutable; borrows the mechanism, which must outlive it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"
#include "player/robot_run.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which bodies the reader of the model tests against each other.
typedef enum SomBodyContacts {
    SOM_BODY_CONTACTS_WHOLE,  // no shells, pairs have all bodies that touch where they start
    SOM_BODY_CONTACTS_PARENT, // not a body and its parent, nor `pairs`: SDF
    SOM_BODY_CONTACTS_LISTED, // all but `pairs` and the shells of one body: MJCF
} SomBodyContacts;

// Zero is the default for all but the mechanism.
typedef struct SomBodyDef {
    const SomMechanism *mechanism;
    const SomPosture *posture;   // how it starts; NULL: as the design says
    const SomActionGraph *graph; // with the DoF and docks of the configuration; NULL: all DoF may
                                 // move, docks stay as they are
    bool is_full;                // not reduced
    bool is_centered;            // trees hang on the middle of their longest way: shallow ones;
                                 // else the first hangs on the base's body
    bool joins_docks;            // docks stay as they are, for formats that cannot open them: those
                                 // that hold the tree together are fixed joints, the others welds
    SomBodyContacts contacts;
    bool keeps_root; // a first link without mass and shape is a body of its own, for
                     // formats whose root is such a one; all it holds hangs on it as one
} SomBodyDef;

// A convex piece of a body.
typedef struct SomBodyShape {
    SomStr name; // unique among shapes
    int body;
    int link; // that it is of; of one that stands for those of several links, the first
    int part; // of the link; -1: it stands for several
    int unit; // a number of its link, or of its part where parts of the link are told apart
    const SomShape *shape;
    SomPose pose; // in the body
    double friction;
    double color[4];
    bool is_solid;     // touches others
    bool skips_ground; // of these, none but other bodies of the robot
    bool skips_robot;  // none but what is not of the robot
    bool is_rolled;    // skips the ground because a roller does not
    bool is_seen;      // drawn
} SomBodyShape;

typedef struct SomBody {
    SomStr name;
    SomStr path;   // of its link
    int link;      // of the mechanism: the body's frame is that by which others know the link
    int parent;    // body, before this one; -1: it floats, or is fixed
    int joint;     // by which it hangs; -1: on none
    int depth;     // 0 for one without a parent
    int piece;     // of the mechanism
    bool is_fixed; // bolted to the world: it does not float, though it has no parent
    SomStr bolt;   // the name of a joint that does it
    int host;      // body whose shapes a shell has: its parent; -1: it is none
    SomPose pose;
    SomInertia inertia; // in its frame; physical
    int first_shape, shape_count;
} SomBody;

typedef struct SomBodyJoint {
    SomStr name;
    SomStr path;                 // of the DoF, else of the child's link
    const SomModuleJoint *joint; // of its module's type; NULL: a connection
    int dof;                     // -1: fixed, or it closes a chain in a module and follows
    int dock;                    // of the configuration, of a joint that stands for one; else -1
    int parent;                  // bodies
    int child;                   // bodies[child].joint is this one
    SomJointType type;           // SOM_JOINT_REVOLUTE, SOM_JOINT_PRISMATIC or SOM_JOINT_FIXED
    SomVec3 position;            // in the child's frame, a point of the axis
    SomVec3 axis;     // in the child's frame, of length 1: the DoF grows along or about it
    double start;     // value of the DoF in the poses of the bodies
    double low, high; // infinite where there is no limit
    double effort, speed, acceleration; // 0: not given
    double damping, friction;
    double gains[3];
} SomBodyJoint;

// Body b is held at `pose` in body a.
typedef struct SomBodyWeld {
    SomStr name; // unique among welds
    SomStr path; // "a.B to c.T", "a.knee"
    int body_a, body_b;
    int dock;     // of the configuration; -1: it holds for good
    bool is_held; // at the start
    SomPose pose;
    SomSpan span; // where the design says so
} SomBodyWeld;

// Two bodies, or two links.
typedef struct SomBodyPair {
    int a, b; // a < b
} SomBodyPair;

typedef struct SomBodyModel {
    const SomMechanism *mechanism;
    SomStr name;           // that of the design, a word like the others
    const SomBody *bodies; // parents first, children right behind: depth first
    int body_count;
    const SomBodyJoint *joints; // in the order of their children
    int joint_count;
    const SomBodyShape *shapes; // by body
    int shape_count;
    const SomBodyWeld *welds;
    int weld_count;
    const SomBodyPair *pairs;   // bodies that are not to be tested: their links are connected or
    int pair_count;             // overlap by construction; see SomBodyContacts for a joint's two
    const SomBodyPair *resting; // units of different bodies that touch where they start, and are
    int resting_count;          // tested
    const SomBodyPair
        *untested;            // links that verification tests, and engines are not to: they touch
    int untested_count;       // where joints are at zero
    const int *body_of;       // one a link of the mechanism; not a shell
    const SomPose *link_pose; // one a link: in its body
    const int *joint_of;      // one per DoF; -1: it is locked
    const double *start;      // one per DoF
    const double *lifts;      // by piece: by which poses are above those of the mechanism
    int depth;                // the largest of a body
    SomBodyContacts contacts;
    bool is_full;
    double friction;    // of links that give none: the design's
    SomFallLimits fall; // likewise
    SomArena arena;
} SomBodyModel;

SomBodyModel *som_body_model_create(const SomBodyDef *def);
void som_body_model_destroy(SomBodyModel *model); // NULL is allowed

// Poses of all bodies where the DoF have other values than at the start, on the ground likewise.
// Locked DoF stay; false, and nothing is written, if they would have to move by more than 1e-9.
bool som_body_model_place(const SomBodyModel *model, const SomPosture *posture, SomPose *bodies);

// Red, green, blue, opacity of a link's shapes; grey where its module type does not say.
const double *som_body_link_color(const SomMechanism *mechanism, int link);

// What a motor does, in N m or N and in rad/s or m/s; where its module type does not say, what
// carries a robot of this mass.
double som_body_joint_effort(const SomBodyModel *model, const SomBodyJoint *joint);
double som_body_joint_speed(const SomBodyJoint *joint);

// What a player senses of the bodies: one a body, without names. The caller frees it.
SomRobotBody *som_body_model_robot(const SomBodyModel *model);

// What a player holds: one a weld, with empty names. The caller frees it.
SomRobotWeld *som_body_model_welds(const SomBodyModel *model);

// Names `untested`; where the model ends up, physics does not see these collide.
void som_body_model_report_untested(const SomBodyModel *model, SomDiagnostics *diags);

// A table for people and programs: what each name is in the design. "kind,name,path", a line each:
// body (one for every link of it), joint, locked (a DoF without joint; the name is its value),
// weld.
void som_body_model_print_names(const SomBodyModel *model, SomText *out);

#ifdef __cplusplus
}
#endif
