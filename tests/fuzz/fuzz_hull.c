// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any points have a hull or a reason why not.
//
// A hull that is refused was reported once, one that is made was not. Its surface is closed: each
// side of a triangle runs once each way, and vertices, edges and triangles are those of a ball. It
// has a volume; no point sticks out of a plane by more than a few billionths of the extent;
// climbing from any vertex finds the farthest; and made once more it is the same.

#include "space/hull.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_POINTS 200

static void require(bool fact) {
    if (!fact) {
        abort();
    }
}

typedef struct Bytes {
    const uint8_t *data;
    size_t left;
} Bytes;

static int take_byte(Bytes *bytes) {
    if (bytes->left == 0) {
        return 0;
    }
    bytes->left--;
    return *bytes->data++;
}

// Mostly one of few round numbers, so that points lie in planes and lines; sometimes one that is
// almost round, or any double at all.
static double take_number(Bytes *bytes) {
    int kind = take_byte(bytes);
    if (kind < 192) {
        return (kind % 32 - 16) * 0.1;
    }
    if (kind < 248) {
        return (kind % 8 - 4) * 0.1 + ldexp(take_byte(bytes) - 128, -kind % 60);
    }
    uint8_t raw[sizeof(double)];
    for (size_t i = 0; i < sizeof raw; i++) {
        raw[i] = (uint8_t)take_byte(bytes);
    }
    double value;
    memcpy(&value, raw, sizeof value);
    return value;
}

static SomVec3 take_vector(Bytes *bytes) {
    double x = take_number(bytes), y = take_number(bytes), z = take_number(bytes);
    return som_vec3(x, y, z);
}

static void check_surface(const SomHull *hull) {
    static char runs[MAX_POINTS][MAX_POINTS];
    int n = hull->vertex_count;
    memset(runs, 0, sizeof runs);
    double volume = 0;
    for (int i = 0; i < 3 * hull->triangle_count; i += 3) {
        const int32_t *t = hull->triangles + i;
        for (int k = 0; k < 3; k++) {
            require(runs[t[k]][t[(k + 1) % 3]]++ == 0);
        }
        SomVec3 a = som_vec3_sub(hull->vertices[t[0]], hull->vertices[0]);
        SomVec3 b = som_vec3_sub(hull->vertices[t[1]], hull->vertices[0]);
        SomVec3 c = som_vec3_sub(hull->vertices[t[2]], hull->vertices[0]);
        volume += som_vec3_dot(a, som_vec3_cross(b, c));
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            require(runs[i][k] == runs[k][i]);
        }
    }
    require(hull->triangle_count == 2 * (n - 2));
    require(hull->neighbor_begin[n] == 3 * hull->triangle_count);
    require(volume > 0);
}

static void check_planes(const SomHull *hull, const SomVec3 *points, int count) {
    double extent = 0;
    for (int i = 1; i < count; i++) {
        extent = fmax(extent, som_vec3_length(som_vec3_sub(points[i], points[0])));
    }
    for (int i = 0; i < hull->plane_count; i++) {
        SomPlane plane = hull->planes[i];
        require(fabs(som_vec3_length(plane.normal) - 1) < 1e-14);
        for (int k = 0; k < count; k++) {
            double out = som_vec3_dot(plane.normal, points[k]) - plane.offset;
            require(out <= 1e-8 * extent + 1e-15 * som_vec3_length(points[k]));
        }
        SomVec3 found =
            hull->vertices[som_hull_support(hull, plane.normal, i % hull->vertex_count)];
        for (int k = 0; k < hull->vertex_count; k++) {
            SomVec3 way = som_vec3_sub(hull->vertices[k], found);
            require(som_vec3_dot(plane.normal, way) <= 1e-14 * extent);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes bytes = {data, size};
    SomVec3 points[MAX_POINTS];
    int count = 0;
    while (bytes.left > 0 && count < MAX_POINTS) {
        points[count++] = take_vector(&bytes);
    }
    SomDiagnostics *diags = som_diagnostics_create();
    SomHull *hull = som_hull_create(points, count, (SomSpan){0}, diags);
    require(som_diagnostics_error_count(diags) == (hull == NULL));
    if (hull != NULL) {
        check_surface(hull);
        check_planes(hull, points, count);
        SomHull *again = som_hull_create(points, count, (SomSpan){0}, diags);
        require(again->triangle_count == hull->triangle_count);
        require(memcmp(again->triangles, hull->triangles,
                       (size_t)hull->triangle_count * 3 * sizeof *hull->triangles) == 0);
        som_hull_destroy(again);
        som_hull_destroy(hull);
    }
    som_diagnostics_destroy(diags);
    return 0;
}
