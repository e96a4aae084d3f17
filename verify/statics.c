// SPDX-License-Identifier: Apache-2.0

#include "verify/statics.h"

#include "base/memory.h"
#include "verify/contact_forces.h"
#include "verify/loop_loads_internal.h"

#include <math.h>
#include <string.h>

#define ROUGH 1e3 // a coefficient of friction that always holds

struct SomStatics {
    const SomMechanism *m;
    SomStaticsDef def;
    SomWrench *carried;  // of each link: the sum of what acts on it and on all that hangs on it
    SomLoopLoads *loops; // NULL: none, or too many
    SOM_ARRAY(SomPad) pads;
    SOM_ARRAY(SomPadMove) moves;
    bool *is_in_loop;                      // of each DoF
    int *column;                           // of each DoF among the joints that are spared; -1
    double *limits;                        // of those
    double *bare;                          // efforts of those without the ground
    int spared;                            // how many
    double movement[SOM_CONTACT_MOVEMENT]; // that spared them in the previous posture
    int moved;                             // how many joints it has
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
    s->def.friction = def->friction == 0 ? SOM_FRICTION : fmax(def->friction, 0);
    s->carried = som_alloc(sizeof *s->carried * (size_t)(m->link_count + 1));
    s->efforts = som_alloc(sizeof *s->efforts * (size_t)(m->dof_count + 1));
    int connections = m->configuration->connection_count;
    s->connections = som_alloc(sizeof *s->connections * (size_t)(connections + 1));
    if (0 < m->closure_count && m->closure_count <= SOM_STATICS_MOST_LOOPS) {
        s->loops = som_loop_loads_create(m);
    }
    s->is_in_loop = som_alloc((size_t)m->dof_count + 1);
    s->column = som_alloc(sizeof *s->column * (size_t)(m->dof_count + 1));
    s->limits = som_alloc(sizeof *s->limits * (size_t)(m->dof_count + 1));
    s->bare = som_alloc(sizeof *s->bare * (size_t)(m->dof_count + 1));
    som_loop_loads_mark(m, s->is_in_loop);
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
        som_free(s->is_in_loop);
        som_free(s->column);
        som_free(s->limits);
        som_free(s->bare);
        som_array_free(&s->pads);
        som_array_free(&s->moves);
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
            s->pads.data[k] = (SomPad){
                .point = contacts->items[k].point, .weight = 1.0 / (end - i), .friction = mu};
        }
    }
}

static SomContactProblem problem_of(SomStatics *s, SomWrench weight) {
    return (SomContactProblem){.pads = s->pads.data,
                               .count = s->pads.count,
                               .load = weight,
                               .moves = s->moves.data,
                               .limits = s->limits,
                               .efforts = s->bare,
                               .joint_count = s->spared,
                               .movement = s->spared > 0 ? s->movement : NULL};
}

static SomWrench push(SomStatics *s, SomWrench weight) {
    SomContactProblem problem = problem_of(s, weight);
    SomWrench missing = som_contact_forces_find(&problem, s->forces.data);
    s->balance.is_balanced = som_contact_forces_balance(&problem, missing);
    s->balance.does_slip = false;
    bool is_level = s->def.down.x == 0 && s->def.down.y == 0;
    if (s->balance.is_balanced || is_level) {
        return missing;
    }
    // would it stand if it did not slip?
    for (int i = 0; i < s->pads.count; i++) {
        s->pads.data[i].friction = ROUGH;
    }
    missing = som_contact_forces_find(&problem, s->forces.data);
    s->balance.is_balanced = som_contact_forces_balance(&problem, missing);
    s->balance.does_slip = s->balance.is_balanced;
    return missing;
}

// ---- the tree

static SomWrench weigh(SomStatics *s, const SomPose *links) {
    SomWrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < s->m->link_count; i++) {
        const SomInertia *inertia = &s->m->links[i].link->inertia;
        if (s->m->links[i].is_loose) {
            s->carried[i] = (SomWrench){{0, 0, 0}, {0, 0, 0}};
            continue;
        }
        SomVec3 force = som_vec3_scale(inertia->mass * s->def.gravity, s->def.down);
        s->carried[i] = force_at(som_pose_apply(links[i], inertia->center), force);
        sum = add(sum, s->carried[i]);
    }
    return sum;
}

// From the outermost links inwards. Roots of loose pieces have no parent.
static void sum_up(SomStatics *s) {
    for (int i = s->m->link_count - 1; i > 0; i--) {
        int link = s->m->order[i], parent = s->m->links[link].parent;
        if (parent >= 0) {
            s->carried[parent] = add(s->carried[parent], s->carried[link]);
        }
    }
}

static SomVec3 moment_about(SomWrench wrench, SomVec3 point) {
    return som_vec3_sub(wrench.moment, som_vec3_cross(point, wrench.force));
}

// The axis of a joint in the world, in the direction of the joint.
typedef struct Axis {
    SomVec3 point, direction;
    bool slides;
} Axis;

static Axis axis_of(const SomStatics *s, const SomPose *links, int dof) {
    const SomMechanismJoint *joint = &s->m->joints[dof];
    const SomMechanismLink *child = &s->m->links[joint->child];
    const SomPose *pose = &links[joint->parent];
    const SomMat3 *turn = &child->frame.rotation;
    SomVec3 z = som_vec3(turn->m[0][2], turn->m[1][2], turn->m[2][2]);
    return (Axis){som_pose_apply(*pose, child->frame.position),
                  som_vec3_scale(child->sign, som_pose_rotate(*pose, z)),
                  child->type == SOM_JOINT_PRISMATIC};
}

static double effort_of(const SomStatics *s, const SomPose *links, int dof) {
    Axis axis = axis_of(s, links, dof);
    SomWrench load = s->carried[s->m->joints[dof].child];
    SomVec3 felt = axis.slides ? load.force : moment_about(load, axis.point);
    return -som_vec3_dot(felt, axis.direction);
}

static void find_efforts(SomStatics *s, const SomPose *links) {
    for (int dof = 0; dof < s->m->dof_count; dof++) {
        bool is_loose = s->m->links[s->m->joints[dof].child].is_loose;
        s->efforts[dof] = is_loose ? (double)NAN : effort_of(s, links, dof);
    }
}

// ---- connections

static bool faces(const SomStatics *s, int module, int connector) {
    return s->m->configuration->modules[module].type->connectors[connector].has_frame;
}

static SomConnectionLoad unknown_load(void) {
    double none = (double)NAN;
    SomWrench nothing = {{none, none, none}, {none, none, none}};
    return (SomConnectionLoad){none, none, none, nothing};
}

// `on_b` is what acts on module b, about the world's origin.
static void load_connection(SomStatics *s, const SomPose *links, int index, SomWrench on_b) {
    const SomConnection *k = &s->m->configuration->connections[index];
    if (s->m->links[s->m->first_link[k->module_b]].is_loose) {
        s->connections[index] = unknown_load();
        return;
    }
    bool has_b = faces(s, k->module_b, k->connector_b);
    bool has_a = faces(s, k->module_a, k->connector_a);
    SomPose b = som_mechanism_connector_pose(s->m, links, k->module_b, k->connector_b);
    SomPose a = som_mechanism_connector_pose(s->m, links, k->module_a, k->connector_a);
    SomVec3 out =
        has_b ? som_pose_rotate(b, som_vec3(1, 0, 0)) : som_pose_rotate(a, som_vec3(-1, 0, 0));
    SomVec3 moment = moment_about(on_b, b.position);
    double tension = som_vec3_dot(on_b.force, out);
    SomVec3 across = som_vec3_sub(on_b.force, som_vec3_scale(tension, out));
    SomConnectionLoad load = {
        tension, som_vec3_length(across), som_vec3_length(moment), {moment, on_b.force}};
    if (!has_a && !has_b) { // where it faces nobody knows
        load.tension = load.shear = som_vec3_length(on_b.force);
    }
    s->connections[index] = load;
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
    for (int i = 0; i < s->m->dof_count; i++) {
        s->efforts[i] = (double)NAN;
    }
    for (int i = 0; i < s->m->configuration->connection_count; i++) {
        s->connections[i] = unknown_load();
    }
    s->balance.has_loads = false;
}

static SomWrench opposite(SomWrench w) {
    return (SomWrench){som_vec3_scale(-1, w.moment), som_vec3_scale(-1, w.force)};
}

// With the pads as they are laid; `carried` has the weights.
static const SomBalance *balance(SomStatics *s, const SomPose *links, const SomContacts *contacts,
                                 SomWrench weight) {
    SomWrench missing = opposite(weight);
    s->balance.is_balanced = s->def.is_held;
    s->balance.does_slip = false;
    if (s->pads.count > 0) {
        missing = push(s, weight);
        for (int i = 0; i < s->pads.count; i++) {
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

static void begin(SomStatics *s, const SomContacts *contacts) {
    int count = contacts != NULL ? contacts->count : 0;
    som_array_reserve(&s->forces, count + 1);
    for (int i = 0; i < count; i++) {
        s->forces.data[i] = som_vec3(0, 0, 0);
    }
    s->pads.count = s->moves.count = s->spared = 0;
    if (count > 0 && !s->def.is_held) {
        lay_pads(s, contacts);
    }
}

const SomBalance *som_statics_solve(SomStatics *s, const SomPose *links,
                                    const SomContacts *contacts) {
    begin(s, contacts);
    return balance(s, links, contacts, weigh(s, links));
}

// ---- sparing joints

// The joints between a pad's link and the base, and how each moves the pad. False if there are more
// than can be.
static bool add_moves(SomStatics *s, const SomPose *links, const double *limits, int pad,
                      int link) {
    SomPad *p = &s->pads.data[pad];
    p->first = s->moves.count;
    for (; link >= 0; link = s->m->links[link].parent) {
        int dof = s->m->links[link].dof;
        if (dof < 0 || s->is_in_loop[dof] || !(limits[dof] > 0) || !isfinite(limits[dof])) {
            continue;
        }
        if (s->column[dof] < 0) {
            if (s->spared == SOM_CONTACT_MOST_JOINTS) {
                return false;
            }
            s->column[dof] = s->spared;
            s->limits[s->spared] = limits[dof];
            s->bare[s->spared++] = s->efforts[dof];
        }
        Axis axis = axis_of(s, links, dof);
        SomVec3 arm = som_vec3_sub(p->point, axis.point);
        SomVec3 way = axis.slides ? axis.direction : som_vec3_cross(axis.direction, arm);
        som_array_push(&s->moves, ((SomPadMove){s->column[dof], way}));
    }
    p->count = s->moves.count - p->first;
    return true;
}

const SomBalance *som_statics_spare(SomStatics *s, const SomPose *links,
                                    const SomContacts *contacts, const double *limits) {
    begin(s, contacts);
    // what joints hold without the ground
    weigh(s, links);
    sum_up(s);
    find_efforts(s, links);
    for (int i = 0; i < s->m->dof_count; i++) {
        s->column[i] = -1;
    }
    bool fits = true;
    for (int i = 0; i < s->pads.count && fits; i++) {
        fits = add_moves(s, links, limits, i, contacts->items[i].link);
    }
    s->spared = fits ? s->spared : 0;
    // postures of a motion follow each other: from one to the next is a short way
    if (s->spared != s->moved) {
        memset(s->movement, 0, sizeof s->movement);
        s->moved = s->spared;
    }
    return balance(s, links, contacts, weigh(s, links));
}
