// exchange/mesh_export.h - meshes beside an exported model: which there are, and binary STL.
//
//     SomMeshFiles meshes = {0};
//     som_mesh_files_find(&meshes, mechanism, looks, context);
//     SomStr path = som_mesh_files_path(&meshes, shape->hull, NULL);   //
//     "meshes/MTRAN_block_1.stl" som_mesh_file_write(&meshes.all.data[0], &text);
//     som_mesh_files_free(&meshes);
//
// A hull of many modules is one file, and so are the looks of a link. Links that have looks need no
// files of their hulls to be seen.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/mechanism.h"
#include "space/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a link of a module type is seen as, in its frame; NULL: its shapes.
typedef const SomMesh *(*SomMeshLooks)(const void *context, const SomModuleLink *link);

// One of both is NULL.
typedef struct SomMeshFile {
    SomStr path; // meshes/MTRAN_active_block_1.stl
    const SomHull *hull;
    const SomMesh *mesh;
} SomMeshFile;

typedef struct SomMeshFiles {
    SOM_ARRAY(SomMeshFile) all;
    SomArena arena;
} SomMeshFiles;

// One of a link, if it is not there yet.
void som_mesh_files_add(SomMeshFiles *meshes, const SomMechanism *mechanism, int link,
                        const SomHull *hull, const SomMesh *mesh);
// All that is seen. Looks may be NULL: none.
void som_mesh_files_find(SomMeshFiles *meshes, const SomMechanism *mechanism, SomMeshLooks looks,
                         const void *context);
void som_mesh_files_free(SomMeshFiles *meshes);

// Empty if there is none.
SomStr som_mesh_files_path(const SomMeshFiles *meshes, const SomHull *hull, const SomMesh *mesh);

// Binary STL.
void som_mesh_file_write(const SomMeshFile *mesh, SomText *out);

#ifdef __cplusplus
}
#endif
