// linkage/model_internal.h - how a linkage is stored, for the files of this room only.
//
// Everything is a record in a flat array and refers to others by slot, -1 for none; a copy of a
// linkage is a copy of the arrays. Lists are threaded through the records and keep the order in
// which members came, so nothing ever depends on addresses. World poses are cached with a stamp: a
// pose is good while its stamp is the current one, and it is then, bit by bit, what the joints up
// to the top make it. A primitive that changes several joints makes all stamps old before and
// after, so that what it computes depends on the state alone and not on what was asked before;
// within it, poses that it does not change are computed once. One that changes a single joint only
// makes those old that hang on it, so that a chain grows at its end at the same cost as at the
// ground.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "linkage/linkage.h"
#include "linkage/name_index.h"

#include <stdatomic.h>

#define PARENT 0 // ends of a joint
#define CHILD 1

typedef struct Link {
    uint32_t generation;
    bool is_alive;
    bool is_virtual;
    uint32_t name1;
    int part;                // its sub-linkage
    int next, previous;      // in its sub-linkage
    int parent_joint;        // -1: the top ground
    int root_joint;          // likewise
    int first_end, last_end; // of joints at this link; 2 * joint + end
    int first_subframe;
} Link;

typedef struct Joint {
    uint32_t generation;
    bool is_alive;
    bool is_root;
    bool is_virtual;
    bool is_inverted;
    bool has_value;
    SomJointType type;
    uint32_t name1; // 0 for a root joint
    int link[2];
    int next[2], previous[2]; // in the list of joint ends at that link
    double value[6];          // of a tree joint; of a closure the last one known, to stay near it
    SomPose parent_frame;
    SomPose child_frame;
    SomLimits limits;
} Joint;

typedef struct Part {
    uint32_t generation;
    bool is_alive;
    SomDisposition disposition;
    uint32_t name1;
    int parent;                // -1: the top
    int next, previous;        // among the sub-linkages of its parent
    int first_part, last_part; // its sub-linkages
    int first_link, last_link;
    int ground;
} Part;

typedef struct Subframe {
    int next;
    uint32_t name1;
    SomPose frame;
} Subframe;

// Shared by a linkage, its copies and what is compiled for them, so that none of them ever gets a
// number that another one has: two versions with one number have one structure, also after undo.
typedef struct SomLineage {
    atomic_uint_least64_t last;
    atomic_int owners;
} SomLineage;

// What is not state: caches and marks, written also while reading.
typedef struct Scratch {
    uint64_t stamp;
    uint64_t work;
    uint64_t mark;
    uint64_t ticket; // of the solver that wrote the values last; 0 once anything else changed them
    int capacity;
    SomPose *poses;
    uint64_t *stamps;
    uint64_t *marks;
    int *path;
} Scratch;

struct SomLinkage {
    SOM_ARRAY(Link) links;
    SOM_ARRAY(Joint) joints;
    SOM_ARRAY(Part) parts;
    SOM_ARRAY(Subframe) subframes;
    int free_link, free_joint, free_part, free_subframe; // lists through `next`
    int link_count, joint_count;
    SomNames names;
    SomPose world; // of the top ground
    SomLineage *lineage;
    uint64_t version; // of the structure, a number of the lineage
    Scratch *scratch;
};

SomLineage *som_lineage_create(void);
SomLineage *som_lineage_share(SomLineage *lineage);
void som_lineage_release(SomLineage *lineage);
uint64_t som_lineage_next(SomLineage *lineage); // a number that nobody had

// Slots of ids; a stale or null id is an assertion.
int som_model_link(const SomLinkage *l, SomLinkId id);
int som_model_joint(const SomLinkage *l, SomJointId id);
int som_model_part(const SomLinkage *l, SomSublinkageId id);
SomLinkId som_model_link_id(const SomLinkage *l, int link); // null for -1
SomJointId som_model_joint_id(const SomLinkage *l, int joint);
SomSublinkageId som_model_part_id(const SomLinkage *l, int part);

// Names: scopes are one for all joints, and two per sub-linkage.
#define SOM_MODEL_JOINT_SCOPE 1u
uint32_t som_model_link_scope(int part);
uint32_t som_model_part_scope(int parent);
SomStr som_model_link_name(const SomLinkage *l, int link);
SomStr som_model_joint_name(const SomLinkage *l, int joint);         // empty for a root joint
SomStr som_model_joint_or_link_name(const SomLinkage *l, int joint); // for a root joint its link's
SomStr som_model_part_name(const SomLinkage *l, int part);

// Records. New ones are not yet in any list of names, links or parts.
int som_model_new_joint(SomLinkage *l);
int som_model_new_root_joint(SomLinkage *l, int child, int parent); // attached; not yet the tree's
int som_model_new_part(SomLinkage *l, int parent, SomStr name, SomDisposition disposition);
void som_model_delete_joint(SomLinkage *l, int joint); // with its name and ends
void som_model_delete_link(SomLinkage *l, int link);
int som_model_add_link(SomLinkage *l, int part, SomStr name, SomPose pose, bool is_virtual);

// Lists.
void som_model_attach(SomLinkage *l, int joint, int end, int link); // appends
void som_model_move_end(SomLinkage *l, int joint, int end, int link);
void som_model_swap_ends(SomLinkage *l, int joint); // keeps their places in the lists
void som_model_put_link_in(SomLinkage *l, int link, int part);
void som_model_take_link_out(SomLinkage *l, int link);
void som_model_put_part_in(SomLinkage *l, int part, int parent);
void som_model_take_part_out(SomLinkage *l, int part);

// The tree.
// The sub-linkage of a link, and the ground of that.
static inline int som_model_part_of(const SomLinkage *l, int link) {
    return l->links.data[link].part;
}

static inline int som_model_ground_of(const SomLinkage *l, int link) {
    return l->parts.data[som_model_part_of(l, link)].ground;
}

static inline bool som_model_is_tree(const SomLinkage *l, int joint) {
    return l->links.data[l->joints.data[joint].link[CHILD]].parent_joint == joint;
}
bool som_model_is_ancestor(const SomLinkage *l, int ancestor, int link); // or the link itself
bool som_model_is_within(const SomLinkage *l, int part, int outer);      // or outer itself
bool som_model_is_crossing(const SomLinkage *l, int joint);
int som_model_root_parent(const SomLinkage *l, int part); // ground outside that part may hang on

// Poses.
SomPose som_model_motion_of(const Joint *joint, const double value[6]); // M, inverted or not
SomPose som_model_joint_pose(const Joint *joint); // child link in the parent link, of a tree joint
SomPose som_model_pose(const SomLinkage *l, int link);
SomPose som_model_relative(const SomLinkage *l, int from, int link);
SomPose som_model_implied(const SomLinkage *l, int joint); // M as the link poses make it

// Values. Beyond the bound, metres and radians alike, sums and products lose their meaning.
#define SOM_MODEL_LARGEST 1e9
// By how much a coordinate is out of its limits, with a sign; 0 if it has none.
static inline double som_model_excess(const SomLimits *limits, int dof, double y) {
    if (!(limits->limited >> dof & 1)) {
        return 0;
    }
    return y > limits->high[dof]  ? y - limits->high[dof]
           : y < limits->low[dof] ? y - limits->low[dof]
                                  : 0;
}
void som_model_set_root_value(SomLinkage *l, int joint, SomPose pose, bool near_last);
double som_model_set_clamped(SomLinkage *l, int joint, SomPose motion); // how much was cut off

// Checks; what is wrong is reported. A pose of zeros becomes the identity.
bool som_model_check_not_empty(const char *what, SomStr name, SomDiagnostics *diags);
bool som_model_check_name(const SomLinkage *l, uint32_t scope, const char *what, SomStr name,
                          SomDiagnostics *diags);
bool som_model_check_not_root(const SomLinkage *l, int joint, SomDiagnostics *diags);
bool som_model_check_pose(SomPose *pose, const char *what, SomStr name, SomDiagnostics *diags);
bool som_model_check_limits(const SomLimits *limits, SomJointType type, SomStr name,
                            SomDiagnostics *diags);
void som_model_report_moved(const SomLinkage *l, int joint, double by, SomDiagnostics *diags);

void som_model_fit_scratch(const SomLinkage *l); // caches grow with the links

// Marks for sets of links; a new set is empty.
void som_model_new_marks(const SomLinkage *l);
static inline void som_model_mark(const SomLinkage *l, int link) {
    l->scratch->marks[link] = l->scratch->mark;
}
static inline bool som_model_is_marked(const SomLinkage *l, int link) {
    return l->scratch->marks[link] == l->scratch->mark;
}
// Values of joints changed: all poses are old.
static inline void som_model_touch(const SomLinkage *l) {
    l->scratch->stamp++;
    l->scratch->ticket = 0;
}
// One joint changed: poses that hang on it are old, none if it is a closure.
void som_model_touch_at(const SomLinkage *l, int joint);
static inline void som_model_count_work(const SomLinkage *l, int steps) {
    l->scratch->work += (uint64_t)steps;
}

// A primitive that changes several joints brackets what it does with these; begin may come before
// it is refused.
void som_model_begin(const SomLinkage *l);
bool som_model_end(SomLinkage *l); // returns true
// One that changes one joint, and has computed all poses before it did, ends so.
bool som_model_end_at(SomLinkage *l, int joint);

// Cores of primitives, used by others; all conditions hold.
const char *som_model_why_not_tree(const SomLinkage *l, int joint, SomCode *code); // NULL: it can
double som_model_make_tree(SomLinkage *l, int joint); // see set_clamped
void som_model_make_closure(SomLinkage *l, int joint);
void som_model_make_ground(SomLinkage *l, int link);
void som_model_set_parent(SomLinkage *l, int joint, int parent, bool keep_local);
void som_model_set_child(SomLinkage *l, int joint, int child, bool keep_local); // of a closure
