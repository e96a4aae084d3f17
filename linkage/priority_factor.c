// SPDX-License-Identifier: Apache-2.0
// Factors the rows of a level and decides on their rank and damping.

#include "linkage/dense.h"
#include "linkage/priority_internal.h"

#include <math.h>
#include <string.h>

// Orders the right side as the QR ordered the rows.
static void permute_wanted(const Group *g, double *scratch) {
    memcpy(scratch, g->wanted, (size_t)g->kept_count * sizeof *scratch);
    for (int i = 0; i < g->kept_count; i++) {
        g->wanted[i] = scratch[g->order[i]];
    }
}

// b = Q R; where there are more rows than rank, R^T = Q2 R2, and `wanted` becomes Q2^T wanted.
void som_priority_factor(SomPriorityWork *w, Group *g, double tolerance) {
    int stride = g->row_count;
    g->steps = som_dense_qr(g->b, g->coordinates, g->kept_count, stride, tolerance, g->order,
                            g->tau, w->scratch);
    g->rank = g->steps;
    g->work = 2.0 * g->coordinates * g->kept_count * (g->steps + 1);
    if (g->steps == 0) {
        return;
    }
    permute_wanted(g, w->scratch);
    if (g->steps == g->kept_count) {
        g->smallest = 1 / som_dense_inverse_norm(g->b, g->steps, stride, w->scratch);
        return;
    }
    g->has_second = true;
    g->work += 2.0 * g->kept_count * g->steps * g->steps;
    for (int i = 0; i < g->kept_count; i++) {
        for (int k = 0; k < g->steps; k++) {
            g->l[i * g->steps + k] = k <= i ? g->b[k * stride + i] : 0;
        }
    }
    int second =
        som_dense_qr(g->l, g->kept_count, g->steps, g->steps, 0, g->order2, g->tau2, w->scratch);
    som_dense_apply_q_transposed(g->l, g->kept_count, second, g->steps, g->tau2, g->wanted);
    g->smallest =
        second < g->steps ? 0 : 1 / som_dense_inverse_norm(g->l, g->steps, g->steps, w->scratch);
}

// Singular values of the triangle T with T w = wanted: R2, or R^T.
static void decompose_group(Group *g) {
    int r = g->steps;
    for (int column = 0; column < r; column++) {
        for (int i = 0; i < r; i++) {
            double value;
            if (g->has_second) {
                value = i <= column ? g->l[i * r + column] : 0;
            } else {
                value = column <= i ? g->b[column * g->row_count + i] : 0;
            }
            g->u[column * r + i] = value;
        }
    }
    int sweeps = som_dense_svd(g->u, r, r, g->v, g->s);
    g->work += 5.5 * sweeps * r * r * r; // eleven for each pair of columns and row
    g->has_svd = true;
}

static double damping(double smallest, double norm, double level_step) {
    double d = norm / level_step;
    if (smallest >= d) {
        return 0;
    }
    return smallest >= d / 2 ? sqrt(smallest * (d - smallest)) : d / 2;
}

// Ranks and damping of a level, by bounds where they decide and by singular values where not.
double som_priority_judge(const Level *level, double caution, const SomPriorityOptions *o) {
    double norm = sqrt(level->square), smallest = HUGE_VAL, square = 0;
    for (int i = 0; i < level->count; i++) {
        const Group *g = &level->groups[i];
        if (g->is_used && g->steps > 0) {
            smallest = fmin(smallest, g->smallest);
            for (int k = 0; k < g->steps; k++) {
                square += g->wanted[k] * g->wanted[k];
            }
        }
    }
    bool is_certain = smallest > 2 * fmax(o->absolute_rank, o->relative_rank * norm);
    if (is_certain && smallest >= caution * sqrt(square) / o->level_step) {
        return 0;
    }
    double largest = 0;
    for (int i = 0; i < level->count; i++) {
        Group *g = &level->groups[i];
        if (g->is_used && g->steps > 0) {
            decompose_group(g);
            largest = fmax(largest, g->s[0]);
        }
    }
    smallest = HUGE_VAL;
    square = 0;
    for (int i = 0; i < level->count; i++) {
        Group *g = &level->groups[i];
        if (!g->is_used || g->steps == 0) {
            continue;
        }
        int r = g->steps;
        g->rank = 0;
        while (g->rank < r && g->s[g->rank] > o->absolute_rank &&
               g->s[g->rank] > o->relative_rank * largest) {
            double part = 0; // of u^T wanted
            for (int k = 0; k < r; k++) {
                part += g->u[g->rank * r + k] * g->wanted[k];
            }
            part /= g->s[g->rank];
            square += part * part;
            smallest = fmin(smallest, g->s[g->rank]);
            g->rank++;
        }
    }
    return damping(smallest, caution * sqrt(square), o->level_step);
}
