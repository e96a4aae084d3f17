// space/mesh.h - triangle meshes from files: STL (both kinds), OBJ, COLLADA, glTF, PLY and VRML97.
//
//     SomMesh mesh = {0};
//     if (som_mesh_load("body.stl", &(SomMeshOptions){.scale = 0.001}, &mesh, diags)) {
//         SomBounds bounds = som_mesh_bounds(&mesh);
//     }
//     som_mesh_free(&mesh);
//
// Whatever the file, the mesh comes in metres and with z up: COLLADA's unit and up axis and the y
// up of glTF and VRML97 are applied, and all nodes of a scene are joined in one mesh. STL, OBJ and
// PLY state neither and are taken as they are, times `scale`. Vertices at exactly one place are one
// vertex; polygons become triangles; lines and points are left out with a warning. Ownership: a
// mesh owns its two arrays. Errors: any file at all, damaged, huge or hostile, gives a diagnostic,
// false and an untouched mesh. STL, OBJ, PLY and VRML97 are read here, to the last bit; the others
// by assimp, in single precision and in a process of its own, which may crash or swell.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/mass.h"

#ifdef __cplusplus
extern "C" {
#endif

// Above these a mesh is refused: no part of a robot needs more, and memory stays below a gigabyte.
#define SOM_MESH_MAX_BYTES ((size_t)256 << 20)
#define SOM_MESH_MAX_TRIANGLES 5000000

// No vertex is farther out along an axis, in metres: beyond, a scale is wrong.
#define SOM_MESH_MAX_COORDINATE 1e6

// Zero is the default for every field.
typedef struct SomMeshOptions {
    double scale;      // metres per unit of the file, on top of a unit that it states; 0 means 1
    SomSpan span;      // where the user's text names the file, for diagnostics
    size_t max_bytes;  // 0 means SOM_MESH_MAX_BYTES; at most that
    int max_triangles; // 0 means SOM_MESH_MAX_TRIANGLES; at most that
    bool keeps_axes;   // COLLADA and VRML97 are not turned: so robots' files take them
} SomMeshOptions;

// Zero is empty. Vertices and triangles are in the order in which the file first uses them.
typedef struct SomMesh {
    SomVec3 *vertices;  // no two are equal, each is used
    int32_t *triangles; // three vertices each, counterclockwise from outside
    int vertex_count;
    int triangle_count;
    bool has_color;
    double color[4]; // of the first material: red, green, blue, opacity, each 0 to 1
} SomMesh;

// Reads the file at `path`, whose name ends in .stl, .obj, .dae, .gltf, .glb, .ply, .wrl or
// .vrml, in any case.
bool som_mesh_load(const char *path, const SomMeshOptions *options, SomMesh *mesh,
                   SomDiagnostics *diags);

// The same for the bytes of a file in memory; the end of `name` says which format. A file beside it
// (a glTF's .bin, an OBJ's .mtl) is never opened.
bool som_mesh_parse(SomStr bytes, SomStr name, const SomMeshOptions *options, SomMesh *mesh,
                    SomDiagnostics *diags);

void som_mesh_free(SomMesh *mesh); // leaves it empty

SomBounds som_mesh_bounds(const SomMesh *mesh); // of a mesh that is not empty

// How the triangles hang together. A mesh with both, closed and oriented, encloses a volume.
typedef struct SomMeshTopology {
    int open_edges;  // with an odd number of triangles; a closed mesh has none
    int mixed_edges; // whose triangles run the same way; an oriented mesh has none
    bool is_closed;
    bool is_oriented;
} SomMeshTopology;

SomMeshTopology som_mesh_topology(const SomMesh *mesh);

// The convex hull; NULL where the mesh is flat or its hull has too many corners. `name` is for
// messages.
SomHull *som_mesh_hull(const SomMesh *mesh, SomStr name, SomSpan span, SomDiagnostics *diags);

// Mass, centre and moments of the solid that the mesh encloses, in kg/m^3. One that encloses none
// is taken for its hull, with a warning; one that is inside out is turned, with a warning. False
// where the hull fails.
bool som_mesh_inertia(const SomMesh *mesh, SomStr name, double density, SomSpan span,
                      SomInertia *inertia, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
