// SPDX-License-Identifier: Apache-2.0

#include "compose/loops.h"

#include "base/memory.h"
#include "base/number.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "compose/metrics.h"
#include "linkage/solver.h"
#include "space/trigonometry.h"

#include <math.h>

// Steps of the solver for each attempt, and the fewest that make sense.
#define MOST_STEPS 400
#define FEWEST_STEPS 10

// Multiplications that all attempts together may take: some seconds.
#define MOST_WORK 4e9

// Where local assembly starts from when the start itself leads nowhere, as a straight chain does
// whose ends are to meet: joints moved at random by as much.
static const double shakes[] = {0, 0.02, 0.1, 0.3, 0.6, 1.0, 1.0, 1.5, 1.5};

typedef struct Loops {
    SomConfiguration *c;
    SomMechanism *m;
    SomPose *links;
    bool *is_moving; // DoF that some loop goes through
    SomPosture start;
    SomPosture best; // the posture that was least open
    double best_open;
    double best_sum;
    double sum;        // of all gaps measured last
    bool is_too_large; // to be solved
    SomDiagnostics *diags;
} Loops;

static double size_of(SomGap gap) {
    return fmax(gap.metres, gap.radians);
}

// The widest gap of a posture, and all gaps together.
static double measure(Loops *q, const SomPosture *posture) {
    double widest = 0;
    q->sum = 0;
    som_mechanism_place(q->m, posture, q->links);
    for (int i = 0; i < q->m->closure_count; i++) {
        SomGap gap = som_mechanism_gap(q->m, q->links, i);
        widest = fmax(widest, size_of(gap));
        q->sum += gap.metres + gap.radians;
    }
    return widest;
}

// ---- local assembly

// Loops that share a DoF are solved together: each DoF leads to another one of its group, or to
// itself.
static int find_group(int *group, int dof) {
    while (group[dof] != dof) {
        group[dof] = group[group[dof]];
        dof = group[dof];
    }
    return dof;
}

// Joins the DoF that one loop goes through; returns one of them, -1 if nothing of it moves.
static int join_loop(Loops *q, const int *depth, int *group, const SomMechanismClosure *k) {
    int a = k->link_a, b = k->link_b, first = -1;
    while (a != b) {
        int *deeper = depth[a] >= depth[b] ? &a : &b;
        int dof = q->m->links[*deeper].dof;
        if (dof >= 0) {
            q->is_moving[dof] = true;
            first = first < 0 ? dof : first;
            group[find_group(group, dof)] = find_group(group, first);
        }
        *deeper = q->m->links[*deeper].parent;
    }
    return first;
}

// Marks the DoF that loops go through; returns the multiplications of one step of the solver.
static double mark_moving(Loops *q) {
    int *depth = som_alloc(sizeof *depth * (size_t)q->m->link_count);
    size_t dofs = (size_t)q->c->dof_count + 1;
    int *group = som_alloc(sizeof *group * dofs), *members = som_alloc(sizeof *members * dofs);
    int *closures = som_alloc(sizeof *closures * dofs);
    int *one = som_alloc(sizeof *one * (size_t)q->m->closure_count);
    for (int i = 0; i < q->m->link_count; i++) {
        const SomMechanismLink *link = &q->m->links[q->m->order[i]];
        depth[q->m->order[i]] = link->parent < 0 ? 0 : depth[link->parent] + 1;
    }
    for (int i = 0; i < q->c->dof_count; i++) {
        group[i] = i;
    }
    for (int i = 0; i < q->m->closure_count; i++) {
        one[i] = join_loop(q, depth, group, &q->m->closures[i]);
    }
    for (int i = 0; i < q->m->closure_count; i++) {
        if (one[i] >= 0) {
            closures[find_group(group, one[i])]++;
        }
    }
    for (int i = 0; i < q->c->dof_count; i++) {
        members[find_group(group, i)]++;
    }
    double work = 0;
    for (int i = 0; i < q->c->dof_count; i++) {
        work += 36.0 * closures[i] * closures[i] * members[i];
    }
    som_free(depth);
    som_free(group);
    som_free(members);
    som_free(closures);
    som_free(one);
    return work;
}

static double clamp(const SomModuleJoint *joint, double value) {
    return fmin(fmax(value, joint->low), joint->high);
}

// The next of a fixed sequence, from -1 to 1: everybody gets the same answer.
static double next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*state >> 11) / 4503599627370496.0 - 1;
}

static SomPosture shaken(const Loops *q, double shake, uint64_t *state) {
    SomPosture posture = som_posture_copy(&q->start);
    for (int i = 0; i < posture.count; i++) {
        const SomModuleJoint *joint = q->m->joints[i].joint;
        if (q->is_moving[i]) {
            double scale = joint->type == SOM_JOINT_PRISMATIC ? 0.05 : 1;
            double by = shake > 0 ? shake * scale * next_random(state) : 0;
            posture.values[i] = clamp(joint, posture.values[i] + by);
        }
    }
    return posture;
}

// Solves from a posture and keeps the result if it is less open than any before.
static void attempt(Loops *q, SomPosture *posture, int steps) {
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(q->c, posture, &map, q->diags);
    SomSolverDef def = {.locked = &map.base, .locked_count = 1};
    SomSolver *solver = linkage != NULL ? som_solver_create(linkage, &def, q->diags) : NULL;
    if (solver != NULL) {
        som_solver_solve(solver, linkage, steps);
        som_lowering_read(&map, linkage, posture);
        double open = measure(q, posture);
        if (open <= SOM_LOOP_TOLERANCE || q->sum < q->best_sum) {
            q->best_open = open;
            q->best_sum = q->sum;
            som_posture_free(&q->best);
            q->best = *posture;
            *posture = (SomPosture){0};
        }
    }
    som_solver_destroy(solver);
    som_linkage_destroy(linkage);
    som_lowering_free(&map);
    som_posture_free(posture);
}

static bool assemble(Loops *q) {
    uint64_t state = 1;
    q->best = som_posture_copy(&q->start);
    q->best_open = measure(q, &q->start);
    q->best_sum = q->sum;
    double left = floor(fmin(MOST_WORK / (mark_moving(q) + 1), 1e6));
    q->is_too_large = left < FEWEST_STEPS;
    int count = (int)(sizeof shakes / sizeof *shakes);
    for (int i = 0; i < count && q->best_open > SOM_LOOP_TOLERANCE && left >= FEWEST_STEPS; i++) {
        int steps = (int)fmin(left, MOST_STEPS);
        SomPosture posture = shaken(q, shakes[i], &state);
        attempt(q, &posture, steps);
        left -= steps;
    }
    return q->best_open <= SOM_LOOP_TOLERANCE;
}

// ---- reports

static void print_gap(SomText *out, SomGap gap) {
    som_text_number(out, round(gap.metres * 1e6) / 1e3);
    som_text_add(out, SOM_STR(" mm and "));
    som_text_number(out, round(gap.radians * 180 / SOM_PI * 1e3) / 1e3);
    som_text_add(out, SOM_STR(" deg"));
}

// "connection of 'a.B' and 'c.T'" or "joint 'a.knee'", with its place.
static SomSpan print_closure(const Loops *q, const SomMechanismClosure *k, SomText *out) {
    const SomModule *module = &q->c->modules[k->module];
    if (k->connection < 0) {
        som_text_printf(out, "the chain closed by joint '%.*s' of '%.*s'",
                        SOM_STR_ARG(module->type->joints[k->joint].name),
                        SOM_STR_ARG(module->path));
        return module->span;
    }
    const SomConnection *c = &q->c->connections[k->connection];
    som_text_add(out, SOM_STR("the loop closed by '"));
    som_configuration_print_connector(q->c, c->module_a, c->connector_a, out);
    som_text_add(out, SOM_STR("' and '"));
    som_configuration_print_connector(q->c, c->module_b, c->connector_b, out);
    som_text_add(out, SOM_STR("'"));
    return c->span;
}

// Every closure that stays open, with the gap at its best and as it was asked for.
static void report_open(Loops *q) {
    SomGap *asked = som_alloc(sizeof *asked * (size_t)q->m->closure_count);
    measure(q, &q->start);
    for (int i = 0; i < q->m->closure_count; i++) {
        asked[i] = som_mechanism_gap(q->m, q->links, i);
    }
    measure(q, &q->best);
    SomText what = {0}, left = {0}, before = {0};
    for (int i = 0; i < q->m->closure_count; i++) {
        SomGap gap = som_mechanism_gap(q->m, q->links, i);
        if (size_of(gap) <= SOM_LOOP_TOLERANCE) {
            continue;
        }
        som_text_clear(&what);
        som_text_clear(&left);
        som_text_clear(&before);
        SomSpan span = print_closure(q, &q->m->closures[i], &what);
        print_gap(&left, gap);
        print_gap(&before, asked[i]);
        som_report(q->diags, SOM_LOOP_OPEN, span, "%s does not close: a gap of %s is left",
                   what.data, left.data);
        if (q->is_too_large) {
            som_note(q->diags, (SomSpan){0}, "the loops are too large to be closed by solving");
        } else if (!som_str_equal(som_text_str(&left), som_text_str(&before))) {
            som_note(q->diags, (SomSpan){0}, "as the design starts, the gap is %s", before.data);
        }
    }
    som_text_free(&what);
    som_text_free(&left);
    som_text_free(&before);
    som_free(asked);
}

static void keep_solved(Loops *q) {
    double largest = 0;
    int moved = 0, most = 0;
    double *start = som_arena_new(&q->c->arena, double, q->c->dof_count + 1);
    for (int i = 0; i < q->c->dof_count; i++) {
        start[i] = q->best.values[i];
        double change = fabs(start[i] - q->start.values[i]);
        moved += change > 1e-9;
        most = change > largest ? i : most;
        largest = fmax(largest, change);
    }
    q->c->start = start;
    q->c->is_start_solved = true;
    SomText text = {0};
    bool is_angle = som_configuration_joint(q->c, most)->type == SOM_JOINT_REVOLUTE;
    som_text_number(&text, round(largest * (is_angle ? 180 / SOM_PI : 1e3) * 1e3) / 1e3);
    SomSpan span = q->c->parts[0].span;
    for (int i = 0; i < q->m->closure_count && q->m->closures[i].connection >= 0; i++) {
        span = q->c->connections[q->m->closures[i].connection].span; // the last one
    }
    som_report(q->diags, SOM_LOOP_SOLVED, span,
               "%d joint%s moved so that all loops close, '%.*s' the most, by %s %s", moved,
               moved == 1 ? " was" : "s were", SOM_STR_ARG(q->c->dofs[most].path), text.data,
               is_angle ? "deg" : "mm");
    som_text_free(&text);
}

// ---- the ground

static void put_on_ground(Loops *q) {
    SomBase *base = &q->c->base;
    measure(q, &q->start);
    SomBounds bounds = som_mechanism_bounds(q->m, q->links);
    if (isfinite(bounds.low.z)) {
        base->placement.position.z -= bounds.low.z;
        base->link_pose.position.z -= bounds.low.z;
    }
}

bool som_configuration_close_loops(SomConfiguration *c, SomDiagnostics *diags) {
    som_configuration_measure(c);
    if (c->metrics.closures == 0 && !c->base.is_on_ground) {
        return true;
    }
    Loops q = {.c = c, .m = som_mechanism_create(c), .diags = diags};
    q.links = som_alloc(sizeof *q.links * (size_t)q.m->link_count);
    q.is_moving = som_alloc(sizeof *q.is_moving * (size_t)(c->dof_count + 1));
    q.start = som_posture_start(c);
    bool is_closed = measure(&q, &q.start) <= SOM_LOOP_TOLERANCE;
    if (!is_closed) {
        is_closed = assemble(&q);
        is_closed ? keep_solved(&q) : report_open(&q);
        som_posture_free(&q.start);
        q.start = som_posture_start(c);
    }
    if (is_closed && c->base.is_on_ground) {
        put_on_ground(&q);
    }
    som_posture_free(&q.start);
    som_posture_free(&q.best);
    som_free(q.is_moving);
    som_free(q.links);
    som_mechanism_destroy(q.m);
    return is_closed;
}
