// tests/exchange/matrix.h - motions as matrices of four rows, with the C library's functions: what
// poses after an import are compared with.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text.h"
#include "space/pose.h"
#include "tests/suite.h"

typedef struct SomTestMatrix {
    double m[4][4];
} SomTestMatrix;

SomTestMatrix som_test_identity(void);
SomTestMatrix som_test_multiply(SomTestMatrix a, SomTestMatrix b);
SomTestMatrix som_test_invert(SomTestMatrix motion);
SomTestMatrix som_test_translate(double x, double y, double z);
SomTestMatrix som_test_rotate(double angle, double x, double y, double z); // axis of any length
// x, y, z, then turns about the fixed axes x, y and z, as URDF and SDF write them.
SomTestMatrix som_test_rpy(const double numbers[6]);
SomTestMatrix som_test_random_motion(SomTestRandom *random);

// The largest difference of two numbers.
double som_test_matrix_distance(SomTestMatrix wanted, SomPose pose);

// As JSON, a list of rows.
void som_test_print_matrix(SomText *out, SomTestMatrix matrix);
