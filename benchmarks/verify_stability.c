// SPDX-License-Identifier: Apache-2.0
// The support polygon of one sample, in plain C.

#include "benchmarks/verify_scalar_internal.h"

#include <math.h>
#include <stdlib.h>

// Points of a rim that lies flat on the ground.
#define RIM_POINTS 16
// From this slope on it stands on its lowest point alone.
#define STANDING 0.1

typedef struct Contacts {
    SomVerifyPoints *points;
    double highest; // that still counts as on the ground
    double tolerance;
} Contacts;

static double lowest_of(const SomVerifyLink *link, const SomPose *frame) {
    const double *row = frame->rotation.m[2];
    double z = som_pose_apply(*frame, link->center).z;
    if (link->is_box) {
        return z - fabs(row[0]) * link->half.x - fabs(row[1]) * link->half.y -
               fabs(row[2]) * link->half.z;
    }
    double along = row[link->axis];
    return z - fabs(along) * link->half_length - link->radius * sqrt(fmax(0, 1 - along * along));
}

static void add_if_low(Contacts *c, SomVec3 point) {
    if (point.z <= c->highest) {
        som_array_push(c->points, point);
    }
}

static void add_corners(Contacts *c, const SomVerifyLink *link, const SomPose *frame) {
    for (int i = 0; i < 8; i++) {
        SomVec3 corner =
            som_vec3(i & 1 ? link->half.x : -link->half.x, i & 2 ? link->half.y : -link->half.y,
                     i & 4 ? link->half.z : -link->half.z);
        add_if_low(c, som_pose_apply(*frame, som_vec3_add(link->center, corner)));
    }
}

static void add_rims(Contacts *c, const SomVerifyLink *link, const SomPose *frame) {
    static const double turns[RIM_POINTS][2] = {{1, 0},
                                                {0.92387953251128674, 0.38268343236508977},
                                                {0.70710678118654752, 0.70710678118654752},
                                                {0.38268343236508977, 0.92387953251128674},
                                                {0, 1},
                                                {-0.38268343236508977, 0.92387953251128674},
                                                {-0.70710678118654752, 0.70710678118654752},
                                                {-0.92387953251128674, 0.38268343236508977},
                                                {-1, 0},
                                                {-0.92387953251128674, -0.38268343236508977},
                                                {-0.70710678118654752, -0.70710678118654752},
                                                {-0.38268343236508977, -0.92387953251128674},
                                                {0, -1},
                                                {0.38268343236508977, -0.92387953251128674},
                                                {0.70710678118654752, -0.70710678118654752},
                                                {0.92387953251128674, -0.38268343236508977}};
    const double(*m)[3] = (const double(*)[3])frame->rotation.m;
    SomVec3 axis = som_vec3(m[0][link->axis], m[1][link->axis], m[2][link->axis]);
    // down the disc, and across
    SomVec3 down = som_vec3_add(som_vec3(0, 0, -1), som_vec3_scale(axis.z, axis));
    double length = som_vec3_length(down);
    bool is_flat = length < 1e-9;
    down = is_flat ? som_vec3(m[0][(link->axis + 1) % 3], m[1][(link->axis + 1) % 3],
                              m[2][(link->axis + 1) % 3])
                   : som_vec3_scale(1 / length, down);
    SomVec3 across = som_vec3_cross(axis, down);
    down = som_vec3_scale(link->radius, down);
    across = som_vec3_scale(link->radius, across);
    SomVec3 center = som_pose_apply(*frame, link->center);
    for (int side = -1; side <= 1; side += 2) {
        SomVec3 middle = som_vec3_add(center, som_vec3_scale(side * link->half_length, axis));
        SomVec3 lowest = som_vec3_add(middle, down);
        if (lowest.z > c->highest) {
            continue;
        }
        som_array_push(c->points, lowest);
        // the steeper it is, the less of the rest counts
        double rise = fmin(c->highest - lowest.z, c->tolerance) * (1 - length / STANDING);
        Contacts arc = {c->points, lowest.z + rise, c->tolerance};
        for (int k = 1; k < RIM_POINTS && rise > 0; k++) {
            add_if_low(&arc,
                       som_vec3_add(middle, som_vec3_add(som_vec3_scale(turns[k][0], down),
                                                         som_vec3_scale(turns[k][1], across))));
        }
    }
}

// ---- the polygon

static double turn_of(SomVec3 a, SomVec3 b, SomVec3 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int by_place(const void *a, const void *b) {
    const SomVec3 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return (p->y > q->y) - (p->y < q->y);
}

// Points inside the quadrilateral of the outermost four are no corners, and need no sorting.
static int drop_inner(SomVec3 *points, int count) {
    SomVec3 west = points[0], east = points[0], south = points[0], north = points[0];
    for (int i = 1; i < count; i++) {
        west = points[i].x < west.x ? points[i] : west;
        east = points[i].x > east.x ? points[i] : east;
        south = points[i].y < south.y ? points[i] : south;
        north = points[i].y > north.y ? points[i] : north;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        SomVec3 p = points[i];
        bool is_inside = turn_of(west, south, p) > 0 && turn_of(south, east, p) > 0 &&
                         turn_of(east, north, p) > 0 && turn_of(north, west, p) > 0;
        if (!is_inside) {
            points[kept++] = p;
        }
    }
    return kept;
}

// Corners in order; `hull` holds twice as many as there are points.
static int make_hull(SomVec3 *points, int count, SomVec3 *hull) {
    qsort(points, (size_t)count, sizeof *points, by_place);
    int n = 0;
    for (int i = 0; i < count; i++) {
        while (n >= 2 && turn_of(hull[n - 2], hull[n - 1], points[i]) <= 0) {
            n--;
        }
        hull[n++] = points[i];
    }
    for (int i = count - 2, lower = n + 1; i >= 0; i--) {
        while (n >= lower && turn_of(hull[n - 2], hull[n - 1], points[i]) <= 0) {
            n--;
        }
        hull[n++] = points[i];
    }
    return n > 1 ? n - 1 : n;
}

static double distance_to_edge(SomVec3 a, SomVec3 b, SomVec3 p) {
    double x = b.x - a.x, y = b.y - a.y, square = x * x + y * y;
    double s = square > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / square : 0;
    s = fmin(1, fmax(0, s));
    return hypot(p.x - a.x - s * x, p.y - a.y - s * y);
}

static double margin_of(const SomVec3 *hull, int count, SomVec3 com) {
    double nearest = INFINITY;
    bool is_inside = count >= 3;
    for (int i = 0; i < count; i++) {
        SomVec3 a = hull[i], b = hull[(i + 1) % count];
        nearest = fmin(nearest, distance_to_edge(a, b, com));
        is_inside = is_inside && turn_of(a, b, com) >= 0;
    }
    return is_inside ? nearest : -nearest;
}

double som_verify_scalar_margin(SomVerifyScalar *s, double tolerance) {
    const SomVerifyLink *links = s->workload->links;
    int count = s->workload->link_count;
    double lowest = INFINITY, mass = 0;
    SomVec3 com = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        s->lowest[i] = lowest_of(&links[i], &s->frames[i]);
        lowest = fmin(lowest, s->lowest[i]);
        com = som_vec3_add(
            com, som_vec3_scale(links[i].mass, som_pose_apply(s->frames[i], links[i].com)));
        mass += links[i].mass;
    }
    s->points.count = 0;
    Contacts contacts = {&s->points, lowest + tolerance, tolerance};
    for (int i = 0; i < count; i++) {
        if (s->lowest[i] > contacts.highest) {
            continue;
        }
        if (links[i].is_box) {
            add_corners(&contacts, &links[i], &s->frames[i]);
        } else {
            add_rims(&contacts, &links[i], &s->frames[i]);
        }
    }
    int kept = drop_inner(s->points.data, s->points.count);
    som_array_reserve(&s->hull, 2 * kept + 2);
    int corners = make_hull(s->points.data, kept, s->hull.data);
    return margin_of(s->hull.data, corners, som_vec3_scale(1 / mass, com));
}
