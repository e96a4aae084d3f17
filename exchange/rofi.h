// exchange/rofi.h - worlds of RoFI: modules as its configurations know them.
//
// A world is JSON: `modules` with numbers for names, `moduleJoints` between their connectors with
// an orientation, and `spaceJoints` that say where components are. Lengths are in steps of the
// lattice, angles in degrees.
//
// RoFI places a connector in the middle of its body and looks from it along -x. Its frame C and our
// K, which lies on the face and has x outwards, are K = C Tx(-1/2) Rz(pi); North, East, South and
// West are then rolls of 0, 90, 180 and 270 degrees. Pads are configs of tiles, one a connector.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange/json_input.h"
#include "exchange/module_assembly.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SOM_ROFI_STEP 0.1 // metres

typedef enum SomRofiKind { SOM_ROFI_UNIVERSAL, SOM_ROFI_CUBE, SOM_ROFI_PAD } SomRofiKind;

// Of library/modules/rofi.m3l.
typedef struct SomRofiTypes {
    const SomModuleType *types[3];            // by kind; of a pad, its tile
    int universal[6], cube[6];                // connectors by the numbers of their components
    int joints[3];                            // alpha, beta, gamma
    int links[4];                             // shoe A, body A, body B, shoe B: components 6 to 9
    int face, next, last, next_row, last_row; // connectors of a tile
} SomRofiTypes;

// A module of the file. Its modules in the assembly begin at `first`; a pad has a tile a connector.
typedef struct SomRofiModule {
    int id;
    SomRofiKind kind;
    int first;
    int width, height;
    SomSpan span;
} SomRofiModule;

// False after a report.
bool som_rofi_types(SomImporter *importer, SomRofiTypes *types);

// How many components and connectors a module has; connectors come first.
int som_rofi_component_count(const SomRofiModule *module);
int som_rofi_connector_count(const SomRofiModule *module);

// The module of the assembly that has a component, and its frame seen from there.
int som_rofi_component_module(const SomRofiModule *module, int component);
SomPose som_rofi_component(const SomModuleAssembly *assembly, const SomRofiTypes *types,
                           const SomRofiModule *module, int component);

// The connector of som_rofi_component_module, in its type.
int som_rofi_connector(const SomRofiTypes *types, const SomRofiModule *module, int component);

// Adds a module to the assembly. Of a pad, `of` is the config that som_rofi_write_pad writes.
void som_rofi_add_universal(SomModuleAssembly *assembly, const SomRofiTypes *types,
                            SomRofiModule *module, SomStr part, const double degrees[3],
                            SomArena *arena);
void som_rofi_add_cube(SomModuleAssembly *assembly, const SomRofiTypes *types,
                       SomRofiModule *module, SomStr part);
void som_rofi_add_pad(SomModuleAssembly *assembly, const SomRofiTypes *types, SomRofiModule *module,
                      SomStr part, SomStr of, SomArena *arena);
void som_rofi_write_pad(SomText *out, SomStr name, int width, int height, SomArena *arena);

#ifdef __cplusplus
}
#endif
