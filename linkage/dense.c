// SPDX-License-Identifier: Apache-2.0
#include "linkage/dense.h"

#include <math.h>
#include <stdbool.h>

static void swap_columns(double *b, int rows, int stride, int i, int j) {
    for (int r = 0; r < rows; r++) {
        double t = b[r * stride + i];
        b[r * stride + i] = b[r * stride + j];
        b[r * stride + j] = t;
    }
}

// Turns column k from row k down into a reflector; returns tau. The new diagonal is in its place.
static double make_reflector(double *b, int rows, int stride, int k) {
    double *column = b + k * stride + k;
    double below = 0;
    for (int r = 1; r < rows - k; r++) {
        below += column[r * stride] * column[r * stride];
    }
    double head = column[0];
    if (below == 0) {
        return 0;
    }
    double length = sqrt(head * head + below);
    double diagonal = head > 0 ? -length : length;
    double scale = 1 / (head - diagonal);
    for (int r = 1; r < rows - k; r++) {
        column[r * stride] *= scale;
    }
    column[0] = diagonal;
    return (diagonal - head) / diagonal;
}

// Applies reflector k to the columns behind it. Leaves in `norms` their squared lengths below row
// k. Columns side by side are independent, so the inner loops run over them.
static void reflect_rest(double *b, int rows, int columns, int stride, int k, double tau,
                         double *norms, double *sums) {
    const double *top = b + k * stride;
    for (int c = k + 1; c < columns; c++) {
        sums[c] = top[c];
        norms[c] = 0;
    }
    for (int r = k + 1; r < rows; r++) {
        const double *row = b + r * stride;
        double v = row[k];
        for (int c = k + 1; c < columns; c++) {
            sums[c] += v * row[c];
        }
    }
    double *first = b + k * stride;
    for (int c = k + 1; c < columns; c++) {
        sums[c] *= tau;
        first[c] -= sums[c];
    }
    for (int r = k + 1; r < rows; r++) {
        double *row = b + r * stride;
        double v = row[k];
        for (int c = k + 1; c < columns; c++) {
            row[c] -= v * sums[c];
            norms[c] += row[c] * row[c];
        }
    }
}

int som_dense_qr(double *b, int rows, int columns, int stride, double tolerance, int *order,
                 double *tau, double *work) {
    double *norms = work, *sums = work + columns;
    for (int c = 0; c < columns; c++) {
        order[c] = c;
        norms[c] = 0;
    }
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            norms[c] += b[r * stride + c] * b[r * stride + c];
        }
    }
    int steps = rows < columns ? rows : columns;
    for (int k = 0; k < steps; k++) {
        int pivot = k;
        for (int c = k + 1; c < columns; c++) {
            pivot = norms[c] > norms[pivot] ? c : pivot;
        }
        if (!(norms[pivot] > tolerance * tolerance)) {
            return k;
        }
        if (pivot != k) {
            swap_columns(b, rows, stride, k, pivot);
            int t = order[k];
            order[k] = order[pivot];
            order[pivot] = t;
        }
        tau[k] = make_reflector(b, rows, stride, k);
        reflect_rest(b, rows, columns, stride, k, tau[k], norms, sums);
    }
    return steps;
}

static void reflect_vector(const double *b, int rows, int stride, int k, double tau, double *v) {
    double sum = v[k];
    for (int r = k + 1; r < rows; r++) {
        sum += b[r * stride + k] * v[r];
    }
    sum *= tau;
    v[k] -= sum;
    for (int r = k + 1; r < rows; r++) {
        v[r] -= sum * b[r * stride + k];
    }
}

void som_dense_apply_q(const double *b, int rows, int steps, int stride, const double *tau,
                       double *v) {
    for (int k = steps - 1; k >= 0; k--) {
        reflect_vector(b, rows, stride, k, tau[k], v);
    }
}

void som_dense_apply_q_transposed(const double *b, int rows, int steps, int stride,
                                  const double *tau, double *v) {
    for (int k = 0; k < steps; k++) {
        reflect_vector(b, rows, stride, k, tau[k], v);
    }
}

double som_dense_inverse_norm(const double *upper, int r, int stride, double *work) {
    double sum = 0;
    for (int column = 0; column < r; column++) { // of the inverse, from its diagonal up
        work[column] = 1 / upper[column * stride + column];
        sum += work[column] * work[column];
        for (int i = column - 1; i >= 0; i--) {
            double value = 0;
            for (int j = i + 1; j <= column; j++) {
                value -= upper[i * stride + j] * work[j];
            }
            work[i] = value / upper[i * stride + i];
            sum += work[i] * work[i];
        }
    }
    return sqrt(sum);
}

void som_dense_solve_upper(const double *upper, int r, int stride, double *x) {
    for (int i = r - 1; i >= 0; i--) {
        for (int j = i + 1; j < r; j++) {
            x[i] -= upper[i * stride + j] * x[j];
        }
        x[i] /= upper[i * stride + i];
    }
}

void som_dense_solve_upper_transposed(const double *upper, int r, int stride, double *x) {
    for (int i = 0; i < r; i++) {
        x[i] /= upper[i * stride + i];
        for (int j = i + 1; j < r; j++) {
            x[j] -= upper[i * stride + j] * x[i];
        }
    }
}

// ---- one-sided Jacobi

#define SWEEPS 30

static double dot(const double *a, const double *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void rotate(double *a, double *b, int count, double c, double s) {
    for (int i = 0; i < count; i++) {
        double t = c * a[i] - s * b[i];
        b[i] = s * a[i] + c * b[i];
        a[i] = t;
    }
}

// Makes two columns orthogonal and puts the longer one first; false if they already were.
static bool orthogonalise(double *p, double *q, int rows, double *vp, double *vq, int columns) {
    double pp = dot(p, p, rows), qq = dot(q, q, rows), pq = dot(p, q, rows);
    double enough = 1e-15 + 1e-16 * rows; // the rounding of the product itself
    bool is_orthogonal = fabs(pq) <= enough * sqrt(pp * qq);
    if (is_orthogonal && pp >= qq * (1 - 1e-14)) {
        return false;
    }
    double c = 1, s = 0;
    if (!is_orthogonal) {
        double zeta = (qq - pp) / (2 * pq);
        double t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
        c = 1 / sqrt(1 + t * t);
        s = c * t;
    }
    if (qq > pp) { // a quarter turn more, so that they change places
        double t = c;
        c = s;
        s = -t;
    }
    rotate(p, q, rows, c, s);
    rotate(vp, vq, columns, c, s);
    return true;
}

int som_dense_svd(double *a, int rows, int columns, double *v, double *s) {
    for (int i = 0; i < columns * columns; i++) {
        v[i] = i % (columns + 1) == 0 ? 1 : 0;
    }
    bool is_changing = true;
    int sweeps = 0;
    for (; sweeps < SWEEPS && is_changing; sweeps++) {
        is_changing = false;
        for (int p = 0; p < columns; p++) {
            for (int q = p + 1; q < columns; q++) {
                is_changing |= orthogonalise(a + p * rows, a + q * rows, rows, v + p * columns,
                                             v + q * columns, columns);
            }
        }
    }
    for (int i = 0; i < columns; i++) {
        s[i] = sqrt(dot(a + i * rows, a + i * rows, rows));
    }
    return sweeps;
}
