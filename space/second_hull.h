// space/second_hull.h - convex hulls by qhull: a second opinion on space/hull.h and on polygons.
//
//     SomSecondHull other;
//     if (som_second_hull(points, count, &arena, &other)) ... other.volume ...
//     double margin = som_second_margin(corners, corner_count, center);
//
// Results live in the arena. qhull reports errors by codes here: nothing is printed, and the
// process goes on.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/arena.h"
#include "space/hull.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSecondHull {
    const SomPlane *planes; // of faces, pointing out
    const int *corners;     // points
    int plane_count, corner_count;
    double volume;
} SomSecondHull;

// False if qhull refuses the points, because they are flat for it.
bool som_second_hull(const SomVec3 *points, int count, SomArena *arena, SomSecondHull *hull);

// How far a point of the plane is inside the convex hull of others: negative outside, and at most 0
// if they are all in one line. NAN without points, if a number is not finite or qhull gives up.
double som_second_margin(const double (*points)[2], int count, const double center[2]);

#ifdef __cplusplus
}
#endif
