// modules/m3l_module_internal.h - a module while it is being read.
//
// The members are read in the order of what they need: points, link names, links (which need the
// points), axes, joints (which need links and axes), tags and frames.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/m3l_reader_internal.h"

// A direct point of the module, or a link as far as it is the owner of points.
typedef struct PointOwner {
    SomStr name;
    SomNode node;
    SomVec3 position; // of a point
    const SomMark3 *marks;
    int mark_count;
    bool is_bad; // something of it was left out, so what it lacks proves nothing
} PointOwner;

typedef struct PlacedPoint {
    PointOwner own;
    bool is_connector;
    bool is_good; // it has a position
    int link;     // -1 until a grouping names it
    SomNode grouped_at;
} PlacedPoint;

typedef struct NamedAxis {
    SomStr name;
    SomVec3 origin;
    SomVec3 direction;
    bool is_good;
} NamedAxis;

typedef struct ModuleReader {
    SomM3lReader *r;
    SomModuleType *type;
    SomNameTable names; // of all members; the index is unused
    SOM_ARRAY(SomSpan) name_spans;
    SOM_ARRAY(PlacedPoint) points;
    SOM_ARRAY(NamedAxis) axes;
    SomNameTable point_names;
    SomNameTable link_names;
    SomNameTable axis_names;
    SOM_ARRAY(PointOwner) link_points;
    SOM_ARRAY(SomModuleLink) links;
    SOM_ARRAY(SomModuleJoint) joints;
    bool has_bad_joint; // left out, so links that hang on nothing prove nothing
    bool has_bad_text;  // so does what is missing
    SOM_ARRAY(SomConnector) connectors;
    SOM_ARRAY(SomModuleTag) tags;
    SOM_ARRAY(SomModuleFrame) frames;
} ModuleReader;

typedef struct SomM3lPoints {
    SomVec3 *data;
    int count;
    int capacity;
} SomM3lPoints;

// modules/m3l_module.c
// The name of a member, which must be there and new in the module. False after a report.
bool som_m3l_claim_member(ModuleReader *m, SomNode definition, SomStr *name, SomSpan *span);

// modules/m3l_link.c
void som_m3l_read_link(ModuleReader *m, SomNode definition, int link);
int som_m3l_find_link(ModuleReader *m, SomNode node); // -1 after a report
void som_m3l_read_link_frames(ModuleReader *m);       // when all frames are known

// modules/m3l_connector.c
void som_m3l_read_connectors(ModuleReader *m);

// The aliases of a joint or connector. Values count in `dimension`; a connector has none.
void som_m3l_read_aliases(SomM3lReader *r, SomNode definition, bool is_joint,
                          SomDimensionName dimension, const SomAlias **aliases, int *count);

// modules/m3l_joint.c
SomMat3 som_m3l_rotation_about(SomVec3 z); // of length 1; any x, the same for the same z
void som_m3l_read_joint(ModuleReader *m, SomNode definition);
void som_m3l_read_tag(ModuleReader *m, SomNode definition);
void som_m3l_read_frame(ModuleReader *m, SomNode definition);
