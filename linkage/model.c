// SPDX-License-Identifier: Apache-2.0
#include "linkage/model_internal.h"
#include "space/trigonometry.h"

#include <assert.h>

// ---- ids

int som_model_link(const SomLinkage *l, SomLinkId id) {
    assert(som_linkage_has_link(l, id));
    return (int)id.index1 - 1;
}

int som_model_joint(const SomLinkage *l, SomJointId id) {
    assert(som_linkage_has_joint(l, id));
    return (int)id.index1 - 1;
}

int som_model_part(const SomLinkage *l, SomSublinkageId id) {
    assert(1 <= id.index1 && id.index1 <= (uint32_t)l->parts.count);
    const Part *part = &l->parts.data[id.index1 - 1];
    assert(part->is_alive && part->generation == id.generation);
    return (int)(part - l->parts.data);
}

SomLinkId som_model_link_id(const SomLinkage *l, int link) {
    SomLinkId none = {0};
    return link < 0 ? none : (SomLinkId){(uint32_t)link + 1, l->links.data[link].generation};
}

SomJointId som_model_joint_id(const SomLinkage *l, int joint) {
    SomJointId none = {0};
    return joint < 0 ? none : (SomJointId){(uint32_t)joint + 1, l->joints.data[joint].generation};
}

SomSublinkageId som_model_part_id(const SomLinkage *l, int part) {
    SomSublinkageId none = {0};
    return part < 0 ? none : (SomSublinkageId){(uint32_t)part + 1, l->parts.data[part].generation};
}

// ---- names

uint32_t som_model_link_scope(int part) {
    return 2u * (uint32_t)part + 2;
}

uint32_t som_model_part_scope(int parent) {
    return 2u * (uint32_t)parent + 3;
}

SomStr som_model_link_name(const SomLinkage *l, int link) {
    return som_names_text(&l->names, l->links.data[link].name1);
}

SomStr som_model_joint_name(const SomLinkage *l, int joint) {
    uint32_t name1 = l->joints.data[joint].name1;
    return name1 == 0 ? SOM_STR("") : som_names_text(&l->names, name1);
}

SomStr som_model_joint_or_link_name(const SomLinkage *l, int joint) {
    const Joint *j = &l->joints.data[joint];
    return j->is_root ? som_model_link_name(l, j->link[CHILD]) : som_model_joint_name(l, joint);
}

SomStr som_model_part_name(const SomLinkage *l, int part) {
    return som_names_text(&l->names, l->parts.data[part].name1);
}

// ---- records

void som_model_fit_scratch(const SomLinkage *l) {
    Scratch *s = l->scratch;
    if (s->capacity >= l->links.count) {
        return;
    }
    int capacity = l->links.capacity;
    s->poses = som_realloc(s->poses, (size_t)capacity, sizeof *s->poses);
    s->stamps = som_realloc(s->stamps, (size_t)capacity, sizeof *s->stamps);
    s->marks = som_realloc(s->marks, (size_t)capacity, sizeof *s->marks);
    s->path = som_realloc(s->path, (size_t)capacity, sizeof *s->path);
    for (int i = s->capacity; i < capacity; i++) {
        s->stamps[i] = s->marks[i] = 0;
    }
    s->capacity = capacity;
}

// Takes a slot from the free list, or a new one; its generation stays, all else is zero.
#define TAKE_SLOT(array, free_slot, T, slot)                                                       \
    do {                                                                                           \
        uint32_t generation = 1;                                                                   \
        if ((free_slot) >= 0) {                                                                    \
            (slot) = (free_slot);                                                                  \
            (free_slot) = (array)->data[slot].next;                                                \
            generation = (array)->data[slot].generation;                                           \
        } else {                                                                                   \
            (slot) = (array)->count;                                                               \
            som_array_push((array), ((T){0}));                                                     \
        }                                                                                          \
        (array)->data[slot] = (T){.generation = generation, .is_alive = true};                     \
    } while (0)

#define GIVE_SLOT(array, free_slot, T, slot)                                                       \
    do {                                                                                           \
        (array)->data[slot] =                                                                      \
            (T){.generation = (array)->data[slot].generation + 1, .next = (free_slot)};            \
        (free_slot) = (slot);                                                                      \
    } while (0)

int som_model_new_joint(SomLinkage *l) {
    uint32_t generation = 1;
    int slot = l->free_joint;
    if (slot >= 0) {
        l->free_joint = l->joints.data[slot].next[0];
        generation = l->joints.data[slot].generation;
    } else {
        slot = l->joints.count;
        som_array_push(&l->joints, ((Joint){0}));
    }
    l->joints.data[slot] = (Joint){
        .generation = generation,
        .is_alive = true,
        .link = {-1, -1},
        .next = {-1, -1},
        .previous = {-1, -1},
        .parent_frame = som_pose_identity(),
        .child_frame = som_pose_identity(),
    };
    l->joint_count++;
    return slot;
}

static void set_next_end(SomLinkage *l, int entry, int next) {
    l->joints.data[entry / 2].next[entry % 2] = next;
}

static void set_previous_end(SomLinkage *l, int entry, int previous) {
    l->joints.data[entry / 2].previous[entry % 2] = previous;
}

static void detach(SomLinkage *l, int joint, int end) {
    Joint *j = &l->joints.data[joint];
    Link *link = &l->links.data[j->link[end]];
    if (j->previous[end] >= 0) {
        set_next_end(l, j->previous[end], j->next[end]);
    } else {
        link->first_end = j->next[end];
    }
    if (j->next[end] >= 0) {
        set_previous_end(l, j->next[end], j->previous[end]);
    } else {
        link->last_end = j->previous[end];
    }
    som_model_count_work(l, 1);
}

void som_model_delete_joint(SomLinkage *l, int joint) {
    Joint *j = &l->joints.data[joint];
    if (j->name1 != 0) {
        som_names_remove(&l->names, SOM_MODEL_JOINT_SCOPE, j->name1);
    }
    detach(l, joint, PARENT);
    detach(l, joint, CHILD);
    *j = (Joint){.generation = j->generation + 1, .next = {l->free_joint, 0}};
    l->free_joint = joint;
    l->joint_count--;
}

int som_model_new_part(SomLinkage *l, int parent, SomStr name, SomDisposition disposition) {
    int slot;
    TAKE_SLOT(&l->parts, l->free_part, Part, slot);
    Part *part = &l->parts.data[slot];
    part->disposition = disposition;
    part->name1 = som_names_intern(&l->names, name);
    part->parent = part->next = part->previous = -1;
    part->first_part = part->last_part = -1;
    part->first_link = part->last_link = part->ground = -1;
    if (parent >= 0) {
        som_names_put(&l->names, som_model_part_scope(parent), part->name1, slot);
        som_model_put_part_in(l, slot, parent);
    }
    return slot;
}

int som_model_new_root_joint(SomLinkage *l, int child, int parent) {
    int joint = som_model_new_joint(l);
    l->joints.data[joint].is_root = true;
    l->joints.data[joint].type = SOM_JOINT_GENERAL;
    som_model_attach(l, joint, CHILD, child);
    som_model_attach(l, joint, PARENT, parent);
    l->links.data[child].root_joint = joint;
    return joint;
}

// The ground that a first link of `part` hangs on: that of the nearest enclosing one that has any.
static int enclosing_ground(const SomLinkage *l, int part) {
    int outer = l->parts.data[part].parent;
    while (outer >= 0 && l->parts.data[outer].ground < 0) {
        outer = l->parts.data[outer].parent;
    }
    return outer < 0 ? -1 : l->parts.data[outer].ground;
}

int som_model_add_link(SomLinkage *l, int part, SomStr name, SomPose pose, bool is_virtual) {
    int slot;
    TAKE_SLOT(&l->links, l->free_link, Link, slot);
    Link *link = &l->links.data[slot];
    link->is_virtual = is_virtual;
    link->name1 = som_names_intern(&l->names, name);
    link->parent_joint = link->root_joint = -1;
    link->first_end = link->last_end = link->first_subframe = -1;
    som_names_put(&l->names, som_model_link_scope(part), link->name1, slot);
    som_model_put_link_in(l, slot, part);
    l->link_count++;
    som_model_fit_scratch(l);

    int ground = l->parts.data[part].ground;
    if (ground < 0) {
        l->parts.data[part].ground = slot;
        ground = enclosing_ground(l, part);
    }
    if (ground < 0) { // the top ground
        l->world = pose;
        return slot;
    }
    int root = som_model_new_root_joint(l, slot, ground);
    som_model_set_root_value(l, root, pose, false);
    l->links.data[slot].parent_joint = root;
    return slot;
}

void som_model_delete_link(SomLinkage *l, int slot) {
    Link *link = &l->links.data[slot];
    assert(link->first_end < 0);
    while (link->first_subframe >= 0) {
        int subframe = link->first_subframe;
        link->first_subframe = l->subframes.data[subframe].next;
        l->subframes.data[subframe] = (Subframe){.next = l->free_subframe};
        l->free_subframe = subframe;
    }
    som_names_remove(&l->names, som_model_link_scope(link->part), link->name1);
    som_model_take_link_out(l, slot);
    GIVE_SLOT(&l->links, l->free_link, Link, slot);
    l->link_count--;
}

// ---- lists

void som_model_attach(SomLinkage *l, int joint, int end, int slot) {
    Link *link = &l->links.data[slot];
    Joint *j = &l->joints.data[joint];
    int entry = 2 * joint + end;
    j->link[end] = slot;
    j->next[end] = -1;
    j->previous[end] = link->last_end;
    if (link->last_end >= 0) {
        set_next_end(l, link->last_end, entry);
    } else {
        link->first_end = entry;
    }
    link->last_end = entry;
    som_model_count_work(l, 1);
}

void som_model_move_end(SomLinkage *l, int joint, int end, int link) {
    detach(l, joint, end);
    som_model_attach(l, joint, end, link);
}

// Lets the neighbours of one entry of a list, and the list's own ends, name another entry.
static void rename_end(SomLinkage *l, int link, int previous, int next, int entry) {
    if (previous >= 0) {
        set_next_end(l, previous, entry);
    } else {
        l->links.data[link].first_end = entry;
    }
    if (next >= 0) {
        set_previous_end(l, next, entry);
    } else {
        l->links.data[link].last_end = entry;
    }
}

void som_model_swap_ends(SomLinkage *l, int joint) {
    Joint *j = &l->joints.data[joint];
    Joint old = *j; // its two ends are in two lists, so they are never neighbours
    for (int end = 0; end < 2; end++) {
        j->link[end] = old.link[1 - end];
        j->next[end] = old.next[1 - end];
        j->previous[end] = old.previous[1 - end];
    }
    for (int end = 0; end < 2; end++) {
        rename_end(l, j->link[end], j->previous[end], j->next[end], 2 * joint + end);
    }
    som_model_count_work(l, 1);
}

void som_model_put_link_in(SomLinkage *l, int link, int part) {
    Part *p = &l->parts.data[part];
    l->links.data[link].part = part;
    l->links.data[link].next = -1;
    l->links.data[link].previous = p->last_link;
    if (p->last_link >= 0) {
        l->links.data[p->last_link].next = link;
    } else {
        p->first_link = link;
    }
    p->last_link = link;
    som_model_count_work(l, 1);
}

void som_model_take_link_out(SomLinkage *l, int slot) {
    const Link *link = &l->links.data[slot];
    Part *part = &l->parts.data[link->part];
    if (link->previous >= 0) {
        l->links.data[link->previous].next = link->next;
    } else {
        part->first_link = link->next;
    }
    if (link->next >= 0) {
        l->links.data[link->next].previous = link->previous;
    } else {
        part->last_link = link->previous;
    }
}

void som_model_put_part_in(SomLinkage *l, int part, int parent) {
    Part *p = &l->parts.data[parent];
    l->parts.data[part].parent = parent;
    l->parts.data[part].next = -1;
    l->parts.data[part].previous = p->last_part;
    if (p->last_part >= 0) {
        l->parts.data[p->last_part].next = part;
    } else {
        p->first_part = part;
    }
    p->last_part = part;
}

void som_model_take_part_out(SomLinkage *l, int slot) {
    const Part *part = &l->parts.data[slot];
    Part *parent = &l->parts.data[part->parent];
    if (part->previous >= 0) {
        l->parts.data[part->previous].next = part->next;
    } else {
        parent->first_part = part->next;
    }
    if (part->next >= 0) {
        l->parts.data[part->next].previous = part->previous;
    } else {
        parent->last_part = part->previous;
    }
}

// ---- the tree

// On the way up the joint ends of the ancestor are looked at, too, one a step: as soon as it is
// known that it carries nothing, it is above nothing else.
bool som_model_is_ancestor(const SomLinkage *l, int ancestor, int link) {
    int end = l->links.data[ancestor].first_end;
    while (link != ancestor) {
        int joint = l->links.data[link].parent_joint;
        if (joint < 0 || end < 0) {
            return false;
        }
        link = l->joints.data[joint].link[PARENT];
        bool carries = end % 2 == PARENT && som_model_is_tree(l, end / 2);
        end = carries ? end : l->joints.data[end / 2].next[end % 2];
        som_model_count_work(l, 1);
    }
    return true;
}

bool som_model_is_within(const SomLinkage *l, int part, int outer) {
    while (part >= 0 && part != outer) {
        part = l->parts.data[part].parent;
        som_model_count_work(l, 1);
    }
    return part == outer;
}

bool som_model_is_crossing(const SomLinkage *l, int joint) {
    const Joint *j = &l->joints.data[joint];
    return l->links.data[j->link[PARENT]].part != l->links.data[j->link[CHILD]].part;
}

int som_model_root_parent(const SomLinkage *l, int part) {
    int ground = l->parts.data[part].ground;
    for (int outer = l->parts.data[part].parent;; outer = l->parts.data[outer].parent) {
        assert(outer >= 0); // the top ground hangs on nothing
        int candidate = l->parts.data[outer].ground;
        if (candidate >= 0 && !som_model_is_ancestor(l, ground, candidate)) {
            return candidate;
        }
    }
}

// ---- poses

SomPose som_model_motion_of(const Joint *joint, const double value[6]) {
    SomPose motion = som_pose_from_coordinates(value);
    return joint->is_inverted ? som_pose_invert(motion) : motion;
}

SomPose som_model_joint_pose(const Joint *joint) {
    SomPose motion = som_model_motion_of(joint, joint->value);
    if (joint->is_root) {
        return motion;
    }
    return som_pose_compose(som_pose_compose(joint->parent_frame, motion), joint->child_frame);
}

SomPose som_model_pose(const SomLinkage *l, int link) {
    Scratch *s = l->scratch;
    int length = 0;
    int at = link;
    while (s->stamps[at] != s->stamp && l->links.data[at].parent_joint >= 0) {
        s->path[length++] = at;
        at = l->joints.data[l->links.data[at].parent_joint].link[PARENT];
    }
    if (s->stamps[at] != s->stamp) {
        s->poses[at] = l->world;
        s->stamps[at] = s->stamp;
    }
    som_model_count_work(l, length + 1);
    while (length > 0) {
        int next = s->path[--length];
        const Joint *joint = &l->joints.data[l->links.data[next].parent_joint];
        s->poses[next] = som_pose_compose(s->poses[at], som_model_joint_pose(joint));
        s->stamps[next] = s->stamp;
        at = next;
    }
    return s->poses[link];
}

SomPose som_model_relative(const SomLinkage *l, int from, int link) {
    return som_pose_relative(som_model_pose(l, from), som_model_pose(l, link));
}

SomPose som_model_implied(const SomLinkage *l, int joint) {
    const Joint *j = &l->joints.data[joint];
    SomPose parent = som_pose_compose(som_model_pose(l, j->link[PARENT]), j->parent_frame);
    SomPose child =
        som_pose_compose(som_model_pose(l, j->link[CHILD]), som_pose_invert(j->child_frame));
    return j->is_inverted ? som_pose_relative(child, parent) : som_pose_relative(parent, child);
}

// ---- values

void som_model_set_root_value(SomLinkage *l, int joint, SomPose pose, bool near_last) {
    Joint *j = &l->joints.data[joint];
    double value[6];
    som_pose_to_coordinates(pose, near_last && j->has_value ? j->value : NULL, value);
    memcpy(j->value, value, sizeof value);
    j->has_value = true;
}

double som_model_set_clamped(SomLinkage *l, int joint, SomPose motion) {
    Joint *j = &l->joints.data[joint];
    double y[6];
    som_pose_to_coordinates(motion, j->has_value ? j->value : NULL, y);
    double cut = 0;
    for (int d = 0; d < 6; d++) {
        double value = som_joint_type_frees(j->type, d) ? y[d] : 0;
        if (j->limits.limited >> d & 1) {
            value = fmin(fmax(value, j->limits.low[d]), j->limits.high[d]);
        }
        cut = fmax(cut, fabs(y[d] - value));
        j->value[d] = value;
    }
    j->has_value = true;
    return cut;
}

// ---- marks and brackets

void som_model_new_marks(const SomLinkage *l) {
    l->scratch->mark++;
}

void som_model_begin(const SomLinkage *l) {
    l->scratch->stamp++;
}

bool som_model_end(SomLinkage *l) {
    som_model_touch(l);
    l->version = som_lineage_next(l->lineage);
    return true;
}

bool som_model_end_at(SomLinkage *l, int joint) {
    som_model_touch_at(l, joint);
    l->version = som_lineage_next(l->lineage);
    return true;
}

// More joint ends are not looked at: making everything old is cheap, too.
#define MOST_LOOKED 32

void som_model_touch_at(const SomLinkage *l, int joint) {
    Scratch *s = l->scratch;
    s->ticket = 0;
    if (!som_model_is_tree(l, joint)) {
        return;
    }
    int waiting = 0, looked = 0;
    s->path[waiting++] = l->joints.data[joint].link[CHILD];
    while (waiting > 0) {
        int link = s->path[--waiting];
        s->stamps[link] = 0;
        for (int entry = l->links.data[link].first_end; entry >= 0;
             entry = l->joints.data[entry / 2].next[entry % 2]) {
            som_model_count_work(l, 1);
            if (looked++ == MOST_LOOKED) {
                s->stamp++;
                return;
            }
            if (entry % 2 == PARENT && som_model_is_tree(l, entry / 2)) {
                s->path[waiting++] = l->joints.data[entry / 2].link[CHILD];
            }
        }
    }
}
