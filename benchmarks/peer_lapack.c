// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // RTLD_DEFAULT
#include "benchmarks/peer_lapack.h"

#include "base/memory.h"

#include <assert.h>
#include <dlfcn.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#define NOISE 4e-15 // a row whose entries are below this part of the largest is none

// All matrices are column by column.
struct SomPeerLapack {
    int columns, rows, level_count;
    int *level_rows;
    double *basis, *next_basis; // of the null space: columns x free_count
    int free_count;
    int *kept; // rows of the level that are not zero
    int kept_count;
    double *kept_rows;
    double *wanted, *parts;
    double *a; // kept rows x free_count, and its singular values
    double *s, *u, *vt;
    double *reduced;
    double *work;
    int work_size;
    lapack_int *integer_work;
};

static double *new_numbers(int rows, int columns) {
    return som_alloc((size_t)rows * (size_t)columns * sizeof(double));
}

// OpenBLAS starts a thread for each core; other libraries do not know the function.
static void use_one_thread(void) {
    void (*set_threads)(int) = NULL;
    *(void **)&set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (set_threads != NULL) {
        set_threads(1);
    }
}

SomPeerLapack *som_peer_lapack_create(int columns, int level_count, const int *level_rows) {
    use_one_thread();
    SomPeerLapack *p = som_alloc(sizeof *p);
    p->columns = columns;
    p->level_count = level_count;
    p->level_rows = som_alloc((size_t)level_count * sizeof *p->level_rows);
    int most = 1;
    for (int i = 0; i < level_count; i++) {
        p->level_rows[i] = level_rows[i];
        p->rows += level_rows[i];
        most = level_rows[i] > most ? level_rows[i] : most;
    }
    int longer = most > columns ? most : columns;
    p->basis = new_numbers(columns, columns);
    p->next_basis = new_numbers(columns, columns);
    p->kept = som_alloc((size_t)most * sizeof *p->kept);
    p->kept_rows = new_numbers(most, columns);
    p->wanted = new_numbers(most, 1);
    p->parts = new_numbers(most, 1);
    p->a = new_numbers(longer, columns);
    p->s = new_numbers(longer, 1);
    p->u = new_numbers(most, most);
    p->vt = new_numbers(columns, columns);
    p->reduced = new_numbers(columns, 1);
    p->work_size = 8 * longer * (longer + 8); // more than dgesdd ever asks for
    p->work = new_numbers(p->work_size, 1);
    p->integer_work = som_alloc(8 * (size_t)longer * sizeof *p->integer_work);
    return p;
}

void som_peer_lapack_destroy(SomPeerLapack *p) {
    void *const owned[] = {p->level_rows, p->basis, p->next_basis, p->kept,        p->kept_rows,
                           p->wanted,     p->parts, p->a,          p->s,           p->u,
                           p->vt,         p->work,  p->reduced,    p->integer_work};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        som_free(owned[i]);
    }
    som_free(p);
}

// c <- a b
static void multiply(const double *a, const double *b, int b_stride, int rows, int inner,
                     int columns, double *c) {
    memset(c, 0, (size_t)rows * (size_t)columns * sizeof *c);
    for (int j = 0; j < columns; j++) {
        for (int k = 0; k < inner; k++) {
            double factor = b[j * b_stride + k];
            for (int i = 0; i < rows; i++) {
                c[j * rows + i] += a[k * rows + i] * factor;
            }
        }
    }
}

// The level's rows without those of zeros, and what they ask for.
static void keep_rows(SomPeerLapack *p, const double *jacobian, const double *residuals, int first,
                      int count, const double *dx) {
    double largest = 0;
    memset(p->parts, 0, (size_t)count * sizeof *p->parts);
    for (int c = 0; c < p->columns; c++) {
        for (int r = 0; r < count; r++) {
            double size = fabs(jacobian[c * p->rows + first + r]);
            p->parts[r] = size > p->parts[r] ? size : p->parts[r];
            largest = size > largest ? size : largest;
        }
    }
    p->kept_count = 0;
    for (int r = 0; r < count; r++) {
        if (p->parts[r] > NOISE * largest) {
            p->wanted[p->kept_count] = -residuals[first + r];
            p->kept[p->kept_count++] = first + r;
        }
    }
    for (int c = 0; c < p->columns; c++) {
        for (int r = 0; r < p->kept_count; r++) {
            double entry = jacobian[c * p->rows + p->kept[r]];
            p->kept_rows[c * p->kept_count + r] = entry;
            p->wanted[r] -= entry * dx[c];
        }
    }
}

static double damping(double smallest, double norm, double level_step) {
    double d = norm / level_step;
    if (smallest >= d) {
        return 0;
    }
    return smallest >= d / 2 ? sqrt(smallest * (d - smallest)) : d / 2;
}

// reduced <- the damped solution in coordinates of the basis; returns the rank.
static int solve_level(SomPeerLapack *p, const SomPriorityOptions *o, int vt_rows) {
    int rank = 0, rows = p->kept_count, least = rows < p->free_count ? rows : p->free_count;
    double square = 0;
    memset(p->reduced, 0, (size_t)p->columns * sizeof *p->reduced);
    while (rank < least && p->s[rank] > o->absolute_rank &&
           p->s[rank] > o->relative_rank * p->s[0]) {
        p->parts[rank] = 0;
        for (int i = 0; i < rows; i++) {
            p->parts[rank] += p->u[rank * rows + i] * p->wanted[i];
        }
        square += p->parts[rank] * p->parts[rank];
        rank++;
    }
    double lambda = rank > 0 ? damping(p->s[rank - 1], sqrt(square), o->level_step) : 0;
    for (int r = 0; r < rank; r++) {
        p->parts[r] *= p->s[r] / (p->s[r] * p->s[r] + lambda * lambda);
    }
    for (int k = 0; k < p->free_count; k++) {
        for (int r = 0; r < rank; r++) {
            p->reduced[k] += p->parts[r] * p->vt[k * vt_rows + r];
        }
    }
    return rank;
}

// The directions that the level leaves free, from the last rows of V^T.
static void narrow_basis(SomPeerLapack *p, int rank, bool is_first) {
    int before = p->free_count, after = before - rank;
    for (int k = 0; k < after; k++) { // V's last columns, as a matrix
        for (int i = 0; i < before; i++) {
            p->a[k * before + i] = p->vt[i * before + rank + k];
        }
    }
    if (is_first) {
        memcpy(p->basis, p->a, (size_t)before * (size_t)after * sizeof *p->a);
    } else {
        multiply(p->basis, p->a, before, p->columns, before, after, p->next_basis);
        double *swap = p->basis;
        p->basis = p->next_basis;
        p->next_basis = swap;
    }
    p->free_count = after;
}

static void treat_level(SomPeerLapack *p, const SomPriorityOptions *o, bool is_first, bool is_last,
                        double *dx) {
    int rows = p->kept_count;
    assert(rows > 0 && p->free_count > 0);
    if (is_first) {
        memcpy(p->a, p->kept_rows, (size_t)rows * (size_t)p->columns * sizeof *p->a);
    } else {
        multiply(p->kept_rows, p->basis, p->columns, rows, p->columns, p->free_count, p->a);
    }
    // the whole of V only where the null space is wanted and the thin one lacks it
    bool is_thin = is_last || rows >= p->free_count;
    int vt_rows = is_thin && rows < p->free_count ? rows : p->free_count;
    lapack_int failed = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, is_thin ? 'S' : 'A', rows,
                                            p->free_count, p->a, rows, p->s, p->u, rows, p->vt,
                                            vt_rows, p->work, p->work_size, p->integer_work);
    assert(failed == 0);
    (void)failed;
    int rank = solve_level(p, o, vt_rows);
    if (is_first) {
        memcpy(dx, p->reduced, (size_t)p->columns * sizeof *dx);
    } else {
        for (int k = 0; k < p->free_count; k++) {
            for (int c = 0; c < p->columns; c++) {
                dx[c] += p->basis[k * p->columns + c] * p->reduced[k];
            }
        }
    }
    if (!is_last) {
        narrow_basis(p, rank, is_first);
    }
}

void som_peer_lapack_step(SomPeerLapack *p, const double *jacobian, const double *residuals,
                          const SomPriorityOptions *o, double *dx) {
    memset(dx, 0, (size_t)p->columns * sizeof *dx);
    p->free_count = p->columns;
    int first = 0;
    for (int i = 0; i < p->level_count; i++) {
        keep_rows(p, jacobian, residuals, first, p->level_rows[i], dx);
        treat_level(p, o, i == 0, i == p->level_count - 1, dx);
        first += p->level_rows[i];
    }
    double largest = 0;
    for (int c = 0; c < p->columns; c++) {
        largest = fabs(dx[c]) > largest ? fabs(dx[c]) : largest;
    }
    for (int c = 0; c < p->columns && largest > o->largest_step; c++) {
        dx[c] *= o->largest_step / largest;
    }
}
