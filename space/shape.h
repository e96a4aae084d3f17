// space/shape.h - solid shapes: what links are made of for collision, mass and pictures.
//
//     SomShape body;
//     if (som_shape_box(&body, som_vec3(0.1, 0.1, 0.08), span, diags)) {
//         SomVec3 corner = som_shape_support(&body, som_vec3(1, 1, 1));
//         som_shape_free(&body);
//     }
//
// A shape stands in its own frame, centred at the origin, axes along z; a pose puts it elsewhere.
// All kinds but the compound are convex. Sizes are full lengths when given and halves when kept.
// Ownership: a shape is a value; hulls and compounds own what they point to, so such a value has
// one owner, which frees it. Errors: sizes that are not positive, finite and below
// SOM_SHAPE_MAX_SIZE are diagnostics, and the call returns false.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/diagnostic.h"
#include "space/hull.h"
#include "space/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

// No side, radius or length is larger, in metres, nor smaller than its inverse.
#define SOM_SHAPE_MAX_SIZE 1e6

typedef enum SomShapeKind {
    SOM_SHAPE_BOX,
    SOM_SHAPE_CYLINDER,
    SOM_SHAPE_SPHERE,
    SOM_SHAPE_CAPSULE,
    SOM_SHAPE_HULL,
    SOM_SHAPE_COMPOUND,
} SomShapeKind;

typedef struct SomShape SomShape;
typedef struct SomShapePart SomShapePart;

struct SomShape {
    SomShapeKind kind;
    SomVec3 half;        // box: half its sides
    double radius;       // cylinder, sphere, capsule
    double half_length;  // cylinder, capsule: of the straight part, along z
    SomHull *hull;       // hull
    SomShapePart *parts; // compound
    int part_count;
};

struct SomShapePart {
    SomShape shape; // convex
    SomPose pose;   // in the compound
};

// A box with sides along the axes.
typedef struct SomBounds {
    SomVec3 low, high;
} SomBounds;

typedef struct SomBall {
    SomVec3 center;
    double radius;
} SomBall;

typedef struct SomRayHit {
    double distance; // along the ray, in lengths of its direction
    SomVec3 normal;  // of the surface there, of length 1
} SomRayHit;

bool som_shape_box(SomShape *shape, SomVec3 sides, SomSpan span, SomDiagnostics *diags);
bool som_shape_cylinder(SomShape *shape, double radius, double length, SomSpan span,
                        SomDiagnostics *diags);
bool som_shape_sphere(SomShape *shape, double radius, SomSpan span, SomDiagnostics *diags);
// `length` is that of the straight part; the caps add a radius at each end.
bool som_shape_capsule(SomShape *shape, double radius, double length, SomSpan span,
                       SomDiagnostics *diags);
bool som_shape_hull(SomShape *shape, const SomVec3 *points, int count, SomSpan span,
                    SomDiagnostics *diags);
// Takes over the shapes of the parts, which must be convex; at least one.
SomShape som_shape_compound(const SomShapePart *parts, int count);

SomShape som_shape_copy(const SomShape *shape); // the caller frees it
void som_shape_free(SomShape *shape);           // leaves a sphere of radius 0

const char *som_shape_kind_name(SomShapeKind kind); // "box", "cylinder", …

// A point of the shape farthest in a direction, of any length but 0. Of a compound, of its hull.
SomVec3 som_shape_support(const SomShape *shape, SomVec3 direction);

bool som_shape_contains(const SomShape *shape, SomVec3 point); // the surface belongs to it

// The tight box round the shape in a pose, and a ball round it in its own frame (the smallest for
// all kinds but hulls and compounds).
SomBounds som_shape_bounds(const SomShape *shape, SomPose pose);
SomBall som_shape_ball(const SomShape *shape);

// Where a ray first enters the shape, in its frame; a ray that starts inside hits nothing of a
// convex shape. `hit` is only written on a hit.
bool som_shape_cast_ray(const SomShape *shape, SomVec3 origin, SomVec3 direction, SomRayHit *hit);

#ifdef __cplusplus
}
#endif
