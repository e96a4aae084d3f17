// SPDX-License-Identifier: Apache-2.0
// Every geometry becomes a mesh with shared corners first; normals and edges of all come from one
// procedure.

#include "render/tessellation.h"

#include "space/trigonometry.h"

#include <assert.h>
#include <stdlib.h>

// At a corner of more faces, about so many of them speak for all: comparing all pairs would take
// for ever.
#define MOST_FACES 256

typedef struct Points {
    SOM_ARRAY(SomVec3) vertices;
    SOM_ARRAY(int32_t) triangles;
} Points;

static void add_triangle(Points *points, int a, int b, int c) {
    som_array_push(&points->triangles, a);
    som_array_push(&points->triangles, b);
    som_array_push(&points->triangles, c);
}

static void make_box(SomVec3 half, Points *points) {
    static const int8_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 8; i++) {
        som_array_push(&points->vertices,
                       som_vec3((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                (i & 4) != 0 ? half.z : -half.z));
    }
    for (int i = 0; i < 6; i++) {
        add_triangle(points, sides[i][0], sides[i][1], sides[i][2]);
        add_triangle(points, sides[i][0], sides[i][2], sides[i][3]);
    }
}

// A ring of points about z; the rings of one body are joined to their predecessors.
static void add_ring(Points *points, double radius, double z, int around) {
    for (int i = 0; i < around; i++) {
        double s, c;
        som_sincos(2 * SOM_PI * i / around, &s, &c);
        som_array_push(&points->vertices, som_vec3(radius * c, radius * s, z));
    }
}

// Vertex 0 is the lower pole, then come rings from below, then the upper pole.
static void close_rings(Points *points, int rings, int around) {
    int top = 1 + rings * around;
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around;
        add_triangle(points, 0, 1 + next, 1 + i);
        for (int r = 0; r + 1 < rings; r++) {
            int low = 1 + r * around, high = low + around;
            add_triangle(points, low + i, low + next, high + next);
            add_triangle(points, low + i, high + next, high + i);
        }
        add_triangle(points, top, top - around + i, top - around + next);
    }
}

static void make_cylinder(double radius, double half_length, int around, Points *points) {
    som_array_push(&points->vertices, som_vec3(0, 0, -half_length));
    add_ring(points, radius, -half_length, around);
    add_ring(points, radius, half_length, around);
    som_array_push(&points->vertices, som_vec3(0, 0, half_length));
    close_rings(points, 2, around);
}

// A sphere too, which is a capsule of length 0.
static void make_capsule(double radius, double half_length, int around, Points *points) {
    int quarter = around / 4;
    int rings = 0;
    som_array_push(&points->vertices, som_vec3(0, 0, -half_length - radius));
    for (int half = 0; half < 2; half++) {
        double shift = half == 0 ? -half_length : half_length;
        for (int i = half == 0 ? 1 : 0; i < (half == 0 ? quarter + 1 : quarter); i++) {
            if (half == 1 && i == 0 && half_length == 0) {
                continue; // both equators are one
            }
            double s, c;
            som_sincos(SOM_PI / 2 * (i + half * quarter - quarter) / quarter, &s, &c);
            add_ring(points, radius * c, radius * s + shift, around);
            rings++;
        }
    }
    som_array_push(&points->vertices, som_vec3(0, 0, half_length + radius));
    close_rings(points, rings, around);
}

// ---- normals

typedef struct Surface {
    const SomVec3 *vertices;
    const int32_t *triangles;
    int vertex_count, triangle_count;
    SomVec3 *normals; // of the triangles, of length 1, or 0
    int *begin;       // the corners at vertex i are corners[begin[i]] to before begin[i + 1]
    int *corners;     // 3 * triangle + which
} Surface;

static SomVec3 unit(SomVec3 v) {
    double length = som_vec3_length(v);
    return length > 0 ? som_vec3_scale(1 / length, v) : som_vec3(0, 0, 0);
}

static SomVec3 corner_point(const Surface *s, int triangle, int which) {
    return s->vertices[s->triangles[3 * (size_t)triangle + (size_t)(which % 3)]];
}

// The angle of a triangle at one of its corners weighs its normal there, so that it does not matter
// how a flat face is cut.
static double corner_angle(const Surface *s, int corner) {
    int triangle = corner / 3, which = corner % 3;
    SomVec3 here = corner_point(s, triangle, which);
    SomVec3 a = som_vec3_sub(corner_point(s, triangle, which + 1), here);
    SomVec3 b = som_vec3_sub(corner_point(s, triangle, which + 2), here);
    return som_atan2(som_vec3_length(som_vec3_cross(a, b)), som_vec3_dot(a, b));
}

static Surface study(const SomVec3 *vertices, int vertex_count, const int32_t *triangles,
                     int triangle_count) {
    Surface s = {vertices, triangles, vertex_count, triangle_count, NULL, NULL, NULL};
    s.normals = som_alloc((size_t)triangle_count * sizeof *s.normals);
    s.begin = som_alloc(((size_t)vertex_count + 2) * sizeof *s.begin);
    s.corners = som_alloc(3 * (size_t)triangle_count * sizeof *s.corners);
    for (int i = 0; i < triangle_count; i++) {
        SomVec3 a = corner_point(&s, i, 0);
        s.normals[i] = unit(som_vec3_cross(som_vec3_sub(corner_point(&s, i, 1), a),
                                           som_vec3_sub(corner_point(&s, i, 2), a)));
    }
    // counted two places ahead, so that filling moves each to its own place
    for (int i = 0; i < 3 * triangle_count; i++) {
        s.begin[triangles[i] + 2]++;
    }
    for (int i = 2; i <= vertex_count; i++) {
        s.begin[i] += s.begin[i - 1];
    }
    for (int i = 0; i < 3 * triangle_count; i++) {
        s.corners[s.begin[triangles[i] + 1]++] = i;
    }
    return s;
}

static void forget(Surface *s) {
    som_free(s->normals);
    som_free(s->begin);
    som_free(s->corners);
}

static SomVec3 corner_normal(const Surface *s, int corner, double crease) {
    int vertex = s->triangles[corner];
    SomVec3 own = s->normals[corner / 3], sum = {0, 0, 0};
    int first = s->begin[vertex], last = s->begin[vertex + 1];
    int step = 1 + (last - first) / MOST_FACES;
    for (int i = first; i < last; i += step) {
        SomVec3 other = s->normals[s->corners[i] / 3];
        if (som_vec3_dot(own, other) >= crease) {
            sum = som_vec3_add(sum, som_vec3_scale(corner_angle(s, s->corners[i]), other));
        }
    }
    SomVec3 normal = unit(sum);
    return som_vec3_dot(normal, own) > 0 ? normal : own;
}

static void put(float out[3], SomVec3 v) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

// One vertex of the result per vertex and normal: corners of one vertex share theirs if they can.
static void add_vertices(const Surface *s, double crease, SomTessellation *solid) {
    som_array_reserve(&solid->triangles, 3 * s->triangle_count);
    solid->triangles.count = 3 * s->triangle_count;
    for (int v = 0; v < s->vertex_count; v++) {
        int first = solid->vertices.count;
        for (int i = s->begin[v]; i < s->begin[v + 1]; i++) {
            SomSolidVertex vertex;
            put(vertex.position, s->vertices[v]);
            put(vertex.normal, corner_normal(s, s->corners[i], crease));
            int same = solid->vertices.count - 1;
            int oldest = same - 8 > first ? same - 8 : first;
            while (same >= oldest &&
                   memcmp(&solid->vertices.data[same], &vertex, sizeof vertex) != 0) {
                same--;
            }
            if (same < oldest) {
                same = solid->vertices.count;
                som_array_push(&solid->vertices, vertex);
            }
            solid->triangles.data[s->corners[i]] = (uint32_t)same;
        }
    }
}

// ---- edges

typedef struct Side {
    int32_t low, high; // vertices
    int32_t triangle;
} Side;

static int compare_sides(const void *a, const void *b) {
    const Side *x = a, *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// Of the sides of one edge, the first two count; a third is a fin that nobody misses.
static void add_edge(const Surface *s, const Side *sides, int count, double crease,
                     SomTessellation *solid) {
    SomVec3 first = s->normals[sides[0].triangle];
    SomVec3 second = count > 1 ? s->normals[sides[1].triangle] : som_vec3_scale(-1, first);
    double bend = som_vec3_dot(first, second);
    if (bend > 0.999999) {
        return; // inside a flat face, where no silhouette ever is
    }
    SomSolidEdge edge = {.is_crease = bend < crease};
    put(edge.a, s->vertices[sides[0].low]);
    put(edge.b, s->vertices[sides[0].high]);
    put(edge.normals[0], first);
    put(edge.normals[1], second);
    som_array_push(&solid->edges, edge);
}

static void add_edges(const Surface *s, double crease, SomTessellation *solid) {
    int count = 3 * s->triangle_count;
    Side *sides = som_alloc((size_t)count * sizeof *sides);
    for (int i = 0; i < count; i++) {
        int32_t a = s->triangles[i], b = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        sides[i] = (Side){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_sides);
    for (int i = 0, next; i < count; i = next) {
        next = i + 1;
        while (next < count && sides[next].low == sides[i].low &&
               sides[next].high == sides[i].high) {
            next++;
        }
        add_edge(s, &sides[i], next - i, crease, solid);
    }
    som_free(sides);
}

static void finish(const SomVec3 *vertices, int vertex_count, const int32_t *triangles,
                   int triangle_count, SomTessellation *solid) {
    solid->vertices.count = solid->triangles.count = solid->edges.count = 0;
    double crease = som_cos(SOM_CREASE_ANGLE);
    Surface s = study(vertices, vertex_count, triangles, triangle_count);
    add_vertices(&s, crease, solid);
    if (triangle_count <= SOM_TESSELLATION_MAX_EDGED) {
        add_edges(&s, crease, solid);
    }
    forget(&s);
}

void som_tessellate_mesh(const SomMesh *mesh, SomTessellation *solid) {
    finish(mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, solid);
}

void som_tessellate_shape(const SomShape *shape, int around, SomTessellation *solid) {
    assert(around >= 12 && shape->kind != SOM_SHAPE_COMPOUND);
    Points points = {0};
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        make_box(shape->half, &points);
        break;
    case SOM_SHAPE_CYLINDER:
        make_cylinder(shape->radius, shape->half_length, around, &points);
        break;
    case SOM_SHAPE_SPHERE:
        make_capsule(shape->radius, 0, around, &points);
        break;
    case SOM_SHAPE_CAPSULE:
        make_capsule(shape->radius, shape->half_length, around, &points);
        break;
    case SOM_SHAPE_HULL:
        finish(shape->hull->vertices, shape->hull->vertex_count, shape->hull->triangles,
               shape->hull->triangle_count, solid);
        return;
    case SOM_SHAPE_COMPOUND: // is drawn by its parts
        break;
    }
    finish(points.vertices.data, points.vertices.count, points.triangles.data,
           points.triangles.count / 3, solid);
    som_array_free(&points.vertices);
    som_array_free(&points.triangles);
}

void som_tessellation_free(SomTessellation *solid) {
    som_array_free(&solid->vertices);
    som_array_free(&solid->triangles);
    som_array_free(&solid->edges);
}
