// modules/joint_limit.h - whether a value is within the limits of a joint: one rule for all.
//
//     if (som_limit_fit(joint->low, joint->high, value) == SOM_LIMIT_BEYOND) ...report it
//     value = som_limit_nearest(joint->low, joint->high, value);
//
// Files state angles with four decimals: 1.5708 for pi/2. A value that exceeds a limit by no more
// than such rounding explains is accepted and taken as the limit. The same holds for speeds, whose
// limits are -max and max.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Half a unit of the fourth decimal: radians, metres, or these per second.
#define SOM_LIMIT_TOLERANCE 5e-5

typedef enum SomLimitFit {
    SOM_LIMIT_WITHIN,  // but for what converting degrees leaves
    SOM_LIMIT_ROUNDED, // beyond it by at most SOM_LIMIT_TOLERANCE
    SOM_LIMIT_BEYOND,
} SomLimitFit;

// Limits may be infinite. A value that is not a number is within.
SomLimitFit som_limit_fit(double low, double high, double value);

// By how much the value exceeds the nearer limit; 0 or less if it does not.
double som_limit_excess(double low, double high, double value);

// The value, or the limit that it exceeds.
double som_limit_nearest(double low, double high, double value);

#ifdef __cplusplus
}
#endif
