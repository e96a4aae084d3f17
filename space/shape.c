// SPDX-License-Identifier: Apache-2.0
#include "space/shape.h"

#include "base/codes/space_codes.h"
#include "base/memory.h"
#include "base/number.h"

#include <assert.h>

typedef struct Size {
    const char *what;
    double value;
} Size;

// All sizes are reported, not just the first that is wrong.
static bool check_sizes(SomShapeKind kind, const Size *sizes, int count, SomSpan span,
                        SomDiagnostics *diags) {
    bool good = true;
    for (int i = 0; i < count; i++) {
        double value = sizes[i].value;
        if (value >= 1 / SOM_SHAPE_MAX_SIZE && value <= SOM_SHAPE_MAX_SIZE) {
            continue;
        }
        char number[SOM_NUMBER_TEXT];
        som_number_print(value, number);
        som_report(diags, SOM_SHAPE_SIZE, span, "the %s of a %s cannot be %s m", sizes[i].what,
                   som_shape_kind_name(kind), number);
        good = false;
    }
    return good;
}

bool som_shape_box(SomShape *shape, SomVec3 sides, SomSpan span, SomDiagnostics *diags) {
    *shape = (SomShape){.kind = SOM_SHAPE_BOX, .half = som_vec3_scale(0.5, sides)};
    const Size sizes[] = {{"x side", sides.x}, {"y side", sides.y}, {"z side", sides.z}};
    return check_sizes(shape->kind, sizes, 3, span, diags);
}

bool som_shape_cylinder(SomShape *shape, double radius, double length, SomSpan span,
                        SomDiagnostics *diags) {
    *shape = (SomShape){.kind = SOM_SHAPE_CYLINDER, .radius = radius, .half_length = 0.5 * length};
    const Size sizes[] = {{"radius", radius}, {"length", length}};
    return check_sizes(shape->kind, sizes, 2, span, diags);
}

bool som_shape_sphere(SomShape *shape, double radius, SomSpan span, SomDiagnostics *diags) {
    *shape = (SomShape){.kind = SOM_SHAPE_SPHERE, .radius = radius};
    const Size sizes[] = {{"radius", radius}};
    return check_sizes(shape->kind, sizes, 1, span, diags);
}

bool som_shape_capsule(SomShape *shape, double radius, double length, SomSpan span,
                       SomDiagnostics *diags) {
    *shape = (SomShape){.kind = SOM_SHAPE_CAPSULE, .radius = radius, .half_length = 0.5 * length};
    const Size sizes[] = {{"radius", radius}, {"length", length}};
    return check_sizes(shape->kind, sizes, 2, span, diags);
}

bool som_shape_hull(SomShape *shape, const SomVec3 *points, int count, SomSpan span,
                    SomDiagnostics *diags) {
    *shape = (SomShape){.kind = SOM_SHAPE_SPHERE}; // what freeing a failure leaves alone
    SomHull *hull = som_hull_create(points, count, span, diags);
    if (hull == NULL) {
        return false;
    }
    *shape = (SomShape){.kind = SOM_SHAPE_HULL, .hull = hull};
    return true;
}

SomShape som_shape_compound(const SomShapePart *parts, int count) {
    assert(count > 0);
    SomShape shape = {.kind = SOM_SHAPE_COMPOUND, .part_count = count};
    shape.parts = som_alloc((size_t)count * sizeof *parts);
    for (int i = 0; i < count; i++) {
        assert(parts[i].shape.kind != SOM_SHAPE_COMPOUND);
        shape.parts[i] = parts[i];
    }
    return shape;
}

SomShape som_shape_copy(const SomShape *shape) {
    SomShape copy = *shape;
    if (shape->kind == SOM_SHAPE_HULL) {
        copy.hull = som_hull_copy(shape->hull);
    } else if (shape->kind == SOM_SHAPE_COMPOUND) {
        copy = som_shape_compound(shape->parts, shape->part_count);
        for (int i = 0; i < copy.part_count; i++) {
            copy.parts[i].shape = som_shape_copy(&shape->parts[i].shape);
        }
    }
    return copy;
}

void som_shape_free(SomShape *shape) {
    for (int i = 0; i < shape->part_count; i++) {
        som_shape_free(&shape->parts[i].shape);
    }
    som_free(shape->parts);
    som_hull_destroy(shape->hull);
    *shape = (SomShape){.kind = SOM_SHAPE_SPHERE};
}

const char *som_shape_kind_name(SomShapeKind kind) {
    static const char *const names[] = {"box", "cylinder", "sphere", "capsule", "hull", "compound"};
    return names[kind];
}

// d scaled to `length`; zero stays zero.
static SomVec3 with_length(SomVec3 d, double length) {
    double now = som_vec3_length(d);
    return now > 0 ? som_vec3_scale(length / now, d) : som_vec3(0, 0, 0);
}

SomVec3 som_shape_support(const SomShape *shape, SomVec3 d) {
    double top = copysign(shape->half_length, d.z);
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return som_vec3(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y),
                        copysign(shape->half.z, d.z));
    case SOM_SHAPE_CYLINDER: {
        SomVec3 rim = with_length(som_vec3(d.x, d.y, 0), shape->radius);
        return som_vec3(rim.x, rim.y, top);
    }
    case SOM_SHAPE_SPHERE:
        return with_length(d, shape->radius);
    case SOM_SHAPE_CAPSULE:
        return som_vec3_add(with_length(d, shape->radius), som_vec3(0, 0, top));
    case SOM_SHAPE_HULL:
        return shape->hull->vertices[som_hull_support(shape->hull, d, 0)];
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomVec3 best = {0};
    double highest = -HUGE_VAL;
    for (int i = 0; i < shape->part_count; i++) {
        const SomShapePart *part = &shape->parts[i];
        SomVec3 point = som_shape_support(&part->shape, som_pose_rotate_inverse(part->pose, d));
        point = som_pose_apply(part->pose, point);
        if (som_vec3_dot(point, d) > highest) {
            highest = som_vec3_dot(point, d);
            best = point;
        }
    }
    return best;
}

static bool hull_contains(const SomHull *hull, SomVec3 point) {
    for (int i = 0; i < hull->plane_count; i++) {
        if (som_vec3_dot(hull->planes[i].normal, point) > hull->planes[i].offset) {
            return false;
        }
    }
    return true;
}

// Not hypot, whose last bit depends on the machine.
static double length2(double a, double b) {
    return sqrt(a * a + b * b);
}

bool som_shape_contains(const SomShape *shape, SomVec3 p) {
    double from_axis = length2(p.x, p.y);
    double above = fabs(p.z) - shape->half_length;
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return fabs(p.x) <= shape->half.x && fabs(p.y) <= shape->half.y &&
               fabs(p.z) <= shape->half.z;
    case SOM_SHAPE_CYLINDER:
        return from_axis <= shape->radius && above <= 0;
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE: // a sphere is a capsule of no length
        return length2(from_axis, above > 0 ? above : 0) <= shape->radius;
    case SOM_SHAPE_HULL:
        return hull_contains(shape->hull, p);
    case SOM_SHAPE_COMPOUND:
        break;
    }
    for (int i = 0; i < shape->part_count; i++) {
        const SomShapePart *part = &shape->parts[i];
        if (som_shape_contains(&part->shape, som_pose_apply_inverse(part->pose, p))) {
            return true;
        }
    }
    return false;
}

SomBounds som_shape_bounds(const SomShape *shape, SomPose pose) {
    double low[3], high[3];
    const double position[3] = {pose.position.x, pose.position.y, pose.position.z};
    for (int i = 0; i < 3; i++) {
        // the world's axis i, seen in the shape
        const double *row = pose.rotation.m[i];
        SomVec3 axis = som_vec3(row[0], row[1], row[2]);
        SomVec3 against = som_vec3_scale(-1, axis);
        high[i] = position[i] + som_vec3_dot(axis, som_shape_support(shape, axis));
        low[i] = position[i] + som_vec3_dot(axis, som_shape_support(shape, against));
    }
    return (SomBounds){som_vec3(low[0], low[1], low[2]), som_vec3(high[0], high[1], high[2])};
}

// Round the middle of the bounds: not the smallest, but near it for the shapes of links.
static SomBall ball_of_points(const SomVec3 *points, int count, SomBounds bounds) {
    SomBall ball = {som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high)), 0};
    for (int i = 0; i < count; i++) {
        ball.radius = fmax(ball.radius, som_vec3_length(som_vec3_sub(points[i], ball.center)));
    }
    return ball;
}

SomBall som_shape_ball(const SomShape *shape) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return (SomBall){{0, 0, 0}, som_vec3_length(shape->half)};
    case SOM_SHAPE_CYLINDER:
        return (SomBall){{0, 0, 0}, length2(shape->radius, shape->half_length)};
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE:
        return (SomBall){{0, 0, 0}, shape->radius + shape->half_length};
    case SOM_SHAPE_HULL:
        return ball_of_points(shape->hull->vertices, shape->hull->vertex_count,
                              som_shape_bounds(shape, som_pose_identity()));
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomBounds bounds = som_shape_bounds(shape, som_pose_identity());
    SomBall ball = {som_vec3_scale(0.5, som_vec3_add(bounds.low, bounds.high)), 0};
    for (int i = 0; i < shape->part_count; i++) {
        SomBall part = som_shape_ball(&shape->parts[i].shape);
        SomVec3 center = som_pose_apply(shape->parts[i].pose, part.center);
        double reach = som_vec3_length(som_vec3_sub(center, ball.center)) + part.radius;
        ball.radius = fmax(ball.radius, reach);
    }
    return ball;
}
