// linkage/dense.h - small dense kernels of our own: pivoted QR and singular values.
//
// The solver's matrices are a few to a few dozen rows and columns. These kernels add, multiply,
// divide and take square roots in one fixed order, so their results are the same bits on every
// machine; none allocates. Matrices are row by row with a stride, unless said otherwise.
//
//     int rank = som_dense_qr(b, rows, columns, stride, 1e-14, order, tau, work);
//     som_dense_apply_q_transposed(b, rows, rank, stride, tau, vector);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Householder QR with column pivoting, in place: B P = Q R. Stops when no remaining column is
// longer than `tolerance` and returns how many steps were done. R is above the diagonal, the
// reflectors are below it and in tau; column k of B P is column order[k] of B. `work` holds 2 *
// columns.
int som_dense_qr(double *b, int rows, int columns, int stride, double tolerance, int *order,
                 double *tau, double *work);

// v <- Q v and v <- Q^T v for the `steps` reflectors of a QR of `rows` rows.
void som_dense_apply_q(const double *b, int rows, int steps, int stride, const double *tau,
                       double *v);
void som_dense_apply_q_transposed(const double *b, int rows, int steps, int stride,
                                  const double *tau, double *v);

// The Frobenius norm of R^-1, an upper triangle of size r without zeros on its diagonal. No
// singular value of R is below its inverse. `work` holds r.
double som_dense_inverse_norm(const double *upper, int r, int stride, double *work);

// x <- R^-1 x and x <- R^-T x.
void som_dense_solve_upper(const double *upper, int r, int stride, double *x);
void som_dense_solve_upper_transposed(const double *upper, int r, int stride, double *x);

// One-sided Jacobi: A V = U S with S falling. `a` holds the columns of A one after the other (each
// `rows` long) and gets those of U S; `v` gets those of V (each `columns` long); s gets S.
// Returns how often it went through all columns.
int som_dense_svd(double *a, int rows, int columns, double *v, double *s);

#ifdef __cplusplus
}
#endif
