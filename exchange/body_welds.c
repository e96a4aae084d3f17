// SPDX-License-Identifier: Apache-2.0
// The welds of a model as players hold them: where, how stiff a spring may be that does, when docks
// close and what breaks them.

#include "base/memory.h"
#include "compose/dock_states.h"
#include "exchange/body_model.h"

#include <math.h>
#include <string.h>

static void put(double out[3], SomVec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// What a body does against a push at a point, at most, per newton; and against a turn.
static double give_of(SomInertia inertia, SomVec3 at, double *turn) {
    double arm = som_vec3_length(som_vec3_sub(at, inertia.center));
    *turn = 1 / som_inertia_principal(inertia).moments[0];
    return 1 / inertia.mass + arm * arm * *turn;
}

// For a spring that holds it: the masses of both, at the middle between them.
static void fill_spring(const SomBodyModel *model, const SomBodyWeld *weld, SomRobotWeld *out) {
    SomInertia a = model->bodies[weld->body_a].inertia, b = model->bodies[weld->body_b].inertia;
    SomVec3 middle =
        som_vec3_scale(0.5, som_vec3_add(a.center, som_pose_apply(weld->pose, b.center)));
    double turn_a, turn_b;
    double give = give_of(a, middle, &turn_a) +
                  give_of(b, som_pose_apply(som_pose_invert(weld->pose), middle), &turn_b);
    out->mass = 1 / give;
    out->inertia = 1 / (turn_a + turn_b);
    put(out->middle, middle);
}

// The smaller of what two connectors hold; 0 if none says.
static double limit_of(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

// What it holds, and the face of its child against which that is measured.
static void fill_limits(const SomBodyModel *model, const SomBodyWeld *weld, SomDockLimits *out) {
    const SomMechanism *m = model->mechanism;
    const SomConfiguration *design = m->configuration;
    const SomConnection *k = &design->docks[weld->dock].connection;
    const SomConnector *a = &design->modules[k->module_a].type->connectors[k->connector_a];
    const SomConnector *b = &design->modules[k->module_b].type->connectors[k->connector_b];
    SomPose *links = som_alloc(sizeof *links * (size_t)m->link_count);
    for (int i = 0; i < m->link_count; i++) {
        links[i] = som_pose_compose(model->bodies[model->body_of[i]].pose, model->link_pose[i]);
    }
    SomPose face =
        som_pose_compose(som_pose_invert(model->bodies[weld->body_b].pose),
                         som_mechanism_connector_pose(m, links, k->module_b, k->connector_b));
    out->tension = limit_of(a->tension, b->tension);
    out->shear = limit_of(a->shear, b->shear);
    out->bending = limit_of(a->bending, b->bending);
    put(out->face, face.position);
    put(out->outward, som_pose_rotate(face, som_vec3(1, 0, 0)));
    som_free(links);
}

static void fill_dock(const SomBodyModel *model, const SomBodyWeld *weld, SomRobotWeld *out) {
    const SomConfiguration *design = model->mechanism->configuration;
    const SomDock *dock = &design->docks[weld->dock];
    out->dock = "";
    out->model = (SomDockModel){.closing = som_dock_connect_time(design, dock),
                                .opening = som_dock_release_time(design, dock),
                                .reach = som_dock_reach(design, dock),
                                .reach_angle = som_dock_reach_angle(design, dock)};
    fill_limits(model, weld, &out->limits);
}

SomRobotWeld *som_body_model_welds(const SomBodyModel *model) {
    SomRobotWeld *welds = som_alloc(((size_t)model->weld_count + 1) * sizeof *welds);
    for (int i = 0; i < model->weld_count; i++) {
        const SomBodyWeld *weld = &model->welds[i];
        welds[i].name = welds[i].parent = welds[i].child = "";
        welds[i].index = weld->dock >= 0 ? weld->dock : SOM_NONE;
        welds[i].state = weld->is_held ? SOM_DOCK_CLOSED : SOM_DOCK_OPEN;
        put(welds[i].place.position, weld->pose.position);
        memcpy(welds[i].place.rotation, weld->pose.rotation.m, sizeof welds[i].place.rotation);
        if (weld->body_a != weld->body_b) {
            fill_spring(model, weld, &welds[i]);
        }
        if (weld->dock >= 0) {
            fill_dock(model, weld, &welds[i]);
        }
    }
    return welds;
}
