// space/mass.h - volume, centre of mass and moments of inertia of solids of one density.
//
//     SomInertia inertia = som_shape_inertia(&shape, 1000);       // kg/m^3
//     inertia = som_inertia_with_mass(inertia, 0.31);             // what the scales say
//     SomPrincipal principal = som_inertia_principal(inertia);
//
// Exact formulas for every shape; polyhedra are summed over tetrahedra, exact but for rounding. The
// parts of a compound are summed, so what overlaps counts twice. See space/twist.h for what can be
// done with an inertia.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"
#include "space/twist.h"

#ifdef __cplusplus
extern "C" {
#endif

double som_shape_volume(const SomShape *shape);
SomInertia som_shape_inertia(const SomShape *shape, double density);

// Of the solid inside a closed surface: three vertices a triangle, counterclockwise from outside. A
// surface turned inside out has a negative mass.
SomInertia som_surface_inertia(const SomVec3 *vertices, const int32_t *triangles,
                               int triangle_count, double density);

// The same distribution with another mass; the given one must not be 0.
SomInertia som_inertia_with_mass(SomInertia inertia, double mass);

// Moments about the principal axes, rising, and the right-handed axes as columns.
typedef struct SomPrincipal {
    double moments[3];
    SomMat3 axes;
} SomPrincipal;

SomPrincipal som_inertia_principal(SomInertia inertia);

// Could a solid body have it? The mass is positive, and each principal moment positive and at most
// the sum of the two others, but for rounding.
bool som_inertia_is_physical(SomInertia inertia);

#ifdef __cplusplus
}
#endif
