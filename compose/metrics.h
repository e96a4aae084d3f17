// compose/metrics.h - numbers about one design and about a library of them, as plain data.
//
//     SomLibraryMetrics metrics = som_library_measure(configurations, count, &arena);
//     for (int order = 0; order < metrics.order_count; order++) {
//         // metrics.orders[order].configs have metrics.orders[order].behaviors behaviors
//     }
//
// A library is good when few configurations of low order make many of higher order: how often each
// is used, and how much of what stands above an order is made of it, says so.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fills in configuration->metrics.
void som_configuration_measure(SomConfiguration *configuration);

// How often one configuration of the library stands in the others.
typedef struct SomConfigUse {
    SomStr name;
    int order;
    int uses;  // as a part, in all configurations of the library, itself left out
    int users; // configurations that have it as a part
} SomConfigUse;

typedef struct SomOrderMetrics {
    int configs;     // of this order in the library
    int behaviors;   // of these
    int used;        // of these, those that others use
    int above;       // configurations of higher order
    double coverage; // of the modules of those above, the share that lies in parts of this order
                     // that are configurations of the library; 0 if there are none above
} SomOrderMetrics;

typedef struct SomLibraryMetrics {
    SomConfigUse *configs; // as they were given
    int config_count;
    SomOrderMetrics *orders;
    int order_count; // 1 + the largest order
} SomLibraryMetrics;

// Arrays come from the arena.
SomLibraryMetrics som_library_measure(const SomConfiguration *const *configurations, int count,
                                      SomArena *arena);

#ifdef __cplusplus
}
#endif
