// studio/assembly.h - something is being connected: what, where, how it is turned, or why not.
//
//     SomAssembly *assembly = som_assembly_create(project);
//     if (som_assembly_begin_part(assembly, SOM_STR("Chain3"), SOM_STR("chain3.som"))) {
//         som_assembly_aim(assembly, &aim);      // the pointer moved: the nearest legal mating
//         som_assembly_turn(assembly, 1);        // by the angles that are offered
//         som_assembly_change_own(assembly, 1);  // by another connector of the part
//         som_assembly_drop(assembly);           // one step of undo
//     }
//
// A new part, a copy of one or one that is moved is a body that hangs in the air as a ghost; two
// connectors that are to be connected have none. All rules are those of compose/matings.h; what is
// done is one operation of compose/design_edit.h. Nothing here knows of GTK.
//
// Ownership: the project is borrowed. After a change of it call som_assembly_follow, which finds
// the connectors again or, if what was held is gone, ends.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/matings.h"
#include "studio/project.h"

typedef struct SomAssembly SomAssembly;

typedef enum SomAssemblyKind {
    SOM_ASSEMBLY_IDLE,
    SOM_ASSEMBLY_ADD,     // a part of the library
    SOM_ASSEMBLY_COPY,    // a part of the design once more
    SOM_ASSEMBLY_MOVE,    // a part of the design, with all that hangs on it
    SOM_ASSEMBLY_CONNECT, // two connectors
} SomAssemblyKind;

// What is held: the modules of a mechanism, all or some.
typedef struct SomAssemblyBody {
    const SomMechanism *mechanism; // NULL: nothing is seen
    const SomPose *links;          // of the mechanism, in its own world
    const SomLinkMeshes *meshes;
    const bool *is_held; // by module; NULL: all
} SomAssemblyBody;

SomAssembly *som_assembly_create(SomProject *project);
void som_assembly_destroy(SomAssembly *assembly); // NULL is allowed

// Each ends what was before. False with a reason, and idle.
bool som_assembly_begin_part(SomAssembly *assembly, SomStr reference, SomStr file);
bool som_assembly_begin_copy(SomAssembly *assembly, SomStr part);
// What the module belongs to and hangs by a connection of the design's own; by this connector, or
// -1 by any.
bool som_assembly_begin_move(SomAssembly *assembly, int module, int connector);
// The same where it is, by the connector it hangs by, to be turned.
bool som_assembly_begin_turn(SomAssembly *assembly, int module);
bool som_assembly_begin_connect(SomAssembly *assembly, int module, int connector);
void som_assembly_cancel(SomAssembly *assembly);

// After a change of the project; told what changed.
void som_assembly_follow(SomAssembly *assembly, unsigned changes);

SomAssemblyKind som_assembly_kind(const SomAssembly *assembly);
SomAssemblyBody som_assembly_body(const SomAssembly *assembly);
// The first of two connectors; -1 if that is not what is done.
int som_assembly_first_module(const SomAssembly *assembly);
int som_assembly_first_connector(const SomAssembly *assembly);

// Connectors of the design at which something is offered; `is_offered` is one flag a site. A design
// without parts has none, and needs none.
const SomSites *som_assembly_sites(const SomAssembly *assembly, const bool **is_offered);
bool som_assembly_is_first(const SomAssembly *assembly); // the part will be all of the design

// True if there is a candidate afterwards.
bool som_assembly_aim(SomAssembly *assembly, const SomAim *aim);
bool som_assembly_aim_at(SomAssembly *assembly, int module, int connector); // exactly there
bool som_assembly_turn(SomAssembly *assembly, int steps);
bool som_assembly_change_own(SomAssembly *assembly, int steps);  // connector of the part
bool som_assembly_change_site(SomAssembly *assembly, int steps); // connector of the design

// How it would be connected now; NULL if it would not.
const SomCandidate *som_assembly_candidate(const SomAssembly *assembly);
int som_assembly_angle_count(const SomAssembly *assembly); // that are offered there
int som_assembly_angle_index(const SomAssembly *assembly);
bool som_assembly_overlaps(SomAssembly *assembly); // as it would be, it reaches into the design

// What is done, for people: "chain3.head.L to body.front.middle.L at 90°", or why nothing can be.
void som_assembly_print(SomAssembly *assembly, SomText *out);
SomStr som_assembly_reason(const SomAssembly *assembly); // empty if there is a candidate

// Does it. Idle afterwards if it was done; else the design's refusal says why, and it goes on.
bool som_assembly_drop(SomAssembly *assembly);
