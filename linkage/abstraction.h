// linkage/abstraction.h - a complicated part behind a simple virtual interface that drives it.
//
// A leg of many links may behave like a piston. som_linkage_abstract puts its links in a
// sub-linkage and a chain of virtual joints, the interface, between the same two end links.
// Whatever is outside then only deals with the interface; the part behind it is driven, and
// follows.
//
//     SomInterfaceJoint piston[] = {{.name = SOM_STR("lean"), .type = SOM_JOINT_REVOLUTE}, ...};
//     SomSublinkageId front = som_linkage_abstract(linkage, &(SomAbstractionDef){...}, diags);
//     SomAbstractionCheck check;
//     som_abstraction_check(linkage, front, 5, &check, diags); // can the leg follow everywhere?
//
// Errors: as in linkage/linkage.h; a refused abstraction changes nothing. The check never changes
// the linkage.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linkage/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

// One joint of the chain. A pose of zeros only stands for the identity.
typedef struct SomInterfaceJoint {
    SomStr name;
    SomJointType type;
    SomPose parent_frame;
    SomPose child_frame;
    SomLimits limits;
    double value[6]; // to begin with
} SomInterfaceJoint;

typedef struct SomAbstractionDef {
    SomStr name;            // of the interface, a simultaneous sub-linkage around the part
    SomStr inside_name;     // of the part, which the interface drives
    const SomLinkId *links; // the part; they must hang together, without the end links
    int link_count;
    SomLinkId base; // end links
    SomLinkId tip;
    const SomInterfaceJoint *joints; // from base to tip, with a virtual link between each two
    int joint_count;
} SomAbstractionDef;

// All joints of the chain join the tree but the last, a closure at the tip.
SomSublinkageId som_linkage_abstract(SomLinkage *linkage, const SomAbstractionDef *def,
                                     SomDiagnostics *diags);

typedef struct SomAbstractionCheck {
    int samples;     // positions of the interface that were tried
    int unreachable; // of these, out of reach of the interface itself, which says nothing
    int failed;      // of the others, where the part could not follow
    double worst;    // residual of a closure of the part: metres and radians together
} SomAbstractionCheck;

// Tries positions of the interface within its limits, `per_dof` along each of its coordinates but
// at most 2000 in all, and lets the part follow. True if it always can: as far as samples show, the
// abstraction is proper. Else the first failure is reported, or that the interface came to no
// position at all. A slide without limits is an error.
bool som_abstraction_check(const SomLinkage *linkage, SomSublinkageId interface_part, int per_dof,
                           SomAbstractionCheck *check, SomDiagnostics *diags);

#ifdef __cplusplus
}
#endif
