// SPDX-License-Identifier: Apache-2.0

#include "verify/link_solid.h"

#include <assert.h>

// A part is round about an axis that is its own but for so much, in metres and radians. What it
// moves then is less than rounding elsewhere.
#define SAME_AXIS 1e-12

static double least(double a, double b) {
    return a < b ? a : b;
}

static double thickness_of(const SomShape *shape) {
    switch (shape->kind) {
    case SOM_SHAPE_BOX:
        return 2 * least(shape->half.x, least(shape->half.y, shape->half.z));
    case SOM_SHAPE_CYLINDER:
        return 2 * least(shape->radius, shape->half_length);
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_CAPSULE:
        return 2 * shape->radius;
    case SOM_SHAPE_HULL:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    SomBounds bounds = som_shape_bounds(shape, som_pose_identity());
    SomVec3 size = som_vec3_sub(bounds.high, bounds.low);
    return least(size.x, least(size.y, size.z));
}

// Round the balls: the centre is that of the box round them.
static SomBall ball_round(const SomBall *balls, int count) {
    SomVec3 low = balls[0].center, high = low;
    for (int i = 0; i < count; i++) {
        SomVec3 c = balls[i].center;
        double r = balls[i].radius;
        low = som_vec3(fmin(low.x, c.x - r), fmin(low.y, c.y - r), fmin(low.z, c.z - r));
        high = som_vec3(fmax(high.x, c.x + r), fmax(high.y, c.y + r), fmax(high.z, c.z + r));
    }
    SomBall all = {som_vec3_scale(0.5, som_vec3_add(low, high)), 0};
    for (int i = 0; i < count; i++) {
        double reach = som_vec3_length(som_vec3_sub(balls[i].center, all.center));
        all.radius = fmax(all.radius, reach + balls[i].radius);
    }
    return count == 1 ? balls[0] : all;
}

SomLinkSolid som_link_solid(const SomModuleLink *link, SomArena *arena) {
    SomLinkSolid solid = {.parts = link->parts, .part_count = link->part_count};
    if (link->part_count == 0) {
        return solid;
    }
    SomBall *balls = som_arena_new(arena, SomBall, link->part_count);
    solid.balls = balls;
    solid.thickness = HUGE_VAL;
    for (int i = 0; i < link->part_count; i++) {
        const SomShapePart *part = &link->parts[i];
        balls[i] = som_shape_ball(&part->shape);
        balls[i].center = som_pose_apply(part->pose, balls[i].center);
        solid.thickness = least(solid.thickness, thickness_of(&part->shape));
    }
    solid.ball = ball_round(balls, link->part_count);
    return solid;
}

SomLinkSolid som_solid_part(const SomLinkSolid *solid, int part) {
    return (SomLinkSolid){.parts = &solid->parts[part],
                          .balls = &solid->balls[part],
                          .part_count = 1,
                          .ball = solid->balls[part],
                          .thickness = thickness_of(&solid->parts[part].shape)};
}

// A lower bound of the distance of two balls.
static double ball_gap(SomVec3 a, double radius_a, SomVec3 b, double radius_b) {
    return som_vec3_length(som_vec3_sub(b, a)) - radius_a - radius_b;
}

typedef struct Search {
    const SomLinkSolid *a, *b;
    const SomPose *pose_a, *pose_b;
    double limit;
    SomDistance best;
    SomDistanceCache *cache; // what the best left; NULL is allowed
} Search;

// The distance of two parts, if it can be less than the best so far.
static void visit(Search *s, int i, int j, const SomDistanceCache *hint) {
    const SomShapePart *a = &s->a->parts[i], *b = &s->b->parts[j];
    double limit = least(s->limit, s->best.distance);
    SomDistanceCache cache = hint == NULL ? (SomDistanceCache){0} : *hint;
    SomDistance d =
        som_shape_distance_within(&a->shape, som_pose_compose(*s->pose_a, a->pose), &b->shape,
                                  som_pose_compose(*s->pose_b, b->pose), limit, &cache);
    if (!(d.distance >= s->best.distance)) {
        s->best = d;
        if (s->cache != NULL) {
            *s->cache = cache;
            s->cache->part_a = i;
            s->cache->part_b = j;
        }
    }
}

SomDistance som_solid_distance(const SomLinkSolid *a, const SomPose *pose_a, const SomLinkSolid *b,
                               const SomPose *pose_b, double limit, SomDistanceCache *cache) {
    return som_solid_distance_except(a, pose_a, b, pose_b, limit, cache, NULL);
}

SomDistance som_solid_distance_except(const SomLinkSolid *a, const SomPose *pose_a,
                                      const SomLinkSolid *b, const SomPose *pose_b, double limit,
                                      SomDistanceCache *cache, SomPartPairs except) {
    assert(a->part_count > 0 && b->part_count > 0);
    Search s = {a, b, pose_a, pose_b, limit, {.distance = HUGE_VAL}, cache};
    // the two that were nearest last time come first
    SomDistanceCache hint = cache == NULL ? (SomDistanceCache){0} : *cache;
    int first_a = hint.part_a < a->part_count ? hint.part_a : 0;
    int first_b = hint.part_b < b->part_count ? hint.part_b : 0;
    for (int i = 0; som_part_pair_is_in(except, b, first_a, first_b); i++) {
        assert(i < a->part_count * b->part_count);
        first_a = i / b->part_count;
        first_b = i % b->part_count;
        hint = (SomDistanceCache){0};
    }
    visit(&s, first_a, first_b, &hint);
    if (a->part_count == 1 && b->part_count == 1) {
        return s.best;
    }
    // balls of b, seen from a; gaps round off, and what they leave out is farther by more than that
    double far = HUGE_VAL, guard = 1e-12 * (a->ball.radius + b->ball.radius);
    SomPose b_in_a = som_pose_relative(*pose_a, *pose_b);
    for (int j = 0; j < b->part_count; j++) {
        SomVec3 center = som_pose_apply(b_in_a, b->balls[j].center);
        double radius = b->balls[j].radius + guard;
        for (int i = 0; i < a->part_count; i++) {
            double gap = ball_gap(a->balls[i].center, a->balls[i].radius, center, radius);
            if ((i == first_a && j == first_b) || som_part_pair_is_in(except, b, i, j)) {
                continue;
            }
            if (gap > limit || gap >= s.best.distance) {
                far = least(far, gap);
            } else {
                visit(&s, i, j, NULL);
            }
        }
    }
    // a bound that holds for the parts left out, too
    s.best.distance = s.best.distance > limit ? least(s.best.distance, far) : s.best.distance;
    return s.best;
}

double som_solid_height(const SomLinkSolid *solid, const SomPose *pose, SomVec3 direction) {
    SomVec3 in_link = som_pose_rotate_inverse(*pose, direction);
    double height = -HUGE_VAL;
    for (int i = 0; i < solid->part_count; i++) {
        const SomShapePart *part = &solid->parts[i];
        SomVec3 own = som_pose_rotate_inverse(part->pose, in_link);
        double h = som_vec3_dot(own, som_shape_support(&part->shape, own)) +
                   som_vec3_dot(in_link, part->pose.position);
        height = h > height ? h : height;
    }
    return height + som_vec3_dot(direction, pose->position);
}

double som_solid_gap(const SomLinkSolid *a, const SomPose *pose_a, const SomLinkSolid *b,
                     const SomPose *pose_b, SomVec3 direction) {
    return -som_solid_height(b, pose_b, som_vec3_scale(-1, direction)) -
           som_solid_height(a, pose_a, direction);
}

// How far a point of a part is from the axis.
static double point_arm(const SomShapePart *part, SomVec3 own, SomVec3 point, SomVec3 axis) {
    SomVec3 at = som_pose_apply(part->pose, own);
    return som_vec3_length(som_vec3_cross(axis, som_vec3_sub(at, point)));
}

// How far the part reaches from the axis, or a little more if it is round.
static double part_arm(const SomShapePart *part, SomVec3 point, SomVec3 axis) {
    const SomShape *shape = &part->shape;
    double arm = 0;
    for (int i = 0; shape->kind == SOM_SHAPE_BOX && i < 8; i++) {
        SomVec3 corner =
            som_vec3(i & 1 ? shape->half.x : -shape->half.x, i & 2 ? shape->half.y : -shape->half.y,
                     i & 4 ? shape->half.z : -shape->half.z);
        arm = fmax(arm, point_arm(part, corner, point, axis));
    }
    for (int i = 0; shape->kind == SOM_SHAPE_HULL && i < shape->hull->vertex_count; i++) {
        arm = fmax(arm, point_arm(part, shape->hull->vertices[i], point, axis));
    }
    if (shape->kind == SOM_SHAPE_CYLINDER || shape->kind == SOM_SHAPE_CAPSULE ||
        shape->kind == SOM_SHAPE_SPHERE) {
        double half = shape->kind == SOM_SHAPE_SPHERE ? 0 : shape->half_length;
        double low = point_arm(part, som_vec3(0, 0, -half), point, axis);
        double high = point_arm(part, som_vec3(0, 0, half), point, axis);
        arm = fmax(low, high) + shape->radius;
    }
    return arm;
}

// The part's own axis is this one.
static bool is_round_about(const SomShapePart *part, SomVec3 point, SomVec3 axis) {
    if (part->shape.kind != SOM_SHAPE_CYLINDER && part->shape.kind != SOM_SHAPE_CAPSULE &&
        part->shape.kind != SOM_SHAPE_SPHERE) {
        return false;
    }
    SomVec3 off = som_vec3_cross(axis, som_vec3_sub(part->pose.position, point));
    SomVec3 own = som_pose_rotate(part->pose, som_vec3(0, 0, 1));
    bool is_along = som_vec3_length(som_vec3_cross(axis, own)) <= SAME_AXIS;
    return som_vec3_length(off) <= SAME_AXIS && (is_along || part->shape.kind == SOM_SHAPE_SPHERE);
}

double som_solid_arm(const SomLinkSolid *solid, SomVec3 point, SomVec3 axis) {
    double arm = 0;
    for (int i = 0; i < solid->part_count; i++) {
        if (!is_round_about(&solid->parts[i], point, axis)) {
            arm = fmax(arm, part_arm(&solid->parts[i], point, axis));
        }
    }
    return arm;
}
