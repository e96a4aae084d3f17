// SPDX-License-Identifier: Apache-2.0
// Tests for linkage/dense.c.

#include "linkage/dense.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define MOST 12

static void fill(SomTestRandom *random, double *a, int rows, int columns, int rank) {
    double left[MOST * MOST], right[MOST * MOST];
    for (int i = 0; i < MOST * MOST; i++) {
        left[i] = som_test_normal(random);
        right[i] = som_test_normal(random);
    }
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            a[r * columns + c] = 0;
            for (int k = 0; k < rank; k++) {
                a[r * columns + c] += left[r * MOST + k] * right[k * MOST + c];
            }
        }
    }
}

START_TEST(qr_finds_the_rank_and_multiplies_back) {
    SomTestRandom random = {1};
    for (int n = 0; n < som_test_count(2000, 50000); n++) {
        int rows = som_test_int(&random, 1, MOST), columns = som_test_int(&random, 1, MOST);
        int least = rows < columns ? rows : columns, rank = som_test_int(&random, 0, least);
        double a[MOST * MOST], b[MOST * MOST], tau[MOST], work[2 * MOST];
        int order[MOST];
        fill(&random, a, rows, columns, rank);
        memcpy(b, a, sizeof a);
        int steps = som_dense_qr(b, rows, columns, columns, 1e-11, order, tau, work);
        ck_assert_int_eq(steps, rank);
        for (int c = 0; c < columns; c++) { // Q times column c of R is column order[c] of A
            double v[MOST] = {0};
            for (int k = 0; k < rank && k <= c; k++) {
                v[k] = b[k * columns + c];
            }
            som_dense_apply_q(b, rows, steps, columns, tau, v);
            for (int r = 0; r < rows; r++) {
                ck_assert_double_eq_tol(v[r], a[r * columns + order[c]], 1e-12);
            }
        }
    }
}
END_TEST

START_TEST(q_is_orthogonal) {
    SomTestRandom random = {2};
    double b[MOST * MOST], tau[MOST], work[2 * MOST], q[MOST][MOST] = {{0}};
    int order[MOST];
    fill(&random, b, MOST, 7, 7);
    int steps = som_dense_qr(b, MOST, 7, 7, 1e-12, order, tau, work);
    for (int i = 0; i < MOST; i++) {
        double back[MOST];
        q[i][i] = 1;
        som_dense_apply_q(b, MOST, steps, 7, tau, q[i]);
        memcpy(back, q[i], sizeof back);
        som_dense_apply_q_transposed(b, MOST, steps, 7, tau, back);
        for (int r = 0; r < MOST; r++) {
            ck_assert_double_eq_tol(back[r], r == i ? 1 : 0, 1e-14);
        }
        for (int k = 0; k <= i; k++) {
            double dot = 0;
            for (int r = 0; r < MOST; r++) {
                dot += q[i][r] * q[k][r];
            }
            ck_assert_double_eq_tol(dot, k == i ? 1 : 0, 1e-14);
        }
    }
}
END_TEST

START_TEST(triangles_are_solved_and_bounded) {
    SomTestRandom random = {3};
    for (int n = 0; n < 200; n++) {
        int r = som_test_int(&random, 1, MOST);
        double u[MOST * MOST] = {0}, x[MOST], y[MOST] = {0}, z[MOST] = {0}, work[MOST];
        for (int i = 0; i < r; i++) {
            x[i] = som_test_normal(&random);
            for (int j = i; j < r; j++) {
                u[i * r + j] = som_test_normal(&random) + (i == j ? 4 : 0);
            }
        }
        for (int i = 0; i < r; i++) {
            for (int j = i; j < r; j++) {
                y[i] += u[i * r + j] * x[j];
                z[j] += u[i * r + j] * x[i];
            }
        }
        som_dense_solve_upper(u, r, r, y);
        som_dense_solve_upper_transposed(u, r, r, z);
        double columns[MOST * MOST], v[MOST * MOST], s[MOST];
        for (int i = 0; i < r * r; i++) {
            columns[i] = u[i % r * r + i / r];
        }
        som_dense_svd(columns, r, r, v, s);
        double bound = 1 / som_dense_inverse_norm(u, r, r, work);
        ck_assert_double_le(bound, s[r - 1] * (1 + 1e-12));
        ck_assert_double_ge(bound * sqrt(r), s[r - 1] * (1 - 1e-12));
        for (int i = 0; i < r; i++) {
            ck_assert_double_eq_tol(y[i], x[i], 1e-11);
            ck_assert_double_eq_tol(z[i], x[i], 1e-11);
        }
    }
}
END_TEST

START_TEST(singular_values_fall_and_multiply_back) {
    SomTestRandom random = {4};
    for (int n = 0; n < som_test_count(2000, 50000); n++) {
        int rows = som_test_int(&random, 1, MOST), columns = som_test_int(&random, 1, MOST);
        int least = rows < columns ? rows : columns, rank = som_test_int(&random, 0, least);
        double a[MOST * MOST], u[MOST * MOST], v[MOST * MOST], s[MOST];
        fill(&random, a, rows, columns, rank);
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < rows; r++) {
                u[c * rows + r] = a[r * columns + c];
            }
        }
        som_dense_svd(u, rows, columns, v, s);
        for (int c = 0; c + 1 < columns; c++) {
            ck_assert_double_le(s[c + 1], s[c] * (1 + 1e-12) + 1e-14);
        }
        for (int c = rank; c < columns; c++) {
            ck_assert_double_le(s[c], 1e-12);
        }
        for (int c = 0; c < columns; c++) { // A = (U S) V^T
            for (int r = 0; r < rows; r++) {
                double sum = 0;
                for (int k = 0; k < columns; k++) {
                    sum += u[k * rows + r] * v[k * columns + c];
                }
                ck_assert_double_eq_tol(sum, a[r * columns + c], 1e-12);
            }
        }
    }
}
END_TEST

SOM_SUITE("linkage/dense", qr_finds_the_rank_and_multiplies_back, q_is_orthogonal,
          triangles_are_solved_and_bounded, singular_values_fall_and_multiply_back)
