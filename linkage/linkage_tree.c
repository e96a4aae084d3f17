// SPDX-License-Identifier: Apache-2.0
// The spanning tree: MakeTree, MakeClosure, MakeGround and Invert.

#include "base/codes/linkage_codes.h"
#include "linkage/model_internal.h"

#include <assert.h>

const char *som_model_why_not_tree(const SomLinkage *l, int joint, SomCode *code) {
    const Joint *j = &l->joints.data[joint];
    int parent = j->link[PARENT], child = j->link[CHILD];
    if (som_model_is_crossing(l, joint)) {
        if (som_model_is_within(l, som_model_part_of(l, parent), som_model_part_of(l, child))) {
            *code = SOM_LINKAGE_INWARD_CROSSING;
            return "leads from inside a sub-linkage out to the one around it";
        }
        if (som_model_is_ancestor(l, som_model_ground_of(l, child), parent)) {
            *code = SOM_LINKAGE_CYCLE;
            return "would let the sub-linkage of its child hang on itself";
        }
    } else if (child != som_model_ground_of(l, child) && som_model_is_ancestor(l, child, parent)) {
        *code = SOM_LINKAGE_CYCLE;
        return "would let its child hang on itself";
    }
    return NULL;
}

double som_model_make_tree(SomLinkage *l, int joint) {
    int parent = l->joints.data[joint].link[PARENT], child = l->joints.data[joint].link[CHILD];
    SomPose motion = som_model_implied(l, joint);
    if (som_model_is_crossing(l, joint)) {
        som_model_make_ground(l, child);
    } else if (child == som_model_ground_of(l, child)) {
        som_model_make_ground(l, parent);
    }
    double cut = som_model_set_clamped(l, joint, motion);
    l->links.data[child].parent_joint = joint;
    return cut;
}

bool som_linkage_make_tree(SomLinkage *l, SomJointId id, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (som_model_is_tree(l, joint)) {
        return true;
    }
    SomCode code;
    const char *why = som_model_why_not_tree(l, joint, &code);
    if (why != NULL) {
        som_report(diags, code, (SomSpan){0}, "%s '%.*s' cannot join the tree: it %s",
                   l->joints.data[joint].is_root ? "the root joint of" : "joint",
                   SOM_STR_ARG(som_model_joint_or_link_name(l, joint)), why);
        return false;
    }
    int ground = som_model_ground_of(l, l->joints.data[joint].link[CHILD]);
    som_model_report_moved(l, joint, som_model_make_tree(l, joint), diags);
    bool is_regrounded = ground != som_model_ground_of(l, l->joints.data[joint].link[CHILD]);
    return is_regrounded ? som_model_end(l) : som_model_end_at(l, joint);
}

void som_model_make_closure(SomLinkage *l, int joint) {
    int child = l->joints.data[joint].link[CHILD];
    int root = l->links.data[child].root_joint;
    bool near_last = true;
    if (child == som_model_ground_of(l, child)) {
        int parent = som_model_root_parent(l, som_model_part_of(l, child));
        if (parent != l->joints.data[root].link[PARENT]) {
            som_model_move_end(l, root, PARENT, parent);
            near_last = false;
        }
    }
    SomPose pose = som_model_relative(l, l->joints.data[root].link[PARENT], child);
    som_model_set_root_value(l, root, pose, near_last);
    l->links.data[child].parent_joint = root;
}

bool som_linkage_make_closure(SomLinkage *l, SomJointId id, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_is_tree(l, joint)) {
        return true;
    }
    if (!som_model_check_not_root(l, joint, diags)) {
        return false;
    }
    som_model_make_closure(l, joint);
    return som_model_end_at(l, l->links.data[l->joints.data[joint].link[CHILD]].root_joint);
}

// Turns a joint round; its ends change places.
static void flip(SomLinkage *l, int joint) {
    Joint *j = &l->joints.data[joint];
    SomPose parent_frame = som_pose_invert(j->child_frame);
    j->child_frame = som_pose_invert(j->parent_frame);
    j->parent_frame = parent_frame;
    j->is_inverted = !j->is_inverted;
    som_model_swap_ends(l, joint);
}

// Lets all root joints that hang on the old ground hang on the new one.
static void move_root_joints(SomLinkage *l, int ground, int link) {
    int own = l->links.data[link].root_joint;
    int entry = l->links.data[ground].first_end;
    while (entry >= 0) {
        int joint = entry / 2, end = entry % 2;
        entry = l->joints.data[joint].next[end];
        som_model_count_work(l, 1);
        if (!l->joints.data[joint].is_root || end != PARENT || joint == own) {
            continue;
        }
        som_model_move_end(l, joint, PARENT, link);
        if (som_model_is_tree(l, joint)) {
            int child = l->joints.data[joint].link[CHILD];
            som_model_set_root_value(l, joint, som_model_relative(l, link, child), false);
        } else {
            l->joints.data[joint].has_value = false;
        }
    }
}

// The top: the link needs no root joint any more, the old ground gets one.
static void exchange_top_ground(SomLinkage *l, int ground, int link) {
    SomPose pose = som_model_pose(l, link);
    SomPose back = som_model_relative(l, link, ground);
    som_model_delete_joint(l, l->links.data[link].root_joint);
    l->links.data[link].root_joint = l->links.data[link].parent_joint = -1;
    int root = som_model_new_root_joint(l, ground, link);
    som_model_set_root_value(l, root, back, false);
    l->links.data[ground].parent_joint = root;
    l->world = pose;
}

// A sub-linkage: its new ground hangs outside, where the old one's root joint did if it did.
static void exchange_inner_ground(SomLinkage *l, int ground, int link) {
    int old_root = l->links.data[ground].root_joint;
    int new_root = l->links.data[link].root_joint;
    int outside = som_model_is_tree(l, old_root)
                      ? l->joints.data[old_root].link[PARENT]
                      : som_model_root_parent(l, som_model_part_of(l, link));
    SomPose pose = som_model_relative(l, outside, link);
    SomPose back = som_model_relative(l, link, ground);
    som_model_move_end(l, new_root, PARENT, outside);
    som_model_set_root_value(l, new_root, pose, false);
    som_model_move_end(l, old_root, PARENT, link);
    som_model_set_root_value(l, old_root, back, false);
    l->links.data[link].parent_joint = new_root;
    l->links.data[ground].parent_joint = old_root;
}

void som_model_make_ground(SomLinkage *l, int link) {
    int part = som_model_part_of(l, link);
    int ground = l->parts.data[part].ground;
    if (link == ground) {
        return;
    }
    // all poses first: what follows only changes how they are expressed, and with all of them at
    // hand nothing else uses the path
    for (int i = 0; i < l->links.count; i++) {
        if (l->links.data[i].is_alive) {
            som_model_pose(l, i);
        }
    }
    // The joints from the link up to the ground, or to a link that floats on it, turn round and
    // keep their values; collected before anything changes.
    int count = 0;
    int *path = l->scratch->path;
    for (int at = link; at != ground; count++) {
        int joint = l->links.data[at].parent_joint;
        if (joint == l->links.data[at].root_joint) {
            break;
        }
        path[count] = joint;
        at = l->joints.data[joint].link[PARENT];
    }
    move_root_joints(l, ground, link);
    if (part == 0) {
        exchange_top_ground(l, ground, link);
    } else {
        exchange_inner_ground(l, ground, link);
    }
    l->parts.data[part].ground = link;
    for (int i = 0; i < count; i++) {
        flip(l, path[i]);
        l->links.data[l->joints.data[path[i]].link[CHILD]].parent_joint = path[i];
    }
}

bool som_linkage_make_ground(SomLinkage *l, SomLinkId id, SomDiagnostics *diags) {
    (void)diags; // never refused
    int link = som_model_link(l, id);
    if (link == som_model_ground_of(l, link)) {
        return true;
    }
    som_model_begin(l);
    som_model_make_ground(l, link);
    return som_model_end(l);
}

bool som_linkage_invert(SomLinkage *l, SomJointId id, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags)) {
        return false;
    }
    if (!som_model_is_tree(l, joint)) {
        flip(l, joint);
        return som_model_end_at(l, joint);
    }
    if (som_model_is_crossing(l, joint)) {
        som_report(diags, SOM_LINKAGE_CROSSING_TREE, (SomSpan){0},
                   "joint '%.*s' carries a whole sub-linkage and cannot be inverted",
                   SOM_STR_ARG(som_model_joint_name(l, joint)));
        return false;
    }
    som_model_begin(l);
    som_model_make_ground(l, l->joints.data[joint].link[CHILD]); // turns the joint round on the way
    return som_model_end(l);
}
