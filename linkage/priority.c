// SPDX-License-Identifier: Apache-2.0
#include "linkage/priority.h"

#include "base/memory.h"
#include "linkage/dense.h"
#include "linkage/priority_internal.h"

#include <math.h>
#include <string.h>

// A reduced row below this part of the level's largest entry is rounding, not a wish.
#define NOISE 4e-15
// Likewise what is left of rows after elimination, as a part of the level's norm.
#define QR_NOISE 1e-14
#define BOUND_TOLERANCE 1e-9

SomPriorityOptions som_priority_default_options(void) {
    SomPriorityOptions options = {.relative_rank = 1e-6,
                                  .absolute_rank = 1e-10,
                                  .level_step = 0.5,
                                  .largest_step = 0.25,
                                  .clamp_tolerance = 1e-12};
    return options;
}

SomPriority *som_priority_create(SomArena *arena, int column_count, const SomPriorityRow *rows,
                                 int row_count, size_t *room) {
    SomPriority *p = som_arena_new(arena, SomPriority, 1);
    SomPriorityWork *w = som_arena_new(arena, SomPriorityWork, 1);
    p->work = w;
    p->column_count = column_count;
    p->row_count = row_count;
    p->rows = som_arena_new(arena, SomPriorityRow, row_count);
    if (row_count > 0) {
        memcpy(p->rows, rows, (size_t)row_count * sizeof *rows);
    }
    if (!som_priority_plan_groups(p, arena, room)) {
        return NULL;
    }
    p->x = som_arena_new(arena, double, column_count);
    p->low = som_arena_new(arena, double, column_count);
    p->high = som_arena_new(arena, double, column_count);
    p->posture = som_arena_new(arena, double, column_count);
    p->dx = som_arena_new(arena, double, column_count);
    p->is_clamped = som_arena_new(arena, bool, column_count);
    for (int level = 0; level < SOM_LEVELS; level++) {
        p->caution[level] = 1;
    }
    for (int c = 0; c < column_count; c++) {
        p->low[c] = -HUGE_VAL;
        p->high[c] = HUGE_VAL;
    }
    w->is_free = som_arena_new(arena, bool, column_count);
    w->fixed = som_arena_new(arena, double, column_count);
    w->final = som_arena_new(arena, double, column_count);
    w->parts = som_arena_new(arena, double, SOM_LEVELS *(size_t)column_count);
    w->last_parts = som_arena_new(arena, double, SOM_LEVELS *(size_t)column_count);
    w->block = som_arena_new(arena, Group *, column_count);
    w->vector = som_arena_new(arena, double, column_count);
    int widest = 1;
    for (int level = 0; level < SOM_LEVELS; level++) {
        for (int i = 0; i < w->group_counts[level]; i++) {
            const Group *g = &w->groups[level][i];
            int size = g->column_count + g->row_count;
            widest = size > widest ? size : widest;
        }
    }
    w->reduced = som_arena_new(arena, double, widest);
    w->scratch = som_arena_new(arena, double, 2 * (size_t)widest);
    return p;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double row_times(const SomPriorityRow *row, const double *dx) {
    double sum = 0;
    for (int i = 0; i < row->count; i++) {
        sum += row->values[i * row->stride] * dx[row->columns[i]];
    }
    return row->scale * sum;
}

static double largest_entry(const SomPriorityRow *row) {
    double largest = 0;
    for (int i = 0; i < row->count; i++) {
        largest = larger(largest, fabs(row->values[i * row->stride]));
    }
    return largest * fabs(row->scale);
}

// ---- free directions

// Coordinate k of the triangle's solution space is this coordinate of Q's.
static int solution_place(const Group *g, int k) {
    return g->has_second ? g->order2[k] : k;
}

// Finds the directions of the group's columns that are free, and the blocks they belong to.
static void collect_coordinates(SomPriorityWork *w, Group *g) {
    w->stamp++;
    g->coordinates = g->under_count = 0;
    for (int i = 0; i < g->column_count; i++) {
        int c = g->columns[i];
        Group *block = w->block[c];
        if (block == NULL && w->is_free[c]) {
            g->places[g->coordinates++] = c;
        } else if (block != NULL && block->stamp != w->stamp) {
            block->stamp = w->stamp;
            g->under[g->under_count++] = block;
            for (int k = block->rank; k < block->coordinates; k++) {
                g->places[g->coordinates++] = block->places[k];
            }
        }
    }
}

// Turns a vector of columns into the directions that the block leaves free, which then lie at its
// places from the rank on; what it spent is gone.
static void turn(const Group *g, double *vector, double *reduced) {
    for (int i = 0; i < g->under_count; i++) {
        turn(g->under[i], vector, reduced);
    }
    bool is_zero = true;
    for (int k = 0; k < g->coordinates; k++) {
        reduced[k] = vector[g->places[k]];
        is_zero = is_zero && reduced[k] == 0;
    }
    if (is_zero) {
        return;
    }
    som_dense_apply_q_transposed(g->b, g->coordinates, g->steps, g->row_count, g->tau, reduced);
    for (int j = 0; j < g->rank; j++) {
        vector[g->places[j]] = 0;
    }
    for (int j = g->rank; j < g->steps; j++) { // directions too weak to count stay free
        double sum = 0;
        for (int k = 0; k < g->steps; k++) {
            sum += g->v[j * g->steps + k] * reduced[solution_place(g, k)];
        }
        vector[g->places[j]] = sum;
    }
    for (int k = g->steps; k < g->coordinates; k++) {
        vector[g->places[k]] = reduced[k];
    }
}

// The same back: from free directions to columns.
static void turn_back(const Group *g, double *vector, double *reduced) {
    for (int k = 0; k < g->coordinates; k++) {
        reduced[k] = k < g->steps ? 0 : vector[g->places[k]];
    }
    for (int j = g->rank; j < g->steps; j++) {
        for (int k = 0; k < g->steps; k++) {
            reduced[solution_place(g, k)] += g->v[j * g->steps + k] * vector[g->places[j]];
        }
    }
    som_dense_apply_q(g->b, g->coordinates, g->steps, g->row_count, g->tau, reduced);
    for (int k = 0; k < g->coordinates; k++) {
        vector[g->places[k]] = reduced[k];
    }
    for (int i = 0; i < g->under_count; i++) {
        turn_back(g->under[i], vector, reduced);
    }
}

static void clear(const Group *g, double *vector) {
    for (int i = 0; i < g->column_count; i++) {
        vector[g->columns[i]] = 0;
    }
}

// ---- reduced rows

// The row in the group's coordinates.
static void reduce_row(SomPriorityWork *w, const Group *g, const SomPriorityRow *row,
                       double *reduced) {
    for (int i = 0; i < row->count; i++) {
        w->vector[row->columns[i]] += row->scale * row->values[i * row->stride];
    }
    w->stamp++;
    for (int i = 0; i < row->count && g->under_count > 0; i++) {
        Group *block = w->block[row->columns[i]];
        if (block != NULL && block->stamp != w->stamp) {
            block->stamp = w->stamp;
            turn(block, w->vector, reduced);
        }
    }
    for (int k = 0; k < g->coordinates; k++) {
        reduced[k] = w->vector[g->places[k]];
    }
    clear(g, w->vector);
}

static bool form_group(SomPriority *p, Level *level, Group *g) {
    SomPriorityWork *w = p->work;
    collect_coordinates(w, g);
    g->kept_count = 0;
    g->steps = g->rank = 0;
    g->has_second = g->has_svd = false;
    int stride = g->row_count;
    for (int i = 0; i < g->row_count; i++) {
        const SomPriorityRow *row = &p->rows[g->rows[i]];
        if (!row->is_active) {
            continue;
        }
        reduce_row(w, g, row, w->reduced);
        double wanted = -(row->is_bound ? row->activation : row->residual) - row_times(row, p->dx);
        double square = 0;
        for (int k = 0; k < g->coordinates; k++) {
            square += w->reduced[k] * w->reduced[k];
        }
        if (!isfinite(square) || !isfinite(wanted)) {
            return false;
        }
        if (square <= NOISE * NOISE * level->largest * level->largest) {
            continue;
        }
        level->square += square;
        int kept = g->kept_count++;
        g->kept[kept] = g->rows[i];
        g->wanted[kept] = wanted;
        for (int k = 0; k < g->coordinates; k++) {
            g->b[k * stride + kept] = w->reduced[k];
        }
    }
    return true;
}

// ---- applying

// The damped solution of the triangle, in Q's coordinates.
static void solve_triangle(const Group *g, double lambda, double *scratch, double *solution) {
    int r = g->steps;
    if (!g->has_svd) {
        memcpy(scratch, g->wanted, (size_t)r * sizeof *scratch);
        if (g->has_second) {
            som_dense_solve_upper(g->l, r, r, scratch);
        } else {
            som_dense_solve_upper_transposed(g->b, r, g->row_count, scratch);
        }
    } else {
        for (int k = 0; k < r; k++) {
            scratch[k] = 0;
        }
        for (int j = 0; j < g->rank; j++) {
            double part = 0; // s times u^T wanted
            for (int k = 0; k < r; k++) {
                part += g->u[j * r + k] * g->wanted[k];
            }
            part /= g->s[j] * g->s[j] + lambda * lambda;
            for (int k = 0; k < r; k++) {
                scratch[k] += part * g->v[j * r + k];
            }
        }
    }
    for (int k = 0; k < r; k++) {
        solution[solution_place(g, k)] = scratch[k];
    }
}

static void apply_group(SomPriority *p, Group *g, double lambda) {
    SomPriorityWork *w = p->work;
    if (g->rank > 0) {
        for (int k = 0; k < g->coordinates; k++) {
            w->reduced[k] = 0;
        }
        solve_triangle(g, lambda, w->scratch, w->reduced);
        som_dense_apply_q(g->b, g->coordinates, g->steps, g->row_count, g->tau, w->reduced);
        for (int k = 0; k < g->coordinates; k++) {
            w->vector[g->places[k]] = w->reduced[k];
        }
        for (int i = 0; i < g->under_count; i++) {
            turn_back(g->under[i], w->vector, w->reduced);
        }
        for (int i = 0; i < g->column_count; i++) {
            p->dx[g->columns[i]] += w->vector[g->columns[i]];
        }
        clear(g, w->vector);
    }
    for (int i = 0; i < g->column_count; i++) {
        w->block[g->columns[i]] = g;
    }
}

static bool treat_level(SomPriority *p, int number, const SomPriorityOptions *o) {
    SomPriorityWork *w = p->work;
    Level level = {.groups = w->groups[number], .count = w->group_counts[number]};
    SomLevelResult *result = &p->levels[number];
    *result = (SomLevelResult){0};
    for (int i = 0; i < level.count; i++) {
        Group *g = &level.groups[i];
        int active = 0;
        for (int k = 0; k < g->row_count; k++) {
            const SomPriorityRow *row = &p->rows[g->rows[k]];
            if (row->is_active) {
                active++;
                level.largest = larger(level.largest, largest_entry(row));
            }
        }
        result->rows += active;
        g->is_used = active > 0;
    }
    for (int i = 0; i < level.count; i++) {
        Group *g = &level.groups[i];
        if (g->is_used && !form_group(p, &level, g)) {
            return false;
        }
    }
    double tolerance = QR_NOISE * sqrt(level.square);
    for (int i = 0; i < level.count; i++) {
        if (level.groups[i].is_used) {
            som_priority_factor(w, &level.groups[i], tolerance);
        }
    }
    double lambda = result->rows > 0 ? som_priority_judge(&level, p->caution[number], o) : 0;
    for (int i = 0; i < level.count; i++) {
        if (level.groups[i].is_used) {
            result->rank += level.groups[i].rank;
            p->multiplications += level.groups[i].work;
            apply_group(p, &level.groups[i], lambda);
        }
    }
    result->damping = result->rank > 0 ? lambda : 0;
    return true;
}

// The posture, as far as all levels leave its directions free.
static void project_posture(SomPriority *p) {
    SomPriorityWork *w = p->work;
    memcpy(w->final, p->posture, (size_t)p->column_count * sizeof *w->final);
    for (int level = 0; level < SOM_LEVELS; level++) {
        for (int i = 0; i < w->group_counts[level]; i++) {
            const Group *g = &w->groups[level][i];
            if (g->is_used && w->block[g->columns[0]] == g) { // else a later one went on from it
                turn(g, w->final, w->reduced);
                turn_back(g, w->final, w->reduced);
            }
        }
    }
}

// All levels once, for the present set of clamped columns and active bounds.
static bool run_pass(SomPriority *p, const SomPriorityOptions *o) {
    SomPriorityWork *w = p->work;
    for (int c = 0; c < p->column_count; c++) {
        p->dx[c] = w->is_free[c] ? 0 : w->fixed[c];
        w->block[c] = NULL;
    }
    for (int level = 0; level < SOM_LEVELS; level++) {
        if (w->group_counts[level] == 0) {
            p->levels[level] = (SomLevelResult){0};
            continue;
        }
        double *part = w->parts + (size_t)level * (size_t)p->column_count;
        for (int c = 0; c < p->column_count; c++) {
            part[c] = -p->dx[c];
        }
        if (!treat_level(p, level, o)) {
            return false;
        }
        for (int c = 0; c < p->column_count; c++) {
            part[c] += p->dx[c];
        }
    }
    if (w->has_posture) {
        project_posture(p);
    }
    double largest = 0;
    for (int c = 0; c < p->column_count; c++) {
        if (w->is_free[c]) {
            p->dx[c] += w->has_posture ? w->final[c] : 0;
            largest = larger(largest, fabs(p->dx[c]));
        }
        if (!isfinite(p->dx[c])) {
            return false;
        }
    }
    for (int c = 0; c < p->column_count && largest > o->largest_step; c++) {
        if (w->is_free[c]) {
            p->dx[c] *= o->largest_step / largest;
        }
    }
    return true;
}

// Fixes columns that would leave their interval, wakes bounds that would be left; false if none.
static bool tighten(SomPriority *p, const SomPriorityOptions *o) {
    SomPriorityWork *w = p->work;
    bool has_new = false;
    for (int r = 0; r < p->row_count; r++) {
        SomPriorityRow *row = &p->rows[r];
        if (!row->is_bound || row->is_active) {
            continue;
        }
        double predicted = row->residual + row_times(row, p->dx);
        bool is_above = predicted > row->high + BOUND_TOLERANCE;
        if (is_above || predicted < row->low - BOUND_TOLERANCE) {
            row->is_active = has_new = true;
            row->activation = row->residual - (is_above ? row->high : row->low);
        }
    }
    for (int c = 0; c < p->column_count; c++) {
        double next = p->x[c] + p->dx[c];
        if (w->is_free[c] &&
            (next > p->high[c] + o->clamp_tolerance || next < p->low[c] - o->clamp_tolerance)) {
            w->fixed[c] = fmin(fmax(next, p->low[c]), p->high[c]) - p->x[c];
            w->is_free[c] = false;
            p->is_clamped[c] = has_new = true;
            p->clamped_count++;
        }
    }
    return has_new;
}

// Compares each level's contribution with that of the last step, and keeps it for the next.
static void find_reversals(SomPriority *p) {
    SomPriorityWork *w = p->work;
    for (int level = 0; level < SOM_LEVELS; level++) {
        const double *now = w->parts + (size_t)level * (size_t)p->column_count;
        const double *last = w->last_parts + (size_t)level * (size_t)p->column_count;
        double dot = 0, square = 0, last_square = 0;
        for (int c = 0; c < p->column_count && w->group_counts[level] > 0; c++) {
            dot += now[c] * last[c];
            square += now[c] * now[c];
            last_square += last[c] * last[c];
        }
        double lengths = sqrt(square) * sqrt(last_square);
        p->reversal[level] = lengths > 0 ? dot / lengths : 0;
    }
    double *swap = w->last_parts;
    w->last_parts = w->parts;
    w->parts = swap;
}

void som_priority_step(SomPriority *p, const SomPriorityOptions *o) {
    SomPriorityWork *w = p->work;
    p->is_broken = false;
    p->multiplications = 0;
    p->clamped_count = 0;
    w->has_posture = false;
    for (int c = 0; c < p->column_count; c++) {
        w->is_free[c] = true;
        p->is_clamped[c] = false;
        w->has_posture = w->has_posture || p->posture[c] != 0;
    }
    for (int r = 0; r < p->row_count; r++) {
        if (p->rows[r].is_bound) {
            p->rows[r].is_active = false;
        }
    }
    do {
        if (!run_pass(p, o)) {
            p->is_broken = true;
            for (int c = 0; c < p->column_count; c++) {
                p->dx[c] = 0;
            }
            return;
        }
    } while (tighten(p, o));
    find_reversals(p);
}
