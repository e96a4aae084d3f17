// SPDX-License-Identifier: Apache-2.0
// Primitives on several links: Split and Merge, Encapsulate, Dissolve and nesting.

#include "base/codes/linkage_codes.h"
#include "base/text.h"
#include "linkage/model_internal.h"

#include <assert.h>

static bool check_split(const SomLinkage *l, int link, SomStr name, SomStr joint_name,
                        const SomJointId *moved, int count, SomDiagnostics *diags) {
    int part = l->links.data[link].part;
    if (!som_model_check_name(l, som_model_link_scope(part), "link", name, diags) ||
        !som_model_check_name(l, SOM_MODEL_JOINT_SCOPE, "joint", joint_name, diags)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        int joint = som_model_joint(l, moved[i]);
        if (l->joints.data[joint].is_root || l->joints.data[joint].link[PARENT] != link) {
            som_report(diags, SOM_LINKAGE_NOT_AT_LINK, (SomSpan){0},
                       "joint '%.*s' does not start at link '%.*s'",
                       SOM_STR_ARG(som_model_joint_name(l, joint)),
                       SOM_STR_ARG(som_model_link_name(l, link)));
            return false;
        }
    }
    return true;
}

SomLinkId som_linkage_split(SomLinkage *l, SomLinkId id, SomStr name, SomPose pose,
                            SomJointType type, const SomJointId *moved, int moved_count,
                            SomDiagnostics *diags) {
    int link = som_model_link(l, id), part = l->links.data[link].part;
    assert((unsigned)type < SOM_JOINT_TYPES);
    SomText joint_name = {0};
    som_text_add(&joint_name, name);
    som_text_add(&joint_name, SOM_STR(".j"));
    SomStr text = som_text_str(&joint_name);
    som_model_begin(l);
    if (!som_model_check_pose(&pose, "pose", name, diags) ||
        !check_split(l, link, name, text, moved, moved_count, diags)) {
        som_text_free(&joint_name);
        return (SomLinkId){0};
    }
    SomPose in_link = som_model_relative(l, l->parts.data[part].ground, link);
    int fresh = som_model_add_link(l, part, name, som_pose_compose(in_link, pose), false);
    int joint = som_model_new_joint(l);
    Joint *j = &l->joints.data[joint];
    j->type = type;
    j->parent_frame = pose;
    j->has_value = true; // at rest
    j->name1 = som_names_intern(&l->names, text);
    som_names_put(&l->names, SOM_MODEL_JOINT_SCOPE, j->name1, joint);
    som_text_free(&joint_name);
    som_model_attach(l, joint, CHILD, fresh);
    som_model_attach(l, joint, PARENT, link);
    l->links.data[fresh].parent_joint = joint;
    for (int i = 0; i < moved_count; i++) {
        int other = som_model_joint(l, moved[i]);
        if (l->joints.data[other].link[PARENT] == link) { // named twice moves once
            som_model_set_parent(l, other, fresh, false);
        }
    }
    som_model_end(l);
    return som_model_link_id(l, fresh);
}

// Hands one joint of the child that is merged away to the parent.
static void hand_over(SomLinkage *l, int joint, int child, int parent, SomDiagnostics *diags) {
    const Joint *j = &l->joints.data[joint];
    if (j->link[PARENT] == parent || j->link[CHILD] == parent) {
        som_report(diags, SOM_LINKAGE_DROPPED, (SomSpan){0},
                   "joint '%.*s' is removed: both its links are now '%.*s'",
                   SOM_STR_ARG(som_model_joint_name(l, joint)),
                   SOM_STR_ARG(som_model_link_name(l, parent)));
        som_model_delete_joint(l, joint); // a closure: the tree joint between the two is the other
    } else if (j->link[PARENT] == child) {
        som_model_set_parent(l, joint, parent, false);
    } else { // a closure, since another joint carries the child
        som_model_set_child(l, joint, parent, false);
    }
}

bool som_linkage_merge(SomLinkage *l, SomJointId id, SomDiagnostics *diags) {
    int joint = som_model_joint(l, id);
    if (!som_model_check_not_root(l, joint, diags)) {
        return false;
    }
    if (!som_model_is_tree(l, joint) || som_model_is_crossing(l, joint)) {
        som_report(diags, SOM_LINKAGE_NOT_MERGEABLE, (SomSpan){0},
                   "joint '%.*s' is %s, so its links cannot be merged",
                   SOM_STR_ARG(som_model_joint_name(l, joint)),
                   som_model_is_tree(l, joint) ? "the border of a sub-linkage" : "a closure");
        return false;
    }
    som_model_begin(l);
    int parent = l->joints.data[joint].link[PARENT], child = l->joints.data[joint].link[CHILD];
    som_model_pose(l, parent); // before the tree changes
    int entry = l->links.data[child].first_end;
    while (entry >= 0) {
        int other = entry / 2;
        entry = l->joints.data[other].next[entry % 2];
        if (other != joint && !l->joints.data[other].is_root) {
            hand_over(l, other, child, parent, diags);
        }
    }
    som_model_delete_joint(l, joint);
    som_model_delete_joint(l, l->links.data[child].root_joint);
    som_model_delete_link(l, child);
    return som_model_end(l);
}

// The link of the set whose parent is outside of it, if there is exactly one; else -1 and why.
static int find_only_top(const SomLinkage *l, const SomLinkId *links, int count, const char **why) {
    int part = l->links.data[som_model_link(l, links[0])].part;
    som_model_new_marks(l);
    for (int i = 0; i < count; i++) {
        int link = som_model_link(l, links[i]);
        if (l->links.data[link].part != part) {
            *why = "they belong to different sub-linkages";
            return -1;
        }
        if (link == l->parts.data[part].ground) {
            *why = "one of them is the ground";
            return -1;
        }
        som_model_mark(l, link);
    }
    int top = -1;
    for (int i = 0; i < count; i++) {
        int link = som_model_link(l, links[i]);
        int parent = l->joints.data[l->links.data[link].parent_joint].link[PARENT];
        if (som_model_is_marked(l, parent) || link == top) {
            continue;
        }
        if (top >= 0) {
            *why = "they do not hang together";
            return -1;
        }
        top = link;
    }
    return top;
}

// Links of the same sub-linkage that hang on a marked one fall back to their root joints.
static void close_children(SomLinkage *l, int link, SomDiagnostics *diags) {
    for (int entry = l->links.data[link].first_end; entry >= 0;
         entry = l->joints.data[entry / 2].next[entry % 2]) {
        int joint = entry / 2;
        int child = l->joints.data[joint].link[CHILD];
        som_model_count_work(l, 1);
        if (child == link || l->joints.data[joint].is_root || !som_model_is_tree(l, joint) ||
            som_model_is_marked(l, child) ||
            l->links.data[child].part != l->links.data[link].part) {
            continue;
        }
        som_model_make_closure(l, joint);
        som_report(diags, SOM_LINKAGE_CLOSED, (SomSpan){0},
                   "joint '%.*s' is a closure now: link '%.*s' cannot hang on the inside of a "
                   "sub-linkage",
                   SOM_STR_ARG(som_model_joint_name(l, joint)),
                   SOM_STR_ARG(som_model_link_name(l, child)));
    }
}

static void change_part(SomLinkage *l, int link, int part) {
    uint32_t name1 = l->links.data[link].name1;
    som_names_remove(&l->names, som_model_link_scope(l->links.data[link].part), name1);
    som_names_put(&l->names, som_model_link_scope(part), name1, link);
    som_model_take_link_out(l, link);
    som_model_put_link_in(l, link, part);
}

SomSublinkageId som_linkage_encapsulate(SomLinkage *l, const SomLinkId *links, int count,
                                        SomStr name, SomDisposition disposition,
                                        SomDiagnostics *diags) {
    som_model_begin(l);
    const char *why = "there are none";
    int top = count > 0 ? find_only_top(l, links, count, &why) : -1;
    if (top < 0) {
        som_report(diags, SOM_LINKAGE_NOT_A_SUBTREE, (SomSpan){0},
                   "the links cannot become sub-linkage '%.*s': %s", SOM_STR_ARG(name), why);
        return (SomSublinkageId){0};
    }
    int outer = l->links.data[top].part;
    if (!som_model_check_name(l, som_model_part_scope(outer), "sub-linkage", name, diags)) {
        return (SomSublinkageId){0};
    }
    for (int i = 0; i < count; i++) {
        close_children(l, som_model_link(l, links[i]), diags);
    }
    int part = som_model_new_part(l, outer, name, disposition);
    for (int i = 0; i < count; i++) {
        int link = som_model_link(l, links[i]);
        if (l->links.data[link].part == part) {
            continue; // named twice
        }
        change_part(l, link, part);
        if (link != top) { // its root joint is no tree joint: it hangs on another of these links
            int root = l->links.data[link].root_joint;
            som_model_move_end(l, root, PARENT, top);
            l->joints.data[root].has_value = false;
        }
    }
    l->parts.data[part].ground = top;
    som_model_end(l);
    return som_model_part_id(l, part);
}

// "name" or, if that is taken in the scope, "S.name", "S.S.name" and so on.
static uint32_t free_name(SomLinkage *l, uint32_t scope, uint32_t name1, SomStr prefix) {
    SomText text = {0};
    som_text_add(&text, som_names_text(&l->names, name1));
    while (som_names_find(&l->names, scope, som_text_str(&text)) >= 0) {
        SomText longer = {0};
        som_text_printf(&longer, "%.*s.%.*s", SOM_STR_ARG(prefix),
                        SOM_STR_ARG(som_text_str(&text)));
        som_text_free(&text);
        text = longer;
    }
    uint32_t result = som_names_intern(&l->names, som_text_str(&text));
    som_text_free(&text);
    return result;
}

// Gives a member of a sub-linkage that comes out a name that is free outside.
static void rename_out(SomLinkage *l, uint32_t from, uint32_t to, int slot, uint32_t *name1,
                       SomStr prefix, SomDiagnostics *diags) {
    uint32_t old = *name1;
    som_names_remove(&l->names, from, old);
    *name1 = free_name(l, to, old, prefix);
    som_names_put(&l->names, to, *name1, slot);
    if (*name1 != old) {
        som_report(diags, SOM_LINKAGE_RENAMED, (SomSpan){0},
                   "'%.*s' is now called '%.*s': its old name is taken outside",
                   SOM_STR_ARG(som_names_text(&l->names, old)),
                   SOM_STR_ARG(som_names_text(&l->names, *name1)));
    }
}

// All links and sub-linkages of a part to the one around it.
static void move_members_out(SomLinkage *l, int part, SomDiagnostics *diags) {
    int outer = l->parts.data[part].parent;
    uint32_t name1 = l->parts.data[part].name1;
    while (l->parts.data[part].first_link >= 0) {
        int link = l->parts.data[part].first_link;
        rename_out(l, som_model_link_scope(part), som_model_link_scope(outer), link,
                   &l->links.data[link].name1, som_names_text(&l->names, name1), diags);
        som_model_take_link_out(l, link);
        som_model_put_link_in(l, link, outer);
    }
    while (l->parts.data[part].first_part >= 0) {
        int inner = l->parts.data[part].first_part;
        rename_out(l, som_model_part_scope(part), som_model_part_scope(outer), inner,
                   &l->parts.data[inner].name1, som_names_text(&l->names, name1), diags);
        som_model_take_part_out(l, inner);
        som_model_put_part_in(l, inner, outer);
    }
}

// Lets a root joint hang on the ground of the enclosing sub-linkage.
static void rehang(SomLinkage *l, int root, int ground) {
    int child = l->joints.data[root].link[CHILD];
    SomPose pose = som_model_relative(l, ground, child);
    if (l->joints.data[root].link[PARENT] != ground) {
        som_model_move_end(l, root, PARENT, ground);
    }
    if (som_model_is_tree(l, root)) {
        som_model_set_root_value(l, root, pose, false);
    } else {
        l->joints.data[root].has_value = false;
    }
}

static void rehang_all(SomLinkage *l, int part, int ground) {
    int inner = l->parts.data[part].ground;
    for (int link = l->parts.data[part].first_link; link >= 0; link = l->links.data[link].next) {
        som_model_pose(l, link); // while the tree is whole
    }
    som_model_pose(l, ground);
    for (int link = l->parts.data[part].first_link; link >= 0; link = l->links.data[link].next) {
        rehang(l, l->links.data[link].root_joint, ground);
    }
    int entry = l->links.data[inner].first_end;
    while (entry >= 0) { // what still hangs there are grounds of sub-linkages further in
        int joint = entry / 2, end = entry % 2;
        entry = l->joints.data[joint].next[end];
        if (l->joints.data[joint].is_root && end == PARENT) {
            rehang(l, joint, ground);
        }
    }
}

static bool check_dissolve(const SomLinkage *l, int part, SomDiagnostics *diags) {
    SomStr name = som_model_part_name(l, part);
    if (part == 0) {
        som_report(diags, SOM_LINKAGE_TOP, (SomSpan){0},
                   "'%.*s' is the whole linkage and cannot be dissolved", SOM_STR_ARG(name));
        return false;
    }
    int ground = l->parts.data[part].ground, outer = l->parts.data[part].parent;
    int outer_ground = l->parts.data[outer].ground;
    if (ground < 0 || outer_ground < 0) {
        return true;
    }
    int joint = l->links.data[ground].parent_joint;
    int parent = l->joints.data[joint].link[PARENT];
    bool floats_elsewhere = l->joints.data[joint].is_root && l->links.data[parent].part != outer;
    if (floats_elsewhere || som_model_is_ancestor(l, ground, outer_ground)) {
        som_report(diags, SOM_LINKAGE_CYCLE, (SomSpan){0},
                   "'%.*s' cannot be dissolved in '%.*s', which hangs or hung on it",
                   SOM_STR_ARG(name), SOM_STR_ARG(som_model_part_name(l, outer)));
        return false;
    }
    return true;
}

// A ground that comes out must hang on an own link of the enclosing sub-linkage.
static void close_foreign_parent(SomLinkage *l, int part, SomDiagnostics *diags) {
    int ground = l->parts.data[part].ground;
    int joint = l->links.data[ground].parent_joint;
    int parent = l->joints.data[joint].link[PARENT];
    if (l->links.data[parent].part == l->parts.data[part].parent) {
        return;
    }
    som_report(diags, SOM_LINKAGE_CLOSED, (SomSpan){0},
               "joint '%.*s' is a closure now: link '%.*s' would hang outside of '%.*s'",
               SOM_STR_ARG(som_model_joint_name(l, joint)),
               SOM_STR_ARG(som_model_link_name(l, ground)),
               SOM_STR_ARG(som_model_part_name(l, l->parts.data[part].parent)));
    som_model_make_closure(l, joint);
}

bool som_linkage_dissolve(SomLinkage *l, SomSublinkageId id, SomDiagnostics *diags) {
    int part = som_model_part(l, id);
    som_model_begin(l);
    if (!check_dissolve(l, part, diags)) {
        return false;
    }
    int outer = l->parts.data[part].parent;
    if (l->parts.data[outer].ground < 0) { // an empty shell just takes the contents over
        l->parts.data[outer].ground = l->parts.data[part].ground;
    } else if (l->parts.data[part].ground >= 0) {
        close_foreign_parent(l, part, diags);
        rehang_all(l, part, l->parts.data[outer].ground);
    }
    som_names_remove(&l->names, som_model_part_scope(outer), l->parts.data[part].name1);
    move_members_out(l, part, diags);
    som_model_take_part_out(l, part);
    uint32_t generation = l->parts.data[part].generation + 1;
    l->parts.data[part] = (Part){.generation = generation, .next = l->free_part};
    l->free_part = part;
    return som_model_end(l);
}

bool som_linkage_nest(SomLinkage *l, SomSublinkageId inner_id, SomSublinkageId outer_id,
                      SomDiagnostics *diags) {
    int inner = som_model_part(l, inner_id), outer = som_model_part(l, outer_id);
    uint32_t name1 = l->parts.data[inner].name1;
    SomStr name = som_names_text(&l->names, name1);
    if (l->parts.data[inner].parent == outer) {
        return true;
    }
    if (som_model_is_within(l, outer, inner)) {
        som_report(diags, SOM_LINKAGE_TOP, (SomSpan){0}, "'%.*s' cannot be put inside of itself",
                   SOM_STR_ARG(name));
        return false;
    }
    if (!som_model_is_within(l, outer, l->parts.data[inner].parent)) {
        som_report(diags, SOM_LINKAGE_HIERARCHY, (SomSpan){0},
                   "'%.*s' can only be put further in; to bring it out, dissolve what is around it",
                   SOM_STR_ARG(name));
        return false;
    }
    // a ground between the two that hangs inside would then hang on its own inside
    for (int part = outer; part != l->parts.data[inner].parent; part = l->parts.data[part].parent) {
        int ground = l->parts.data[part].ground;
        int joint = ground < 0 ? -1 : l->links.data[ground].parent_joint;
        if (joint >= 0 &&
            som_model_is_within(l, l->links.data[l->joints.data[joint].link[PARENT]].part, inner)) {
            som_report(diags, SOM_LINKAGE_CYCLE, (SomSpan){0},
                       "'%.*s' cannot be put in '%.*s', which hangs on it", SOM_STR_ARG(name),
                       SOM_STR_ARG(som_model_part_name(l, part)));
            return false;
        }
    }
    if (!som_model_check_name(l, som_model_part_scope(outer), "sub-linkage", name, diags)) {
        return false;
    }
    som_names_remove(&l->names, som_model_part_scope(l->parts.data[inner].parent), name1);
    som_names_put(&l->names, som_model_part_scope(outer), name1, inner);
    som_model_take_part_out(l, inner);
    som_model_put_part_in(l, inner, outer);
    return som_model_end(l);
}
