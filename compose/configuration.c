// SPDX-License-Identifier: Apache-2.0

#include "compose/configuration.h"

#include "base/memory.h"
#include "compose/builder_internal.h"
#include "language/name.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void som_configuration_destroy(SomConfiguration *c) {
    if (c == NULL) {
        return;
    }
    som_name_map_free(&c->index->parts);
    som_name_map_free(&c->index->poses);
    som_name_map_free(&c->index->behaviors);
    som_name_map_free(&c->index->docks);
    som_name_map_free(&c->index->constants);
    som_name_map_free(&c->index->places);
    som_name_map_free(&c->index->inputs);
    som_arena_free(&c->arena);
    som_free(c);
}

SomPiece som_piece_of_base(const SomBase *bases, int base) {
    const SomBase *b = &bases[base];
    return (SomPiece){b->module, b->link, b->link_pose, b->is_fixed, base};
}

int som_configuration_piece_of(const SomConfiguration *c, int module) {
    while (c->modules[module].connection >= 0) { // towards the root of its piece
        const SomConnection *k = &c->connections[c->modules[module].connection];
        module = k->module_a == module ? k->module_b : k->module_a;
    }
    int piece = 0;
    for (int i = 0; i < c->piece_count; i++) {
        piece = c->pieces[i].module == module ? i + 1 : piece;
    }
    return piece;
}

int som_configuration_find_part(const SomConfiguration *c, SomStr path) {
    return path.length == 0 ? 0 : som_name_map_find(&c->index->parts, 0, path);
}

int som_configuration_find_module(const SomConfiguration *c, SomStr path) {
    int part = som_configuration_find_part(c, path);
    bool is_module = part >= 0 && c->parts[part].order == 0;
    return is_module ? c->parts[part].first_module : -1;
}

int som_configuration_find_pose(const SomConfiguration *c, SomStr path) {
    return som_name_map_find(&c->index->poses, 0, path);
}

int som_configuration_find_behavior(const SomConfiguration *c, SomStr path) {
    return som_name_map_find(&c->index->behaviors, 0, path);
}

int som_configuration_find_dock(const SomConfiguration *c, SomStr path) {
    return som_name_map_find(&c->index->docks, 0, path);
}

int som_configuration_find_input(const SomConfiguration *c, SomStr path) {
    return som_name_map_find(&c->index->inputs, 0, path);
}

int som_configuration_find_constant(const SomConfiguration *c, int part, SomStr name) {
    return som_name_map_find(&c->index->constants, part, name);
}

int som_configuration_find_place(const SomConfiguration *c, int part, SomStr name) {
    return som_name_map_find(&c->index->places, part, name);
}

// ---- docks by their ends

// Module and connector of both ends, the lower module first.
typedef struct Ends {
    int at[4];
} Ends;

static Ends ends_of(int module_a, int connector_a, int module_b, int connector_b) {
    bool is_straight = module_a < module_b || (module_a == module_b && connector_a <= connector_b);
    return is_straight ? (Ends){{module_a, connector_a, module_b, connector_b}}
                       : (Ends){{module_b, connector_b, module_a, connector_a}};
}

static int compare_ends(const Ends *a, const Ends *b) {
    for (int i = 0; i < 4; i++) {
        if (a->at[i] != b->at[i]) {
            return a->at[i] < b->at[i] ? -1 : 1;
        }
    }
    return 0;
}

static Ends ends_of_dock(const SomDock *dock) {
    const SomConnection *k = &dock->connection;
    return ends_of(k->module_a, k->connector_a, k->module_b, k->connector_b);
}

// Of docks with the same ends the first one is first.
static int compare_docks(const void *a, const void *b) {
    const SomDock *x = *(const SomDock *const *)a, *y = *(const SomDock *const *)b;
    Ends ends_x = ends_of_dock(x), ends_y = ends_of_dock(y);
    int order = compare_ends(&ends_x, &ends_y);
    return order != 0 ? order : (x > y) - (x < y);
}

void som_configuration_index_docks(SomConfiguration *c) {
    const SomDock **sorted = som_alloc(sizeof(SomDock *) * ((size_t)c->dock_count + 1));
    for (int i = 0; i < c->dock_count; i++) {
        sorted[i] = &c->docks[i];
    }
    qsort(sorted, (size_t)c->dock_count, sizeof *sorted, compare_docks);
    c->index->docks_by_ends = som_arena_new(&c->arena, int, c->dock_count + 1);
    for (int i = 0; i < c->dock_count; i++) {
        c->index->docks_by_ends[i] = (int)(sorted[i] - c->docks);
    }
    som_free(sorted);
}

int som_configuration_dock_between(const SomConfiguration *c, int module_a, int connector_a,
                                   int module_b, int connector_b) {
    Ends wanted = ends_of(module_a, connector_a, module_b, connector_b), own;
    int low = 0, high = c->dock_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        own = ends_of_dock(&c->docks[c->index->docks_by_ends[middle]]);
        if (compare_ends(&own, &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == c->dock_count) {
        return -1;
    }
    own = ends_of_dock(&c->docks[c->index->docks_by_ends[low]]);
    return compare_ends(&own, &wanted) == 0 ? c->index->docks_by_ends[low] : -1;
}

static const SomConnector *connector_of(const SomConfiguration *c, int module, int connector) {
    return &c->modules[module].type->connectors[connector];
}

double som_dock_connect_time(const SomConfiguration *c, const SomDock *dock) {
    const SomConnection *k = &dock->connection;
    return fmax(connector_of(c, k->module_a, k->connector_a)->connect_time,
                connector_of(c, k->module_b, k->connector_b)->connect_time);
}

double som_dock_release_time(const SomConfiguration *c, const SomDock *dock) {
    const SomConnection *k = &dock->connection;
    return fmax(connector_of(c, k->module_a, k->connector_a)->release_time,
                connector_of(c, k->module_b, k->connector_b)->release_time);
}

static double reach_of(double a, double b, double otherwise) {
    double given = a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
    return given > 0 ? given : otherwise;
}

double som_dock_reach(const SomConfiguration *c, const SomDock *dock) {
    const SomConnection *k = &dock->connection;
    return reach_of(connector_of(c, k->module_a, k->connector_a)->reach,
                    connector_of(c, k->module_b, k->connector_b)->reach, SOM_DOCK_REACH);
}

double som_dock_reach_angle(const SomConfiguration *c, const SomDock *dock) {
    const SomConnection *k = &dock->connection;
    return reach_of(connector_of(c, k->module_a, k->connector_a)->reach_angle,
                    connector_of(c, k->module_b, k->connector_b)->reach_angle,
                    SOM_DOCK_REACH_ANGLE);
}

// Where the last name of a path begins; names in quotes may have dots in them.
static size_t last_name(SomStr path) {
    size_t begin = 0;
    bool is_quoted = false;
    for (size_t i = 0; i < path.length; i++) {
        if (path.data[i] == '\\' && is_quoted) {
            i++;
        } else if (path.data[i] == '"') {
            is_quoted = !is_quoted;
        } else if (path.data[i] == '.' && !is_quoted) {
            begin = i + 1;
        }
    }
    return begin;
}

int som_configuration_find_dof(const SomConfiguration *c, SomStr path, SomAlias *alias) {
    size_t begin = last_name(path);
    SomStr token = som_str_slice(path, begin, path.length);
    int module =
        som_configuration_find_module(c, som_str_slice(path, 0, begin > 0 ? begin - 1 : 0));
    if (module < 0) {
        return -1;
    }
    SomText name = {0};
    som_name_read(token, &name);
    int joint = som_module_type_find_joint(c->modules[module].type, som_text_str(&name), alias);
    som_text_free(&name);
    return joint < 0 ? -1 : som_configuration_dof_of(c, module, joint);
}

int som_configuration_dof_of(const SomConfiguration *c, int module, int joint) {
    const SomModule *m = &c->modules[module];
    for (int i = m->first_dof; i < m->first_dof + m->dof_count; i++) {
        if (c->dofs[i].joint == joint) {
            return i;
        }
    }
    return -1;
}

const SomModuleJoint *som_configuration_joint(const SomConfiguration *c, int dof) {
    assert(0 <= dof && dof < c->dof_count);
    return &c->modules[c->dofs[dof].module].type->joints[c->dofs[dof].joint];
}

void som_configuration_print_connector(const SomConfiguration *c, int module, int connector,
                                       SomText *out) {
    const SomModule *m = &c->modules[module];
    som_text_add(out, m->path);
    if (m->path.length > 0) {
        som_text_add_char(out, '.', 1);
    }
    som_name_print(out, m->type->connectors[connector].name);
}
