// base/stop.h - how long work asks whether anybody still wants it.
//
//     SomStop stop = {is_unwanted, worker};          // in the caller, for as long as the work
//     lasts for (...) {
//         if (som_stop_is_asked(def->stop)) { break; }   // NULL: nobody ever stops it
//     }
//
// Asked often, from the thread that works: it must be cheap, and once it has said yes it goes on
// saying so. What was stopped has no result to rely on; the caller throws it away.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct SomStop {
    bool (*is_asked)(void *context);
    void *context;
} SomStop;

static inline bool som_stop_is_asked(const SomStop *stop) {
    return stop != NULL && stop->is_asked(stop->context);
}
