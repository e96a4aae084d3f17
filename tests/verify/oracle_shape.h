// tests/verify/oracle_shape.h - solids that know how deep a point is in them, and from that whether
// two of them overlap: nothing of it is shared with space/ and verify/.
//
// The depth that two solids share is the radius of the largest ball in both of them: the minimum
// over all points of the larger signed distance, which is a convex function. It is found by
// shrinking an ellipsoid, which also gives a proven bound. The value is positive for solids that
// are apart: half of their distance.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/exchange/matrix.h"

typedef enum OracleKind {
    ORACLE_BALL,
    ORACLE_BOX,
    ORACLE_CYLINDER, // along its own z axis
    ORACLE_CAPSULE,  // likewise
} OracleKind;

typedef struct OracleShape {
    OracleKind kind;
    double place[6]; // x, y, z, roll, pitch, yaw
    double half[3];  // of a box
    double radius;
    double half_length; // of the axis
} OracleShape;

// A shape somewhere in the world.
typedef struct OracleSolid {
    const OracleShape *shape;
    SomTestMatrix at;
    double radius; // of a ball round its middle
} OracleSolid;

OracleSolid oracle_solid(const OracleShape *shape, const SomTestMatrix *link);

typedef enum OracleTouch {
    ORACLE_APART, // by more than the margin
    ORACLE_NEAR,
    ORACLE_OVERLAP, // by more than the margin
} OracleTouch;

OracleTouch oracle_touch(const OracleSolid *a, const OracleSolid *b, double margin);

// Corners, lowest points and points of rims: every lowest point of the solid is among them, or
// nearer than a hundredth of its radius.
#define ORACLE_MOST_POINTS 64
int oracle_points(const OracleSolid *solid, double (*points)[3]);
