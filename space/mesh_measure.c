// SPDX-License-Identifier: Apache-2.0
// What can be said of a mesh as a body.

#include "base/codes/space_codes.h"
#include "base/memory.h"
#include "space/mesh.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

SomBounds som_mesh_bounds(const SomMesh *mesh) {
    assert(mesh->vertex_count > 0);
    SomBounds bounds = {mesh->vertices[0], mesh->vertices[0]};
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

// ---- hull and mass ----

// The vertices farthest in 26 directions.
static int find_extremes(const SomMesh *mesh, SomVec3 extremes[26]) {
    int count = 0;
    for (int i = 0; i < 27; i++) {
        SomVec3 direction = som_vec3(i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1);
        if (i == 13) { // nowhere
            continue;
        }
        SomVec3 best = mesh->vertices[0];
        for (int k = 1; k < mesh->vertex_count; k++) {
            SomVec3 v = mesh->vertices[k];
            best = som_vec3_dot(direction, v) > som_vec3_dot(direction, best) ? v : best;
        }
        extremes[count++] = best;
    }
    return count;
}

static bool is_inside(const SomHull *hull, SomVec3 v, double margin) {
    for (int i = 0; i < hull->plane_count; i++) {
        if (som_vec3_dot(hull->planes[i].normal, v) > hull->planes[i].offset + margin) {
            return false;
        }
    }
    return true;
}

// Of a mesh with more vertices than a hull takes, most lie inside the hull of a few and are left
// out. Those on its faces go too, as far as rounding allows to tell. Returns how many are kept.
static int thin_out(const SomMesh *mesh, SomVec3 *kept) {
    SomVec3 extremes[26];
    int extreme_count = find_extremes(mesh, extremes);
    SomDiagnostics *silent = som_diagnostics_create(); // the hull of all says what is wrong
    SomHull *core = som_hull_create(extremes, extreme_count, (SomSpan){0}, silent);
    som_diagnostics_destroy(silent);
    SomBounds bounds = som_mesh_bounds(mesh);
    double extent = som_vec3_length(som_vec3_sub(bounds.high, bounds.low));
    int count = 0;
    for (int i = 0; core != NULL && i < core->vertex_count; i++) {
        kept[count++] = core->vertices[i];
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        if (core == NULL || !is_inside(core, mesh->vertices[i], 1e-13 * extent)) {
            kept[count++] = mesh->vertices[i];
        }
    }
    som_hull_destroy(core);
    return count;
}

SomHull *som_mesh_hull(const SomMesh *mesh, SomStr name, SomSpan span, SomDiagnostics *diags) {
    SomHull *hull = NULL;
    if (mesh->vertex_count <= SOM_HULL_MAX_POINTS) {
        hull = som_hull_create(mesh->vertices, mesh->vertex_count, span, diags);
    } else {
        SomVec3 *kept = som_alloc(((size_t)mesh->vertex_count + 26) * sizeof *kept);
        hull = som_hull_create(kept, thin_out(mesh, kept), span, diags);
        som_free(kept);
    }
    if (hull == NULL) {
        som_note(diags, (SomSpan){0}, "the points are those of mesh '%.*s'", SOM_STR_ARG(name));
    }
    return hull;
}

// Why a mesh encloses no volume, in words; empty if it seems to.
static void explain_openness(SomMeshTopology topology, SomText *why) {
    if (!topology.is_closed) {
        som_text_printf(why, "%d of its edges %s open", topology.open_edges,
                        topology.open_edges == 1 ? "is" : "are");
    } else if (!topology.is_oriented) {
        som_text_printf(why, "at %d of its edges the triangles face different ways",
                        topology.mixed_edges);
    }
}

bool som_mesh_inertia(const SomMesh *mesh, SomStr name, double density, SomSpan span,
                      SomInertia *inertia, SomDiagnostics *diags) {
    SomText why = {0};
    explain_openness(som_mesh_topology(mesh), &why);
    if (why.length == 0) {
        SomInertia solid =
            som_surface_inertia(mesh->vertices, mesh->triangles, mesh->triangle_count, density);
        bool turned = solid.mass < 0;
        if (turned) {
            solid = som_inertia_with_mass(solid, -solid.mass);
        }
        if (som_inertia_is_physical(solid)) {
            if (turned) {
                som_report(diags, SOM_MESH_INSIDE_OUT, span,
                           "mesh '%.*s': its triangles face inwards", SOM_STR_ARG(name));
            }
            *inertia = solid;
            return true;
        }
        som_text_add(&why, SOM_STR("it lies flat or crosses itself"));
    }
    SomHull *hull = som_mesh_hull(mesh, name, span, diags);
    if (hull != NULL) {
        som_report(diags, SOM_MESH_NOT_SOLID, span,
                   "mesh '%.*s': it encloses no volume (%s), so it has the mass of its hull",
                   SOM_STR_ARG(name), why.data);
        *inertia =
            som_surface_inertia(hull->vertices, hull->triangles, hull->triangle_count, density);
    }
    som_text_free(&why);
    bool good = hull != NULL;
    som_hull_destroy(hull);
    return good;
}
