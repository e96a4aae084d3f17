// SPDX-License-Identifier: Apache-2.0
// A mechanism → the rigid bodies it is made of: which DoF are locked, which links are one body, and
// what mass it has. body_tree.c hangs the bodies in trees.

#include "exchange/body_model.h"

#include "base/classes.h"
#include "exchange/body_model_internal.h"
#include "space/trigonometry.h"
#include "verify/verify.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

// Lighter bodies, and those easier to turn, make engines stumble: kg and kg m^2.
#define LEAST_MASS 1e-5
#define LEAST_MOMENT 1e-11
// Of joints whose module type does not say; efforts that carry a robot of one kilogram, and so much
// more for each other.
#define DEFAULT_SPEED 2.0
#define DEFAULT_EFFORT 2.0
// The least radius of gyration, in metres.
#define LEAST_GYRATION 1e-4

// Links that say nothing else are known by their own frames, to the last bit.
static bool has_own_frame(const SomModuleLink *link) {
    return som_pose_distance(link->frame, som_pose_identity()) == 0;
}

static SomPose pose_of_body(const SomMechanism *m, const SomPose *links, int link) {
    const SomModuleLink *of = m->links[link].link;
    return has_own_frame(of) ? links[link] : som_pose_compose(links[link], of->frame);
}

SomPose som_body_maker_pose(const SomBodyMaker *q, int link) {
    return pose_of_body(q->m, q->links, link);
}

SomPose som_body_maker_link_in_own(const SomBodyMaker *q, int link) {
    const SomModuleLink *of = q->m->links[link].link;
    return has_own_frame(of) ? som_pose_identity() : som_pose_invert(of->frame);
}

// ---- what moves

// Joins the DoF of every loop: where one moves, the others follow.
static void join_loops(const SomMechanism *m, int *loops) {
    int *depth = som_alloc(sizeof *depth * (size_t)m->link_count);
    for (int i = 0; i < m->link_count; i++) {
        int link = m->order[i];
        depth[link] = m->links[link].parent < 0 ? 0 : depth[m->links[link].parent] + 1;
    }
    for (int i = 0; i < m->closure_count; i++) {
        int a = m->closures[i].link_a, b = m->closures[i].link_b, first = -1;
        while (a != b) {
            int *deeper = depth[a] >= depth[b] ? &a : &b;
            int dof = m->links[*deeper].dof;
            if (dof >= 0 && first >= 0) {
                som_classes_join(loops, first, dof);
            }
            first = first >= 0 ? first : dof;
            *deeper = m->links[*deeper].parent;
        }
    }
    som_free(depth);
}

static void find_locked(SomBodyMaker *q) {
    const SomActionGraph *graph = q->def->graph;
    int count = q->m->dof_count;
    if (graph == NULL || q->def->is_full) {
        return;
    }
    int *loops = som_realloc(NULL, (size_t)count + 1, sizeof *loops);
    bool *moves = som_alloc(sizeof *moves * ((size_t)count + 1)); // by loop
    som_classes_reset(loops, count);
    join_loops(q->m, loops);
    for (int32_t i = 0; i < graph->action_count; i++) {
        const SomAction *action = &graph->actions[i];
        bool is_motion = action->kind == SOM_ACTION_POSITION ||
                         action->kind == SOM_ACTION_RELATIVE ||
                         action->kind == SOM_ACTION_VELOCITY || action->kind == SOM_ACTION_FOLLOW;
        if (is_motion && action->target >= 0 && action->target < count) {
            moves[som_classes_find(loops, action->target)] = true;
        }
    }
    for (int i = 0; i < count; i++) {
        q->is_locked[i] = !moves[som_classes_find(loops, i)];
    }
    som_free(loops);
    som_free(moves);
}

static void find_driven_docks(SomBodyMaker *q) {
    const SomActionGraph *graph = q->def->graph;
    for (int i = 0; q->def->joins_docks && i < q->m->configuration->dock_count; i++) {
        q->is_driven[i] = true;
    }
    for (int32_t i = 0; graph != NULL && i < graph->action_count; i++) {
        const SomAction *action = &graph->actions[i];
        bool is_docking =
            action->kind == SOM_ACTION_CONNECT || action->kind == SOM_ACTION_DISCONNECT;
        if (is_docking && action->target >= 0 && action->target < q->m->configuration->dock_count) {
            q->is_driven[action->target] = true;
        }
    }
}

// The driven dock that a connection of the design is of; -1 if it holds for good.
static int dock_of(const SomBodyMaker *q, int connection) {
    const SomConfiguration *c = q->m->configuration;
    const SomConnection *k = connection >= 0 ? &c->connections[connection] : NULL;
    for (int i = 0; k != NULL && k->is_dock && i < c->dock_count; i++) {
        const SomConnection *d = &c->docks[i].connection;
        if (q->is_driven[i] && c->docks[i].is_closed && d->module_a == k->module_a &&
            d->connector_a == k->connector_a && d->module_b == k->module_b &&
            d->connector_b == k->connector_b) {
            return i;
        }
    }
    return -1;
}

// ---- which links are one body

static bool is_glued(const SomBodyMaker *q, const SomMechanismLink *link) {
    return !q->def->is_full && (link->dof < 0 || q->is_locked[link->dof]) &&
           dock_of(q, link->connection) < 0;
}

static int add_node(SomBodyMaker *q, int link, bool is_split) {
    SomBodyNode node = {.link = link, .is_split = is_split};
    som_array_push(&q->nodes, node);
    q->shares[link]++;
    return q->nodes.count - 1;
}

static bool is_empty(const SomMechanismLink *link) {
    return !(link->link->inertia.mass > 0) && link->link->part_count == 0;
}

// Whether the first link is to be kept, is empty, and something is glued to it that is not.
static bool splits_root(const SomBodyMaker *q, int root) {
    bool *is_held = som_alloc(sizeof *is_held * (size_t)q->m->link_count);
    bool holds = false;
    is_held[root] = q->def->keeps_root && is_empty(&q->m->links[root]);
    for (int i = 1; i < q->m->link_count && is_held[root]; i++) {
        const SomMechanismLink *link = &q->m->links[q->m->order[i]];
        is_held[q->m->order[i]] = link->parent >= 0 && is_held[link->parent] && is_glued(q, link);
        holds = holds || (is_held[q->m->order[i]] && !is_empty(link));
    }
    som_free(is_held);
    return holds;
}

// A link is of its parent's node or begins one, so nodes stand in the order of the mechanism.
static void add_nodes(SomBodyMaker *q) {
    int root = q->m->order[0], held = -1; // what a root that is kept holds
    bool is_split = splits_root(q, root);
    for (int i = 0; i < q->m->link_count; i++) {
        int at = q->m->order[i];
        const SomMechanismLink *link = &q->m->links[at];
        bool hangs_on_root = is_split && link->parent == root;
        if (link->parent >= 0 && is_glued(q, link) && (!hangs_on_root || held >= 0)) {
            q->node_of[at] = hangs_on_root ? held : q->node_of[link->parent];
            q->shares[at]++;
        } else if (link->parent >= 0 && is_glued(q, link)) {
            q->node_of[at] = held = add_node(q, at, false);
        } else {
            q->node_of[at] = add_node(q, at, false);
        }
    }
}

static void add_weld(SomBodyMaker *q, SomBodyWeld weld, SomText *path) {
    weld.path = som_arena_copy(&q->model->arena, som_text_str(path));
    som_array_push(&q->welds, weld);
    som_text_clear(path);
}

// Where b's node is to be, seen from a's, if link b is at link a * pose.
static SomPose held_at(const SomBodyMaker *q, int link_a, SomPose pose, int link_b) {
    SomPose node_a = som_body_maker_pose(q, q->nodes.data[q->node_of[link_a]].link);
    SomPose node_b = som_body_maker_pose(q, q->nodes.data[q->node_of[link_b]].link);
    SomPose from = som_pose_relative(node_a, q->links[link_a]);
    SomPose to = som_pose_relative(q->links[link_b], node_b);
    return som_pose_compose(from, som_pose_compose(pose, to));
}

static void add_connection_weld(SomBodyMaker *q, const SomConnection *k, int dock, bool is_held) {
    const SomConfiguration *c = q->m->configuration;
    const SomModuleType *type_a = c->modules[k->module_a].type,
                        *type_b = c->modules[k->module_b].type;
    int link_a = q->m->first_link[k->module_a] + type_a->connectors[k->connector_a].link;
    int link_b = q->m->first_link[k->module_b] + type_b->connectors[k->connector_b].link;
    SomBodyWeld weld = {.body_a = q->node_of[link_a],
                        .body_b = q->node_of[link_b],
                        .dock = dock,
                        .is_held = is_held,
                        .pose = held_at(q, link_a, k->transform, link_b),
                        .span = k->span};
    SomText path = {0};
    som_configuration_print_connector(c, k->module_a, k->connector_a, &path);
    som_text_add(&path, SOM_STR(" to "));
    som_configuration_print_connector(c, k->module_b, k->connector_b, &path);
    add_weld(q, weld, &path);
    som_text_free(&path);
}

static void add_edges(SomBodyMaker *q) {
    for (int i = 0; i < q->m->link_count; i++) {
        int at = q->m->order[i];
        const SomMechanismLink *link = &q->m->links[at];
        if (link->parent < 0 || q->nodes.data[q->node_of[at]].link != at) {
            continue;
        }
        int from = q->node_of[link->parent], to = q->node_of[at];
        int dock = dock_of(q, link->connection);
        if (dock >= 0 && !q->def->joins_docks) {
            add_connection_weld(q, &q->m->configuration->docks[dock].connection, dock, true);
            continue;
        }
        SomBodyEdge edge = {.node_a = from,
                            .node_b = to,
                            .link_a = link->parent,
                            .link_b = at,
                            .dof = is_glued(q, link) ? -1 : link->dof, // to a root that is kept
                            .dock = dock,
                            .sign = link->sign,
                            .frame = link->frame};
        if (edge.dof >= 0) {
            edge.joint = q->m->joints[link->dof].joint;
            edge.start = q->model->start[link->dof];
        }
        som_array_push(&q->edges, edge);
    }
}

// ---- closures

// The value of a closing joint, as its links stand.
static double closing_value(const SomMechanismClosure *closure, SomPose a, SomPose b) {
    SomPose moved = som_pose_compose(som_pose_relative(a, b), closure->frame);
    SomPose motion = som_pose_relative(closure->frame, moved);
    if (closure->type == SOM_JOINT_PRISMATIC) {
        return motion.position.z;
    }
    return som_atan2(motion.rotation.m[1][0], motion.rotation.m[0][0]);
}

// Half of link b hangs on link a by the joint and is welded to the other half.
static void split_link(SomBodyMaker *q, const SomMechanismClosure *closure) {
    const SomModule *module = &q->m->configuration->modules[closure->module];
    const SomModuleJoint *joint = &module->type->joints[closure->joint];
    int half = add_node(q, closure->link_b, true), other = q->node_of[closure->link_b];
    SomBodyEdge edge = {.node_a = q->node_of[closure->link_a],
                        .node_b = half,
                        .link_a = closure->link_a,
                        .link_b = closure->link_b,
                        .joint = joint,
                        .dof = -1,
                        .dock = -1,
                        .sign = 1,
                        .frame = closure->frame};
    edge.start = closing_value(closure, q->links[edge.link_a], q->links[edge.link_b]);
    som_array_push(&q->edges, edge);
    SomText path = {0};
    som_text_printf(&path, "%.*s%s%.*s", SOM_STR_ARG(module->path),
                    module->path.length > 0 ? "." : "", SOM_STR_ARG(joint->name));
    SomBodyWeld weld = {
        .body_a = other, .body_b = half, .dock = -1, .is_held = true, .span = joint->span};
    weld.pose = som_pose_relative(som_body_maker_pose(q, q->nodes.data[other].link),
                                  som_body_maker_pose(q, closure->link_b));
    add_weld(q, weld, &path);
    som_text_free(&path);
}

static void add_closures(SomBodyMaker *q) {
    const SomConfiguration *c = q->m->configuration;
    for (int i = 0; i < q->m->closure_count; i++) {
        const SomMechanismClosure *closure = &q->m->closures[i];
        int a = q->node_of[closure->link_a], b = q->node_of[closure->link_b];
        if (a == b) {
            continue; // it holds whatever happens
        }
        if (closure->connection >= 0) {
            add_connection_weld(q, &c->connections[closure->connection],
                                dock_of(q, closure->connection), true);
        } else if (closure->type != SOM_JOINT_FIXED) {
            split_link(q, closure);
        } else {
            SomBodyWeld weld = {.body_a = a, .body_b = b, .dock = -1, .is_held = true};
            SomText path = {0};
            weld.pose = held_at(q, closure->link_a, closure->frame, closure->link_b);
            som_text_add(&path, q->m->links[closure->link_b].path);
            add_weld(q, weld, &path);
            som_text_free(&path);
        }
    }
    for (int i = 0; i < c->dock_count; i++) {
        if (q->is_driven[i] && !c->docks[i].is_closed) {
            add_connection_weld(q, &c->docks[i].connection, i, false);
        }
    }
}

// ---- masses

static SomMat3 from_principal(const SomPrincipal *p) {
    SomMat3 m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m.m[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                m.m[i][j] += p->axes.m[i][k] * p->moments[k] * p->axes.m[j][k];
            }
        }
    }
    return m;
}

// Links of nothing, and flat ones, get as little as engines can do with.
static SomInertia made_physical(SomInertia inertia) {
    SomPrincipal p = som_inertia_principal(inertia);
    if (inertia.mass >= LEAST_MASS && p.moments[0] >= LEAST_MOMENT &&
        som_inertia_is_physical(inertia)) {
        return inertia;
    }
    inertia.mass = fmax(inertia.mass, LEAST_MASS);
    double least = fmax(LEAST_MOMENT, inertia.mass * LEAST_GYRATION * LEAST_GYRATION);
    for (int i = 0; i < 3; i++) {
        p.moments[i] = fmax(p.moments[i], least);
    }
    p.moments[0] = fmax(p.moments[0], p.moments[2] - p.moments[1]);
    inertia.moments = from_principal(&p);
    return inertia;
}

static void add_share(const SomBodyMaker *q, SomBody *body, int link, SomPose pose) {
    SomInertia inertia = q->m->links[link].link->inertia;
    if (!(inertia.mass > 0)) {
        return;
    }
    double share = 1.0 / q->shares[link];
    inertia.mass *= share;
    for (int i = 0; i < 9; i++) {
        inertia.moments.m[i / 3][i % 3] *= share;
    }
    inertia = som_inertia_transform(pose, inertia);
    body->inertia = body->inertia.mass > 0 ? som_inertia_add(body->inertia, inertia) : inertia;
}

static void add_masses(SomBodyMaker *q) {
    SomBody *bodies = (SomBody *)q->model->bodies;
    for (int i = 0; i < q->m->link_count; i++) {
        add_share(q, &bodies[q->model->body_of[i]], i, q->model->link_pose[i]);
    }
    for (int i = 0; i < q->nodes.count; i++) {
        const SomBodyNode *node = &q->nodes.data[i];
        if (node->is_split) {
            add_share(q, &bodies[node->body], node->link,
                      som_body_maker_link_in_own(q, node->link));
        }
    }
    for (int i = 0; i < q->model->body_count; i++) {
        bodies[i].inertia = made_physical(bodies[i].inertia);
    }
}

// ---- the ground

// By piece; infinite where nothing of it can stand on the ground.
static double *find_lowest(const SomBodyModel *model, const SomPose *bodies) {
    double *lowest = som_alloc(sizeof *lowest * (size_t)model->mechanism->piece_count);
    for (int i = 0; i < model->mechanism->piece_count; i++) {
        lowest[i] = INFINITY;
    }
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && !shape->skips_ground) {
            SomPose pose = som_pose_compose(bodies[shape->body], shape->pose);
            double *own = &lowest[model->bodies[shape->body].piece];
            *own = fmin(*own, som_shape_bounds(shape->shape, pose).low.z);
        }
    }
    return lowest;
}

// What is bolted to the world stays, and so does what the design puts somewhere beside other
// pieces: on one of them, perhaps.
static bool is_dropped(const SomMechanism *m, int piece) {
    int base = m->pieces[piece].base;
    const SomBase *of = base >= 0 ? &m->configuration->bases[base] : NULL;
    bool is_put = m->piece_count > 1 && of != NULL && of->span.source1 != 0 && !of->is_on_ground;
    return !m->pieces[piece].is_fixed && !is_put;
}

// By how much each piece is lifted so that it stands on the ground; what does already stays.
static void find_lifts(const SomBodyModel *model, const SomPose *bodies, double *lifts) {
    double *lowest = find_lowest(model, bodies);
    for (int i = 0; i < model->mechanism->piece_count; i++) {
        bool is_moved = isfinite(lowest[i]) && fabs(lowest[i]) > 1e-10;
        lifts[i] = is_moved && is_dropped(model->mechanism, i) ? 0 - lowest[i] : 0;
    }
    som_free(lowest);
}

static void drop_on_ground(SomBodyModel *model) {
    SomBody *bodies = (SomBody *)model->bodies;
    SomPose *poses = som_alloc(sizeof *poses * (size_t)model->body_count);
    double *lifts = som_arena_new(&model->arena, double, model->mechanism->piece_count);
    for (int i = 0; i < model->body_count; i++) {
        poses[i] = bodies[i].pose;
    }
    find_lifts(model, poses, lifts);
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].pose.position.z += lifts[bodies[i].piece];
    }
    model->lifts = lifts;
    som_free(poses);
}

// ---- the model

static void place_links(SomBodyMaker *q) {
    const SomMechanism *m = q->m;
    SomPosture posture = q->def->posture != NULL ? som_posture_copy(q->def->posture)
                                                 : som_posture_start(m->configuration);
    double *start = som_arena_new(&q->model->arena, double, m->dof_count + 1);
    assert(posture.count == m->dof_count);
    for (int i = 0; i < m->dof_count; i++) {
        start[i] = posture.values[i];
    }
    q->model->start = start;
    som_mechanism_place(m, &posture, q->links);
    som_posture_free(&posture);
}

static void finish_welds(SomBodyMaker *q) {
    SomBodyWeld *welds = som_arena_new(&q->model->arena, SomBodyWeld, q->welds.count + 1);
    for (int i = 0; i < q->welds.count; i++) {
        SomBodyWeld *weld = &welds[i];
        *weld = q->welds.data[i];
        weld->body_a = q->nodes.data[weld->body_a].body;
        weld->body_b = q->nodes.data[weld->body_b].body;
        char name[32];
        int length = snprintf(name, sizeof name, "weld_%d", i + 1);
        weld->name = som_arena_copy(&q->model->arena, (SomStr){name, (size_t)length});
    }
    q->model->welds = welds;
    q->model->weld_count = q->welds.count;
}

// What the design says of friction and falls, where it does; errors in it are reported elsewhere.
static void read_facts(const SomMechanism *m, SomBodyModel *model) {
    SomVerifyOptions options = som_verify_default_options();
    SomDiagnostics *ignored = som_diagnostics_create();
    som_verify_read_settings(m->configuration, &options, ignored);
    som_diagnostics_destroy(ignored);
    model->friction = options.friction;
    model->fall = (SomFallLimits){options.lean, options.rolling};
}

SomBodyModel *som_body_model_create(const SomBodyDef *def) {
    const SomMechanism *m = def->mechanism;
    SomBodyModel *model = som_alloc(sizeof *model);
    model->mechanism = m;
    model->is_full = def->is_full;
    model->contacts = def->contacts;
    read_facts(m, model);
    SomBodyMaker q = {.def = def, .m = m, .model = model};
    q.links = som_alloc(sizeof *q.links * (size_t)m->link_count);
    q.is_locked = som_alloc(sizeof *q.is_locked * ((size_t)m->dof_count + 1));
    q.is_driven = som_alloc(sizeof *q.is_driven * ((size_t)m->configuration->dock_count + 1));
    q.node_of = som_alloc(sizeof *q.node_of * (size_t)m->link_count);
    q.shares = som_alloc(sizeof *q.shares * (size_t)m->link_count);
    q.rules = som_pairs_create(m);
    place_links(&q);
    find_locked(&q);
    find_driven_docks(&q);
    add_nodes(&q);
    add_edges(&q);
    add_closures(&q);
    som_body_maker_grow_trees(&q);
    finish_welds(&q);
    add_masses(&q);
    som_body_maker_add_shapes(&q);
    drop_on_ground(model);
    som_body_maker_find_ignored(&q);
    som_body_maker_add_shells(&q);
    som_body_maker_add_pairs(&q);
    som_body_maker_add_names(&q);
    som_array_free(&q.nodes);
    som_array_free(&q.edges);
    som_array_free(&q.welds);
    som_array_free(&q.ignored);
    som_array_free(&q.resting);
    som_array_free(&q.untested);
    som_pairs_destroy(q.rules);
    som_free(q.first_unit);
    som_free(q.first_ignored);
    som_free(q.others);
    som_free(q.around);
    som_free(q.shares);
    som_free(q.node_of);
    som_free(q.is_driven);
    som_free(q.is_locked);
    som_free(q.links);
    return model;
}

void som_body_model_destroy(SomBodyModel *model) {
    if (model != NULL) {
        som_arena_free(&model->arena);
        som_free(model);
    }
}

double som_body_joint_effort(const SomBodyModel *model, const SomBodyJoint *joint) {
    return joint->effort > 0 ? joint->effort : DEFAULT_EFFORT * (1 + model->mechanism->mass);
}

double som_body_joint_speed(const SomBodyJoint *joint) {
    return joint->speed > 0 ? joint->speed : DEFAULT_SPEED;
}

bool som_body_model_place(const SomBodyModel *model, const SomPosture *posture, SomPose *bodies) {
    const SomMechanism *m = model->mechanism;
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    som_mechanism_place(m, posture, links);
    bool fits = true;
    for (int i = 0; i < m->link_count && fits; i++) {
        SomPose held = pose_of_body(m, links, model->bodies[model->body_of[i]].link);
        held = som_pose_compose(held, model->link_pose[i]);
        fits = som_pose_distance(held, links[i]) <= 1e-9;
    }
    for (int i = 0; i < model->body_count && fits; i++) {
        bodies[i] = pose_of_body(m, links, model->bodies[i].link);
    }
    double *lifts = som_alloc(sizeof *lifts * (size_t)m->piece_count);
    if (fits) {
        find_lifts(model, bodies, lifts);
    }
    for (int i = 0; i < model->body_count && fits; i++) {
        bodies[i].position.z += lifts[model->bodies[i].piece];
    }
    som_free(lifts);
    som_free(links);
    return fits;
}
