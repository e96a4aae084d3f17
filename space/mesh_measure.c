// SPDX-License-Identifier: Apache-2.0
// What can be said of a mesh as a body.

#include "base/memory.h"
#include "space/mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

SomMeshBounds som_mesh_bounds(const SomMesh *mesh) {
    assert(mesh->vertex_count > 0);
    SomMeshBounds bounds = {mesh->vertices[0], mesh->vertices[0]};
    for (int i = 1; i < mesh->vertex_count; i++) {
        SomVec3 v = mesh->vertices[i];
        bounds.low =
            som_vec3(fmin(bounds.low.x, v.x), fmin(bounds.low.y, v.y), fmin(bounds.low.z, v.z));
        bounds.high =
            som_vec3(fmax(bounds.high.x, v.x), fmax(bounds.high.y, v.y), fmax(bounds.high.z, v.z));
    }
    return bounds;
}

// One side of a triangle in one number: its lower vertex, its higher one, and in the last bit
// whether it runs down. Sides of one edge are neighbours when sorted.
static uint64_t pack_side(int32_t from, int32_t to) {
    return from < to ? (uint64_t)from << 32 | (uint64_t)to << 1
                     : (uint64_t)to << 32 | (uint64_t)from << 1 | 1;
}

static int compare_sides(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

SomMeshTopology som_mesh_topology(const SomMesh *mesh) {
    SomMeshTopology topology = {0};
    int side_count = 3 * mesh->triangle_count;
    uint64_t *sides = som_alloc((size_t)side_count * sizeof *sides);
    for (int i = 0; i < side_count; i++) {
        int next = i % 3 == 2 ? i - 2 : i + 1;
        sides[i] = pack_side(mesh->triangles[i], mesh->triangles[next]);
    }
    qsort(sides, (size_t)side_count, sizeof *sides, compare_sides);
    for (int i = 0; i < side_count;) {
        uint64_t edge = sides[i] >> 1;
        int up = 0, down = 0;
        for (; i < side_count && sides[i] >> 1 == edge; i++) {
            up += (sides[i] & 1) == 0;
            down += (sides[i] & 1) == 1;
        }
        topology.open_edges += (up + down) % 2;
        topology.mixed_edges += abs(up - down) > (up + down) % 2;
    }
    som_free(sides);
    topology.is_closed = topology.open_edges == 0;
    topology.is_oriented = topology.mixed_edges == 0;
    return topology;
}
