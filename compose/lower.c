// SPDX-License-Identifier: Apache-2.0

#include "compose/lower.h"

#include "base/memory.h"
#include "linkage/kinematics.h"

#include <assert.h>

typedef struct Lowerer {
    const SomConfiguration *c;
    SomLinkage *linkage;
    SomLowering *map;
    SomPose *zero; // of each module in the world while all joints are at zero
    int pieces;    // whose first module was added
    SomText text;
    SomDiagnostics *diags;
} Lowerer;

// ---- the map

static void make_map(Lowerer *q) {
    const SomConfiguration *c = q->c;
    SomLowering *map = q->map;
    size_t modules = (size_t)c->module_count;
    map->modules = som_alloc(sizeof *map->modules * modules);
    map->first_link = som_alloc(sizeof *map->first_link * (modules + 1));
    map->first_joint = som_alloc(sizeof *map->first_joint * (modules + 1));
    for (int i = 0; i < c->module_count; i++) {
        map->first_link[i + 1] = map->first_link[i] + c->modules[i].type->link_count;
        map->first_joint[i + 1] = map->first_joint[i] + c->modules[i].type->joint_count;
    }
    map->links = som_alloc(sizeof *map->links * (size_t)map->first_link[c->module_count]);
    map->joints = som_alloc(sizeof *map->joints * (size_t)(map->first_joint[c->module_count] + 1));
    map->dofs = som_alloc(sizeof *map->dofs * (size_t)(c->dof_count + 1));
    map->coordinates = som_alloc(sizeof *map->coordinates * (size_t)(c->dof_count + 1));
    map->connections = som_alloc(sizeof *map->connections * (size_t)(c->connection_count + 1));
    map->dof_count = c->dof_count;
    map->base_count = c->piece_count + 1;
    map->bases = som_alloc(sizeof *map->bases * (size_t)map->base_count);
}

void som_lowering_free(SomLowering *map) {
    som_free(map->modules);
    som_free(map->first_link);
    som_free(map->links);
    som_free(map->first_joint);
    som_free(map->joints);
    som_free(map->dofs);
    som_free(map->connections);
    som_free(map->coordinates);
    som_free(map->bases);
    *map = (SomLowering){0};
}

// ---- modules

static int connector_link(const SomConfiguration *c, int module, int connector) {
    return c->modules[module].type->connectors[connector].link;
}

// The link by which a module hangs on what is before it, and where the module is.
static int find_entry(Lowerer *q, int module) {
    const SomConfiguration *c = q->c;
    if (c->modules[module].connection < 0) {
        const SomPiece *piece = q->pieces > 0 ? &c->pieces[q->pieces - 1] : NULL;
        q->pieces++;
        q->zero[module] = piece == NULL ? c->base.link_pose : piece->pose;
        return piece == NULL ? c->base.link : piece->link;
    }
    const SomConnection *k = &c->connections[c->modules[module].connection];
    bool is_b = k->module_b == module;
    SomPose step = is_b ? k->transform : som_pose_invert(k->transform);
    q->zero[module] = som_pose_compose(q->zero[is_b ? k->module_a : k->module_b], step);
    return connector_link(c, module, is_b ? k->connector_b : k->connector_a);
}

static bool add_sublinkage(Lowerer *q, int module) {
    const SomModule *m = &q->c->modules[module];
    SomStr name = m->path.length > 0 ? m->path : q->c->name;
    name = name.length > 0 ? name : m->type->name;
    q->map->modules[module] = som_linkage_add_sublinkage(q->linkage, (SomSublinkageId){0}, name,
                                                         SOM_SIMULTANEOUS, q->diags);
    return q->map->modules[module].index1 != 0;
}

static bool add_module(Lowerer *q, int module) {
    const SomModule *m = &q->c->modules[module];
    SomLowering *map = q->map;
    som_text_clear(&q->text);
    if (m->path.length > 0) {
        som_text_printf(&q->text, "%.*s.", SOM_STR_ARG(m->path));
    }
    int entry = find_entry(q, module);
    if (!som_module_type_add_to_linkage_at(m->type, q->linkage, map->modules[module],
                                           som_text_str(&q->text), entry, q->zero[module],
                                           &map->links[map->first_link[module]],
                                           &map->joints[map->first_joint[module]], q->diags)) {
        return false;
    }
    for (int i = m->first_dof; i < m->first_dof + m->dof_count; i++) {
        int joint = q->c->dofs[i].joint;
        map->dofs[i] = map->joints[map->first_joint[module] + joint];
        map->coordinates[i] =
            m->type->joints[joint].type == SOM_JOINT_PRISMATIC ? SOM_DOF_TZ : SOM_DOF_RZ;
    }
    return true;
}

// ---- connections

static bool add_connection(Lowerer *q, int connection) {
    const SomConfiguration *c = q->c;
    const SomConnection *k = &c->connections[connection];
    SomLowering *map = q->map;
    som_text_clear(&q->text);
    som_configuration_print_connector(c, k->module_a, k->connector_a, &q->text);
    som_text_add(&q->text, SOM_STR(" to "));
    som_configuration_print_connector(c, k->module_b, k->connector_b, &q->text);
    SomLinkId a =
        map->links[map->first_link[k->module_a] + connector_link(c, k->module_a, k->connector_a)];
    SomLinkId b =
        map->links[map->first_link[k->module_b] + connector_link(c, k->module_b, k->connector_b)];
    bool is_turned = !k->is_closure && c->modules[k->module_a].connection == connection;
    SomJointDef def = {.name = som_text_str(&q->text),
                       .type = SOM_JOINT_FIXED,
                       .parent = is_turned ? b : a,
                       .child = is_turned ? a : b,
                       .parent_frame = is_turned ? som_pose_invert(k->transform) : k->transform,
                       .child_frame = som_pose_identity()};
    SomJointId joint = som_linkage_add_joint(q->linkage, &def, q->diags);
    map->connections[connection] = joint;
    return joint.index1 != 0 &&
           (k->is_closure || som_linkage_make_tree(q->linkage, joint, q->diags));
}

// All modules float before the first is hung up, and those farthest from the base are hung up
// first: so the way to the top is always short, and the work grows with the modules alone.
static bool add_all(Lowerer *q) {
    const SomConfiguration *c = q->c;
    for (int i = 0; i < c->module_count; i++) {
        if (!add_sublinkage(q, c->tree[i])) {
            return false;
        }
    }
    for (int i = 0; i < c->module_count; i++) {
        if (!add_module(q, c->tree[i])) {
            return false;
        }
    }
    for (int i = c->module_count - 1; i > 0; i--) {
        int connection = c->modules[c->tree[i]].connection;
        if (connection >= 0 && !add_connection(q, connection)) {
            return false;
        }
    }
    for (int i = 0; i < c->connection_count; i++) {
        if (c->connections[i].is_closure && !add_connection(q, i)) {
            return false;
        }
    }
    return true;
}

// ---- values

// All at once: one by one each would place all that hangs on it.
static void set_values(const Lowerer *q, const SomPosture *posture) {
    const SomLowering *map = q->map;
    SomKinematics *k = som_kinematics_compile(q->linkage);
    som_kinematics_load(k, q->linkage);
    for (int i = 0; i < posture->count; i++) {
        bool is_tree;
        int node = som_kinematics_find_joint(k, map->dofs[i], &is_tree);
        assert(is_tree);
        k->nodes[node].value[map->coordinates[i]] = posture->values[i];
    }
    som_kinematics_store(k, q->linkage);
    som_kinematics_destroy(k);
}

void som_lowering_read(const SomLowering *map, const SomLinkage *linkage, SomPosture *posture) {
    assert(posture->count == map->dof_count);
    for (int i = 0; i < posture->count; i++) {
        double y[6];
        som_linkage_coordinates(linkage, map->dofs[i], y);
        posture->values[i] = y[map->coordinates[i]];
    }
}

SomLinkage *som_lower(const SomConfiguration *c, const SomPosture *posture, SomLowering *map,
                      SomDiagnostics *diags) {
    assert(posture->count == c->dof_count);
    Lowerer q = {.c = c, .linkage = som_linkage_create(), .map = map, .diags = diags};
    q.zero = som_alloc(sizeof *q.zero * (size_t)c->module_count);
    make_map(&q);
    bool is_good = add_all(&q);
    som_text_free(&q.text);
    som_free(q.zero);
    if (!is_good) {
        som_linkage_destroy(q.linkage);
        som_lowering_free(map);
        return NULL;
    }
    for (int i = 0; i < map->base_count; i++) {
        int module = i == 0 ? c->base.module : c->pieces[i - 1].module;
        int link = i == 0 ? c->base.link : c->pieces[i - 1].link;
        SomLinkId root = map->links[map->first_link[module] + link];
        map->bases[i] = som_linkage_get_link(q.linkage, root).root_joint;
    }
    set_values(&q, posture);
    return q.linkage;
}
