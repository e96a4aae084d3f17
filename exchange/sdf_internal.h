// exchange/sdf_internal.h - what the files that write SDF share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/sdf.h"
#include "exchange/xml_writer.h"

// A mesh beside the model: a hull of many modules is one, and so are the looks of a link.
typedef struct SomSdfMesh {
    SomStr path; // meshes/MTRAN_active_block.stl
    const SomHull *hull;
    const SomMesh *mesh;
} SomSdfMesh;

typedef struct SomSdfMeshes {
    SOM_ARRAY(SomSdfMesh) all;
    SomArena arena;
} SomSdfMeshes;

void som_sdf_meshes_find(SomSdfMeshes *meshes, const SomSdfDef *def);
void som_sdf_meshes_free(SomSdfMeshes *meshes);
SomStr som_sdf_mesh_path(const SomSdfMeshes *meshes, const SomHull *hull, const SomMesh *mesh);

// Binary STL.
void som_sdf_write_mesh(const SomSdfMesh *mesh, SomText *out);

static inline int som_sdf_version(const SomSdfDef *def) {
    return def->version > 0 ? def->version : SOM_SDF_USUAL;
}

// The model element; shared by its own file and the world.
void som_sdf_write_model_element(SomXmlWriter *xml, const SomSdfDef *def,
                                 const SomSdfMeshes *meshes);

// The plugin, in the open model element.
void som_sdf_write_plugin(SomXmlWriter *xml, const SomSdfDef *def);

// One mask of collision bits a body; the caller frees it. Returns the pairs lost (NULL is allowed).
uint16_t *som_sdf_masks(const SomBodyModel *model, int *lost);
