// SPDX-License-Identifier: Apache-2.0
// Primitives on single links and joints.

#include "base/codes/linkage_codes.h"
#include "linkage/model_internal.h"
#include "space/trigonometry.h"

#include <assert.h>

SomLinkId som_linkage_add_link(SomLinkage *l, const SomLinkDef *def, SomDiagnostics *diags) {
    int part = def->sublinkage.index1 == 0 ? 0 : som_model_part(l, def->sublinkage);
    SomPose pose = def->pose;
    if (!som_model_check_name(l, som_model_link_scope(part), "link", def->name, diags) ||
        !som_model_check_pose(&pose, "pose", def->name, diags)) {
        return (SomLinkId){0};
    }
    int link = som_model_add_link(l, part, def->name, pose, def->is_virtual);
    som_model_end_at(l, l->links.data[link].root_joint);
    return som_model_link_id(l, link);
}

SomSublinkageId som_linkage_add_sublinkage(SomLinkage *l, SomSublinkageId parent, SomStr name,
                                           SomDisposition disposition, SomDiagnostics *diags) {
    int outer = parent.index1 == 0 ? 0 : som_model_part(l, parent);
    if (!som_model_check_name(l, som_model_part_scope(outer), "sub-linkage", name, diags)) {
        return (SomSublinkageId){0};
    }
    int part = som_model_new_part(l, outer, name, disposition);
    som_model_end(l);
    return som_model_part_id(l, part);
}

static bool check_ends(const SomLinkage *l, int parent, int child, SomStr name,
                       SomDiagnostics *diags) {
    if (parent != child) {
        return true;
    }
    som_report(diags, SOM_LINKAGE_SELF_JOINT, (SomSpan){0},
               "joint '%.*s' would join link '%.*s' to itself", SOM_STR_ARG(name),
               SOM_STR_ARG(som_model_link_name(l, parent)));
    return false;
}

SomJointId som_linkage_add_joint(SomLinkage *l, const SomJointDef *def, SomDiagnostics *diags) {
    int parent = som_model_link(l, def->parent), child = som_model_link(l, def->child);
    SomPose parent_frame = def->parent_frame, child_frame = def->child_frame;
    if (!som_model_check_name(l, SOM_MODEL_JOINT_SCOPE, "joint", def->name, diags) ||
        !check_ends(l, parent, child, def->name, diags) ||
        !som_model_check_pose(&parent_frame, "parent frame", def->name, diags) ||
        !som_model_check_pose(&child_frame, "child frame", def->name, diags) ||
        !som_model_check_limits(&def->limits, def->type, def->name, diags)) {
        return (SomJointId){0};
    }
    int joint = som_model_new_joint(l);
    Joint *j = &l->joints.data[joint];
    j->type = def->type;
    j->is_virtual = def->is_virtual;
    j->is_inverted = def->is_inverted;
    j->parent_frame = parent_frame;
    j->child_frame = child_frame;
    j->limits = def->limits;
    j->name1 = som_names_intern(&l->names, def->name);
    som_names_put(&l->names, SOM_MODEL_JOINT_SCOPE, j->name1, joint);
    som_model_attach(l, joint, CHILD, child);
    som_model_attach(l, joint, PARENT, parent);
    som_model_end_at(l, joint);
    return som_model_joint_id(l, joint);
}

// Gives a record a new name in its scope; its own old one is no clash.
static bool rename_bearer(SomLinkage *l, uint32_t scope, const char *what, int slot,
                          uint32_t *name1, SomStr name, SomDiagnostics *diags) {
    if (som_str_equal(som_names_text(&l->names, *name1), name)) {
        return true;
    }
    if (!som_model_check_name(l, scope, what, name, diags)) {
        return false;
    }
    som_names_remove(&l->names, scope, *name1);
    *name1 = som_names_intern(&l->names, name);
    som_names_put(&l->names, scope, *name1, slot);
    return true; // the structure is as before
}

bool som_linkage_set_link_name(SomLinkage *l, SomLinkId id, SomStr name, SomDiagnostics *diags) {
    int link = som_model_link(l, id);
    return rename_bearer(l, som_model_link_scope(som_model_part_of(l, link)), "link", link,
                         &l->links.data[link].name1, name, diags);
}

bool som_linkage_set_joint_name(SomLinkage *l, SomJointId id, SomStr name, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    return som_model_check_not_root(l, joint, diags) &&
           rename_bearer(l, SOM_MODEL_JOINT_SCOPE, "joint", joint, &l->joints.data[joint].name1,
                         name, diags);
}

// A tree joint's child may only hang on a link of its own sub-linkage; a ground only on one
// outside.
static bool check_new_parent(const SomLinkage *l, int joint, int parent, SomDiagnostics *diags) {
    int child = l->joints.data[joint].link[CHILD];
    SomStr name = som_model_joint_name(l, joint);
    bool is_ground = child == som_model_ground_of(l, child);
    bool is_outside =
        !som_model_is_within(l, som_model_part_of(l, parent), som_model_part_of(l, child));
    if (is_ground ? !is_outside : som_model_part_of(l, parent) != som_model_part_of(l, child)) {
        som_report(diags, SOM_LINKAGE_HIERARCHY, (SomSpan){0},
                   "joint '%.*s' carries link '%.*s', which cannot hang on link '%.*s' across the "
                   "border of a sub-linkage",
                   SOM_STR_ARG(name), SOM_STR_ARG(som_model_link_name(l, child)),
                   SOM_STR_ARG(som_model_link_name(l, parent)));
        return false;
    }
    if (som_model_is_ancestor(l, child, parent)) {
        som_report(diags, SOM_LINKAGE_CYCLE, (SomSpan){0},
                   "joint '%.*s' cannot hang on link '%.*s', which itself hangs on it",
                   SOM_STR_ARG(name), SOM_STR_ARG(som_model_link_name(l, parent)));
        return false;
    }
    return true;
}

static void tidy(SomPose *frame) {
    frame->rotation = som_rotation_normalise(frame->rotation);
}

void som_model_set_parent(SomLinkage *l, int joint, int parent, bool keep_local) {
    Joint *j = &l->joints.data[joint];
    if (!keep_local) {
        SomPose change = som_model_relative(l, parent, j->link[PARENT]);
        j->parent_frame = som_pose_compose(change, j->parent_frame);
        tidy(&j->parent_frame);
    }
    som_model_move_end(l, joint, PARENT, parent);
}

void som_model_set_child(SomLinkage *l, int joint, int child, bool keep_local) {
    Joint *j = &l->joints.data[joint];
    if (!keep_local) {
        SomPose change = som_model_relative(l, j->link[CHILD], child);
        j->child_frame = som_pose_compose(j->child_frame, change);
        tidy(&j->child_frame);
    }
    som_model_move_end(l, joint, CHILD, child);
}

bool som_linkage_set_parent(SomLinkage *l, SomJointId id, SomLinkId parent_id, bool keep_local,
                            SomDiagnostics *diags) {
    int joint = som_model_joint(l, id), parent = som_model_link(l, parent_id);
    SomStr name = som_model_joint_name(l, joint);
    if (!som_model_check_not_root(l, joint, diags) ||
        !check_ends(l, parent, l->joints.data[joint].link[CHILD], name, diags) ||
        (som_model_is_tree(l, joint) && !check_new_parent(l, joint, parent, diags))) {
        return false;
    }
    som_model_set_parent(l, joint, parent, keep_local);
    return som_model_end_at(l, joint);
}

bool som_linkage_set_child(SomLinkage *l, SomJointId id, SomLinkId child_id, bool keep_local,
                           SomDiagnostics *diags) {
    int joint = som_model_joint(l, id), child = som_model_link(l, child_id);
    SomStr name = som_model_joint_name(l, joint);
    som_model_begin(l);
    if (!som_model_check_not_root(l, joint, diags) ||
        !check_ends(l, l->joints.data[joint].link[PARENT], child, name, diags)) {
        return false;
    }
    bool was_tree = som_model_is_tree(l, joint);
    if (was_tree) {
        som_model_make_closure(l, joint);
    }
    som_model_set_child(l, joint, child, keep_local);
    SomCode code;
    if (was_tree && som_model_why_not_tree(l, joint, &code) == NULL) {
        som_model_report_moved(l, joint, som_model_make_tree(l, joint), diags);
    } else if (was_tree) {
        som_report(diags, SOM_LINKAGE_CLOSED, (SomSpan){0},
                   "joint '%.*s' is a closure now: link '%.*s' cannot hang on it",
                   SOM_STR_ARG(name), SOM_STR_ARG(som_model_link_name(l, child)));
    }
    return som_model_end(l);
}

bool som_linkage_remove_joint(SomLinkage *l, SomJointId id, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags)) {
        return false;
    }
    int child = l->joints.data[joint].link[CHILD];
    bool was_tree = som_model_is_tree(l, joint);
    if (was_tree) {
        som_model_make_closure(l, joint);
    }
    som_model_end_at(l, was_tree ? l->links.data[child].root_joint : joint);
    som_model_delete_joint(l, joint);
    return true;
}

bool som_linkage_remove_link(SomLinkage *l, SomLinkId id, SomDiagnostics *diags) {
    int link = som_model_link(l, id);
    if (link == som_model_ground_of(l, link)) {
        som_report(diags, SOM_LINKAGE_GROUND_LINK, (SomSpan){0},
                   "link '%.*s' is the ground of '%.*s' and cannot be removed",
                   SOM_STR_ARG(som_model_link_name(l, link)),
                   SOM_STR_ARG(som_model_part_name(l, som_model_part_of(l, link))));
        return false;
    }
    som_model_begin(l);
    // no root joint but its own is at a link that is no ground; that one goes last
    int entry = l->links.data[link].first_end;
    while (entry >= 0) {
        int joint = entry / 2;
        entry = l->joints.data[joint].next[entry % 2];
        if (l->joints.data[joint].is_root) {
            continue;
        }
        if (som_model_is_tree(l, joint)) {
            som_model_make_closure(l, joint);
        }
        som_model_delete_joint(l, joint);
    }
    som_model_delete_joint(l, l->links.data[link].root_joint);
    som_model_delete_link(l, link);
    return som_model_end(l);
}

// A tree joint keeps to what its type and limits now allow.
static void clamp_tree_value(SomLinkage *l, int joint, SomDiagnostics *diags) {
    if (som_model_is_tree(l, joint)) {
        SomPose motion = som_pose_from_coordinates(l->joints.data[joint].value);
        som_model_report_moved(l, joint, som_model_set_clamped(l, joint, motion), diags);
    }
}

// What of the limits has a meaning for a type.
static void fit_limits(SomLimits *limits, SomJointType type) {
    limits->limited &= som_joint_type(type)->freedom;
    for (int d = 3; d < 6 && som_joint_type(type)->turns == 3; d++) {
        if (limits->low[d] > SOM_PI || limits->high[d] < -SOM_PI) {
            limits->limited &= ~(1u << d);
        }
        limits->low[d] = fmax(limits->low[d], -SOM_PI);
        limits->high[d] = fmin(limits->high[d], SOM_PI);
    }
}

bool som_linkage_set_type(SomLinkage *l, SomJointId id, SomJointType type, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags)) {
        return false;
    }
    l->joints.data[joint].type = type;
    fit_limits(&l->joints.data[joint].limits, type);
    clamp_tree_value(l, joint, diags);
    return som_model_end_at(l, joint);
}

bool som_linkage_set_limits(SomLinkage *l, SomJointId id, const SomLimits *limits,
                            SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags) ||
        !som_model_check_limits(limits, l->joints.data[joint].type, som_model_joint_name(l, joint),
                                diags)) {
        return false;
    }
    l->joints.data[joint].limits = *limits;
    clamp_tree_value(l, joint, diags);
    return som_model_end_at(l, joint);
}

// Expresses one joint end at a link whose frame changed.
static void reposition_end(SomLinkage *l, int joint, int end, SomPose change) {
    Joint *j = &l->joints.data[joint];
    if (!j->is_root) {
        if (end == CHILD) {
            j->child_frame = som_pose_compose(j->child_frame, change);
            tidy(&j->child_frame);
        } else {
            j->parent_frame = som_pose_relative(change, j->parent_frame);
            tidy(&j->parent_frame);
        }
    } else if (som_model_is_tree(l, joint)) {
        SomPose motion = som_pose_from_coordinates(j->value);
        motion =
            end == CHILD ? som_pose_compose(motion, change) : som_pose_relative(change, motion);
        som_model_set_root_value(l, joint, motion, false);
    } else {
        j->has_value = false;
    }
}

bool som_linkage_reposition_link(SomLinkage *l, SomLinkId id, SomPose change,
                                 SomDiagnostics *diags) {
    int link = som_model_link(l, id);
    if (!som_model_check_pose(&change, "new frame", som_model_link_name(l, link), diags)) {
        return false;
    }
    for (int entry = l->links.data[link].first_end; entry >= 0;
         entry = l->joints.data[entry / 2].next[entry % 2]) {
        reposition_end(l, entry / 2, entry % 2, change);
        som_model_count_work(l, 1);
    }
    for (int i = l->links.data[link].first_subframe; i >= 0; i = l->subframes.data[i].next) {
        l->subframes.data[i].frame = som_pose_relative(change, l->subframes.data[i].frame);
        tidy(&l->subframes.data[i].frame);
    }
    if (l->links.data[link].parent_joint < 0) {
        l->world = som_pose_compose(l->world, change);
        tidy(&l->world);
    }
    return som_model_end(l);
}

bool som_linkage_reposition_joint(SomLinkage *l, SomJointId id, SomPose change,
                                  SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags) ||
        !som_model_check_pose(&change, "new frame", som_model_joint_name(l, joint), diags)) {
        return false;
    }
    Joint *j = &l->joints.data[joint];
    if (som_model_is_tree(l, joint)) {
        SomPose whole = som_model_joint_pose(j);
        j->parent_frame = som_pose_compose(j->parent_frame, change);
        SomPose mobility = som_pose_compose(j->parent_frame, som_model_motion_of(j, j->value));
        j->child_frame = som_pose_relative(mobility, whole);
    } else {
        SomPose motion = som_model_implied(l, joint);
        motion = j->is_inverted ? som_pose_invert(motion) : motion;
        j->parent_frame = som_pose_compose(j->parent_frame, change);
        SomPose moved = som_pose_relative(motion, som_pose_relative(change, motion));
        j->child_frame = som_pose_compose(moved, j->child_frame);
    }
    tidy(&j->parent_frame);
    tidy(&j->child_frame);
    return som_model_end_at(l, joint);
}

bool som_linkage_set_value(SomLinkage *l, SomJointId id, int dof, double value,
                           SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    Joint *j = &l->joints.data[joint];
    const char *why = NULL;
    if (!som_model_is_tree(l, joint)) {
        why = "is a closure, whose coordinates follow from the others";
    } else if (dof < 0 || dof > 5 || !som_joint_type_frees(j->type, dof)) {
        why = "does not move in that coordinate";
    } else if (!(fabs(value) <= SOM_MODEL_LARGEST)) {
        why = "needs a value between -1e9 and 1e9";
    } else if ((j->limits.limited >> dof & 1) &&
               !(j->limits.low[dof] <= value && value <= j->limits.high[dof])) {
        why = "would leave its limits";
    }
    if (why != NULL) {
        som_report(diags, SOM_LINKAGE_BAD_VALUE, (SomSpan){0}, "joint '%.*s' %s",
                   SOM_STR_ARG(som_model_joint_or_link_name(l, joint)), why);
        return false;
    }
    j->value[dof] = value;
    som_model_touch_at(l, joint); // the structure is as before
    return true;
}

void som_linkage_set_disposition(SomLinkage *l, SomSublinkageId id, SomDisposition disposition) {
    l->parts.data[som_model_part(l, id)].disposition = disposition;
    som_model_end(l);
}

void som_linkage_set_link_virtual(SomLinkage *l, SomLinkId id, bool is_virtual) {
    l->links.data[som_model_link(l, id)].is_virtual = is_virtual;
}

void som_linkage_set_joint_virtual(SomLinkage *l, SomJointId id, bool is_virtual) {
    l->joints.data[som_model_joint(l, id)].is_virtual = is_virtual;
}

static int find_subframe(const SomLinkage *l, int link, SomStr name) {
    int i = l->links.data[link].first_subframe;
    while (i >= 0 && !som_str_equal(som_names_text(&l->names, l->subframes.data[i].name1), name)) {
        i = l->subframes.data[i].next;
    }
    return i;
}

bool som_linkage_set_subframe(SomLinkage *l, SomLinkId id, SomStr name, SomPose frame,
                              SomDiagnostics *diags) {
    int link = som_model_link(l, id);
    if (!som_model_check_not_empty("subframe", name, diags) ||
        !som_model_check_pose(&frame, "subframe", name, diags)) {
        return false;
    }
    int i = find_subframe(l, link, name);
    if (i < 0) {
        Subframe fresh = {.next = l->links.data[link].first_subframe,
                          .name1 = som_names_intern(&l->names, name)};
        i = l->free_subframe;
        if (i >= 0) {
            l->free_subframe = l->subframes.data[i].next;
            l->subframes.data[i] = fresh;
        } else {
            i = l->subframes.count;
            som_array_push(&l->subframes, fresh);
        }
        l->links.data[link].first_subframe = i;
    }
    l->subframes.data[i].frame = frame;
    return true;
}

bool som_linkage_find_subframe(const SomLinkage *l, SomLinkId id, SomStr name, SomPose *frame) {
    int i = find_subframe(l, som_model_link(l, id), name);
    if (i >= 0) {
        *frame = l->subframes.data[i].frame;
    }
    return i >= 0;
}
