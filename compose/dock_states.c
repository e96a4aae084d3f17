// SPDX-License-Identifier: Apache-2.0

#include "compose/dock_states.h"

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
    bool *is_closed;
    SomPosture posture; // that the links are placed in
    SomPose *links;
};

static SomPose module_pose(const SomDockStates *s, int module) {
    return som_mechanism_module_pose(s->mechanism, s->links, module);
}

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

// Pieces are where the mechanism before has them.
static void rebuild(SomDockStates *s) {
    collect_connections(s);
    som_configuration_span(s->modules, s->now.module_count, s->connections, s->now.connection_count,
                           s->now.base.module, s->tree);
    s->now.piece_count = 0;
    for (int i = 1; i < s->now.module_count; i++) {
        int module = s->tree[i];
        if (s->modules[module].connection < 0) {
            s->pieces[s->now.piece_count++] = (SomPiece){module, module_pose(s, module)};
        }
    }
    som_mechanism_destroy(s->mechanism);
    s->mechanism = som_mechanism_create(&s->now);
    som_mechanism_place(s->mechanism, &s->posture, s->links);
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
    memcpy(s->modules, design->modules, modules * sizeof *s->modules);
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

bool som_dock_in_reach(SomGap gap) {
    return gap.metres <= SOM_DOCK_REACH && gap.radians <= SOM_DOCK_REACH_ANGLE;
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
