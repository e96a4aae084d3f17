// verify/contacts.h - where a robot touches the ground when it is set down on it.
//
//     SomContactFinder *finder = som_contact_finder_create(mechanism, &terrain, 1e-3);
//     const SomContacts *contacts = som_contact_finder_find(finder, links);
//     for (int i = 0; i < contacts->count; i++) ... contacts->items[i].point ...
//     som_contact_finder_destroy(finder);
//
// The robot keeps the orientation that the design gives its base and sinks straight down, along z,
// until a shape touches. Contacts are the features of shapes that are then within the tolerance of
// the ground: corners of boxes and hulls, lowest points of balls and of both ends of capsules, and
// of both rims of cylinders the lowest point, or, of a rim that lies flat, points all round it. A
// rim that is tilted touches along an arc, which becomes one point at a slope of 1 in 10: a wheel
// that stands has no length to stand on. Points on a rim are inside the true arc, so that no margin
// is told too large, and too small by at most 0.5 % of the radius.
//
// A slope tilts ground and robot together: seen from the robot, the ground stays level and gravity
// leans. A step lies across the x axis of the world.
//
// Ownership: the finder borrows the mechanism; contacts are its own and good until the next call.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

// From `at` on, along x, the ground is `height` high.
typedef struct SomTerrainStep {
    double at, height;
} SomTerrainStep;

// Zero is level ground. More steps than one are in rising order.
#define SOM_TERRAIN_STEPS 16
typedef struct SomTerrain {
    double slope;     // radians by which it rises
    double direction; // radians from the x axis to the left: where it rises to
    SomTerrainStep steps[SOM_TERRAIN_STEPS];
    int step_count;
} SomTerrain;

typedef struct SomContact {
    SomVec3 point; // in the world, as the design stands: before it sank
    int link;
} SomContact;

typedef struct SomContacts {
    const SomContact *items;
    int count;   // 0 if there are no shapes or a pose is not finite
    double drop; // how far it sinks until it touches; NAN if there are no contacts
} SomContacts;

typedef struct SomContactFinder SomContactFinder;

// The unit vector of gravity, seen from the robot.
SomVec3 som_terrain_down(const SomTerrain *terrain);
double som_terrain_height(const SomTerrain *terrain, double x);
// Right above an edge of a step, that of the higher side.
double som_terrain_height_near(const SomTerrain *terrain, double x);

// Terrain NULL: level ground. Tolerance in metres.
SomContactFinder *som_contact_finder_create(const SomMechanism *mechanism,
                                            const SomTerrain *terrain, double tolerance);
void som_contact_finder_destroy(SomContactFinder *finder); // NULL is allowed

const SomContacts *som_contact_finder_find(SomContactFinder *finder, const SomPose *links);

// The angle by which a robot can turn about a level line through `pivot`, on the ground, until
// something beyond the line touches; `outward` is level, of length 1 and across the line. Ground
// without steps; of rims points are tried. A right angle if nothing does before.
double som_contact_finder_tip(const SomContactFinder *finder, const SomPose *links, SomVec3 pivot,
                              SomVec3 outward);

#ifdef __cplusplus
}
#endif
