// SPDX-License-Identifier: Apache-2.0
#include "linkage/linkage.h"

#include "linkage/model_internal.h"

#include <assert.h>

// ---- numbers of versions

SomLineage *som_lineage_create(void) {
    SomLineage *lineage = som_alloc(sizeof *lineage);
    atomic_init(&lineage->last, 0);
    atomic_init(&lineage->owners, 1);
    return lineage;
}

SomLineage *som_lineage_share(SomLineage *lineage) {
    atomic_fetch_add(&lineage->owners, 1);
    return lineage;
}

void som_lineage_release(SomLineage *lineage) {
    if (atomic_fetch_sub(&lineage->owners, 1) == 1) {
        som_free(lineage);
    }
}

uint64_t som_lineage_next(SomLineage *lineage) {
    return atomic_fetch_add(&lineage->last, 1) + 1;
}

// ---- linkages

static Scratch *new_scratch(void) {
    Scratch *scratch = som_alloc(sizeof *scratch);
    scratch->stamp = 1;
    return scratch;
}

SomLinkage *som_linkage_create(void) {
    SomLinkage *l = som_alloc(sizeof *l);
    l->free_link = l->free_joint = l->free_part = l->free_subframe = -1;
    l->scratch = new_scratch();
    l->lineage = som_lineage_create();
    int top = som_model_new_part(l, -1, SOM_STR("top"), SOM_SIMULTANEOUS);
    som_model_add_link(l, top, SOM_STR("ground"), som_pose_identity(), false);
    som_model_end(l);
    return l;
}

// The copy has the same elements and room for no more than those.
#define COPY_ARRAY(array)                                                                          \
    do {                                                                                           \
        void *copied = som_realloc(NULL, (size_t)(array)->count, sizeof *(array)->data);           \
        if ((array)->count > 0) {                                                                  \
            memcpy(copied, (array)->data, (size_t)(array)->count * sizeof *(array)->data);         \
        }                                                                                          \
        (array)->data = copied;                                                                    \
        (array)->capacity = (array)->count;                                                        \
    } while (0)

SomLinkage *som_linkage_copy(const SomLinkage *linkage) {
    SomLinkage *copy = som_alloc(sizeof *copy);
    *copy = *linkage;
    COPY_ARRAY(&copy->links);
    COPY_ARRAY(&copy->joints);
    COPY_ARRAY(&copy->parts);
    COPY_ARRAY(&copy->subframes);
    copy->names = som_names_copy(&linkage->names);
    copy->scratch = new_scratch();
    som_lineage_share(copy->lineage);
    som_model_fit_scratch(copy);
    return copy;
}

void som_linkage_destroy(SomLinkage *l) {
    if (l == NULL) {
        return;
    }
    som_array_free(&l->links);
    som_array_free(&l->joints);
    som_array_free(&l->parts);
    som_array_free(&l->subframes);
    som_names_free(&l->names);
    som_lineage_release(l->lineage);
    som_free(l->scratch->poses);
    som_free(l->scratch->stamps);
    som_free(l->scratch->marks);
    som_free(l->scratch->path);
    som_free(l->scratch);
    som_free(l);
}

SomSublinkageId som_linkage_top(const SomLinkage *l) {
    return som_model_part_id(l, 0);
}

SomLinkId som_linkage_top_ground(const SomLinkage *l) {
    return som_model_link_id(l, l->parts.data[0].ground);
}

SomLinkInfo som_linkage_get_link(const SomLinkage *l, SomLinkId id) {
    int slot = som_model_link(l, id);
    const Link *link = &l->links.data[slot];
    return (SomLinkInfo){
        .name = som_model_link_name(l, slot),
        .sublinkage = som_model_part_id(l, link->part),
        .parent_joint = som_model_joint_id(l, link->parent_joint),
        .root_joint = som_model_joint_id(l, link->root_joint),
        .is_ground = l->parts.data[link->part].ground == slot,
        .is_virtual = link->is_virtual,
    };
}

SomJointInfo som_linkage_get_joint(const SomLinkage *l, SomJointId id) {
    int slot = som_model_joint(l, id);
    const Joint *joint = &l->joints.data[slot];
    return (SomJointInfo){
        .name = som_model_joint_name(l, slot),
        .type = joint->type,
        .parent = som_model_link_id(l, joint->link[PARENT]),
        .child = som_model_link_id(l, joint->link[CHILD]),
        .parent_frame = joint->parent_frame,
        .child_frame = joint->child_frame,
        .limits = joint->limits,
        .is_inverted = joint->is_inverted,
        .is_virtual = joint->is_virtual,
        .is_root = joint->is_root,
        .is_tree = som_model_is_tree(l, slot),
    };
}

SomSublinkageInfo som_linkage_get_sublinkage(const SomLinkage *l, SomSublinkageId id) {
    int slot = som_model_part(l, id);
    const Part *part = &l->parts.data[slot];
    return (SomSublinkageInfo){
        .name = som_model_part_name(l, slot),
        .parent = som_model_part_id(l, part->parent),
        .ground = som_model_link_id(l, part->ground),
        .disposition = part->disposition,
    };
}

SomLinkId som_linkage_find_link(const SomLinkage *l, SomSublinkageId in, SomStr name) {
    int part = in.index1 == 0 ? 0 : som_model_part(l, in);
    return som_model_link_id(l, som_names_find(&l->names, som_model_link_scope(part), name));
}

SomJointId som_linkage_find_joint(const SomLinkage *l, SomStr name) {
    return som_model_joint_id(l, som_names_find(&l->names, SOM_MODEL_JOINT_SCOPE, name));
}

SomSublinkageId som_linkage_find_sublinkage(const SomLinkage *l, SomSublinkageId in, SomStr name) {
    int part = in.index1 == 0 ? 0 : som_model_part(l, in);
    return som_model_part_id(l, som_names_find(&l->names, som_model_part_scope(part), name));
}

bool som_linkage_has_link(const SomLinkage *l, SomLinkId id) {
    if (id.index1 == 0 || id.index1 > (uint32_t)l->links.count) {
        return false;
    }
    const Link *link = &l->links.data[id.index1 - 1];
    return link->is_alive && link->generation == id.generation;
}

bool som_linkage_has_joint(const SomLinkage *l, SomJointId id) {
    if (id.index1 == 0 || id.index1 > (uint32_t)l->joints.count) {
        return false;
    }
    const Joint *joint = &l->joints.data[id.index1 - 1];
    return joint->is_alive && joint->generation == id.generation;
}

SomLinkId som_linkage_next_link(const SomLinkage *l, SomLinkId id) {
    for (uint32_t i = id.index1; i < (uint32_t)l->links.count; i++) {
        if (l->links.data[i].is_alive) {
            return som_model_link_id(l, (int)i);
        }
    }
    return (SomLinkId){0};
}

SomJointId som_linkage_next_joint(const SomLinkage *l, SomJointId id) {
    for (uint32_t i = id.index1; i < (uint32_t)l->joints.count; i++) {
        if (l->joints.data[i].is_alive) {
            return som_model_joint_id(l, (int)i);
        }
    }
    return (SomJointId){0};
}

SomSublinkageId som_linkage_next_sublinkage(const SomLinkage *l, SomSublinkageId id) {
    for (uint32_t i = id.index1; i < (uint32_t)l->parts.count; i++) {
        if (l->parts.data[i].is_alive) {
            return som_model_part_id(l, (int)i);
        }
    }
    return (SomSublinkageId){0};
}

SomJointId som_linkage_next_joint_at(const SomLinkage *l, SomLinkId link, SomJointId joint) {
    int slot = som_model_link(l, link);
    if (joint.index1 == 0) {
        int first = l->links.data[slot].first_end;
        return som_model_joint_id(l, first < 0 ? -1 : first / 2);
    }
    const Joint *j = &l->joints.data[som_model_joint(l, joint)];
    assert(j->link[PARENT] == slot || j->link[CHILD] == slot);
    int next = j->next[j->link[CHILD] == slot];
    return som_model_joint_id(l, next < 0 ? -1 : next / 2);
}

int som_linkage_link_count(const SomLinkage *l) {
    return l->link_count;
}

int som_linkage_joint_count(const SomLinkage *l) {
    return l->joint_count;
}

SomPose som_linkage_pose(const SomLinkage *l, SomLinkId link) {
    return som_model_pose(l, som_model_link(l, link));
}

bool som_linkage_set_world(SomLinkage *l, SomPose top_ground, SomDiagnostics *diags) {
    SomStr name = som_model_link_name(l, l->parts.data[0].ground);
    if (!som_model_check_pose(&top_ground, "pose", name, diags)) {
        return false;
    }
    l->world = top_ground;
    som_model_touch(l); // the structure is as before
    return true;
}

void som_linkage_coordinates(const SomLinkage *l, SomJointId id, double y[6]) {
    int joint = som_model_joint(l, id);
    const Joint *j = &l->joints.data[joint];
    if (som_model_is_tree(l, joint)) {
        memcpy(y, j->value, sizeof j->value);
    } else {
        som_pose_to_coordinates(som_model_implied(l, joint), j->has_value ? j->value : NULL, y);
    }
}

SomPose som_linkage_motion(const SomLinkage *l, SomJointId joint) {
    return som_model_implied(l, som_model_joint(l, joint));
}

uint64_t som_linkage_version(const SomLinkage *l) {
    return l->version;
}

uint64_t som_linkage_work(const SomLinkage *l) {
    return l->scratch->work;
}
