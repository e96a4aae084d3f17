// compose/configuration.h - a design, composed: all parts, modules, connections and DoF, by index.
//
// Configurations are made of connected sub-configurations, a single module being the smallest. Here
// all of them are unfolded: parts[0] is the whole, every other part lies in its parent; a part that
// is a module has order 0. Modules stand in the order they were written, so that the modules of a
// part, its DoF and its parts are each one run of an array.
//
//     SomConfiguration *snake = som_configuration_compose(workspace, file, SOM_STR("Snake(n=18)"),
//                                                         diags);
//     SomAlias alias;
//     int tilt = som_configuration_find_dof(snake, SOM_STR("s[1].head.tilt"), &alias);
//     som_configuration_destroy(snake);
//
// Paths are names with dots between them, as people write them: `front_left.m2`, `s[3].tail.bend`;
// names that are no words stand in quotes. The path of the whole is empty; so is that of the one
// module of a configuration that is a module itself, whose DoF are simply `tilt`.
//
// Ownership: immutable; owns its texts and arrays. Module types are borrowed from the M3L files,
// which must outlive it. Made by compose/builder.h.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "language/unit.h"
#include "modules/m3l.h"

#ifdef __cplusplus
extern "C" {
#endif

// More is a diagnostic.
#define SOM_MAX_MODULES 100000
#define SOM_MAX_PARTS 200000
#define SOM_MAX_PART_DEPTH 256
#define SOM_MAX_PATH_BYTES 64000000 // of all parts and joints together

typedef struct SomPart {
    SomStr path;
    SomStr name;   // as a segment of the path: s[2]
    SomStr config; // what it is: Chain3, a type of module, a robot
    SomStr doc;    // documentation comment of that configuration, empty if none
    int order;     // 0: a module; else 1 + the largest order of its parts
    int parent;    // -1 for the whole
    int depth;     // 0 for the whole
    int end_part;  // its parts, of all depths, are those after it up to before this one
    int first_module, module_count;
    int first_dof, dof_count;
    SomSpan span; // where it was asked for
} SomPart;

typedef struct SomModule {
    SomStr path;
    const SomModuleType *type;
    const SomM3l *m3l; // that the type is of
    int part;          // of order 0, which it is
    int first_dof, dof_count;
    int connection; // by which it hangs on the base; -1 for the base of a piece
    SomSpan span;
} SomModule;

// Module b at module a. One of each loop is a closure, the others make a tree for each piece that
// is breadth-first from its base.
typedef struct SomConnection {
    int module_a, connector_a;
    int module_b, connector_b;
    double roll;                   // radians, in [0, 2 pi); NAN if the two do not face each other
    double gap;                    // metres between the faces
    int index;                     // of the mating, from 1; 0 if no rule offers it
    const SomConnectionRule *rule; // NULL if no rule offers it
    bool is_reversed;              // module a is the rule's b
    SomPose transform;             // b's module seen from a's, all joints of both at zero
    bool is_closure;
    bool is_forced;
    bool is_dock; // behaviors may open it
    int part;     // the part whose configuration says so
    SomSpan span;
} SomConnection;

// A connection that behaviors may close and open.
typedef struct SomDock {
    SomStr path;              // front.grip, grip[2]; without a name "front.a.B to front.b.T"
    SomStr name;              // grip, grip[2]; may be empty
    int part;                 // whose configuration declares it
    SomConnection connection; // of the two while it is closed
    bool is_closed;           // at first: then the connection is one of the configuration's, too
    SomSpan span;
} SomDock;

// What is not connected with the base: another piece of the design, or what opened docks have left
// behind, which stays where it was; see compose/dock_states.h.
typedef struct SomPiece {
    int module;    // that the rest of the piece hangs on
    int link;      // of the module's type: it stays while joints move
    SomPose pose;  // of that link in the world
    bool is_fixed; // to the world
    int base;      // of the configuration's bases; -1: docks have left it behind
} SomPiece;

// A joint that moves by itself: closures of closed chains in modules follow and are none.
typedef struct SomModuleDof {
    SomStr path; // with the joint's own name: head.bend
    int module;
    int joint; // of the module's type
} SomModuleDof;

// A named pose of a part: values of its DoF.
typedef struct SomNamedPose {
    SomStr path; // front.stand
    SomStr name; // stand
    SomStr doc;
    int part;
    int first_dof, dof_count; // those of the part
    const double *values;     // dof_count, NAN is not set; SI, in the joint's own convention
    const uint8_t *aliases;   // dof_count: as which alias of its joint, from 1, each is written; 0:
                              // by the joint's own name
    const SomSpan *spans;     // dof_count: the line that sets each
    SomSpan span;
} SomNamedPose;

// What behaviors there are; their meaning is found elsewhere.
typedef struct SomBehaviorName {
    SomStr path; // s[1].sineGait
    SomStr name;
    SomStr doc;
    SomStr params; // as written, without parentheses: "w: angularSpeed, t: time"
    int part;
    uint32_t node; // in the tree of the file
    int file;      // of the workspace
    SomSpan span;
} SomBehaviorName;

// An input that a part's configuration declares; where its value comes from is found elsewhere.
typedef struct SomInputName {
    SomStr path; // leg[1].light
    SomStr name;
    int part;
    int file;  // of the workspace
    int index; // of the inputs of its config there
    int config;
    SomSpan span;
} SomInputName;

// A parameter or let of a part's configuration, as it was computed: for who reads its behaviors.
typedef struct SomConstant {
    SomStr name;
    int part;
    bool is_truth;
    double number;
    SomDimension dimension;
} SomConstant;

// A let that names a joint or a part, by which others call it: let knee = leg.middle.tilt.
typedef struct SomNamedPlace {
    SomStr name;
    int part;      // whose let it is
    int target;    // the part that is meant, or the module of the joint
    SomStr member; // the joint, by the name that was written: it may be an alias; empty: the part
    SomSpan span;
} SomNamedPlace;

// What a design says of how it is to be verified: a name and a value, which verify/ understands.
typedef struct SomSetting {
    SomStr name;
    double number;
    SomDimension dimension;
    SomSpan span; // of the name
    SomSpan value_span;
} SomSetting;

// Where a piece of the design is: a link that stays while joints move.
typedef struct SomBase {
    int module;
    int frame;         // of the module's type; -1: the module frame, that of its root link
    int link;          // of the module's type; the frame moves with it
    bool is_on_ground; // the lowest point of the piece is, as the design starts
    bool is_fixed;     // the link is bolted to the world: it neither tips nor falls
    SomPose placement; // of the frame in the world, ground already found
    SomPose link_pose; // of the link in the world
    SomSpan span;      // of the statement; zero: none says it
} SomBase;

// Numbers about a design, for comparing.
typedef struct SomMetrics {
    int modules, dofs, connections, closures;
    int pieces;           // that are not connected with each other as the design starts
    int parts;            // of all orders, without the whole
    int types;            // different types of modules
    int configs;          // different configurations among the parts of order 1 and more
    double reuse;         // parts of order 1 and more for each of these; 0 if there are none
    int largest_branches; // connections at one module
    double mass;
} SomMetrics;

typedef struct SomConfiguration {
    SomStr name;
    SomStr doc;
    int order;
    const SomPart *parts;
    int part_count;
    const SomModule *modules;
    int module_count;
    const SomConnection *connections;
    int connection_count;
    const SomDock *docks;
    int dock_count;
    const SomPiece *pieces; // without that of `base`; as it is composed, one for each other base
    int piece_count;
    const SomModuleDof *dofs;
    int dof_count;
    const SomNamedPose *poses;
    int pose_count;
    const SomBehaviorName *behaviors;
    int behavior_count;
    const SomInputName *inputs;
    int input_count;
    const SomConstant *constants; // by part; of those with behaviors or inputs only
    int constant_count;
    const SomNamedPlace *places;
    int place_count;
    const SomSetting *settings; // of the whole, none of its parts
    int setting_count;
    const double *start; // one value a DoF
    const SomSpan
        *start_spans;     // one per DoF: the line of a pose that sets it; source1 0: none does
    bool is_start_solved; // moved from what was asked for, so that loops close
    int start_pose;       // -1 if none was asked for
    const SomBase *bases; // one a piece as the design starts, in the order of their first modules
    int base_count;
    SomBase base;    // as it is composed, bases[0]: of the piece of the first module
    const int *tree; // modules of one piece after the other, each from its base outwards
    SomMetrics metrics;
    struct SomPathIndex *index; // private
    SomArena arena;
} SomConfiguration;

typedef struct SomWorkspace SomWorkspace;

// Composes a configuration of an open file: "" is its first one, "Snake(n=18)" gives arguments.
// NULL after errors. Written in compose/resolve.c.
SomConfiguration *som_configuration_compose(SomWorkspace *workspace, int file, SomStr choice,
                                            SomDiagnostics *diags);
void som_configuration_destroy(SomConfiguration *configuration); // NULL is allowed

// The piece of a base, as the design starts.
SomPiece som_piece_of_base(const SomBase *bases, int base);

// 0: that of the base; else 1 + the index of the configuration's pieces.
int som_configuration_piece_of(const SomConfiguration *configuration, int module);

// -1 if there is none. A DoF is found by its joint's name or an alias of it, whose convention goes
// to `alias` (NULL is allowed): alias value = sign * (joint value - zero).
int som_configuration_find_part(const SomConfiguration *configuration, SomStr path);
int som_configuration_find_module(const SomConfiguration *configuration, SomStr path);
int som_configuration_find_dof(const SomConfiguration *configuration, SomStr path, SomAlias *alias);
int som_configuration_find_pose(const SomConfiguration *configuration, SomStr path);
int som_configuration_find_behavior(const SomConfiguration *configuration, SomStr path);
int som_configuration_find_dock(const SomConfiguration *configuration, SomStr path);
int som_configuration_find_input(const SomConfiguration *configuration, SomStr path);

// By the part whose text names it; -1 if there is none.
int som_configuration_find_constant(const SomConfiguration *configuration, int part, SomStr name);
int som_configuration_find_place(const SomConfiguration *configuration, int part, SomStr name);

// The dock of two connectors, whichever was written first; -1 if there is none.
int som_configuration_dock_between(const SomConfiguration *configuration, int module_a,
                                   int connector_a, int module_b, int connector_b);

// The DoF of a module's joint, -1 if the joint does not move by itself.
int som_configuration_dof_of(const SomConfiguration *configuration, int module, int joint);
const SomModuleJoint *som_configuration_joint(const SomConfiguration *configuration, int dof);

// Seconds that a dock takes, by the slower of its connectors.
double som_dock_connect_time(const SomConfiguration *configuration, const SomDock *dock);
double som_dock_release_time(const SomConfiguration *configuration, const SomDock *dock);

// From how far the connectors of a dock find each other, in metres and radians: what their chamfers
// and magnets even out. The smaller of what their types say; else 5 mm and 0.1 rad.
#define SOM_DOCK_REACH 0.005
#define SOM_DOCK_REACH_ANGLE 0.1
double som_dock_reach(const SomConfiguration *configuration, const SomDock *dock);
double som_dock_reach_angle(const SomConfiguration *configuration, const SomDock *dock);

// "head.B": a connector of a module, for people.
void som_configuration_print_connector(const SomConfiguration *configuration, int module,
                                       int connector, SomText *out);

#ifdef __cplusplus
}
#endif
