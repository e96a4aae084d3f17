// SPDX-License-Identifier: Apache-2.0
#include "verify/second_poses.h"

#include "base/memory.h"

static int connector_link(const SomConfiguration *c, int module, int connector) {
    return c->modules[module].type->connectors[connector].link;
}

// By which link a module is attached, and where that link is.
typedef struct Entry {
    int link; // of the module's type
    SomPose pose;
} Entry;

static Entry entry_of(const SomMechanism *m, int module, const SomPose *links) {
    const SomConfiguration *c = m->configuration;
    int connection = c->modules[module].connection;
    if (module == c->base.module) {
        return (Entry){c->base.link, c->base.link_pose};
    }
    if (connection < 0) {
        int i = 0;
        while (c->pieces[i].module != module) {
            i++;
        }
        return (Entry){c->pieces[i].link, c->pieces[i].pose};
    }
    const SomConnection *k = &c->connections[connection];
    int link_a = connector_link(c, k->module_a, k->connector_a);
    int link_b = connector_link(c, k->module_b, k->connector_b);
    if (k->module_b == module) {
        SomPose a = links[m->first_link[k->module_a] + link_a];
        return (Entry){link_b, som_pose_compose(a, k->transform)};
    }
    SomPose b = links[m->first_link[k->module_b] + link_b];
    return (Entry){link_a, som_pose_compose(b, som_pose_invert(k->transform))};
}

void som_second_poses(const SomMechanism *m, const double *values, SomPose *links) {
    const SomConfiguration *c = m->configuration;
    for (int i = 0; i < c->module_count; i++) {
        int module = c->tree[i];
        const SomModuleType *type = c->modules[module].type;
        double *own = som_alloc(sizeof *own * (size_t)(type->joint_count + 1));
        for (int k = 0; k < type->joint_count; k++) {
            int dof = som_configuration_dof_of(c, module, k);
            own[k] = dof >= 0 ? values[dof] : 0;
        }
        SomPose *place = &links[m->first_link[module]];
        Entry entry = entry_of(m, module, links);
        som_module_type_place(type, own, place); // seen from the root link
        SomPose root = som_pose_compose(entry.pose, som_pose_invert(place[entry.link]));
        for (int k = 0; k < type->link_count; k++) {
            place[k] = som_pose_compose(root, place[k]);
        }
        som_free(own);
    }
}

SomVec3 som_second_com(const SomMechanism *m, const SomPose *links) {
    SomVec3 moment = som_vec3(0, 0, 0);
    double mass = 0;
    for (int i = 0; i < m->link_count; i++) {
        const SomInertia *inertia = &m->links[i].link->inertia;
        double share = m->links[i].is_loose ? 0 : inertia->mass;
        SomVec3 center = som_pose_apply(links[i], inertia->center);
        moment = som_vec3_add(moment, som_vec3_scale(share, center));
        mass += share;
    }
    return mass > 0 ? som_vec3_scale(1 / mass, moment) : moment;
}
