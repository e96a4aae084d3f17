// SPDX-License-Identifier: Apache-2.0
// Exact distances: a sphere's centre to a box, a cylinder, a segment or a point, and the segments
// of two capsules.

#include "space/distance_internal.h"

// Segments this part of their length apart have no direction from one to the other.
#define CROSSING_TOLERANCE 1e-8

static double clamp(double value, double most) {
    return value < -most ? -most : value > most ? most : value;
}

// From the surface to p, where p is outside or on the surface; false where it is inside.
static bool leave_outwards(SomVec3 surface, SomVec3 p, SomNearest *nearest) {
    SomVec3 way = som_vec3_sub(p, surface);
    double length = som_vec3_length(way);
    if (!(length > 0)) {
        return false;
    }
    *nearest = (SomNearest){length, surface, p, som_vec3_scale(1 / length, way)};
    return true;
}

static void leave_along(SomVec3 normal, double depth, SomVec3 p, SomNearest *nearest) {
    *nearest = (SomNearest){-depth, som_vec3_add(p, som_vec3_scale(depth, normal)), p, normal};
}

static void box_to_point(SomVec3 half, SomVec3 p, SomNearest *nearest) {
    SomVec3 inside = som_vec3(clamp(p.x, half.x), clamp(p.y, half.y), clamp(p.z, half.z));
    if (leave_outwards(inside, p, nearest)) {
        return;
    }
    double x = half.x - fabs(p.x), y = half.y - fabs(p.y), z = half.z - fabs(p.z);
    if (x <= y && x <= z) {
        leave_along(som_vec3(copysign(1, p.x), 0, 0), x, p, nearest);
    } else if (y <= z) {
        leave_along(som_vec3(0, copysign(1, p.y), 0), y, p, nearest);
    } else {
        leave_along(som_vec3(0, 0, copysign(1, p.z)), z, p, nearest);
    }
}

static void cylinder_to_point(const SomShape *cylinder, SomVec3 p, SomNearest *nearest) {
    double from_axis = sqrt(p.x * p.x + p.y * p.y);
    double in = from_axis > cylinder->radius ? cylinder->radius / from_axis : 1;
    SomVec3 inside = som_vec3(in * p.x, in * p.y, clamp(p.z, cylinder->half_length));
    if (leave_outwards(inside, p, nearest)) {
        return;
    }
    double side = cylinder->radius - from_axis, end = cylinder->half_length - fabs(p.z);
    if (end < side) {
        leave_along(som_vec3(0, 0, copysign(1, p.z)), end, p, nearest);
        return;
    }
    SomVec3 out = from_axis > 0 ? som_vec3(p.x / from_axis, p.y / from_axis, 0) : som_vec3(1, 0, 0);
    leave_along(out, side, p, nearest);
}

static void core_to_point(const SomShape *shape, SomVec3 p, SomNearest *nearest) {
    if (shape->kind == SOM_SHAPE_BOX) {
        box_to_point(shape->half, p, nearest);
    } else if (shape->kind == SOM_SHAPE_CYLINDER) {
        cylinder_to_point(shape, p, nearest);
    } else {
        double half = shape->kind == SOM_SHAPE_CAPSULE ? shape->half_length : 0;
        if (!leave_outwards(som_vec3(0, 0, clamp(p.z, half)), p, nearest)) {
            leave_along(som_vec3(1, 0, 0), 0, p, nearest);
        }
    }
}

// Some direction at right angles to a unit vector.
static SomVec3 across(SomVec3 u) {
    SomVec3 other = fabs(u.x) < 0.6 ? som_vec3(1, 0, 0) : som_vec3(0, 1, 0);
    SomVec3 n = som_vec3_cross(u, other);
    return som_vec3_scale(1 / som_vec3_length(n), n);
}

typedef struct SegmentPair {
    SomVec3 a, b;
    double distance;
    bool ends_a, ends_b; // whether a point is an end of its segment
} SegmentPair;

static void keep_pair(SegmentPair *best, SomVec3 a, bool ends_a, SomVec3 b, bool ends_b) {
    double distance = som_vec3_length(som_vec3_sub(b, a));
    if (!(distance >= best->distance)) {
        *best = (SegmentPair){a, b, distance, ends_a, ends_b};
    }
}

// Of the z axis from -half_a to half_a and the line c + t u, |t| <= half_b: an end of one is
// nearest, or the lines are where both segments are.
static SegmentPair nearest_of_segments(double half_a, SomVec3 c, SomVec3 u, double half_b) {
    SegmentPair best = {.distance = HUGE_VAL};
    for (int side = -1; side <= 1; side += 2) {
        SomVec3 end = som_vec3_add(c, som_vec3_scale(side * half_b, u));
        bool beyond = !(fabs(end.z) < half_a);
        keep_pair(&best, som_vec3(0, 0, clamp(end.z, half_a)), beyond, end, true);
        end = som_vec3(0, 0, side * half_a);
        double t = som_vec3_dot(u, som_vec3_sub(end, c));
        SomVec3 b = som_vec3_add(c, som_vec3_scale(clamp(t, half_b), u));
        keep_pair(&best, end, true, b, !(fabs(t) < half_b));
    }
    double t = -(u.x * c.x + u.y * c.y) / (u.x * u.x + u.y * u.y);
    SomVec3 b = som_vec3_add(c, som_vec3_scale(t, u));
    if (fabs(t) < half_b && fabs(b.z) < half_a) {
        keep_pair(&best, som_vec3(0, 0, b.z), false, b, false);
    }
    return best;
}

static void segment_to_segment(double half_a, SomVec3 c, SomVec3 u, double half_b,
                               SomNearest *nearest) {
    SegmentPair pair = nearest_of_segments(half_a, c, u, half_b);
    // square to a segment that does not end there, which a short way is not by itself
    SomVec3 way = som_vec3_sub(pair.b, pair.a), square = way;
    square.z = pair.ends_a ? way.z : 0;
    if (!pair.ends_b) {
        square = som_vec3_sub(square, som_vec3_scale(som_vec3_dot(square, u), u));
    }
    double length = som_vec3_length(square);
    double sine = sqrt(u.x * u.x + u.y * u.y);
    SomVec3 normal;
    if (length > CROSSING_TOLERANCE * (half_a + half_b)) {
        normal = som_vec3_scale(1 / length, square);
    } else {
        normal = sine > 1e-9 ? som_vec3(-u.y / sine, u.x / sine, 0) : across(u);
        normal = som_vec3_scale(som_vec3_dot(normal, way) < 0 ? -1 : 1, normal);
    }
    *nearest = (SomNearest){som_vec3_dot(normal, way), pair.a, pair.b, normal};
}

static void turn_round(SomNearest *nearest) {
    SomVec3 a = nearest->point_a;
    nearest->point_a = nearest->point_b;
    nearest->point_b = a;
    nearest->normal = som_vec3_scale(-1, nearest->normal);
}

bool som_distance_form(const SomConvexPair *pair, SomNearest *nearest) {
    SomShapeKind a = pair->a->kind, b = pair->b->kind;
    if (a == SOM_SHAPE_HULL || b == SOM_SHAPE_HULL) {
        return false;
    }
    if (b == SOM_SHAPE_SPHERE) {
        core_to_point(pair->a, pair->position, nearest);
        return true;
    }
    if (a == SOM_SHAPE_SPHERE) { // in the frame of b and back
        SomPose pose = {pair->rotation, pair->position};
        core_to_point(pair->b, som_pose_apply_inverse(pose, som_vec3(0, 0, 0)), nearest);
        nearest->point_a = som_pose_apply(pose, nearest->point_a);
        nearest->point_b = som_vec3(0, 0, 0);
        nearest->normal = som_pose_rotate(pose, nearest->normal);
        turn_round(nearest);
        return true;
    }
    if (a == SOM_SHAPE_CAPSULE && b == SOM_SHAPE_CAPSULE) {
        segment_to_segment(pair->a->half_length, pair->position, som_vec3_column(pair->rotation, 2),
                           pair->b->half_length, nearest);
        return true;
    }
    return false;
}
