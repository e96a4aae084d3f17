// exchange/hull_contacts.h - a convex hull as a few small balls and a box, for engines that know no
// hulls.
//
//     SomHullContacts contacts = som_hull_contacts(hull, &arena);
//     contacts.balls[i] of radius SOM_HULL_BALL ...; contacts.box_center, box_half
//
// A hull touches a plane with its vertices only, so a ball in every corner stands, tips and slides
// as the hull does: it reaches the faces that meet there and is less than a millimetre short of the
// corner itself. The box, well inside, is for what comes from the side: other bodies.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "space/hull.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_HULL_BALL 5e-4 // metres
// Of hulls with more corners those are taken that are farthest in so many directions.
#define SOM_HULL_MAX_BALLS 64

typedef struct SomHullContacts {
    const SomVec3 *balls; // centres
    int ball_count;
    bool has_box;
    SomVec3 box_center, box_half; // along the axes of the hull's frame
} SomHullContacts;

SomHullContacts som_hull_contacts(const SomHull *hull, SomArena *arena);

#ifdef __cplusplus
}
#endif
