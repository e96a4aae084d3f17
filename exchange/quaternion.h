// exchange/quaternion.h - quaternions of other people's files.
//
//     SomMat3 rotation;
//     if (som_importer_quaternion(importer, q, span, &rotation)) { … }
//
// A quaternion is a rotation if its length is 1. Numbers that were rounded miss that by a little,
// and are scaled; where a number or its digits are missing, scaling would make another rotation
// than the one that was meant, so the quaternion is refused.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomQuaternionFit {
    SOM_QUATERNION_UNIT,    // but for the last digits
    SOM_QUATERNION_ROUNDED, // as far from 1 as rounding its numbers explains
    SOM_QUATERNION_OFF
} SomQuaternionFit;

double som_quaternion_length(SomQuat q);
SomQuaternionFit som_quaternion_fit(SomQuat q);

// False after a report.
bool som_importer_quaternion(SomImporter *importer, SomQuat q, SomSpan span, SomMat3 *rotation);

// The same for formats whose own programs scale quaternions of any length but 0. False for that.
bool som_importer_scaled_quaternion(SomImporter *importer, SomQuat q, SomSpan span,
                                    SomMat3 *rotation);

// Reports how many quaternions were scaled.
void som_importer_finish_quaternions(const SomImporter *importer);

#ifdef __cplusplus
}
#endif
