// compose/connection_rolls.h - a design with other rolls of its connections.
//
//     SomRollChange changes[] = {{connection, SOM_PI}};
//     SomRolledDesign *rolled = som_rolled_design_create(design, changes, 1);
//     SomMechanism *mechanism = som_mechanism_create(som_rolled_design_get(rolled));
//     som_mechanism_destroy(mechanism);
//     som_rolled_design_destroy(rolled);
//
// The faces of a connection that is changed meet, also if the design has a gap between them.
// Everything else is as in the design: names, joints, connections by index, the link of the base.
// A base on the ground keeps the height that it has in the design.
//
// Ownership: borrows the design, which must outlive it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomRollChange {
    int connection;
    double roll; // radians, as the rule of the connection offers it
} SomRollChange;

typedef struct SomRolledDesign SomRolledDesign;

// NULL if no rule offers the roll of a change.
SomRolledDesign *som_rolled_design_create(const SomConfiguration *design,
                                          const SomRollChange *changes, int count);
void som_rolled_design_destroy(SomRolledDesign *rolled); // NULL is allowed

const SomConfiguration *som_rolled_design_get(const SomRolledDesign *rolled);

#ifdef __cplusplus
}
#endif
