// SPDX-License-Identifier: Apache-2.0
#include "modules/joint_limit.h"

// What is left of converting degrees, in any of the units.
#define CONVERSION 1e-9

double som_limit_excess(double low, double high, double value) {
    return value > high ? value - high : low - value;
}

SomLimitFit som_limit_fit(double low, double high, double value) {
    double excess = som_limit_excess(low, high, value);
    return excess > SOM_LIMIT_TOLERANCE + CONVERSION ? SOM_LIMIT_BEYOND
           : excess > CONVERSION                     ? SOM_LIMIT_ROUNDED
                                                     : SOM_LIMIT_WITHIN;
}

double som_limit_nearest(double low, double high, double value) {
    return value > high ? high : value < low ? low : value;
}
