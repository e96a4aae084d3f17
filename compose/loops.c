// SPDX-License-Identifier: Apache-2.0

#include "compose/loops.h"

#include "base/classes.h"
#include "base/codes/compose_codes.h"
#include "base/memory.h"
#include "base/number.h"
#include "compose/lower.h"
#include "compose/mechanism.h"
#include "compose/metrics.h"
#include "linkage/solver.h"
#include "space/trigonometry.h"

#include <math.h>

// Steps of the solver for each attempt; below this change of every joint, one was the last.
#define MOST_STEPS 400
#define STILL 1e-12

#define FEWEST_STEPS 10

// What a step takes besides factoring, by link and by link of a loop; and what an attempt takes
// to begin, by link.
#define WORK_OF_A_LINK 1000.0
#define WORK_OF_A_LOOP_LINK 60.0
#define WORK_OF_LOWERING 6000.0
// How often the singular values of a step go through all columns, and for how much each.
#define SWEEPS 10.0
#define WORK_OF_A_SWEEP 5.5

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
    double loop_links; // of all loops together
    double work_left;
    int steps;         // of all attempts
    bool is_too_large; // to be solved
    bool is_stopped;   // because no work was left
    SomDiagnostics *diags;
} Loops;

// The widest gap of a posture, and all gaps together.
static double measure(Loops *q, const SomPosture *posture) {
    double widest = 0;
    q->sum = 0;
    som_mechanism_place(q->m, posture, q->links);
    for (int i = 0; i < q->m->closure_count; i++) {
        SomGap gap = som_mechanism_gap(q->m, q->links, i);
        widest = fmax(widest, som_gap_size(gap));
        q->sum += gap.metres + gap.radians;
    }
    return widest;
}

// ---- local assembly

// Loops that share a DoF are solved together. Joins the DoF that one loop goes through; returns one
// of them, -1 if nothing of it moves.
static int join_loop(Loops *q, const int *depth, int *group, const SomMechanismClosure *k) {
    int a = k->link_a, b = k->link_b, first = -1;
    while (a != b) {
        int *deeper = depth[a] >= depth[b] ? &a : &b;
        int dof = q->m->links[*deeper].dof;
        if (dof >= 0) {
            q->is_moving[dof] = true;
            first = first < 0 ? dof : first;
            group[som_classes_find(group, dof)] = som_classes_find(group, first);
        }
        q->loop_links++;
        *deeper = q->m->links[*deeper].parent;
    }
    return first;
}

// Multiplications of a step for loops that share DoF: both factorisations and singular values.
static double work_of_group(int closures, int dofs) {
    double rows = 6.0 * closures, rank = fmin(rows, dofs);
    return 2 * rows * rank * (dofs + rank) + SWEEPS * WORK_OF_A_SWEEP * rank * rank * rank;
}

// What every step takes, however small the loops are.
static double work_besides(const Loops *q) {
    return WORK_OF_A_LINK * q->m->link_count + WORK_OF_A_LOOP_LINK * q->loop_links;
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
        bool is_worth_it = FEWEST_STEPS * work_besides(q) <= SOM_MAX_LOOP_WORK;
        one[i] = is_worth_it ? join_loop(q, depth, group, &q->m->closures[i]) : -1;
    }
    for (int i = 0; i < q->m->closure_count; i++) {
        if (one[i] >= 0) {
            closures[som_classes_find(group, one[i])]++;
        }
    }
    for (int i = 0; i < q->c->dof_count; i++) {
        members[som_classes_find(group, i)]++;
    }
    double work = work_besides(q);
    for (int i = 0; i < q->c->dof_count; i++) {
        work += work_of_group(closures[i], members[i]);
    }
    som_free(depth);
    som_free(group);
    som_free(members);
    som_free(closures);
    som_free(one);
    return work;
}

static void take_steps(Loops *q, SomSolver *solver, SomLinkage *linkage) {
    q->work_left -= WORK_OF_LOWERING * q->m->link_count;
    for (int i = 0; i < MOST_STEPS && !q->is_stopped; i++) {
        const SomSolverReport *report = som_solver_step(solver, linkage);
        q->steps++;
        if (report->largest_change < STILL) {
            return;
        }
        q->work_left -= report->work + work_besides(q);
        q->is_stopped = q->work_left <= 0;
    }
}

// Solves from a posture and keeps the result if it is less open than any before.
static void attempt(Loops *q, SomPosture *posture) {
    SomLowering map = {0};
    SomLinkage *linkage = som_lower(q->c, posture, &map, q->diags);
    SomSolverDef def = {.locked = map.bases, .locked_count = map.base_count};
    SomSolver *solver = linkage != NULL ? som_solver_create(linkage, &def, q->diags) : NULL;
    if (solver != NULL) {
        take_steps(q, solver, linkage);
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
    q->is_stopped = q->work_left <= 0;
    q->is_too_large = FEWEST_STEPS * mark_moving(q) > SOM_MAX_LOOP_WORK;
    int count = q->is_too_large ? 0 : (int)(sizeof shakes / sizeof *shakes);
    for (int i = 0; i < count && q->best_open > SOM_LOOP_TOLERANCE && !q->is_stopped; i++) {
        SomPosture posture = som_posture_copy(&q->start);
        som_posture_shake(&posture, q->c, q->is_moving, shakes[i], &state);
        attempt(q, &posture);
    }
    return q->best_open <= SOM_LOOP_TOLERANCE;
}

// ---- reports

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
        if (som_gap_size(gap) <= SOM_LOOP_TOLERANCE) {
            continue;
        }
        som_text_clear(&what);
        som_text_clear(&left);
        som_text_clear(&before);
        const SomMechanismClosure *k = &q->m->closures[i];
        SomSpan span = k->connection >= 0 ? q->c->connections[k->connection].span
                                          : q->c->modules[k->module].span;
        som_mechanism_print_closure(q->m, i, &what);
        som_gap_print(gap, &left);
        som_gap_print(asked[i], &before);
        som_report(q->diags, SOM_LOOP_OPEN, span, "%s does not close: a gap of %s is left",
                   what.data, left.data);
        if (q->is_too_large) {
            som_note(q->diags, (SomSpan){0},
                     "the loops and what hangs on them are too large to be closed by solving");
            continue;
        }
        if (q->is_stopped && q->steps == 0) {
            som_note(q->diags, (SomSpan){0},
                     "not tried: other loops took all work that solving may take");
            continue;
        }
        if (q->is_stopped) {
            som_note(q->diags, (SomSpan){0},
                     "not closed within %d steps; loops of this size are tried no longer",
                     q->steps);
        }
        if (!som_str_equal(som_text_str(&left), som_text_str(&before))) {
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

static bool is_on_ground(const SomConfiguration *c) {
    for (int i = 0; i < c->base_count; i++) {
        if (c->bases[i].is_on_ground) {
            return true;
        }
    }
    return false;
}

static void put_on_ground(Loops *q) {
    SomBase *bases = (SomBase *)q->c->bases; // ours until it is composed
    SomPiece *pieces = (SomPiece *)q->c->pieces;
    measure(q, &q->start);
    for (int i = 0; i < q->c->base_count; i++) {
        SomBounds bounds = som_mechanism_piece_bounds(q->m, q->links, i);
        if (bases[i].is_on_ground && isfinite(bounds.low.z)) {
            bases[i].placement.position.z -= bounds.low.z;
            bases[i].link_pose.position.z -= bounds.low.z;
        }
        if (i > 0) {
            pieces[i - 1] = som_piece_of_base(bases, i);
        }
    }
    q->c->base = bases[0];
}

bool som_configuration_close_loops(SomConfiguration *c, double *work_left, SomDiagnostics *diags) {
    som_configuration_measure(c);
    if (c->metrics.closures == 0 && !is_on_ground(c)) {
        return true;
    }
    double most = work_left != NULL ? fmin(*work_left, SOM_MAX_LOOP_WORK) : SOM_MAX_LOOP_WORK;
    Loops q = {.c = c, .m = som_mechanism_create(c), .work_left = most, .diags = diags};
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
    if (work_left != NULL) {
        *work_left -= most - q.work_left;
    }
    if (is_closed && is_on_ground(c)) {
        put_on_ground(&q);
    }
    som_posture_free(&q.start);
    som_posture_free(&q.best);
    som_free(q.is_moving);
    som_free(q.links);
    som_mechanism_destroy(q.m);
    return is_closed;
}
