// SPDX-License-Identifier: Apache-2.0
#include "space/distance.h"

#include "space/distance_internal.h"

#include <float.h>

// Beyond this, in metres, shapes are points, and squares would soon overflow.
#define FAR_AWAY 1e100

// How far shapes that overlap are moved apart to see their points of contact, in parts of their
// size: enough to tell the direction, too little to slide along round surfaces.
#define PARTING 1e-4

// How often; once is enough but where round shapes are almost coaxial.
#define MAX_TURNS 10

static SomVec3 start_axis(SomVec3 position, const SomDistanceCache *cache) {
    SomVec3 axis = cache == NULL ? som_vec3(0, 0, 0) : cache->axis;
    if (som_vec3_dot(axis, axis) > 0.5) {
        return axis;
    }
    return som_vec3_dot(position, position) > 0 ? position : som_vec3(1, 0, 0);
}

static SomConvexPair make_pair(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                               const SomDistanceCache *cache) {
    SomPose pose = som_pose_relative(pose_a, pose_b);
    SomConvexPair pair = {a, b, pose.rotation, pose.position, 0, 0};
    if (cache != NULL && a->kind == SOM_SHAPE_HULL && cache->vertex_a < a->hull->vertex_count) {
        pair.vertex_a = cache->vertex_a;
    }
    if (cache != NULL && b->kind == SOM_SHAPE_HULL && cache->vertex_b < b->hull->vertex_count) {
        pair.vertex_b = cache->vertex_b;
    }
    return pair;
}

static bool is_far_away(SomVec3 p) {
    return !(fabs(p.x) < FAR_AWAY && fabs(p.y) < FAR_AWAY && fabs(p.z) < FAR_AWAY);
}

static void distance_of_points(SomVec3 p, SomNearest *nearest) {
    double unit = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
    SomVec3 small = som_vec3(p.x / unit, p.y / unit, p.z / unit);
    double length = som_vec3_length(small);
    double distance = fmin(unit * length, DBL_MAX);
    *nearest = (SomNearest){distance, {0, 0, 0}, p, som_vec3_scale(1 / length, small)};
}

// Moves b out and a little further, where the nearest points are those of contact; what they say
// about the direction is never worse and mostly better than what it was.
static void overlap(SomConvexPair *pair, SomNearest *nearest) {
    SomVec3 normal;
    double height = som_penetration(pair, &normal);
    SomVec3 at_home = pair->position;
    SomDifference front = som_pair_support(pair, normal);
    SomDifference back = som_pair_support(pair, som_vec3_scale(-1, normal));
    double size = som_vec3_length(som_vec3_sub(front.w, back.w));
    size = fmax(size, fmax(som_core_size(pair->a), som_core_size(pair->b)));
    nearest->point_a = front.a;
    nearest->point_b = som_vec3_sub(front.a, front.w);
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        SomVec3 way = som_vec3_scale(height + PARTING * size, normal);
        pair->position = som_vec3_add(at_home, way);
        SomNearest parted;
        SomGjkEnd end = som_gjk(pair, normal, HUGE_VAL, 0, &parted);
        pair->position = at_home;
        if (end != SOM_GJK_APART) {
            break;
        }
        parted.point_b = som_vec3_sub(parted.point_b, way);
        double now = som_vec3_dot(parted.normal, som_pair_support(pair, parted.normal).w);
        double change = som_vec3_length(som_vec3_sub(parted.normal, normal));
        *nearest = parted;
        if (!(now < height)) {
            break;
        }
        height = now;
        normal = parted.normal;
        if (change < 1e-9) {
            break;
        }
    }
    nearest->normal = normal;
    nearest->distance = -height;
}

static SomGjkEnd convex_distance(SomConvexPair *pair, double limit, const SomDistanceCache *cache,
                                 SomNearest *nearest) {
    double margin_a = som_core_margin(pair->a), margin_b = som_core_margin(pair->b);
    SomGjkEnd end = SOM_GJK_APART;
    if (is_far_away(pair->position)) {
        distance_of_points(pair->position, nearest);
    } else if (!som_distance_form(pair, nearest)) {
        SomVec3 axis = start_axis(pair->position, cache);
        end = som_gjk(pair, axis, limit + margin_a + margin_b, 0, nearest);
        if (end == SOM_GJK_TOUCH || end == SOM_GJK_UNSURE) {
            overlap(pair, nearest);
        }
    }
    nearest->distance -= margin_a + margin_b;
    nearest->point_a = som_vec3_add(nearest->point_a, som_vec3_scale(margin_a, nearest->normal));
    nearest->point_b = som_vec3_sub(nearest->point_b, som_vec3_scale(margin_b, nearest->normal));
    return end;
}

// Compounds are their parts and other shapes one, in place.
typedef struct Parts {
    const SomShape *whole;
    SomPose pose;
    int count;
} Parts;

static Parts parts_of(const SomShape *shape, SomPose pose) {
    return (Parts){shape, pose, shape->kind == SOM_SHAPE_COMPOUND ? shape->part_count : 1};
}

static const SomShape *get_part(const Parts *parts, int index, SomPose *pose) {
    if (parts->whole->kind != SOM_SHAPE_COMPOUND) {
        *pose = parts->pose;
        return parts->whole;
    }
    *pose = som_pose_compose(parts->pose, parts->whole->parts[index].pose);
    return &parts->whole->parts[index].shape;
}

// Pair i of all pairs of parts, with `first` before the others.
static int64_t in_order(int64_t i, int64_t first) {
    return i == 0 ? first : i <= first ? i - 1 : i;
}

static int64_t first_pair(const Parts *a, const Parts *b, const SomDistanceCache *cache) {
    bool fits = cache != NULL && cache->part_a >= 0 && cache->part_a < a->count &&
                cache->part_b >= 0 && cache->part_b < b->count;
    return fits ? (int64_t)cache->part_a * b->count + cache->part_b : 0;
}

static void remember(SomDistanceCache *cache, const SomConvexPair *pair, SomVec3 axis, int part_a,
                     int part_b) {
    if (cache != NULL) {
        *cache = (SomDistanceCache){axis, part_a, part_b, pair->vertex_a, pair->vertex_b};
    }
}

SomDistance som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                      SomPose pose_b, double limit, SomDistanceCache *cache) {
    Parts parts_a = parts_of(a, pose_a), parts_b = parts_of(b, pose_b);
    int64_t first = first_pair(&parts_a, &parts_b, cache);
    SomDistance best = {.distance = HUGE_VAL};
    for (int64_t i = 0; i < (int64_t)parts_a.count * parts_b.count; i++) {
        int64_t index = in_order(i, first);
        int part_a = (int)(index / parts_b.count), part_b = (int)(index % parts_b.count);
        SomPose part_pose_a, part_pose_b;
        const SomShape *shape_a = get_part(&parts_a, part_a, &part_pose_a);
        const SomShape *shape_b = get_part(&parts_b, part_b, &part_pose_b);
        const SomDistanceCache *hint = i == 0 ? cache : NULL;
        SomConvexPair pair = make_pair(shape_a, part_pose_a, shape_b, part_pose_b, hint);
        SomNearest nearest;
        convex_distance(&pair, fmin(limit, best.distance), hint, &nearest);
        if (nearest.distance >= best.distance) {
            continue;
        }
        best.distance = nearest.distance;
        best.point_a = som_pose_apply(part_pose_a, nearest.point_a);
        best.point_b = som_pose_apply(part_pose_a, nearest.point_b);
        best.normal = som_pose_rotate(part_pose_a, nearest.normal);
        remember(cache, &pair, nearest.normal, part_a, part_b);
    }
    return best;
}

SomDistance som_shape_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                               SomPose pose_b) {
    return som_shape_distance_within(a, pose_a, b, pose_b, HUGE_VAL, NULL);
}

static bool convex_touch(SomConvexPair *pair, SomVec3 *axis) {
    double margin = som_core_margin(pair->a) + som_core_margin(pair->b);
    SomNearest nearest = {.distance = HUGE_VAL};
    if (is_far_away(pair->position)) {
        return false;
    }
    if (som_distance_form(pair, &nearest)) {
        return nearest.distance <= margin;
    }
    SomGjkEnd end = som_gjk(pair, *axis, margin, margin, &nearest);
    if (end == SOM_GJK_TOUCH) {
        return true;
    }
    if (end == SOM_GJK_UNSURE) {
        return som_penetration(pair, axis) + margin >= 0;
    }
    *axis = nearest.normal;
    return nearest.distance <= margin;
}

bool som_shape_touch(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                     SomDistanceCache *cache) {
    Parts parts_a = parts_of(a, pose_a), parts_b = parts_of(b, pose_b);
    int64_t first = first_pair(&parts_a, &parts_b, cache);
    for (int64_t i = 0; i < (int64_t)parts_a.count * parts_b.count; i++) {
        int64_t index = in_order(i, first);
        int part_a = (int)(index / parts_b.count), part_b = (int)(index % parts_b.count);
        SomPose part_pose_a, part_pose_b;
        const SomShape *shape_a = get_part(&parts_a, part_a, &part_pose_a);
        const SomShape *shape_b = get_part(&parts_b, part_b, &part_pose_b);
        const SomDistanceCache *hint = i == 0 ? cache : NULL;
        SomConvexPair pair = make_pair(shape_a, part_pose_a, shape_b, part_pose_b, hint);
        SomVec3 axis = start_axis(pair.position, hint);
        bool touching = convex_touch(&pair, &axis);
        if (touching || i == 0) {
            remember(cache, &pair, axis, part_a, part_b);
        }
        if (touching) {
            return true;
        }
    }
    return false;
}
