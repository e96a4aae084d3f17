// SPDX-License-Identifier: Apache-2.0
#include "space/distance.h"

#include "space/distance_internal.h"

#include <float.h>

// Beyond this, in metres, shapes are points, and squares would soon overflow.
#define FAR_AWAY 1e100

// How far shapes that overlap are moved apart to see their points of contact, in parts of their
// size: enough to tell the direction, too little to slide along round surfaces.
#define PARTING 1e-4

// How often; twice is enough but where round shapes are almost coaxial.
#define MAX_TURNS 12

static SomVec3 start_axis(SomVec3 position, const SomDistanceCache *cache) {
    SomVec3 axis = cache == NULL ? som_vec3(0, 0, 0) : cache->axis;
    if (som_vec3_dot(axis, axis) > 0.5) {
        return axis;
    }
    return som_vec3_dot(position, position) > 0 ? position : som_vec3(1, 0, 0);
}

static SomConvexPair make_pair(const SomShape *a, const SomPose *pose_a, const SomShape *b,
                               const SomPose *pose_b, const SomDistanceCache *cache) {
    SomPose pose = som_pose_relative(*pose_a, *pose_b);
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
    double unit = som_larger(fabs(p.x), som_larger(fabs(p.y), fabs(p.z)));
    SomVec3 small = som_vec3(p.x / unit, p.y / unit, p.z / unit);
    double length = som_vec3_length(small);
    double distance = fmin(unit * length, DBL_MAX);
    *nearest = (SomNearest){distance, {0, 0, 0}, p, som_vec3_scale(1 / length, small)};
}

static double height_along(SomConvexPair *pair, SomVec3 n) {
    return som_vec3_dot(n, som_pair_support(pair, n).w);
}

// Goes on from `from` past `to`, each time twice as far, as long as the way out gets shorter. In
// round shapes almost coaxial the direction found next is better by a little and always the same.
static SomVec3 go_on(SomConvexPair *pair, SomVec3 from, SomVec3 to, double *height) {
    SomVec3 step = som_vec3_sub(to, from), best = to;
    for (double times = 2; times < 1e6; times *= 2) {
        SomVec3 n = som_vec3_add(from, som_vec3_scale(times, step));
        n = som_vec3_scale(1 / som_vec3_length(n), n);
        double now = height_along(pair, n);
        if (!(now < *height)) {
            break;
        }
        *height = now;
        best = n;
    }
    return best;
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
    size = som_larger(size, som_larger(som_core_size(pair->a), som_core_size(pair->b)));
    double parting = PARTING * size;
    nearest->point_a = front.a;
    nearest->point_b = som_vec3_sub(front.a, front.w);
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        SomVec3 way = som_vec3_scale(height + parting, normal);
        pair->position = som_vec3_add(at_home, way);
        SomNearest parted;
        SomGjkEnd end = som_gjk(pair, normal, HUGE_VAL, 0, &parted);
        pair->position = at_home;
        if (end != SOM_GJK_APART) {
            parting *= 10; // too close to see
            continue;
        }
        parted.point_b = som_vec3_sub(parted.point_b, way);
        *nearest = parted;
        double last = height, now = height_along(pair, parted.normal);
        if (!(now < last)) {
            break;
        }
        height = now;
        // the last turn is for the points
        bool goes_on = last - now > 1e-13 * size && turn < MAX_TURNS - 2;
        normal = goes_on ? go_on(pair, normal, parted.normal, &height) : parted.normal;
        if (last - height < 1e-13 * size) {
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

// Compounds are their parts, and other shapes one part.
typedef struct Parts {
    const SomShape *whole;
    const SomPose *pose;
    int count, first; // the first to look at
} Parts;

static Parts parts_of(const SomShape *shape, const SomPose *pose, int first) {
    int count = shape->kind == SOM_SHAPE_COMPOUND ? shape->part_count : 1;
    return (Parts){shape, pose, count, first >= 0 && first < count ? first : 0};
}

// Uses `place` for a pose that is not there yet.
static const SomShape *get_part(const Parts *parts, int index, SomPose *place,
                                const SomPose **pose) {
    if (parts->whole->kind != SOM_SHAPE_COMPOUND) {
        *pose = parts->pose;
        return parts->whole;
    }
    *place = som_pose_compose(*parts->pose, parts->whole->parts[index].pose);
    *pose = place;
    return &parts->whole->parts[index].shape;
}

static void remember(SomDistanceCache *cache, const SomConvexPair *pair, SomVec3 axis, int part_a,
                     int part_b) {
    if (cache != NULL) {
        *cache = (SomDistanceCache){axis, part_a, part_b, pair->vertex_a, pair->vertex_b};
    }
}

// Whether this pair of parts is nearer than the best so far.
static void visit_distance(const Parts *a, int part_a, const Parts *b, int part_b, double limit,
                           const SomDistanceCache *hint, SomDistanceCache *cache,
                           SomDistance *best) {
    SomPose place_a, place_b;
    const SomPose *pose_a, *pose_b;
    const SomShape *shape_a = get_part(a, part_a, &place_a, &pose_a);
    const SomShape *shape_b = get_part(b, part_b, &place_b, &pose_b);
    SomConvexPair pair = make_pair(shape_a, pose_a, shape_b, pose_b, hint);
    SomNearest nearest;
    convex_distance(&pair, best->distance < limit ? best->distance : limit, hint, &nearest);
    if (nearest.distance >= best->distance) {
        return;
    }
    best->distance = nearest.distance;
    best->point_a = som_pose_apply(*pose_a, nearest.point_a);
    best->point_b = som_pose_apply(*pose_a, nearest.point_b);
    best->normal = som_pose_rotate(*pose_a, nearest.normal);
    remember(cache, &pair, nearest.normal, part_a, part_b);
}

SomDistance som_shape_distance_within(const SomShape *a, SomPose pose_a, const SomShape *b,
                                      SomPose pose_b, double limit, SomDistanceCache *cache) {
    Parts parts_a = parts_of(a, &pose_a, cache == NULL ? 0 : cache->part_a);
    Parts parts_b = parts_of(b, &pose_b, cache == NULL ? 0 : cache->part_b);
    SomDistance best = {.distance = HUGE_VAL};
    visit_distance(&parts_a, parts_a.first, &parts_b, parts_b.first, limit, cache, cache, &best);
    for (int i = 0; i < parts_a.count; i++) {
        for (int j = 0; j < parts_b.count; j++) {
            if (i != parts_a.first || j != parts_b.first) {
                visit_distance(&parts_a, i, &parts_b, j, limit, NULL, cache, &best);
            }
        }
    }
    return best;
}

SomDistance som_shape_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                               SomPose pose_b) {
    return som_shape_distance_within(a, pose_a, b, pose_b, HUGE_VAL, NULL);
}

static bool convex_touch(SomConvexPair *pair, SomVec3 *axis) {
    double margin = som_core_margin(pair->a) + som_core_margin(pair->b);
    SomNearest nearest;
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

static bool visit_touch(const Parts *a, int part_a, const Parts *b, int part_b,
                        const SomDistanceCache *hint, SomDistanceCache *cache) {
    SomPose place_a, place_b;
    const SomPose *pose_a, *pose_b;
    const SomShape *shape_a = get_part(a, part_a, &place_a, &pose_a);
    const SomShape *shape_b = get_part(b, part_b, &place_b, &pose_b);
    SomConvexPair pair = make_pair(shape_a, pose_a, shape_b, pose_b, hint);
    SomVec3 axis = start_axis(pair.position, hint);
    bool touching = convex_touch(&pair, &axis);
    if (touching || hint != NULL) {
        remember(cache, &pair, axis, part_a, part_b);
    }
    return touching;
}

bool som_shape_touch(const SomShape *a, SomPose pose_a, const SomShape *b, SomPose pose_b,
                     SomDistanceCache *cache) {
    Parts parts_a = parts_of(a, &pose_a, cache == NULL ? 0 : cache->part_a);
    Parts parts_b = parts_of(b, &pose_b, cache == NULL ? 0 : cache->part_b);
    if (visit_touch(&parts_a, parts_a.first, &parts_b, parts_b.first, cache, cache)) {
        return true;
    }
    for (int i = 0; i < parts_a.count; i++) {
        for (int j = 0; j < parts_b.count; j++) {
            bool seen = i == parts_a.first && j == parts_b.first;
            if (!seen && visit_touch(&parts_a, i, &parts_b, j, NULL, cache)) {
                return true;
            }
        }
    }
    return false;
}
