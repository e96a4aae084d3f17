// render/tessellation.h - triangles with normals, and the edges worth drawing, of any geometry.
//
//     SomTessellation solid = {0};
//     som_tessellate_shape(&shape, 48, &solid);
//     ... solid.vertices, solid.triangles, solid.edges ...
//     som_tessellation_free(&solid);
//
// Normals are smooth across edges that bend by less than SOM_CREASE_ANGLE and flat across the rest.
// Edges are creases, borders, and smooth edges, which are drawn only where they are a silhouette:
// where one of their faces is seen and the other is not. Single precision, as GL wants it.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "space/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// Radians: 35 degrees. Faces of our own round shapes bend by 30 at most.
#define SOM_CREASE_ANGLE 0.6108652381980153

// Of larger meshes the edges are left out: they would cover the picture.
#define SOM_TESSELLATION_MAX_EDGED 200000

typedef struct SomSolidVertex {
    float position[3];
    float normal[3];
} SomSolidVertex;

typedef struct SomSolidEdge {
    float a[3], b[3];
    float normals[2][3]; // of its two faces; of a border the second is opposite to the first
    bool is_crease;
} SomSolidEdge;

// Zero is empty.
typedef struct SomTessellation {
    SOM_ARRAY(SomSolidVertex) vertices;
    SOM_ARRAY(uint32_t) triangles; // three vertices each, counterclockwise from outside
    SOM_ARRAY(SomSolidEdge) edges;
} SomTessellation;

// Appends nothing: replaces what is there. `around` is the number of segments of a full circle,
// from 12. The shape is convex.
void som_tessellate_shape(const SomShape *shape, int around, SomTessellation *solid);
void som_tessellate_mesh(const SomMesh *mesh, SomTessellation *solid);
void som_tessellation_free(SomTessellation *solid);

#ifdef __cplusplus
}
#endif
