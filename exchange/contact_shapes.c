// SPDX-License-Identifier: Apache-2.0

#include "exchange/contact_shapes.h"

#include "base/memory.h"
#include "space/trigonometry.h"

#include <math.h>

#define DIRECTIONS 256
#define AROUND 48 // points of a circle; inscribed, so that the hull of what stays is not too large

typedef SOM_ARRAY(SomVec3) Points;

// Spread evenly over the sphere, on a spiral.
static SomVec3 direction(int i) {
    double z = 1 - (2 * i + 1) / (double)DIRECTIONS, radius = sqrt(1 - z * z), sine, cosine;
    som_sincos(2.399963229728653 * i, &sine, &cosine); // the golden angle
    return som_vec3(radius * cosine, radius * sine, z);
}

static double reach(const SomContactPiece *piece, SomVec3 d) {
    SomVec3 point = som_shape_support(piece->shape, som_pose_rotate_inverse(piece->pose, d));
    return som_vec3_dot(d, som_pose_apply(piece->pose, point));
}

static void add_point(Points *points, const SomContactPiece *piece, double x, double y, double z) {
    som_array_push(points, som_pose_apply(piece->pose, som_vec3(x, y, z)));
}

static void add_circle(Points *points, const SomContactPiece *piece, double radius, double z) {
    for (int i = 0; i < AROUND; i++) {
        double sine, cosine;
        som_sincos(2 * SOM_PI * i / AROUND, &sine, &cosine);
        add_point(points, piece, radius * cosine, radius * sine, z);
    }
}

static void add_ball(Points *points, const SomContactPiece *piece, double z) {
    for (int i = 0; i < DIRECTIONS; i++) {
        SomVec3 d = som_vec3_scale(piece->shape->radius, direction(i));
        add_point(points, piece, d.x, d.y, d.z + z);
    }
}

// Points of the piece whose hull is the piece, or for a round one a little less.
static void add_points(Points *points, const SomContactPiece *piece) {
    const SomShape *shape = piece->shape;
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        for (int i = 0; i < 8; i++) {
            add_point(points, piece, i & 1 ? shape->half.x : -shape->half.x,
                      i & 2 ? shape->half.y : -shape->half.y,
                      i & 4 ? shape->half.z : -shape->half.z);
        }
        break;
    case SOM_SHAPE_CYLINDER:
        add_circle(points, piece, shape->radius, shape->half_length);
        add_circle(points, piece, shape->radius, -shape->half_length);
        break;
    case SOM_SHAPE_SPHERE:
        add_ball(points, piece, 0);
        break;
    case SOM_SHAPE_CAPSULE:
        add_ball(points, piece, shape->half_length);
        add_ball(points, piece, -shape->half_length);
        break;
    case SOM_SHAPE_HULL:
        for (int i = 0; i < shape->hull->vertex_count; i++) {
            SomVec3 v = shape->hull->vertices[i];
            add_point(points, piece, v.x, v.y, v.z);
        }
        break;
    case SOM_SHAPE_COMPOUND:
        break;
    }
}

// The first guess: pieces that together reach as far as all of them in many directions, each the
// one that decides most of those left.
static void guess(SomContactPiece *pieces, int count) {
    double *reaches = som_alloc(sizeof *reaches * (size_t)count * DIRECTIONS);
    bool is_covered[DIRECTIONS] = {false};
    double most[DIRECTIONS];
    for (int d = 0; d < DIRECTIONS; d++) {
        SomVec3 way = direction(d);
        most[d] = -INFINITY;
        for (int i = 0; i < count; i++) {
            reaches[i * DIRECTIONS + d] = reach(&pieces[i], way);
            most[d] = fmax(most[d], reaches[i * DIRECTIONS + d]);
        }
    }
    for (;;) {
        int best = -1, best_count = 0;
        for (int i = 0; i < count; i++) {
            int covers = 0;
            for (int d = 0; d < DIRECTIONS && !pieces[i].is_solid; d++) {
                covers += !is_covered[d] &&
                          reaches[i * DIRECTIONS + d] >= most[d] - SOM_CONTACT_TOLERANCE / 2;
            }
            // what must stay comes first
            covers += pieces[i].must_stay && !pieces[i].is_solid ? DIRECTIONS : 0;
            best = covers > best_count ? i : best;
            best_count = covers > best_count ? covers : best_count;
        }
        if (best < 0) {
            break;
        }
        pieces[best].is_solid = true;
        for (int d = 0; d < DIRECTIONS; d++) {
            is_covered[d] |= reaches[best * DIRECTIONS + d] >= most[d] - SOM_CONTACT_TOLERANCE / 2;
        }
    }
    som_free(reaches);
}

static bool sticks_out(const SomContactPiece *piece, const SomHull *hull) {
    Points points = {0};
    bool is_outside = false;
    add_points(&points, piece);
    for (int p = 0; p < hull->plane_count && !is_outside; p++) {
        // its circles are inscribed as those of the hull are: leave them a quarter
        double limit = hull->planes[p].offset + 0.75 * SOM_CONTACT_TOLERANCE;
        for (int k = 0; k < points.count && !is_outside; k++) {
            is_outside = som_vec3_dot(hull->planes[p].normal, points.data[k]) > limit;
        }
    }
    som_array_free(&points);
    return is_outside;
}

// A piece that is left out but sticks out of the hull of those that stay; -1 if there is none.
static int find_outside(const SomContactPiece *pieces, int count) {
    SomDiagnostics *nobody = som_diagnostics_create();
    Points points = {0};
    int found = -1;
    for (int i = 0; i < count; i++) {
        if (pieces[i].is_solid) {
            add_points(&points, &pieces[i]);
        }
    }
    SomHull *hull = som_hull_create(points.data, points.count, (SomSpan){0}, nobody);
    for (int i = 0; i < count && found < 0; i++) {
        if (!pieces[i].is_solid && (hull == NULL || sticks_out(&pieces[i], hull))) {
            found = i;
        }
    }
    som_hull_destroy(hull);
    som_array_free(&points);
    som_diagnostics_destroy(nobody);
    return found;
}

void som_contact_choose(SomContactPiece *pieces, int count) {
    for (int i = 0; i < count; i++) {
        pieces[i].is_solid = count == 1;
        pieces[i].must_stay |=
            pieces[i].shape->kind == SOM_SHAPE_SPHERE || pieces[i].shape->kind == SOM_SHAPE_CAPSULE;
    }
    if (count > 1) {
        guess(pieces, count);
        for (int i; (i = find_outside(pieces, count)) >= 0;) {
            pieces[i].is_solid = true;
        }
    }
}

bool som_contact_join(const SomContactPiece *a, const SomContactPiece *b, SomShape *shape,
                      SomPose *pose) {
    const double slack = SOM_CONTACT_TOLERANCE / 10;
    if (a->shape->kind != SOM_SHAPE_CYLINDER || b->shape->kind != SOM_SHAPE_CYLINDER ||
        fabs(a->shape->radius - b->shape->radius) > slack) {
        return false;
    }
    // the ends of both along the axis of a, and how far they are from it
    double low = -a->shape->half_length, high = a->shape->half_length;
    for (int end = -1; end <= 1; end += 2) {
        SomVec3 at = som_pose_apply(b->pose, som_vec3(0, 0, end * b->shape->half_length));
        at = som_pose_apply_inverse(a->pose, at);
        if (at.x * at.x + at.y * at.y > slack * slack) {
            return false;
        }
        low = fmin(low, at.z);
        high = fmax(high, at.z);
    }
    *shape = (SomShape){.kind = SOM_SHAPE_CYLINDER,
                        .radius = fmax(a->shape->radius, b->shape->radius),
                        .half_length = (high - low) / 2};
    *pose = som_pose_compose(a->pose, som_pose_translation(som_vec3(0, 0, (high + low) / 2)));
    return true;
}
