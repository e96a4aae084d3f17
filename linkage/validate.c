// SPDX-License-Identifier: Apache-2.0
// What must hold of every linkage at every time, and a fingerprint of its state.

#include "linkage/model_internal.h"

#include <assert.h>

// States a fact: if it does not hold, says so and leaves the function.
#define FACT(fact, ...)                                                                            \
    do {                                                                                           \
        if (!(fact)) {                                                                             \
            som_text_printf(why, __VA_ARGS__);                                                     \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool is_pose_sound(SomPose pose) {
    SomMat3 square = som_mat3_multiply(pose.rotation, som_mat3_transpose(pose.rotation));
    double worst = 0;
    for (int i = 0; i < 9; i++) {
        double error = fabs(square.m[i / 3][i % 3] - (i % 4 == 0 ? 1 : 0));
        worst = error <= worst ? worst : error; // NaN stays
    }
    return worst < 1e-9 && isfinite(som_vec3_length(pose.position));
}

static bool is_identity(SomPose pose) {
    SomPose identity = som_pose_identity();
    return memcmp(&pose, &identity, sizeof pose) == 0;
}

static bool validate_root_joint(const Joint *j, const Link *child, int joint, SomText *why) {
    FACT(child->root_joint == joint, "root joint %d is not its child's", joint);
    FACT(j->type == SOM_JOINT_GENERAL && !j->is_inverted && j->limits.limited == 0 && j->name1 == 0,
         "root joint %d is not plain", joint);
    FACT(is_identity(j->parent_frame) && is_identity(j->child_frame), "root joint %d has frames",
         joint);
    return true;
}

static bool validate_joint(const SomLinkage *l, int joint, SomText *why) {
    const Joint *j = &l->joints.data[joint];
    FACT(j->link[PARENT] != j->link[CHILD], "joint %d joins a link to itself", joint);
    for (int end = 0; end < 2; end++) {
        FACT(0 <= j->link[end] && j->link[end] < l->links.count &&
                 l->links.data[j->link[end]].is_alive,
             "joint %d has no link at an end", joint);
    }
    FACT(is_pose_sound(j->parent_frame) && is_pose_sound(j->child_frame),
         "a frame of joint %d is no rotation", joint);
    if (som_model_is_tree(l, joint)) {
        FACT(j->has_value, "tree joint %d has no value", joint);
        for (int d = 0; d < 6; d++) {
            FACT(isfinite(j->value[d]), "tree joint %d is not finite", joint);
            FACT(som_joint_type_frees(j->type, d) || j->value[d] == 0,
                 "tree joint %d moves where it must not", joint);
            FACT(!(j->limits.limited >> d & 1) ||
                     (j->limits.low[d] <= j->value[d] && j->value[d] <= j->limits.high[d]),
                 "tree joint %d is out of its limits", joint);
        }
    }
    FACT((j->limits.limited & ~som_joint_type(j->type)->freedom) == 0,
         "joint %d has limits where it does not move", joint);
    if (j->is_root) {
        return validate_root_joint(j, &l->links.data[j->link[CHILD]], joint, why);
    }
    FACT(som_names_find(&l->names, SOM_MODEL_JOINT_SCOPE, som_model_joint_name(l, joint)) == joint,
         "joint %d is not found by its name", joint);
    return true;
}

// H1 to H3: where a link and its root joint may hang.
static bool validate_place(const SomLinkage *l, int link, SomText *why) {
    const Link *k = &l->links.data[link];
    int ground = l->parts.data[k->part].ground;
    if (link == l->parts.data[0].ground) {
        FACT(k->parent_joint < 0 && k->root_joint < 0, "the top ground hangs on something");
        return true;
    }
    FACT(k->parent_joint >= 0 && l->joints.data[k->parent_joint].link[CHILD] == link,
         "link %d has no parent joint", link);
    FACT(k->root_joint >= 0 && l->joints.data[k->root_joint].link[CHILD] == link &&
             l->joints.data[k->root_joint].is_root,
         "link %d has no root joint", link);
    int parent = l->joints.data[k->parent_joint].link[PARENT];
    int root_parent = l->joints.data[k->root_joint].link[PARENT];
    int root_part = l->links.data[root_parent].part;
    if (link == ground) {
        FACT(!som_model_is_within(l, l->links.data[parent].part, k->part),
             "ground %d hangs on the inside", link);
        FACT(root_part != k->part && som_model_is_within(l, k->part, root_part) &&
                 l->parts.data[root_part].ground == root_parent,
             "the root joint of ground %d is not at an outer ground", link);
    } else {
        FACT(l->links.data[parent].part == k->part, "link %d hangs across a border", link);
        FACT(root_parent == ground, "the root joint of link %d is not at its ground", link);
    }
    return true;
}

// The list of joint ends at a link; adds its length to `ends`.
static bool validate_ends(const SomLinkage *l, int link, int *ends, SomText *why) {
    int previous = -1;
    for (int entry = l->links.data[link].first_end; entry >= 0;
         entry = l->joints.data[entry / 2].next[entry % 2]) {
        const Joint *j = &l->joints.data[entry / 2];
        FACT(j->is_alive && j->link[entry % 2] == link && j->previous[entry % 2] == previous,
             "the joints at link %d are in disorder", link);
        FACT(++*ends <= 2 * l->joint_count, "the joints at link %d go round in circles", link);
        previous = entry;
    }
    FACT(l->links.data[link].last_end == previous, "the joints at link %d do not end", link);
    return true;
}

static bool validate_part(const SomLinkage *l, int part, int *links, SomText *why) {
    const Part *p = &l->parts.data[part];
    int previous = -1;
    bool has_ground = p->ground < 0 && p->first_link < 0;
    for (int link = p->first_link; link >= 0; link = l->links.data[link].next) {
        const Link *k = &l->links.data[link];
        FACT(k->is_alive && k->part == part && k->previous == previous,
             "the links of sub-linkage %d are in disorder", part);
        FACT(++*links <= l->link_count, "the links of sub-linkage %d go round in circles", part);
        has_ground = has_ground || link == p->ground;
        previous = link;
    }
    FACT(p->last_link == previous && has_ground, "sub-linkage %d has no ground", part);
    FACT((part == 0) == (p->parent < 0), "sub-linkage %d is not in another one", part);
    if (part != 0) {
        FACT(l->parts.data[p->parent].is_alive, "sub-linkage %d is in a dead one", part);
        FACT(som_names_find(&l->names, som_model_part_scope(p->parent),
                            som_model_part_name(l, part)) == part,
             "sub-linkage %d is not found by its name", part);
    }
    return true;
}

// T: walking down from the top ground over tree joints meets every link once.
static bool validate_tree(const SomLinkage *l, SomText *why) {
    int *stack = som_alloc((size_t)l->links.count * sizeof *stack);
    int depth = 0, met = 0;
    stack[depth++] = l->parts.data[0].ground;
    while (depth > 0 && met <= l->link_count) {
        int link = stack[--depth];
        met++;
        for (int entry = l->links.data[link].first_end; entry >= 0;
             entry = l->joints.data[entry / 2].next[entry % 2]) {
            if (entry % 2 == PARENT && som_model_is_tree(l, entry / 2) && depth < l->links.count) {
                stack[depth++] = l->joints.data[entry / 2].link[CHILD];
            }
        }
    }
    som_free(stack);
    FACT(met == l->link_count, "the tree does not reach every link once");
    return true;
}

bool som_linkage_validate(const SomLinkage *l, SomText *why) {
    int links = 0, joints = 0, ends = 0, tree = 0, own = 0;
    for (int i = 0; i < l->joints.count; i++) {
        if (l->joints.data[i].is_alive) {
            joints++;
            if (!validate_joint(l, i, why)) {
                return false;
            }
            tree += som_model_is_tree(l, i);
        }
    }
    FACT(joints == l->joint_count, "joints are miscounted");
    for (int i = 0; i < l->links.count; i++) {
        if (l->links.data[i].is_alive) {
            links++;
            FACT(som_names_find(&l->names, som_model_link_scope(l->links.data[i].part),
                                som_model_link_name(l, i)) == i,
                 "link %d is not found by its name", i);
            if (!validate_place(l, i, why) || !validate_ends(l, i, &ends, why)) {
                return false;
            }
        }
    }
    FACT(links == l->link_count && ends == 2 * joints && tree == links - 1,
         "links, joints and ends are miscounted");
    for (int i = 0; i < l->parts.count; i++) {
        if (l->parts.data[i].is_alive && !validate_part(l, i, &own, why)) {
            return false;
        }
    }
    FACT(own == links, "a link is in no sub-linkage");
    FACT(is_pose_sound(l->world), "the world pose is no rotation");
    return validate_tree(l, why);
}

// ---- fingerprint

typedef struct Hash {
    uint64_t state;
} Hash;

static void add_word(Hash *hash, uint64_t word) {
    hash->state = (hash->state ^ word) * 0x9E3779B97F4A7C15u;
    hash->state ^= hash->state >> 29;
}

static void add_int(Hash *hash, int value) {
    add_word(hash, (uint64_t)(int64_t)value);
}

static void add_numbers(Hash *hash, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        add_word(hash, bits);
    }
}

static void add_pose(Hash *hash, const SomPose *pose) {
    add_numbers(hash, &pose->rotation.m[0][0], 9);
    add_numbers(hash, &pose->position.x, 3);
}

static void add_text(Hash *hash, SomStr text) {
    for (size_t i = 0; i < text.length; i++) {
        add_word(hash, (unsigned char)text.data[i]);
    }
    add_word(hash, text.length);
}

static void add_link(Hash *hash, const SomLinkage *l, int link) {
    const Link *k = &l->links.data[link];
    const int ints[] = {link,        (int)k->generation, k->is_virtual, k->part,      k->next,
                        k->previous, k->parent_joint,    k->root_joint, k->first_end, k->last_end};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        add_int(hash, ints[i]);
    }
    add_text(hash, som_model_link_name(l, link));
    for (int i = k->first_subframe; i >= 0; i = l->subframes.data[i].next) {
        add_text(hash, som_names_text(&l->names, l->subframes.data[i].name1));
        add_pose(hash, &l->subframes.data[i].frame);
    }
}

static void add_joint(Hash *hash, const SomLinkage *l, int joint) {
    const Joint *j = &l->joints.data[joint];
    const int ints[] = {joint,          (int)j->generation,
                        j->is_root,     j->is_virtual,
                        j->is_inverted, j->has_value,
                        (int)j->type,   j->link[0],
                        j->link[1],     j->next[0],
                        j->next[1],     j->previous[0],
                        j->previous[1], (int)j->limits.limited};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        add_int(hash, ints[i]);
    }
    add_text(hash, som_model_joint_name(l, joint));
    add_numbers(hash, j->value, j->has_value ? 6 : 0);
    add_pose(hash, &j->parent_frame);
    add_pose(hash, &j->child_frame);
    add_numbers(hash, j->limits.low, 6);
    add_numbers(hash, j->limits.high, 6);
}

static void add_part(Hash *hash, const SomLinkage *l, int part) {
    const Part *p = &l->parts.data[part];
    const int ints[] = {
        part,          (int)p->generation, (int)p->disposition, p->parent,    p->next,  p->previous,
        p->first_part, p->last_part,       p->first_link,       p->last_link, p->ground};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        add_int(hash, ints[i]);
    }
    add_text(hash, som_model_part_name(l, part));
}

uint64_t som_linkage_hash(const SomLinkage *l) {
    Hash hash = {0};
    for (int i = 0; i < l->links.count; i++) {
        if (l->links.data[i].is_alive) {
            add_link(&hash, l, i);
        }
    }
    for (int i = 0; i < l->joints.count; i++) {
        if (l->joints.data[i].is_alive) {
            add_joint(&hash, l, i);
        }
    }
    for (int i = 0; i < l->parts.count; i++) {
        if (l->parts.data[i].is_alive) {
            add_part(&hash, l, i);
        }
    }
    add_pose(&hash, &l->world);
    add_int(&hash, l->free_link);
    add_int(&hash, l->free_joint);
    add_int(&hash, l->free_part);
    return hash.state;
}
