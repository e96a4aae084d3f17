// exchange/sdf_internal.h - what the files that write SDF share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/sdf.h"
#include "exchange/xml_kept.h"
#include "exchange/xml_writer.h"

static inline int som_sdf_version(const SomSdfDef *def) {
    return def->version > 0 ? def->version : SOM_SDF_USUAL;
}

// The model element; shared by its own file and the world.
void som_sdf_write_model_element(SomXmlWriter *xml, const SomSdfDef *def,
                                 const SomMeshFiles *meshes);

// The plugin, in the open model element.
void som_sdf_write_plugin(SomXmlWriter *xml, const SomSdfDef *def);

SomStr som_sdf_script(void); // sdf_script.c: run.sh

// sdf_masks.c: collision bits of shapes and of the ground of our worlds.
typedef struct SomSdfMasks {
    bool is_plain; // nothing needs one
    uint16_t world;
    uint16_t *ground, *robot, *roller; // one a body
    int lost;                          // pairs that should be tested and are not
    SomBodyPair first_lost;
} SomSdfMasks;

SomSdfMasks som_sdf_masks(const SomBodyModel *model);
void som_sdf_masks_free(SomSdfMasks *masks);
int som_sdf_mask_of(const SomSdfMasks *masks, const SomBodyShape *shape); // 0: it is left out

// sdf_kept.c: what imported models had beside what is known here. That of a model, and what says
// who may touch whom, holds only where the design is that one module.
void som_sdf_write_kept(SomXmlWriter *xml, SomStr kept, SomPose place); // of its link in the body
void som_sdf_write_kept_surface(SomXmlWriter *xml, SomStr kept);
void som_sdf_write_kept_model(SomXmlWriter *xml, const SomSdfDef *def);
bool som_sdf_keeps_contacts(const SomBodyModel *model);
void som_sdf_write_self_collide(SomXmlWriter *xml, const SomSdfDef *def); // true unless it said
bool som_sdf_has_player(const SomSdfDef *def);                            // its own, or a kept one

// sdf.c: x y z, roll, pitch and yaw, rounded as all poses are.
void som_sdf_pose_numbers(SomPose pose, double six[6]);

// sdf_kept_poses.c: an element of `text` with another pose, and a kept one that stands in a frame
// at `place`; false, and nothing is added, if that changes nothing.
void som_sdf_replace_pose(const SomXml *xml, int node, SomStr text, SomPose pose, SomText *out);
bool som_sdf_move_kept(const SomXmlKept *kept, int node, SomPose place, SomText *out);

// sdf_kept_shapes.c: of links that were imported with more than their shapes say. They are written
// as they were where nothing of it has changed and the link is a body of its own.
bool som_sdf_keeps_shapes(const SomModuleLink *link);
bool som_sdf_keeps_looks(const SomModuleLink *link);
bool som_sdf_uses_kept_shapes(const SomSdfDef *def, int link);
void som_sdf_write_kept_shapes(SomXmlWriter *xml, SomStr kept);

// sdf_meshes.c
void som_sdf_find_meshes(SomMeshFiles *meshes, const SomSdfDef *def);
SomPose som_sdf_mesh_frame(const SomSdfDef *def, const SomMesh *mesh); // in its module
void som_sdf_write_mesh(const SomSdfDef *def, const SomMeshFile *file, SomText *out);
