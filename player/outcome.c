// SPDX-License-Identifier: Apache-2.0
#include "player/outcome.h"

static const char *const words[SOM_OUTCOMES] = {
    "running",   "completed",  "timeout",  "stuck",         "collided", "fell",
    "loop open", "dock broke", "diverged", "nothing moves", "cancelled"};

const char *som_outcome_word(SomOutcome outcome) {
    return words[outcome];
}
