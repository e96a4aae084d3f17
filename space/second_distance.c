// SPDX-License-Identifier: Apache-2.0
// libccd has absolute tolerances (a squared distance below 2e-16 is zero) and no distance of shapes
// that are apart. So it works on cores, in a frame in which both together have the size 1: the core
// of a sphere is its centre and that of a capsule its axis, and radii are subtracted at the end.
// The distance of cores that are apart is the least radius of a ball by which one of them is grown
// until they intersect. An answer "no intersection" is not trusted by itself: it counts only if
// some direction that libccd tried separates the cores.

#include "space/second_distance.h"

#include <ccd/ccd.h>
#include <math.h>

#define ATTEMPTS 6     // turned frames
#define MOST_TESTS 60  // intersection tests for one distance
#define MOST_CALLS 500 // supports in one question; EPA takes time in proportion to their square

// Below the precision of distances, and its square, which is what libccd's EPA compares.
#define MPR_TOLERANCE 1e-9
#define EPA_TOLERANCE (SOM_SECOND_PRECISION * SOM_SECOND_PRECISION / 9)

typedef struct Pair Pair;

// A core in libccd's frame.
typedef struct Body {
    const SomShape *shape;
    SomVec3 middle; // of the shape, in its own frame
    SomMat3 rotation;
    SomVec3 position; // of the middle
    Pair *pair;
} Body;

struct Pair {
    Body a, b;
    double scale; // metres per unit of libccd's frame
    double grown; // radius of the ball added to b
    double low;   // best separation of the cores so far
    int calls;    // of the current question
    long work;
};

// ---- shapes

static SomVec3 farthest_vertex(const SomHull *hull, SomVec3 d) {
    int best = 0;
    double most = -HUGE_VAL;
    for (int i = 0; i < hull->vertex_count; i++) {
        const SomVec3 *v = &hull->vertices[i];
        double far = v->x * d.x + v->y * d.y + v->z * d.z;
        best = far > most ? i : best;
        most = far > most ? far : most;
    }
    return hull->vertices[best];
}

// The farthest point of the core in a direction.
static SomVec3 core_point(const SomShape *s, SomVec3 d) {
    double across = sqrt(d.x * d.x + d.y * d.y);
    double scale = s->kind == SOM_SHAPE_CYLINDER && across > 0 ? s->radius / across : 0;
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        return som_vec3(copysign(s->half.x, d.x), copysign(s->half.y, d.y),
                        copysign(s->half.z, d.z));
    case SOM_SHAPE_CYLINDER:
    case SOM_SHAPE_CAPSULE:
        return som_vec3(scale * d.x, scale * d.y, copysign(s->half_length, d.z));
    case SOM_SHAPE_HULL:
        return farthest_vertex(s->hull, d);
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_COMPOUND: // its parts have cores
        break;
    }
    return som_vec3(0, 0, 0);
}

static bool is_round(const SomShape *s) {
    return s->kind == SOM_SHAPE_SPHERE || s->kind == SOM_SHAPE_CAPSULE;
}

static SomVec3 middle_of(const SomShape *s) {
    SomVec3 sum = som_vec3(0, 0, 0);
    for (int i = 0; s->kind == SOM_SHAPE_HULL && i < s->hull->vertex_count; i++) {
        sum = som_vec3_add(sum, som_vec3_scale(1.0 / s->hull->vertex_count, s->hull->vertices[i]));
    }
    return sum;
}

// How far the core of a convex shape reaches from its middle.
static double core_reach(const SomShape *s, SomVec3 middle) {
    double reach = 0;
    switch (s->kind) {
    case SOM_SHAPE_BOX:
        return som_vec3_length(s->half);
    case SOM_SHAPE_CYLINDER:
        return hypot(s->radius, s->half_length);
    case SOM_SHAPE_CAPSULE:
        return s->half_length;
    case SOM_SHAPE_HULL:
        for (int i = 0; i < s->hull->vertex_count; i++) {
            reach = fmax(reach, som_vec3_length(som_vec3_sub(s->hull->vertices[i], middle)));
        }
        return reach;
    case SOM_SHAPE_SPHERE:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return reach;
}

static double ball_radius(const SomShape *s) {
    return is_round(s) ? s->radius : 0;
}

static SomPose part_pose(SomSecondSolid solid, int part) {
    return som_pose_compose(solid.pose, solid.parts[part].pose);
}

static SomBall part_ball(SomSecondSolid solid, int part) {
    const SomShape *s = &solid.parts[part].shape;
    SomVec3 middle = middle_of(s);
    return (SomBall){som_pose_apply(part_pose(solid, part), middle),
                     core_reach(s, middle) + ball_radius(s)};
}

static double ball_gap(SomBall a, SomBall b) {
    return som_vec3_length(som_vec3_sub(a.center, b.center)) - a.radius - b.radius;
}

SomBall som_second_ball(SomSecondSolid solid) {
    SomBall all = part_ball(solid, 0);
    for (int i = 1; i < solid.part_count; i++) {
        SomBall ball = part_ball(solid, i);
        all.radius = fmax(all.radius, ball_gap(all, ball) + all.radius + 2 * ball.radius);
    }
    return all;
}

double som_second_reach(SomSecondSolid solid, SomVec3 direction) {
    double reach = -HUGE_VAL;
    for (int i = 0; i < solid.part_count; i++) {
        const SomShape *s = &solid.parts[i].shape;
        SomPose pose = part_pose(solid, i);
        SomVec3 p = som_pose_apply(pose, core_point(s, som_pose_rotate_inverse(pose, direction)));
        reach = fmax(reach, som_vec3_dot(p, direction) + ball_radius(s));
    }
    return reach;
}

// ---- what libccd calls

static SomVec3 point_of(const Body *body, SomVec3 d) {
    Pair *pair = body->pair;
    SomVec3 p = core_point(body->shape, som_mat3_apply_transposed(body->rotation, d));
    SomVec3 own = som_vec3_scale(1 / pair->scale, som_vec3_sub(p, body->middle));
    pair->work += body->shape->kind == SOM_SHAPE_HULL ? body->shape->hull->vertex_count : 1;
    return som_vec3_add(som_mat3_apply(body->rotation, own), body->position);
}

static void set(ccd_vec3_t *out, SomVec3 p) {
    ccdVec3Set(out, p.x, p.y, p.z);
}

// A question that takes too long is ended by supports of 0, with which libccd finds nothing more
// to do in any of its loops.
static bool is_too_long(const Pair *pair) {
    return pair->calls > MOST_CALLS;
}

static void support_a(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const Body *body = object;
    SomVec3 d = som_vec3(direction->v[0], direction->v[1], direction->v[2]);
    set(out, is_too_long(body->pair) ? som_vec3(0, 0, 0) : point_of(body, d));
}

// Also records how far the direction separates the cores.
static void support_b(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const Body *body = object;
    Pair *pair = body->pair;
    SomVec3 d = som_vec3(direction->v[0], direction->v[1], direction->v[2]);
    double length = som_vec3_length(d);
    pair->calls++;
    if (is_too_long(pair) || !(length > 0)) {
        set(out, is_too_long(pair) ? som_vec3(0, 0, 0) : body->position);
        return;
    }
    SomVec3 p = point_of(body, d), q = point_of(&pair->a, som_vec3_scale(-1, d));
    pair->low = fmax(pair->low, som_vec3_dot(som_vec3_sub(q, p), d) / length);
    set(out, som_vec3_add(p, som_vec3_scale(pair->grown / length, d)));
}

static void center_of(const void *object, ccd_vec3_t *out) {
    set(out, ((const Body *)object)->position);
}

static ccd_t begin_question(Pair *pair, double grown) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support_a;
    ccd.support2 = support_b;
    ccd.center1 = ccd.center2 = center_of;
    ccd.max_iterations = MOST_CALLS;
    ccd.mpr_tolerance = MPR_TOLERANCE;
    ccd.epa_tolerance = EPA_TOLERANCE;
    pair->grown = grown;
    pair->calls = 0;
    return ccd;
}

// ---- questions

typedef enum Answer { APART, MEET, UNKNOWN } Answer;

static Answer ask(Pair *pair, double grown) {
    ccd_t ccd = begin_question(pair, grown);
    bool meets = ccdGJKIntersect(&pair->a, &pair->b, &ccd);
    if (!meets && !(pair->low > grown)) { // it gives up on flat simplices
        ccd = begin_question(pair, grown);
        meets = ccdMPRIntersect(&pair->a, &pair->b, &ccd);
    }
    return pair->low > grown ? APART : meets && !is_too_long(pair) ? MEET : UNKNOWN;
}

// The distance of cores that are apart, from above. Directions found on the way often are the best
// one already: a ball just larger than they allow is tried after each answer "apart".
static double find_distance(Pair *pair, double high, double limit) {
    double precision = SOM_SECOND_PRECISION / 2;
    bool is_near = true;
    for (int i = 0; i < MOST_TESTS && high - pair->low > precision && pair->low <= limit; i++) {
        double middle = 0.5 * (pair->low + high);
        double grown = is_near ? fmin(middle, pair->low + 0.9 * precision) : middle;
        Answer found = ask(pair, grown);
        if (found == UNKNOWN) {
            break;
        }
        high = found == MEET ? grown : high;
        is_near = found == APART && !is_near;
    }
    return high;
}

// Minus the depth of cores that overlap, from above.
static double find_depth(Pair *pair) {
    ccd_real_t depth = 0;
    ccd_vec3_t direction, position;
    ccd_t ccd = begin_question(pair, 0);
    bool is_found = ccdGJKPenetration(&pair->a, &pair->b, &ccd, &depth, &direction, &position) == 0;
    depth = is_found && depth > 0 ? depth : 0;
    if (-depth - pair->low > SOM_SECOND_PRECISION) { // MPR tries other directions
        ccd_real_t longer;
        ccd = begin_question(pair, 0);
        ccdMPRPenetration(&pair->a, &pair->b, &ccd, &longer, &direction, &position);
    }
    return -depth;
}

static void place(Pair *pair, Body *body, SomPose pose, SomVec3 origin, SomMat3 turn) {
    SomVec3 away = som_vec3_sub(som_pose_apply(pose, body->middle), origin);
    body->rotation = som_mat3_multiply(turn, pose.rotation);
    body->position = som_vec3_scale(1 / pair->scale, som_mat3_apply(turn, away));
    body->pair = pair;
}

// An upper bound of the distance of the cores in one frame, which may be wrong.
static double look(Pair *pair, double limit) {
    double middles = som_vec3_length(som_vec3_sub(pair->b.position, pair->a.position));
    Answer found = ask(pair, 0);
    if (found == MEET) {
        return fmin(middles, find_depth(pair));
    }
    bool is_known = found == APART || pair->low > -SOM_SECOND_PRECISION; // as good as touching
    return is_known ? find_distance(pair, middles, limit) : middles;
}

static SomSecondDistance convex_distance(const SomShape *a, SomPose pose_a, const SomShape *b,
                                         SomPose pose_b, double limit) {
    Pair pair = {.a = {.shape = a, .middle = middle_of(a)},
                 .b = {.shape = b, .middle = middle_of(b)},
                 .low = is_round(a) && is_round(b) ? 0 : -HUGE_VAL}; // flat cores never overlap
    double size = core_reach(a, pair.a.middle) + core_reach(b, pair.b.middle);
    double radii = ball_radius(a) + ball_radius(b);
    pair.scale = size > 0 ? size : radii; // of two balls
    double high = HUGE_VAL, far = (limit + radii) / pair.scale;
    bool is_over = false;
    for (int i = 0; i < ATTEMPTS && !is_over; i++) {
        SomMat3 turn = som_rotation_exp(som_vec3(0.61 * i, -0.37 * i, 0.83 * i));
        place(&pair, &pair.a, pose_a, pose_a.position, turn);
        place(&pair, &pair.b, pose_b, pose_a.position, turn);
        double bound = look(&pair, far);
        // one that contradicts a direction is wrong
        high = bound >= pair.low - SOM_SECOND_PRECISION ? fmin(high, fmax(bound, pair.low)) : high;
        is_over = high - pair.low <= SOM_SECOND_PRECISION || pair.low > far || is_too_long(&pair);
    }
    high = pair.low > far ? HUGE_VAL : high;
    return (SomSecondDistance){pair.scale * pair.low - radii, pair.scale * high - radii, pair.work};
}

static bool is_finite(SomPose pose) {
    double sum = pose.position.x + pose.position.y + pose.position.z;
    for (int i = 0; i < 9; i++) {
        sum += pose.rotation.m[i / 3][i % 3];
    }
    return isfinite(sum);
}

SomSecondDistance som_second_distance(SomSecondSolid a, SomSecondSolid b, double limit) {
    if (!is_finite(a.pose) || !is_finite(b.pose)) {
        return (SomSecondDistance){(double)NAN, (double)NAN, 0};
    }
    SomSecondDistance least = {HUGE_VAL, HUGE_VAL, 0};
    for (int i = 0; i < a.part_count; i++) {
        for (int k = 0; k < b.part_count; k++) {
            double far = fmin(limit, least.high), gap = ball_gap(part_ball(a, i), part_ball(b, k));
            SomSecondDistance d = {gap, HUGE_VAL, 0};
            if (!(gap > far)) {
                d = convex_distance(&a.parts[i].shape, part_pose(a, i), &b.parts[k].shape,
                                    part_pose(b, k), far);
            }
            least.low = fmin(least.low, d.low);
            least.high = fmin(least.high, d.high);
            least.work += d.work;
        }
    }
    return least;
}
