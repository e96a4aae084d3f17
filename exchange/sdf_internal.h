// exchange/sdf_internal.h - what the files that write SDF share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/sdf.h"
#include "exchange/xml_writer.h"

static inline int som_sdf_version(const SomSdfDef *def) {
    return def->version > 0 ? def->version : SOM_SDF_USUAL;
}

// The model element; shared by its own file and the world.
void som_sdf_write_model_element(SomXmlWriter *xml, const SomSdfDef *def,
                                 const SomMeshFiles *meshes);

// The plugin, in the open model element.
void som_sdf_write_plugin(SomXmlWriter *xml, const SomSdfDef *def);

// One mask of collision bits a body; the caller frees it. Returns the pairs lost (NULL is allowed).
uint16_t *som_sdf_masks(const SomBodyModel *model, int *lost);
