// SPDX-License-Identifier: Apache-2.0

#include "compose/connection_rolls.h"

#include "base/memory.h"
#include "compose/matings.h"

#include <math.h>
#include <string.h>

// Angles nearer than this are the same, in radians.
#define SAME_ROLL 1e-6

struct SomRolledDesign {
    SomConfiguration now; // the design, but for its connections
    SomConnection *connections;
};

static bool turn(const SomConfiguration *design, const SomRollChange *change, SomConnection *c) {
    SomOffer offer;
    som_offer_find_connected(design, c, &offer);
    for (int i = 0; i < offer.count; i++) {
        const SomMatingChoice *choice = &offer.choices[i];
        if (fabs(choice->roll - change->roll) <= SAME_ROLL) {
            c->roll = choice->roll;
            c->gap = 0;
            c->index = choice->index;
            c->rule = choice->rule;
            c->is_reversed = choice->is_reversed;
            c->transform = choice->transform;
            return true;
        }
    }
    return false;
}

SomRolledDesign *som_rolled_design_create(const SomConfiguration *design,
                                          const SomRollChange *changes, int count) {
    SomRolledDesign *rolled = som_alloc(sizeof *rolled);
    size_t connections = (size_t)design->connection_count;
    rolled->now = *design;
    rolled->connections = som_alloc((connections + 1) * sizeof *rolled->connections);
    memcpy(rolled->connections, design->connections, connections * sizeof *design->connections);
    rolled->now.connections = rolled->connections;
    bool is_offered = true;
    for (int i = 0; i < count && is_offered; i++) {
        is_offered = turn(design, &changes[i], &rolled->connections[changes[i].connection]);
    }
    if (!is_offered) {
        som_rolled_design_destroy(rolled);
        return NULL;
    }
    return rolled;
}

void som_rolled_design_destroy(SomRolledDesign *rolled) {
    if (rolled != NULL) {
        som_free(rolled->connections);
        som_free(rolled);
    }
}

const SomConfiguration *som_rolled_design_get(const SomRolledDesign *rolled) {
    return &rolled->now;
}
