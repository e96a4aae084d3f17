// exchange/link_model.h - a robot or module as other people's files have it: links with frames of
// their own, joints between them, shapes and meshes, connectors. Readers make it; it becomes M3L.
//
//     SomLinkModel model = {.name = SOM_STR("arm"), .root = -1};
//     int base = som_link_model_add_link(&model, &(SomModelLink){.name = SOM_STR("base"), …});
//     som_array_push(&model.links.data[base].collisions, shape);
//     som_link_model_add_joint(&model, &(SomModelJoint){.parent = base, .child = arm, …});
//     bool fine = som_importer_add_model(importer, &model); // a module type, a config, files
//     som_link_model_free(&model);
//
// Links stand where they are with all joints at zero. A joint of several axes (universal, planar,
// ball) is given with all of them and becomes a chain with links of nothing between. Joints may
// close loops. What is out of range, in pieces or too large is reported by som_importer_add_model,
// which also says what was repaired or lost: links without mass or shape, inertias that no body
// has, limits the wrong way round, names that stand for two things, meshes that cannot be read.
// Collision meshes become their convex hulls; visuals that do not look like the collisions become
// one mesh a link, a PLY file in the result.
//
// Ownership: names and texts are borrowed and must outlive the model (those of a SomXml do).

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "exchange/import_internal.h"
#include "modules/module_type.h"
#include "space/mass.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of links and joints; more is a diagnostic, and so is a longer way.
#define SOM_MODEL_MAX_LINKS SOM_MAX_MODULE_LINKS
#define SOM_MODEL_MAX_SHAPES 1024 // that touch, of a link
#define SOM_MODEL_MAX_LENGTH 1e6
#define SOM_MODEL_MAX_AXES 6

// A piece of a link that is seen or touched: a box, cylinder, sphere or capsule, or a mesh.
typedef struct SomModelShape {
    SomSpan span;
    SomPose pose; // in the link
    SomShape shape;
    SomStr mesh;     // the file, found by som_importer_find_file; empty: `shape`
    SomVec3 scale;   // of the mesh, each not 0
    double color[4]; // all 0: not given
} SomModelShape;

typedef SOM_ARRAY(SomModelShape) SomModelShapes;

typedef struct SomModelLink {
    SomStr name;
    SomSpan span;
    SomPose pose; // in the model
    bool has_mass;
    SomInertia inertia; // in the link, if it has a mass; moments of zero: not given
    double friction;    // 0: not given
    SomModelShapes visuals, collisions;
    SomKeptText kept;
} SomModelLink;

typedef struct SomModelAxis {
    SomJointType type;                       // SOM_JOINT_REVOLUTE or SOM_JOINT_PRISMATIC
    SomVec3 direction;                       // in the model, of any length but 0
    double low, high;                        // infinite: none
    double effort, speed, damping, friction; // 0: not given
} SomModelAxis;

// Without axes the joint is fixed.
typedef struct SomModelJoint {
    SomStr name;
    SomSpan span;
    int parent, child;
    SomVec3 origin; // in the model: a point of all its axes
    SomModelAxis axes[SOM_MODEL_MAX_AXES];
    int axis_count;
    SomKeptText kept;
} SomModelJoint;

typedef struct SomModelFrame {
    SomStr name;
    SomSpan span;
    int link;
    SomPose pose; // in the link
} SomModelFrame;

// Where modules are mated: x points out of the link, z to the first mark.
typedef struct SomModelConnector {
    SomStr name;
    SomSpan span;
    int link;
    SomPose pose;         // in the link
    const double *angles; // rolls; count 0: all four right angles
    int angle_count;
    SomStr properties; // in M3L, as `gender="m", size=80`; empty: none
} SomModelConnector;

typedef struct SomLinkModel {
    SomStr name;
    SomStr note; // where it comes from: one line or several
    SomSpan span;
    int root;         // link that carries the others; -1: the first that no joint moves
    bool is_fixed;    // the root is bolted to the world,
    SomVec3 at, turn; // with the frame of the model there; roll, pitch, yaw
    SOM_ARRAY(SomModelLink) links;
    SOM_ARRAY(SomModelJoint) joints;
    SOM_ARRAY(SomModelFrame) frames;
    SOM_ARRAY(SomModelConnector) connectors;
    SomKeptText kept;
} SomLinkModel;

int som_link_model_add_link(SomLinkModel *model, const SomModelLink *link);
int som_link_model_add_joint(SomLinkModel *model, const SomModelJoint *joint);
int som_link_model_find_link(const SomLinkModel *model, SomStr name); // -1 if there is none
void som_link_model_free(SomLinkModel *model);

// What the user named with --connector becomes connectors: links or frames of the model, as NAME
// (its z points out) or NAME:AXIS (`tool0:-x`). False after a report.
bool som_link_model_name_connectors(SomImporter *importer, SomLinkModel *model);

// Writes the module type, and files for its looks; the name it got, empty after a report.
SomStr som_importer_add_type(SomImporter *importer, SomLinkModel *model);

// The same, a rule by which its connectors mate where there are any, and a config that is the
// module alone; of one that is bolted to the world, before it a config where it is.
bool som_importer_add_model(SomImporter *importer, SomLinkModel *model);

// `connection NAME: …`: connectors of any of the types mate with those of any where the condition
// holds: M3L about p_a and p_b, `p_a.gender != p_b.gender`; empty: always.
void som_importer_add_rule(SomImporter *importer, SomStr name, const SomStr *types, int count,
                           SomStr condition);

#ifdef __cplusplus
}
#endif
