// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/priority.c and priority_groups.c, against a dense version of the algorithm.

#include "linkage/dense.h"
#include "linkage/priority.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define MOST_COLUMNS 14
#define MOST_ROWS 24

// A problem with room for everything a row points to.
typedef struct Problem {
    int columns, rows;
    SomPriorityRow row[MOST_ROWS];
    int support[MOST_ROWS][MOST_COLUMNS];
    double values[MOST_ROWS][MOST_COLUMNS];
    double nearly; // how far rows that repeat others are from them
    double x[MOST_COLUMNS], low[MOST_COLUMNS], high[MOST_COLUMNS], posture[MOST_COLUMNS];
} Problem;

static void make_row(Problem *p, SomTestRandom *random, int r, double error) {
    SomPriorityRow *row = &p->row[r];
    *row = (SomPriorityRow){.level = (SomLevel)som_test_int(random, 0, SOM_LEVELS - 1),
                            .columns = p->support[r],
                            .values = p->values[r],
                            .stride = 1,
                            .scale = 1,
                            .is_active = true};
    int first = som_test_int(random, 0, p->columns - 1);
    for (int c = first; c < p->columns && row->count < 4; c++) {
        if (som_test_int(random, 0, 2) > 0) {
            p->support[r][row->count] = c;
            p->values[r][row->count++] = som_test_normal(random);
        }
    }
    row->residual = error * som_test_normal(random);
    if (row->level == SOM_LEVEL_LIMIT) {
        row->is_bound = true;
        row->is_active = false;
        row->low = row->residual - som_test_uniform(random, 0, 0.1);
        row->high = row->residual + som_test_uniform(random, 0, 0.1);
    } else if (r > 0 && som_test_int(random, 0, 4) == 0) { // the wish of another row once more
        SomLevel level = row->level;
        double residual = row->residual;
        SomPriorityRow other = p->row[r - 1];
        if (!other.is_bound) {
            *row = other;
            row->level = level;
            row->residual = som_test_int(random, 0, 1) == 0 ? other.residual : residual;
            row->values = p->values[r];
            for (int i = 0; i < row->count; i++) {
                p->values[r][i] = other.values[i] + p->nearly * som_test_normal(random);
            }
        }
    }
}

static void make_problem(Problem *p, SomTestRandom *random, double error) {
    p->columns = som_test_int(random, 1, MOST_COLUMNS);
    p->rows = som_test_int(random, 0, MOST_ROWS);
    for (int r = 0; r < p->rows; r++) {
        make_row(p, random, r, error);
    }
    bool has_posture = som_test_int(random, 0, 1) == 1;
    for (int c = 0; c < p->columns; c++) {
        p->x[c] = som_test_normal(random);
        p->low[c] = -HUGE_VAL;
        p->high[c] = HUGE_VAL;
        if (som_test_int(random, 0, 3) == 0) {
            p->low[c] = p->x[c] - som_test_uniform(random, 0, 0.1);
            p->high[c] = p->x[c] + som_test_uniform(random, 0, 0.1);
        }
        p->posture[c] = has_posture ? 0.1 * som_test_normal(random) : 0;
    }
}

// ---- the dense version

typedef struct Dense {
    const Problem *p;
    double dx[MOST_COLUMNS], fixed[MOST_COLUMNS], n[MOST_COLUMNS][MOST_COLUMNS];
    bool is_free[MOST_COLUMNS], is_active[MOST_ROWS];
    double bound[MOST_ROWS];
    int ranks[SOM_LEVELS], clamped;
    double largest, least, condition; // of the singular values of all levels
} Dense;

static double entry(const SomPriorityRow *row, int column) {
    for (int i = 0; i < row->count; i++) {
        if (row->columns[i] == column) {
            return row->scale * row->values[i];
        }
    }
    return 0;
}

static double times(const SomPriorityRow *row, int columns, const double *dx) {
    double sum = 0;
    for (int c = 0; c < columns; c++) {
        sum += entry(row, c) * dx[c];
    }
    return sum;
}

static void dense_level(Dense *d, int level, const SomPriorityOptions *o) {
    const Problem *p = d->p;
    int n = p->columns, m = 0;
    double a[MOST_ROWS * MOST_COLUMNS], b[MOST_ROWS], v[MOST_ROWS * MOST_ROWS], s[MOST_ROWS];
    for (int r = 0; r < p->rows; r++) { // the transposed matrix, column by column
        const SomPriorityRow *row = &p->row[r];
        if ((int)row->level != level || !d->is_active[r]) {
            continue;
        }
        b[m] =
            -(row->is_bound ? row->residual - d->bound[r] : row->residual) - times(row, n, d->dx);
        for (int c = 0; c < n; c++) {
            a[m * n + c] = 0;
            for (int k = 0; k < n; k++) {
                a[m * n + c] += entry(row, k) * d->n[k][c];
            }
        }
        m++;
    }
    som_dense_svd(a, n, m, v, s);
    int rank = 0;
    double parts[MOST_ROWS], square = 0;
    while (rank < m && rank < n && s[rank] > o->absolute_rank &&
           s[rank] > o->relative_rank * s[0]) {
        parts[rank] = 0;
        for (int i = 0; i < m; i++) {
            parts[rank] += v[rank * m + i] * b[i];
        }
        square += parts[rank] * parts[rank];
        rank++;
    }
    d->ranks[level] = rank;
    if (rank == 0) {
        return;
    }
    double limit = sqrt(square) / o->level_step, least = s[rank - 1];
    d->largest = fmax(d->largest, s[0]);
    d->least = d->least == 0 ? least : fmin(d->least, least);
    d->condition = d->largest / d->least;
    double lambda = least >= limit       ? 0
                    : least >= limit / 2 ? sqrt(least * (limit - least))
                                         : limit / 2;
    for (int k = 0; k < rank; k++) {
        double unit[MOST_COLUMNS];
        for (int c = 0; c < n; c++) {
            unit[c] = a[k * n + c] / s[k];
            d->dx[c] += unit[c] * s[k] / (s[k] * s[k] + lambda * lambda) * parts[k];
        }
        for (int i = 0; i < n * n; i++) {
            d->n[i / n][i % n] -= unit[i / n] * unit[i % n];
        }
    }
}

static void dense_pass(Dense *d, const SomPriorityOptions *o) {
    const Problem *p = d->p;
    int n = p->columns;
    memset(d->n, 0, sizeof d->n);
    for (int c = 0; c < n; c++) {
        d->dx[c] = d->is_free[c] ? 0 : d->fixed[c];
        d->n[c][c] = d->is_free[c] ? 1 : 0;
    }
    for (int level = 0; level < SOM_LEVELS; level++) {
        dense_level(d, level, o);
    }
    double largest = 0;
    for (int c = 0; c < n; c++) {
        for (int k = 0; k < n; k++) {
            d->dx[c] += d->n[c][k] * p->posture[k];
        }
        largest = d->is_free[c] ? fmax(largest, fabs(d->dx[c])) : largest;
    }
    for (int c = 0; c < n; c++) {
        d->dx[c] *= d->is_free[c] && largest > o->largest_step ? o->largest_step / largest : 1;
    }
}

static bool dense_tighten(Dense *d, const SomPriorityOptions *o) {
    const Problem *p = d->p;
    bool has_new = false;
    for (int r = 0; r < p->rows; r++) {
        const SomPriorityRow *row = &p->row[r];
        double next = row->residual + times(row, p->columns, d->dx);
        if (row->is_bound && !d->is_active[r] &&
            (next > row->high + 1e-9 || next < row->low - 1e-9)) {
            d->is_active[r] = has_new = true;
            d->bound[r] = next > row->high ? row->high : row->low;
        }
    }
    for (int c = 0; c < p->columns; c++) {
        double next = p->x[c] + d->dx[c];
        if (d->is_free[c] &&
            (next > p->high[c] + o->clamp_tolerance || next < p->low[c] - o->clamp_tolerance)) {
            d->fixed[c] = fmin(fmax(next, p->low[c]), p->high[c]) - p->x[c];
            d->is_free[c] = false;
            d->clamped++;
            has_new = true;
        }
    }
    return has_new;
}

static void dense_step(Dense *d, const Problem *p, const SomPriorityOptions *o) {
    memset(d, 0, sizeof *d);
    d->p = p;
    for (int c = 0; c < p->columns; c++) {
        d->is_free[c] = true;
    }
    for (int r = 0; r < p->rows; r++) {
        d->is_active[r] = p->row[r].is_active;
    }
    do {
        dense_pass(d, o);
    } while (dense_tighten(d, o));
}

// ---- tests

static SomPriority *create(SomArena *arena, const Problem *p) {
    size_t room = 1000000;
    SomPriority *step = som_priority_create(arena, p->columns, p->row, p->rows, &room);
    size_t size = (size_t)p->columns * sizeof(double);
    memcpy(step->x, p->x, size);
    memcpy(step->low, p->low, size);
    memcpy(step->high, p->high, size);
    memcpy(step->posture, p->posture, size);
    return step;
}

START_TEST(blocks_give_the_dense_answer) {
    SomTestRandom random = {11};
    SomPriorityOptions options = som_priority_default_options();
    int count = som_test_count(4000, 100000), clamped = 0, damped = 0, deficient = 0, easy = 0;
    for (int i = 0; i < count; i++) {
        Problem p = {.nearly = i % 3 == 0 ? 1e-9 : 0}; // then directions are too weak to count
        SomArena arena = {0};
        Dense d;
        make_problem(&p, &random, i % 2 == 0 ? 0.01 : 1);
        dense_step(&d, &p, &options);
        SomPriority *step = create(&arena, &p);
        som_priority_step(step, &options);
        ck_assert(!step->is_broken);
        if (d.condition > 1e5) { // a rank that rounding decides
            som_arena_free(&arena);
            continue;
        }
        double worst = 0;
        for (int c = 0; c < p.columns; c++) {
            worst = fmax(worst, fabs(d.dx[c] - step->dx[c]));
        }
        // both versions round, and that is magnified by nearly dependent rows, level after level
        double allowed = 1e-12 * fmax(1, pow(d.condition / 100, 2));
        ck_assert_msg(worst <= allowed, "problem %d: %g of %g", i, worst, allowed);
        easy += d.condition < 100;
        ck_assert_int_eq(step->clamped_count, d.clamped);
        clamped += d.clamped > 0;
        for (int level = 0; level < SOM_LEVELS; level++) {
            ck_assert_int_eq(step->levels[level].rank, d.ranks[level]);
            damped += step->levels[level].damping > 0;
            deficient += step->levels[level].rank < step->levels[level].rows;
        }
        som_arena_free(&arena);
    }
    ck_assert_int_gt(easy, count * 3 / 4);
    ck_assert_int_gt(clamped, count / 20); // the cases are not all easy
    ck_assert_int_gt(damped, count / 20);
    ck_assert_int_gt(deficient, count / 20);
}
END_TEST

START_TEST(a_lower_level_never_disturbs_a_higher_one) {
    SomTestRandom random = {12};
    SomPriorityOptions options = som_priority_default_options();
    options.largest_step = 1e9;
    for (int i = 0; i < 1000; i++) {
        Problem p = {0};
        SomArena arena = {0};
        make_problem(&p, &random, 0.001);
        for (int c = 0; c < p.columns; c++) {
            p.low[c] = -HUGE_VAL;
            p.high[c] = HUGE_VAL;
        }
        SomPriority *all = create(&arena, &p);
        som_priority_step(all, &options);
        for (int r = 0; r < p.rows; r++) { // the same without what is below
            p.row[r].is_active = p.row[r].is_active && p.row[r].level == SOM_LEVEL_INVARIANT;
            p.row[r].is_bound = false;
        }
        memset(p.posture, 0, sizeof p.posture);
        SomPriority *alone = create(&arena, &p);
        som_priority_step(alone, &options);
        for (int r = 0; r < p.rows; r++) {
            if (p.row[r].is_active) {
                ck_assert_double_eq_tol(times(&p.row[r], p.columns, all->dx),
                                        times(&p.row[r], p.columns, alone->dx), 1e-11);
            }
        }
        som_arena_free(&arena);
    }
}
END_TEST

START_TEST(steps_are_bounded_and_within_limits) {
    SomTestRandom random = {13};
    SomPriorityOptions options = som_priority_default_options();
    for (int i = 0; i < 1000; i++) {
        Problem p = {0};
        SomArena arena = {0};
        make_problem(&p, &random, 1e6);
        SomPriority *step = create(&arena, &p);
        som_priority_step(step, &options);
        for (int c = 0; c < p.columns; c++) {
            ck_assert_double_le(fabs(step->dx[c]), 0.25 + 1e-12);
            ck_assert_double_le(p.x[c] + step->dx[c], p.high[c] + 1e-12);
            ck_assert_double_ge(p.x[c] + step->dx[c], p.low[c] - 1e-12);
        }
        som_arena_free(&arena);
    }
}
END_TEST

START_TEST(numbers_that_are_not_finite_give_no_step) {
    SomTestRandom random = {14};
    SomPriorityOptions options = som_priority_default_options();
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e300};
    for (int i = 0; i < 400; i++) {
        Problem p = {0};
        SomArena arena = {0};
        make_problem(&p, &random, 1);
        if (p.rows == 0 || p.row[0].count == 0 || p.row[0].is_bound) {
            continue;
        }
        if (i % 8 < 4) {
            p.row[0].residual = bad[i % 4];
        } else {
            p.values[0][0] = bad[i % 4];
        }
        SomPriority *step = create(&arena, &p);
        som_priority_step(step, &options);
        for (int c = 0; c < p.columns; c++) {
            ck_assert(isfinite(step->dx[c]));
            ck_assert_double_le(fabs(step->dx[c]), 0.25 + 1e-12);
        }
        ck_assert(step->is_broken || bad[i % 4] == 1e300);
        som_arena_free(&arena);
    }
}
END_TEST

// The target asks for nearly what the closure holds; the little that is left counts, since it is
// more than rounding.
START_TEST(a_row_that_is_nearly_spent_still_counts) {
    Problem p = {.columns = 2, .rows = 2};
    for (int r = 0; r < 2; r++) {
        p.row[r] = (SomPriorityRow){.level = r == 0 ? SOM_LEVEL_INVARIANT : SOM_LEVEL_TARGET,
                                    .columns = p.support[r],
                                    .values = p.values[r],
                                    .count = 2,
                                    .stride = 1,
                                    .scale = 1,
                                    .is_active = true};
        p.support[r][1] = 1;
        p.values[r][0] = 1;
        p.low[r] = -HUGE_VAL;
        p.high[r] = HUGE_VAL;
    }
    const double rests[] = {1e-9, 1e-15, 0};
    for (int i = 0; i < 3; i++) {
        SomArena arena = {0};
        p.values[1][1] = rests[i];
        SomPriority *step = create(&arena, &p);
        SomPriorityOptions options = som_priority_default_options();
        som_priority_step(step, &options);
        ck_assert_int_eq(step->levels[SOM_LEVEL_TARGET].rank, i == 0);
        som_arena_free(&arena);
    }
}
END_TEST

// A slide that is held within [-1, 1] by a bound and led to `target`.
static SomPriority *make_slide(SomArena *arena, double target) {
    static const int column = 0;
    static const double one = 1;
    SomPriorityRow rows[] = {{.level = SOM_LEVEL_LIMIT,
                              .columns = &column,
                              .values = &one,
                              .count = 1,
                              .stride = 1,
                              .scale = 1,
                              .is_bound = true,
                              .low = -1,
                              .high = 1},
                             {.level = SOM_LEVEL_TARGET,
                              .columns = &column,
                              .values = &one,
                              .count = 1,
                              .stride = 1,
                              .scale = 1,
                              .is_active = true,
                              .residual = -target}};
    size_t room = 1000;
    return som_priority_create(arena, 1, rows, 2, &room);
}

START_TEST(a_step_forgets_the_bounds_and_faults_of_the_last_one) {
    SomArena arena = {0};
    SomPriorityOptions options = som_priority_default_options();
    SomPriority *step = make_slide(&arena, 0.2);
    step->rows[0].residual = 0.9; // the bound is at 1
    som_priority_step(step, &options);
    ck_assert_double_eq_tol(step->dx[0], 0.1, 1e-15);
    step->rows[0].residual = 0.3;
    som_priority_step(step, &options);
    ck_assert_double_eq_tol(step->dx[0], 0.2, 1e-15);
    step->rows[1].residual = (double)NAN;
    som_priority_step(step, &options);
    ck_assert(step->is_broken);
    ck_assert_double_eq(step->dx[0], 0);
    step->rows[1].residual = -0.1;
    som_priority_step(step, &options);
    ck_assert(!step->is_broken);
    ck_assert_double_eq_tol(step->dx[0], 0.1, 1e-15);
    som_arena_free(&arena);
}
END_TEST

START_TEST(matrices_that_do_not_fit_are_refused) {
    SomTestRandom random = {15};
    Problem p = {0};
    make_problem(&p, &random, 1);
    SomArena arena = {0};
    size_t room = 1000000;
    ck_assert(som_priority_create(&arena, p.columns, p.row, p.rows, &room) != NULL);
    size_t needed = 1000000 - room;
    ck_assert_uint_gt(needed, 0);
    room = needed;
    ck_assert(som_priority_create(&arena, p.columns, p.row, p.rows, &room) != NULL);
    ck_assert_uint_eq(room, 0);
    room = needed - 1;
    ck_assert(som_priority_create(&arena, p.columns, p.row, p.rows, &room) == NULL);
    som_arena_free(&arena);
}
END_TEST

SOM_SUITE("linkage/priority", blocks_give_the_dense_answer,
          a_lower_level_never_disturbs_a_higher_one, steps_are_bounded_and_within_limits,
          numbers_that_are_not_finite_give_no_step, a_row_that_is_nearly_spent_still_counts,
          a_step_forgets_the_bounds_and_faults_of_the_last_one,
          matrices_that_do_not_fit_are_refused)
