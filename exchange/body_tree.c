// SPDX-License-Identifier: Apache-2.0
// Bodies hung in trees: from the base, or from the middle of their longest way.

#include "exchange/body_model_internal.h"

#include <assert.h>
#include <math.h>

// A walk through one tree of nodes.
typedef struct Walk {
    int *queue;
    int *from; // the edge by which a node was reached, -1 for the first; -2: not reached
    int count;
} Walk;

static void gather_around(SomBodyMaker *q) {
    for (int i = 0; i < q->edges.count; i++) {
        q->nodes.data[q->edges.data[i].node_a].edge_count++;
        q->nodes.data[q->edges.data[i].node_b].edge_count++;
    }
    for (int i = 1; i < q->nodes.count; i++) {
        const SomBodyNode *last = &q->nodes.data[i - 1];
        q->nodes.data[i].first_edge = last->first_edge + last->edge_count;
    }
    int *filled = som_alloc(sizeof *filled * (size_t)q->nodes.count);
    q->around = som_alloc(sizeof *q->around * (2 * (size_t)q->edges.count + 1));
    for (int i = 0; i < q->edges.count; i++) {
        int ends[2] = {q->edges.data[i].node_a, q->edges.data[i].node_b};
        for (int k = 0; k < 2; k++) {
            q->around[q->nodes.data[ends[k]].first_edge + filled[ends[k]]++] = i;
        }
    }
    som_free(filled);
}

static int other_end(const SomBodyMaker *q, int edge, int node) {
    const SomBodyEdge *e = &q->edges.data[edge];
    return e->node_a == node ? e->node_b : e->node_a;
}

// Breadth first from a node; returns the last one reached, which is the farthest.
static int walk(const SomBodyMaker *q, int first, Walk *w) {
    w->count = 0;
    w->queue[w->count++] = first;
    w->from[first] = -1;
    for (int i = 0; i < w->count; i++) {
        const SomBodyNode *node = &q->nodes.data[w->queue[i]];
        for (int k = 0; k < node->edge_count; k++) {
            int edge = q->around[node->first_edge + k];
            int to = other_end(q, edge, w->queue[i]);
            if (edge != w->from[w->queue[i]]) {
                assert(to != w->queue[i]);
                w->from[to] = edge;
                w->queue[w->count++] = to;
            }
        }
    }
    return w->queue[w->count - 1];
}

// The middle of the longest way through the tree of a node.
static int find_center(const SomBodyMaker *q, int node, Walk *w) {
    int end = walk(q, node, w);
    int at = walk(q, end, w);
    int length = 0;
    for (int i = at; w->from[i] >= 0; i = other_end(q, w->from[i], i)) {
        length++;
    }
    for (int i = 0; i < length / 2; i++) {
        at = other_end(q, w->from[at], at);
    }
    return at;
}

// The fixed joint of a module that an edge is; NULL for one that connects modules.
static const SomModuleJoint *fixed_joint(const SomBodyMaker *q, const SomBodyEdge *edge) {
    const SomMechanismLink *a = &q->m->links[edge->link_a], *b = &q->m->links[edge->link_b];
    const SomModuleType *type = q->m->configuration->modules[b->module].type;
    for (int i = 0; b->connection < 0 && i < type->joint_count; i++) {
        const SomModuleJoint *joint = &type->joints[i];
        bool is_it = (joint->parent == a->module_link && joint->child == b->module_link) ||
                     (joint->child == a->module_link && joint->parent == b->module_link);
        if (is_it && joint->is_tree) {
            return joint;
        }
    }
    return NULL;
}

// A fixed joint in a module has a name, one that connects modules has none.
static SomStr name_fixed(const SomBodyMaker *q, const SomBodyEdge *edge,
                         const SomModuleJoint *joint) {
    const SomMechanismLink *link = &q->m->links[edge->link_b];
    if (joint == NULL) {
        return link->path;
    }
    const SomModule *module = &q->m->configuration->modules[link->module];
    SomText path = {0};
    som_text_printf(&path, "%.*s%s%.*s", SOM_STR_ARG(module->path),
                    module->path.length > 0 ? "." : "", SOM_STR_ARG(joint->name));
    SomStr kept = som_arena_copy(&q->model->arena, som_text_str(&path));
    som_text_free(&path);
    return kept;
}

static SomBodyJoint make_joint(const SomBodyMaker *q, const SomBodyEdge *edge, int child) {
    const SomModuleJoint *of = edge->joint;
    const SomModuleJoint *fixed = of == NULL ? fixed_joint(q, edge) : NULL;
    bool is_down = q->nodes.data[edge->node_b].body == child;
    int link = is_down ? edge->link_b : edge->link_a;
    const SomMechanism *m = q->m;
    // the joint's frame is the same in both links
    const SomBodyNode *node = &q->nodes.data[is_down ? edge->node_b : edge->node_a];
    SomPose in_body =
        node->is_split ? som_body_maker_link_in_own(q, link) : q->model->link_pose[link];
    SomPose frame = som_pose_compose(in_body, edge->frame);
    SomBodyJoint joint = {.path = edge->dof >= 0        ? m->configuration->dofs[edge->dof].path
                                  : edge->joint != NULL ? m->links[edge->link_b].path
                                                        : name_fixed(q, edge, fixed),
                          .joint = of != NULL ? of : fixed,
                          .dof = edge->dof,
                          .dock = edge->dock,
                          .parent = q->nodes.data[is_down ? edge->node_a : edge->node_b].body,
                          .child = child,
                          .type = SOM_JOINT_FIXED,
                          .axis = som_vec3(0, 0, 1),
                          .low = -INFINITY,
                          .high = INFINITY};
    if (of == NULL) {
        return joint;
    }
    SomVec3 z = som_pose_rotate(frame, som_vec3(0, 0, 1));
    joint.type = of->type;
    joint.position = frame.position;
    joint.axis = som_vec3_scale(is_down ? edge->sign : -edge->sign, z);
    joint.start = edge->start;
    joint.low = of->low;
    joint.high = of->high;
    joint.damping = of->damping;
    joint.friction = of->friction;
    if (edge->dof >= 0) {
        joint.effort = of->effort;
        joint.speed = of->speed;
        joint.acceleration = of->acceleration;
        for (int i = 0; i < 3; i++) {
            joint.gains[i] = of->gains[i];
        }
    }
    return joint;
}

// The node that is bolted to the world, of the piece of a node; -1: none is.
static int fixed_node(const SomBodyMaker *q, int node) {
    const SomMechanismPiece *piece = &q->m->pieces[q->m->links[q->nodes.data[node].link].piece];
    return piece->is_fixed ? q->node_of[piece->root] : -1;
}

// Numbers the bodies of a tree, depth first, and notes the edge by which each hangs.
static void number_tree(SomBodyMaker *q, int root, Walk *w, int *edges) {
    SomBody *bodies = (SomBody *)q->model->bodies;
    walk(q, root, w);
    int *stack = w->queue; // what was queued is in the stack before it is read again
    int height = 0;
    stack[height++] = root;
    while (height > 0) {
        int at = stack[--height];
        SomBodyNode *node = &q->nodes.data[at];
        int from = w->from[at];
        int parent = from >= 0 ? q->nodes.data[other_end(q, from, at)].body : -1;
        node->body = q->model->body_count++;
        edges[node->body] = from;
        bodies[node->body] = (SomBody){.path = q->m->links[node->link].path,
                                       .link = node->link,
                                       .parent = parent,
                                       .joint = -1,
                                       .host = -1,
                                       .depth = parent >= 0 ? bodies[parent].depth + 1 : 0,
                                       .piece = q->m->links[node->link].piece,
                                       .is_fixed = at == fixed_node(q, at),
                                       .pose = som_body_maker_pose(q, node->link)};
        if (bodies[node->body].depth > q->model->depth) {
            q->model->depth = bodies[node->body].depth;
        }
        for (int k = node->edge_count - 1; k >= 0; k--) {
            int edge = q->around[node->first_edge + k];
            if (edge != from) {
                stack[height++] = other_end(q, edge, at);
            }
        }
    }
}

static void place_in_bodies(SomBodyMaker *q) {
    const SomMechanism *m = q->m;
    int *body_of = som_arena_new(&q->model->arena, int, m->link_count);
    SomPose *link_pose = som_arena_new(&q->model->arena, SomPose, m->link_count);
    for (int i = 0; i < m->link_count; i++) {
        const SomBodyNode *node = &q->nodes.data[q->node_of[i]];
        body_of[i] = node->body;
        link_pose[i] = node->link == i
                           ? som_body_maker_link_in_own(q, i)
                           : som_pose_relative(som_body_maker_pose(q, node->link), q->links[i]);
    }
    q->model->body_of = body_of;
    q->model->link_pose = link_pose;
}

static void add_joints(SomBodyMaker *q, const int *edges) {
    SomBodyModel *model = q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    SomBodyJoint *joints = som_arena_new(&model->arena, SomBodyJoint, model->body_count);
    int *joint_of = som_arena_new(&model->arena, int, q->m->dof_count + 1);
    for (int i = 0; i < q->m->dof_count; i++) {
        joint_of[i] = -1;
    }
    for (int i = 0; i < model->body_count; i++) {
        if (edges[i] >= 0) {
            bodies[i].joint = model->joint_count;
            joints[model->joint_count] = make_joint(q, &q->edges.data[edges[i]], i);
            if (joints[model->joint_count].dof >= 0) {
                joint_of[joints[model->joint_count].dof] = model->joint_count;
            }
            model->joint_count++;
        }
    }
    model->joints = joints;
    model->joint_of = joint_of;
}

void som_body_maker_grow_trees(SomBodyMaker *q) {
    int count = q->nodes.count;
    gather_around(q);
    q->model->bodies = som_arena_new(&q->model->arena, SomBody, count);
    Walk w = {som_alloc(sizeof *w.queue * (size_t)count), som_alloc(sizeof *w.from * (size_t)count),
              0};
    int *edges = som_alloc(sizeof *edges * (size_t)count); // by body
    for (int i = 0; i < count; i++) {
        w.from[i] = -2;
    }
    for (int i = 0; i < count; i++) {
        if (w.from[i] == -2) {
            bool is_centered = q->def->is_centered && fixed_node(q, i) != i;
            number_tree(q, is_centered ? find_center(q, i, &w) : i, &w, edges);
        }
    }
    place_in_bodies(q);
    add_joints(q, edges);
    som_free(w.queue);
    som_free(w.from);
    som_free(edges);
}
