// SPDX-License-Identifier: Apache-2.0
// Rays against shapes. A convex solid is an intersection of simpler ones (slabs, half spaces, an
// infinite cylinder); a ray enters it at the last of their entries, if that is before the first
// exit.

#include "space/shape.h"

typedef struct Crossing {
    double enter, leave;
    SomVec3 normal; // where it enters
} Crossing;

static const Crossing everything = {-HUGE_VAL, HUGE_VAL, {0, 0, 0}};
static const Crossing nothing = {HUGE_VAL, -HUGE_VAL, {0, 0, 0}};

static SomVec3 point_at(SomVec3 origin, SomVec3 direction, double t) {
    return som_vec3_add(origin, som_vec3_scale(t, direction));
}

static Crossing both(Crossing a, Crossing b) {
    Crossing c = b.enter > a.enter ? b : a;
    c.leave = a.leave < b.leave ? a.leave : b.leave;
    return c;
}

// normal . x <= offset
static Crossing cross_half_space(SomVec3 normal, double offset, SomVec3 origin, SomVec3 direction) {
    double speed = som_vec3_dot(normal, direction);
    double outside = som_vec3_dot(normal, origin) - offset;
    if (speed == 0) {
        return outside > 0 ? nothing : everything;
    }
    double t = -outside / speed;
    Crossing entering = {t, HUGE_VAL, normal};
    Crossing leaving = {-HUGE_VAL, t, {0, 0, 0}};
    return speed < 0 ? entering : leaving;
}

// -half <= axis . x <= half
static Crossing cross_slab(SomVec3 axis, double half, SomVec3 origin, SomVec3 direction) {
    return both(cross_half_space(axis, half, origin, direction),
                cross_half_space(som_vec3_scale(-1, axis), half, origin, direction));
}

// The set where |q| <= radius, q = o + t d being the ray or its shadow.
static Crossing cross_round(SomVec3 o, SomVec3 d, double radius) {
    double a = som_vec3_dot(d, d);
    if (a == 0) {
        return som_vec3_length(o) > radius ? nothing : everything;
    }
    // the nearest point of the ray is at `middle`; its height decides, and does not cancel
    double middle = -som_vec3_dot(o, d) / a;
    SomVec3 nearest = point_at(o, d, middle);
    double room = (radius - som_vec3_length(nearest)) * (radius + som_vec3_length(nearest));
    if (room < 0) {
        return nothing;
    }
    double half = sqrt(room / a);
    SomVec3 normal = som_vec3_scale(1 / radius, point_at(o, d, middle - half));
    return (Crossing){middle - half, middle + half, normal};
}

static Crossing cross_cylinder(double radius, double half_length, SomVec3 o, SomVec3 d) {
    Crossing side = cross_round(som_vec3(o.x, o.y, 0), som_vec3(d.x, d.y, 0), radius);
    return both(side, cross_slab(som_vec3(0, 0, 1), half_length, o, d));
}

// The union of a cylinder and two balls, which is convex: the first entry is the entry.
static Crossing cross_capsule(const SomShape *shape, SomVec3 o, SomVec3 d) {
    SomVec3 up = som_vec3(0, 0, shape->half_length);
    Crossing best = cross_cylinder(shape->radius, shape->half_length, o, d);
    best = best.enter > best.leave ? nothing : best;
    for (int side = -1; side <= 1; side += 2) {
        SomVec3 from = som_vec3_sub(o, som_vec3_scale(side, up));
        Crossing ball = cross_round(from, d, shape->radius);
        Crossing first = ball.enter < best.enter ? ball : best;
        first.leave = ball.leave > best.leave ? ball.leave : best.leave;
        best = ball.enter > ball.leave ? best : first;
    }
    return best;
}

static Crossing cross_convex(const SomShape *shape, SomVec3 o, SomVec3 d) {
    Crossing crossing = everything;
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        crossing = cross_slab(som_vec3(1, 0, 0), shape->half.x, o, d);
        crossing = both(crossing, cross_slab(som_vec3(0, 1, 0), shape->half.y, o, d));
        return both(crossing, cross_slab(som_vec3(0, 0, 1), shape->half.z, o, d));
    case SOM_SHAPE_CYLINDER:
        return cross_cylinder(shape->radius, shape->half_length, o, d);
    case SOM_SHAPE_SPHERE:
        return cross_round(o, d, shape->radius);
    case SOM_SHAPE_CAPSULE:
        return cross_capsule(shape, o, d);
    case SOM_SHAPE_HULL:
        for (int i = 0; i < shape->hull->plane_count; i++) {
            SomPlane plane = shape->hull->planes[i];
            crossing = both(crossing, cross_half_space(plane.normal, plane.offset, o, d));
        }
        return crossing;
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return nothing;
}

bool som_shape_cast_ray(const SomShape *shape, SomVec3 origin, SomVec3 direction, SomRayHit *hit) {
    if (shape->kind != SOM_SHAPE_COMPOUND) {
        Crossing crossing = cross_convex(shape, origin, direction);
        bool is_hit =
            crossing.enter >= 0 && crossing.enter <= crossing.leave && crossing.enter < HUGE_VAL;
        if (is_hit) {
            *hit = (SomRayHit){crossing.enter, crossing.normal};
        }
        return is_hit;
    }
    bool found = false;
    for (int i = 0; i < shape->part_count; i++) {
        const SomShapePart *part = &shape->parts[i];
        SomRayHit own;
        if (som_shape_cast_ray(&part->shape, som_pose_apply_inverse(part->pose, origin),
                               som_pose_rotate_inverse(part->pose, direction), &own) &&
            (!found || own.distance < hit->distance)) {
            *hit = (SomRayHit){own.distance, som_pose_rotate(part->pose, own.normal)};
            found = true;
        }
    }
    return found;
}
