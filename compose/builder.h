// compose/builder.h - collects a design without any text, checks it, and composes it.
//
//     SomBuilder *b = som_builder_create(&(SomPartDef){.config = SOM_STR("Pair")});
//     int module[2];
//     for (int i = 0; i < 2; i++) {
//         som_builder_begin_part(b, &(SomPartDef){.name = SOM_STR("m"), .index = i + 1,
//                                                 .config = SOM_STR("SMORES")});
//         module[i] = som_builder_set_module(b, smores, m3l, span);
//         som_builder_end_part(b);
//     }
//     som_builder_connect(b, &(SomConnectDef){.module_a = module[0], .connector_a = back,
//                                             .module_b = module[1], .connector_b = front});
//     SomConfiguration *pair = som_builder_finish(b, diags); // m[1], m[2]
//
// Parts nest: what is added between begin and end belongs to the part begun last, the whole being
// open from the start. Everything is numbered from 0 in the order it was added, and has the same
// numbers in the configuration. Adding never fails; `finish` reports all that is wrong at once.
//
// Ownership: texts are copied; types and their M3L files are borrowed and must outlive the
// configuration. The resolver of text, importers, tests and the studio all build through this.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/configuration.h"
#include "compose/reported.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomBuilder SomBuilder;

// Zero is the default for every field of these definitions, unless another is said.
typedef struct SomPartDef {
    SomStr name;   // one name, without quotes; the whole has none
    int index;     // of an array of parts, from 1: name[index]; 0: no array
    SomStr config; // name of what it is made of
    SomStr doc;
    SomSpan span;
} SomPartDef;

typedef struct SomConnectDef {
    int module_a, connector_a; // of the type; -1: the mating's, `index` must be given
    int module_b, connector_b;
    bool has_roll;          // else 0 if it is offered, or the only one that is
    double roll;            // radians
    int index;              // of the mating in the rule of the two types, from 1; 0: not given
    double gap;             // metres
    bool is_forced;         // accepts what no rule offers
    SomSpan span;           // of the statement
    SomSpan span_a, span_b; // of the two places; where not given, the statement's
    SomSpan choice_span;    // of the roll or index; likewise
    SomSpan gap_span;       // likewise
} SomConnectDef;

// A connection that behaviors may close and open.
typedef struct SomDockDef {
    SomStr name; // empty: it is known by its two connectors
    int index;   // of an array of docks, from 1: name[index]; 0: no array
    bool is_closed;
    SomConnectDef connect;
} SomDockDef;

// Where a frame of a module is put, and with it the piece that the module is of. On the ground, z
// is such that the lowest point of the piece has z = 0 as the design starts.
typedef struct SomBaseDef {
    int module;
    int frame; // of its type; -1: the module frame
    bool is_on_ground;
    bool is_fixed;    // bolted to the world
    SomVec3 position; // on the ground, z is 0
    SomVec3 turn;     // roll, pitch, yaw: R = Rz Ry Rx
    SomSpan span;
} SomBaseDef;

typedef struct SomBehaviorDef {
    SomStr name;
    SomStr doc;
    SomStr params;
    uint32_t node;
    int file;
    SomSpan span;
} SomBehaviorDef;

SomBuilder *som_builder_create(const SomPartDef *whole);
void som_builder_destroy(SomBuilder *builder); // without finishing; NULL is allowed

int som_builder_begin_part(SomBuilder *builder, const SomPartDef *def); // the part
void som_builder_end_part(SomBuilder *builder);

// The open part is a module; it has no parts and no other module. Returns the module.
int som_builder_set_module(SomBuilder *builder, const SomModuleType *type, const SomM3l *m3l,
                           SomSpan span);

// Said by the open part.
void som_builder_connect(SomBuilder *builder, const SomConnectDef *def);
void som_builder_add_dock(SomBuilder *builder, const SomDockDef *def);

// A pose of the open part, to be filled: values of joints of its modules, where the last one said
// counts, or all that another pose, of one of its parts, says.
int som_builder_add_pose(SomBuilder *builder, SomStr name, SomStr doc, SomSpan span);
void som_builder_set_value(SomBuilder *builder, int pose, int module, int joint, double value,
                           SomSpan span);
// The value set before is written with an alias of its joint: its index there.
void som_builder_set_value_alias(SomBuilder *builder, int alias);
void som_builder_include_pose(SomBuilder *builder, int pose, int other, SomSpan span);

// The pose the open part starts in. The start of a whole is that of its parts, changed by its own.
void som_builder_set_start(SomBuilder *builder, int pose);
// Counts for the whole only: what a part says of its base is for when it is one. Each piece has one
// base. Without it, the first module of the first piece is at the origin, or of several pieces
// above it on the ground; other pieces need theirs.
void som_builder_set_base(SomBuilder *builder, const SomBaseDef *def);
void som_builder_add_behavior(SomBuilder *builder, const SomBehaviorDef *def);

// Where a statement for another base would be inserted: fix-its offer one there.
void som_builder_set_base_spot(SomBuilder *builder, SomSpan spot);

// A value that behaviors of the open part may name. Given before the part gets parts.
void som_builder_add_constant(SomBuilder *builder, const SomConstant *constant);

// An input that the open part declares; its path is found here.
void som_builder_add_input(SomBuilder *builder, const SomInputName *input);

// A let of the open part that names a joint or part, and one of a part; NULL if there is none.
void som_builder_add_place(SomBuilder *builder, const SomNamedPlace *place);
const SomNamedPlace *som_builder_find_place(const SomBuilder *builder, int part, SomStr name);

// Counts for the whole only, as its base does.
void som_builder_add_setting(SomBuilder *builder, const SomSetting *setting);

// ---- what has been added; -1 if there is none

int som_builder_open_part(const SomBuilder *builder);
int som_builder_find_part(const SomBuilder *builder, int parent, SomStr name, int index);
int som_builder_module_of(const SomBuilder *builder, int part); // of a part that is a module
int som_builder_find_pose(const SomBuilder *builder, int part, SomStr name);
int som_builder_module_count(const SomBuilder *builder);
const SomModuleType *som_builder_module_type(const SomBuilder *builder, int module);
SomStr som_builder_part_path(const SomBuilder *builder, int part);

// True when there are already as many parts or modules as a design may have, or parts lie as deep
// as they may: the caller stops adding, and `finish` reports it.
bool som_builder_is_full(const SomBuilder *builder);

// What was reported before, by builders with the same set, is not reported again; it still makes
// `finish` fail. The set must outlive the builder.
void som_builder_share_reports(SomBuilder *builder, SomReportedPlaces *places);
// The work of closing loops, likewise; see compose/loops.h. Borrowed.
void som_builder_share_work(SomBuilder *builder, double *loop_work_left);

// Where something could not be added, so that what is missing would be reported as not connected:
// only checks what is there, and destroys the builder.
void som_builder_check(SomBuilder *builder, SomDiagnostics *diags);

// Checks everything and composes; destroys the builder in any case. NULL after errors. Connections
// that close loops are solved, see compose/loops.h.
SomConfiguration *som_builder_finish(SomBuilder *builder, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
