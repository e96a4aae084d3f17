// SPDX-License-Identifier: Apache-2.0
// Shells: shapes of one body in several, so that an engine that tests bodies against each other, or
// never a body against its parent, tests the links that have to be.
//
// Links of a body that are ignored by the same links are a group; some links are parts (units). A
// body and its parent are not tested against each other, so of two groups that are not ignored and
// that the joint between them can bring together, one becomes a shell. What is to be ignored
// besides is listed by bodies; so that no more is ignored, each group that is listed is alone in
// its body or shell.

#include "exchange/body_model_internal.h"
#include "exchange/sdf_internal.h"

#include <math.h>
#include <string.h>

// The part of a body's mass that a shell has: engines refuse bodies without any. Half of it where
// the body is so light that this would be too little.
#define SHELL_SHARE 0.01
#define LEAST_SHELL_MASS 1e-4    // kg
#define LEAST_SHELL_MOMENT 1e-10 // kg m^2

typedef struct Group {
    int body;
    int unit;      // the first of them
    int next;      // of the same body; -1: the last
    bool is_kept;  // by the body itself
    bool is_hinge; // ignored across a joint of the body
    bool stays;    // whatever that costs: it is written as it was imported
    int shell;     // body, once it is made
} Group;

typedef struct Shells {
    SomBodyMaker *q;
    int *group_of; // one a unit; -1: it has no solid shape
    int *first;    // group of each body; -1: none
    SOM_ARRAY(Group) groups;
    SomBodyPairs conflicts; // groups that a body and its parent must not both keep
    int *place;             // of each body, among those with shells
} Shells;

// ---- groups

static bool are_ignored_alike(const SomBodyMaker *q, int a, int b) {
    int count = q->first_ignored[a + 1] - q->first_ignored[a];
    return count == q->first_ignored[b + 1] - q->first_ignored[b] &&
           (count == 0 || memcmp(q->others + q->first_ignored[a], q->others + q->first_ignored[b],
                                 sizeof *q->others * (size_t)count) == 0);
}

static int group_of(Shells *s, int body, int link, int unit) {
    int last = -1;
    for (int i = s->first[body]; i >= 0; i = s->groups.data[i].next) {
        if (are_ignored_alike(s->q, s->groups.data[i].unit, unit)) {
            return i;
        }
        last = i;
    }
    const SomMechanism *m = s->q->m;
    Group group = {.body = body, .unit = unit, .next = -1};
    group.stays = m->configuration->module_count == 1 && som_sdf_keeps_shapes(m->links[link].link);
    som_array_push(&s->groups, group);
    int *at = last < 0 ? &s->first[body] : &s->groups.data[last].next;
    *at = s->groups.count - 1;
    return *at;
}

static void make_groups(Shells *s) {
    const SomBodyModel *model = s->q->model;
    for (int i = 0; i < model->shape_count; i++) {
        const SomBodyShape *shape = &model->shapes[i];
        if (shape->is_solid && s->group_of[shape->unit] < 0) {
            s->group_of[shape->unit] = group_of(s, shape->body, shape->link, shape->unit);
        }
    }
}

// ---- what bodies keep

static bool are_ignored(const Shells *s, int a, int b) {
    return som_body_maker_ignores(s->q, s->groups.data[a].unit, s->groups.data[b].unit);
}

// Whether shapes of the two can meet; b is of the body that hangs on a's by the joint.
static bool can_meet(const Shells *s, const SomBodyJoint *joint, int a, int b) {
    const SomBodyModel *model = s->q->model;
    const SomBody *parent = &model->bodies[joint->parent], *child = &model->bodies[joint->child];
    for (int i = parent->first_shape; i < parent->first_shape + parent->shape_count; i++) {
        for (int k = child->first_shape; k < child->first_shape + child->shape_count; k++) {
            const SomBodyShape *x = &model->shapes[i], *y = &model->shapes[k];
            bool is_pair = x->is_solid && y->is_solid && !x->skips_robot && !y->skips_robot &&
                           s->group_of[x->unit] == a && s->group_of[y->unit] == b;
            if (is_pair && som_body_shapes_meet(model, joint, i, k)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_alone(const Shells *s, int group) {
    const Group *g = &s->groups.data[group];
    for (int i = s->first[g->body]; i >= 0; i = s->groups.data[i].next) {
        if (i != group && s->groups.data[i].is_kept) {
            return false;
        }
    }
    return true;
}

static void part(Shells *s, int a, int b) {
    SomBodyPair pair = {a, b};
    som_array_push(&s->conflicts, pair);
}

// Groups on the two sides of a joint that have to be tested: one of them has to go.
static void find_conflicts(Shells *s) {
    const SomBodyModel *model = s->q->model;
    for (int i = 0; i < model->body_count; i++) {
        if (model->bodies[i].parent < 0) {
            continue;
        }
        const SomBodyJoint *joint = &model->joints[model->bodies[i].joint];
        for (int a = s->first[joint->parent]; a >= 0; a = s->groups.data[a].next) {
            for (int b = s->first[i]; b >= 0; b = s->groups.data[b].next) {
                if (are_ignored(s, a, b)) {
                    s->groups.data[a].is_hinge = s->groups.data[b].is_hinge = true;
                } else if (can_meet(s, joint, a, b)) {
                    part(s, a, b);
                }
            }
        }
    }
}

// The kept group in the most remaining conflicts; -1 if none remains. A conflict of a hinge with
// another group counts against the other one only, because a hinge that leaves must be listed.
static int find_worst(const Shells *s, int *counts) {
    int worst = -1;
    memset(counts, 0, sizeof *counts * (size_t)s->groups.count);
    for (int i = 0; i < s->conflicts.count; i++) {
        int a = s->conflicts.data[i].a, b = s->conflicts.data[i].b;
        if (s->groups.data[a].is_kept && s->groups.data[b].is_kept) {
            counts[a] += s->groups.data[a].is_hinge && !s->groups.data[b].is_hinge ? 0 : 1;
            counts[b] += s->groups.data[b].is_hinge && !s->groups.data[a].is_hinge ? 0 : 1;
        }
    }
    for (int i = 0; i < s->groups.count; i++) {
        worst =
            counts[i] > 0 && !s->groups.data[i].stays && (worst < 0 || counts[i] > counts[worst])
                ? i
                : worst;
    }
    return worst;
}

// Links that are ignored by others than those of a joint are listed by bodies: they must be alone.
static void part_listed(Shells *s) {
    const SomBodyModel *model = s->q->model;
    for (int i = 0; i < s->q->ignored.count; i++) {
        int a = s->group_of[s->q->ignored.data[i].a], b = s->group_of[s->q->ignored.data[i].b];
        if (a < 0 || b < 0) {
            continue;
        }
        Group *x = &s->groups.data[a], *y = &s->groups.data[b];
        bool is_joint =
            model->bodies[x->body].parent == y->body || model->bodies[y->body].parent == x->body;
        if (!is_joint || !x->is_kept || !y->is_kept) {
            x->is_kept = x->is_kept && (x->stays || is_alone(s, a));
            y->is_kept = y->is_kept && (y->stays || is_alone(s, b));
        }
    }
}

static void choose_kept(Shells *s) {
    for (int i = 0; i < s->groups.count; i++) {
        s->groups.data[i].is_kept = true;
    }
    find_conflicts(s);
    int *counts = som_alloc(sizeof *counts * ((size_t)s->groups.count + 1));
    for (int i; (i = find_worst(s, counts)) >= 0;) {
        s->groups.data[i].is_kept = false;
    }
    som_free(counts);
    for (int before = -1, now = 0; before != now;) { // what leaves makes others leave
        part_listed(s);
        before = now;
        now = 0;
        for (int i = 0; i < s->groups.count; i++) {
            now += !s->groups.data[i].is_kept;
        }
    }
}

// ---- bodies

static SomInertia scaled(SomInertia inertia, double by) {
    inertia.mass *= by;
    for (int i = 0; i < 9; i++) {
        inertia.moments.m[i / 3][i % 3] *= by;
    }
    return inertia;
}

// Takes the share of `count` shells from a body.
static SomInertia take_share(SomBody *host, int count) {
    double share = SHELL_SHARE / count;
    if (share * host->inertia.mass < LEAST_SHELL_MASS ||
        share * som_inertia_principal(host->inertia).moments[0] < LEAST_SHELL_MOMENT) {
        share = 0.5 / count;
    }
    SomInertia taken = scaled(host->inertia, share);
    host->inertia = scaled(host->inertia, 1 - count * share);
    return taken;
}

static int count_shells(const Shells *s, int body) {
    int count = 0;
    for (int i = s->first[body]; i >= 0; i = s->groups.data[i].next) {
        count += !s->groups.data[i].is_kept;
    }
    return count;
}

// Bodies with their shells right behind them, and a fixed joint for each.
static void make_bodies(Shells *s, int shells) {
    SomBodyModel *model = s->q->model;
    const SomBody *old = model->bodies;
    const SomBodyJoint *old_joints = model->joints;
    SomBody *bodies = som_arena_new(&model->arena, SomBody, model->body_count + shells);
    SomBodyJoint *joints =
        som_arena_new(&model->arena, SomBodyJoint, model->joint_count + shells + 1);
    int count = 0, joint_count = 0;
    for (int i = 0; i < model->body_count; i++) {
        int at = s->place[i] = count++, own = count_shells(s, i);
        bodies[at] = old[i];
        bodies[at].parent = old[i].parent < 0 ? -1 : s->place[old[i].parent];
        if (old[i].joint >= 0) {
            bodies[at].joint = joint_count;
            joints[joint_count] = old_joints[old[i].joint];
            joints[joint_count].parent = bodies[at].parent;
            joints[joint_count++].child = at;
        }
        SomInertia share = own > 0 ? take_share(&bodies[at], own) : bodies[at].inertia;
        for (int k = s->first[i]; k >= 0; k = s->groups.data[k].next) {
            s->groups.data[k].shell = s->groups.data[k].is_kept ? at : count;
            if (s->groups.data[k].is_kept) {
                continue;
            }
            bodies[count] = bodies[at];
            bodies[count].parent = bodies[count].host = at;
            bodies[count].joint = joint_count;
            bodies[count].depth = bodies[at].depth + 1;
            bodies[count].is_fixed = false; // but to its parent
            bodies[count].inertia = share;
            model->depth = model->depth > bodies[count].depth ? model->depth : bodies[count].depth;
            joints[joint_count++] = (SomBodyJoint){.path = old[i].path,
                                                   .dof = -1,
                                                   .dock = -1,
                                                   .parent = at,
                                                   .child = count++,
                                                   .type = SOM_JOINT_FIXED,
                                                   .axis = som_vec3(0, 0, 1),
                                                   .low = -INFINITY,
                                                   .high = INFINITY};
        }
    }
    model->bodies = bodies;
    model->body_count = count;
    model->joints = joints;
    model->joint_count = joint_count;
}

// Shapes by body again; those of a body stay in their order. What is only seen stays as well.
static void move_shapes(Shells *s) {
    SomBodyModel *model = s->q->model;
    SomBody *bodies = (SomBody *)model->bodies;
    const SomBodyShape *old = model->shapes;
    SomBodyShape *shapes = som_arena_new(&model->arena, SomBodyShape, model->shape_count + 1);
    int *body = som_alloc(sizeof *body * ((size_t)model->shape_count + 1));
    int *filled = som_alloc(sizeof *filled * ((size_t)model->body_count + 1));
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].shape_count = 0;
    }
    for (int i = 0; i < model->shape_count; i++) {
        body[i] = old[i].is_solid ? s->groups.data[s->group_of[old[i].unit]].shell
                                  : s->place[old[i].body];
        bodies[body[i]].shape_count++;
    }
    for (int i = 0; i < model->body_count; i++) {
        bodies[i].first_shape = i == 0 ? 0 : bodies[i - 1].first_shape + bodies[i - 1].shape_count;
    }
    for (int i = 0; i < model->shape_count; i++) {
        SomBodyShape *shape = &shapes[bodies[body[i]].first_shape + filled[body[i]]++];
        *shape = old[i];
        shape->body = body[i];
    }
    model->shapes = shapes;
    som_free(body);
    som_free(filled);
}

static void move_references(const Shells *s) {
    const SomBodyModel *model = s->q->model;
    int *body_of = (int *)model->body_of, *joint_of = (int *)model->joint_of;
    SomBodyWeld *welds = (SomBodyWeld *)model->welds;
    for (int i = 0; i < s->q->m->link_count; i++) {
        body_of[i] = s->place[body_of[i]];
    }
    for (int i = 0; i < model->weld_count; i++) {
        welds[i].body_a = s->place[welds[i].body_a];
        welds[i].body_b = s->place[welds[i].body_b];
    }
    for (int i = 0; i < model->joint_count; i++) {
        if (model->joints[i].dof >= 0) {
            joint_of[model->joints[i].dof] = i;
        }
    }
}

void som_body_maker_add_shells(SomBodyMaker *q) {
    if (q->def->contacts == SOM_BODY_CONTACTS_WHOLE) {
        return;
    }
    Shells s = {.q = q};
    size_t units = (size_t)q->first_unit[q->m->link_count] + 1;
    s.group_of = som_alloc(sizeof *s.group_of * units);
    s.first = som_alloc(sizeof *s.first * ((size_t)q->model->body_count + 1));
    s.place = som_alloc(sizeof *s.place * ((size_t)q->model->body_count + 1));
    memset(s.group_of, -1, sizeof *s.group_of * units);
    memset(s.first, -1, sizeof *s.first * ((size_t)q->model->body_count + 1));
    make_groups(&s);
    choose_kept(&s);
    int shells = 0;
    for (int i = 0; i < s.groups.count; i++) {
        shells += !s.groups.data[i].is_kept;
    }
    if (shells > 0) {
        make_bodies(&s, shells);
        move_shapes(&s);
        move_references(&s);
    }
    som_array_free(&s.groups);
    som_array_free(&s.conflicts);
    som_free(s.group_of);
    som_free(s.first);
    som_free(s.place);
}
