// SPDX-License-Identifier: Apache-2.0
#include "linkage/kinematics.h"

#include "linkage/model_internal.h"
#include "space/trigonometry.h"

#include <assert.h>

static SomFrameKind kind_of(SomPose frame) {
    SomMat3 identity = som_mat3_identity();
    if (memcmp(&frame.rotation, &identity, sizeof identity) != 0) {
        return SOM_FRAME_FULL;
    }
    SomVec3 t = frame.position;
    return t.x == 0 && t.y == 0 && t.z == 0 ? SOM_FRAME_NONE : SOM_FRAME_SHIFT;
}

static void fill_node(SomKinematicsNode *node, const SomLinkage *l, int link, int parent) {
    int joint = l->links.data[link].parent_joint;
    node->link = som_model_link_id(l, link);
    node->joint = som_model_joint_id(l, joint);
    node->parent = parent;
    node->parent_frame = node->child_frame = som_pose_identity();
    if (joint < 0) {
        return;
    }
    const Joint *j = &l->joints.data[joint];
    node->type = j->type;
    node->is_inverted = j->is_inverted;
    node->parent_frame = j->parent_frame;
    node->child_frame = j->child_frame;
    node->parent_kind = kind_of(j->parent_frame);
    node->child_kind = kind_of(j->child_frame);
}

// Links in preorder, children in the order their joints came to the parent.
static void fill_nodes(SomKinematics *k, const SomLinkage *l) {
    int *next = som_alloc((size_t)k->link_slots * sizeof *next); // joint end to look at, by link
    int at = -1, link = l->parts.data[0].ground;
    for (;;) {
        if (link >= 0) { // go down
            fill_node(&k->nodes[k->node_count], l, link, at);
            at = k->node_count++;
            k->node_of_link[link + 1] = at;
            next[link] = l->links.data[link].first_end;
        }
        if (at < 0) {
            break;
        }
        int here = (int)k->nodes[at].link.index1 - 1;
        int entry = next[here];
        link = -1;
        while (entry >= 0 && link < 0) {
            const Joint *j = &l->joints.data[entry / 2];
            if (entry % 2 == PARENT && som_model_is_tree(l, entry / 2)) {
                link = j->link[CHILD];
            }
            entry = j->next[entry % 2];
        }
        next[here] = entry;
        if (link < 0) { // done here: go up
            k->nodes[at].end = k->node_count;
            at = k->nodes[at].parent;
        }
    }
    som_free(next);
}

static void fill_closure(SomKinematics *k, const SomLinkage *l, int joint) {
    const Joint *j = &l->joints.data[joint];
    SomClosure *closure = &k->closures[k->closure_count];
    closure->joint = som_model_joint_id(l, joint);
    closure->type = j->type;
    closure->is_root = j->is_root;
    closure->is_inverted = j->is_inverted;
    closure->node[PARENT] = k->node_of_link[j->link[PARENT] + 1];
    closure->node[CHILD] = k->node_of_link[j->link[CHILD] + 1];
    closure->parent_frame = j->parent_frame;
    closure->child_frame_inverse = som_pose_invert(j->child_frame);
    closure->parent_kind = kind_of(closure->parent_frame);
    closure->child_kind = kind_of(closure->child_frame_inverse);
    closure->limits = j->limits;
    k->place_of_joint[joint + 1] = -1 - k->closure_count++;
}

SomKinematics *som_kinematics_compile(const SomLinkage *l) {
    SomKinematics *k = som_alloc(sizeof *k);
    k->link_slots = l->links.count;
    k->joint_slots = l->joints.count;
    k->lineage = som_lineage_share(l->lineage);
    k->version = l->version;
    k->nodes = som_alloc((size_t)l->link_count * sizeof *k->nodes);
    k->closures = som_alloc((size_t)l->joint_count * sizeof *k->closures);
    k->node_of_link = som_alloc(((size_t)k->link_slots + 1) * sizeof *k->node_of_link);
    k->place_of_joint = som_alloc(((size_t)k->joint_slots + 1) * sizeof *k->place_of_joint);
    fill_nodes(k, l);
    assert(k->node_count == l->link_count);
    for (int node = 1; node < k->node_count; node++) {
        k->place_of_joint[k->nodes[node].joint.index1] = node;
    }
    for (int joint = 0; joint < l->joints.count; joint++) {
        if (l->joints.data[joint].is_alive && !som_model_is_tree(l, joint)) {
            fill_closure(k, l, joint);
        }
    }
    som_kinematics_load(k, l);
    return k;
}

void som_kinematics_destroy(SomKinematics *k) {
    if (k != NULL) {
        som_lineage_release(k->lineage);
        som_free(k->nodes);
        som_free(k->closures);
        som_free(k->node_of_link);
        som_free(k->place_of_joint);
        som_free(k);
    }
}

void som_kinematics_load(SomKinematics *k, const SomLinkage *l) {
    assert(k->lineage == l->lineage && k->version == l->version);
    k->nodes[0].pose = l->world;
    for (int i = 1; i < k->node_count; i++) {
        const Joint *j = &l->joints.data[k->nodes[i].joint.index1 - 1];
        memcpy(k->nodes[i].value, j->value, sizeof j->value);
    }
    for (int i = 0; i < k->closure_count; i++) {
        const Joint *j = &l->joints.data[k->closures[i].joint.index1 - 1];
        k->closures[i].has_value = j->has_value;
        memcpy(k->closures[i].y, j->value, sizeof j->value);
    }
    som_kinematics_place(k, 1, k->node_count);
}

void som_kinematics_store(const SomKinematics *k, SomLinkage *l) {
    assert(k->lineage == l->lineage && k->version == l->version);
    for (int i = 1; i < k->node_count; i++) {
        Joint *j = &l->joints.data[k->nodes[i].joint.index1 - 1];
        memcpy(j->value, k->nodes[i].value, sizeof j->value);
    }
    for (int i = 0; i < k->closure_count; i++) {
        Joint *j = &l->joints.data[k->closures[i].joint.index1 - 1];
        j->has_value = k->closures[i].has_value;
        memcpy(j->value, k->closures[i].y, sizeof j->value);
    }
    som_model_touch(l);
}

int som_kinematics_find(const SomKinematics *k, SomLinkId link) {
    assert(link.index1 <= (uint32_t)k->link_slots);
    return k->node_of_link[link.index1];
}

int som_kinematics_find_joint(const SomKinematics *k, SomJointId joint, bool *is_tree) {
    assert(joint.index1 <= (uint32_t)k->joint_slots);
    int place = k->place_of_joint[joint.index1];
    *is_tree = place >= 0;
    return place >= 0 ? place : -1 - place;
}

// ---- placing

static void compose_frame(const SomPose *a, const SomPose *frame, SomFrameKind kind, SomPose *out) {
    if (kind == SOM_FRAME_FULL) {
        *out = som_pose_compose(*a, *frame);
        return;
    }
    *out = *a;
    if (kind == SOM_FRAME_SHIFT) {
        out->position = som_pose_apply(*a, frame->position);
    }
}

static SomVec3 column_of(const SomMat3 *m, int c) {
    return som_vec3(m->m[0][c], m->m[1][c], m->m[2][c]);
}

// a * Rz(angle)
static void turn_about_z(SomPose *a, double angle) {
    double s, c;
    som_sincos(angle, &s, &c);
    for (int i = 0; i < 3; i++) {
        double x = a->rotation.m[i][0], y = a->rotation.m[i][1];
        a->rotation.m[i][0] = c * x + s * y;
        a->rotation.m[i][1] = c * y - s * x;
    }
}

static void slide_along_z(SomPose *a, double way) {
    SomVec3 z = column_of(&a->rotation, 2);
    a->position = som_vec3_add(a->position, som_vec3_scale(way, z));
}

static void move_by(const SomKinematicsNode *node, SomPose *pose) {
    double sign = node->is_inverted ? -1 : 1;
    switch (node->type) {
    case SOM_JOINT_FIXED:
        return;
    case SOM_JOINT_REVOLUTE:
        turn_about_z(pose, sign * node->value[SOM_DOF_RZ]);
        return;
    case SOM_JOINT_PRISMATIC:
        slide_along_z(pose, sign * node->value[SOM_DOF_TZ]);
        return;
    default: {
        SomPose motion = som_pose_from_coordinates(node->value);
        *pose = som_pose_compose(*pose, node->is_inverted ? som_pose_invert(motion) : motion);
    }
    }
}

void som_kinematics_place(SomKinematics *k, int first, int end) {
    for (int i = first; i < end; i++) {
        SomKinematicsNode *node = &k->nodes[i];
        SomPose pose;
        compose_frame(&k->nodes[node->parent].pose, &node->parent_frame, node->parent_kind, &pose);
        node->mobility = pose;
        move_by(node, &pose);
        if (node->is_inverted) { // the axes are the child's
            node->mobility.rotation = pose.rotation;
        } else {
            node->mobility.position = pose.position;
        }
        compose_frame(&pose, &node->child_frame, node->child_kind, &node->pose);
    }
}

void som_kinematics_move(SomKinematics *k, int node, int dof, double value) {
    k->nodes[node].value[dof] = value;
    som_kinematics_place(k, node, k->nodes[node].end);
}

// ---- closures

void som_kinematics_close(SomKinematics *k, int closure, SomClosureFrame *frame) {
    SomClosure *c = &k->closures[closure];
    SomPose parent, child;
    compose_frame(&k->nodes[c->node[PARENT]].pose, &c->parent_frame, c->parent_kind, &parent);
    compose_frame(&k->nodes[c->node[CHILD]].pose, &c->child_frame_inverse, c->child_kind, &child);
    const SomPose *from = c->is_inverted ? &child : &parent;
    const SomPose *seen = c->is_inverted ? &parent : &child;
    double y[6];
    som_pose_to_coordinates(som_pose_relative(*from, *seen), c->has_value ? c->y : NULL, y);
    memcpy(c->y, y, sizeof y);
    c->has_value = true;
    if (frame != NULL) {
        SomMat3 inverse = som_rotation_left_jacobian_inverse(som_vec3(y[3], y[4], y[5]));
        frame->rotation = from->rotation;
        frame->point = seen->position;
        frame->turn = som_mat3_multiply(inverse, som_mat3_transpose(from->rotation));
    }
}

void som_kinematics_column(const SomClosureFrame *frame, const SomAxis *axis, double column[6]) {
    SomVec3 velocity = axis->direction, turn = {0, 0, 0};
    if (axis->is_turn) {
        velocity = som_vec3_cross(axis->direction, som_vec3_sub(frame->point, axis->point));
        turn = som_mat3_apply(frame->turn, axis->direction);
    }
    velocity = som_mat3_apply_transposed(frame->rotation, velocity);
    column[0] = velocity.x;
    column[1] = velocity.y;
    column[2] = velocity.z;
    column[3] = turn.x;
    column[4] = turn.y;
    column[5] = turn.z;
}

int som_kinematics_axes(const SomKinematics *k, int index, SomAxis axes[6]) {
    const SomKinematicsNode *node = &k->nodes[index];
    const SomJointTypeInfo *info = som_joint_type(node->type);
    const SomMat3 *from = &node->mobility.rotation;
    double sign = node->is_inverted ? -1 : 1;
    SomMat3 turns = som_mat3_identity();
    if (info->turns == 3) {
        SomVec3 theta = {node->value[3], node->value[4], node->value[5]};
        turns = som_rotation_left_jacobian(theta);
    }
    for (int i = 0; i < info->dof_count; i++) {
        int dof = info->dofs[i];
        SomVec3 direction = dof < 3            ? column_of(from, dof)
                            : info->turns == 3 ? som_mat3_apply(*from, column_of(&turns, dof - 3))
                                               : column_of(from, dof - 3);
        axes[i] = (SomAxis){som_vec3_scale(sign, direction), node->mobility.position, dof >= 3};
    }
    return info->dof_count;
}

int som_kinematics_support(const SomKinematics *k, int closure, int *nodes, int *signs,
                           int capacity) {
    const SomClosure *c = &k->closures[closure];
    // the seen end moves along, the end it is seen from against
    int seen = c->node[c->is_inverted ? PARENT : CHILD];
    int from = c->node[c->is_inverted ? CHILD : PARENT];
    int count = 0;
    while (seen != from) { // the one that stands further back cannot be above the other
        bool is_seen = seen > from;
        int *way = is_seen ? &seen : &from;
        if (count < capacity) {
            nodes[count] = *way;
            signs[count] = is_seen ? 1 : -1;
        }
        count++;
        *way = k->nodes[*way].parent;
    }
    return count;
}
