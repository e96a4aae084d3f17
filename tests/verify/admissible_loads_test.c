// SPDX-License-Identifier: Apache-2.0
// Are there any contact forces that keep all actuators within their limits? What sparing actuators
// says, against a linear programme made of nothing but differences of poses.

#include "space/trigonometry.h"
#include "tests/verify/placed.h"
#include "tests/verify/verified.h"
#include "verify/contact_forces.h"
#include "verify/loads.h"

#include <math.h>

// ---- a linear programme

// Minimise c x with A x = b, x >= 0, b >= 0: the simplex method in two phases, Bland's rule. Rows
// of the table are constraints, then costs; the last column is b.
typedef struct Table {
    double *cells;
    int rows, columns; // of A
    int *base;
} Table;

static double *cell(const Table *t, int row, int column) {
    return &t->cells[(size_t)row * (size_t)(t->columns + t->rows + 1) + (size_t)column];
}

static void pivot(Table *t, int out, int in) {
    int width = t->columns + t->rows + 1;
    double by = *cell(t, out, in);
    for (int k = 0; k < width; k++) {
        *cell(t, out, k) /= by;
    }
    for (int r = 0; r <= t->rows; r++) {
        double much = *cell(t, r, in);
        for (int k = 0; r != out && much != 0 && k < width; k++) {
            *cell(t, r, k) -= much * *cell(t, out, k);
        }
    }
    t->base[out] = in;
}

// With the costs of the last row; columns from `end` on may not come in.
static void run(Table *t, int end) {
    int last = t->columns + t->rows;
    for (int step = 0; step < 20000; step++) {
        int in = -1, out = -1;
        for (int k = 0; k < end && in < 0; k++) {
            in = *cell(t, t->rows, k) < -1e-9 ? k : -1;
        }
        if (in < 0) {
            return;
        }
        for (int r = 0; r < t->rows; r++) {
            double ratio = *cell(t, r, last) / *cell(t, r, in);
            double least = out < 0 ? 0 : *cell(t, out, last) / *cell(t, out, in);
            if (*cell(t, r, in) > 1e-7 &&
                (out < 0 || ratio < least || (ratio == least && t->base[r] < t->base[out]))) {
                out = r;
            }
        }
        ck_assert_int_ge(out, 0);
        pivot(t, out, in);
    }
    ck_abort_msg("the simplex method does not end");
}

static void set_costs(Table *t, const double *costs, int from, int count) {
    int width = t->columns + t->rows + 1;
    for (int k = 0; k < width; k++) {
        *cell(t, t->rows, k) = k >= from && k < from + count ? costs[k - from] : 0;
    }
    for (int r = 0; r < t->rows; r++) {
        double cost = *cell(t, t->rows, t->base[r]);
        for (int k = 0; cost != 0 && k < width; k++) {
            *cell(t, t->rows, k) -= cost * *cell(t, r, k);
        }
    }
}

// The least value of the last variable; INFINITY if nothing is feasible.
static double minimise_last(Table *t) {
    double *ones = som_alloc(sizeof *ones * (size_t)t->rows), one = 1;
    for (int r = 0; r < t->rows; r++) {
        *cell(t, r, t->columns + r) = 1;
        t->base[r] = t->columns + r;
        ones[r] = 1;
    }
    set_costs(t, ones, t->columns, t->rows);
    run(t, t->columns);
    double left = -*cell(t, t->rows, t->columns + t->rows);
    som_free(ones);
    if (left > 1e-7) {
        return (double)INFINITY;
    }
    set_costs(t, &one, t->columns - 1, 1);
    run(t, t->columns);
    return -*cell(t, t->rows, t->columns + t->rows);
}

// ---- robots

#define EDGES 24 // of a pyramid in a friction cone

typedef struct Stand {
    SomMechanism *m;
    SomStance stance;
    double *bare; // efforts without the ground
    int *dofs;    // that have a limit
    int dof_count;
    const double *values;
} Stand;

// How a contact moves with a joint.
static SomVec3 way_of(const Stand *s, const SomContact *contact, int dof) {
    SomVec3 ends[2];
    SomPose *links = som_alloc(sizeof *links * (size_t)s->m->link_count);
    double *values = som_alloc(sizeof *values * (size_t)s->m->dof_count);
    memcpy(values, s->values, sizeof *values * (size_t)s->m->dof_count);
    SomVec3 local = som_pose_apply(som_pose_invert(s->stance.links[contact->link]), contact->point);
    for (int k = 0; k < 2; k++) {
        values[dof] = s->values[dof] + (k == 0 ? -1e-5 : 1e-5);
        som_mechanism_place(s->m, &(SomPosture){values, s->m->dof_count}, links);
        ends[k] = som_pose_apply(links[contact->link], local);
    }
    som_free(links);
    som_free(values);
    return som_vec3_scale(1 / 2e-5, som_vec3_sub(ends[1], ends[0]));
}

// The least factor by which all limits could be multiplied for some forces to be within them.
static double least_factor(const Stand *s) {
    const SomContacts *contacts = s->stance.contacts;
    int forces = contacts->count * EDGES, rows = 6 + 2 * s->dof_count;
    Table t = {.rows = rows, .columns = forces + 2 * s->dof_count + 1};
    size_t width = (size_t)(t.columns + rows + 1);
    t.cells = som_alloc(sizeof *t.cells * width * (size_t)(rows + 1));
    t.base = som_alloc(sizeof *t.base * (size_t)rows);
    SomVec3 com = s->stance.com;
    double weight = s->m->mass * SOM_STANDARD_GRAVITY;
    for (int i = 0; i < forces; i++) {
        const SomContact *contact = &contacts->items[i / EDGES];
        double sine, cosine;
        double friction = som_statics_friction(&s->m->links[contact->link], SOM_FRICTION);
        som_sincos(2 * SOM_PI * (i % EDGES) / EDGES, &sine, &cosine);
        SomVec3 f = som_vec3(friction * cosine, friction * sine, 1);
        SomVec3 moment = som_vec3_cross(som_vec3_sub(contact->point, com), f);
        const double wrench[] = {f.x, f.y, f.z, moment.x, moment.y, moment.z};
        for (int r = 0; r < 6; r++) {
            *cell(&t, r, i) = wrench[r];
        }
        for (int k = 0; k < s->dof_count; k++) {
            double much = som_vec3_dot(way_of(s, contact, s->dofs[k]), f);
            much = fabs(much) > 1e-7 ? much : 0; // rounding
            *cell(&t, 6 + 2 * k, i) = -much;
            *cell(&t, 7 + 2 * k, i) = much;
        }
    }
    *cell(&t, 2, (int)width - 1) = weight;
    for (int k = 0; k < s->dof_count; k++) {
        for (int side = 0; side < 2; side++) {
            // +-(bare - way f) + slack - limit factor = 0
            int r = 6 + 2 * k + side;
            *cell(&t, r, forces + 2 * k + side) = 1;
            *cell(&t, r, t.columns - 1) = -s->m->joints[s->dofs[k]].joint->effort;
            *cell(&t, r, (int)width - 1) = (side == 0 ? -1 : 1) * s->bare[s->dofs[k]];
        }
    }
    for (int r = 0; r < rows; r++) {
        for (size_t k = 0; *cell(&t, r, (int)width - 1) < 0 && k < width; k++) {
            // the last column is turned last
            *cell(&t, r, (int)k) *= -1;
        }
    }
    double factor = minimise_last(&t);
    som_free(t.cells);
    som_free(t.base);
    return factor;
}

// The largest effort / limit when all limits are multiplied by a factor.
static double spared(const Stand *s, SomStatics *statics, double factor) {
    double *limits = som_alloc(sizeof *limits * (size_t)s->m->dof_count), most = 0;
    for (int i = 0; i < s->m->dof_count; i++) {
        limits[i] = factor * s->m->joints[i].joint->effort;
    }
    const SomBalance *balance =
        som_statics_spare(statics, s->stance.links, s->stance.contacts, limits);
    ck_assert(balance->is_balanced);
    for (int k = 0; k < s->dof_count; k++) {
        most = fmax(most, fabs(balance->efforts[s->dofs[k]]) / limits[s->dofs[k]]);
    }
    // efforts are what is left of the bare ones
    for (int k = 0; k < s->dof_count; k++) {
        double effort = s->bare[s->dofs[k]];
        for (int i = 0; i < s->stance.contacts->count; i++) {
            SomVec3 way = way_of(s, &s->stance.contacts->items[i], s->dofs[k]);
            effort -= som_vec3_dot(way, balance->forces[i]);
        }
        ck_assert_double_eq_tol(effort, balance->efforts[s->dofs[k]], 1e-6);
    }
    som_free(limits);
    return most;
}

static void compare(const char *text, const char *behavior, int stride, double low, double high) {
    TestVerified v = test_verify(text, "", behavior);
    SomPrediction played = {0};
    SomVerification *found =
        som_verify(&(SomVerifyDef){.mechanism = v.mechanism, .graph = v.graph, .motion = &played});
    SomStanding *standing = som_standing_create(v.mechanism, NULL, 1e-3);
    SomStatics *held =
        som_statics_create(&(SomStaticsDef){.mechanism = v.mechanism, .is_held = true});
    SomStatics *statics = som_statics_create(&(SomStaticsDef){.mechanism = v.mechanism});
    int count = v.mechanism->dof_count;
    Stand s = {.m = v.mechanism};
    s.bare = som_alloc(sizeof *s.bare * (size_t)count);
    s.dofs = som_alloc(sizeof *s.dofs * (size_t)count);
    for (int i = 0; i < count; i++) {
        if (v.mechanism->joints[i].joint->effort > 0) {
            s.dofs[s.dof_count++] = i;
        }
    }
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < played.times.count; i += stride) {
        s.values = played.positions.data + (size_t)i * (size_t)count;
        s.stance = som_standing_measure(standing, s.values);
        if (s.stance.support.margin < 1e-3) {
            continue;
        }
        const SomBalance *balance = som_statics_solve(held, s.stance.links, NULL);
        memcpy(s.bare, balance->efforts, sizeof *s.bare * (size_t)count);
        double factor = least_factor(&s);
        ck_assert(isfinite(factor));
        double enough = spared(&s, statics, 1.02 * factor);
        double little = spared(&s, statics, 0.95 * factor);
        ck_assert_msg(enough <= 1 + SOM_CONTACT_YIELD, "sample %d: %g of %g", i, enough, factor);
        ck_assert_msg(little > 1 + SOM_CONTACT_YIELD, "sample %d: %g of %g", i, little, factor);
        least = fmin(least, factor);
        most = fmax(most, factor);
    }
    ck_assert_msg(least >= low && most <= high, "%g to %g", least, most);
    som_free(s.bare);
    som_free(s.dofs);
    som_standing_destroy(standing);
    som_statics_destroy(held);
    som_statics_destroy(statics);
    som_prediction_free(&played);
    som_verification_destroy(found);
    test_verified_free(&v);
}

// On four feet it needs a quarter of what its actuators have, on two more than they have.
START_TEST(a_walkers_trot_is_within_limits_as_far_as_any_forces_are) {
    compare("use \"walkbot.som\"\nconfig A { part w : Walkbot }", "w.trotStride(12deg)",
            som_test_count(24, 4), 0.2, 1.3);
}
END_TEST

SOM_SUITE("verify/admissible_loads", a_walkers_trot_is_within_limits_as_far_as_any_forces_are)
