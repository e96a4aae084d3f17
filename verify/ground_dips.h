// verify/ground_dips.h - links that go below a height while the base stays where it is.
//
//     SomDips dips = {0};
//     som_find_dips(&(SomDipDef){.pairs = pairs, .motion = motion, .tolerance = 1e-3}, &dips);
//     for (int i = 0; i < dips.count; i++) ...           // the deepest comes first
//     som_array_free(&dips);
//
// True at all times, not only at samples, as verify/certificate.h: a link that is not told is never
// lower than the tolerance, the first time is exact to the resolution, the depth to a tenth of a
// millimetre or a hundredth. How deep it is in a step is how far it would have to go up or back.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"
#include "verify/motion_tree.h"
#include "verify/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomDipDef {
    const SomPairs *pairs;
    SomMotion motion;
    double height; // of the ground, in the world
    double step;   // by which it is higher from `step_at` on, along x; 0: there is no step
    double step_at;
    double tolerance;  // less than this is no dip
    bool skips_loose;  // looks at the piece of the base only
    double resolution; // seconds; 0: 0.5 ms
} SomDipDef;

typedef struct SomDip {
    int link;
    double t0, t1; // from the first time on until the last
    double depth, depth_time;
} SomDip;

typedef SOM_ARRAY(SomDip) SomDips;

// How exactly a depth is known.
static inline double som_dip_tolerance(double depth) {
    return fmax(1e-4, 0.01 * depth);
}

// False if the motion is so wild that what lies between its samples was not looked at to the end.
bool som_find_dips(const SomDipDef *def, SomDips *dips);

#ifdef __cplusplus
}
#endif
