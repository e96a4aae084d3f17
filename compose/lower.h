// compose/lower.h - a configuration as a linkage: what the solver moves and the primitives edit.
//
// Each module is a sub-linkage of the top, named by its path, with the links and joints of its
// type; connections are fixed joints between them, tree joints along the tree from the base,
// closures else. The link of the base of each piece floats on its root joint; lock these to hold
// the design in its place.
//
//     SomLowering map = {0};
//     SomLinkage *linkage = som_lower(configuration, &posture, &map, diags);
//     SomJointId tilt = map.dofs[dof];
//     som_lowering_read(&map, linkage, &posture); // after the solver moved it
//     som_lowering_free(&map);
//     som_linkage_destroy(linkage);
//
// Poses of links are those of compose/mechanism.h.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/posture.h"

#ifdef __cplusplus
extern "C" {
#endif

// What became of what. Zero is empty. Owned by the caller.
typedef struct SomLowering {
    SomSublinkageId *modules;
    int *first_link;         // of each module, as in the mechanism
    SomLinkId *links;        // by link of the mechanism: first_link[module] + link of the type
    int *first_joint;        // of each module
    SomJointId *joints;      // first_joint[module] + joint of the type
    SomJointId *dofs;        // by DoF
    SomJointId *connections; // by connection
    int *coordinates;        // by DoF: SOM_DOF_RZ or SOM_DOF_TZ
    int dof_count;
    SomJointId *bases; // by piece: the root joint of the link of its base
    int base_count;
} SomLowering;

// NULL after a report, which only names in the design can cause.
SomLinkage *som_lower(const SomConfiguration *configuration, const SomPosture *posture,
                      SomLowering *map, SomDiagnostics *diags);
void som_lowering_free(SomLowering *map);

// The values of all DoF as they are now.
void som_lowering_read(const SomLowering *map, const SomLinkage *linkage, SomPosture *posture);

#ifdef __cplusplus
}
#endif
