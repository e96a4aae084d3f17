// SPDX-License-Identifier: Apache-2.0

#include "compose/dock_states.h"

#include "base/classes.h"
#include "base/memory.h"
#include "compose/span.h"

struct SomDockStates {
    const SomConfiguration *design;
    SomConfiguration now; // the design, but for modules, connections, pieces and tree
    SomMechanism *mechanism;
    SomModule *modules;
    SomConnection *connections;
    SomPiece *pieces;
    int *tree;
    int *part_of; // of each module, while it is found what is connected
    bool *is_closed;
    SomPosture posture; // that the links are placed in
    SomPose *links;
};

// Connections that stay, and those of the docks that are closed.
static void collect_connections(SomDockStates *s) {
    const SomConfiguration *design = s->design;
    int count = 0;
    for (int i = 0; i < design->connection_count; i++) {
        if (!design->connections[i].is_dock) {
            s->connections[count++] = design->connections[i];
        }
    }
    for (int i = 0; i < design->dock_count; i++) {
        if (s->is_closed[i]) {
            s->connections[count++] = design->docks[i].connection;
        }
    }
    s->now.connection_count = count;
}

// A link of a module, where the mechanism before has it.
static SomPiece piece_at(const SomDockStates *s, int module, int link, int base) {
    SomPose pose = s->links[som_mechanism_link_of(s->mechanism, module, link)];
    bool is_fixed = base >= 0 && s->design->bases[base].is_fixed;
    return (SomPiece){module, link, pose, is_fixed, base};
}

typedef struct Roots {
    SomDockStates *s;
    SomPiece *pieces; // one for each set of connected modules
    int *piece1;      // of a set, by the module that stands for it; from 1
    int count;
} Roots;

// What is bolted to the world stays the root of its piece, else who was a root first.
static void add_root(Roots *r, SomPiece root) {
    int *own = &r->piece1[som_classes_find(r->s->part_of, root.module)];
    if (*own == 0) {
        r->pieces[r->count++] = root;
        *own = r->count;
    } else if (root.is_fixed && !r->pieces[*own - 1].is_fixed) {
        r->pieces[*own - 1] = root;
    }
}

// The roots of all pieces: bases of the design, then what was a root before, then the first module
// of what a dock has just released.
static void find_roots(Roots *r) {
    const SomDockStates *s = r->s;
    const SomConfiguration *design = s->design;
    for (int i = 0; i < design->base_count; i++) {
        add_root(r, piece_at(s, design->bases[i].module, design->bases[i].link, i));
    }
    for (int i = 0; i < s->mechanism->piece_count; i++) {
        const SomMechanismLink *root = &s->mechanism->links[s->mechanism->pieces[i].root];
        add_root(r, piece_at(s, root->module, root->module_link, -1));
    }
    for (int i = 0; i < design->module_count; i++) {
        if (r->piece1[som_classes_find(s->part_of, i)] == 0) {
            add_root(r, piece_at(s, i, design->modules[i].type->root, -1));
        }
    }
}

static void set_base(SomDockStates *s, const SomPiece *root) {
    const SomModuleType *type = s->design->modules[root->module].type;
    SomBase base = s->design->bases[root->base]; // that of the first module's piece, or a fixed one
    if (memcmp(&base.link_pose, &root->pose, sizeof base.link_pose) != 0) {
        SomPose frame = base.frame < 0 ? som_pose_identity() : type->frames[base.frame].pose;
        base.link_pose = root->pose;
        base.placement = som_pose_compose(root->pose, frame);
    }
    s->now.base = base;
}

// Pieces are where the mechanism before has them.
static void rebuild(SomDockStates *s) {
    int count = s->now.module_count;
    collect_connections(s);
    som_classes_reset(s->part_of, count);
    for (int i = 0; i < s->now.connection_count; i++) {
        som_classes_join(s->part_of, s->connections[i].module_a, s->connections[i].module_b);
    }
    Roots r = {.s = s, .pieces = som_alloc(sizeof *r.pieces * (size_t)count)};
    r.piece1 = som_alloc(sizeof *r.piece1 * (size_t)count);
    int *roots = som_alloc(sizeof *roots * (size_t)count);
    find_roots(&r);
    for (int i = 0; i < r.count; i++) {
        roots[i] = r.pieces[i].module;
    }
    som_configuration_span(s->modules, count, s->connections, s->now.connection_count,
                           &(SomRoots){roots, r.count}, s->tree);
    set_base(s, &r.pieces[0]);
    s->now.piece_count = r.count - 1;
    memcpy(s->pieces, r.pieces + 1, sizeof *s->pieces * (size_t)(r.count - 1));
    som_mechanism_destroy(s->mechanism);
    s->mechanism = som_mechanism_create(&s->now);
    som_mechanism_place(s->mechanism, &s->posture, s->links);
    som_free(r.pieces);
    som_free(r.piece1);
    som_free(roots);
}

SomDockStates *som_dock_states_create(const SomConfiguration *design) {
    SomDockStates *s = som_alloc(sizeof *s);
    size_t modules = (size_t)design->module_count;
    size_t connections = (size_t)(design->connection_count + design->dock_count);
    s->design = design;
    s->now = *design;
    s->now.modules = s->modules = som_alloc(modules * sizeof *s->modules);
    s->now.connections = s->connections = som_alloc((connections + 1) * sizeof *s->connections);
    s->now.pieces = s->pieces = som_alloc(modules * sizeof *s->pieces);
    s->now.tree = s->tree = som_alloc(modules * sizeof *s->tree);
    s->part_of = som_alloc(modules * sizeof *s->part_of);
    memcpy(s->modules, design->modules, modules * sizeof *s->modules);
    if (design->piece_count > 0) {
        memcpy(s->pieces, design->pieces, (size_t)design->piece_count * sizeof *s->pieces);
    }
    s->is_closed = som_alloc((size_t)(design->dock_count + 1) * sizeof *s->is_closed);
    for (int i = 0; i < design->dock_count; i++) {
        s->is_closed[i] = design->docks[i].is_closed;
    }
    s->posture = som_posture_start(design);
    s->mechanism = som_mechanism_create(design);
    s->links = som_alloc(((size_t)s->mechanism->link_count + 1) * sizeof *s->links);
    som_mechanism_place(s->mechanism, &s->posture, s->links);
    return s;
}

void som_dock_states_destroy(SomDockStates *s) {
    if (s == NULL) {
        return;
    }
    som_mechanism_destroy(s->mechanism);
    som_posture_free(&s->posture);
    som_free(s->modules);
    som_free(s->connections);
    som_free(s->pieces);
    som_free(s->tree);
    som_free(s->part_of);
    som_free(s->is_closed);
    som_free(s->links);
    som_free(s);
}

void som_dock_states_place(SomDockStates *s, const SomPosture *posture) {
    size_t size = (size_t)s->posture.count * sizeof *s->posture.values;
    if (size > 0 && memcmp(s->posture.values, posture->values, size) != 0) {
        memcpy(s->posture.values, posture->values, size);
        som_mechanism_place(s->mechanism, &s->posture, s->links);
    }
}

void som_dock_states_set(SomDockStates *s, int dock, bool is_closed) {
    if (s->is_closed[dock] != is_closed) {
        s->is_closed[dock] = is_closed;
        rebuild(s);
    }
}

bool som_dock_states_is_closed(const SomDockStates *s, int dock) {
    return s->is_closed[dock];
}

SomGap som_dock_states_gap(const SomDockStates *s, int dock) {
    return som_mechanism_connection_gap(s->mechanism, s->links, &s->design->docks[dock].connection);
}

// The base of the design that holds the piece of a module in the world; -1: none.
static int fixed_base(const SomDockStates *s, int module) {
    const SomMechanism *m = s->mechanism;
    const SomMechanismPiece *piece = &m->pieces[m->links[m->first_link[module]].piece];
    return piece->is_fixed ? piece->base : -1;
}

bool som_dock_states_joins_fixed(const SomDockStates *s, int dock) {
    const SomConnection *c = &s->design->docks[dock].connection;
    int a = fixed_base(s, c->module_a), b = fixed_base(s, c->module_b);
    return a >= 0 && b >= 0 && a != b;
}

bool som_dock_in_reach(const SomConfiguration *design, int dock, SomGap gap) {
    const SomDock *d = &design->docks[dock];
    return gap.metres <= som_dock_reach(design, d) &&
           gap.radians <= som_dock_reach_angle(design, d);
}

static bool holds(const SomConnection *c, int module, int connector) {
    return (c->module_a == module && c->connector_a == connector) ||
           (c->module_b == module && c->connector_b == connector);
}

int som_dock_states_rival(const SomDockStates *s, int dock) {
    const SomConnection *own = &s->design->docks[dock].connection;
    for (int i = 0; i < s->design->dock_count; i++) {
        const SomConnection *c = &s->design->docks[i].connection;
        if (i != dock && s->is_closed[i] &&
            (holds(c, own->module_a, own->connector_a) ||
             holds(c, own->module_b, own->connector_b))) {
            return i;
        }
    }
    return -1;
}

const SomMechanism *som_dock_states_mechanism(const SomDockStates *s) {
    return s->mechanism;
}

const SomPose *som_dock_states_links(const SomDockStates *s) {
    return s->links;
}
