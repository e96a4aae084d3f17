// space/hull.h - the convex hull of points in space.
//
//     SomHull *hull = som_hull_create(points, count, span, diags);
//     int highest = som_hull_support(hull, som_vec3(0, 0, 1), 0);
//     som_hull_destroy(hull);
//
// A hull is a closed polyhedron of triangles: flat faces of more corners are cut in triangles but
// have one plane and no inner edges. The same points give the same hull, in the same order, on
// every machine: vertices in the order of the points, triangles by their vertices.
// Ownership: a hull owns its arrays and never changes; the points are copied. Errors: points that
// enclose no volume (to a billionth of their extent), are not finite or too many are diagnostics,
// and NULL comes back.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "space/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_HULL_MAX_POINTS 200000

// No point is farther out along an axis, in metres.
#define SOM_HULL_MAX_COORDINATE 1e9

// The half space normal . x <= offset.
typedef struct SomPlane {
    SomVec3 normal; // of length 1, pointing out
    double offset;
} SomPlane;

typedef struct SomHull {
    SomVec3 *vertices;
    int32_t *triangles; // three vertices each, counterclockwise from outside
    SomPlane *planes;   // one a flat face; every vertex is inside all of them
    int32_t *edges;     // two vertices each, smaller first; none inside a flat face
    // the neighbours of vertex i, by edges of triangles, are
    // neighbors[neighbor_begin[i]] to before neighbors[neighbor_begin[i + 1]]
    int32_t *neighbor_begin;
    int32_t *neighbors;
    int vertex_count;
    int triangle_count;
    int plane_count;
    int edge_count;
} SomHull;

SomHull *som_hull_create(const SomVec3 *points, int count, SomSpan span, SomDiagnostics *diags);
SomHull *som_hull_copy(const SomHull *hull);
void som_hull_destroy(SomHull *hull); // NULL is allowed

// The vertex farthest in a direction. Starts at vertex `start`; one near the result (that of a
// direction near this one) saves time in large hulls.
int som_hull_support(const SomHull *hull, SomVec3 direction, int start);

#ifdef __cplusplus
}
#endif
