// exchange/sdf.h - a design as SDF, Gazebo's own format: a model, and a world with it.
//
//     SomSdfDef def = {.model = model, .graph = graph};
//     som_sdf_write_world(&def, &text);                             // all in one text, no meshes
//     const SomSdfFile *files;
//     int count = som_sdf_export(&def, &arena, &files);             // the model's folder
//
// What is in it, for who runs it:
// - The model has the name of the body model, and links and joints theirs. Bodies stand where they
//   start; SDF has no other values of joints than zero then, so a joint's value is that of its DoF
//   minus `start` of SomBodyJoint, and limits are moved likewise.
// - Shapes that touch are <collision> of the shapes' names: primitives, because engines are slow
//   and loud with meshes; hulls are balls and a box (exchange/hull_contacts.h) of names NAME_ball_1
//   and NAME_box. Shapes that are seen are <visual>; hulls among them are meshes/*.stl.
// - Bodies of a joint do not touch each other in Gazebo by themselves, so what of them has to is in
//   shells (exchange/body_model.h); other pairs that are not to be tested have bit masks without a
//   common bit. The ground has a mask of its own.
// - With a graph the model has a plugin (SOM_SDF_PLUGIN) which holds, in order: <dof> for each DoF
//   of the graph, with its joint and start, limits and motor, or locked at its value; <contact> for
//   each contact it senses, with its collisions; <weld> for each weld and dock; <body> for each
//   link; <trace> if one is wanted; and <graph>, the text of player/graph_text.h. docs/gazebo.md
//   has them all.
// - Welds are no joints of SDF: who runs the world holds the two bodies.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/body_model.h"
#include "exchange/mesh_export.h"

#ifdef __cplusplus
extern "C" {
#endif

// Versions 1.6 to 1.11; what Fortress, Harmonic and later ones all read.
#define SOM_SDF_OLDEST 6
#define SOM_SDF_NEWEST 11
#define SOM_SDF_USUAL 9

#define SOM_SDF_PLUGIN_FILE "SomitePlayer"
#define SOM_SDF_PLUGIN "somite::Player"

// Zero is the default for all but the model.
typedef struct SomSdfDef {
    const SomBodyModel *model;
    const SomActionGraph *graph; // NULL: no plugin
    bool is_driven;              // without one, too, a player keeps the joints to their speeds
    SomStr behavior;             // name of the graph, by which it can be started again
    SomStr trace;                // file that the plugin writes; empty: none
    int version;                 // 9 is SDF 1.9; 0: SOM_SDF_USUAL
    SomMeshLooks looks;          // NULL: none
    const void *looks_context;
    bool has_plugins; // of imported modules
    bool tilts_boxes; // that touch, by a microradian; set for worlds
} SomSdfDef;

typedef struct SomSdfFile {
    SomStr path; // in the model's folder: "model.sdf", "meshes/body.stl"
    SomStr content;
} SomSdfFile;

// The model alone, and the world that holds it, each a whole file, added to `out`.
void som_sdf_write_model(const SomSdfDef *def, SomText *out);
void som_sdf_write_world(const SomSdfDef *def, SomText *out);

// All files of a model's folder: model.config, model.sdf, world.sdf, names.csv and meshes. They
// live in the arena. Returns their number.
int som_sdf_export(const SomSdfDef *def, SomArena *arena, const SomSdfFile **files);

// How many pairs of bodies that may touch are not tested, because the masks have sixteen bits only.
int som_sdf_untested_pairs(const SomBodyModel *model);
// Reports them: the first by its links.
void som_sdf_report_untested(const SomBodyModel *model, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
