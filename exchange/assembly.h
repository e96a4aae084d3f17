// exchange/assembly.h - robots of other labs as modules of known types and connections of them.
//
//     SomAssembly assembly = {0};
//     … som_array_push(&assembly.modules, module); som_array_push(&assembly.connections, c); …
//     if (som_assembly_check_connectors(&assembly, arena, diags)) {
//         som_assembly_place(&assembly, poses, placed);        // forward kinematics
//         som_assembly_check_fit(&assembly, poses, arena, diags);
//         som_assembly_write(importer, &assembly, &text);
//     }
//     som_assembly_free(&assembly);
//
// M_b = M_a K_a Rz(pi) Rx(roll) K_b^-1 with K the frames of the connectors, x outwards, at the
// joints' values. A part may be a module, or a config whose modules are its members; connections
// inside it are known here for the poses only.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/import_internal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomAssemblyModule {
    SomStr part;
    SomStr of;     // what the part is: a module type, or a config
    SomStr member; // of that config; empty if the part is the module. Members stand together.
    const SomModuleType *type;
    const double *joints; // one a joint of the type; NULL: all are zero
    SomSpan span;
} SomAssemblyModule;

typedef struct SomAssemblyConnection {
    int a, b;
    int connector_a, connector_b;
    double roll;
    bool is_inner; // of a part: not written
    SomSpan span;
} SomAssemblyConnection;

// Zero is empty.
typedef struct SomAssembly {
    SOM_ARRAY(SomAssemblyModule) modules;
    SOM_ARRAY(SomAssemblyConnection) connections;
} SomAssembly;

void som_assembly_free(SomAssembly *assembly);

// "m42.c3"
SomStr som_assembly_shown(const SomAssembly *assembly, int module, SomArena *arena);

// Reports connectors that are used twice, and modules that are connected to themselves.
bool som_assembly_check_connectors(const SomAssembly *assembly, SomArena *arena,
                                   SomDiagnostics *diags);

// Of each module the first one that it hangs together with.
void som_assembly_find_pieces(const SomAssembly *assembly, int *pieces);

// The frame of a link or of a connector, seen from its module.
SomPose som_assembly_link(const SomAssemblyModule *module, int link);
SomPose som_assembly_connector(const SomAssemblyModule *module, int connector);

// Poses of all modules that hang together with one that is placed; they are placed then, too.
void som_assembly_place(const SomAssembly *assembly, SomPose *poses, bool *placed);

// Do two poses differ by more than rounding? Then `by` says by how much.
bool som_assembly_differ(SomPose a, SomPose b, SomText *by);

// Warns of connections that the poses do not keep, which are those that close loops.
void som_assembly_check_fit(const SomAssembly *assembly, const SomPose *poses, SomArena *arena,
                            SomDiagnostics *diags);

// Warns of joints that cannot go where they are.
void som_assembly_check_limits(const SomAssembly *assembly, SomArena *arena, SomDiagnostics *diags);

// What a config of a piece needs besides.
typedef struct SomAssemblyText {
    SomStr name;
    SomStr comment;
    const int *pieces;
    int piece; // to be written
    int base;  // module
    bool is_on_ground;
    SomPose pose; // of the base, if not
} SomAssemblyText;

void som_assembly_write(SomImporter *importer, const SomAssembly *assembly,
                        const SomAssemblyText *text);

#ifdef __cplusplus
}
#endif
