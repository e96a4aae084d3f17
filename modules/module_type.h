// modules/module_type.h - a kind of module, compiled: plain arrays of links, joints and connectors.
//
//     const SomModuleType *smores = som_m3l_find_type(m3l, SOM_STR("SMORES"));
//     SomPose links[SOM_MAX_MODULE_LINKS];
//     som_module_type_place(smores, values, links);          // forward kinematics in the module
//     SomPose face = som_pose_compose(links[connector->link], connector->frame);
//
// Every coordinate is in the one frame of the module, in metres: a link's own frame is the module's
// frame while all joints are at zero. A joint turns (or slides) its child about (along) the z axis
// of its frame, seen from its parent. Joints may close chains: those with `is_tree` carry their
// child, the others are closures, which hold while all joints are at zero.
//
// A type with errors has valid indices but perhaps not all of its members, and links that no joint
// reaches: only names, connectors and the text of its links are of use.
//
// Ownership: a type lives in its SomM3l and is never changed after it was read. Names of joints and
// connectors have aliases; look them up with the find functions only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "linkage/linkage.h"
#include "space/mass.h"

#ifdef __cplusplus
extern "C" {
#endif

// More of any in one module is a diagnostic.
#define SOM_MAX_MODULE_LINKS 256
#define SOM_MAX_MODULE_CONNECTORS 256
#define SOM_MAX_MODULE_POINTS 4096

// Of water; for links that give neither a mass nor a density.
#define SOM_DEFAULT_DENSITY 1000.0

// Another name of a joint or connector. Of a joint its value may count from another zero in another
// direction: alias value = sign * (joint value - zero).
typedef struct SomAlias {
    SomStr name;
    double sign;
    double zero;
} SomAlias;

// Elements of other people's files that mean nothing here and are written back when a module goes
// out in such a file again: XML, empty if there is none.
typedef struct SomKeptText {
    SomStr urdf, sdf;
} SomKeptText;

// Points as the text gives them, in the module's frame; count 0 for shapes that have none.
typedef struct SomGivenPoints {
    const SomVec3 *points;
    int count;
} SomGivenPoints;

typedef struct SomModuleLink {
    SomStr name;
    SomSpan span;
    const SomVec3 *hull; // its given convex hull; count 0 if there is none
    int hull_count;
    const SomShapePart *parts; // solid and convex: given shapes, or the hull if it is not flat
    int part_count;
    const SomGivenPoints *given; // for each part: the points that it is the hull of
    SomInertia inertia;          // in the module's frame
    bool has_mass;               // given; else that of the default density
    double friction;             // coefficient of contact; NAN if not given
    double color[4];             // red, green, blue, opacity; all 0 if not given
    SomStr mesh;      // file of its looks, empty if none: a path from the folder of the .m3l file
                      // that stays in it, metres in the module's frame; opened by who draws
    SomPose frame;    // that other programs know it by, in the module's frame
    SomKeptText kept; // of its element
} SomModuleLink;

typedef struct SomModuleJoint {
    SomStr name;
    SomSpan span;
    SomJointType type; // SOM_JOINT_REVOLUTE, SOM_JOINT_PRISMATIC or SOM_JOINT_FIXED
    int parent;        // link
    int child;
    SomPose frame;       // z is the axis
    double low, high;    // -INFINITY and INFINITY where there is no limit
    double effort;       // N m or N; 0 is not given, as below
    double speed;        // rad/s or m/s
    double acceleration; // rad/s^2 or m/s^2
    double damping;      // N m s/rad or N s/m
    double friction;     // N m or N
    double gains[3];     // default servo: proportional, integral, derivative
    double tolerance;    // within which a target counts as reached
    const SomAlias *aliases;
    int alias_count;
    bool is_tree;
    SomKeptText kept; // of its element
} SomModuleJoint;

// One user-defined property of a connector: gender="male", extended=[bool].
typedef enum SomPropertyKind {
    SOM_PROPERTY_BOOL,
    SOM_PROPERTY_NUMBER,
    SOM_PROPERTY_TEXT,
    SOM_PROPERTY_ANY_BOOL
} SomPropertyKind;

typedef struct SomProperty {
    SomStr name;
    SomPropertyKind kind;
    double number; // of a bool 0 or 1
    SomStr text;
} SomProperty;

typedef struct SomMark3 {
    SomStr name; // "_1"
    SomVec3 position;
} SomMark3;

typedef struct SomConnector {
    SomStr name;
    SomSpan span;
    int link;
    SomVec3 position;
    SomPose frame;         // x points out of the link, z to the first mark
    bool has_frame;        // false if it has no two marks that span a plane, or its side is unknown
    bool has_out;          // which side is outside was given, not found
    const SomMark3 *marks; // its sub-points
    int mark_count;
    const SomProperty *properties;
    int property_count;
    const double *angles; // the only rolls it offers, radians; count 0: all
    int angle_count;
    double tension, shear, bending;    // N, N, N m it holds; 0 is not given
    double connect_time, release_time; // s; 0 is not given
    double reach, reach_angle;         // m, rad from which it finds its partner; 0 is not given
    const SomAlias *aliases;
    int alias_count;
} SomConnector;

// A marker for cameras.
typedef struct SomModuleTag {
    SomStr name;
    SomSpan span;
    int id;
    SomStr family;
    double size; // edge of the black square
    int link;
    SomPose pose; // x right, y up, z out of the picture
} SomModuleTag;

typedef struct SomModuleFrame {
    SomStr name;
    SomSpan span;
    int link;
    SomPose pose;
} SomModuleFrame;

typedef struct SomModuleType {
    SomStr name;
    SomSpan span;
    bool has_errors; // which were reported as it was read; it must not be composed
    SomStr note;     // of its author, empty if none
    double unit;     // metres per unit of its coordinates
    double timeout;  // s, of a position action that names none; 0 is not given
    int root;        // link
    const SomModuleLink *links;
    int link_count;
    const SomModuleJoint *joints;
    int joint_count;
    const int *joint_order; // tree joints from the root outwards
    int tree_joint_count;
    const SomConnector *connectors;
    int connector_count;
    const SomModuleTag *tags;
    int tag_count;
    const SomModuleFrame *frames;
    int frame_count;
    SomKeptText kept; // of the model
} SomModuleType;

// -1 if there is none. By name or alias; `alias` (NULL is allowed) gets the convention, sign 1 and
// zero 0 for the name itself.
int som_module_type_find_link(const SomModuleType *type, SomStr name);
int som_module_type_find_joint(const SomModuleType *type, SomStr name, SomAlias *alias);
int som_module_type_find_connector(const SomModuleType *type, SomStr name);
int som_module_type_find_frame(const SomModuleType *type, SomStr name);

// Where the child of a joint is, seen from its parent.
SomPose som_module_joint_motion(const SomModuleJoint *joint, double value);

// Poses of all links in the frame of the root link, for one value a joint. Closures are not looked
// at: in a closed chain give values that agree.
void som_module_type_place(const SomModuleType *type, const double *values, SomPose *links);

// The mass of all links.
double som_module_type_mass(const SomModuleType *type);

// How far the link reaches in a direction: the largest dot product with a point of its hull, or of
// its parts if it has none; -INFINITY if it has neither.
double som_module_link_extent(const SomModuleLink *link, SomVec3 direction);

// Adds the module's links and joints to a sub-linkage, all joints at zero and its root link at
// `pose` in the ground of the sub-linkage (the first link becomes its ground). Names of joints get
// the prefix. The ids go to arrays of link_count and joint_count; NULL where not wanted. False
// after a report if a name is taken; what was added until then stays.
bool som_module_type_add_to_linkage(const SomModuleType *type, SomLinkage *linkage,
                                    SomSublinkageId sublinkage, SomStr prefix, SomPose pose,
                                    SomLinkId *links, SomJointId *joints, SomDiagnostics *diags);
// The same with another link first, from which the others hang; it is at `pose`.
bool som_module_type_add_to_linkage_at(const SomModuleType *type, SomLinkage *linkage,
                                       SomSublinkageId sublinkage, SomStr prefix, int first,
                                       SomPose pose, SomLinkId *links, SomJointId *joints,
                                       SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
