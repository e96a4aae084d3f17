// exchange/module_assembly.h - robots of other labs as modules of known types and connections of
// them.
//
//     SomModuleAssembly assembly = {0};
//     … som_array_push(&assembly.modules, module); som_array_push(&assembly.connections, c); …
//     if (som_module_assembly_check_connectors(&assembly, arena, diags)) {
//         som_module_assembly_place(&assembly, poses, placed);        // forward kinematics
//         som_module_assembly_check_fit(&assembly, poses, arena, diags);
//         som_module_assembly_write(importer, &assembly, &text);
//     }
//     som_module_assembly_free(&assembly);
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

typedef struct SomModuleAssemblyModule {
    SomStr part;
    SomStr of;     // what the part is: a module type, or a config
    SomStr member; // of that config; empty if the part is the module. Members stand together.
    const SomModuleType *type;
    const double *joints; // one a joint of the type; NULL: all are zero
    SomSpan span;
} SomModuleAssemblyModule;

typedef struct SomModuleAssemblyConnection {
    int a, b;
    int connector_a, connector_b;
    double roll;
    bool is_inner; // of a part: not written
    SomSpan span;
} SomModuleAssemblyConnection;

// Zero is empty.
typedef struct SomModuleAssembly {
    SOM_ARRAY(SomModuleAssemblyModule) modules;
    SOM_ARRAY(SomModuleAssemblyConnection) connections;
} SomModuleAssembly;

void som_module_assembly_free(SomModuleAssembly *assembly);

// "m42.c3"
SomStr som_module_assembly_shown(const SomModuleAssembly *assembly, int module, SomArena *arena);

// Reports connectors that are used twice, and modules that are connected to themselves.
bool som_module_assembly_check_connectors(const SomModuleAssembly *assembly, SomArena *arena,
                                          SomDiagnostics *diags);

// Of each module the first one that it hangs together with.
void som_module_assembly_find_pieces(const SomModuleAssembly *assembly, int *pieces);

// The frame of a link or of a connector, seen from its module.
SomPose som_module_assembly_link(const SomModuleAssemblyModule *module, int link);
SomPose som_module_assembly_connector(const SomModuleAssemblyModule *module, int connector);

// Poses of all modules that hang together with one that is placed; they are placed then, too.
void som_module_assembly_place(const SomModuleAssembly *assembly, SomPose *poses, bool *placed);

// Do two poses differ by more than rounding? Then `by` says by how much.
bool som_module_assembly_differ(SomPose a, SomPose b, SomText *by);

// Warns of connections that the poses do not keep, which are those that close loops.
void som_module_assembly_check_fit(const SomModuleAssembly *assembly, const SomPose *poses,
                                   SomArena *arena, SomDiagnostics *diags);

// Warns of joints that cannot go where they are.
void som_module_assembly_check_limits(const SomModuleAssembly *assembly, SomArena *arena,
                                      SomDiagnostics *diags);

// What a config of a piece needs besides.
typedef struct SomModuleAssemblyText {
    SomStr name;
    SomStr comment;
    const int *pieces;
    int piece; // to be written
    int base;  // module
    bool is_on_ground;
    SomPose pose; // of the base, if not
} SomModuleAssemblyText;

void som_module_assembly_write(SomImporter *importer, const SomModuleAssembly *assembly,
                               const SomModuleAssemblyText *text);

#ifdef __cplusplus
}
#endif
