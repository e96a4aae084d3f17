// SPDX-License-Identifier: Apache-2.0

#include "verify/statics.h"

#include "base/memory.h"
#include "verify/contact_forces.h"
#include "verify/loop_loads_internal.h"

#include <math.h>

#define ROUGH 1e3 // a coefficient of friction that always holds

struct SomStatics {
    const SomMechanism *m;
    SomStaticsDef def;
    SomWrench *carried;  // of each link: the sum of what acts on it and on all that hangs on it
    SomLoopLoads *loops; // NULL: none, or too many
    SOM_ARRAY(SomPad) pads;
    SOM_ARRAY(SomVec3) forces;
    double *efforts;
    SomConnectionLoad *connections;
    SomBalance balance;
};

double som_statics_friction(const SomMechanismLink *link, double otherwise) {
    return isnan(link->link->friction) ? otherwise : link->link->friction;
}

SomStatics *som_statics_create(const SomStaticsDef *def) {
    SomStatics *s = som_alloc(sizeof *s);
    const SomMechanism *m = def->mechanism;
    s->m = m;
    s->def = *def;
    if (som_vec3_length(def->down) == 0) {
        s->def.down = som_vec3(0, 0, -1);
    }
    s->def.gravity = def->gravity == 0 ? SOM_STANDARD_GRAVITY : def->gravity;
    s->def.friction = def->friction == 0 ? SOM_DEFAULT_FRICTION : fmax(def->friction, 0);
    s->carried = som_alloc(sizeof *s->carried * (size_t)(m->link_count + 1));
    s->efforts = som_alloc(sizeof *s->efforts * (size_t)(m->dof_count + 1));
    int connections = m->configuration->connection_count;
    s->connections = som_alloc(sizeof *s->connections * (size_t)(connections + 1));
    if (0 < m->closure_count && m->closure_count <= SOM_STATICS_MOST_LOOPS) {
        s->loops = som_loop_loads_create(m);
    }
    s->balance.efforts = s->efforts;
    s->balance.connections = s->connections;
    return s;
}

void som_statics_destroy(SomStatics *s) {
    if (s != NULL) {
        som_loop_loads_destroy(s->loops);
        som_free(s->carried);
        som_free(s->efforts);
        som_free(s->connections);
        som_array_free(&s->pads);
        som_array_free(&s->forces);
        som_free(s);
    }
}

static SomWrench add(SomWrench a, SomWrench b) {
    return (SomWrench){som_vec3_add(a.moment, b.moment), som_vec3_add(a.force, b.force)};
}

static SomWrench force_at(SomVec3 point, SomVec3 force) {
    return (SomWrench){som_vec3_cross(point, force), force};
}

// ---- the ground

// Points of one link, which follow each other, share the stiffness of one pad.
static void lay_pads(SomStatics *s, const SomContacts *contacts) {
    som_array_reserve(&s->pads, contacts->count);
    s->pads.count = contacts->count;
    for (int i = 0, end; i < contacts->count; i = end) {
        int link = contacts->items[i].link;
        for (end = i; end < contacts->count && contacts->items[end].link == link; end++) {
        }
        double mu = som_statics_friction(&s->m->links[link], s->def.friction);
        for (int k = i; k < end; k++) {
            s->pads.data[k] = (SomPad){contacts->items[k].point, 1.0 / (end - i), mu};
        }
    }
}

static SomWrench push(SomStatics *s, SomWrench weight) {
    SomPad *pads = s->pads.data;
    int count = s->pads.count;
    SomWrench missing = som_contact_forces_find(pads, count, weight, s->forces.data);
    s->balance.is_balanced = som_contact_forces_balance(pads, count, weight, missing);
    s->balance.does_slip = false;
    bool is_level = s->def.down.x == 0 && s->def.down.y == 0;
    if (s->balance.is_balanced || is_level) {
        return missing;
    }
    // would it stand if it did not slip?
    for (int i = 0; i < count; i++) {
        pads[i].friction = ROUGH;
    }
    missing = som_contact_forces_find(pads, count, weight, s->forces.data);
    s->balance.is_balanced = som_contact_forces_balance(pads, count, weight, missing);
    s->balance.does_slip = s->balance.is_balanced;
    return missing;
}

// ---- the tree

static SomWrench weigh(SomStatics *s, const SomPose *links) {
    SomWrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < s->m->link_count; i++) {
        const SomInertia *inertia = &s->m->links[i].link->inertia;
        SomVec3 force = som_vec3_scale(inertia->mass * s->def.gravity, s->def.down);
        s->carried[i] = force_at(som_pose_apply(links[i], inertia->center), force);
        sum = add(sum, s->carried[i]);
    }
    return sum;
}

// From the outermost links inwards.
static void sum_up(SomStatics *s) {
    for (int i = s->m->link_count - 1; i > 0; i--) {
        int link = s->m->order[i], parent = s->m->links[link].parent;
        s->carried[parent] = add(s->carried[parent], s->carried[link]);
    }
}

static SomVec3 moment_about(SomWrench wrench, SomVec3 point) {
    return som_vec3_sub(wrench.moment, som_vec3_cross(point, wrench.force));
}

static void find_efforts(SomStatics *s, const SomPose *links) {
    for (int dof = 0; dof < s->m->dof_count; dof++) {
        const SomMechanismJoint *joint = &s->m->joints[dof];
        const SomMechanismLink *child = &s->m->links[joint->child];
        SomPose pose = links[joint->parent];
        SomVec3 axis = som_pose_rotate(pose, som_vec3(child->frame.rotation.m[0][2],
                                                      child->frame.rotation.m[1][2],
                                                      child->frame.rotation.m[2][2]));
        SomWrench load = s->carried[joint->child];
        SomVec3 felt = child->type == SOM_JOINT_PRISMATIC
                           ? load.force
                           : moment_about(load, som_pose_apply(pose, child->frame.position));
        s->efforts[dof] = -child->sign * som_vec3_dot(felt, axis);
    }
}

// ---- connections

// A connector of the connection that knows where it faces, and 1 if it is b's, -1 if a's.
static SomPose face_of(const SomStatics *s, const SomPose *links, const SomConnection *k,
                       double *side) {
    const SomConfiguration *c = s->m->configuration;
    bool is_b = c->modules[k->module_b].type->connectors[k->connector_b].has_frame ||
                !c->modules[k->module_a].type->connectors[k->connector_a].has_frame;
    *side = is_b ? 1 : -1;
    return is_b ? som_mechanism_connector_pose(s->m, links, k->module_b, k->connector_b)
                : som_mechanism_connector_pose(s->m, links, k->module_a, k->connector_a);
}

// `on_b` is what acts on module b, about the world's origin.
static void load_connection(SomStatics *s, const SomPose *links, int index, SomWrench on_b) {
    const SomConnection *k = &s->m->configuration->connections[index];
    double side;
    SomPose face = face_of(s, links, k, &side);
    SomVec3 out = som_vec3_scale(side, som_pose_rotate(face, som_vec3(1, 0, 0)));
    SomVec3 moment = moment_about(on_b, face.position);
    double tension = som_vec3_dot(on_b.force, out);
    SomVec3 across = som_vec3_sub(on_b.force, som_vec3_scale(tension, out));
    s->connections[index] = (SomConnectionLoad){
        tension, som_vec3_length(across), som_vec3_length(moment), {moment, on_b.force}};
}

static void find_connections(SomStatics *s, const SomPose *links) {
    for (int i = 0; i < s->m->link_count; i++) {
        const SomMechanismLink *link = &s->m->links[i];
        if (link->connection >= 0) {
            // the child is held against what it carries
            const SomConnection *k = &s->m->configuration->connections[link->connection];
            double sign = k->module_b == link->module ? -1 : 1;
            SomWrench on_b = {som_vec3_scale(sign, s->carried[i].moment),
                              som_vec3_scale(sign, s->carried[i].force)};
            load_connection(s, links, link->connection, on_b);
        }
    }
    for (int i = 0; i < s->m->closure_count; i++) {
        if (s->m->closures[i].connection >= 0) {
            SomWrench on_b = som_loop_loads_closure(s->loops, i);
            load_connection(s, links, s->m->closures[i].connection, on_b);
        }
    }
}

// ---- all of it

static void know_nothing(SomStatics *s) {
    double none = (double)NAN;
    SomWrench nothing = {{none, none, none}, {none, none, none}};
    for (int i = 0; i < s->m->dof_count; i++) {
        s->efforts[i] = none;
    }
    for (int i = 0; i < s->m->configuration->connection_count; i++) {
        s->connections[i] = (SomConnectionLoad){none, none, none, nothing};
    }
    s->balance.has_loads = false;
}

const SomBalance *som_statics_solve(SomStatics *s, const SomPose *links,
                                    const SomContacts *contacts) {
    SomWrench weight = weigh(s, links), missing = weight;
    int count = contacts != NULL && !s->def.is_held ? contacts->count : 0;
    som_array_reserve(&s->forces, (contacts != NULL ? contacts->count : 0) + 1);
    for (int i = 0; contacts != NULL && i < contacts->count; i++) {
        s->forces.data[i] = som_vec3(0, 0, 0);
    }
    missing.force = som_vec3_scale(-1, weight.force);
    missing.moment = som_vec3_scale(-1, weight.moment);
    s->balance.is_balanced = s->def.is_held;
    s->balance.does_slip = false;
    if (count > 0) {
        lay_pads(s, contacts);
        missing = push(s, weight);
        for (int i = 0; i < count; i++) {
            int link = contacts->items[i].link;
            SomWrench pushed = force_at(contacts->items[i].point, s->forces.data[i]);
            s->carried[link] = add(s->carried[link], pushed);
        }
    }
    s->balance.forces = s->forces.data;
    s->balance.missing = missing;

    double sum =
        som_vec3_dot(missing.force, missing.force) + som_vec3_dot(missing.moment, missing.moment);
    if (!isfinite(sum) || (s->m->closure_count > 0 && s->loops == NULL)) {
        s->balance.is_balanced = s->balance.is_balanced && isfinite(sum);
        know_nothing(s);
        return &s->balance;
    }
    sum_up(s);
    if (s->loops != NULL) {
        som_loop_loads_solve(s->loops, links, s->carried);
    }
    find_efforts(s, links);
    find_connections(s, links);
    s->balance.has_loads = true;
    return &s->balance;
}
