// SPDX-License-Identifier: Apache-2.0

#include "compose/mechanism.h"

#include "base/memory.h"
#include "base/number.h"
#include "compose/span.h"
#include "language/name.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

typedef struct Maker {
    const SomConfiguration *c;
    SomMechanism *m;
    SomMechanismLink *links;
    SomMechanismJoint *joints;
    SomMechanismClosure *closures;
    int *first_link;
    int *order;
    int placed; // links that are in order
    SomMechanismPiece *pieces;
    int piece; // that is entered next
} Maker;

// ---- links

static SomStr link_path(SomArena *arena, SomStr module, SomStr name) {
    SomText quoted = {0};
    if (!som_name_is_word(name)) {
        som_name_print(&quoted, name);
        name = som_text_str(&quoted);
    }
    size_t dot = module.length > 0;
    char *path = som_arena_alloc(arena, module.length + dot + name.length + 1, 1);
    memcpy(path, module.data, module.length);
    memcpy(path + module.length, ".", dot);
    memcpy(path + module.length + dot, name.data, name.length);
    som_text_free(&quoted);
    return (SomStr){path, module.length + dot + name.length};
}

static void add_links(Maker *q) {
    for (int i = 0; i < q->c->module_count; i++) {
        const SomModule *module = &q->c->modules[i];
        for (int k = 0; k < module->type->link_count; k++) {
            SomMechanismLink *link = &q->links[q->first_link[i] + k];
            link->path = link_path(&q->m->arena, module->path, module->type->links[k].name);
            link->module = i;
            link->module_link = k;
            link->link = &module->type->links[k];
            link->parent = link->dof = link->connection = -1;
            link->type = SOM_JOINT_FIXED;
            link->sign = 1;
            link->frame = som_pose_identity();
        }
    }
}

// ---- the tree

// All links of a module from the one it is entered by, outwards.
static void enter_module(Maker *q, int module, int entry, int parent, int connection,
                         SomPose frame) {
    const SomModuleType *type = q->c->modules[module].type;
    int first = q->first_link[module], begin = q->placed;
    int piece = parent < 0 ? q->piece : q->links[parent].piece; // that is entered
    SomMechanismLink *root = &q->links[first + entry];
    root->parent = parent;
    root->connection = connection;
    root->frame = frame;
    q->order[q->placed++] = first + entry;
    bool is_reached[SOM_MAX_MODULE_LINKS] = {false};
    is_reached[entry] = true;
    for (int n = begin; n < q->placed; n++) {
        int at = q->order[n] - first;
        for (int j = 0; j < type->joint_count; j++) {
            const SomModuleJoint *joint = &type->joints[j];
            bool is_down = joint->parent == at;
            int to = is_down ? joint->child : joint->parent;
            if (!joint->is_tree || (!is_down && joint->child != at) || is_reached[to]) {
                continue;
            }
            is_reached[to] = true;
            SomMechanismLink *link = &q->links[first + to];
            link->parent = first + at;
            if (joint->type != SOM_JOINT_FIXED) {
                link->dof = som_configuration_dof_of(q->c, module, j);
                link->type = joint->type;
                link->sign = is_down ? 1 : -1;
                link->frame = joint->frame;
                q->joints[link->dof] =
                    (SomMechanismJoint){joint, first + to, first + at, link->sign};
            }
            q->order[q->placed++] = first + to;
        }
    }
    assert(q->placed - begin == type->link_count);
    for (int i = 0; i < type->link_count; i++) {
        q->links[first + i].piece = piece;
        q->links[first + i].is_loose = piece > 0;
    }
}

static int connector_link(const SomConfiguration *c, int module, int connector) {
    return c->modules[module].type->connectors[connector].link;
}

static SomPiece root_of(const SomConfiguration *c, int piece) {
    const SomBase *base = &c->base;
    int number = -1;
    for (int i = 0; i < c->base_count; i++) {
        number = c->bases[i].module == base->module ? i : number;
    }
    return piece > 0
               ? c->pieces[piece - 1]
               : (SomPiece){base->module, base->link, base->link_pose, base->is_fixed, number};
}

// Pieces are in the order of the tree.
static void enter_piece(Maker *q, int module) {
    SomPiece root = root_of(q->c, q->piece);
    assert(root.module == module);
    q->pieces[q->piece] = (SomMechanismPiece){.root = q->first_link[module] + root.link,
                                              .pose = root.pose,
                                              .is_fixed = root.is_fixed,
                                              .base = root.base};
    enter_module(q, module, root.link, -1, -1, q->piece > 0 ? root.pose : som_pose_identity());
    q->piece++;
}

static void add_tree(Maker *q) {
    const SomConfiguration *c = q->c;
    for (int i = 0; i < c->module_count; i++) {
        int module = c->tree[i];
        int connection = c->modules[module].connection;
        if (connection < 0) {
            enter_piece(q, module);
            continue;
        }
        const SomConnection *k = &c->connections[connection];
        bool is_b = k->module_b == module;
        int from = is_b ? k->module_a : k->module_b;
        int parent =
            q->first_link[from] + connector_link(c, from, is_b ? k->connector_a : k->connector_b);
        int entry = connector_link(c, module, is_b ? k->connector_b : k->connector_a);
        enter_module(q, module, entry, parent, connection,
                     is_b ? k->transform : som_pose_invert(k->transform));
    }
    assert(q->placed == q->m->link_count);
}

// ---- closures

static void add_closures(Maker *q) {
    const SomConfiguration *c = q->c;
    int count = 0;
    for (int i = 0; i < c->connection_count; i++) {
        const SomConnection *k = &c->connections[i];
        if (k->is_closure) {
            q->closures[count++] =
                (SomMechanismClosure){.connection = i,
                                      .joint = -1,
                                      .module = k->module_b,
                                      .link_a = q->first_link[k->module_a] +
                                                connector_link(c, k->module_a, k->connector_a),
                                      .link_b = q->first_link[k->module_b] +
                                                connector_link(c, k->module_b, k->connector_b),
                                      .type = SOM_JOINT_FIXED,
                                      .frame = k->transform};
        }
    }
    for (int i = 0; i < c->module_count; i++) {
        const SomModuleType *type = c->modules[i].type;
        for (int j = 0; type->tree_joint_count < type->joint_count && j < type->joint_count; j++) {
            const SomModuleJoint *joint = &type->joints[j];
            if (!joint->is_tree) {
                q->closures[count++] =
                    (SomMechanismClosure){.connection = -1,
                                          .joint = j,
                                          .module = i,
                                          .link_a = q->first_link[i] + joint->parent,
                                          .link_b = q->first_link[i] + joint->child,
                                          .type = joint->type,
                                          .frame = joint->frame};
            }
        }
    }
    q->m->closure_count = count;
}

SomMechanism *som_mechanism_create(const SomConfiguration *c) {
    SomMechanism *m = som_alloc(sizeof *m);
    Maker q = {.c = c, .m = m};
    int closures = c->connection_count;
    q.first_link = som_arena_new(&m->arena, int, c->module_count + 1);
    for (int i = 0; i < c->module_count; i++) {
        const SomModuleType *type = c->modules[i].type;
        q.first_link[i + 1] = q.first_link[i] + type->link_count;
        closures += type->joint_count - type->tree_joint_count;
    }
    m->configuration = c;
    m->link_count = q.first_link[c->module_count];
    m->dof_count = c->dof_count;
    m->base = c->base.link_pose;
    m->is_fixed = c->base.is_fixed;
    m->piece_count = c->piece_count + 1;
    m->pieces = q.pieces = som_arena_new(&m->arena, SomMechanismPiece, m->piece_count);
    m->first_link = q.first_link;
    m->links = q.links = som_arena_new(&m->arena, SomMechanismLink, m->link_count);
    m->order = q.order = som_arena_new(&m->arena, int, m->link_count);
    m->joints = q.joints = som_arena_new(&m->arena, SomMechanismJoint, c->dof_count + 1);
    // the tree has all but these
    int open = closures - (c->module_count - 1 - c->piece_count);
    m->closures = q.closures = som_arena_new(&m->arena, SomMechanismClosure, open + 1);
    add_links(&q);
    add_tree(&q);
    for (int i = 0; i < m->link_count; i++) {
        q.pieces[q.links[i].piece].mass += q.links[i].link->inertia.mass;
    }
    m->mass = m->pieces[0].mass;
    add_closures(&q);
    return m;
}

// As the base of a configuration that has this piece only.
static SomBase base_of(const SomMechanism *whole, int piece, SomPose moved) {
    const SomConfiguration *c = whole->configuration;
    const SomMechanismPiece *p = &whole->pieces[piece];
    const SomMechanismLink *root = &whole->links[p->root];
    SomBase base = p->base >= 0 ? c->bases[p->base] : c->base;
    if (base.module != root->module || base.link != root->module_link) {
        base.module = root->module;
        base.link = root->module_link;
        base.frame = -1;
        base.is_on_ground = false;
    }
    SomPose frame = base.frame < 0 ? som_pose_identity()
                                   : c->modules[base.module].type->frames[base.frame].pose;
    base.is_fixed = p->is_fixed;
    base.link_pose = som_pose_compose(moved, p->pose);
    base.placement = som_pose_compose(base.link_pose, frame);
    return base;
}

SomMechanism *som_mechanism_create_piece(const SomMechanism *whole, int piece, SomPose moved) {
    const SomConfiguration *c = whole->configuration;
    assert(0 <= piece && piece < whole->piece_count);
    SomArena arena = {0};
    SomConfiguration *own = som_arena_new(&arena, SomConfiguration, 1);
    SomModule *modules = som_arena_new(&arena, SomModule, c->module_count);
    SomConnection *connections = som_arena_new(&arena, SomConnection, c->connection_count + 1);
    SomPiece *pieces = som_arena_new(&arena, SomPiece, c->module_count);
    int *tree = som_arena_new(&arena, int, c->module_count);
    memcpy(modules, c->modules, sizeof *modules * (size_t)c->module_count);
    if (c->connection_count > 0) {
        memcpy(connections, c->connections, sizeof *connections * (size_t)c->connection_count);
    }
    *own = *c;
    own->arena = (SomArena){0};
    own->modules = modules;
    own->connections = connections;
    own->pieces = pieces;
    own->tree = tree;
    own->piece_count = 0;
    own->base = base_of(whole, piece, moved);
    som_configuration_span(modules, c->module_count, connections, c->connection_count,
                           &(SomRoots){&own->base.module, 1}, tree);
    for (int i = 1; i < c->module_count; i++) {
        if (modules[tree[i]].connection < 0) {
            pieces[own->piece_count++] = (SomPiece){.module = tree[i],
                                                    .link = modules[tree[i]].type->root,
                                                    .pose = som_pose_identity(),
                                                    .base = -1};
        }
    }
    SomMechanism *m = som_mechanism_create(own);
    som_arena_join(&m->arena, &arena);
    return m;
}

void som_mechanism_destroy(SomMechanism *m) {
    if (m != NULL) {
        som_arena_free(&m->arena);
        som_free(m);
    }
}

// ---- placing

// frame * M * frame^-1
static SomPose motion_of(const SomMechanismLink *link, double value) {
    SomPose motion = som_pose_identity();
    if (link->type == SOM_JOINT_PRISMATIC) {
        motion.position = som_pose_rotate(link->frame, som_vec3(0, 0, link->sign * value));
        return motion;
    }
    double sine, cosine;
    SomMat3 turned = link->frame.rotation;
    som_sincos(link->sign * value, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        double *row = turned.m[i], x = row[0], y = row[1];
        row[0] = x * cosine + y * sine;
        row[1] = y * cosine - x * sine;
    }
    motion.rotation = som_mat3_multiply(turned, som_mat3_transpose(link->frame.rotation));
    SomVec3 origin = som_mat3_apply(motion.rotation, link->frame.position);
    motion.position = som_vec3_sub(link->frame.position, origin);
    return motion;
}

void som_mechanism_place(const SomMechanism *m, const SomPosture *posture, SomPose *links) {
    assert(posture->count == m->dof_count);
    for (int i = 0; i < m->link_count; i++) {
        const SomMechanismLink *link = &m->links[m->order[i]];
        SomPose *pose = &links[m->order[i]];
        if (link->parent < 0) {
            *pose = i == 0 ? m->base : link->frame;
        } else if (link->dof >= 0 && posture->values[link->dof] != 0) { // many are at 0
            *pose =
                som_pose_compose(links[link->parent], motion_of(link, posture->values[link->dof]));
        } else if (link->connection >= 0) {
            *pose = som_pose_compose(links[link->parent], link->frame);
        } else {
            *pose = links[link->parent];
        }
    }
}

int som_mechanism_link_of(const SomMechanism *m, int module, int module_link) {
    assert(0 <= module && module < m->configuration->module_count);
    return m->first_link[module] + module_link;
}

SomPose som_mechanism_frame_pose(const SomMechanism *m, const SomPose *links, int module,
                                 int frame) {
    const SomModuleType *type = m->configuration->modules[module].type;
    if (frame < 0) {
        return links[m->first_link[module] + type->root];
    }
    const SomModuleFrame *f = &type->frames[frame];
    return som_pose_compose(links[m->first_link[module] + f->link], f->pose);
}

SomPose som_mechanism_module_pose(const SomMechanism *m, const SomPose *links, int module) {
    return som_mechanism_frame_pose(m, links, module, -1);
}

// In the connector's link.
static SomPose connector_frame(const SomMechanism *m, int module, int connector) {
    const SomConnector *k = &m->configuration->modules[module].type->connectors[connector];
    return k->has_frame ? k->frame : som_pose_translation(k->position);
}

SomPose som_mechanism_connector_pose(const SomMechanism *m, const SomPose *links, int module,
                                     int connector) {
    int link = connector_link(m->configuration, module, connector);
    return som_pose_compose(links[m->first_link[module] + link],
                            connector_frame(m, module, connector));
}

// ---- mass and bounds

static SomVec3 center_of(const SomMechanism *m, const SomPose *links, int piece, double mass) {
    SomVec3 sum = som_vec3(0, 0, 0);
    for (int i = 0; i < m->link_count; i++) {
        if (m->links[i].piece == piece) {
            const SomInertia *inertia = &m->links[i].link->inertia;
            SomVec3 center = som_pose_apply(links[i], inertia->center);
            sum = som_vec3_add(sum, som_vec3_scale(inertia->mass, center));
        }
    }
    return mass > 0 ? som_vec3_scale(1 / mass, sum) : sum;
}

SomVec3 som_mechanism_piece_com(const SomMechanism *m, const SomPose *links, int piece) {
    return center_of(m, links, piece, m->pieces[piece].mass);
}

SomVec3 som_mechanism_com(const SomMechanism *m, const SomPose *links) {
    return center_of(m, links, 0, m->mass);
}

static SomBounds no_bounds(void) {
    double far = (double)INFINITY;
    SomBounds none = {{far, far, far}, {-far, -far, -far}};
    return none;
}

static SomBounds join(SomBounds a, SomBounds b) {
    SomBounds joined = {
        {fmin(a.low.x, b.low.x), fmin(a.low.y, b.low.y), fmin(a.low.z, b.low.z)},
        {fmax(a.high.x, b.high.x), fmax(a.high.y, b.high.y), fmax(a.high.z, b.high.z)}};
    return joined;
}

SomBounds som_mechanism_link_bounds(const SomMechanism *m, const SomPose *links, int link) {
    const SomModuleLink *l = m->links[link].link;
    SomBounds bounds = no_bounds();
    for (int i = 0; i < l->part_count; i++) {
        SomPose pose = som_pose_compose(links[link], l->parts[i].pose);
        bounds = join(bounds, som_shape_bounds(&l->parts[i].shape, pose));
    }
    for (int i = 0; l->part_count == 0 && i < l->hull_count; i++) {
        SomVec3 point = som_pose_apply(links[link], l->hull[i]);
        bounds = join(bounds, (SomBounds){point, point});
    }
    return bounds;
}

SomBounds som_mechanism_piece_bounds(const SomMechanism *m, const SomPose *links, int piece) {
    SomBounds bounds = no_bounds();
    for (int i = 0; i < m->link_count; i++) {
        if (m->links[i].piece == piece) {
            bounds = join(bounds, som_mechanism_link_bounds(m, links, i));
        }
    }
    return bounds;
}

SomBounds som_mechanism_bounds(const SomMechanism *m, const SomPose *links) {
    SomBounds bounds = no_bounds();
    for (int i = 0; i < m->link_count; i++) {
        bounds = join(bounds, som_mechanism_link_bounds(m, links, i));
    }
    return bounds;
}

// ---- gaps

// Connector b seen from where it should be.
static SomPose connection_motion(const SomMechanism *m, const SomConnection *k,
                                 const SomPose *links) {
    const SomConfiguration *c = m->configuration;
    int a = m->first_link[k->module_a] + connector_link(c, k->module_a, k->connector_a);
    int b = m->first_link[k->module_b] + connector_link(c, k->module_b, k->connector_b);
    SomPose b_in_a = som_pose_relative(links[a], links[b]);
    SomPose face = connector_frame(m, k->module_b, k->connector_b);
    return som_pose_compose(som_pose_relative(som_pose_compose(k->transform, face), b_in_a), face);
}

SomGap som_mechanism_connection_gap(const SomMechanism *m, const SomPose *links,
                                    const SomConnection *connection) {
    SomPose motion = connection_motion(m, connection, links);
    return (SomGap){som_vec3_length(motion.position),
                    som_rotation_distance(som_mat3_identity(), motion.rotation)};
}

// Link b seen from a, in the closure's frame: what its joint would have to do.
static SomPose closure_motion(const SomMechanism *m, const SomMechanismClosure *k,
                              const SomPose *links) {
    if (k->connection >= 0) {
        return connection_motion(m, &m->configuration->connections[k->connection], links);
    }
    SomPose b_in_a = som_pose_relative(links[k->link_a], links[k->link_b]);
    return som_pose_compose(som_pose_relative(k->frame, b_in_a), k->frame);
}

SomGap som_mechanism_gap(const SomMechanism *m, const SomPose *links, int closure) {
    const SomMechanismClosure *k = &m->closures[closure];
    SomPose motion = closure_motion(m, k, links);
    SomVec3 p = motion.position;
    SomGap gap = {som_vec3_length(p), som_rotation_distance(som_mat3_identity(), motion.rotation)};
    if (k->type == SOM_JOINT_PRISMATIC) {
        gap.metres = som_vec3_length(som_vec3(p.x, p.y, 0));
    } else if (k->type == SOM_JOINT_REVOLUTE) { // between the two axes
        SomVec3 axis = som_pose_rotate(motion, som_vec3(0, 0, 1));
        gap.radians = som_atan2(som_vec3_length(som_vec3(axis.x, axis.y, 0)), axis.z);
    }
    return gap;
}

double som_gap_size(SomGap gap) {
    return fmax(gap.metres, gap.radians);
}

bool som_mechanism_worst_gap(const SomMechanism *m, const SomPose *links, int *closure,
                             SomGap *gap) {
    SomGap worst = {0, 0};
    int at = -1;
    for (int i = 0; i < m->closure_count; i++) {
        SomGap other = som_mechanism_gap(m, links, i);
        if (at < 0 || som_gap_size(other) > som_gap_size(worst)) {
            worst = other;
            at = i;
        }
    }
    if (closure != NULL) {
        *closure = at;
    }
    if (gap != NULL) {
        *gap = worst;
    }
    return som_gap_size(worst) > SOM_LOOP_TOLERANCE;
}

void som_mechanism_print_closure(const SomMechanism *m, int closure, SomText *out) {
    const SomMechanismClosure *k = &m->closures[closure];
    const SomConfiguration *c = m->configuration;
    if (k->connection < 0) {
        const SomModule *module = &c->modules[k->module];
        som_text_printf(out, "the chain closed by joint '%.*s' of '%.*s'",
                        SOM_STR_ARG(module->type->joints[k->joint].name),
                        SOM_STR_ARG(module->path));
        return;
    }
    const SomConnection *connection = &c->connections[k->connection];
    som_text_add(out, SOM_STR("the loop closed by '"));
    som_configuration_print_connector(c, connection->module_a, connection->connector_a, out);
    som_text_add(out, SOM_STR("' and '"));
    som_configuration_print_connector(c, connection->module_b, connection->connector_b, out);
    som_text_add(out, SOM_STR("'"));
}

void som_gap_print(SomGap gap, SomText *out) {
    som_text_number(out, round(gap.metres * 1e6) / 1e3);
    som_text_add(out, SOM_STR(" mm and "));
    som_text_number(out, round(gap.radians * 180 / SOM_PI * 1e3) / 1e3);
    som_text_add(out, SOM_STR(" deg"));
}
