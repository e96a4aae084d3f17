// exchange/link_model_internal.h - what the files that make M3L of a model share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/link_model.h"
#include "exchange/tally.h"
#include "space/mesh.h"

// link_model.c: false after reports of what no module can have.
bool som_link_model_check(SomImporter *importer, const SomLinkModel *model);

// link_model_told.c

// What may be said of every link or joint of a robot, and is said once with the first place.
typedef enum SomModelOften {
    SOM_MODEL_OFTEN_HULL,
    SOM_MODEL_OFTEN_NO_MASS,
    SOM_MODEL_OFTEN_IMPOSSIBLE, // inertia
    SOM_MODEL_OFTEN_ONLY_SEEN,
    SOM_MODEL_OFTEN_NEGATIVE_MASS,
    SOM_MODEL_OFTEN_COLORS, // several of a link
    SOM_MODEL_OFTEN_LIMITS, // the wrong way round
    SOM_MODEL_OFTEN_NEGATIVE,
    SOM_MODEL_OFTEN_COUNT
} SomModelOften;

// Counts what a module has no place for.
void som_link_model_count_losses(const SomLinkModel *model, SomTally *often);
void som_link_model_report(SomTally often[SOM_MODEL_OFTEN_COUNT], SomDiagnostics *diags);

// link_model_looks.c

// The corners of the convex hull of a mesh that touches, in the model; they live in the importer.
// 0, after a warning, if it cannot be had.
int som_link_model_hull_points(SomImporter *importer, const SomModelLink *link,
                               const SomModelShape *shape, const SomVec3 **points);

// The same primitive at the same place.
bool som_link_model_is_same(const SomModelShape *a, const SomModelShape *b);

// What a link is seen as where that is not what it is touched by, as one mesh in the model's frame.
// False if there is nothing of the kind. The caller frees it.
bool som_link_model_looks(SomImporter *importer, const SomModelLink *link, SomMesh *mesh);

// A binary PLY file of a mesh, to the last bit.
void som_link_model_write_ply(const SomMesh *mesh, SomText *out);
