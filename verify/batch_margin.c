// SPDX-License-Identifier: Apache-2.0
// How firmly a robot stands in each lane. Features are those of verify/contacts.h and the margin is
// that of verify/support.h; here they are found in ways that need little of what lies inside the
// polygon: whole rims of discs stay one circle until they are seen to reach out of the polygon of
// the features farthest in eight directions.

#include "space/trigonometry.h"
#include "verify/batch_internal.h"

#include <assert.h>
#include <math.h>

#define RIM_POINTS 32
#define STEEPEST_RIM 0.1 // sine of the tilt from which on a rim touches at one point
#define DIRECTIONS 8

typedef struct Point {
    double x, y;
} Point;

// A point on the ground, or a rim that lies on it: points center + cos X + sin Y.
typedef struct Spot {
    Point center, x_axis, y_axis;
    double radius; // 0: a point
} Spot;

struct SomBatchStand {
    SOM_ARRAY(int) contacts; // solids
    SOM_ARRAY(Spot) spots;
    SOM_ARRAY(int) stack;          // of spots
    double rim[RIM_POINTS + 1][2]; // cosine and sine
};

SomBatchStand *som_batch_stand_create(void) {
    SomBatchStand *stand = som_alloc(sizeof *stand);
    for (int i = 0; i <= RIM_POINTS; i++) {
        double angle = 2 * SOM_PI * (i % RIM_POINTS) / RIM_POINTS; // the last is the first
        som_sincos(angle, &stand->rim[i][1], &stand->rim[i][0]);
    }
    return stand;
}

void som_batch_stand_destroy(SomBatchStand *stand) {
    som_array_free(&stand->contacts);
    som_array_free(&stand->spots);
    som_array_free(&stand->stack);
    som_free(stand);
}

// ---- features

// One solid in one lane.
typedef struct Feature {
    SomBatchStand *stand;
    SomPose pose; // of its centre
    double limit, tolerance;
} Feature;

static void add_spot(const Feature *f, SomVec3 local) {
    SomVec3 point = som_pose_apply(f->pose, local);
    if (point.z <= f->limit) {
        som_array_push(&f->stand->spots, ((Spot){.center = {point.x, point.y}}));
    }
}

// The rim of a cylinder at `end` along its axis: all of it, an arc or its lowest point.
static void add_rim(const Feature *f, double radius, double end) {
    const double(*r)[3] = f->pose.rotation.m;
    double ux = r[2][0], uy = r[2][1], tilt = sqrt(ux * ux + uy * uy);
    double lowest = f->pose.position.z + r[2][2] * end - radius * tilt;
    if (!(lowest <= f->limit)) {
        return; // as mostly one of the two
    }
    double rise = fmin(f->limit - lowest, f->tolerance) * fmax(0, 1 - tilt / STEEPEST_RIM);
    if (2 * radius * tilt <= rise) {
        SomVec3 center = som_pose_apply(f->pose, som_vec3(0, 0, end));
        Spot rim = {{center.x, center.y},
                    {radius * r[0][0], radius * r[1][0]},
                    {radius * r[0][1], radius * r[1][1]},
                    radius};
        som_array_push(&f->stand->spots, rim);
        return;
    }
    SomVec3 down = som_vec3(-ux / tilt * radius, -uy / tilt * radius, 0);
    add_spot(f, som_vec3(down.x, down.y, end));
    double half = rise > 0 ? som_acos(1 - rise / (radius * tilt)) : 0;
    int steps = (int)ceil(half / (2 * SOM_PI / RIM_POINTS));
    for (int i = 1; i <= steps; i++) {
        double s, c;
        som_sincos(half * i / steps, &s, &c);
        add_spot(f, som_vec3(c * down.x - s * down.y, c * down.y + s * down.x, end));
        add_spot(f, som_vec3(c * down.x + s * down.y, c * down.y - s * down.x, end));
    }
}

static void add_features(const Feature *f, const SomSolid *solid) {
    const SomShape *s = solid->shape;
    SomVec3 low =
        som_vec3_scale(-s->radius, som_vec3(f->pose.rotation.m[2][0], f->pose.rotation.m[2][1],
                                            f->pose.rotation.m[2][2]));
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        for (int i = 0; i < 8; i++) {
            add_spot(f, som_vec3(i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                                 i & 4 ? s->half.z : -s->half.z));
        }
        return;
    case SOM_SHAPE_CYLINDER:
        add_rim(f, s->radius, s->half_length);
        add_rim(f, s->radius, -s->half_length);
        return;
    case SOM_SHAPE_SPHERE:
        add_spot(f, low);
        return;
    case SOM_SHAPE_CAPSULE:
        add_spot(f, som_vec3(low.x, low.y, low.z + s->half_length));
        add_spot(f, som_vec3(low.x, low.y, low.z - s->half_length));
        return;
    case SOM_SHAPE_HULL:
        for (int i = 0; i < s->hull->vertex_count; i++) {
            add_spot(f, som_vec3_sub(s->hull->vertices[i], solid->center));
        }
        return;
    case SOM_SHAPE_COMPOUND:
        return;
    }
}

static SomPose lane_pose(const SomSolidLanes *lanes, int lane) {
    SomPose pose = {.position = som_vec3(lanes->center[0][lane], lanes->center[1][lane],
                                         lanes->center[2][lane])};
    for (int i = 0; i < 3; i++) {
        pose.rotation.m[i][0] = (double)lanes->rotation[3 * i][lane];
        pose.rotation.m[i][1] = (double)lanes->rotation[3 * i + 1][lane];
        pose.rotation.m[i][2] = (double)lanes->rotation[3 * i + 2][lane];
    }
    return pose;
}

// Points of links that are flat and so no solids.
static void add_flat_links(const SomBatch *batch, int lane, Feature *f, double *lowest) {
    const SomMechanism *m = batch->mechanism;
    for (int i = 0; i < batch->flat_count; i++) {
        const SomModuleLink *link = m->links[batch->flat_links[i]].link;
        SomPose pose = som_batch_pose(batch, batch->flat_links[i], lane);
        for (int k = 0; k < link->hull_count; k++) {
            SomVec3 point = som_pose_apply(pose, link->hull[k]);
            if (f == NULL) {
                *lowest = !(point.z >= *lowest) ? point.z : *lowest;
            } else if (point.z <= f->limit) {
                som_array_push(&f->stand->spots, ((Spot){.center = {point.x, point.y}}));
            }
        }
    }
}

// The kernel has taken large hulls for boxes.
static void lower_large_hulls(SomBatch *batch) {
    for (int k = 0; k < batch->solid_count; k++) {
        const SomSolid *solid = &batch->solids[k];
        for (int lane = 0; solid->kind != solid->shape->kind && lane < SOM_BATCH; lane++) {
            SomPose pose = lane_pose(&batch->lanes[k], lane);
            SomVec3 down = som_pose_rotate_inverse(pose, som_vec3(0, 0, -1));
            SomVec3 low = som_vec3_sub(som_shape_support(solid->shape, down), solid->center);
            batch->lowest[k * SOM_BATCH + lane] = som_pose_apply(pose, low).z;
        }
    }
}

// Solids that touch the ground in some lane.
static void find_contacts(SomBatch *batch, double tolerance, double lowest[SOM_BATCH]) {
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        lowest[lane] = (double)INFINITY;
        add_flat_links(batch, lane, NULL, &lowest[lane]);
    }
    for (int k = 0; k < batch->solid_count; k++) {
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            double low = batch->lowest[k * SOM_BATCH + lane];
            lowest[lane] = low < lowest[lane] ? low : lowest[lane];
        }
    }
    batch->stand->contacts.count = 0;
    for (int k = 0; k < batch->solid_count; k++) {
        const double *low = &batch->lowest[k * SOM_BATCH];
        double room = tolerance + (double)(batch->solids[k].radius * SOM_BATCH_ROUNDING);
        bool is_contact = false;
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            is_contact |= low[lane] <= lowest[lane] + room;
        }
        if (is_contact) {
            som_array_push(&batch->stand->contacts, k);
        }
    }
}

static void find_spots(const SomBatch *batch, int lane, double tolerance, double lowest) {
    SomBatchStand *stand = batch->stand;
    stand->spots.count = 0;
    Feature f = {.stand = stand, .tolerance = tolerance};
    for (int i = 0; i < stand->contacts.count; i++) {
        int k = stand->contacts.data[i];
        // the lowest feature itself must not be lost to rounding
        double room = (double)(batch->solids[k].radius * SOM_BATCH_ROUNDING);
        f.limit = lowest + tolerance + room;
        if (batch->lowest[k * SOM_BATCH + lane] <= f.limit) {
            f.limit += room;
            f.pose = lane_pose(&batch->lanes[k], lane);
            add_features(&f, &batch->solids[k]);
        }
    }
    f.limit = lowest + tolerance;
    add_flat_links(batch, lane, &f, NULL);
}

// ---- the polygon

static double cross(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The point of a rim farthest in a direction, one of a quarter of it.
static Point farthest_of_rim(const SomBatchStand *stand, const Spot *spot, Point u) {
    double x = u.x * spot->x_axis.x + u.y * spot->x_axis.y;
    double y = u.x * spot->y_axis.x + u.y * spot->y_axis.y;
    int first = (x >= 0 ? (y >= 0 ? 0 : 3) : (y >= 0 ? 1 : 2)) * (RIM_POINTS / 4), best = 0;
    double most = -(double)INFINITY;
    for (int i = first; i <= first + RIM_POINTS / 4; i++) {
        double height = stand->rim[i][0] * x + stand->rim[i][1] * y;
        if (!(height > most)) {
            break; // it was rising until here
        }
        most = height;
        best = i;
    }
    double c = stand->rim[best][0], s = stand->rim[best][1];
    return (Point){spot->center.x + c * spot->x_axis.x + s * spot->y_axis.x,
                   spot->center.y + c * spot->x_axis.y + s * spot->y_axis.y};
}

static double along(const Spot *spot, Point a, Point u) {
    return u.x * (spot->center.x - a.x) + u.y * (spot->center.y - a.y);
}

// The point of some spots farthest from a in direction u, if it is farther than `most`. A rim is
// only looked at where the circle round it reaches farther than the best point so far, the most
// promising one first.
static bool find_farthest(const SomBatchStand *stand, const int *spots, int count, Point a, Point u,
                          double most, Point *farthest) {
    double length = sqrt(u.x * u.x + u.y * u.y), promise = most, next_promise = most;
    int first = -1;
    for (int i = 0; i < count; i++) {
        const Spot *spot = &stand->spots.data[spots[i]];
        double reach = along(spot, a, u) + spot->radius * length;
        if (reach > promise) {
            next_promise = promise;
            promise = reach;
            first = i;
        } else if (reach > next_promise) {
            next_promise = reach;
        }
    }
    bool found = false;
    for (int i = -1; first >= 0 && i < count && (i < 0 || next_promise > most); i++) {
        const Spot *spot = &stand->spots.data[spots[i < 0 ? first : i]];
        if (i == first || !(along(spot, a, u) + spot->radius * length > most)) {
            continue;
        }
        Point p = spot->radius > 0 ? farthest_of_rim(stand, spot, u) : spot->center;
        double height = u.x * (p.x - a.x) + u.y * (p.y - a.y);
        if (height > most) {
            most = height;
            *farthest = p;
            found = true;
        }
    }
    return found;
}

// What the edges seen so far tell of the centre of mass.
typedef struct Balance {
    SomBatchStand *stand;
    Point com;
    double extent;       // of the polygon
    double area;         // twice that between it and all edges seen
    double square;       // of the distance from the nearest edge
    bool is_inside;      // an odd number of edges seen cross the ray along x from it
    bool is_sure_inside; // of eight corners, so of the polygon
} Balance;

static double square_to_edge(const Balance *balance, Point a, Point b) {
    double ex = b.x - a.x, ey = b.y - a.y, square = ex * ex + ey * ey;
    double px = balance->com.x - a.x, py = balance->com.y - a.y;
    double s = square > 0 ? (px * ex + py * ey) / square : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    double dx = px - s * ex, dy = py - s * ey;
    return dx * dx + dy * dy;
}

// Sees the edges of the polygon from a to b, counterclockwise, two corners of it; what lies beyond
// the line from a to b is of the spots that are on the stack from `begin` on (quickhull).
static void see_edges(Balance *balance, Point a, Point b, int begin, int depth) {
    SomBatchStand *stand = balance->stand;
    double square = square_to_edge(balance, a, b);
    if (balance->is_sure_inside && square >= balance->square) {
        return; // edges beyond are farther away
    }
    int end = stand->stack.count;
    Point u = {b.y - a.y, a.x - b.x}, c;
    double length = sqrt(u.x * u.x + u.y * u.y), nothing = 1e-12 * balance->extent * length;
    // between corners a rounding apart nothing is beyond, whatever the side the line turns to it
    if (depth < 100 && length > 1e-12 * balance->extent &&
        find_farthest(stand, stand->stack.data + begin, end - begin, a, u, nothing, &c)) {
        for (int i = begin; i < end; i++) {
            int at = stand->stack.data[i];
            const Spot *spot = &stand->spots.data[at];
            if (spot->radius * length - cross(a, b, spot->center) > nothing) {
                som_array_push(&stand->stack, at);
            }
        }
        see_edges(balance, a, c, end, depth + 1);
        see_edges(balance, c, b, end, depth + 1);
        stand->stack.count = end;
        return;
    }
    // counting crossings, unlike asking on which side of each edge it is, takes no harm from edges
    // so short that they point anywhere
    double side = cross(a, b, balance->com);
    bool is_crossed = (a.y > balance->com.y) != (b.y > balance->com.y);
    balance->square = fmin(balance->square, square);
    balance->area += side;
    balance->is_inside ^= is_crossed && (b.y > a.y) == (side > 0);
}

static bool is_area(double area, const Balance *balance) {
    return area > 1e-12 * balance->extent * balance->extent;
}

static double margin_of(SomBatchStand *stand, Point com) {
    stand->stack.count = 0;
    for (int i = 0; i < stand->spots.count; i++) {
        som_array_push(&stand->stack, i);
    }
    // corners of the polygon: points farthest in eight directions
    Point corners[DIRECTIONS + 1];
    for (int k = 0; k < DIRECTIONS; k++) {
        const double *turn = stand->rim[k * (RIM_POINTS / DIRECTIONS)];
        find_farthest(stand, stand->stack.data, stand->spots.count, com, (Point){turn[0], turn[1]},
                      -(double)INFINITY, &corners[k]);
    }
    corners[DIRECTIONS] = corners[0];
    Balance balance = {stand, com, 0, 0, (double)INFINITY, false, true};
    double area = 0, least = (double)INFINITY;
    int nearest = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        Point a = corners[k], b = corners[k + 1];
        double side = cross(a, b, com), square = square_to_edge(&balance, a, b);
        area += side;
        balance.extent += fabs(b.x - a.x) + fabs(b.y - a.y);
        balance.is_sure_inside = balance.is_sure_inside && side >= 0;
        nearest = square < least ? k : nearest;
        least = fmin(least, square);
    }
    // The corners may be two that are farthest in four directions each; what lies beyond the line
    // through them is still to be seen.
    balance.is_sure_inside = balance.is_sure_inside && is_area(area, &balance);
    for (int k = nearest; k < nearest + DIRECTIONS; k++) {
        see_edges(&balance, corners[k % DIRECTIONS], corners[k % DIRECTIONS + 1], 0, 0);
    }
    double distance = sqrt(balance.square);
    bool is_inside = balance.is_inside && is_area(balance.area, &balance);
    return balance.is_sure_inside || is_inside ? distance : -distance;
}

void som_batch_margins(SomBatch *batch, double tolerance, double margins[SOM_BATCH]) {
    double lowest[SOM_BATCH];
    assert(batch->mechanism->configuration->piece_count == 0);
    batch->kernel.lowest(batch);
    lower_large_hulls(batch);
    find_contacts(batch, tolerance, lowest);
    for (int lane = 0; lane < SOM_BATCH; lane++) {
        SomVec3 com = som_batch_com(batch, lane);
        margins[lane] = (double)NAN;
        if (isfinite(com.x + com.y + com.z) && !(batch->any_broken >> lane & 1)) {
            find_spots(batch, lane, tolerance, lowest[lane]);
            if (batch->stand->spots.count > 0) {
                margins[lane] = margin_of(batch->stand, (Point){com.x, com.y});
            }
        }
    }
}
