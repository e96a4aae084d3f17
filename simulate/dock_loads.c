// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"
#include "simulate/dock_loads_internal.h"

#include <math.h>

typedef enum Load { TENSION, SHEAR, BENDING, LOADS } Load;

typedef struct Dock {
    const SomConnection *connection;
    double limits[LOADS]; // 0: none is given
    double means[LOADS];
    double since; // it closed, seconds
} Dock;

struct SomDockLoads {
    const SomMechanism *mechanism;
    Dock *docks; // one a weld; those of welds that are no docks are empty
};

// The smaller of what two connectors hold; 0 if none says.
static double limit_of(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

SomDockLoads *som_dock_loads_create(const SomBodyModel *model) {
    const SomConfiguration *design = model->mechanism->configuration;
    SomDockLoads *l = som_alloc(sizeof *l);
    l->mechanism = model->mechanism;
    l->docks = som_alloc(((size_t)model->weld_count + 1) * sizeof *l->docks);
    for (int i = 0; i < model->weld_count; i++) {
        if (model->welds[i].dock >= 0) {
            const SomConnection *k = &design->docks[model->welds[i].dock].connection;
            const SomConnector *a = &design->modules[k->module_a].type->connectors[k->connector_a];
            const SomConnector *b = &design->modules[k->module_b].type->connectors[k->connector_b];
            l->docks[i] =
                (Dock){.connection = k,
                       .limits = {limit_of(a->tension, b->tension), limit_of(a->shear, b->shear),
                                  limit_of(a->bending, b->bending)}};
        }
    }
    return l;
}

void som_dock_loads_destroy(SomDockLoads *l) {
    if (l != NULL) {
        som_free(l->docks);
        som_free(l);
    }
}

// What pulls the faces apart, what shifts them, and the moment in the middle of them.
static void measure(const SomMechanism *m, const SomConnection *k, SomEngineLoad load,
                    const SomPose *links, double loads[LOADS]) {
    SomPose face = som_mechanism_connector_pose(m, links, k->module_b, k->connector_b);
    SomVec3 out = som_pose_rotate(face, som_vec3(1, 0, 0));
    SomVec3 arm = som_vec3_sub(load.at, face.position);
    SomVec3 moment = som_vec3_add(load.torque, som_vec3_cross(arm, load.force));
    double along = som_vec3_dot(load.force, out);
    loads[TENSION] = along;
    loads[SHEAR] = som_vec3_length(som_vec3_sub(load.force, som_vec3_scale(along, out)));
    loads[BENDING] = som_vec3_length(moment);
}

bool som_dock_loads_step(SomDockLoads *l, int weld, const SomEngineState *now, const SomPose *links,
                         double dt) {
    Dock *dock = &l->docks[weld];
    double loads[LOADS];
    bool is_over = false;
    measure(l->mechanism, dock->connection, now->loads[weld], links, loads);
    dock->since += dt;
    for (int i = 0; i < LOADS; i++) {
        dock->means[i] += (loads[i] - dock->means[i]) * fmin(1, dt / SOM_DOCK_MEAN);
        is_over |= dock->limits[i] > 0 && dock->means[i] > dock->limits[i];
    }
    return is_over && dock->since >= SOM_DOCK_SETTLES;
}

void som_dock_loads_reset(SomDockLoads *l, int weld) {
    Dock *dock = &l->docks[weld];
    dock->since = 0;
    for (int i = 0; i < LOADS; i++) {
        dock->means[i] = 0;
    }
}
