// SPDX-License-Identifier: Apache-2.0
// Gilbert, Johnson and Keerthi's search for the point of D = A - B nearest to the origin: a simplex
// of at most four of its points, whose nearest point v is refined by the farthest point against v.
//
// Every step gives two bounds, |v| from above and the support from below, and the search ends when
// they meet. The nearest point of a simplex is found by trying all its features that face the
// origin: dearer than descending to the one, but rounding can't choose a wrong one unnoticed.

#include "space/distance_internal.h"

#include <float.h>

// Round shapes need about 10 to 40; flat ones as many as they have features on the way.
#define MAX_STEPS 200

// Bounds are said to meet when they differ by this part of the shapes' size...
#define GAP_TOLERANCE 1e-12

// ... and by this part of the coordinates, which is what rounding leaves.
#define ROUNDING (8 * DBL_EPSILON)

// Below this part of the size, the direction of v is not to be trusted.
#define TOUCH_TOLERANCE 1e-10

// A search that rounding ends with the bounds farther apart than CLOSED of the size has not found
// the direction; shapes less than NARROW apart are then better left to the search for a way out.
#define CLOSED 1e-10
#define NARROW 1e-5

typedef struct Simplex {
    SomDifference points[4];
    double weights[4];
    int count;
    SomVec3 v; // the nearest to the origin
    double square;
} Simplex;

static void keep_nearer(Simplex *best, const SomDifference *const *points, const double *weights,
                        int count, SomVec3 v) {
    double square = som_vec3_dot(v, v);
    if (!(square < best->square)) {
        return;
    }
    best->square = square;
    best->v = v;
    best->count = count;
    for (int i = 0; i < count; i++) {
        best->points[i] = *points[i];
        best->weights[i] = weights[i];
    }
}

static void try_segment(Simplex *best, const SomDifference *p, const SomDifference *q) {
    SomVec3 along = som_vec3_sub(q->w, p->w);
    double t = -som_vec3_dot(p->w, along);
    double square = som_vec3_dot(along, along);
    if (!(t > 0)) {
        keep_nearer(best, &p, (double[]){1}, 1, p->w);
    } else if (t >= square) {
        keep_nearer(best, &q, (double[]){1}, 1, q->w);
    } else {
        t /= square;
        SomVec3 v = som_vec3_add(p->w, som_vec3_scale(t, along));
        keep_nearer(best, (const SomDifference *[]){p, q}, (double[]){1 - t, t}, 2, v);
    }
}

static void try_triangle(Simplex *best, const SomDifference *p, const SomDifference *q,
                         const SomDifference *r) {
    SomVec3 pq = som_vec3_sub(q->w, p->w), pr = som_vec3_sub(r->w, p->w);
    SomVec3 n = som_vec3_cross(pq, pr);
    double square = som_vec3_dot(n, n);
    // the foot of the origin is p + s pq + t pr
    SomVec3 across = som_vec3_cross(n, p->w);
    double s = -som_vec3_dot(across, pr) / square;
    double t = som_vec3_dot(across, pq) / square;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        // not along n, which needles of triangles know badly
        SomVec3 v = som_vec3_add(som_vec3_scale(s, pq), som_vec3_scale(t, pr));
        v = som_vec3_add(p->w, v);
        keep_nearer(best, (const SomDifference *[]){p, q, r}, (double[]){1 - s - t, s, t}, 3, v);
        return;
    }
    // the nearest is on an edge that faces the foot; a flat triangle has no foot
    if (!(t >= 0)) {
        try_segment(best, p, q);
    }
    if (!(s >= 0)) {
        try_segment(best, p, r);
    }
    if (!(s + t <= 1)) {
        try_segment(best, q, r);
    }
}

// False if the origin is inside.
static bool try_tetrahedron(Simplex *best, const SomDifference points[4]) {
    static const int faces[4][4] = {{3, 0, 1, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {0, 1, 2, 3}};
    bool inside = true;
    for (int i = 0; i < 4; i++) {
        const SomDifference *p = &points[faces[i][0]], *q = &points[faces[i][1]];
        const SomDifference *r = &points[faces[i][2]], *top = &points[faces[i][3]];
        SomVec3 pq = som_vec3_sub(q->w, p->w), pr = som_vec3_sub(r->w, p->w);
        SomVec3 up = som_vec3_sub(top->w, p->w);
        SomVec3 n = som_vec3_cross(pq, pr);
        double height = som_vec3_dot(n, up);
        double origin = -som_vec3_dot(n, p->w);
        // a flat tetrahedron has no inside
        double thick = fabs(n.x * up.x) + fabs(n.y * up.y) + fabs(n.z * up.z);
        if (!(fabs(height) > 1e-12 * thick && (height > 0 ? origin >= 0 : origin <= 0))) {
            inside = false;
            try_triangle(best, p, q, r);
        }
    }
    return !inside;
}

// The nearest point of the simplex with one more point; false if the origin is inside.
static bool advance(const Simplex *from, const SomDifference *added, Simplex *to) {
    to->square = HUGE_VAL;
    to->count = 0;
    switch (from->count) {
    case 0:
        keep_nearer(to, &added, (double[]){1}, 1, added->w);
        return true;
    case 1:
        try_segment(to, added, &from->points[0]);
        return true;
    case 2:
        try_triangle(to, added, &from->points[0], &from->points[1]);
        return true;
    default: {
        const SomDifference points[4] = {from->points[0], from->points[1], from->points[2], *added};
        return try_tetrahedron(to, points);
    }
    }
}

static double largest(SomVec3 v) {
    return som_larger(fabs(v.x), som_larger(fabs(v.y), fabs(v.z)));
}

double som_core_size(const SomShape *shape) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return largest(shape->half);
    case SOM_SHAPE_CYLINDER:
        return som_larger(shape->radius, shape->half_length);
    case SOM_SHAPE_CAPSULE:
        return shape->half_length;
    case SOM_SHAPE_HULL: {
        const SomHull *hull = shape->hull;
        return largest(som_vec3_sub(hull->vertices[0], hull->vertices[hull->vertex_count / 2]));
    }
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return 0;
}

static SomNearest nearest_of(const Simplex *simplex) {
    SomVec3 a = som_vec3_scale(simplex->weights[0], simplex->points[0].a);
    for (int i = 1; i < simplex->count; i++) {
        a = som_vec3_add(a, som_vec3_scale(simplex->weights[i], simplex->points[i].a));
    }
    double length = sqrt(simplex->square);
    return (SomNearest){length, a, som_vec3_sub(a, simplex->v),
                        som_vec3_scale(-1 / length, simplex->v)};
}

SomGjkEnd som_gjk(SomConvexPair *pair, SomVec3 axis, double far, double close,
                  SomNearest *nearest) {
    Simplex simplices[2];
    simplices[0] = (Simplex){.square = HUGE_VAL};
    Simplex *now = &simplices[0], *next = &simplices[1];
    SomVec3 v = som_vec3_scale(-1, axis), first = {0, 0, 0};
    double length = som_vec3_length(v);
    double size = som_larger(som_core_size(pair->a), som_core_size(pair->b)), reach = 0;
    bool unsure = false;
    for (int step = 0; step < MAX_STEPS; step++) {
        SomDifference added = som_pair_support(pair, som_vec3_scale(-1, v));
        reach = som_larger(reach, largest(added.a) + largest(added.w));
        first = step == 0 ? added.w : first;
        size = som_larger(size, largest(som_vec3_sub(added.w, first)));
        double lower = som_vec3_dot(v, added.w) / length;
        if (lower > far) {
            *nearest = (SomNearest){lower, added.a, som_vec3_sub(added.a, added.w),
                                    som_vec3_scale(-1 / length, v)};
            return SOM_GJK_FAR;
        }
        double gap = length - lower;
        if (gap <= GAP_TOLERANCE * size + ROUNDING * reach && now->count > 0) {
            break;
        }
        if (!advance(now, &added, next)) {
            return SOM_GJK_TOUCH;
        }
        if (!(next->square < now->square)) {
            unsure = gap > CLOSED * size && length < NARROW * size;
            break; // rounding has the last word
        }
        Simplex *spare = now;
        now = next;
        next = spare;
        v = now->v;
        length = sqrt(now->square);
        if (length <= TOUCH_TOLERANCE * size + 16 * ROUNDING * reach) {
            return SOM_GJK_TOUCH;
        }
        if (length <= close) {
            break;
        }
    }
    *nearest = nearest_of(now);
    return unsure ? SOM_GJK_UNSURE : length <= close ? SOM_GJK_CLOSE : SOM_GJK_APART;
}
