// space/hull_internal.h - the exact heart of space/hull.c: the hull of points with whole numbers
// for coordinates.

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/memory.h"

#include <stdint.h>

// No coordinate is larger, so that every sign is decided in 192 bits.
#define SOM_HULL_GRID_LIMIT ((int64_t)1 << 51)

typedef struct SomGridPoint {
    int64_t x[3];
} SomGridPoint;

typedef SOM_ARRAY(int32_t) SomIndexArray;

// Appends the triangles of the hull, three points each, counterclockwise from outside. `start` are
// four points not in one plane. Of equal points one is used; points inside a flat face or an edge
// may be corners. Takes n log n steps on average for any input.
void som_hull_find_triangles(const SomGridPoint *points, int count, const int start[4],
                             SomIndexArray *triangles);
