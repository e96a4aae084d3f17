// SPDX-License-Identifier: Apache-2.0

#include "verify/contacts.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <assert.h>
#include <math.h>

#define RIM_POINTS 32
#define STEEPEST_RIM 0.1 // sine of the tilt from which on a rim touches at one point
#define SLICE_STEPS 60   // halvings of an angle, down to rounding
#define NEAR_LINE 1e-6   // metres: on a line that is tipped over
#define SLICE_LEAN 1e-7  // towards one end of an edge that lies along a step

// A convex part of a link, or the flat hull of one without parts.
typedef struct Piece {
    const SomShape *shape; // NULL: points
    const SomVec3 *points;
    int point_count;
    SomPose pose; // in the link
    SomBall ball; // round it, in the link
    int link;
} Piece;

struct SomContactFinder {
    SomTerrain terrain;
    double tolerance;
    Piece *pieces;
    double *lowest; // of each piece
    int piece_count;
    double rim[RIM_POINTS][2]; // cosine and sine
    SOM_ARRAY(SomContact) found;
    SomContacts contacts;
};

// ---- terrain

SomVec3 som_terrain_down(const SomTerrain *terrain) {
    double s, c, ds, dc;
    som_sincos(terrain->slope, &s, &c);
    som_sincos(terrain->direction, &ds, &dc);
    return som_vec3(-s * dc, -s * ds, -c);
}

double som_terrain_height(const SomTerrain *terrain, double x) {
    double height = 0;
    for (int i = 0; i < terrain->step_count && x >= terrain->steps[i].at; i++) {
        height = terrain->steps[i].height;
    }
    return height;
}

// ---- pieces

static SomBall ball_of(const Piece *piece) {
    SomBall ball = {{0, 0, 0}, 0};
    if (piece->shape != NULL) {
        ball = som_shape_ball(piece->shape);
        ball.center = som_pose_apply(piece->pose, ball.center);
    }
    for (int i = 0; i < piece->point_count; i++) {
        ball.radius = fmax(ball.radius, som_vec3_length(piece->points[i]));
    }
    return ball;
}

static int add_pieces(const SomMechanism *m, Piece *pieces) {
    int count = 0;
    for (int i = 0; i < m->link_count; i++) {
        const SomModuleLink *link = m->links[i].link;
        if (m->links[i].is_loose) {
            continue;
        }
        for (int k = 0; k < link->part_count; k++, count++) {
            if (pieces != NULL) {
                pieces[count] =
                    (Piece){.shape = &link->parts[k].shape, .pose = link->parts[k].pose, .link = i};
            }
        }
        if (link->part_count == 0 && link->hull_count > 0) {
            if (pieces != NULL) {
                pieces[count] = (Piece){.points = link->hull,
                                        .point_count = link->hull_count,
                                        .pose = som_pose_identity(),
                                        .link = i};
            }
            count++;
        }
    }
    return count;
}

SomContactFinder *som_contact_finder_create(const SomMechanism *mechanism,
                                            const SomTerrain *terrain, double tolerance) {
    SomContactFinder *f = som_alloc(sizeof *f);
    if (terrain != NULL) {
        assert(0 <= terrain->step_count && terrain->step_count <= SOM_TERRAIN_STEPS);
        f->terrain = *terrain;
    }
    f->tolerance = tolerance;
    f->piece_count = add_pieces(mechanism, NULL);
    f->pieces = som_alloc(sizeof *f->pieces * (size_t)(f->piece_count + 1));
    f->lowest = som_alloc(sizeof *f->lowest * (size_t)(f->piece_count + 1));
    add_pieces(mechanism, f->pieces);
    for (int i = 0; i < f->piece_count; i++) {
        f->pieces[i].ball = ball_of(&f->pieces[i]);
    }
    for (int i = 0; i < RIM_POINTS; i++) {
        som_sincos(2 * SOM_PI * i / RIM_POINTS, &f->rim[i][1], &f->rim[i][0]);
    }
    return f;
}

void som_contact_finder_destroy(SomContactFinder *f) {
    if (f != NULL) {
        som_free(f->pieces);
        som_free(f->lowest);
        som_array_free(&f->found);
        som_free(f);
    }
}

// The world's z axis in the frame of a piece, and the height of its origin.
static SomVec3 up_of(const Piece *piece, const SomPose *link, double *height) {
    const double *row = link->rotation.m[2];
    SomVec3 up = som_vec3(row[0], row[1], row[2]);
    *height = som_vec3_dot(up, piece->pose.position) + link->position.z;
    return som_mat3_apply_transposed(piece->pose.rotation, up);
}

static double lowest_point(const SomVec3 *points, int count, SomVec3 up) {
    double lowest = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        lowest = fmin(lowest, som_vec3_dot(up, points[i]));
    }
    return lowest;
}

static double lowest_of(const Piece *piece, const SomPose *link) {
    double z;
    SomVec3 n = up_of(piece, link, &z);
    const SomShape *s = piece->shape;
    if (s == NULL) {
        return z + lowest_point(piece->points, piece->point_count, n);
    }
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        return z - fabs(n.x) * s->half.x - fabs(n.y) * s->half.y - fabs(n.z) * s->half.z;
    case SOM_SHAPE_CYLINDER:
        return z - fabs(n.z) * s->half_length - s->radius * sqrt(n.x * n.x + n.y * n.y);
    case SOM_SHAPE_SPHERE:
        return z - s->radius;
    case SOM_SHAPE_CAPSULE:
        return z - fabs(n.z) * s->half_length - s->radius;
    case SOM_SHAPE_HULL:
        return z + lowest_point(s->hull->vertices, s->hull->vertex_count, n);
    case SOM_SHAPE_COMPOUND:
        break; // parts of links are convex
    }
    return z;
}

// ---- features

// What features are looked for in: points not above `limit`.
typedef struct Search {
    SomContactFinder *finder;
    const Piece *piece;
    SomPose pose; // of the piece in the world
    SomVec3 up;   // in the piece
    double limit;
} Search;

static void add_point(const Search *q, SomVec3 local) {
    SomVec3 point = som_pose_apply(q->pose, local);
    if (point.z <= q->limit) {
        som_array_push(&q->finder->found, ((SomContact){point, q->piece->link}));
    }
}

static void add_points(const Search *q, const SomVec3 *points, int count) {
    for (int i = 0; i < count; i++) {
        add_point(q, points[i]);
    }
}

// The arc of a rim of a cylinder, at `end` along its axis.
static void add_rim(const Search *q, double end) {
    double radius = q->piece->shape->radius, ux = q->up.x, uy = q->up.y;
    double tilt = sqrt(ux * ux + uy * uy);
    double lowest = q->pose.position.z + q->up.z * end - radius * tilt;
    if (lowest > q->limit) {
        return;
    }
    double rise = fmin(q->limit - lowest, q->finder->tolerance) * fmax(0, 1 - tilt / STEEPEST_RIM);
    if (2 * radius * tilt <= rise) {
        for (int i = 0; i < RIM_POINTS; i++) {
            const double *turn = q->finder->rim[i];
            add_point(q, som_vec3(radius * turn[0], radius * turn[1], end));
        }
        return;
    }
    // from the lowest point to both sides
    SomVec3 down = som_vec3(-ux / tilt * radius, -uy / tilt * radius, 0);
    double half = som_acos(1 - rise / (radius * tilt));
    int steps = (int)ceil(half / (2 * SOM_PI / RIM_POINTS));
    add_point(q, som_vec3(down.x, down.y, end));
    for (int i = 1; i <= steps; i++) {
        double s, c;
        som_sincos(half * i / steps, &s, &c);
        add_point(q, som_vec3(c * down.x - s * down.y, c * down.y + s * down.x, end));
        add_point(q, som_vec3(c * down.x + s * down.y, c * down.y - s * down.x, end));
    }
}

static void add_features(const Search *q) {
    const SomShape *s = q->piece->shape;
    if (s == NULL) {
        add_points(q, q->piece->points, q->piece->point_count);
        return;
    }
    SomVec3 low = som_vec3_scale(-s->radius, q->up);
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        for (int i = 0; i < 8; i++) {
            add_point(q, som_vec3(i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                                  i & 4 ? s->half.z : -s->half.z));
        }
        return;
    case SOM_SHAPE_CYLINDER:
        add_rim(q, s->half_length);
        add_rim(q, -s->half_length);
        return;
    case SOM_SHAPE_SPHERE:
        add_point(q, low);
        return;
    case SOM_SHAPE_CAPSULE:
        add_point(q, som_vec3(low.x, low.y, low.z + s->half_length));
        add_point(q, som_vec3(low.x, low.y, low.z - s->half_length));
        return;
    case SOM_SHAPE_HULL:
        add_points(q, s->hull->vertices, s->hull->vertex_count);
        return;
    case SOM_SHAPE_COMPOUND:
        return;
    }
}

static Search search_piece(SomContactFinder *f, int i, const SomPose *links, double limit) {
    const Piece *piece = &f->pieces[i];
    Search q = {f, piece, som_pose_compose(links[piece->link], piece->pose), {0, 0, 0}, limit};
    q.up = som_vec3(q.pose.rotation.m[2][0], q.pose.rotation.m[2][1], q.pose.rotation.m[2][2]);
    return q;
}

// ---- steps

static SomVec3 support_of(const Search *q, SomVec3 direction) {
    SomVec3 local = som_pose_rotate_inverse(q->pose, direction);
    if (q->piece->shape != NULL) {
        return som_pose_apply(q->pose, som_shape_support(q->piece->shape, local));
    }
    int best = 0;
    for (int i = 1; i < q->piece->point_count; i++) {
        if (som_vec3_dot(local, q->piece->points[i]) >
            som_vec3_dot(local, q->piece->points[best])) {
            best = i;
        }
    }
    return som_pose_apply(q->pose, q->piece->points[best]);
}

// The lowest point of the piece above the edge of a step, if it is there. The farthest point in a
// direction that turns from back over down to front moves on in x only: halve the angle.
static void add_slice(const Search *q, double at, double lean) {
    SomVec3 left = support_of(q, som_vec3(-1, 0, 0)), right = support_of(q, som_vec3(1, 0, 0));
    if (!(left.x < at && at < right.x)) {
        return;
    }
    double low = -SOM_PI / 2, high = SOM_PI / 2;
    for (int i = 0; i < SLICE_STEPS; i++) {
        double middle = (low + high) / 2, s, c;
        som_sincos(middle, &s, &c);
        SomVec3 point = support_of(q, som_vec3(s, lean, -c));
        if (point.x < at) {
            left = point;
            low = middle;
        } else {
            right = point;
            high = middle;
        }
    }
    double s = (at - left.x) / (right.x - left.x);
    SomVec3 way = som_vec3_sub(right, left);
    SomVec3 point = som_vec3_add(left, som_vec3_scale(s, way));
    som_array_push(&q->finder->found, ((SomContact){point, q->piece->link}));
}

double som_terrain_height_near(const SomTerrain *terrain, double x) {
    double near = 1e-12 * (1 + fabs(x));
    return fmax(som_terrain_height(terrain, x),
                fmax(som_terrain_height(terrain, x - near), som_terrain_height(terrain, x + near)));
}

static double clearance_of(const SomTerrain *terrain, SomVec3 point) {
    return point.z - som_terrain_height_near(terrain, point.x);
}

// All features against the ground below each of them; of round pieces those near their lowest.
static void find_on_steps(SomContactFinder *f, const SomPose *links) {
    for (int i = 0; i < f->piece_count; i++) {
        const SomShape *shape = f->pieces[i].shape;
        bool is_round =
            shape != NULL && shape->kind != SOM_SHAPE_BOX && shape->kind != SOM_SHAPE_HULL;
        double limit = is_round ? f->lowest[i] + f->tolerance : (double)INFINITY;
        Search q = search_piece(f, i, links, limit);
        add_features(&q);
        for (int k = 0; k < f->terrain.step_count; k++) {
            add_slice(&q, f->terrain.steps[k].at, SLICE_LEAN);
            add_slice(&q, f->terrain.steps[k].at, -SLICE_LEAN);
        }
    }
    double drop = (double)INFINITY;
    for (int i = 0; i < f->found.count; i++) {
        drop = fmin(drop, clearance_of(&f->terrain, f->found.data[i].point));
    }
    int kept = 0;
    for (int i = 0; i < f->found.count; i++) {
        if (clearance_of(&f->terrain, f->found.data[i].point) <= drop + f->tolerance) {
            f->found.data[kept++] = f->found.data[i];
        }
    }
    f->found.count = kept;
    f->contacts.drop = drop;
}

// ---- finding

static void find_on_plane(SomContactFinder *f, const SomPose *links, double lowest) {
    double limit = lowest + f->tolerance;
    for (int i = 0; i < f->piece_count; i++) {
        if (f->lowest[i] <= limit) {
            Search q = search_piece(f, i, links, limit);
            add_features(&q);
        }
    }
    f->contacts.drop = lowest;
}

const SomContacts *som_contact_finder_find(SomContactFinder *f, const SomPose *links) {
    double lowest = (double)INFINITY, sum = 0;
    for (int i = 0; i < f->piece_count; i++) {
        f->lowest[i] = lowest_of(&f->pieces[i], &links[f->pieces[i].link]);
        lowest = fmin(lowest, f->lowest[i]);
        sum += f->lowest[i];
    }
    f->found.count = 0;
    f->contacts.drop = (double)NAN;
    if (f->piece_count > 0 && isfinite(sum)) {
        if (f->terrain.step_count > 0) {
            find_on_steps(f, links);
        } else {
            find_on_plane(f, links, lowest);
        }
    }
    f->contacts.items = f->found.data;
    f->contacts.count = f->found.count;
    return &f->contacts;
}

// ---- tipping

// Beyond a line on the ground.
typedef struct Beyond {
    SomVec3 pivot, outward;
    double least; // tangent of the angle so far
} Beyond;

// How far beyond the line a point is.
static double far_of(const Beyond *b, SomVec3 point) {
    return som_vec3_dot(som_vec3_sub(point, b->pivot), b->outward);
}

// A ball, or a point of radius 0.
static void try_ball(Beyond *b, SomVec3 center, double radius) {
    double far = far_of(b, center), high = fmax(center.z - b->pivot.z, radius);
    if (far <= NEAR_LINE) {
        return;
    }
    double tangent = high / far;
    if (radius > 0) {
        // it touches at the angle at which it is seen from the line, less half of its own width
        double squared = far * far + high * high;
        double half = radius / sqrt(fmax(squared - radius * radius, 0));
        tangent = half < tangent ? (tangent - half) / (1 + tangent * half) : 0;
    }
    b->least = fmin(b->least, tangent);
}

static void try_piece(const SomContactFinder *f, const Piece *piece, SomPose pose, Beyond *b) {
    const SomShape *s = piece->shape;
    const SomVec3 *points =
        s != NULL && s->kind == SOM_SHAPE_HULL ? s->hull->vertices : piece->points;
    int count = s == NULL                   ? piece->point_count
                : s->kind == SOM_SHAPE_HULL ? s->hull->vertex_count
                                            : 0;
    for (int i = 0; i < count; i++) {
        try_ball(b, som_pose_apply(pose, points[i]), 0);
    }
    for (int i = 0; s != NULL && s->kind == SOM_SHAPE_BOX && i < 8; i++) {
        SomVec3 corner = som_vec3(i & 1 ? s->half.x : -s->half.x, i & 2 ? s->half.y : -s->half.y,
                                  i & 4 ? s->half.z : -s->half.z);
        try_ball(b, som_pose_apply(pose, corner), 0);
    }
    for (int i = 0; s != NULL && s->kind == SOM_SHAPE_CYLINDER && i < 2 * RIM_POINTS; i++) {
        const double *turn = f->rim[i / 2];
        double end = i % 2 == 0 ? s->half_length : -s->half_length;
        SomVec3 point = som_vec3(s->radius * turn[0], s->radius * turn[1], end);
        try_ball(b, som_pose_apply(pose, point), 0);
    }
    if (s != NULL && (s->kind == SOM_SHAPE_SPHERE || s->kind == SOM_SHAPE_CAPSULE)) {
        double end = s->kind == SOM_SHAPE_CAPSULE ? s->half_length : 0;
        try_ball(b, som_pose_apply(pose, som_vec3(0, 0, end)), s->radius);
        try_ball(b, som_pose_apply(pose, som_vec3(0, 0, -end)), s->radius);
    }
}

double som_contact_finder_tip(const SomContactFinder *f, const SomPose *links, SomVec3 pivot,
                              SomVec3 outward) {
    Beyond b = {pivot, outward, (double)INFINITY};
    for (int i = 0; i < f->piece_count; i++) {
        const Piece *piece = &f->pieces[i];
        double low = lowest_of(piece, &links[piece->link]) - pivot.z;
        double far = far_of(&b, som_pose_apply(links[piece->link], piece->ball.center));
        far += piece->ball.radius;
        if (far > NEAR_LINE && low < b.least * far) {
            try_piece(f, piece, som_pose_compose(links[piece->link], piece->pose), &b);
        }
    }
    return som_atan2(b.least, 1);
}
