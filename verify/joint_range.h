// verify/joint_range.h - how two links that a joint joins overlap over the whole range of the
// joint.
//
//     SomJointOverlap overlap = som_joint_overlap(joint, &parent, &child, touch, deepest);
//     if (overlap == SOM_OVERLAP_LASTS) ... // need not be tested in any posture
//
// The depth changes by no more than the child moves against the parent, so that a depth measured at
// one value is a bound for the values near by. A joint without limits turns all the way around; of
// a slide without limits nothing is proven. The work is limited: links with many parts, or long
// arms and little room, may be left unproven.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/module_type.h"
#include "verify/link_solid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SomJointOverlap {
    SOM_OVERLAP_LASTS,    // never apart, and never deeper than `deepest`
    SOM_OVERLAP_ENDS,     // never deeper, but apart somewhere
    SOM_OVERLAP_UNPROVEN, // deeper somewhere, or not proven
} SomJointOverlap;

// Solids that are farther apart than `touch`, in metres, are apart.
SomJointOverlap som_joint_overlap(const SomModuleJoint *joint, const SomLinkSolid *parent,
                                  const SomLinkSolid *child, double touch, double deepest);

#ifdef __cplusplus
}
#endif
