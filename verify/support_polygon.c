// SPDX-License-Identifier: Apache-2.0

#include "verify/support_polygon.h"

#include <math.h>
#include <stdlib.h>

// Cells of the grid across the extent: products of two differences stay exact in 64 bits.
#define CELLS ((double)(1 << 30))
#define LAB_TOLERANCE 1e-3

void som_support_axes(SomVec3 down, SomVec3 *u, SomVec3 *v) {
    SomVec3 up = som_vec3_scale(-1, down);
    SomVec3 x = fabs(up.x) < 0.9 ? som_vec3(1, 0, 0) : som_vec3(0, 1, 0);
    SomVec3 across = som_vec3_sub(x, som_vec3_scale(som_vec3_dot(x, up), up));
    *u = som_vec3_scale(1 / som_vec3_length(across), across);
    *v = som_vec3_cross(up, *u);
}

// ---- the hull

static int compare_points(const void *a, const void *b) {
    const SomSupportPoint *p = a, *q = b;
    if (p->u != q->u) {
        return p->u < q->u ? -1 : 1;
    }
    if (p->v != q->v) {
        return p->v < q->v ? -1 : 1;
    }
    return p->index < q->index ? -1 : p->index > q->index;
}

static int64_t turn(const SomSupportPoint *a, const SomSupportPoint *b, const SomSupportPoint *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

// Leaves out points strictly inside the quadrilateral of the four outermost ones: most of them, if
// there are many.
static int drop_inner(SomSupportPoint *points, int count) {
    SomSupportPoint corners[5];
    for (int k = 0; k < 4; k++) {
        int64_t best = 0;
        for (int i = 0; i < count; i++) {
            int64_t along =
                (k & 1 ? -1 : 1) * (k < 2 ? points[i].u + points[i].v : points[i].v - points[i].u);
            if (i == 0 || along > best) {
                best = along;
                corners[k < 2 ? 2 * (k & 1) : 1 + 2 * (k & 1)] = points[i];
            }
        }
    }
    corners[4] = corners[0];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_inner = true;
        for (int k = 0; k < 4 && is_inner; k++) {
            is_inner = turn(&corners[k], &corners[k + 1], &points[i]) > 0;
        }
        if (!is_inner) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

// Andrew's monotone chain, counterclockwise; of coincident points the first.
static void find_hull(SomSupportWork *work) {
    SomSupportPoint *points = work->points.data;
    int count = work->points.count;
    if (count > 16) {
        count = drop_inner(points, count);
    }
    qsort(points, (size_t)count, sizeof *points, compare_points);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || points[i].u != points[distinct - 1].u ||
            points[i].v != points[distinct - 1].v) {
            points[distinct++] = points[i];
        }
    }
    som_array_reserve(&work->hull, distinct + 1);
    SomSupportPoint *hull = work->hull.data;
    int n = 0;
    for (int i = 0; i < distinct; i++) {
        while (n >= 2 && turn(&hull[n - 2], &hull[n - 1], &points[i]) <= 0) {
            n--;
        }
        hull[n++] = points[i];
    }
    int lower = n;
    for (int i = distinct - 2; i >= 0; i--) {
        while (n > lower && turn(&hull[n - 2], &hull[n - 1], &points[i]) <= 0) {
            n--;
        }
        hull[n++] = points[i];
    }
    work->hull.count = n > 1 ? n - 1 : n; // the first came again
}

// ---- the margin

typedef struct Grid {
    SomVec3 u, v; // axes
    double u0, v0, cell;
} Grid;

static bool lay_grid(const SomVec3 *points, int count, SomVec3 down, SomSupportWork *work,
                     Grid *grid) {
    som_support_axes(down, &grid->u, &grid->v);
    double u1 = -(double)INFINITY, v1 = u1, sum = 0;
    grid->u0 = grid->v0 = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        double u = som_vec3_dot(points[i], grid->u), v = som_vec3_dot(points[i], grid->v);
        grid->u0 = fmin(grid->u0, u);
        grid->v0 = fmin(grid->v0, v);
        u1 = fmax(u1, u);
        v1 = fmax(v1, v);
        sum += u + v;
    }
    double extent = fmax(u1 - grid->u0, v1 - grid->v0);
    if (!isfinite(sum) || !isfinite(extent)) {
        return false;
    }
    grid->cell = extent / CELLS;
    double cells = extent > 1e-200 ? 1 / grid->cell : 0;
    som_array_reserve(&work->points, count);
    for (int i = 0; i < count; i++) {
        double u = som_vec3_dot(points[i], grid->u), v = som_vec3_dot(points[i], grid->v);
        work->points.data[i] = (SomSupportPoint){(int64_t)floor((u - grid->u0) * cells + 0.5),
                                                 (int64_t)floor((v - grid->v0) * cells + 0.5), i};
    }
    work->points.count = count;
    return true;
}

// A point seen from the nearest corner or edge.
typedef struct Nearest {
    double square; // of the distance
    double u, v;   // from the nearest point
    int edge;      // of the hull
} Nearest;

static void try_edge(const SomSupportPoint *a, const SomSupportPoint *b, double cell, double u,
                     double v, int edge, Nearest *nearest) {
    double pu = u - (double)a->u * cell, pv = v - (double)a->v * cell;
    double eu = (double)(b->u - a->u) * cell, ev = (double)(b->v - a->v) * cell;
    double length2 = eu * eu + ev * ev;
    double s = length2 > 0 ? (pu * eu + pv * ev) / length2 : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    double du = pu - s * eu, dv = pv - s * ev;
    double square = du * du + dv * dv;
    if (nearest->edge < 0 || square < nearest->square) {
        *nearest = (Nearest){square, du, dv, edge};
    }
}

SomSupport som_support_find(const SomVec3 *points, int count, SomVec3 com, SomVec3 down,
                            SomSupportWork *work) {
    SomSupport support = {(double)NAN, {-1, -1}, {0, 0, 0}, 0};
    Grid grid;
    double reach = com.x + com.y + com.z + down.x + down.y + down.z;
    if (count <= 0 || !isfinite(reach) || !lay_grid(points, count, down, work, &grid)) {
        return support;
    }
    find_hull(work);
    const SomSupportPoint *hull = work->hull.data;
    int n = work->hull.count;
    double u = som_vec3_dot(com, grid.u) - grid.u0, v = som_vec3_dot(com, grid.v) - grid.v0;

    // the nearest edge, and on which side of all of them the centre is
    bool is_inside = n > 2;
    Nearest nearest = {.edge = -1};
    for (int i = 0; i < n; i++) {
        const SomSupportPoint *a = &hull[i], *b = &hull[i + 1 < n ? i + 1 : 0];
        double eu = (double)(b->u - a->u), ev = (double)(b->v - a->v);
        double side = eu * (v - (double)a->v * grid.cell) - ev * (u - (double)a->u * grid.cell);
        is_inside = is_inside && side >= 0;
        try_edge(a, b, grid.cell, u, v, i, &nearest);
    }
    const SomSupportPoint *a = &hull[nearest.edge];
    const SomSupportPoint *b = &hull[nearest.edge + 1 < n ? nearest.edge + 1 : 0];
    double distance = sqrt(nearest.square);
    support.margin = is_inside ? distance : -distance;
    support.edge[0] = a->index;
    support.edge[1] = b->index;
    support.corners = n;

    // outwards: across the edge if the centre is on it, else away from it or towards it
    double su = nearest.u, sv = nearest.v, length = distance;
    if (is_inside || length <= grid.cell) {
        su = (double)(b->v - a->v);
        sv = -(double)(b->u - a->u);
        length = sqrt(su * su + sv * sv);
    }
    if (length > 0) {
        support.direction =
            som_vec3_add(som_vec3_scale(su / length, grid.u), som_vec3_scale(sv / length, grid.v));
    }
    return support;
}

void som_support_work_free(SomSupportWork *work) {
    som_array_free(&work->points);
    som_array_free(&work->hull);
}

double som_support_margin_centres(const SomMechanism *mechanism, const SomPose *links,
                                  SomSupportWork *work) {
    int modules = 0, count = 0;
    int all = mechanism->configuration->module_count;
    SomVec3 *points = som_alloc(sizeof *points * (size_t)(all + 1));
    double lowest = (double)INFINITY;
    SomVec3 sum = som_vec3(0, 0, 0);
    for (int i = 0; i < all; i++) {
        if (mechanism->links[mechanism->first_link[i]].is_loose) {
            continue;
        }
        SomVec3 point = som_mechanism_module_pose(mechanism, links, i).position;
        points[modules++] = point;
        lowest = fmin(lowest, point.z);
        sum = som_vec3_add(sum, point);
    }
    for (int i = 0; i < modules; i++) {
        if (points[i].z <= lowest + LAB_TOLERANCE) {
            points[count++] = points[i];
        }
    }
    SomVec3 com = som_vec3_scale(1.0 / modules, sum);
    SomSupport support = som_support_find(points, count, com, som_vec3(0, 0, -1), work);
    som_free(points);
    return support.margin;
}
