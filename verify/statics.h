// verify/statics.h - what every joint and every connection of a standing robot has to hold.
//
//     SomStatics *statics = som_statics_create(&(SomStaticsDef){.mechanism = mechanism});
//     const SomBalance *balance = som_statics_solve(statics, links, contacts);
//     if (balance->is_balanced) ... balance->efforts[dof], balance->connections[i].bending ...
//     som_statics_destroy(statics);
//
// The robot stands still: weights, forces of the ground and what joints and connections carry add
// up to zero for every link. Friction in joints and accelerations are left out. Where statics alone
// leave a choice, it is made so:
// - contacts: as if the robot were rigid and each link that touches stood on a pad as soft as those
//   of the others, within friction cones (verify/contact_forces.h); or so that actuators are spared
//   as well as contacts can, for who asks what a robot could hold;
// - closed loops: as if all joints and connections of the loops were equally elastic, which makes
//   the sum of squares of what they carry the least (moments divided by the size of the loops). Of
//   a closed chain in a module, the joint that closes it is not driven: it carries nothing along
//   its axis.
// What contacts cannot carry, as while the robot tips over, is taken by the base as if it were held
// there; is_balanced is false then. Loose pieces, which no closed dock holds, weigh nothing and
// touch nothing here; their loads are NAN. Wherever friction is not enough, forces are those of a
// ground on which it is, and does_slip is true.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/physics_facts.h"
#include "verify/contacts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_STANDARD_GRAVITY 9.80665

// Loads of robots with more closed loops are not found; time grows with the third power.
#define SOM_STATICS_MOST_LOOPS 64

// Zero is the default for all but the mechanism.
typedef struct SomStaticsDef {
    const SomMechanism *mechanism;
    SomVec3 down;    // of length 1: where gravity pulls; -z
    double gravity;  // m/s^2; the standard one
    double friction; // of links that give none; SOM_FRICTION, and a negative one is 0
    bool is_held;    // the base is bolted to the world and carries all; contacts carry nothing
} SomStaticsDef;

// What a connection holds, at its connector. Where no one knows which way connectors face, the
// whole force is both tension and shear.
typedef struct SomConnectionLoad {
    double tension;   // N, that pulls the faces apart; negative: pressed together
    double shear;     // N, across
    double bending;   // N m, the whole moment: bending and torsion
    SomWrench wrench; // on module b, in the world about the connector of b
} SomConnectionLoad;

typedef struct SomBalance {
    bool is_balanced;
    bool does_slip;
    bool has_loads;        // false: too many loops, or a number is not finite; all loads are NAN
    const double *efforts; // one a DoF: N m or N that hold it, in the direction of the joint
    const SomConnectionLoad *connections; // one a connection
    const SomVec3 *forces;                // one a contact, on the robot
    SomWrench missing; // what had to hold the base beside the contacts, about the world's origin
} SomBalance;

typedef struct SomStatics SomStatics;

SomStatics *som_statics_create(const SomStaticsDef *def);
void som_statics_destroy(SomStatics *statics); // NULL is allowed

// Contacts may be NULL if the base is held. The balance is good until the next call.
const SomBalance *som_statics_solve(SomStatics *statics, const SomPose *links,
                                    const SomContacts *contacts);

// The same with contacts that spare the joints: all joints between contacts and base are within
// their limits, but for SOM_CONTACT_YIELD of them, if any forces that contacts can push with do
// that; else as little as can be is too much. Where that leaves a choice, the sum of (effort /
// limit)^2 is the least. Limits that are not positive or not finite are none, and those joints do
// not count, nor do those of closed loops. Slower; the same as above if more than
// SOM_CONTACT_MOST_JOINTS count.
const SomBalance *som_statics_spare(SomStatics *statics, const SomPose *links,
                                    const SomContacts *contacts, const double *limits);

// The coefficient of friction of a link.
double som_statics_friction(const SomMechanismLink *link, double otherwise);

#ifdef __cplusplus
}
#endif
