// verify/support_polygon.h - does a robot stand? What its contacts span and the margin in it.
//
//     SomSupportWork work = {0};
//     SomSupport support = som_support_find(points, count, com, som_vec3(0, 0, -1), &work);
//     if (support.margin < 0) ... it tips over the edge from points[support.edge[0]] ...
//     som_support_work_free(&work);
//
// All points are seen along gravity. The margin is the distance of the centre of mass from the
// nearest edge of the convex hull of the contacts: positive inside, negative outside. One point,
// coincident points and points in a line span no area: the margin is then minus the distance from
// what they span, at most 0. Points are told apart to a billionth of their extent, with exact
// integers, so that no number of them in any arrangement confuses the hull.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/mechanism.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSupport {
    double margin; // metres; NAN without contacts or if a number is not finite
    int edge[2];   // contacts; one twice if it is nearest to a single point, -1 without contacts
    SomVec3 direction; // across gravity, of length 1: where it tips to; 0 right over a point
    int corners;       // of the hull: 1 a point, 2 a line
} SomSupport;

// Memory that is used again and again. Zero is empty.
typedef struct SomSupportPoint {
    int64_t u, v; // on a grid
    int index;
} SomSupportPoint;

typedef struct SomSupportWork {
    SOM_ARRAY(SomSupportPoint) points;
    SOM_ARRAY(SomSupportPoint) hull;
} SomSupportWork;

// `down` is of length 1.
SomSupport som_support_find(const SomVec3 *points, int count, SomVec3 com, SomVec3 down,
                            SomSupportWork *work);
void som_support_work_free(SomSupportWork *work);

// Two directions that make a right-handed frame with -down; x and y if that is z.
void som_support_axes(SomVec3 down, SomVec3 *u, SomVec3 *v);

// The measure of the laboratory that built SMORES: all modules weigh the same and are points, the
// origins of their frames; those within 1 mm of the lowest one stand on level ground.
double som_support_margin_centres(const SomMechanism *mechanism, const SomPose *links,
                                  SomSupportWork *work);

#ifdef __cplusplus
}
#endif
