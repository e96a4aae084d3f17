// SPDX-License-Identifier: Apache-2.0
// Two solids in eight lanes: apart, close or open. Compiled for each path.
//
// First the axis that parted them last time is tried, which is nearly always enough. Then, in the
// frame of a, points p of a and q of b draw near: q becomes the point of b nearest to p, then p
// that of a nearest to q (von Neumann's alternating projections). Every step gives an axis from p
// to q, along which exact supports may part the solids, and an upper bound |q - p| of the distance.
// The few lanes that stay open after some steps are left to the caller.
//
// Points are kept inside by the guard, so that rounding can't make a point common that is not.
// Margins below 0 ask whether the solids overlap by more: then b is smaller by that.

#include "verify/batch_internal.h"
#include "verify/batch_lanes.h"

#include <math.h>

// Where overlaps are thin wedges or surfaces almost parallel, plain projections creep: these two,
// as parts of the way, save most of the steps. They leave the points of least distance where they
// are.
#define OVERSHOOT 0.5f
#define MOMENTUM 0.7f

#define LOOK_STEPS 8
#define MEASURE_STEPS 64
#define MEASURE_GUARDS 4 // between the bounds of a distance that is good

static inline Floats3 load_row(const float rows[][SOM_BATCH], int g) {
    return (Floats3){load_floats(rows[0] + g), load_floats(rows[1] + g), load_floats(rows[2] + g)};
}

// A rotation in each lane, by rows.
typedef struct Turn {
    Floats3 rows[3];
} Turn;

static inline Turn load_turn(const SomSolidLanes *lanes, int g) {
    return (Turn){{load_row(&lanes->rotation[0], g), load_row(&lanes->rotation[3], g),
                   load_row(&lanes->rotation[6], g)}};
}

static inline Floats3 turn_by(const Turn *turn, Floats3 v) {
    return (Floats3){floats3_dot(turn->rows[0], v), floats3_dot(turn->rows[1], v),
                     floats3_dot(turn->rows[2], v)};
}

static inline Floats3 turn_back(const Turn *turn, Floats3 v) {
    const Floats3 *r = turn->rows;
    return (Floats3){r[0].x * v.x + r[1].x * v.y + r[2].x * v.z,
                     r[0].y * v.x + r[1].y * v.y + r[2].y * v.z,
                     r[0].z * v.x + r[1].z * v.y + r[2].z * v.z};
}

// a^T b
static inline Turn turn_between(const Turn *a, const Turn *b) {
    Floats3 x = {b->rows[0].x, b->rows[1].x, b->rows[2].x};
    Floats3 y = {b->rows[0].y, b->rows[1].y, b->rows[2].y};
    Floats3 z = {b->rows[0].z, b->rows[1].z, b->rows[2].z};
    x = turn_back(a, x);
    y = turn_back(a, y);
    z = turn_back(a, z);
    return (Turn){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

// How far the solid reaches along an axis of length 1 in its frame.
ALWAYS_INLINE Floats support(const SomSolid *solid, Floats3 l) {
    const float *half = solid->half;
    switch (solid->kind) {
    case SOM_SHAPE_CYLINDER:
        return abs_floats(l.z) * half[2] + root_floats(l.x * l.x + l.y * l.y) * half[0];
    case SOM_SHAPE_CAPSULE:
        return abs_floats(l.z) * half[2] + half[0];
    case SOM_SHAPE_SPHERE:
        return splat_float(half[0]);
    case SOM_SHAPE_HULL: {
        Floats most = splat_float(-INFINITY);
        for (int i = 0; i < solid->vertex_count; i++) {
            const float *v = solid->vertices + 3 * i;
            most = max_floats(most, l.x * v[0] + l.y * v[1] + l.z * v[2]);
        }
        return most;
    }
    case SOM_SHAPE_BOX:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    return abs_floats(l.x) * half[0] + abs_floats(l.y) * half[1] + abs_floats(l.z) * half[2];
}

// ---- nearest points

static inline Floats clamp(Floats x, Floats half) {
    return max_floats(-half, min_floats(half, x));
}

// Shortens v where it is longer than `most`.
static inline Floats shortening(Floats square, Floats most) {
    Floats length = root_floats(square);
    return choose_floats(length > most, most / length, splat_float(1));
}

// The point of a polyhedron nearest to x only roughly: x moved to the plane it is farthest outside
// of. `is_in` tells where x was inside.
static Floats3 nearest_of_hull(const SomSolid *solid, Floats3 x, Floats inset, Mask *is_in) {
    Floats most = splat_float(-INFINITY);
    Floats3 normal = {most, most, most};
    for (int i = 0; i < solid->plane_count; i++) {
        const float *plane = solid->planes + 4 * i;
        Floats above = x.x * plane[0] + x.y * plane[1] + x.z * plane[2] - plane[3];
        Mask is_most = above > most;
        most = choose_floats(is_most, above, most);
        normal = floats3_choose(is_most, floats3_splat(plane), normal);
    }
    most += inset;
    *is_in = most <= 0;
    return floats3_choose(*is_in, x, floats3_sub(x, floats3_scale(most * 1.01f, normal)));
}

// The point nearest to x of the solid, all in its frame, less a skin of thickness `inset`. It is in
// the solid where `is_in`.
ALWAYS_INLINE Floats3 nearest_of(const SomSolid *solid, Floats3 x, Floats inset, Mask *is_in) {
    *is_in = inset < solid->thin;
    Floats half[3];
    for (int i = 0; i < 3; i++) {
        half[i] = max_floats(solid->half[i] - inset, splat_float(0));
    }
    switch (solid->kind) {
    case SOM_SHAPE_SPHERE:
        return floats3_scale(shortening(floats3_dot(x, x), half[0]), x);
    case SOM_SHAPE_CYLINDER: {
        Floats scale = shortening(x.x * x.x + x.y * x.y, half[0]);
        return (Floats3){scale * x.x, scale * x.y, clamp(x.z, half[2])};
    }
    case SOM_SHAPE_CAPSULE: {
        Floats middle = clamp(x.z, splat_float(solid->half[2])), z = x.z - middle;
        Floats scale = shortening(x.x * x.x + x.y * x.y + z * z, half[0]);
        return (Floats3){scale * x.x, scale * x.y,
                         choose_floats(scale < 1, middle + scale * z, x.z)};
    }
    case SOM_SHAPE_HULL:
        if (solid->plane_count > 0) {
            return nearest_of_hull(solid, x, inset, is_in);
        }
        break;
    case SOM_SHAPE_BOX:
    case SOM_SHAPE_COMPOUND:
        break;
    }
    *is_in &= -(solid->shape->kind == SOM_SHAPE_BOX);
    return (Floats3){clamp(x.x, half[0]), clamp(x.y, half[1]), clamp(x.z, half[2])};
}

// ---- a pair

// The lanes from g on.
typedef struct Lanes {
    int g;
    Floats3 d;           // from centre to centre, in the world; later in the frame of a
    Floats guard, bound; // what rounding takes; with the margin
} Lanes;

static inline Lanes load_lanes(const SomPairQuery *q, int g) {
    const SomSolidLanes *a = q->lanes_a, *b = q->lanes_b;
    Lanes lanes = {.g = g};
    lanes.d = (Floats3){narrow_difference(b->center[0] + g, a->center[0] + g),
                        narrow_difference(b->center[1] + g, a->center[1] + g),
                        narrow_difference(b->center[2] + g, a->center[2] + g)};
    Floats size = abs_floats(lanes.d.x) + abs_floats(lanes.d.y) + abs_floats(lanes.d.z) +
                  (q->a->radius + q->b->radius);
    float margin = (float)q->margin;
    lanes.guard = size * SOM_BATCH_ROUNDING +
                  (2 * (float)q->place_error + fabsf(margin) * SOM_BATCH_ROUNDING);
    lanes.bound = lanes.guard + margin;
    return lanes;
}

// How far apart they are along the axis that is remembered.
static inline Floats try_memory(const SomPairQuery *q, const Lanes *lanes) {
    const SomPairMemory *memory = q->memory;
    Floats3 axis = floats3_splat(memory->axis);
    Turn turn_a = load_turn(q->lanes_a, lanes->g), turn_b = load_turn(q->lanes_b, lanes->g);
    if (memory->is_in_b) {
        axis = turn_by(&turn_b, axis);
        Floats3 back = turn_back(&turn_a, floats3_scale(splat_float(-1), axis));
        return -floats3_dot(lanes->d, axis) - memory->reach - support(q->a, back);
    }
    axis = turn_by(&turn_a, axis);
    Floats3 back = turn_back(&turn_b, floats3_scale(splat_float(-1), axis));
    return floats3_dot(lanes->d, axis) - memory->reach - support(q->b, back);
}

// Two points that draw near, in the frame of a.
typedef struct Approach {
    int g;
    Turn turn; // of b in a
    Floats3 d, p, q;
    Mask p_is_in;
    // after a step
    Floats square; // of the distance of the points
    Mask are_in;   // each in its solid
    Floats3 axis;  // of length 1 or NaN, from a to b
    Floats gap;    // along it
    Floats3 next;  // the point of b
} Approach;

static Approach begin_approach(const SomPairQuery *q, const Lanes *lanes, Floats inset_a) {
    Turn turn_a = load_turn(q->lanes_a, lanes->g), turn_b = load_turn(q->lanes_b, lanes->g);
    Approach w = {
        .g = lanes->g, .turn = turn_between(&turn_a, &turn_b), .d = turn_back(&turn_a, lanes->d)};
    w.p = nearest_of(q->a, floats3_splat(q->memory->point), inset_a, &w.p_is_in);
    w.q = w.p;
    return w;
}

// Where p and the point of b nearest to it are, and the axis between them.
ALWAYS_INLINE void measure_step(const SomPairQuery *q, Approach *w, Floats inset_b) {
    Mask is_in;
    Floats3 x = turn_back(&w->turn, floats3_sub(w->p, w->d)); // p seen from b
    Floats3 y = nearest_of(q->b, x, inset_b, &is_in);
    Floats3 way = floats3_sub(y, x);
    w->are_in = w->p_is_in & is_in;
    w->square = floats3_dot(way, way);
    Floats3 back = floats3_scale(splat_float(-1) / root_floats(w->square), way);
    Floats3 to = turn_by(&w->turn, back);
    w->axis = floats3_scale(splat_float(-1), to);
    w->gap = floats3_dot(w->d, w->axis) - support(q->a, w->axis) - support(q->b, back);
    w->next = floats3_add(turn_by(&w->turn, y), w->d);
}

// Moves p past q, and on in the direction in which that moves.
static inline void move_on(const SomPairQuery *q, Approach *w, Floats inset_a) {
    Floats3 past = floats3_scale(splat_float(OVERSHOOT), floats3_sub(w->next, w->p));
    Floats3 on = floats3_scale(splat_float(MOMENTUM), floats3_sub(w->next, w->q));
    w->q = w->next;
    w->p = nearest_of(q->a, floats3_add(w->next, floats3_add(past, on)), inset_a, &w->p_is_in);
}

// ---- memory

// What is to be remembered is that of the highest lane for which it was found, so that it does not
// depend on how many lanes are looked at together. What was remembered is used until the end.
typedef struct Notes {
    SomPairMemory memory;
    int parted, closed; // lanes, -1 if none
} Notes;

static int highest_lane(uint32_t lanes) {
    return 31 - __builtin_clz(lanes);
}

static float largest_entry(const float v[3]) {
    return fmaxf(fabsf(v[0]), fmaxf(fabsf(v[1]), fabsf(v[2])));
}

// Keeps the axis of the highest of some lanes, in the frame that it is more likely to stay in: that
// of which it is nearer to an axis, as normals of faces are.
static void note_axis(const SomPairQuery *q, const Approach *w, uint32_t lanes, Notes *notes) {
    int lane = highest_lane(lanes);
    if (w->g + lane < notes->parted) {
        return;
    }
    notes->parted = w->g + lane;
    Floats3 back = turn_back(&w->turn, floats3_scale(splat_float(-1), w->axis));
    float a[3] = {w->axis.x[lane], w->axis.y[lane], w->axis.z[lane]};
    float b[3] = {back.x[lane], back.y[lane], back.z[lane]};
    SomPairMemory *memory = &notes->memory;
    memory->is_in_b = largest_entry(b) > largest_entry(a);
    memory->has_axis = 1;
    for (int i = 0; i < 3; i++) {
        memory->axis[i] = memory->is_in_b ? b[i] : a[i];
    }
    memory->reach = support(memory->is_in_b ? q->b : q->a, floats3_splat(memory->axis))[0];
}

static void note_point(const Approach *w, uint32_t lanes, Notes *notes) {
    int lane = highest_lane(lanes);
    if (w->g + lane >= notes->closed) {
        notes->closed = w->g + lane;
        notes->memory.point[0] = w->p.x[lane];
        notes->memory.point[1] = w->p.y[lane];
        notes->memory.point[2] = w->p.z[lane];
    }
}

// ---- apart or not

#define ALL ((1u << FLOATS) - 1) // lanes of one vector

// Lanes that are not in `apart` yet.
static SomPairAnswer search(const SomPairQuery *q, const Lanes *lanes, uint32_t apart,
                            Notes *notes) {
    float margin = (float)q->margin;
    Floats room = max_floats(margin - lanes->guard, splat_float(0));
    Floats deeper = lanes->guard + fmaxf(0, -margin);
    // points are looked for that far inside, less with every step, and good if that near: so the
    // search ends, and points are not lost as soon as something moves
    float skin = 0.25f * fminf(q->a->thin, q->b->thin);
    Approach w = begin_approach(q, lanes, lanes->guard + skin);
    uint32_t close = 0;
    for (int i = 0; i < LOOK_STEPS; i++, skin *= 0.5f) {
        measure_step(q, &w, deeper + skin);
        Floats near = room + skin;
        uint32_t open = ALL & ~(apart | close);
        uint32_t parted = bits_of_mask(w.gap > lanes->bound) & open;
        uint32_t closed = bits_of_mask((w.square <= near * near) & w.are_in) & open & ~parted;
        if (parted != 0) {
            note_axis(q, &w, parted, notes);
        }
        if (closed != 0) {
            note_point(&w, closed, notes);
        }
        apart |= parted;
        close |= closed;
        if ((apart | close) == ALL) {
            break;
        }
        move_on(q, &w, lanes->guard + skin);
    }
    return (SomPairAnswer){apart, close};
}

SomPairAnswer SOM_BATCH_PATH(som_batch_look)(const SomPairQuery *q) {
    SomPairAnswer answer = {0, 0};
    Notes notes = {*q->memory, -1, -1};
    for (int g = 0; g < SOM_BATCH; g += FLOATS) {
        SomPairAnswer now = {~(q->lanes >> g) & ALL, 0};
        if (now.apart != ALL) {
            Lanes lanes = load_lanes(q, g);
            if (q->memory->has_axis) {
                now.apart |= bits_of_mask(try_memory(q, &lanes) > lanes.bound);
            }
            if (now.apart != ALL) {
                now = search(q, &lanes, now.apart, &notes);
            }
        }
        answer.apart |= now.apart << g;
        answer.close |= now.close << g;
    }
    if (notes.parted >= 0 || notes.closed >= 0) {
        *q->memory = notes.memory;
    }
    return answer;
}

// ---- distances

static SomPairAnswer measure_lanes(const SomPairQuery *q, const Lanes *lanes, uint32_t apart,
                                   double distance[SOM_BATCH], Notes *notes) {
    Floats lower = splat_float(-INFINITY), upper = -lower, zero = splat_float(0);
    if (q->memory->has_axis) {
        lower = try_memory(q, lanes);
        apart |= bits_of_mask(lower > lanes->bound);
    }
    Approach w = begin_approach(q, lanes, zero);
    uint32_t close = 0;
    for (int i = 0; i < MEASURE_STEPS && (apart | close) != ALL; i++) {
        measure_step(q, &w, zero);
        uint32_t open = ALL & ~(apart | close);
        Mask is_open = mask_of_bits(open);
        Mask is_better = is_open & (w.gap > lower);
        lower = choose_floats(is_better, w.gap, lower);
        Floats length = root_floats(w.square);
        upper = choose_floats(is_open & w.are_in & (length < upper), length, upper);
        uint32_t parted = bits_of_mask(lower > lanes->bound) & open;
        uint32_t closed =
            bits_of_mask(upper - max_floats(lower, zero) <= MEASURE_GUARDS * lanes->guard) & open;
        apart |= parted;
        close |= closed & ~parted;
        uint32_t noted = bits_of_mask(is_better) & (parted | closed);
        if (noted != 0) {
            note_axis(q, &w, noted, notes);
            note_point(&w, noted, notes);
        }
        move_on(q, &w, zero);
    }
    for (int i = 0; i < FLOATS; i++) {
        double bound = fmax((double)(lower[i] - lanes->guard[i]), q->margin);
        distance[lanes->g + i] = apart >> i & 1 ? bound : (double)upper[i];
    }
    return (SomPairAnswer){apart, close};
}

SomPairAnswer SOM_BATCH_PATH(som_batch_measure)(const SomPairQuery *q, double distance[SOM_BATCH]) {
    SomPairAnswer answer = {0, 0};
    Notes notes = {*q->memory, -1, -1};
    for (int g = 0; g < SOM_BATCH; g += FLOATS) {
        Lanes lanes = load_lanes(q, g);
        SomPairAnswer now = measure_lanes(q, &lanes, ~(q->lanes >> g) & ALL, distance, &notes);
        answer.apart |= now.apart << g;
        answer.close |= now.close << g;
    }
    *q->memory = notes.memory;
    return answer;
}

// ---- heights

void SOM_BATCH_PATH(som_batch_lowest)(SomBatch *batch) {
    for (int k = 0; k < batch->solid_count; k++) {
        const SomSolidLanes *lanes = &batch->lanes[k];
        _Alignas(SOM_BATCH_ALIGN) float below[SOM_BATCH];
        for (int g = 0; g < SOM_BATCH; g += FLOATS) {
            Floats3 up = load_row(&lanes->rotation[6], g);
            store_floats(below + g, support(&batch->solids[k], floats3_scale(splat_float(-1), up)));
        }
        for (int lane = 0; lane < SOM_BATCH; lane++) {
            batch->lowest[k * SOM_BATCH + lane] = lanes->center[2][lane] - (double)below[lane];
        }
    }
}
