// linkage/linkage.h - the kinematic graph: rigid links, joints of 12 types, cycles, sub-linkages.
//
// Every link but the top ground has one parent joint; these joints form a tree, all other joints
// are closures, which the solver keeps shut (linkage/solver.h). Every such link also has a root
// joint, a general joint to the ground of its sub-linkage: the tree parent of a link that floats,
// the handle by which any other link is dragged or locked.
//
//     SomLinkage *linkage = som_linkage_create();
//     SomLinkId arm = som_linkage_add_link(linkage, &(SomLinkDef){.name = SOM_STR("arm")}, diags);
//     SomJointDef def = {.name = SOM_STR("hip"), .type = SOM_JOINT_REVOLUTE,
//                        .parent = som_linkage_top_ground(linkage), .child = arm};
//     SomJointId hip = som_linkage_add_joint(linkage, &def, diags); // a closure
//     som_linkage_make_tree(linkage, hip, diags);
//     som_linkage_set_value(linkage, hip, SOM_DOF_RZ, 0.5, diags);
//
// Sub-linkages nest to any depth: the links of each form a tree under its own ground link, and the
// parent joint of that ground crosses out of the sub-linkage. A joint's child is placed by
//     parent pose * parent_frame * M(value)^(+1 or -1) * child_frame.
//
// Ownership: the linkage copies names and definitions; callers keep ids. A stale id or a joint type
// that there is not is an assertion. Names are any bytes, at least one; messages show them as they
// are, so what a user types is to be checked where it is read. Errors: a primitive validates first.
// A refused one reports why, returns false or a null id, and changes nothing. What a primitive does
// beside what was asked (a joint that becomes a closure, a link that moves) is reported as a note
// or a warning. Links stay where they are in the world unless a comment below says otherwise. One
// linkage is used by one thread at a time, also for reading. Undo: keep a som_linkage_copy; ids are
// good in both.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "linkage/joint_type.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomLinkage SomLinkage;

// Handles. Pass by value; zero is null.
typedef struct SomLinkId {
    uint32_t index1, generation;
} SomLinkId;

typedef struct SomJointId {
    uint32_t index1, generation;
} SomJointId;

typedef struct SomSublinkageId {
    uint32_t index1, generation;
} SomSublinkageId;

// When a sub-linkage moves: together with the one around it, after it (driven by it), before it.
typedef enum SomDisposition {
    SOM_SIMULTANEOUS,
    SOM_DRIVEN,
    SOM_DRIVING,
} SomDisposition;

// Closed intervals for the coordinates whose bit is set in `limited`.
typedef struct SomLimits {
    unsigned limited;
    double low[6];
    double high[6];
} SomLimits;

// In every definition a pose of zeros only stands for the identity.
typedef struct SomLinkDef {
    SomSublinkageId sublinkage; // null: the top
    SomStr name;                // unique in the sub-linkage
    SomPose pose;               // in the ground of the sub-linkage
    bool is_virtual;
} SomLinkDef;

typedef struct SomJointDef {
    SomStr name; // unique in the linkage
    SomJointType type;
    SomLinkId parent;
    SomLinkId child;
    SomPose parent_frame; // mobility frame in the parent link
    SomPose child_frame;  // child link in the mobility frame
    bool is_inverted;     // the motion of the type is that of the parent seen from the child
    bool is_virtual;
    SomLimits limits;
} SomJointDef;

typedef struct SomLinkInfo {
    SomStr name;
    SomSublinkageId sublinkage;
    SomJointId parent_joint; // null for the top ground
    SomJointId root_joint;   // likewise
    bool is_ground;          // of its sub-linkage
    bool is_virtual;
} SomLinkInfo;

typedef struct SomJointInfo {
    SomStr name; // empty for a root joint
    SomJointType type;
    SomLinkId parent;
    SomLinkId child;
    SomPose parent_frame;
    SomPose child_frame;
    SomLimits limits;
    bool is_inverted;
    bool is_virtual;
    bool is_root;
    bool is_tree; // else a closure
} SomJointInfo;

typedef struct SomSublinkageInfo {
    SomStr name;
    SomSublinkageId parent; // null for the top
    SomLinkId ground;       // null while it has no links
    SomDisposition disposition;
} SomSublinkageInfo;

// A linkage of one sub-linkage, "top", with one link, "ground", at the origin of the world.
SomLinkage *som_linkage_create(void);
SomLinkage *som_linkage_copy(const SomLinkage *linkage);
void som_linkage_destroy(SomLinkage *linkage); // NULL is allowed

// ---- the primitives; the cost is in links on the way to the top (h) or all links (n)

// The link floats on its root joint. The first link of a sub-linkage becomes its ground, and `pose`
// is then in the ground of the enclosing one. O(1)
SomLinkId som_linkage_add_link(SomLinkage *linkage, const SomLinkDef *def, SomDiagnostics *diags);
// Empty as yet; a null `parent` is the top. O(1)
SomSublinkageId som_linkage_add_sublinkage(SomLinkage *linkage, SomSublinkageId parent, SomStr name,
                                           SomDisposition disposition, SomDiagnostics *diags);
// Adds a closure, open or not. O(1)
SomJointId som_linkage_add_joint(SomLinkage *linkage, const SomJointDef *def,
                                 SomDiagnostics *diags);
bool som_linkage_set_link_name(SomLinkage *linkage, SomLinkId link, SomStr name,
                               SomDiagnostics *diags);
bool som_linkage_set_joint_name(SomLinkage *linkage, SomJointId joint, SomStr name,
                                SomDiagnostics *diags);

// The joint becomes the parent joint of its child; an open closure is shut by moving the child and
// all that hangs on it, which is reported. O(h), O(n) where the ground must change.
bool som_linkage_make_tree(SomLinkage *linkage, SomJointId joint, SomDiagnostics *diags);
// The child falls back to its root joint. O(h)
bool som_linkage_make_closure(SomLinkage *linkage, SomJointId joint, SomDiagnostics *diags);
bool som_linkage_make_ground(SomLinkage *linkage, SomLinkId link, SomDiagnostics *diags); // O(n)
bool som_linkage_invert(SomLinkage *linkage, SomJointId joint, SomDiagnostics *diags);

// Moves one end of a joint to another link. The frame stays where it is in the world, or with
// `keep_local` in its link: a tree joint then moves its child. O(h)
bool som_linkage_set_parent(SomLinkage *linkage, SomJointId joint, SomLinkId parent,
                            bool keep_local, SomDiagnostics *diags);
bool som_linkage_set_child(SomLinkage *linkage, SomJointId joint, SomLinkId child, bool keep_local,
                           SomDiagnostics *diags);
bool som_linkage_remove_joint(SomLinkage *linkage, SomJointId joint, SomDiagnostics *diags);
bool som_linkage_remove_link(SomLinkage *linkage, SomLinkId link, SomDiagnostics *diags);

// A tree joint whose value the new type or limits exclude moves its child, which is reported.
bool som_linkage_set_type(SomLinkage *linkage, SomJointId joint, SomJointType type,
                          SomDiagnostics *diags);
bool som_linkage_set_limits(SomLinkage *linkage, SomJointId joint, const SomLimits *limits,
                            SomDiagnostics *diags);

// Turns and shifts the link's own frame by `change`, seen in the old one; nothing else moves.
bool som_linkage_reposition_link(SomLinkage *linkage, SomLinkId link, SomPose change,
                                 SomDiagnostics *diags);
// Likewise the joint's mobility frame.
bool som_linkage_reposition_joint(SomLinkage *linkage, SomJointId joint, SomPose change,
                                  SomDiagnostics *diags);

// Adds a link at `pose` in `link`, a tree joint of `type` named after it with ".j", and hands it
// the joints of `moved`, of all of which `link` must be the parent.
SomLinkId som_linkage_split(SomLinkage *linkage, SomLinkId link, SomStr name, SomPose pose,
                            SomJointType type, const SomJointId *moved, int moved_count,
                            SomDiagnostics *diags);
// Welds the child of a tree joint to its parent and removes joint and child.
bool som_linkage_merge(SomLinkage *linkage, SomJointId joint, SomDiagnostics *diags);

// Puts links, which must hang together, in a sub-linkage of their own.
SomSublinkageId som_linkage_encapsulate(SomLinkage *linkage, const SomLinkId *links, int count,
                                        SomStr name, SomDisposition disposition,
                                        SomDiagnostics *diags);
bool som_linkage_dissolve(SomLinkage *linkage, SomSublinkageId sublinkage, SomDiagnostics *diags);

// ---- values and small properties

// Moves the child of a tree joint.
bool som_linkage_set_value(SomLinkage *linkage, SomJointId joint, int dof, double value,
                           SomDiagnostics *diags);
void som_linkage_set_disposition(SomLinkage *linkage, SomSublinkageId sublinkage,
                                 SomDisposition disposition);
// Nests a sub-linkage in another one; refused where it or its ground would then hang on itself.
bool som_linkage_nest(SomLinkage *linkage, SomSublinkageId inner, SomSublinkageId outer,
                      SomDiagnostics *diags);
void som_linkage_set_link_virtual(SomLinkage *linkage, SomLinkId link, bool is_virtual);
void som_linkage_set_joint_virtual(SomLinkage *linkage, SomJointId joint, bool is_virtual);

// Named frames fixed in a link; a second one of the same name takes the place of the first. To
// attach a joint to one, compose: parent_frame = frame * own, or
// child_frame = own * inverse of frame.
bool som_linkage_set_subframe(SomLinkage *linkage, SomLinkId link, SomStr name, SomPose frame,
                              SomDiagnostics *diags);
bool som_linkage_find_subframe(const SomLinkage *linkage, SomLinkId link, SomStr name,
                               SomPose *frame);

// ---- reading; text is borrowed until the linkage changes

SomSublinkageId som_linkage_top(const SomLinkage *linkage);
SomLinkId som_linkage_top_ground(const SomLinkage *linkage);
SomLinkInfo som_linkage_get_link(const SomLinkage *linkage, SomLinkId link);
SomJointInfo som_linkage_get_joint(const SomLinkage *linkage, SomJointId joint);
SomSublinkageInfo som_linkage_get_sublinkage(const SomLinkage *linkage, SomSublinkageId id);

// Null if there is none. A null `in` stands for the top.
SomLinkId som_linkage_find_link(const SomLinkage *linkage, SomSublinkageId in, SomStr name);
SomJointId som_linkage_find_joint(const SomLinkage *linkage, SomStr name);
SomSublinkageId som_linkage_find_sublinkage(const SomLinkage *linkage, SomSublinkageId in,
                                            SomStr name);
bool som_linkage_has_link(const SomLinkage *linkage, SomLinkId link);
bool som_linkage_has_joint(const SomLinkage *linkage, SomJointId joint);

// The first for a null id, then the next, then null.
SomLinkId som_linkage_next_link(const SomLinkage *linkage, SomLinkId link);
SomJointId som_linkage_next_joint(const SomLinkage *linkage, SomJointId joint);
SomSublinkageId som_linkage_next_sublinkage(const SomLinkage *linkage, SomSublinkageId id);
// The joints at one link, either end, in the order they came to it.
SomJointId som_linkage_next_joint_at(const SomLinkage *linkage, SomLinkId link, SomJointId joint);

int som_linkage_link_count(const SomLinkage *linkage);
int som_linkage_joint_count(const SomLinkage *linkage); // root joints included

SomPose som_linkage_pose(const SomLinkage *linkage, SomLinkId link); // in the world
// Moves everything.
bool som_linkage_set_world(SomLinkage *linkage, SomPose top_ground, SomDiagnostics *diags);

// The six coordinates of a joint: the value of a tree joint, what the poses make of a closure.
void som_linkage_coordinates(const SomLinkage *linkage, SomJointId joint, double y[6]);

// Where the child's mobility frame is, seen from the parent's: the motion of a joint, open or not.
SomPose som_linkage_motion(const SomLinkage *linkage, SomJointId joint);

// Changes with every structural change, so that compiled forms know when they are out of date. A
// copy has the version of the original until either is changed; then no two of them, nor of other
// copies, ever have one version again. Names, values and the world pose are not structure.
uint64_t som_linkage_version(const SomLinkage *linkage);

// Elementary steps (a link walked over, a joint end looked at, a pose computed) done so far.
uint64_t som_linkage_work(const SomLinkage *linkage);

// ---- checking

// All invariants of tree and hierarchy; the first that does not hold is written to `why`.
bool som_linkage_validate(const SomLinkage *linkage, SomText *why);

// Of everything but caches: equal for equal states, bit by bit.
uint64_t som_linkage_hash(const SomLinkage *linkage);

#ifdef __cplusplus
}
#endif
