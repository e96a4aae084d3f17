// exchange/contact_shapes.h - which of a body's convex pieces have to touch others.
//
//     som_contact_choose(pieces, count);      // clears is_solid of those that never decide
//     anything
//
// Engines slow down with every contact, and the pieces of a module overlap: most of them lie inside
// the others. As seen from a plane, a body is its convex hull; pieces are left out while the hull
// of those that stay is nowhere more than SOM_CONTACT_TOLERANCE below that of all. It is done for
// the pieces of one module at a time, so that larger hollows (a gripper, a ring) stay hollow.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_CONTACT_TOLERANCE 1e-3 // metres

typedef struct SomContactPiece {
    const SomShape *shape; // convex
    SomPose pose;          // all in one frame
    bool must_stay;
    bool is_solid; // set by the call
} SomContactPiece;

void som_contact_choose(SomContactPiece *pieces, int count);

// One cylinder that has the hull of two with the same axis and radius, to a tenth of the tolerance;
// false if they are no such pair.
bool som_contact_join(const SomContactPiece *a, const SomContactPiece *b, SomShape *shape,
                      SomPose *pose);

#ifdef __cplusplus
}
#endif
