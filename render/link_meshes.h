// render/link_meshes.h - the meshes that links of module types are seen as, read from their files.
//
//     SomLinkMeshes meshes = {0};
//     som_link_meshes_load(&meshes, configuration, workspace, diags);
//     som_scene_add_robot(&scene, mechanism, links, &meshes, flags);
//     som_link_meshes_free(&meshes);

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "compose/workspace.h"
#include "space/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomLinkMesh {
    const SomModuleLink *link; // of a module type
    SomMesh mesh;              // in the frame of the link; empty if the file could not be read
} SomLinkMesh;

// Zero is empty.
typedef struct SomLinkMeshes {
    SOM_ARRAY(SomLinkMesh) all;
} SomLinkMeshes;

// Reads the meshes of all types in the configuration, each once, beside the files of the workspace
// that name them. What cannot be read is reported, and its link is seen by its shapes.
void som_link_meshes_load(SomLinkMeshes *meshes, const SomConfiguration *configuration,
                          const SomWorkspace *workspace, SomDiagnostics *diags);
void som_link_meshes_free(SomLinkMeshes *meshes); // leaves it empty

// NULL if the link is seen by its shapes.
const SomMesh *som_link_meshes_find(const SomLinkMeshes *meshes, const SomModuleLink *link);

// The same as a callback, with the meshes as its context: exporters don't know this room.
const SomMesh *som_link_meshes_look(const void *meshes, const SomModuleLink *link);

#ifdef __cplusplus
}
#endif
