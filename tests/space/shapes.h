// tests/space/shapes.h - shapes and poses that tests of space share.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "space/shape.h"
#include "tests/suite.h"

SomVec3 random_vec3(SomTestRandom *random, double low, double high);
SomVec3 random_direction(SomTestRandom *random); // of length 1
SomPose random_pose(SomTestRandom *random, double reach);

// A convex shape of any kind, sizes from 0.1 to 1 m; the caller frees it.
SomShape random_shape(SomTestRandom *random, SomShapeKind kind);

// The hull of points on a sphere: rings from pole to pole, each of `around` points.
SomShape tessellated_sphere(double radius, int rings, int around);
SomShape tessellated_cylinder(double radius, double length, int around);
