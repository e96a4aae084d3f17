// exchange/hrdf_formula.h - the numbers of HEBI's HRDF: formulas, rotations, vectors.
//
//     double value;
//     if (som_hrdf_number(SOM_STR("pi/2 + 0.1"), &value)) ...
//
// Arithmetic with pi; Rx(a)*Ry(b)… or nine numbers; three numbers. False if the text is something
// else.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/str.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

bool som_hrdf_number(SomStr text, double *value);
bool som_hrdf_rotation(SomStr text, SomMat3 *value);
bool som_hrdf_vector(SomStr text, SomVec3 *value);

#ifdef __cplusplus
}
#endif
