// SPDX-License-Identifier: Apache-2.0
// The mesh being built: equal vertices become one, polygons become triangles, limits hold.

#include "base/codes/space_codes.h"
#include "base/number.h"
#include "space/mesh_internal.h"

#include <math.h>
#include <stdint.h>

// Cutting ears off polygons is O(n^2), at worst O(n^3). After this many tests in one file (about a
// second), polygons are cut as if they were convex, so that no file can make it hang.
#define MAX_EAR_TESTS 100000000

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_same_place(SomVec3 a, SomVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The slot of a vertex, or the free one where it belongs. The hash starts from the address of the
// table, which differs from run to run, so that no file can be made to collide; the mesh does not
// depend on it.
static size_t find_slot(const SomMeshReader *reader, SomVec3 v) {
    uint64_t hash = mix(bits_of(v.x) + (uint64_t)(uintptr_t)reader->slots);
    hash = mix(hash ^ bits_of(v.y));
    hash = mix(hash ^ bits_of(v.z));
    size_t slot = (size_t)hash & (reader->slot_count - 1);
    while (reader->slots[slot] != 0) {
        if (is_same_place(v, reader->vertices.data[reader->slots[slot] - 1])) {
            break;
        }
        slot = (slot + 1) & (reader->slot_count - 1);
    }
    return slot;
}

static void grow_slots(SomMeshReader *reader) {
    som_free(reader->slots);
    reader->slot_count = reader->slot_count == 0 ? 64 : 2 * reader->slot_count;
    reader->slots = som_alloc(reader->slot_count * sizeof *reader->slots);
    for (int i = 0; i < reader->vertices.count; i++) {
        reader->slots[find_slot(reader, reader->vertices.data[i])] = i + 1;
    }
}

static int32_t add_vertex(SomMeshReader *reader, SomVec3 v) {
    if (2 * (size_t)(reader->vertices.count + 1) > reader->slot_count) {
        grow_slots(reader);
    }
    size_t slot = find_slot(reader, v);
    if (reader->slots[slot] == 0) {
        som_array_push(&reader->vertices, v);
        reader->slots[slot] = reader->vertices.count;
    }
    return reader->slots[slot] - 1;
}

// A triangle with two equal corners has no area, and without it its other edges still pair.
static void add_triangle(SomMeshReader *reader, SomVec3 a, SomVec3 b, SomVec3 c) {
    if (is_same_place(a, b) || is_same_place(b, c) || is_same_place(c, a)) {
        return;
    }
    som_array_push(&reader->triangles, add_vertex(reader, a));
    som_array_push(&reader->triangles, add_vertex(reader, b));
    som_array_push(&reader->triangles, add_vertex(reader, c));
}

// Twice the area of triangle abc as seen from where `normal` points to; negative if clockwise.
static double turn(SomVec3 a, SomVec3 b, SomVec3 c, SomVec3 normal) {
    return som_vec3_dot(som_vec3_cross(som_vec3_sub(b, a), som_vec3_sub(c, a)), normal);
}

// Newell: the sum of the areas seen from the first corner, which is the polygon's own normal even
// where it is not convex.
static SomVec3 polygon_normal(const SomVec3 *p, int count) {
    SomVec3 sum = {0, 0, 0};
    for (int i = 1; i + 1 < count; i++) {
        SomVec3 area = som_vec3_cross(som_vec3_sub(p[i], p[0]), som_vec3_sub(p[i + 1], p[0]));
        sum = som_vec3_add(sum, area);
    }
    return sum;
}

static bool is_convex(const SomVec3 *p, int count, SomVec3 normal) {
    for (int i = 0; i < count; i++) {
        if (turn(p[i], p[(i + 1) % count], p[(i + 2) % count], normal) < 0) {
            return false;
        }
    }
    return true;
}

// Whether the triangle a, b, c of the corners that are left (linked by `next`) can be cut off: it
// turns left and no other corner lies in it.
static bool is_ear(SomMeshReader *reader, const SomVec3 *p, const int *next, int a,
                   SomVec3 normal) {
    int b = next[a], c = next[b];
    if (turn(p[a], p[b], p[c], normal) <= 0) {
        reader->ear_tests++;
        return false;
    }
    for (int i = next[c]; i != a; i = next[i]) {
        reader->ear_tests++;
        bool is_corner =
            is_same_place(p[i], p[a]) || is_same_place(p[i], p[b]) || is_same_place(p[i], p[c]);
        if (!is_corner && turn(p[a], p[b], p[i], normal) >= 0 &&
            turn(p[b], p[c], p[i], normal) >= 0 && turn(p[c], p[a], p[i], normal) >= 0) {
            return false;
        }
    }
    return true;
}

static void cut_ears(SomMeshReader *reader, const SomVec3 *p, int count, SomVec3 normal) {
    int *next = som_alloc((size_t)count * sizeof *next);
    for (int i = 0; i < count; i++) {
        next[i] = (i + 1) % count;
    }
    int a = 0;
    for (int left = count; left > 3; left--) {
        // a polygon that crosses itself may have no ear: then any corner goes, so that it ends
        for (int tried = 0; tried < left && reader->ear_tests < MAX_EAR_TESTS; tried++) {
            if (is_ear(reader, p, next, a, normal)) {
                break;
            }
            a = next[a];
        }
        int b = next[a];
        add_triangle(reader, p[a], p[b], p[next[b]]);
        next[a] = next[b];
    }
    add_triangle(reader, p[a], p[next[a]], p[next[next[a]]]);
    som_free(next);
}

// Complains unless the scaled corner is a place that a robot can have.
static bool check_place(SomMeshReader *reader, SomVec3 v, size_t at) {
    const double values[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        if (!isfinite(values[i])) {
            return som_mesh_fail(reader, SOM_MESH_NOT_FINITE, at,
                                 "a vertex has a coordinate %c that is not a finite number",
                                 "xyz"[i]);
        }
        if (fabs(values[i]) > SOM_MESH_MAX_COORDINATE) {
            char text[SOM_NUMBER_TEXT];
            som_number_print(values[i], text);
            return som_mesh_fail(reader, SOM_MESH_TOO_FAR, at, "a vertex has %c = %s m", "xyz"[i],
                                 text);
        }
    }
    return true;
}

bool som_mesh_add_polygon(SomMeshReader *reader, const SomVec3 *corners, int count, size_t at) {
    if (count - 2 > reader->options.max_triangles - reader->triangles.count / 3) {
        return som_mesh_fail(reader, SOM_MESH_TOO_MANY_TRIANGLES, SOM_MESH_NOWHERE,
                             "it has more than %d triangles", reader->options.max_triangles);
    }
    SomVec3 *p = som_alloc((size_t)count * sizeof *p);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        // adding 0 makes -0 a 0, so that equal places have equal bits
        double scale = reader->options.scale;
        p[i] =
            som_vec3(scale * corners[i].x + 0, scale * corners[i].y + 0, scale * corners[i].z + 0);
        good = check_place(reader, p[i], at);
    }
    if (good) {
        SomVec3 normal = polygon_normal(p, count);
        if (count == 3 || is_convex(p, count, normal)) {
            for (int i = 1; i + 1 < count; i++) {
                add_triangle(reader, p[0], p[i], p[i + 1]);
            }
        } else {
            cut_ears(reader, p, count, normal);
        }
    }
    som_free(p);
    return good;
}
