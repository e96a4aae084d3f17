// SPDX-License-Identifier: Apache-2.0
#include "space/hull.h"

#include "base/codes/space_codes.h"
#include "base/memory.h"
#include "space/hull_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points thinner than this, relative to their extent, enclose nothing that arithmetic can see.
#define FLAT 1e-9

static double dot_difference(SomVec3 direction, SomVec3 a, SomVec3 b) {
    return som_vec3_dot(direction, som_vec3_sub(a, b));
}

// --- the points ----------------------------------------------------------------------------------

static bool check_points(const SomVec3 *points, int count, SomSpan span, SomDiagnostics *diags) {
    if (count > SOM_HULL_MAX_POINTS) {
        som_report(diags, SOM_HULL_TOO_MANY_POINTS, span,
                   "a convex hull of %d points is asked for; the most is %d", count,
                   SOM_HULL_MAX_POINTS);
        return false;
    }
    for (int i = 0; i < count; i++) {
        double most = fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z)));
        bool finite = isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
        if (!finite || most > SOM_HULL_MAX_COORDINATE) {
            som_report(diags, SOM_HULL_NOT_FINITE, span, "point %d of a convex hull is %s", i + 1,
                       finite ? "too far from the origin" : "not finite");
            return false;
        }
    }
    return true;
}

// The point farthest from points[0] across two directions, and the unit way to it across them.
static SomVec3 find_farthest(const SomVec3 *points, int count, SomVec3 a, SomVec3 b, int *index,
                             double *distance) {
    SomVec3 best = {0, 0, 0};
    *distance = 0;
    for (int i = 1; i < count; i++) {
        SomVec3 way = som_vec3_sub(points[i], points[0]);
        way = som_vec3_sub(way, som_vec3_scale(som_vec3_dot(way, a), a));
        way = som_vec3_sub(way, som_vec3_scale(som_vec3_dot(way, b), b));
        double length = som_vec3_length(way);
        if (length > *distance) {
            *distance = length;
            *index = i;
            best = way;
        }
    }
    return *distance > 0 ? som_vec3_scale(1 / *distance, best) : best;
}

// What keeps the points from enclosing a volume, or NULL; then also four that do.
static const char *find_flatness(const SomVec3 *points, int count, double *extent, int start[4]) {
    SomVec3 none = {0, 0, 0};
    double along, across, apart;
    start[0] = 0;
    SomVec3 a = find_farthest(points, count, none, none, &start[1], &along);
    *extent = along;
    if (along == 0) {
        return "all at one place";
    }
    SomVec3 b = find_farthest(points, count, a, none, &start[2], &across);
    if (across <= FLAT * along) {
        return "all on one line";
    }
    find_farthest(points, count, a, b, &start[3], &apart);
    if (apart <= FLAT * along) {
        return "all in one plane";
    }
    return NULL;
}

// On a grid so fine that rounding to it is the rounding of doubles at the size of the whole.
static SomGridPoint *put_on_grid(const SomVec3 *points, int count, double extent) {
    int exponent;
    frexp(extent, &exponent);
    double scale = ldexp(1, 51 - exponent);
    SomGridPoint *grid = som_alloc((size_t)count * sizeof *grid);
    for (int i = 0; i < count; i++) {
        SomVec3 p = som_vec3_scale(scale, som_vec3_sub(points[i], points[0]));
        grid[i].x[0] = (int64_t)rint(p.x);
        grid[i].x[1] = (int64_t)rint(p.y);
        grid[i].x[2] = (int64_t)rint(p.z);
    }
    return grid;
}

// --- triangles and flat faces
// ---------------------------------------------------------------------

// One side of one triangle.
typedef struct Side {
    int32_t from, to, triangle;
} Side;

// A hull in the making: its own points, some of which the triangles do not use.
typedef struct Draft {
    const SomVec3 *points;
    int count;
    double extent;
    SomIndexArray triangles;
    Side *sides;                // of all triangles, by both ends
    int32_t *faces;             // of each triangle the flat face it is part of
    SOM_ARRAY(SomPlane) planes; // of the flat faces; the offset is the first triangle's
} Draft;

static void destroy_draft(Draft *draft) {
    som_array_free(&draft->triangles);
    som_array_free(&draft->planes);
    som_free(draft->sides);
    som_free(draft->faces);
}

static int compare_ints(const int32_t *a, const int32_t *b, int count) {
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_triangles(const void *a, const void *b) {
    return compare_ints(a, b, 3);
}

static int compare_sides(const void *left, const void *right) {
    const Side *a = left, *b = right;
    int32_t one[2] = {a->from, a->to}, two[2] = {b->from, b->to};
    return compare_ints(one, two, 2);
}

// Each triangle starts at its first point, and they follow each other by their points.
static void sort_triangles(Draft *draft) {
    int32_t *data = draft->triangles.data;
    int count = draft->triangles.count / 3;
    for (int i = 0; i < count; i++) {
        int32_t *t = data + 3 * i;
        int first = t[0] < t[1] ? (t[0] < t[2] ? 0 : 2) : (t[1] < t[2] ? 1 : 2);
        int32_t turned[3] = {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
        memcpy(t, turned, sizeof turned);
    }
    qsort(data, (size_t)count, 3 * sizeof *data, compare_triangles);
    draft->sides = som_alloc((size_t)count * 3 * sizeof *draft->sides);
    for (int i = 0; i < 3 * count; i++) {
        Side side = {data[i], data[i % 3 == 2 ? i - 2 : i + 1], i / 3};
        draft->sides[i] = side;
    }
    qsort(draft->sides, (size_t)count * 3, sizeof *draft->sides, compare_sides);
}

// The triangle on the other side of the side from `from` to `to`.
static int32_t triangle_across(const Draft *draft, int32_t from, int32_t to) {
    Side key = {to, from, 0};
    const Side *side = bsearch(&key, draft->sides, (size_t)draft->triangles.count,
                               sizeof *draft->sides, compare_sides);
    return side->triangle;
}

// Twice the area of a triangle times its normal.
static SomVec3 area_of(const Draft *draft, int triangle) {
    const int32_t *t = draft->triangles.data + 3 * triangle;
    SomVec3 a = som_vec3_sub(draft->points[t[1]], draft->points[t[0]]);
    SomVec3 b = som_vec3_sub(draft->points[t[2]], draft->points[t[0]]);
    return som_vec3_cross(a, b);
}

static bool is_in_plane(const Draft *draft, int32_t triangle, SomVec3 normal, SomVec3 origin) {
    for (int i = 0; i < 3; i++) {
        SomVec3 corner = draft->points[draft->triangles.data[3 * triangle + i]];
        if (fabs(dot_difference(normal, corner, origin)) > FLAT * draft->extent) {
            return false;
        }
    }
    return true;
}

// Gives one face to all triangles in the plane of `seed` that are connected to it.
static void spread_face(Draft *draft, int32_t seed, SomIndexArray *queue) {
    SomVec3 area = area_of(draft, seed);
    SomVec3 normal = som_vec3_scale(1 / som_vec3_length(area), area);
    SomVec3 origin = draft->points[draft->triangles.data[3 * seed]];
    SomPlane plane = {normal, som_vec3_dot(normal, origin)};
    int32_t face = draft->planes.count;
    som_array_push(&draft->planes, plane);
    queue->count = 0;
    som_array_push(queue, seed);
    draft->faces[seed] = face;
    for (int i = 0; i < queue->count; i++) {
        const int32_t *t = draft->triangles.data + 3 * queue->data[i];
        for (int k = 0; k < 3; k++) {
            int32_t other = triangle_across(draft, t[k], t[(k + 1) % 3]);
            if (draft->faces[other] < 0 && is_in_plane(draft, other, normal, origin)) {
                draft->faces[other] = face;
                som_array_push(queue, other);
            }
        }
    }
}

typedef struct Sized {
    double size;
    int32_t triangle;
} Sized;

static int compare_sizes(const void *left, const void *right) {
    const Sized *a = left, *b = right;
    if (a->size != b->size) {
        return a->size > b->size ? -1 : 1;
    }
    return compare_ints(&a->triangle, &b->triangle, 1);
}

// The largest triangles say what is flat, as slivers do not know their plane.
static void find_flat_faces(Draft *draft) {
    int count = draft->triangles.count / 3;
    Sized *sized = som_alloc((size_t)count * sizeof *sized);
    draft->faces = som_alloc((size_t)count * sizeof *draft->faces);
    for (int32_t i = 0; i < count; i++) {
        Sized item = {som_vec3_length(area_of(draft, i)), i};
        sized[i] = item;
        draft->faces[i] = -1;
    }
    qsort(sized, (size_t)count, sizeof *sized, compare_sizes);
    SomIndexArray queue = {0};
    for (int i = 0; i < count; i++) {
        if (draft->faces[sized[i].triangle] < 0) {
            spread_face(draft, sized[i].triangle, &queue);
        }
    }
    som_array_free(&queue);
    som_free(sized);
}

static bool is_edge(const Draft *draft, const Side *side) {
    int32_t other = triangle_across(draft, side->from, side->to);
    return draft->faces[side->triangle] != draft->faces[other];
}

static double distance_to_line(SomVec3 p, SomVec3 a, SomVec3 b) {
    SomVec3 along = som_vec3_sub(b, a), way = som_vec3_sub(p, a);
    return som_vec3_length(som_vec3_cross(along, way)) / som_vec3_length(along);
}

// A point where no edges meet, or two in a line, is no corner of the hull.
static bool is_corner(const Draft *draft, int begin, int end) {
    int32_t ends[2];
    int edge_count = 0;
    for (int i = begin; i < end; i++) {
        if (is_edge(draft, &draft->sides[i])) {
            if (edge_count == 2) {
                return true;
            }
            ends[edge_count++] = draft->sides[i].to;
        }
    }
    const SomVec3 *p = draft->points;
    SomVec3 here = p[draft->sides[begin].from];
    return edge_count == 2 && distance_to_line(here, p[ends[0]], p[ends[1]]) > FLAT * draft->extent;
}

static Draft make_draft(const SomVec3 *points, int count, const char **flat) {
    Draft draft = {.points = points, .count = count};
    int start[4] = {0};
    *flat = find_flatness(points, count, &draft.extent, start);
    if (*flat == NULL) {
        SomGridPoint *grid = put_on_grid(points, count, draft.extent);
        som_hull_find_triangles(grid, count, start, &draft.triangles);
        som_free(grid);
        sort_triangles(&draft);
        find_flat_faces(&draft);
    }
    return draft;
}

// The corners of a draft, in the order of its points.
static SomVec3 *copy_corners(const Draft *draft, int *count) {
    SomVec3 *corners = som_alloc((size_t)draft->count * sizeof *corners);
    *count = 0;
    for (int i = 0, end; i < draft->triangles.count; i = end) {
        for (end = i;
             end < draft->triangles.count && draft->sides[end].from == draft->sides[i].from;) {
            end++;
        }
        if (is_corner(draft, i, end)) {
            corners[(*count)++] = draft->points[draft->sides[i].from];
        }
    }
    return corners;
}

// --- the whole -----------------------------------------------------------------------------------

// Numbers the points that are used and gives the hull its arrays but the planes.
static void copy_draft(SomHull *hull, const Draft *draft) {
    int side_count = draft->triangles.count;
    int32_t *number = som_alloc((size_t)draft->count * sizeof *number);
    hull->vertices = som_alloc((size_t)draft->count * sizeof *hull->vertices);
    hull->triangles = som_alloc((size_t)side_count * sizeof *hull->triangles);
    hull->edges = som_alloc((size_t)side_count * sizeof *hull->edges);
    hull->neighbors = som_alloc((size_t)side_count * sizeof *hull->neighbors);
    hull->neighbor_begin = som_alloc((size_t)(draft->count + 1) * sizeof(int32_t));
    for (int i = 0; i < side_count; i++) {
        int32_t from = draft->sides[i].from;
        if (i == 0 || from != draft->sides[i - 1].from) {
            number[from] = hull->vertex_count;
            hull->neighbor_begin[hull->vertex_count] = i;
            hull->vertices[hull->vertex_count++] = draft->points[from];
        }
    }
    hull->neighbor_begin[hull->vertex_count] = side_count;
    hull->triangle_count = side_count / 3;
    for (int i = 0; i < side_count; i++) {
        const Side *side = &draft->sides[i];
        hull->triangles[i] = number[draft->triangles.data[i]];
        hull->neighbors[i] = number[side->to];
        if (side->from < side->to && is_edge(draft, side)) {
            hull->edges[2 * hull->edge_count] = number[side->from];
            hull->edges[2 * hull->edge_count++ + 1] = number[side->to];
        }
    }
    som_free(number);
}

// Out to the farthest vertex, which in a face of many triangles need not be in the first of them.
static void copy_planes(SomHull *hull, const Draft *draft) {
    hull->plane_count = draft->planes.count;
    hull->planes = som_alloc((size_t)hull->plane_count * sizeof *hull->planes);
    for (int i = 0; i < hull->triangle_count; i++) {
        SomPlane *plane = &hull->planes[draft->faces[i]];
        if (som_vec3_dot(plane->normal, plane->normal) == 0) { // met for the first time
            plane->normal = draft->planes.data[draft->faces[i]].normal;
            int farthest = som_hull_support(hull, plane->normal, hull->triangles[3 * i]);
            plane->offset = som_vec3_dot(plane->normal, hull->vertices[farthest]);
        }
        for (int k = 0; k < 3; k++) {
            SomVec3 corner = hull->vertices[hull->triangles[3 * i + k]];
            plane->offset = fmax(plane->offset, som_vec3_dot(plane->normal, corner));
        }
    }
}

static SomHull *build(const Draft *draft) {
    SomHull *hull = som_alloc(sizeof *hull);
    copy_draft(hull, draft);
    copy_planes(hull, draft);
    return hull;
}

SomHull *som_hull_create(const SomVec3 *points, int count, SomSpan span, SomDiagnostics *diags) {
    assert(count >= 0);
    if (!check_points(points, count, span, diags)) {
        return NULL;
    }
    const char *flat = "fewer than four";
    Draft draft = {0};
    if (count >= 4) {
        draft = make_draft(points, count, &flat);
    }
    if (flat != NULL) {
        som_report(diags, SOM_HULL_FLAT, span,
                   "the %d points of a convex hull enclose no volume: they are %s", count, flat);
        destroy_draft(&draft);
        return NULL;
    }
    // if a point lies inside a flat face or an edge, once more with the corners alone
    int corner_count;
    SomVec3 *corners = copy_corners(&draft, &corner_count);
    Draft lean = {0};
    flat = "lean already";
    if (2 * (corner_count - 2) < draft.triangles.count / 3) { // Euler: not all are corners
        lean = make_draft(corners, corner_count, &flat);
    }
    SomHull *hull = build(flat == NULL ? &lean : &draft);
    destroy_draft(&lean);
    destroy_draft(&draft);
    som_free(corners);
    return hull;
}

static void *copy_of(const void *data, int count, size_t size) {
    void *copy = som_alloc((size_t)count * size);
    memcpy(copy, data, (size_t)count * size);
    return copy;
}

SomHull *som_hull_copy(const SomHull *hull) {
    SomHull *copy = copy_of(hull, 1, sizeof *hull);
    copy->vertices = copy_of(hull->vertices, hull->vertex_count, sizeof *hull->vertices);
    copy->triangles = copy_of(hull->triangles, hull->triangle_count, 3 * sizeof(int32_t));
    copy->planes = copy_of(hull->planes, hull->plane_count, sizeof *hull->planes);
    copy->edges = copy_of(hull->edges, hull->edge_count, 2 * sizeof(int32_t));
    copy->neighbor_begin = copy_of(hull->neighbor_begin, hull->vertex_count + 1, sizeof(int32_t));
    copy->neighbors = copy_of(hull->neighbors, 3 * hull->triangle_count, sizeof(int32_t));
    return copy;
}

void som_hull_destroy(SomHull *hull) {
    if (hull == NULL) {
        return;
    }
    som_free(hull->vertices);
    som_free(hull->triangles);
    som_free(hull->planes);
    som_free(hull->edges);
    som_free(hull->neighbor_begin);
    som_free(hull->neighbors);
    som_free(hull);
}

// Below this many vertices looking at all of them is faster than climbing.
#define CLIMB_FROM 24

int som_hull_support(const SomHull *hull, SomVec3 direction, int start) {
    assert(0 <= start && start < hull->vertex_count);
    const SomVec3 *v = hull->vertices;
    if (hull->vertex_count < CLIMB_FROM) {
        int best = 0;
        double most = som_vec3_dot(direction, v[0]);
        for (int i = 1; i < hull->vertex_count; i++) {
            double x = som_vec3_dot(direction, v[i]);
            if (x > most) {
                most = x;
                best = i;
            }
        }
        return best;
    }
    // Differences, so that a short edge far from the origin is still seen to climb; and only what
    // certainly climbs, so that rounding can not lead in a circle.
    for (int best = start;;) {
        int next = best;
        double most = 0;
        for (int i = hull->neighbor_begin[best]; i < hull->neighbor_begin[best + 1]; i++) {
            SomVec3 way = som_vec3_sub(v[hull->neighbors[i]], v[best]);
            double x = direction.x * way.x, y = direction.y * way.y, z = direction.z * way.z;
            double sum = x + y + z;
            if (sum > most && sum > 1e-15 * (fabs(x) + fabs(y) + fabs(z))) {
                most = sum;
                next = hull->neighbors[i];
            }
        }
        if (next == best) {
            return best;
        }
        best = next;
    }
}
