// SPDX-License-Identifier: Apache-2.0
// The bodies of a model as players sense them: masses, what was up, where the base is.

#include "base/memory.h"
#include "exchange/body_model.h"

#include <string.h>

static void put(double out[3], SomVec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

SomRobotBody *som_body_model_robot(const SomBodyModel *model) {
    const SomMechanism *mechanism = model->mechanism;
    const SomConfiguration *design = mechanism->configuration;
    SomRobotBody *bodies = som_alloc(((size_t)model->body_count + 1) * sizeof *bodies);
    for (int i = 0; i < model->body_count; i++) {
        const SomBody *body = &model->bodies[i];
        bodies[i].mass = body->inertia.mass;
        put(bodies[i].center, body->inertia.center);
        put(bodies[i].up, som_pose_rotate_inverse(body->pose, som_vec3(0, 0, 1)));
        bodies[i].base = som_body_place_identity();
    }
    for (int i = 0; i < design->module_count; i++) {
        int root = som_mechanism_link_of(mechanism, i, design->modules[i].type->root);
        bodies[model->body_of[root]].upright += som_module_type_mass(design->modules[i].type);
    }
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].piece = model->bodies[i].piece;
        bodies[i].is_fixed = model->bodies[i].is_fixed;
    }
    for (int i = 0; i < mechanism->piece_count; i++) {
        int base = mechanism->pieces[i].root;
        SomRobotBody *holder = &bodies[model->body_of[base]];
        holder->is_base = true;
        put(holder->base.position, model->link_pose[base].position);
        memcpy(holder->base.rotation, model->link_pose[base].rotation.m,
               sizeof holder->base.rotation);
    }
    return bodies;
}
