// studio/project_model.h - what a text means, ready to be shown: links with their places and
// meshes.
//
//     SomModel *model = som_model_create(composition);
//     if (model->configuration != NULL) { ... model->mechanism, model->links ... }
//     som_model_keep_posture(model, old);
//     som_model_destroy(model);
//
// Ownership: it holds its composition; all it has is borrowed from there or its own.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/composition.h"
#include "compose/mechanism.h"
#include "render/link_meshes.h"
#include "verify/verify.h"

// `configuration` and what follows is NULL if nothing has composed.
typedef struct SomModel {
    SomComposition *composition;
    SomDiagnostics *diags;                 // of the composition
    const SomWorkspace *workspace;         // of the composition
    int file;                              // of the workspace; -1 if there is none
    const SomConfiguration *configuration; // of the composition
    SomMechanism *mechanism;
    SomPosture posture;
    SomPose *links; // where they are in the posture
    SomLinkMeshes meshes;
    SomVerifyOptions options; // as the design asks to be verified
} SomModel;

SomModel *som_model_create(SomComposition *composition);
void som_model_destroy(SomModel *model); // NULL is allowed

// One value a DoF; NULL: as the design starts.
void som_model_set_posture(SomModel *model, const double *values);

// Joints that another model has moved from where it starts are moved here, too, if both start them
// alike; nothing is if that tears a loop.
void som_model_keep_posture(SomModel *model, const SomModel *from);

// Where a module of another model is here: by its place, or if that is gone and there are as many
// modules, as after a new name, by its index. -1: nowhere.
int som_model_find_module(const SomModel *model, const SomModel *from, int module);

int som_model_module_count(const SomModel *model);

// The text that was composed: which module a byte of it is about, the first of a part where that is
// asked for, connected or posed in the config that is shown. -1: none.
int som_model_module_at(const SomModel *model, uint32_t offset);
// Where the part of the configuration that a module is or lies in is asked for; source1 0: not in
// the text.
SomSpan som_model_part_span(const SomModel *model, int module);
