// verify/spheres.h - collisions as the laboratory measures them: spheres round module centres.
//
//     SomSphereTouch touch = som_spheres_first_touch(mechanism, &motion);
//     if (touch.module_a >= 0) ... touch.time ...
//
// The program of Tosun, Jing, Kress-Gazit and Yim puts a sphere into each module, of half the
// distance of two connected ones, and calls it a collision where centres are nearer than 99 % of
// two radii. Real shapes are verify/certificate.h's; this is for comparing with published figures.
// The centre of a module is the origin of its frame, and the radius the distance of its connectors
// from there; a type whose connectors are not all equally far has no sphere. The time
// is exact to a microsecond where distances cross at a sample or between two, but two crossings in
// one tick may be missed, as there.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/motion_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SomSphereTouch {
    int module_a, module_b; // -1: no two touch
    double time;
} SomSphereTouch;

// The sphere of a type: false if it has none.
bool som_module_sphere(const SomModuleType *type, SomBall *ball);

SomSphereTouch som_spheres_first_touch(const SomMechanism *mechanism, const SomMotion *motion);

#ifdef __cplusplus
}
#endif
